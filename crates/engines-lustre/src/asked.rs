//! All events of a plan that one system can tell, as one question to solvers.
//!
//! The question depends on the plan, the model and what is observed, not on what is covered already; so
//! whoever has these three can put it again, and check what was proved of it.

use obligato_lustre::lowering::Lowered;
use obligato_model::Observability;
use obligato_transition_system::{NodeId, System};

use crate::campaign::CampaignError;
use crate::event::{EventId, Events};
use crate::question::Question;
use crate::targets::Targets;

/// Events and their question.
#[derive(Debug)]
pub struct Asked {
    /// The events, in order.
    pub events: Vec<EventId>,
    /// The system that tells them.
    pub system: System,
    /// The Boolean of each.
    pub nodes: Vec<NodeId>,
    /// What is asked of each.
    pub question: Question,
    /// Of each: does it depend on what is seen in later steps?
    pub looks_ahead: Vec<bool>,
    /// Of each prophecy of the question: the latch that it is about, by its index, and what counts as being seen.
    pub carriers: Vec<(usize, Observability)>,
    /// How many inputs there are behind those of the model, to say what is seen later.
    pub later_inputs: usize,
}

impl Asked {
    /// Asks for events of a model of which this is observed.
    pub fn new(
        lowered: &Lowered,
        observed: &[NodeId],
        events: &Events,
    ) -> Result<Self, CampaignError> {
        let targets = Targets::new(lowered, observed, events)?;
        let all = (0..events.len()).map(EventId::new);
        let asked = all.filter_map(|event| Some((event, targets.node(event)?)));
        let (events, nodes): (Vec<EventId>, Vec<NodeId>) = asked.unzip();
        let question =
            Question::new(&targets.system, &nodes, &targets.prophecies, targets.model_inputs)?;
        let looks_ahead = events.iter().map(|event| targets.looks_ahead(*event)).collect();
        let later_inputs = targets.system.inputs.len() - targets.model_inputs;
        let inputs =
            question.prophecy_positions.iter().map(|position| &targets.prophecies[*position]);
        let carriers = inputs.map(|prophecy| (prophecy.latch, prophecy.semantics)).collect();
        let system = targets.system;
        Ok(Self { events, system, nodes, question, looks_ahead, carriers, later_inputs })
    }

    /// The place of an event in the question.
    pub fn place(&self, event: EventId) -> Option<usize> {
        self.events.binary_search(&event).ok()
    }
}
