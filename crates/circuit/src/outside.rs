//! Which numbers may overflow their words, or lie between the points of the grid: *leave the encoding*.
//!
//! Only those need an `outside` flag. A number leaves if its word is too short for its range or
//! the grid too coarse for it; numbers computed from it leave with it.

use obligato_model::Value;
use obligato_transition_system::{Binary, NodeId, Sort, System, Term};

use crate::classes::Classes;
use crate::grid::{Grid, exact_bits};
use crate::ranges::Ranges;

/// After so many scans without a fixpoint, every undecided latch gets a flag.
const MOST_SCANS: usize = 64;

/// For each node that is the first of its class: may its number leave? Of nodes that are encoded
/// already, `known` says so.
pub(crate) fn may_leave(
    system: &System,
    classes: &Classes,
    ranges: &Ranges,
    grid: &Grid,
    known: impl Fn(NodeId) -> Option<bool>,
) -> Vec<bool> {
    let graph = &system.graph;
    let mut leaves = vec![false; graph.len()];
    // A real that nothing defines may be between two points of the grid, like an input.
    let undefined =
        |latch| system.is_undefined(latch) && graph.sort(system.latches[latch].node) == Sort::Real;
    let initial = system.initial_state().into_iter().enumerate();
    let mut latches: Vec<bool> =
        initial.map(|(latch, value)| grid.units(&value).is_none() || undefined(latch)).collect();
    for scan in 0.. {
        for node in classes.nodes() {
            let (sort, range) = (graph.sort(node), ranges.of(node));
            let exact = exact_bits(range).is_some();
            leaves[node.index()] = match (known(node), classes.term(node)) {
                (Some(leaves), _) => leaves,
                _ if sort == Sort::Bool || range.as_point().is_some() => false,
                (_, Term::Constant(_)) => true,
                (_, Term::Input(_)) => !exact || sort == Sort::Real,
                (_, Term::Latch(latch)) => !exact || latches[latch as usize],
                (_, term) => {
                    !exact
                        || term.children().any(|child| leaves[child.index()])
                        || may_miss_the_grid(system, classes, term)
                }
            };
        }
        let mut stable = true;
        for (flag, latch) in latches.iter_mut().zip(&system.latches) {
            let leaves = scan >= MOST_SCANS || leaves[classes.first(latch.next).index()];
            stable &= *flag || !leaves;
            *flag |= leaves;
        }
        if stable {
            break;
        }
    }
    leaves
}

fn may_miss_the_grid(system: &System, classes: &Classes, term: Term) -> bool {
    let graph = &system.graph;
    let whole = |node: NodeId| match graph.as_constant(classes.first(node)) {
        Some(Value::Real(value)) => value.is_int(),
        _ => false,
    };
    match term {
        Term::Binary(Binary::Multiply, a, b) => {
            graph.sort(a) == Sort::Real && !whole(a) && !whole(b)
        }
        Term::Binary(operation, ..) => operation == Binary::Divide,
        _ => false,
    }
}
