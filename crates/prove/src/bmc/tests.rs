//! Searches against all that can happen in a circuit.

use obligato_circuit::{Circuit, Gate};
use obligato_solver::{Engine, Stop};
use proptest::prelude::*;

use super::*;
use crate::explicit_state::{circuits, explore, runs_with_prophecies, with_random_prophecies};
use crate::run::{initial_state, is_allowed, value};

const DEEPEST: usize = 40;

fn unrolling(circuit: &Circuit, engine: Engine, start: Start) -> Unrolling<'_> {
    Unrolling::new(circuit, engine, start, &Stop::never())
}

fn aim_at(search: &mut Bmc<'_>, lits: &[Lit]) {
    for lit in lits {
        search.add_target(*lit);
    }
}

/// A counter that counts when its input says so.
fn counter(bits: usize) -> (Circuit, Vec<Lit>) {
    let mut circuit = Circuit::new();
    let mut carry = circuit.input();
    let latches: Vec<Lit> = (0..bits).map(|_| circuit.latch(false)).collect();
    for (index, latch) in latches.iter().enumerate() {
        let sum = circuit.xor(*latch, carry);
        circuit.set_next(index, sum);
        carry = circuit.and(*latch, carry);
    }
    (circuit, latches)
}

#[test]
fn a_counter_gets_to_each_bit_by_the_shortest_run() {
    let (circuit, latches) = counter(4);
    for engine in [Engine::Cadical, Engine::Batsat] {
        let mut search = Bmc::new(unrolling(&circuit, engine, Start::Initial));
        aim_at(&mut search, &latches);
        for (target, depth) in [(0, 1), (1, 2), (2, 4), (3, 8)] {
            let BmcOutcome::Found(found) = search.next(DEEPEST, u64::MAX) else {
                panic!("bit {target} can be set")
            };
            assert_eq!(found.targets, [(target, depth)]);
            assert!(found.run.reaches(&circuit, latches[target]));
        }
        assert_eq!(search.next(DEEPEST, u64::MAX), BmcOutcome::Exhausted);
    }
}

#[test]
fn a_target_that_is_closed_is_not_searched_for_and_one_that_comes_later_is() {
    let (circuit, latches) = counter(3);
    let mut search = Bmc::new(unrolling(&circuit, Engine::Cadical, Start::Initial));
    aim_at(&mut search, &latches);
    search.close(0);
    let BmcOutcome::Found(found) = search.next(DEEPEST, u64::MAX) else {
        panic!("2 can be reached")
    };
    assert_eq!(found.targets, [(1, 2)]);
    search.close(2);
    assert_eq!(search.next(DEEPEST, u64::MAX), BmcOutcome::Exhausted);
    let late = search.add_target(!latches[0]);
    let BmcOutcome::Found(found) = search.next(DEEPEST, u64::MAX) else {
        panic!("0 is there at once")
    };
    assert_eq!(found.targets[0].0, late);
}

#[test]
fn a_search_ends_at_its_budget_and_goes_on_from_there() {
    // The product of two numbers, which takes conflicts to invert.
    let mut circuit = Circuit::new();
    let [first, second] = [(); 2].map(|()| (0..14).map(|_| circuit.input()).collect::<Vec<_>>());
    let mut product = [Lit::FALSE; 28];
    for (shift, factor) in first.iter().enumerate() {
        let mut carry = Lit::FALSE;
        for (place, digit) in second.iter().enumerate() {
            let (old, new) = (product[shift + place], circuit.and(*factor, *digit));
            let half = circuit.xor(old, new);
            product[shift + place] = circuit.xor(half, carry);
            let (both, through) = (circuit.and(old, new), circuit.and(half, carry));
            carry = circuit.or(both, through);
        }
        product[shift + second.len()] = carry;
    }
    // 11003 * 13009, both primes.
    let digits = product.iter().enumerate();
    let is_it: Vec<Lit> =
        digits.map(|(place, lit)| lit.negated_if(143_138_027_u32 >> place & 1 == 0)).collect();
    let is_it = circuit.all(is_it);
    let mut search = Bmc::new(unrolling(&circuit, Engine::Cadical, Start::Initial));
    search.add_target(is_it);
    assert_eq!(search.next(0, 10), BmcOutcome::OutOfBudget);
    assert!(search.conflicts() < 100);
    assert!(matches!(search.next(0, u64::MAX), BmcOutcome::Found(_)));
}

