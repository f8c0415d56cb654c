//! Both solvers, on formulas whose answers are known.

use super::*;

const ENGINES: [Engine; 2] = [Engine::Cadical, Engine::Batsat];

#[test]
fn a_model_satisfies_every_clause_and_assumption() {
    for engine in ENGINES {
        let mut solver = Solver::new(engine, &Stop::never());
        let [a, b, c] = [(); 3].map(|()| solver.variable());
        solver.add(&[a, b]);
        solver.add(&[!a, c]);
        assert_eq!(solver.solve(&[!b], None), Answer::Sat, "{engine:?}");
        assert!(solver.value(a) && solver.value(!b) && solver.value(c), "{engine:?}");
    }
}

#[test]
fn a_core_names_the_assumptions_that_clash_and_the_solver_goes_on() {
    for engine in ENGINES {
        let mut solver = Solver::new(engine, &Stop::never());
        let [a, b, c] = [(); 3].map(|()| solver.variable());
        solver.add(&[!a, !b]);
        assert_eq!(solver.solve(&[c, a, b], None), Answer::Unsat, "{engine:?}");
        let mut core = solver.core();
        core.sort_unstable();
        assert_eq!(core, [a, b], "{engine:?}");
        assert_eq!(solver.solve(&[a], None), Answer::Sat, "{engine:?}");
        assert!(!solver.value(b));
    }
}

/// More pigeons than holes, which takes conflicts to refute.
fn pigeons(solver: &mut Solver, holes: usize) {
    let at: Vec<Vec<Literal>> =
        (0..=holes).map(|_| (0..holes).map(|_| solver.variable()).collect()).collect();
    for (pigeon, holes) in at.iter().enumerate() {
        solver.add(holes);
        for other in &at[..pigeon] {
            for (here, there) in holes.iter().zip(other) {
                solver.add(&[!*here, !*there]);
            }
        }
    }
}

#[test]
fn a_query_ends_at_its_limit_and_the_same_work_costs_the_same() {
    for engine in ENGINES {
        let run = || {
            let mut solver = Solver::new(engine, &Stop::never());
            pigeons(&mut solver, 8);
            let limited = solver.solve(&[], Some(20));
            (limited, solver.solve(&[], None), solver.conflicts())
        };
        let (limited, answer, conflicts) = run();
        assert_eq!((limited, answer), (Answer::Unknown, Answer::Unsat), "{engine:?}");
        assert!(conflicts > 20, "{engine:?}");
        assert_eq!(run().2, conflicts, "{engine:?}");
    }
}

#[test]
fn nothing_is_solved_once_the_stop_is_due() {
    for engine in ENGINES {
        let stop = Stop::never();
        let mut solver = Solver::new(engine, &stop);
        let a = solver.variable();
        solver.add(&[a]);
        stop.request();
        assert_eq!(solver.solve(&[], None), Answer::Unknown, "{engine:?}");
    }
}

#[test]
fn a_dependent_variable_has_the_value_that_its_clauses_give_it() {
    for engine in ENGINES {
        let mut solver = Solver::new(engine, &Stop::never());
        let [a, b] = [(); 2].map(|()| solver.variable());
        let both = solver.dependent_variable();
        for clause in [&[!both, a][..], &[!both, b], &[both, !a, !b]] {
            solver.add(clause);
        }
        for assumptions in [[a, b], [!a, b], [a, !b], [!a, !b]] {
            assert_eq!(solver.solve(&assumptions, None), Answer::Sat, "{engine:?}");
            assert_eq!(solver.value(both), assumptions == [a, b], "{engine:?}");
        }
        assert_eq!(solver.solve(&[both, !a], None), Answer::Unsat, "{engine:?}");
    }
}
