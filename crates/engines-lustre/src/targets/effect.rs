//! Effects: a condition has a value or is at a boundary, and an observed variable shows it.

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::measure::boundary_nodes;
use obligato_model::{ConditionId, Observability};
use obligato_transition_system::{Error, Graph, NodeId, TapId};

use super::Monitored;
use super::booleans::{both, valued};
use super::{product, tagging};
use crate::event::Event;

/// What an event of observability asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The semantics of observability.
    pub semantics: Observability,
    /// The condition.
    pub condition: ConditionId,
    /// What happens there.
    pub cause: Cause,
}

/// What happens at a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It has this value.
    Value(bool),
    /// Its operands stand at this boundary of its list.
    Boundary(usize),
}

/// An occurrence of a condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConditionSite {
    pub tap: TapId,
    /// Does the cause happen here in this step?
    pub holds: NodeId,
}

impl Effect {
    /// The effect that an event asks for, if it is one of observability.
    pub fn of(event: &Event) -> Option<Self> {
        match *event {
            Event::Observed(semantics, condition, value) => {
                Some(Self { semantics, condition, cause: Cause::Value(value) })
            }
            Event::ObservedBoundary(semantics, condition, ordinal) => {
                Some(Self { semantics, condition, cause: Cause::Boundary(ordinal) })
            }
            _ => None,
        }
    }

    /// A system that tells whether something `observed` has shown the effect.
    pub fn monitor(self, lowered: &Lowered, observed: &[NodeId]) -> Result<Monitored, Error> {
        match self.semantics {
            Observability::Strict | Observability::Tags => {
                Ok(tagging::tagged(&[self], self.semantics, lowered, observed)?.monitored)
            }
            Observability::Exact => product::stuck(self, lowered, observed),
        }
    }
}

impl Cause {
    /// Where it can happen.
    pub(crate) fn places(
        self,
        graph: &mut Graph,
        lowered: &Lowered,
        condition: ConditionId,
    ) -> Result<Vec<ConditionSite>, Error> {
        let program = &lowered.program;
        let home = program.condition(condition);
        let mut places = Vec::new();
        for occurrence in &lowered.site(home.decision).occurrences {
            let Some(tap) = occurrence.taps[home.ordinal] else { continue };
            let here = match self {
                Self::Value(value) => {
                    let tapped = graph.tap_node(tap);
                    valued(graph, tapped, value)?
                }
                Self::Boundary(ordinal) => {
                    let Some((x, y)) = occurrence.operands[home.ordinal] else { continue };
                    boundary_nodes(graph, program, condition, x, y)?[ordinal]
                }
            };
            places.push(ConditionSite { tap, holds: both(graph, occurrence.active, here)? });
        }
        Ok(places)
    }
}
