//! Properties of public models, where they are at hand.

use obligato_circuit::{Circuit, Encoding, EncodingOptions, Lit};
use obligato_lustre::analysis::{self, analyse};
use obligato_lustre::lowering;
use obligato_lustre_syntax::parse;
use obligato_transition_system::CheckKind;

/// Models that are answered in seconds.
const MODELS: [&str; 3] =
    ["kind2/DockingExample.lus", "kind2/microwave.lus", "steering-framework/infusion_manager.lus"];

/// Each model with a literal that says that one of its properties is violated. Without models there are none.
pub fn violations() -> Vec<(String, Circuit, Lit)> {
    MODELS.iter().filter_map(|name| violation(name)).collect()
}

fn violation(name: &str) -> Option<(String, Circuit, Lit)> {
    let text = obligato_test_support::models::text(name)?;
    let model = analyse(parse(&text).ok()?.program, &analysis::Options::default()).ok()?;
    let lowered = lowering::lower(&model, name, &text, &lowering::Options::default()).ok()?;
    let checks = lowered.system.checks.iter().filter(|check| check.kind == CheckKind::Property);
    let nodes: Vec<_> = checks.map(|check| check.node).collect();
    let mut encoding = Encoding::new(&lowered.system, &nodes, &EncodingOptions::default()).ok()?;
    let lits: Vec<Lit> = nodes.iter().filter_map(|node| encoding.bool(*node)).collect();
    let bad = encoding.circuit.any(lits.into_iter().map(|lit| !lit));
    (!nodes.is_empty()).then(|| (name.to_owned(), encoding.circuit, bad))
}
