//! The one place where verdicts are made of what tests have shown, engines have concluded and the code leaves out.
//!
//! The criteria judge the evidence; [`assess`] adds what follows for obligations that no test covers. [`apply_reason`] and
//! [`merge_parts`] make verdicts of verdicts. No other crate makes one, apart from the criteria and from stores, which read what
//! was made here; `crates/tidy/src/verdicts.rs` checks that.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use obligato_criteria::{Evidence, JudgeError};
use obligato_model::{
    Assessment, Assumption, Bound, DecisionId, Element, Justification, Key, Limit, Method,
    Obligation, Plan, Program, Proof, Shard, Undecided, Verdict,
};

use crate::ledger::{Ledger, Standing};

mod gaps;
mod parts;
#[cfg(test)]
mod tests;

pub use gaps::{Gap, GapReason, Gaps, StoppedRun};
pub use parts::{PartsContradict, merge_parts};

/// What engines have concluded of an obligation that no test covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// No test can cover it.
    Refuted(Proof),
    /// Neither a test nor a proof was found.
    Open(Limit),
}

/// What engines have concluded, by obligation of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conclusions {
    by_obligation: Vec<Option<Conclusion>>,
}

impl Conclusions {
    /// What a ledger knows of its plan; the limit stands in the way of what nothing else does.
    pub fn of(ledger: &Ledger<'_>, limit: Option<&Limit>) -> Self {
        let conclude = |index: usize| match ledger.standing(index) {
            Standing::Refuted(proof) => Some(Conclusion::Refuted(proof.clone())),
            Standing::NotWithinBounds(bounds) => {
                Some(Conclusion::Open(Limit::NotWithinBounds(bounds)))
            }
            Standing::Unsupported(why) => Some(Conclusion::Open(Limit::Unsupported(why.clone()))),
            Standing::Settled | Standing::Covered | Standing::Open => {
                let obstacle = ledger.obstacle(index).cloned();
                obstacle.or_else(|| limit.cloned()).map(Conclusion::Open)
            }
        };
        Self { by_obligation: (0..ledger.len()).map(conclude).collect() }
    }

    /// The conclusions on the obligations of a plan, each asked for by itself.
    pub fn on(plan: &Plan, conclude: impl FnMut(&Obligation) -> Option<Conclusion>) -> Self {
        Self { by_obligation: plan.obligations.iter().map(conclude).collect() }
    }

    /// What an earlier assessment says of what no test covers, to be held against another suite.
    pub fn claimed_by(assessment: &Assessment) -> Self {
        let claimed = |verdict: &Verdict| match verdict {
            Verdict::Covered { .. } | Verdict::Justified(_) => None,
            Verdict::Uncoverable(proof) => Some(Conclusion::Refuted(proof.clone())),
            Verdict::Unresolved(limit) => Some(Conclusion::Open(limit.clone())),
        };
        Self { by_obligation: assessment.verdicts.iter().map(claimed).collect() }
    }

    /// Withdraws what runs outside of this tool contradict: a refutation of what they have done, and with it every other
    /// refutation about the same decision; if it was a proof, every other refutation, since they rest on the same formula. Gives
    /// the keys of what they have done.
    pub fn withdraw(&mut self, program: &Program, done: &Assessment) -> Vec<Key> {
        let decision_of = |obligation: &Obligation| match obligation.goal.element() {
            Element::Decision(decision) => Some(decision),
            Element::Condition(condition) => Some(program.condition(condition).decision),
            _ => None,
        };
        let is_refutation = |conclusion: &Option<Conclusion>| {
            matches!(
                conclusion,
                Some(Conclusion::Refuted(_) | Conclusion::Open(Limit::NotWithinBounds(_)))
            )
        };
        let obligations = &done.plan.obligations;
        let judged = obligations.iter().zip(&done.verdicts).zip(&self.by_obligation);
        let contradicted: Vec<&Obligation> = judged
            .filter(|((_, verdict), concluded)| {
                matches!(verdict, Verdict::Covered { .. })
                    && is_refutation(concluded)
                    && !is_about_one_machine(concluded.as_ref())
            })
            .map(|((obligation, _), _)| obligation)
            .collect();
        let decisions: HashSet<DecisionId> =
            contradicted.iter().filter_map(|one| decision_of(one)).collect();
        // Where a proof is wrong, none of the same search can be relied on; a bound that does not hold concerns its decision.
        let judged = done.verdicts.iter().zip(&self.by_obligation);
        let is_wrong = |(verdict, concluded): (&Verdict, &Option<Conclusion>)| {
            matches!((verdict, concluded), (Verdict::Covered { .. }, Some(Conclusion::Refuted(_))))
        };
        let any_wrong = judged.into_iter().any(is_wrong);
        for (obligation, concluded) in obligations.iter().zip(&mut self.by_obligation) {
            let about = decision_of(obligation);
            let is_touched = any_wrong || about.is_some_and(|about| decisions.contains(&about));
            if is_refutation(concluded) && is_touched {
                *concluded = Some(Conclusion::Open(Undecided::Contradicted.into()));
            }
        }
        contradicted.into_iter().map(|obligation| obligation.key.clone()).collect()
    }

