//! The criteria: what each asks of a suite, and whether a run has given it.
//!
//! One file per criterion, each with two halves. `plan` lists the goals a
//! program sets; `judge` says of one goal what the [`Evidence`] of a run makes of
//! it. [`plan`] and [`judge`] here do that for a choice of criteria. They know
//! nothing of where a recording comes from, and nothing of engines.
//!
//! Reading order: [`partial_evaluation`] and [`marking`] (what MC/DC rests on),
//! [`tracker`], [`collector`] and [`evidence`] (from events to facts), [`tally`] (the
//! same facts from counts), then the criteria.

use obligato_model::{
    Assessment, Criterion, Goal, Key, Method, Obligation, Plan, Program, Proof, Verdict,
};

pub mod branch;
pub mod bvc;
pub mod cdc;
pub mod collector;
pub mod condition;
pub mod constants;
pub mod decision;
mod describe;
pub mod entry_exit;
pub mod evidence;
pub mod grounds;
pub mod marking;
pub mod mcc;
pub mod mcdc;
pub mod mutation;
pub mod obvc;
pub mod omcdc;
pub mod partial_evaluation;
mod paths;
pub mod statement;
pub mod tally;
pub mod tracker;
pub mod truth_table;
mod unique_cause;
mod walk;

pub use collector::{Collector, Contradiction, collect};
pub use evidence::Evidence;
pub use grounds::{Grounds, Way, grounds};
pub use tally::EvidenceTally;
pub use tracker::Vectors;

use constants::Constants;
use describe::Namer;

/// Lists the obligations of `criteria` over `program`.
pub fn plan(program: &Program, criteria: &[Criterion]) -> Plan {
    let namer = Namer::new(program);
    let constants = Constants::of(program);
    let mut obligations = Vec::new();
    for &criterion in criteria {
        let goals = match criterion {
            Criterion::Statement => statement::plan(program),
            Criterion::Branch => branch::plan(program),
            Criterion::EntryExit => entry_exit::plan(program),
            Criterion::Decision => decision::plan(program),
            Criterion::Condition => condition::plan(program),
            Criterion::Cdc => cdc::plan(program),
            Criterion::Mcc => mcc::plan(program),
            Criterion::Mcdc(_) => mcdc::plan(program),
            Criterion::Bvc => bvc::plan(program),
            Criterion::Omcdc(_) => omcdc::plan(program),
            Criterion::Obvc(_) => obvc::plan(program),
            Criterion::Mutation(_) => mutation::plan(program),
        };
        obligations.extend(goals.into_iter().map(|goal| Obligation {
            key: namer.key(criterion, &goal),
            criterion,
            function: goal.element().function(program),
            span: goal.element().span(program),
            text: namer.text(&goal),
            settled: settle(program, &constants, criterion, &goal),
            goal,
        }));
    }
    Plan { obligations }
}

/// The verdict that the program's text alone gives.
fn settle(
    program: &Program,
    constants: &Constants,
    criterion: Criterion,
    goal: &Goal,
) -> Option<Verdict> {
    let proved = |method| Some(Verdict::Uncoverable(Proof { method, assumptions: Vec::new() }));
    match goal {
        Goal::EveryVector(decision) => Some(mcc::too_many(program, *decision)),
        _ if constants.rule_out(program, criterion, goal) => proved(Method::Constant),
        Goal::Boundary(condition, boundary)
            if bvc::is_out_of_range(program, *condition, *boundary) =>
        {
            proved(Method::OutOfRange)
        }
        _ => None,
    }
}

/// Why a plan cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// A test did what a proof says no test can do: one of the two is wrong.
    #[error(
        "{key} is proved uncoverable, yet test '{test}' covers it; \
         the proof or the recording is wrong"
    )]
    Refuted {
        /// The obligation.
        key: Key,
        /// A test that covers it.
        test: String,
    },
    /// A criterion that compares whole evaluations, and evidence without them.
    #[error("{0} compares whole evaluations, which were not kept; collect with Vectors::Keep")]
    NoVectors(Criterion),
}

/// Gives every obligation of the plan its verdict.
pub fn judge(program: &Program, plan: Plan, evidence: &Evidence) -> Result<Assessment, JudgeError> {
    let mut verdicts = Vec::with_capacity(plan.obligations.len());
    for run in plan.obligations.chunk_by(|a, b| a.criterion == b.criterion) {
        let criterion = run[0].criterion;
        if Vectors::needed_by(&[criterion]) == Vectors::Keep && evidence.vectors == Vectors::Drop {
            return Err(JudgeError::NoVectors(criterion));
        }
        let mut judge = judge_of(criterion, program, evidence);
        for obligation in run {
            let verdict = judge(&obligation.goal);
            verdicts.push(match (&obligation.settled, verdict) {
                (Some(Verdict::Uncoverable(_)), Verdict::Covered { tests, .. }) => {
                    let test =
                        tests.first().map_or("", |test| &evidence.tests()[test.index()].name);
                    let (key, test) = (obligation.key.clone(), test.to_owned());
                    return Err(JudgeError::Refuted { key, test });
                }
                (Some(settled), _) => settled.clone(),
                (None, verdict) => verdict,
            });
        }
    }
    let tests = evidence.tests().iter().map(|test| test.name.clone()).collect();
    Ok(Assessment { plan, tests, verdicts })
}

/// Judges one goal of a criterion after another.
type Judge<'a> = Box<dyn FnMut(&Goal) -> Verdict + 'a>;

fn judge_of<'a>(criterion: Criterion, program: &'a Program, evidence: &'a Evidence) -> Judge<'a> {
    match criterion {
        Criterion::Statement => Box::new(move |goal| statement::judge(evidence, goal)),
        Criterion::Branch => Box::new(move |goal| branch::judge(program, evidence, goal)),
        Criterion::EntryExit => Box::new(move |goal| entry_exit::judge(program, evidence, goal)),
        Criterion::Decision => Box::new(move |goal| decision::judge(evidence, goal)),
        Criterion::Condition => Box::new(move |goal| condition::judge(program, evidence, goal)),
        Criterion::Cdc => Box::new(move |goal| cdc::judge(program, evidence, goal)),
        Criterion::Mcc => Box::new(move |goal| mcc::judge(evidence, goal)),
        Criterion::Mcdc(independence) => mcdc::judge(program, evidence, independence),
        Criterion::Bvc => Box::new(move |goal| bvc::judge(program, evidence, goal)),
        Criterion::Omcdc(semantics) => {
            Box::new(move |goal| omcdc::judge(program, evidence, semantics, goal))
        }
        Criterion::Obvc(semantics) => {
            Box::new(move |goal| obvc::judge(program, evidence, semantics, goal))
        }
        Criterion::Mutation(strength) => {
            Box::new(move |goal| mutation::judge(evidence, strength, goal))
        }
    }
}
