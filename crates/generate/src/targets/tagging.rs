//! A tag that travels forwards: a system that tells whether an effect has been seen.
//!
//! Every node has a Boolean "carries the tag" and every latch a companion that holds the tag with its
//! value; the tag is set where the cause happens, as the papers say it. Only nodes between the
//! conditions and what is observed have one. In exchange for a system of its own there is nothing to
//! tie: that the tag never arrives is a property of states, which any engine can prove.
//!
//! Tags never get into each other's way, so several effects may share one tag: it arrives just if that
//! of one of them does. That none of them is ever seen is then a single proof.

use obligato_lustre::lowering::Lowered;
use obligato_model::{Observability, Type, Value};
use obligato_replay::measure::gates;
use obligato_system::{Error, Initial, NodeId, SystemBuilder};

use super::Monitored;
use super::booleans::{any, either, through};
use super::effect::Effect;

/// The system of effects that share a tag, under these semantics: strict or plain tags.
pub fn tagged(
    effects: &[Effect],
    semantics: Observability,
    lowered: &Lowered,
    observed: &[NodeId],
) -> Result<Monitored, Error> {
    let model = &lowered.system;
    let mut builder = SystemBuilder::grow(model.clone());
    let mut carries: Vec<Option<NodeId>> = vec![None; model.graph.len()];
    let mut sources = Vec::new();
    for effect in effects {
        for place in effect.cause.places(builder.graph(), lowered, effect.condition)? {
            let tapped = model.graph.tap_node(place.tap);
            let here = &mut carries[tapped.index()];
            *here = Some(match *here {
                Some(others) => either(builder.graph(), others, place.holds)?,
                None => place.holds,
            });
            sources.push(tapped);
        }
    }
    let between = model.between(&sources, observed);
    let mut tags = Vec::new();
    for latch in model.latches.iter().filter(|latch| between[latch.node.index()]) {
        let initial = Initial::Value(Value::Bool(false));
        let tag = builder.add_latch(format!("tag of {}", latch.name), Type::Bool, initial)?;
        carries[latch.node.index()] = Some(tag);
        tags.push((tag, latch.next));
    }
    for node in model.graph.nodes().filter(|node| between[node.index()]) {
        let mut here = carries[node.index()];
        for (operand, gate) in gates(builder.graph(), node, semantics)? {
            let Some(tag) = carries[operand.index()] else { continue };
            let way = through(builder.graph(), tag, gate)?;
            here = Some(match here {
                Some(others) => either(builder.graph(), others, way)?,
                None => way,
            });
        }
        carries[node.index()] = here;
    }
    let never = builder.graph().bool(false);
    for (tag, next) in tags {
        builder.set_next(tag, carries[next.index()].unwrap_or(never))?;
    }
    let arrivals = observed.iter().filter_map(|node| carries[node.index()]);
    let happened = any(builder.graph(), arrivals)?;
    Ok(Monitored { system: builder.finish()?, happened })
}
