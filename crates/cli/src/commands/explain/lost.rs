//! Where an effect got lost, in words that point into the source.

use std::collections::HashMap;

use obligato_lustre::ByteSpan;
use obligato_model::{ConditionId, TestCase, TestId};
use obligato_replay::Measurement;
use obligato_replay::measure::{Compiled, Lost, Masking};
use obligato_system::{Binary, NodeId, Term};

use super::SEMANTICS;
use crate::error::CliError;
use crate::measuring::fault;
use crate::model::LoadedModel;

/// So many characters of a source text are quoted.
const WIDEST: usize = 60;
/// So many operators are named that stopped an effect in the same step.
const MOST_MASKS: usize = 3;

/// Follows effects through tests.
pub struct Tracer<'a> {
    pub loaded: &'a LoadedModel,
    pub measurement: &'a Measurement<'a>,
    pub compiled: &'a Compiled<'a>,
    pub tests: &'a HashMap<TestId, TestCase>,
}

impl Tracer<'_> {
    /// Where the effect of a condition having a value got lost in a test.
    pub fn trace(
        &self,
        condition: ConditionId,
        value: bool,
        test: TestId,
    ) -> Result<Option<String>, CliError> {
        let Some(test) = self.tests.get(&test) else { return Ok(None) };
        let trail = self.measurement.trail(self.compiled, SEMANTICS, test, condition, value);
        let trail = trail.map_err(|error| fault(&error))?;
        Ok(trail.and_then(|trail| trail.lost).map(|lost| self.say(test, &lost)))
    }

    fn say(&self, test: &TestCase, lost: &Lost) -> String {
        let name = &test.name;
        match lost {
            Lost::Unconnected => format!("{name}: nothing observed depends on it"),
            Lost::Held(latches) => {
                let latches = &mut latches.iter().map(|latch| {
                    let latch = &self.loaded.lowered.system.latches[*latch];
                    self.quote(latch.node).unwrap_or_else(|| format!("`{}`", latch.name))
                });
                let latches = first_few(latches);
                format!("{name}: the test ends while it is held in {latches}")
            }
            Lost::Masked { step, at } => {
                let masks = first_few(&mut at.iter().map(|mask| self.mask(mask)));
                format!("{name}, step {step}: {masks}")
            }
        }
    }

    /// An operator, and what made it stop the effect of its operand.
    fn mask(&self, mask: &Masking) -> String {
        let place = self.quote(mask.result).unwrap_or_else(|| "an operator".to_owned());
        let Some(by) = mask.by else { return format!("both arms are equal in {place}") };
        let graph = &self.loaded.lowered.system.graph;
        let value = match graph.term(mask.result) {
            Term::Binary(Binary::Or, ..) => true,
            Term::Ite(_, then, _) => then != mask.operand,
            _ => false,
        };
        if self.is_first(by) {
            let which = if value { "first" } else { "later" };
            return format!("only the {which} value counts then in {place}");
        }
        match (self.span(by), self.span(mask.result)) {
            (Some(by), result) if Some(by) != result => {
                format!("masked by `{}` being {value} in {place}", self.text(by))
            }
            _ => format!("masked in {place}"),
        }
    }

    /// Does the node say that this is the first instant of a clock?
    fn is_first(&self, node: NodeId) -> bool {
        let system = &self.loaded.lowered.system;
        let Term::Latch(index) = system.graph.term(node) else { return false };
        let name = &system.latches[index as usize].name;
        name.rsplit_once('.').is_some_and(|(_, last)| last.split('@').next() == Some("first"))
    }

    fn span(&self, node: NodeId) -> Option<ByteSpan> {
        self.loaded.lowered.place(node).map(|origin| origin.span)
    }

    /// The text that a node was made for, with where it stands and in which call.
    fn quote(&self, node: NodeId) -> Option<String> {
        let origin = self.loaded.lowered.place(node)?;
        let position = self.loaded.file.source().position(origin.span.start);
        let (text, path) = (self.text(origin.span), &self.loaded.path);
        let instance = match self.loaded.lowered.instances.get(origin.instance.index()) {
            Some(instance) if origin.instance.index() > 0 => format!(" in {}", instance.path),
            _ => String::new(),
        };
        Some(format!("`{text}` at {path}:{position}{instance}"))
    }

    /// A source text on one line.
    fn text(&self, span: ByteSpan) -> String {
        let bytes = self.loaded.file.bytes();
        let end = (span.end as usize).min(bytes.len());
        let text = String::from_utf8_lossy(&bytes[(span.start as usize).min(end)..end]);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() <= WIDEST {
            return text;
        }
        text.chars().take(WIDEST - 1).chain(['…']).collect()
    }
}

/// The first few, each once.
fn first_few(all: &mut dyn Iterator<Item = String>) -> String {
    let mut few: Vec<String> = Vec::new();
    for one in all {
        if few.len() == MOST_MASKS {
            few.push("…".to_owned());
            break;
        }
        if !few.contains(&one) {
            few.push(one);
        }
    }
    few.join("; ")
}
