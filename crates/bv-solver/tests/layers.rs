//! The layers never change an answer: many queries, each asked of a solver that remembers, of one that does not, and of a
//! SAT solver alone.

use obligato_bv_solver::{Blaster, BvSolver, Query, QueryAnswer};
use obligato_model::SolverLimit;
use obligato_solver::{Answer as SatAnswer, Engine, Stop};
use obligato_term::{Assignment, BinaryOp as Op, Term, Terms, UnaryOp, Values, VariableId};
use proptest::prelude::*;

/// A step of building: an operation and where its operands are among the terms so far.
type Step = (u8, u8, u8, u8);

const VARIABLES: u32 = 4;

const OPS: [Op; 12] = [
    Op::Add,
    Op::Subtract,
    Op::Multiply,
    Op::DivideUnsigned,
    Op::RemainderSigned,
    Op::ShiftLeft,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::LessUnsigned,
    Op::LessSigned,
    Op::Equal,
];

/// Words of eight bits, and comparisons of them.
fn build(steps: &[Step]) -> (Terms, Vec<Term>) {
    let mut terms = Terms::new();
    let mut words: Vec<Term> = (0..VARIABLES).map(|_| terms.variable(8)).collect();
    let mut tests = Vec::new();
    for &(op, first, second, number) in steps {
        let left = words[usize::from(first) % words.len()];
        let right = if second % 3 == 0 {
            terms.constant(number.into(), 8)
        } else {
            words[usize::from(second) % words.len()]
        };
        let op = OPS[usize::from(op) % OPS.len()];
        let result = terms.binary(op, left, right);
        if !op.compares() {
            words.push(result);
        } else if terms.as_constant(result).is_none() {
            tests.push(result);
        }
    }
    (terms, tests)
}

/// Is there an answer by trying? Only for queries about one variable or two.
fn by_trying(terms: &Terms, constraints: &[Term]) -> bool {
    let mut assignment = Assignment::default();
    (0..1_u128 << 16).any(|inputs| {
        assignment.set(VariableId(0), inputs & 0xff);
        assignment.set(VariableId(1), inputs >> 8);
        let mut values = Values::new(&assignment);
        constraints.iter().all(|one| values.holds(terms, *one))
    })
}

fn check(steps: &[Step], inputs: [u8; 4]) {
    let (mut terms, tests) = build(steps);
    let mut near = Assignment::default();
    for (index, input) in inputs.into_iter().enumerate() {
        near.set(VariableId(index as u32), input.into());
    }
    let mut remembering = BvSolver::new(&Stop::never(), None);
    let mut path: Vec<Term> = Vec::new();
    for test in tests {
        let taken = if Values::new(&near).holds(&terms, test) { test } else { terms.not(test) };
        let turned = terms.unary(UnaryOp::Not, taken);
        let constraints = [&path[..], &[turned]].concat();
        let query = Query { constraints: &constraints, near: &near };
        let mut blaster = Blaster::new(Engine::Cadical, &Stop::never());
        let alone = blaster.solve(&terms, &constraints, None);
        if alone == SatAnswer::Unsat {
            let core = blaster.core();
            assert!(core.iter().all(|one| constraints.contains(one)));
            let mut again = Blaster::new(Engine::Batsat, &Stop::never());
            assert_eq!(again.solve(&terms, &core, None), SatAnswer::Unsat, "a core is to blame");
        }
        for solver in [&mut remembering, &mut BvSolver::new(&Stop::never(), None)] {
            match solver.ask(&terms, query) {
                QueryAnswer::Satisfiable(found) => {
                    let mut values = Values::new(&found);
                    assert!(constraints.iter().all(|one| values.holds(&terms, *one)));
                    assert_eq!(alone, SatAnswer::Sat);
                }
                QueryAnswer::Unsatisfiable => assert_eq!(alone, SatAnswer::Unsat),
                QueryAnswer::Unknown(why) => panic!("{why}"),
            }
        }
        path.push(taken);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn layers_and_memory_do_not_change_an_answer(
        steps in proptest::collection::vec(any::<Step>(), 10..40),
        inputs in any::<[u8; 4]>(),
    ) {
        check(&steps, inputs);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn answers_are_those_of_trying_all_inputs(
        steps in proptest::collection::vec(any::<Step>(), 4..10),
    ) {
        let (terms, tests) = build(&steps);
        let uses = |test: &Term| {
            let mut open = vec![*test];
            let mut small = true;
            while let Some(next) = open.pop() {
                small &= terms.variables()[2..].iter().all(|one| *one != next);
                open.extend(terms.node(next).operands());
            }
            small
        };
        let tests: Vec<Term> = tests.into_iter().filter(uses).collect();
        let near = Assignment::default();
        let query = Query { constraints: &tests, near: &near };
        let answer = BvSolver::new(&Stop::never(), None).ask(&terms, query);
        prop_assert_eq!(matches!(answer, QueryAnswer::Satisfiable(_)), by_trying(&terms, &tests));
    }
}

#[test]
fn what_is_not_solved_for_is_named() {
    use obligato_term::{FloatFormat, FloatOp};
    let mut terms = Terms::new();
    let [a, b] = [(); 2].map(|()| terms.variable(64));
    let rest = terms.float(FloatOp::Remainder, FloatFormat::Double, &[a, b], 64);
    let wanted = terms.constant(0.7_f64.to_bits().into(), 64);
    let test = terms.equal(rest, wanted);
    let near = Assignment::default();
    let query = Query { constraints: &[test], near: &near };
    let answer = BvSolver::new(&Stop::never(), None).ask(&terms, query);
    let QueryAnswer::Unknown(why) = answer else { panic!("{answer:?}") };
    assert!(why.to_string().contains("remainder of two doubles"), "{why}");
}

#[test]
fn a_query_ends_at_its_limit_and_says_so() {
    let mut terms = Terms::new();
    let [a, b] = [(); 2].map(|()| terms.variable(64));
    let product = terms.binary(Op::Multiply, a, b);
    let one = terms.constant(1, 64);
    // A product of primes below 2^32, which neither is.
    let wanted = terms.constant(4_294_967_291 * 4_294_967_279, 64);
    let is = terms.equal(product, wanted);
    let small = [a, b].map(|term| {
        let end = terms.constant(4_294_967_279, 64);
        let (above, below) =
            (terms.binary(Op::LessUnsigned, one, term), terms.binary(Op::LessUnsigned, term, end));
        terms.and(above, below)
    });
    let near = Assignment::default();
    let query = Query { constraints: &[small[0], small[1], is], near: &near };
    let mut solver = BvSolver::new(&Stop::never(), Some(100));
    let answer = solver.ask(&terms, query);
    assert_eq!(answer, QueryAnswer::Unknown(SolverLimit::Conflicts(100)));
    let stop = Stop::never();
    stop.request();
    let answer = BvSolver::new(&stop, None).ask(&terms, query);
    assert_eq!(answer, QueryAnswer::Unknown(SolverLimit::Time));
}
