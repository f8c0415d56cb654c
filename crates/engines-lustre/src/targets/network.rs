//! Observability as one network of Booleans, shared by the effects of all conditions.
//!
//! Whether a tag passes an operator depends on values alone, so `seen(n)`, what happens at a node
//! reaches something observed, now or later, is the same for all tags:
//!
//! ```text
//! seen(n) = n is observed
//!        or, for some operator p with operand n: p lets n pass and seen(p)
//!        or, for some latch l that will hold n: later(l)
//! ```
//!
//! (`x_observed`, `x_AFFECT_y` and `l_observable` of You et al.). `later(l)` is a new input, since a
//! step cannot know what follows; in a run it is `seen(l)` of the next step, and false in the last
//! ([`ProphecyInput`]). [Measuring](obligato_lustre_replay::measure) computes the same from the last step of a test to its
//! first.

use obligato_lustre_replay::measure::pass_conditions;
use obligato_model::{Observability, Type};
use obligato_transition_system::{Error, NodeId, System, SystemBuilder};

use super::booleans::{add, through};

/// A prophecy variable of a system: the input predicts the Boolean of the next step, and is false in the last step
/// of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProphecyInput {
    /// The index of the input: the next value of the latch is observed later.
    pub input: usize,
    /// The latch, by its index.
    pub latch: usize,
    /// The semantics of observability.
    pub semantics: Observability,
    /// The value of the latch in this step is observed, in this step or later.
    pub seen: NodeId,
}

/// The Booleans of one semantics.
#[derive(Clone, Debug)]
pub struct Network {
    /// By node of the model; `None` is never.
    seen: Vec<Option<NodeId>>,
}

impl Network {
    /// The network from some nodes of a model to what is observed, added to what is built.
    pub fn new(
        model: &System,
        builder: &mut SystemBuilder,
        sources: &[NodeId],
        observed: &[NodeId],
        semantics: Observability,
        prophecies: &mut Vec<ProphecyInput>,
    ) -> Result<Self, Error> {
        let between = model.between(sources, observed);
        let mut seen: Vec<Option<NodeId>> = vec![None; model.graph.len()];
        for node in observed.iter().filter(|node| between[node.index()]) {
            seen[node.index()] = Some(builder.graph().bool(true));
        }
        let mut later = Vec::new();
        let latches = model.latches.iter().enumerate();
        for (index, latch) in latches.filter(|(_, latch)| between[latch.node.index()]) {
            let input = builder.graph().inputs().len();
            let name = format!("{} is seen later ({})", latch.name, semantics.name());
            let node = builder.add_input(name, Type::Bool)?;
            add(builder, &mut seen[latch.next.index()], node)?;
            later.push((input, index));
        }
        for node in model.graph.nodes().rev() {
            let Some(here) = seen[node.index()] else { continue };
            for (operand, gate) in pass_conditions(builder.graph(), node, semantics)? {
                if between[operand.index()] {
                    let way = through(builder.graph(), here, gate)?;
                    add(builder, &mut seen[operand.index()], way)?;
                }
            }
        }
        let never = builder.graph().bool(false);
        let prophecy = |(input, latch): (usize, usize)| ProphecyInput {
            input,
            latch,
            semantics,
            seen: seen[model.latches[latch].node.index()].unwrap_or(never),
        };
        prophecies.extend(later.into_iter().map(prophecy));
        Ok(Self { seen })
    }

    /// Is what happens at a node of the model seen? `None` is never.
    pub fn seen(&self, node: NodeId) -> Option<NodeId> {
        self.seen[node.index()]
    }
}
