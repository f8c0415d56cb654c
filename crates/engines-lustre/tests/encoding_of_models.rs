//! The circuits of real models against the evaluator. They stand here because the crate of circuits
//! does not know Lustre.

#[path = "../../circuit/tests/support/mod.rs"]
mod support;

use obligato_circuit::{Encoding, EncodingOptions};
use obligato_lustre::analysis::{self, analyse};
use obligato_lustre::lowering;
use obligato_lustre_syntax::parse;
use obligato_model::{Integer, Random, Type, Value};
use obligato_test_support::models;
use obligato_transition_system::{NodeId, System};
use support::follow::{Tally, follow};
use support::systems;

/// What circuits of some models may cost, all their nodes encoded: a tenth more than they do.
const GATES: [(&str, usize); 6] = [
    ("DA1.kind.lus", 1_700),
    ("DockingExample.lus", 7_700),
    ("GPCA_State_machine.kind.lus", 93_000),
    ("infusion_manager.lus", 17_000),
    ("microwave.lus", 3_800),
    ("mode_logic.kind.lus", 2_700),
];

/// The public models that load, by name; none if the collection is not there.
fn models() -> Vec<(String, System)> {
    let load = |(name, text): (String, Vec<u8>)| {
        let model = analyse(parse(&text).ok()?.program, &analysis::Options::default()).ok()?;
        let options = lowering::Options::default();
        let lowered = lowering::lower(&model, &name, &text, &options).ok()?;
        Some((name, lowered.system))
    };
    models::texts().into_iter().filter_map(load).collect()
}

/// Small numbers mostly, which stay in their words for a while.
fn tame(random: &mut Random, kind: &Type) -> Value {
    match kind {
        Type::Int => Value::int(random.below(12)),
        Type::Real => Value::Real(Integer::from(random.below(12)).into()),
        _ => systems::value(random, kind),
    }
}

#[test]
fn circuits_of_public_models_are_worth_what_the_models_are() {
    let mut random = Random::new(7);
    let mut steps = 0;
    for (name, system) in models() {
        let roots: Vec<NodeId> = system.graph.nodes().collect();
        let encoding = Encoding::new(&system, &roots, &EncodingOptions::default());
        let encoding = encoding.unwrap_or_else(|error| panic!("{name}: {error}"));
        let (mut wild, mut calm) = (Tally::default(), Tally::default());
        for _ in 0..3 {
            follow(&system, &encoding, &mut random, 50, &mut wild, systems::value);
            follow(&system, &encoding, &mut random, 50, &mut calm, tame);
        }
        assert!(calm.within * 3 >= calm.steps, "{name}: small numbers stay within, {calm:?}");
        let limit = GATES.iter().find(|(of, _)| *of == name).map(|(_, limit)| *limit);
        let gates = encoding.circuit.len();
        assert!(gates <= limit.unwrap_or(usize::MAX), "{name}: {gates} gates");
        steps += wild.steps + calm.steps;
    }
    assert!(steps == 0 || steps > 5_000, "{steps} steps");
}
