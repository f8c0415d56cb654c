//! One tag for all effects: which of them it belongs to is chosen by an input.
//!
//! [Instrumenting](super) says why.

use obligato_lustre::lowering::Lowered;
use obligato_model::{Integer, Observability, Type, Value};
use obligato_transition_system::{Error, Initial, NodeId, Sort, SystemBuilder, Term};
use rustc_hash::FxHashMap;

use crate::targets::booleans::both;
use crate::targets::tagging::send_tag;
use crate::targets::{ConditionSite, Effect};

/// What is known of the chosen effect.
pub(super) struct Capture {
    /// By effect: is it chosen, and has something observed shown it in this step?
    pub events: Vec<NodeId>,
    /// The input that chooses, if there is something to choose from.
    pub input: Option<String>,
}

impl Capture {
    /// Adds tags for effects under the semantics of tags, strict or not, to what is built on a model.
    /// What carries a tag gets a label that says so.
    pub fn new(
        builder: &mut SystemBuilder,
        lowered: &Lowered,
        observed: &[NodeId],
        effects: &[Effect],
        labels: &mut Vec<(NodeId, String)>,
    ) -> Result<Self, Error> {
        if effects.is_empty() {
            return Ok(Self { events: Vec::new(), input: None });
        }
        let input = free_name(lowered);
        let choice = choose(builder, &input, effects.len())?;
        labels.push((choice, "chosen".to_owned()));
        let mut is_chosen = Vec::new();
        for number in 1..=effects.len() {
            let constant = builder.graph().constant(Sort::Int, Value::int(number))?;
            let chosen = builder.graph().equal(choice, constant)?;
            labels.push((chosen, format!("chosen_{number}")));
            is_chosen.push(chosen);
        }
        let mut events = is_chosen.clone();
        for semantics in [Observability::Strict, Observability::Tags] {
            let of_semantics = |at: &usize| effects[*at].semantics == semantics;
            let followed: Vec<usize> = (0..effects.len()).filter(of_semantics).collect();
            if followed.is_empty() {
                continue;
            }
            let mut places = Vec::new();
            for &at in &followed {
                let Effect { cause, condition, .. } = effects[at];
                for place in cause.places(builder.graph(), lowered, condition)? {
                    let holds = both(builder.graph(), is_chosen[at], place.holds)?;
                    places.push(ConditionSite { holds, ..place });
                }
            }
            let tag = send_tag(builder, &lowered.system, &places, observed, semantics)?;
            for at in followed {
                events[at] = both(builder.graph(), is_chosen[at], tag.arrived)?;
            }
            let tagged = labels.iter().filter_map(|(node, label)| {
                let carries = tag.carries.get(node.index()).copied().flatten();
                carries.map(|carries| (carries, format!("{label}_TAG")))
            });
            let mut tagged: Vec<(NodeId, String)> = tagged.collect();
            for (latch, label) in labels_of_latches(lowered, labels) {
                let carries = tag.carries[latch.index()];
                tagged.extend(carries.map(|carries| (carries, format!("{label}_TAG"))));
            }
            labels.push((tag.arrived, "OBSERVED".to_owned()));
            labels.extend(tagged);
        }
        Ok(Self { events, input: Some(input) })
    }
}

/// The latches that hold something with a label, each with what it is called after that.
fn labels_of_latches(lowered: &Lowered, labels: &[(NodeId, String)]) -> Vec<(NodeId, String)> {
    let graph = &lowered.system.graph;
    let mut names: FxHashMap<NodeId, &str> = FxHashMap::default();
    for (node, label) in labels {
        names.entry(*node).or_insert(label);
    }
    let latches = lowered.system.latches.iter().filter_map(|latch| {
        let mut held = latch.next;
        while let (Term::Tap(_, of), false) = (graph.term(held), names.contains_key(&held)) {
            held = of;
        }
        names.get(&held).map(|label| (latch.node, format!("pre_{label}")))
    });
    latches.collect()
}

/// A number from 1 to `count`, which stays what an input is in the first step.
fn choose(builder: &mut SystemBuilder, input: &str, count: usize) -> Result<NodeId, Error> {
    let range = Type::Subrange(Integer::ONE, Integer::from(count));
    let input = builder.add_input(input, range)?;
    let first = builder.add_latch("first step", Type::Bool, Initial::Value(Value::Bool(true)))?;
    let never = builder.graph().bool(false);
    builder.set_next(first, never)?;
    let held = builder.add_latch("chosen effect", Type::Int, Initial::Value(Value::int(0)))?;
    let choice = builder.graph().ite(first, input, held)?;
    builder.set_next(held, choice)?;
    Ok(choice)
}

/// A name that no input or output of the model has.
fn free_name(lowered: &Lowered) -> String {
    let inputs = lowered.system.inputs.iter().map(|input| &input.name);
    let outputs = lowered.system.outputs.iter().map(|output| &output.name);
    let taken: Vec<&String> = inputs.chain(outputs).collect();
    let mut name = "obligation".to_owned();
    while taken.contains(&&name) {
        name.push('_');
    }
    name
}
