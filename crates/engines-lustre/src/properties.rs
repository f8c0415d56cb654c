//! The model's own properties: a counterexample or a proof for each.
//!
//! The violation of a property is an event, so a campaign searches and refutes it
//! like the events of a criterion.

use obligato_campaign::{
    Budget, Conclusion, Conclusions, Event, Ledger, Phase, PhaseReport, RunningBudget, Watcher,
};
use obligato_circuit::aiger::{self, Names};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{Runner, TracedNode};
use obligato_model::{Limit, Proof, Spent, TestCase};
use obligato_solver::Stop;
use obligato_transition_system::{CheckKind, LaneProgram, lanes};

use crate::campaign::{ModelError, conduct};
use crate::event::EventId;
use crate::proofs::BookedProof;
use crate::request::{ModelUnderTest, Request};
use crate::shared_query::SharedQuery;
use crate::undefined::{self, UndefinedRun, UndefinedValue};

mod shorten;

use shorten::shorten;

/// The most conflicts spent on shorter counterexamples.
const MOST_SHORTENING: u64 = 20_000;

/// The verdict on a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyVerdict {
    /// The check, by its position in the system.
    pub check: usize,
    /// Its status.
    pub status: PropertyStatus,
}

/// The status of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyStatus {
    /// It holds in every step of every run.
    Valid(Proof),
    /// It is violated, as a replay has shown.
    Invalid(Counterexample),
    /// Undecided, because of this limit.
    Unknown(Limit),
}

/// A test whose last step violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The test.
    pub test: TestCase,
    /// Is it proved that no shorter one violates it?
    pub is_shortest: bool,
    /// The values that nothing defines and that it needs, where they are not 0 or false as in a replay.
    pub undefined: Vec<UndefinedValue>,
}

impl Counterexample {
    /// How many steps it has.
    pub fn len(&self) -> usize {
        self.test.steps.len()
    }

    /// Has it none? It has one at least.
    pub fn is_empty(&self) -> bool {
        self.test.steps.is_empty()
    }
}

/// What was found out about properties.
#[derive(Clone, Debug)]
pub struct Properties {
    /// One per check asked about, in order.
    pub verdicts: Vec<PropertyVerdict>,
    /// The proofs of the valid ones.
    pub proofs: Vec<BookedProof>,
    /// What each phase did.
    pub phases: Vec<PhaseReport>,
}

/// The properties of a model, as positions of checks.
pub fn properties(lowered: &Lowered) -> Vec<usize> {
    let checks = lowered.system.checks.iter().enumerate();
    checks.filter(|(_, check)| check.kind == CheckKind::Property).map(|(at, _)| at).collect()
}

/// Decides checks of a model: its properties, or that it is never at fault.
pub fn prove(
    lowered: &Lowered,
    checks: &[usize],
    budget: Budget,
    threads: usize,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Properties, ModelError> {
    let request = Request {
        subject: ModelUnderTest { lowered, observed: Vec::new() },
        criteria: Vec::new(),
        given: Vec::new(),
        phases: Phase::OF_MODELS.to_vec(),
        budget,
        seed: 0,
        threads,
        shard: None,
    };
    let events = checks.iter().map(|check| Event::Violated(*check));
    let ledger = Ledger::of_events(&lowered.program, events);
    let budget = RunningBudget::new(budget, stop);
    let conducted = conduct(&request, ledger, stop, watcher)?;
    let tests: Vec<TestCase> = conducted.made.into_iter().map(|made| made.test).collect();
    let mut counterexamples = counterexamples(lowered, checks, &tests)?;
    let spent: u64 = conducted.reports.iter().map(|report| report.work).sum();
    let conflicts = budget.left().saturating_sub(spent).min(MOST_SHORTENING);
    shorten(lowered, checks, &mut counterexamples, conflicts, budget.stop())?;
    let conclusions = Conclusions::of(&conducted.ledger, conducted.limit.as_ref());
    let mut verdicts = Vec::new();
    for (position, (check, counterexample)) in checks.iter().zip(counterexamples).enumerate() {
        let status = match (conclusions.get(position), counterexample) {
            (_, Some(counterexample)) => PropertyStatus::Invalid(counterexample),
            (Some(Conclusion::Refuted(proof)), None) => PropertyStatus::Valid(proof.clone()),
            (Some(Conclusion::Open(limit)), None) => {
                let found =
                    undefined_counterexample(lowered, *check, position, &conducted.undefined)?;
                found
                    .map_or_else(|| PropertyStatus::Unknown(limit.clone()), PropertyStatus::Invalid)
            }
            (None, None) => PropertyStatus::Unknown(Limit::Spent(Spent::Work(0))),
        };
        verdicts.push(PropertyVerdict { check: *check, status });
    }
    Ok(Properties { verdicts, proofs: conducted.proofs, phases: conducted.reports })
}

/// The counterexample among the runs that need other values of what nothing defines than replays take.
fn undefined_counterexample(
    lowered: &Lowered,
    check: usize,
    position: usize,
    runs: &[(EventId, UndefinedRun)],
) -> Result<Option<Counterexample>, ModelError> {
    for (_, run) in runs.iter().filter(|(event, _)| event.index() == position) {
        if undefined::violates(lowered, run, check)? {
            let (test, undefined) = (run.test.clone(), run.values.clone());
            return Ok(Some(Counterexample { test, is_shortest: false, undefined }));
        }
    }
    Ok(None)
}

/// Checks of a model as an AIGER file, in the compact form or as text: each is a bad state, with its
/// label. The file is about the circuit: what no run of it reaches no run of the model does, but
/// a run of it is one of the model only if no number leaves its word.
pub fn aiger(lowered: &Lowered, checks: &[usize], text: bool) -> Result<Vec<u8>, ModelError> {
    let events = checks.iter().map(|check| Event::Violated(*check));
    let ledger = Ledger::of_events(&lowered.program, events);
    let SharedQuery { query, system, .. } = SharedQuery::new(lowered, &[], ledger.events())?;
    let mut names = Names::of(&query.encoding, &system);
    names.bad = checks.iter().map(|at| lowered.system.checks[*at].label.clone()).collect();
    let (circuit, bad) = (&query.encoding.circuit, query.lits.as_slice());
    Ok(if text {
        aiger::ascii(circuit, bad, &names).into_bytes()
    } else {
        aiger::binary(circuit, bad, &names)
    })
}

/// For each check the shortest way into a failure that the tests have, cut after it.
fn counterexamples(
    lowered: &Lowered,
    checks: &[usize],
    tests: &[TestCase],
) -> Result<Vec<Option<Counterexample>>, ModelError> {
    let program = LaneProgram::new(&lowered.system, &lanes::LaneOptions::default())?;
    let shown: [TracedNode; 0] = [];
    let mut runner = Runner::new(&program, &shown);
    let mut found: Vec<Option<Counterexample>> = vec![None; checks.len()];
    for batch in tests.chunks(obligato_lustre_replay::LANES) {
        for (test, trace) in batch.iter().zip(runner.run(batch)?) {
            for failure in &trace.failures {
                let Some(at) = checks.iter().position(|check| *check == failure.check) else {
                    continue;
                };
                let steps = failure.step + 1;
                if found[at].as_ref().is_none_or(|known| steps < known.len()) {
                    let mut test = test.clone();
                    test.steps.truncate(steps);
                    found[at] =
                        Some(Counterexample { test, is_shortest: false, undefined: Vec::new() });
                }
            }
        }
    }
    Ok(found)
}
