//! Events as Booleans of transition systems, for engines to search or refute.
//!
//! [`Targets`] is the model's system grown by one Boolean per event, true in just the steps in
//! which the event happens as [measuring](obligato_lustre_replay::measure) sees it. For effects under the tag
//! semantics it depends on later steps through [prophecy inputs](ProphecyInput).
//!
//! Events that no Boolean of the model's own steps can tell have a system to themselves, a
//! [`Monitored`]: effects under the exact semantics and killed mutants, which compare two runs
//! ([`product`]). An effect under the tag semantics can have one too, in which a tag travels
//! forwards ([`tagging`]): that needs no prophecies, so any engine can prove that it never arrives.
//!
//! Start reading at [`Targets::new`], then [`network`].

use obligato_lustre::lowering::Lowered;
use obligato_model::{BitSet, ConditionId, Observability};
use obligato_transition_system::{Error, Graph, NodeId, System, SystemBuilder, Term};

use crate::event::{Event, EventId, Events};

pub(crate) mod booleans;
mod difference;
mod effect;
mod lockstep;
mod network;
mod occurrence;
mod product;
pub(crate) mod tagging;

use booleans::{any, both, valued};
pub(crate) use effect::ConditionSite;
pub use effect::{Cause, Effect};
pub use lockstep::{Lockstep, lockstep};
use network::Network;
pub use network::ProphecyInput;
use occurrence::Occurrences;
pub use product::kill;
pub use tagging::{Tagged, tagged};

/// A system with a Boolean for each event.
#[derive(Clone, Debug)]
pub struct Targets {
    /// The model's system, grown: nodes and indices of the model are the same here.
    pub system: System,
    /// The number of the model's own inputs; prophecy inputs follow.
    pub model_inputs: usize,
    /// The prophecies of these inputs. With free prophecy inputs the Boolean of an effect over-approximates its
    /// observability: if it is unsatisfiable even so, the event never happens.
    pub prophecies: Vec<ProphecyInput>,
    nodes: Vec<Option<NodeId>>,
    looking_ahead: BitSet,
}

/// A system of its own for one event.
#[derive(Clone, Debug)]
pub struct Monitored {
    /// Its inputs are the model's, and so are its assertions.
    pub system: System,
    /// A Boolean that holds in some step of a run exactly if the event happens in the run.
    pub happened: NodeId,
}

impl Targets {
    /// The events of a model of which this is observed.
    pub fn new(lowered: &Lowered, observed: &[NodeId], events: &Events) -> Result<Self, Error> {
        let mut builder = SystemBuilder::grow(lowered.system.clone());
        let mut prophecies = Vec::new();
        let networks = build_networks(lowered, observed, events, &mut builder, &mut prophecies)?;
        let mut writer = Writer { lowered, occurrences: Occurrences::new(lowered), networks };
        let nodes = events.all().iter().map(|event| writer.node(builder.graph(), event));
        let nodes = nodes.collect::<Result<Vec<_>, Error>>()?;
        let system = builder.finish()?;
        let model_inputs = lowered.system.inputs.len();
        let looking_ahead = looking_ahead(&system.graph, &nodes, model_inputs);
        Ok(Self { system, model_inputs, prophecies, nodes, looking_ahead })
    }

    /// The Boolean that holds in the steps in which an event happens; `None` if it needs a system
    /// of its own.
    pub fn node(&self, event: EventId) -> Option<NodeId> {
        self.nodes[event.index()]
    }

    /// Does the Boolean of an event depend on prophecies?
    pub fn looks_ahead(&self, event: EventId) -> bool {
        self.looking_ahead.contains(event.index())
    }
}

/// A network for each semantics of tags under which there are effects.
fn build_networks(
    lowered: &Lowered,
    observed: &[NodeId],
    events: &Events,
    builder: &mut SystemBuilder,
    prophecies: &mut Vec<ProphecyInput>,
) -> Result<Vec<(Observability, Network)>, Error> {
    let model = &lowered.system;
    let mut networks = Vec::new();
    for semantics in [Observability::Strict, Observability::Tags] {
        let effects = events.all().iter().filter_map(Effect::of);
        let mut effects = effects.filter(|effect| effect.semantics == semantics).peekable();
        if effects.peek().is_some() {
            let taps = effects.flat_map(|effect| lowered.taps(effect.condition));
            let sources: Vec<NodeId> = taps.map(|tap| model.graph.tap_node(tap)).collect();
            let network = Network::new(model, builder, &sources, observed, semantics, prophecies)?;
            networks.push((semantics, network));
        }
    }
    Ok(networks)
}

