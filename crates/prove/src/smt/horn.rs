//! Reachability of a goal as constrained Horn clauses over one relation `inv` of the latches.

use std::fmt::Write as _;

use obligato_transition_system::System;

use super::cone::{Cone, input_bounds, undefined_bounds};
use super::goal::Goal;
use super::term;

/// Option sets for Spacer, tried in order. It fails on some lemmas under one that
/// it finds under the other. Eager inlining is always off: with it, it defines `inv` to be something
/// that need not exclude the goal.
pub(super) const SPACER_OPTIONS: [&str; 2] = [
    "(set-option :fp.engine spacer)
     (set-option :fp.xform.inline_eager false)
     (set-option :fp.xform.inline_linear false)",
    "(set-option :fp.engine spacer)
     (set-option :fp.xform.inline_eager false)",
];

/// `inv` of these arguments.
pub(super) fn relation(arguments: impl Iterator<Item = String>) -> String {
    let arguments: String = arguments.map(|argument| format!(" {argument}")).collect();
    if arguments.is_empty() { "inv".to_owned() } else { format!("(inv{arguments})") }
}

/// `inv` of the initial state.
pub(super) fn initial(system: &System, latches: &[usize]) -> String {
    let values = system.initial_state();
    let sort = |index: usize| system.graph.sort(system.latches[index].node);
    relation(latches.iter().map(|index| term::constant(sort(*index), &values[*index])))
}

/// The clauses: `inv` has the initial state, is closed under steps, and no state in it reaches the goal.
pub(super) fn clauses(system: &System, cone: &Cone, goal: &Goal) -> String {
    let graph = &system.graph;
    let latches = &cone.latches;
    let sorts: String = latches
        .iter()
        .map(|index| term::sort(graph.sort(system.latches[*index].node)) + " ")
        .collect();
    let name = |node| term::name(graph, node, "");
    let here = relation(latches.iter().map(|index| format!("l{index}")));
    let afterwards = relation(latches.iter().map(|index| name(system.latches[*index].next)));
    let mut premise = here;
    for index in &cone.inputs {
        if let Some((low, high)) = input_bounds(&system.inputs[*index].kind) {
            let _ = write!(premise, " {}", term::between(low, &format!("i{index}"), high));
        }
    }
    for index in &cone.undefined {
        if let Some((low, high)) = undefined_bounds(&system.latches[*index].kind) {
            let _ = write!(premise, " {}", term::between(low, &format!("l{index}"), high));
        }
    }
    for node in &cone.assertions {
        let _ = write!(premise, " {}", name(*node));
    }
    let step = in_any_step(system, cone, &format!("(=> (and {premise}) {afterwards})"));
    let goal = goal.term(system, name);
    let end = in_any_step(system, cone, &format!("(=> (and {premise} {goal}) false)"));
    format!(
        "(set-logic HORN)
(declare-fun inv ({sorts}) Bool)
(assert {})
(assert {step})
(assert {end})",
        initial(system, latches)
    )
}

/// A statement about any step: its latches and inputs are bound by a quantifier, its operations by
/// `let`, all of one depth together.
fn in_any_step(system: &System, cone: &Cone, statement: &str) -> String {
    let graph = &system.graph;
    let name = |node| term::name(graph, node, "");
    let latches = cone.latches.iter().chain(&cone.undefined);
    let latches = latches.map(|index| system.latches[*index].node);
    let inputs = cone.inputs.iter().map(|index| system.inputs[*index].node);
    let variables: String = latches
        .chain(inputs)
        .map(|node| format!("({} {})", name(node), term::sort(graph.sort(node))))
        .collect();
    let mut depths = vec![0_usize; graph.len()];
    let mut levels: Vec<String> = Vec::new();
    for node in &cone.operations {
        let below = graph.children(*node).map(|child| depths[child.index()]).max().unwrap_or(0);
        depths[node.index()] = below + 1;
        if levels.len() == below {
            levels.push(String::new());
        }
        let operation = term::operation(graph, *node, name);
        let _ = write!(levels[below], "({} {operation})", name(*node));
    }
    let lets: String = levels.iter().map(|level| format!("(let ({level}) ")).collect();
    let body = format!("{lets}{statement}{}", ")".repeat(levels.len()));
    if variables.is_empty() { body } else { format!("(forall ({variables}) {body})") }
}
