//! A tag that travels forwards: a system that tells whether an effect has been seen.
//!
//! Every node has a Boolean "carries the tag" and every latch a companion that holds the tag with its
//! value; the tag is set where the cause happens, as the papers say it. Only nodes between the
//! conditions and what is observed have one. In exchange for a system of its own there is nothing to
//! prophecy: that the tag never arrives is a property of states, which any engine can prove.
//!
//! Tags never get into each other's way, so several effects may share one tag: it arrives just if that
//! of one of them does. That none of them is ever seen is then a single proof.
//!
//! What sets the tag may be anything: [instrumenting](crate::instrument) sends the tag of whichever
//! effect is chosen.

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::measure::pass_conditions;
use obligato_model::{Observability, Type, Value};
use obligato_transition_system::{Error, Initial, NodeId, System, SystemBuilder};

use super::Monitored;
use super::booleans::{add, any, through};
use super::effect::{ConditionSite, Effect};

/// A system of effects that share a tag, and where the tag may be.
#[derive(Clone, Debug)]
pub struct Tagged {
    /// The system.
    pub monitored: Monitored,
    /// The indices of a latch of the model, and of the latch of the system that says whether the tag is there.
    pub companions: Vec<(usize, usize)>,
}

/// The system of effects that share a tag, under these semantics: strict or plain tags.
pub fn tagged(
    effects: &[Effect],
    semantics: Observability,
    lowered: &Lowered,
    observed: &[NodeId],
) -> Result<Tagged, Error> {
    let mut builder = SystemBuilder::grow(lowered.system.clone());
    let mut places = Vec::new();
    for effect in effects {
        places.extend(effect.cause.places(builder.graph(), lowered, effect.condition)?);
    }
    let tag = send_tag(&mut builder, &lowered.system, &places, observed, semantics)?;
    let system = builder.finish()?;
    let mut companions = Vec::new();
    for (index, latch) in lowered.system.latches.iter().enumerate() {
        let companion = tag.companions.iter().find(|(of, _)| *of == latch.node);
        let at = companion.map(|(_, tag)| system.latches.iter().position(|one| one.node == *tag));
        companions.extend(at.flatten().map(|at| (index, at)));
    }
    Ok(Tagged { monitored: Monitored { system, happened: tag.arrived }, companions })
}

/// A tag on its way through a model.
pub(crate) struct Tag {
    /// By node of the model: does it carry the tag? `None` is never.
    pub carries: Vec<Option<NodeId>>,
    /// A latch of the model and the one that says whether the tag is there.
    pub companions: Vec<(NodeId, NodeId)>,
    /// Does something observed carry it?
    pub arrived: NodeId,
}

/// Sends a tag from some places of a model to what is observed, in what is built on that model.
pub(crate) fn send_tag(
    builder: &mut SystemBuilder,
    model: &System,
    places: &[ConditionSite],
    observed: &[NodeId],
    semantics: Observability,
) -> Result<Tag, Error> {
    let mut carries: Vec<Option<NodeId>> = vec![None; model.graph.len()];
    let mut sources = Vec::new();
    for place in places {
        let tapped = model.graph.tap_node(place.tap);
        add(builder, &mut carries[tapped.index()], place.holds)?;
        sources.push(tapped);
    }
    let between = model.between(&sources, observed);
    let (mut tags, mut companions) = (Vec::new(), Vec::new());
    for latch in model.latches.iter().filter(|latch| between[latch.node.index()]) {
        let initial = Initial::Value(Value::Bool(false));
        let name = format!("{} tag of {}", semantics.name(), latch.name);
        let tag = builder.add_latch(name, Type::Bool, initial)?;
        carries[latch.node.index()] = Some(tag);
        tags.push((tag, latch.next));
        companions.push((latch.node, tag));
    }
    for node in model.graph.nodes().filter(|node| between[node.index()]) {
        let mut here = carries[node.index()];
        for (operand, gate) in pass_conditions(builder.graph(), node, semantics)? {
            if let Some(tag) = carries[operand.index()] {
                let way = through(builder.graph(), tag, gate)?;
                add(builder, &mut here, way)?;
            }
        }
        carries[node.index()] = here;
    }
    let never = builder.graph().bool(false);
    for (tag, next) in tags {
        builder.set_next(tag, carries[next.index()].unwrap_or(never))?;
    }
    let arrivals = observed.iter().filter_map(|node| carries[node.index()]);
    let arrived = any(builder.graph(), arrivals)?;
    Ok(Tag { carries, companions, arrived })
}
