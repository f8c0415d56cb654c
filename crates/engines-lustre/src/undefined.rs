//! Runs that need other values of what nothing defines than replays take.
//!
//! The first value of a `pre` that no `->` guards is undefined. Proofs hold for every value of it; tests are searched for and
//! replayed with 0 or false. What happens only with another value is neither covered nor refuted: a search over all
//! values names it, so that what is left open has its reason, and a property its counterexample.

use obligato_campaign::Phase;
use obligato_lustre::lowering::Lowered;
use obligato_model::{TestCase, Undecided, Value};
use obligato_prove::bmc::{BmcOutcome, BmcWitness};
use obligato_prove::{Bmc, Invariant, Run};
use obligato_transition_system::{CheckKind, Error, Evaluator, sort};

use crate::campaign::{ModelCampaign, ModelError};
use crate::engine::{Board, Engine, Setting, Slice};
use crate::event::EventId;
use crate::proofs::BookedProof;
use crate::shared_query::SharedQuery;
use crate::stepping::close_settled;

/// The deepest runs of the search.
const DEEPEST: usize = 20;
/// Its most conflicts.
const MOST_CONFLICTS: u64 = 10_000;

/// A value that nothing defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedValue {
    /// The latch that stands for it, by index.
    pub latch: usize,
    /// What it is the first value of: an instance and an expression of the model.
    pub name: String,
    /// The value, of its type.
    pub value: Value,
}

/// A run that needs other values of what nothing defines than replays take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedRun {
    /// The inputs.
    pub test: TestCase,
    /// The values that are not 0 or false.
    pub values: Vec<UndefinedValue>,
}

/// The search as an engine.
pub(crate) struct UndefinedEngine<'c> {
    setting: Setting<'c>,
    search: Option<Bmc<'c>>,
}

impl<'c> UndefinedEngine<'c> {
    /// A search that has not begun.
    pub fn new(setting: Setting<'c>) -> Self {
        Self { setting, search: None }
    }

    fn start(&self, shared: &'c SharedQuery, known: &Invariant) -> Bmc<'c> {
        let mut search = shared.query.search_undefined(known, self.setting.stop);
        for lit in &shared.query.lits {
            search.add_target(*lit);
        }
        search
    }
}

impl<'c> Engine<'c> for UndefinedEngine<'c> {
    fn phase(&self) -> Phase {
        Phase::Complete
    }

    /// Searches for what is open with all values of what nothing defines.
    fn slice(&mut self, board: Board<'c>, work: u64) -> Result<Slice, ModelError> {
        let mut slice = Slice::default();
        let shared = self.setting.shared()?;
        if shared.query.encoding.is_defined() {
            slice.has_ended = true;
            return Ok(slice);
        }
        let mut search = self.search.take().unwrap_or_else(|| self.start(shared, &board.known));
        close_settled(shared, &mut search, board.ledger.open_events());
        let before = search.conflicts();
        let end = before.saturating_add(work).min(MOST_CONFLICTS);
        let outcome = loop {
            let left = end.saturating_sub(search.conflicts());
            match search.next(DEEPEST, left) {
                BmcOutcome::Found(BmcWitness { run, targets }) => {
                    let found = undefined_run(shared, &run);
                    for (target, last) in targets {
                        let mut found = found.clone();
                        found.test.steps.truncate(last + 1);
                        slice.undefined.push((shared.events[target], found));
                    }
                }
                outcome => break outcome,
            }
        };
        slice.work = search.conflicts() - before;
        slice.has_ended = outcome == BmcOutcome::Exhausted || search.conflicts() >= MOST_CONFLICTS;
        self.search = Some(search);
        Ok(slice)
    }

    fn shared_proof(self: Box<Self>) -> Option<BookedProof> {
        None
    }
}

impl ModelCampaign<'_, '_> {
    pub(crate) fn note_undefined(&mut self, event: EventId, run: UndefinedRun) {
        // With 0 and false everywhere it is a test like any other, which the search for tests finds.
        let Some(first) = run.values.first() else { return };
        let names: Vec<&str> = run.values.iter().map(|value| value.name.as_str()).collect();
        let what = if names.len() > 3 {
            format!("'{}' and {} others", first.name, names.len() - 1)
        } else {
            format!("'{}'", names.join("', '"))
        };
        self.bench.ledger.note_limit(event, Undecided::UndefinedFirst(what));
        self.undefined.push((event, run));
    }
}

/// The inputs and undefined values of a run of the circuit. What nothing defines is read at first instants: the value that is not
/// 0 or false in some step is the one that counts.
fn undefined_run(shared: &SharedQuery, run: &Run) -> UndefinedRun {
    let (encoding, system) = (&shared.query.encoding, &shared.system);
    let mut values: Vec<UndefinedValue> = Vec::new();
    for step in &run.steps {
        for (latch, value) in encoding.undefined_of_step(system, |input| step[input]) {
            let Some(encoded) = sort::encode(&system.latches[latch].kind, &value) else { continue };
            let is_default = encoded == system.graph.sort(system.latches[latch].node).zero();
            if is_default || values.iter().any(|known| known.latch == latch) {
                continue;
            }
            let name = system.latches[latch].name.split('@').next().unwrap_or_default().to_owned();
            values.push(UndefinedValue { latch, name, value });
        }
    }
    UndefinedRun { test: shared.query.test(run), values }
}

/// Does a run violate a check in its last step, and no assertion?
pub fn violates(lowered: &Lowered, run: &UndefinedRun, check: usize) -> Result<bool, Error> {
    let system = &lowered.system;
    let mut evaluator = start(lowered, &run.values)?;
    let mut violated = false;
    for step in &run.test.steps {
        let inputs: Vec<Value> = step.iter().flatten().cloned().collect();
        evaluator.step(&inputs)?;
        let fails = |node| evaluator.value(node) == Some(&Value::Bool(false));
        let mut assertions =
            system.checks.iter().filter(|check| check.kind == CheckKind::Assertion);
        if assertions.any(|assertion| fails(assertion.node)) {
            return Ok(false);
        }
        violated = fails(system.checks[check].node);
    }
    Ok(violated)
}

/// A run of a model that starts with these values.
pub fn start<'l>(lowered: &'l Lowered, values: &[UndefinedValue]) -> Result<Evaluator<'l>, Error> {
    let system = &lowered.system;
    let mut state = system.initial_state();
    for UndefinedValue { latch, value, .. } in values {
        if let Some(value) = sort::encode(&system.latches[*latch].kind, value) {
            state[*latch] = value;
        }
    }
    Evaluator::from_state(system, state)
}
