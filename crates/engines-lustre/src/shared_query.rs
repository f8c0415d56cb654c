//! The events of a plan that have a Boolean in the shared system, as one query to solvers.
//!
//! The query depends on the plan, the model and the observed variables, not on what is covered already; so
//! a proof checker can build it again.

use obligato_lustre::lowering::Lowered;
use obligato_model::Observability;
use obligato_transition_system::{NodeId, System};

use crate::campaign::ModelError;
use crate::event::{EventId, Events};
use crate::query::Query;
use crate::targets::Targets;

/// Events and their query.
#[derive(Debug)]
pub struct SharedQuery {
    /// The events, in order.
    pub events: Vec<EventId>,
    /// The system.
    pub system: System,
    /// The Boolean of each.
    pub nodes: Vec<NodeId>,
    /// The system as a circuit, with a literal for each event.
    pub query: Query,
    /// By event: does it depend on prophecies?
    pub looks_ahead: Vec<bool>,
    /// By prophecy of the query: its latch, by index, and the semantics of observability.
    pub carriers: Vec<(usize, Observability)>,
    /// The number of prophecy inputs, which follow those of the model.
    pub later_inputs: usize,
}

impl SharedQuery {
    /// Asks for events of a model of which this is observed.
    pub fn new(
        lowered: &Lowered,
        observed: &[NodeId],
        events: &Events,
    ) -> Result<Self, ModelError> {
        let targets = Targets::new(lowered, observed, events)?;
        let all = (0..events.len()).map(EventId::new);
        let asked = all.filter_map(|event| Some((event, targets.node(event)?)));
        let (events, nodes): (Vec<EventId>, Vec<NodeId>) = asked.unzip();
        let query = Query::new(&targets.system, &nodes, &targets.prophecies, targets.model_inputs)?;
        let looks_ahead = events.iter().map(|event| targets.looks_ahead(*event)).collect();
        let later_inputs = targets.system.inputs.len() - targets.model_inputs;
        let inputs = query.prophecy_positions.iter().map(|position| &targets.prophecies[*position]);
        let carriers = inputs.map(|prophecy| (prophecy.latch, prophecy.semantics)).collect();
        let system = targets.system;
        Ok(Self { events, system, nodes, query, looks_ahead, carriers, later_inputs })
    }

    /// The position of an event in the query.
    pub fn place(&self, event: EventId) -> Option<usize> {
        self.events.binary_search(&event).ok()
    }
}