#[test]
fn no_run_is_longer_than_the_constraints_let_it_be() {
    let (mut circuit, latches) = counter(6);
    circuit.constrain(!latches[1]);
    let counts = Lit::of(circuit.inputs()[0]);
    circuit.constrain(counts);
    let mut search = Bmc::new(unrolling(&circuit, Engine::Batsat, Start::Initial));
    search.add_target(latches[5]);
    assert_eq!(search.next(1_000_000, u64::MAX), BmcOutcome::Exhausted, "without a million steps");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn exactly_what_is_reachable_is_found_at_its_least_depth(
        circuit in circuits(),
        engine in prop_oneof![Just(Engine::Cadical), Just(Engine::Batsat)],
    ) {
        let explored = explore(&circuit);
        let mut search = Bmc::new(unrolling(&circuit, engine, Start::Initial));
        let lits: Vec<Lit> = (0..2 * circuit.len() as u32).map(Lit::from_code).collect();
        aim_at(&mut search, &lits);
        let mut depths = vec![None; lits.len()];
        while let BmcOutcome::Found(found) = search.next(DEEPEST, u64::MAX) {
            for (target, step) in found.targets {
                depths[target] = Some(step);
                let upto = Run { steps: found.run.steps[..=step].to_vec() };
                prop_assert!(upto.reaches(&circuit, lits[target]));
            }
        }
        let expected: Vec<_> = lits.iter().map(|lit| explored.first(*lit)).collect();
        prop_assert_eq!(depths, expected);
    }

    #[test]
    fn what_a_prophecy_says_is_found_at_the_least_length_that_shows_it(
        circuit in circuits(),
        prophecies in prop::collection::vec(any::<(u32, u32)>(), 1..=2),
    ) {
        prop_assume!(circuit.inputs().len() < 2);
        let (circuit, prophecies) = with_random_prophecies(circuit, &prophecies);
        let unrolling = unrolling(&circuit, Engine::Cadical, Start::Initial).with_prophecies(&prophecies);
        let mut search = Bmc::new(unrolling);
        let lits: Vec<Lit> = (0..2 * circuit.len() as u32).map(Lit::from_code).collect();
        aim_at(&mut search, &lits);
        let mut lengths = vec![None; lits.len()];
        while let BmcOutcome::Found(found) = search.next(3, u64::MAX) {
            for (target, step) in found.targets {
                lengths[target] = Some(found.run.steps.len());
                let values = found.run.values(&circuit, &initial_state(&circuit));
                prop_assert!(values.iter().all(|step| is_allowed(&circuit, step)));
                prop_assert!(value(&values[step], lits[target]));
            }
        }
        let runs: Vec<_> = (1..=4).map(|steps| runs_with_prophecies(&circuit, &prophecies, steps)).collect();
        for (lit, length) in lits.iter().zip(lengths) {
            let shows = |run: &Vec<Vec<bool>>| run.iter().any(|values| value(values, *lit));
            let least = (1..=4).find(|steps: &usize| runs[steps - 1].iter().any(shows));
            prop_assert_eq!(length, least, "{:?}", lit);
        }
    }

    #[test]
    fn looking_ahead_from_a_state_finds_what_its_runs_show(
        circuit in circuits(),
        states in prop::collection::vec(any::<[bool; 5]>(), 1..4),
        engine in prop_oneof![Just(Engine::Cadical), Just(Engine::Batsat)],
    ) {
        let mut search = Bmc::new(unrolling(&circuit, engine, Start::Free));
        let codes = 0..2 * circuit.len() as u32;
        let mut targets: Vec<(usize, Lit)> = Vec::new();
        for state in states {
            let state = state[..circuit.latches().len()].to_vec();
            // As if the state were the first, in another circuit.
            let mut begun = Circuit::new();
            for gate in circuit.gates().iter().skip(1) {
                match *gate {
                    Gate::Input(_) => begun.input(),
                    Gate::Latch(index) => begun.latch(state[index as usize]),
                    Gate::And(a, b) => begun.and(a, b),
                    Gate::False => Lit::FALSE,
                };
            }
            for (index, latch) in circuit.latches().iter().enumerate() {
                begun.set_next(index, latch.next);
            }
            circuit.constraints().iter().for_each(|lit| begun.constrain(*lit));
            let explored = explore(&begun);
            search.begin_in(state.clone());
            // What was found from one state is searched for from the next all the same.
            for (target, _) in targets {
                search.close(target);
            }
            targets = codes.clone().map(Lit::from_code).map(|lit| (search.add_target(lit), lit)).collect();
            while let BmcOutcome::Found(found) = search.next(2, u64::MAX) {
                let values = found.run.values(&circuit, &state);
                prop_assert!(values.iter().all(|step| is_allowed(&circuit, step)));
                for (target, step) in found.targets {
                    let (_, lit) = targets[target - targets[0].0];
                    prop_assert!(value(&values[step], lit));
                    prop_assert_eq!(explored.first(lit), Some(step));
                }
            }
            for (target, lit) in &targets {
                let expected = explored.first(*lit).is_none_or(|first| first > 2);
                prop_assert_eq!(search.is_open(*target), expected);
            }
        }
    }
}