/// What the Booleans of events are made from.
struct Writer<'l> {
    lowered: &'l Lowered,
    occurrences: Occurrences<'l>,
    networks: Vec<(Observability, Network)>,
}

impl Writer<'_> {
    fn node(&mut self, graph: &mut Graph, event: &Event) -> Result<Option<NodeId>, Error> {
        let program = &self.lowered.program;
        let home = |condition: &ConditionId| program.condition(*condition);
        let happens = match event {
            Event::Executed(statement) => self.lowered.statements[statement.index()],
            Event::Outcome(decision, value) => {
                self.occurrences
                    .any(graph, *decision, |graph, at| valued(graph, at.outcome, *value))?
            }
            Event::Taken(condition, value) => {
                let (decision, ordinal) = (home(condition).decision, home(condition).ordinal);
                self.occurrences.any(graph, decision, |graph, at| {
                    valued(graph, at.conditions[ordinal], *value)
                })?
            }
            Event::Shown { condition, value, outcome } => {
                let (decision, ordinal) = (home(condition).decision, home(condition).ordinal);
                self.occurrences.any(graph, decision, |graph, at| {
                    let value = valued(graph, at.conditions[ordinal], *value)?;
                    let outcome = valued(graph, at.outcome, *outcome)?;
                    let shown = both(graph, value, at.unmasked[ordinal])?;
                    both(graph, shown, outcome)
                })?
            }
            Event::Vector(decision, vector) => {
                self.occurrences.any(graph, *decision, |graph, at| {
                    let mut all = graph.bool(true);
                    for (ordinal, condition) in at.conditions.iter().enumerate() {
                        if let Some(value) = vector.value(ordinal) {
                            let value = valued(graph, *condition, value)?;
                            all = both(graph, all, value)?;
                        }
                    }
                    Ok(all)
                })?
            }
            Event::Boundary(condition, ordinal) => {
                let cause = Cause::Boundary(*ordinal);
                let places = cause.places(graph, self.lowered, *condition)?;
                any(graph, places.into_iter().map(|place| place.holds))?
            }
            Event::Observed(semantics, ..) | Event::ObservedBoundary(semantics, ..) => {
                let mut networks = self.networks.iter();
                let network = networks.find(|(of, _)| of == semantics).map(|(_, network)| network);
                let Some((effect, network)) = Effect::of(event).zip(network) else {
                    return Ok(None);
                };
                let mut ways = Vec::new();
                for place in effect.cause.places(graph, self.lowered, effect.condition)? {
                    if let Some(seen) = network.seen(graph.tap_node(place.tap)) {
                        ways.push(both(graph, place.holds, seen)?);
                    }
                }
                any(graph, ways)?
            }
            Event::Violated(check) => {
                let holds = self.lowered.system.checks[*check].node;
                graph.not(holds)?
            }
            // Nodes have no text that is entered, left or chosen.
            Event::Killed(..) | Event::Entered(_) | Event::Left(_) | Event::Chosen(_) => {
                return Ok(None);
            }
        };
        Ok(Some(happens))
    }
}

/// The events whose Booleans depend on an input that is not the model's, within a step.
fn looking_ahead(graph: &Graph, nodes: &[Option<NodeId>], model_inputs: usize) -> BitSet {
    let mut depends = vec![false; graph.len()];
    for node in graph.nodes() {
        depends[node.index()] = match graph.term(node) {
            Term::Input(index) => index as usize >= model_inputs,
            term => term.children().any(|child| depends[child.index()]),
        };
    }
    let mut events = BitSet::empty(nodes.len());
    for (event, node) in nodes.iter().enumerate() {
        if node.is_some_and(|node| depends[node.index()]) {
            events.insert(event);
        }
    }
    events
}