    /// Keeps what an earlier search has refuted and this one has not.
    pub fn keep_refutations(&mut self, earlier: &Self) {
        for (own, before) in self.by_obligation.iter_mut().zip(&earlier.by_obligation) {
            if let (Some(Conclusion::Refuted(_)), false) =
                (before, matches!(own, Some(Conclusion::Refuted(_))))
            {
                own.clone_from(before);
            }
        }
    }

    /// The bounds that refutations name, each once.
    pub fn bounds(&self) -> BTreeSet<&Bound> {
        let bounds = self.by_obligation.iter().flatten().filter_map(|one| match one {
            Conclusion::Open(Limit::NotWithinBounds(bounds)) => Some(bounds),
            _ => None,
        });
        bounds.flatten().collect()
    }

    /// The conclusion on the obligation at a position of the plan.
    pub fn get(&self, index: usize) -> Option<&Conclusion> {
        self.by_obligation.get(index)?.as_ref()
    }

    /// The conclusions by the keys of their obligations.
    pub fn by_key<'c>(&'c self, plan: &'c Plan) -> BTreeMap<&'c str, &'c Conclusion> {
        let named = plan.obligations.iter().zip(&self.by_obligation);
        named.filter_map(|(one, found)| Some((one.key.as_str(), found.as_ref()?))).collect()
    }
}

/// What is known besides what tests have shown.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// What engines have concluded.
    pub conclusions: Conclusions,
    /// What the code leaves out.
    pub gaps: Gaps,
    /// The shard that was worked on, if it was not everything.
    pub shard: Option<Shard>,
}

/// Gives every obligation its verdict. A proof that a test contradicts is an error: one of our engines is wrong then. Where
/// nothing is known but what tests have shown, the knowledge is [`Knowledge::default`].
pub fn assess(
    program: &Program,
    plan: Plan,
    evidence: &Evidence,
    knowledge: &Knowledge,
) -> Result<Assessment, JudgeError> {
    let mut assessment = obligato_criteria::judge(program, plan, evidence)?;
    let obligations = assessment.plan.obligations.iter();
    for (index, (obligation, verdict)) in obligations.zip(&mut assessment.verdicts).enumerate() {
        let conclusion = knowledge.conclusions.get(index);
        if let (Verdict::Covered { tests, .. }, Some(Conclusion::Refuted(_))) =
            (&*verdict, conclusion)
        {
            let test = tests.first().map_or("", |test| &evidence.tests()[test.index()].name);
            let (key, test) = (obligation.key.clone(), test.to_owned());
            return Err(JudgeError::Refuted { key, test });
        }
        let Verdict::Unresolved(limit) = &*verdict else { continue };
        *verdict = resolve(program, obligation, limit.clone(), conclusion, knowledge);
    }
    Ok(assessment)
}

/// The verdict on an obligation that the tests leave open for this reason.
fn resolve(
    program: &Program,
    obligation: &Obligation,
    mut limit: Limit,
    conclusion: Option<&Conclusion>,
    knowledge: &Knowledge,
) -> Verdict {
    match knowledge.gaps.around(program, obligation) {
        Some(GapReason::NoCode) => {
            let (method, assumptions) = (Method::Constant, vec![Assumption::NoCode]);
            return Verdict::Uncoverable(Proof { method, assumptions });
        }
        Some(GapReason::Unsupported(what)) => limit = Limit::Unsupported(what.clone()),
        None => {}
    }
    match conclusion {
        Some(Conclusion::Refuted(proof)) => return Verdict::Uncoverable(proof.clone()),
        // What tests cannot be judged by has a better reason than a spent budget.
        Some(Conclusion::Open(why)) if matches!(limit, Limit::Suite(_)) => limit = why.clone(),
        Some(Conclusion::Open(_)) | None => {}
    }
    match knowledge.shard {
        Some(shard) if !shard.holds(&obligation.key) => left_to_another_shard(),
        _ => Verdict::Unresolved(limit),
    }
}

/// The verdict where a person's reason for leaving an obligation counts, or no reason counts any more. What a test or a proof
/// has closed needs none.
pub fn apply_reason(verdict: &Verdict, reason: Option<Justification>) -> Verdict {
    match (verdict, reason) {
        (Verdict::Unresolved(_) | Verdict::Justified(_), Some(reason)) => {
            Verdict::Justified(reason)
        }
        (Verdict::Justified(_), None) => Verdict::Unresolved(Limit::JustificationWithdrawn),
        (Verdict::Covered { .. } | Verdict::Uncoverable(_) | Verdict::Unresolved(_), _) => {
            verdict.clone()
        }
    }
}

/// The verdict on what is left to others.
fn left_to_another_shard() -> Verdict {
    Verdict::Unresolved(Limit::AnotherShard)
}

/// Does a refutation hold only for addresses as the executor chooses them? Machine code that does otherwise contradicts nothing.
fn is_about_one_machine(conclusion: Option<&Conclusion>) -> bool {
    matches!(conclusion, Some(Conclusion::Open(Limit::NotWithinBounds(bounds)))
        if bounds.contains(&Bound::AddressLayout))
}
