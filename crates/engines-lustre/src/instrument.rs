//! Obligations as trap properties, for other model checkers.
//!
//! [`instrument`] writes a model as one flat node in which every obligation is a property that says
//! "this is never covered" (Whalen et al., Observable MC/DC, section IV). So a property is
//! valid exactly if its obligation is uncoverable, and a counterexample is a test that covers it:
//! the inputs of the node are the model's, and the assertions of the model constrain it.
//!
//! Which Booleans the properties speak of is what [`targets`](crate::targets) makes of events; the
//! text is written by [`flat`](obligato_lustre::flat). What is left to do here is naming
//! ([`properties`]) and observability ([`capture`]).
//!
//! # How effects are followed
//!
//! The paper gives every obligation a `CAPTURE`, latched in `CAPTURED`, and lets a token wander from
//! delay to delay without determinism. Both multiply: there is a variable `x_DEL_USED_BY_y` for
//! every pair of variable and delay, and a latch for every obligation. Here one tag is
//! sent for all of them. A new input chooses, by its value in the first step, the obligation that
//! is followed; wherever and whenever that is captured, its tag is set, and from there the tag
//! takes all open ways at once, held by one latch beside each latch of the model. A gate on the way
//! is the paper's `x_IMM_USED_BY_y`, a tagged latch its token; there is nothing to guess but the choice,
//! so the file grows by a part that is linear in the model. The property of an obligation
//! says that never both it is chosen and the tag is at something observed.
//!
//! That is equal in verdict: whether a tag passes an operator depends on values only, so the tag of
//! the chosen obligation arrives in a run exactly if one of its captures in that run has an open way to
//! something observed, which is what [measuring](obligato_lustre_replay::measure) asks. All choices are
//! runs of the checker.

use obligato_criteria::plan;
use obligato_lustre::flat::{Dialect, FlatNode, Trap, UnsupportedByDialect, print_flat};
use obligato_lustre::lowering::{Lowered, Scalars};
use obligato_model::{Criterion, Independence, Key, Observability};
use obligato_transition_system::{Error, NodeId, SystemBuilder};

use crate::event::Events;
use crate::targets::booleans::any;
use crate::targets::{Effect, Targets};

mod capture;
mod properties;

use capture::Capture;
pub use properties::Property;

/// What to write.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// The model.
    pub lowered: &'r Lowered,
    /// What its main node is called.
    pub main: &'r str,
    /// The criteria whose obligations become properties.
    pub criteria: &'r [Criterion],
    /// What is observed of the model, with what it is called.
    pub observed: &'r [(String, NodeId)],
    /// For whom.
    pub dialect: Dialect,
}

/// A model with properties.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The file.
    pub text: String,
    /// Its properties, in the order of the obligations.
    pub properties: Vec<Property>,
    /// Obligations that no property stands for, and why.
    pub left_out: Vec<(Key, String)>,
}

/// Why a model is not written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstrumentError {
    /// No property of one run says that the criterion is never met.
    #[error("{0} has no trap properties: {1}")]
    Criterion(Criterion, &'static str),
    /// The dialect lacks something.
    #[error("{} has no words for {}", .0.dialect.name(), .0.what)]
    UnsupportedByDialect(UnsupportedByDialect),
    /// A fault of ours.
    #[error(transparent)]
    System(#[from] Error),
}

/// Why there are no properties for a criterion, if there are none.
pub fn refusal(criterion: Criterion) -> Option<&'static str> {
    match criterion {
        _ if criterion.observability() == Some(Observability::Exact) => {
            Some("it compares runs of two models, the second with a condition stuck")
        }
        Criterion::Mutation(_) => Some("it compares runs of two models, the second a mutant"),
        Criterion::Mcdc(Independence::UniqueCause) => {
            Some("it compares pairs of whole evaluations")
        }
        _ => None,
    }
}

/// Writes a model with its obligations as properties.
pub fn instrument(request: &Request<'_>) -> Result<Instrumented, InstrumentError> {
    let Request { lowered, main, criteria, observed, dialect } = *request;
    for criterion in criteria {
        if let Some(why) = refusal(*criterion) {
            return Err(InstrumentError::Criterion(*criterion, why));
        }
    }
    let program = &lowered.program;
    let (mut properties, left_out) = properties::list(program, &plan(program, criteria));

    let (plain, effects) = events_of(&properties);
    let nodes: Vec<NodeId> = observed.iter().map(|(_, node)| *node).collect();
    let targets = Targets::new(lowered, &nodes, &plain)?;
    let mut labels: Vec<(NodeId, String)> =
        Scalars::new(lowered).all().map(|(name, scalar)| (scalar.node, name)).collect();
    let mut builder = SystemBuilder::grow(targets.system.clone());
    let capture = Capture::new(&mut builder, lowered, &nodes, &effects, &mut labels)?;

    let mut captured = capture.events.iter();
    let mut traps = Vec::new();
    for property in &properties {
        let ways = property.events.iter().map(|event| match Effect::of(event) {
            Some(_) => captured.next().copied(),
            None => plain.id(event).and_then(|event| targets.node(event)),
        });
        let ways: Option<Vec<NodeId>> = ways.collect();
        let ways = ways.expect("invariant: an event is a Boolean of the model or an effect");
        traps.push(Trap {
            name: property.name.clone(),
            title: property.title.clone(),
            remarks: property.remarks.clone(),
            event: any(builder.graph(), ways)?,
        });
    }
    let system = builder.finish()?;
    let preamble = preamble(request, capture.input.as_deref(), &left_out);
    let node = FlatNode { system: &system, name: main, preamble, labels, traps };
    let flat = print_flat(&node, dialect).map_err(InstrumentError::UnsupportedByDialect)?;
    for (property, name) in properties.iter_mut().zip(flat.properties) {
        property.name = name;
    }
    Ok(Instrumented { text: flat.text, properties, left_out })
}

/// What properties speak of: events of single steps, each once, and effects, in order.
fn events_of(properties: &[Property]) -> (Events, Vec<Effect>) {
    let (mut plain, mut effects) = (Events::default(), Vec::new());
    for event in properties.iter().flat_map(|property| &property.events) {
        if let Some(effect) = Effect::of(event) {
            effects.push(effect);
        } else {
            plain.intern(event.clone());
        }
    }
    (plain, effects)
}

/// What a reader of the file should know.
fn preamble(
    request: &Request<'_>,
    choice: Option<&str>,
    left_out: &[(Key, String)],
) -> Vec<String> {
    let program = &request.lowered.program;
    let file = program.functions().first().map_or("", |main| program.file(main.file));
    let titles: Vec<String> = request.criteria.iter().map(|one| one.title()).collect();
    let mut lines = vec![
        format!("{file}, node {}, with obligations as properties.", request.main),
        format!("Criteria: {}. For {}.", titles.join(", "), request.dialect.name()),
        String::new(),
        "A valid property is a proof that no test covers its obligation. A counterexample is a"
            .into(),
        "test that covers it. The assertions of the model are here, its properties are not.".into(),
    ];
    if let Some(input) = choice {
        let names: Vec<&str> = request.observed.iter().map(|(name, _)| name.as_str()).collect();
        lines.push(format!("Observed: {}.", names.join(", ")));
        lines.push(format!(
            "The input {input} is no input of the model: what it is in the first step chooses the"
        ));
        lines.push("effect that is followed, and a test leaves it out.".into());
    }
    if !left_out.is_empty() {
        lines.push("No property stands for:".into());
        lines.extend(left_out.iter().map(|(key, why)| format!("  {key}: {why}")));
    }
    lines
}
