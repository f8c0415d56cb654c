//! The circuit of a system against the system's own evaluator, on random systems and runs.

mod support;

use obligato_circuit::{Encoding, EncodingOptions};
use obligato_model::Random;
use obligato_transition_system::{NodeId, Sort};
use support::follow::{Tally, follow};
use support::systems;

#[test]
fn a_circuit_is_worth_what_its_system_is_and_unknown_only_where_it_says_so() {
    let mut random = Random::new(2024);
    let mut tally = Tally::default();
    for round in 0..400 {
        let system = systems::system(&mut random, 10 + round % 50);
        let options =
            EncodingOptions { bits: [4, 8, 16, 33][round / 2 % 4], ..EncodingOptions::default() };
        // Half of the time only Booleans are asked for, so that numbers may leave unnoticed unless
        // they are compared.
        let asked = |node: &NodeId| round % 2 == 0 || system.graph.sort(*node) == Sort::Bool;
        let roots: Vec<NodeId> = system.graph.nodes().filter(asked).collect();
        let encoding = Encoding::new(&system, &roots, &options).expect("a moderate circuit");
        for _ in 0..4 {
            follow(&system, &encoding, &mut random, 8, &mut tally, systems::value);
        }
    }
    let Tally { steps, within, outside } = tally;
    assert!(steps > 3_000 && within > 300 && outside > 10_000, "{tally:?}");
}
