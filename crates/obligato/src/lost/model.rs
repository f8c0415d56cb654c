//! Where effects got lost in Lustre models.
//!
//! [`Tracer`] follows one effect through one test; [`losses`] does it for what a result leaves open.

use std::collections::HashMap;

use obligato_criteria::{Evidence, Vectors};
use obligato_lustre_replay::measure::{Compiled, Lost, Masking};
use obligato_lustre_replay::{Measurement, Watch};
use obligato_lustre_syntax::ByteSpan;
use obligato_model::{Assessment, ConditionId, Observability, TestCase, TestId};
use obligato_store::StoreError;
use obligato_transition_system::{Binary, NodeId, Term};

use super::{Followed, MOST_FOLLOWED, WIDEST, held, stops, to_follow, unconnected};
use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::measuring::ModelSuite;
use crate::model::LoadedModel;
use crate::text::abridged;

/// Follows effects through tests.
pub struct Tracer<'a> {
    /// The model.
    pub loaded: &'a LoadedModel,
    /// What is measured of it.
    pub measurement: &'a Measurement<'a>,
    /// The program of that measurement.
    pub compiled: &'a Compiled<'a>,
    /// Under which effects are followed; one of those that tag.
    pub semantics: Observability,
    /// The tests.
    pub tests: &'a HashMap<TestId, TestCase>,
}

impl Tracer<'_> {
    /// Where the effect of a condition having a value got lost in a test: each operator that
    /// stopped it, with the first step in which it did, and what held it when the test ended.
    pub fn trace(
        &self,
        condition: ConditionId,
        value: bool,
        test: TestId,
    ) -> Result<Vec<String>, Error> {
        let Some(test) = self.tests.get(&test) else { return Ok(Vec::new()) };
        let trail = self.measurement.trail(self.compiled, self.semantics, test, condition, value);
        let trail = trail?.unwrap_or_default();
        let name = &test.name;
        let places = trail
            .stops
            .iter()
            .flat_map(|(step, masks)| masks.iter().map(|mask| (*step, self.mask(mask))));
        let mut lines = stops(name, places);
        match &trail.lost {
            Some(Lost::Unconnected) => {
                lines.push(unconnected(name));
            }
            Some(Lost::Held(latches)) => {
                lines.push(held(name, latches.iter().map(|latch| self.latch(*latch))));
            }
            Some(Lost::Masked { .. }) | None => {}
        }
        Ok(lines)
    }

    fn latch(&self, index: usize) -> String {
        let latch = &self.loaded.lowered.system.latches[index];
        self.quote(latch.node).unwrap_or_else(|| format!("`{}`", latch.name))
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
        abridged(&text, WIDEST)
    }
}

/// Reads some tests of a suite once more.
pub fn pick(
    suite: &ModelSuite,
    mut wanted: Vec<TestId>,
) -> Result<HashMap<TestId, TestCase>, StoreError> {
    wanted.sort_unstable();
    wanted.dedup();
    let mut tests = HashMap::new();
    let mut wanted = wanted.into_iter().peekable();
    for (index, test) in suite.tests()?.enumerate() {
        let Some(next) = wanted.peek() else { break };
        if next.index() == index {
            tests.insert(*next, test?);
            wanted.next();
        }
    }
    Ok(tests)
}

/// By obligation, where its effect got lost in the first test that could have shown it: for those whose condition decides
/// but is never observed. The exact semantics compares whole runs and knows no place.
pub fn losses(
    loaded: &LoadedModel,
    suite: &ModelSuite,
    observed: &[NodeId],
    assessment: &Assessment,
    evidence: &Evidence,
    stop: &Stop,
) -> Result<HashMap<usize, Vec<String>>, Error> {
    let open = to_follow(&loaded.lowered.program, assessment, evidence);
    let tagged = open.filter(|one| one.semantics != Observability::Exact);
    let followed: Vec<Followed> = tagged.take(MOST_FOLLOWED).collect();
    let mut found = HashMap::new();
    if followed.is_empty() {
        return Ok(found);
    }
    let mut effects: Vec<Observability> = followed.iter().map(|one| one.semantics).collect();
    effects.sort_unstable();
    effects.dedup();
    let watch =
        Watch { effects, observed: observed.to_vec(), boundaries: false, vectors: Vectors::Drop };
    let measurement = Measurement::new(&loaded.lowered, watch)?;
    let compiled = measurement.compile()?;
    let tests = pick(suite, followed.iter().map(|one| one.test).collect())?;
    for Followed { obligation, semantics, condition, value, test } in followed {
        unless_stopped(stop)?;
        let tracer = Tracer {
            loaded,
            measurement: &measurement,
            compiled: &compiled,
            semantics,
            tests: &tests,
        };
        found.insert(obligation, tracer.trace(condition, value, test)?);
    }
    Ok(found)
}
