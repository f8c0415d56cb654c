//! Queries with known answers, and that the layers do not change them.

use obligato_term::BinaryOp as Op;

use super::*;

fn ask(
    solver: &mut BvSolver,
    terms: &Terms,
    constraints: &[Term],
    near: &Assignment,
) -> QueryAnswer {
    solver.ask(terms, Query { constraints, near })
}

#[test]
fn variables_outside_of_the_slice_keep_their_values() {
    let mut terms = Terms::new();
    let [a, b, c] = [(); 3].map(|()| terms.variable(32));
    let product = terms.binary(Op::Multiply, a, b);
    let wanted = terms.constant(391, 32);
    let is = terms.equal(product, wanted);
    let (one, hundred) = (terms.constant(1, 32), terms.constant(100, 32));
    let large = [a, b].map(|term| terms.binary(Op::LessUnsigned, one, term));
    let small = [a, b].map(|term| terms.binary(Op::LessUnsigned, term, hundred));
    let other = terms.equal(c, hundred);
    let mut near = Assignment::default();
    for (variable, value) in [(0, 5), (1, 7), (2, 100)] {
        near.set(VariableId(variable), value);
    }
    let mut solver = BvSolver::new(&Stop::never(), None);
    let constraints = [large[0], large[1], small[0], small[1], other, is];
    let QueryAnswer::Satisfiable(found) = ask(&mut solver, &terms, &constraints, &near) else {
        panic!()
    };
    let mut factors = [found.get(VariableId(0)), found.get(VariableId(1))];
    factors.sort_unstable();
    assert_eq!(factors, [17, 23]);
    assert_eq!(found.get(VariableId(2)), 100);
    assert_eq!(solver.statistics().by_solver, 1);
}

#[test]
fn a_superset_of_an_unsat_core_is_unsatisfiable_without_solving() {
    let mut terms = Terms::new();
    let [a, b] = [(); 2].map(|()| terms.variable(32));
    let square = terms.binary(Op::Multiply, a, a);
    let mask = terms.constant(3, 32);
    let low = terms.and(square, mask);
    let two = terms.constant(2, 32);
    let never = terms.equal(low, two);
    let other = terms.binary(Op::LessUnsigned, a, b);
    let mut solver = BvSolver::new(&Stop::never(), None);
    let near = Assignment::default();
    assert_eq!(ask(&mut solver, &terms, &[never], &near), QueryAnswer::Unsatisfiable);
    assert_eq!(ask(&mut solver, &terms, &[other, never], &near), QueryAnswer::Unsatisfiable);
    assert_eq!((solver.statistics().by_solver, solver.statistics().by_cores), (1, 1));
}
