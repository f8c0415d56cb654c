//! Where an effect got lost, in words that point into the source.
//!
//! [`to_follow`] finds the effects of a result that are worth following. In models [`model`] follows them, in C functions
//! [`unit`]; what both say is said here, so that it is said in the same words.

use obligato_criteria::Evidence;
use obligato_model::{Assessment, ConditionId, Goal, Observability, Program, TestId, Verdict};

use crate::text::counted;

pub mod model;
pub mod unit;

/// So many characters of a source text are quoted.
const WIDEST: usize = 60;
/// So many places are named where the effect of a condition got lost in one test.
const MOST_PLACES: usize = 3;
/// So many effects of a result are followed.
const MOST_FOLLOWED: usize = 200;

/// An effect that is worth following.
struct Followed {
    obligation: usize,
    semantics: Observability,
    condition: ConditionId,
    value: bool,
    test: TestId,
}

/// By obligation, the first test in which a condition decides, for those whose effect is never observed.
fn to_follow<'a>(
    program: &'a Program,
    assessment: &'a Assessment,
    evidence: &'a Evidence,
) -> impl Iterator<Item = Followed> + 'a {
    let judged = assessment.plan.obligations.iter().zip(&assessment.verdicts).enumerate();
    judged.filter_map(|(obligation, (one, verdict))| {
        let semantics = one.criterion.observability()?;
        let Goal::Independence(condition, value) = one.goal else { return None };
        if !matches!(verdict, Verdict::Unresolved(_)) {
            return None;
        }
        let home = program.condition(condition);
        let mut shows = evidence.of_decision(home.decision);
        let (test, _) = shows.find(|(_, seen)| seen.showed_at_all(home.ordinal, value))?;
        Some(Followed { obligation, semantics, condition, value, test })
    })
}

/// What stopped an effect in a test, each thing once, with the first step in which it did.
fn stops(test: &str, all: impl IntoIterator<Item = (usize, String)>) -> Vec<String> {
    let mut places: Vec<(usize, String)> = Vec::new();
    for (step, text) in all {
        if !places.iter().any(|(_, known)| *known == text) {
            places.push((step, text));
        }
    }
    let more = places.len().saturating_sub(MOST_PLACES);
    let first = places.iter().take(MOST_PLACES);
    let mut lines: Vec<String> =
        first.map(|(step, text)| format!("{test}, step {step}: {text}")).collect();
    if more > 0 {
        lines.push(format!("{test}: and in {} more", counted(more, "place")));
    }
    lines
}

/// What holds an effect when the test ends.
fn held(test: &str, holders: impl Iterator<Item = String>) -> String {
    format!("{test}: the test ends while it is held in {}", listed(holders))
}

fn unconnected(test: &str) -> String {
    format!("{test}: nothing observed depends on it")
}

fn listed(names: impl Iterator<Item = String>) -> String {
    names.take(MOST_PLACES).collect::<Vec<_>>().join(", ")
}
