//! Tests in which an effect is seen: a run and its twin, in which a condition never has its value, followed together.
//!
//! Both paths as they went, and something observed that differs: inputs for which all of that holds show the effect. Which
//! they do is then measured like everything else.

use obligato_campaign::{Event, EventId, Ledger};
use obligato_criteria::evidence::TestEvidence;
use obligato_model::{ConditionId, Program};
use obligato_term::Assignment;

/// Inputs that are worth a try for a condition having a value.
#[derive(Clone, Debug, Default)]
pub struct Promising {
    runs: Vec<(TestFacts, Assignment)>,
}

#[derive(Clone, Debug)]
struct TestFacts(Vec<(ConditionId, bool)>);

/// So many runs are kept for each condition and value.
const MOST_RUNS: usize = 6;

impl Promising {
    /// Keeps a run if it takes conditions to values of which effects are wanted and few such runs are known.
    pub fn keep(
        &mut self,
        program: &Program,
        ledger: &Ledger<'_>,
        evidence: &TestEvidence,
        assignment: &Assignment,
    ) {
        let mut facts = Vec::new();
        for event in ledger.wanted() {
            let Some((condition, value)) = effect_of(program, ledger, *event) else { continue };
            let home = program.condition(condition);
            let took =
                evidence.decision(home.decision).is_some_and(|seen| seen.took(home.ordinal, value));
            let known = self.runs.iter().filter(|(known, _)| known.0.contains(&(condition, value)));
            if took && known.count() < MOST_RUNS {
                facts.push((condition, value));
            }
        }
        if !facts.is_empty() {
            self.runs.push((TestFacts(facts), assignment.clone()));
        }
    }

    /// The runs in which a condition takes a value.
    pub fn of(&self, condition: ConditionId, value: bool) -> Vec<Assignment> {
        let fitting = self.runs.iter().filter(|(facts, _)| facts.0.contains(&(condition, value)));
        fitting.map(|(_, assignment)| assignment.clone()).collect()
    }
}

/// The condition and value whose effect an event asks for.
pub fn effect_of(
    program: &Program,
    ledger: &Ledger<'_>,
    event: EventId,
) -> Option<(ConditionId, bool)> {
    match ledger.events().get(event) {
        Event::Observed(_, condition, value) => Some((*condition, *value)),
        Event::ObservedBoundary(_, condition, ordinal) => {
            let boundaries = obligato_criteria::bvc::boundaries_of(program, *condition);
            boundaries.get(*ordinal).map(|boundary| (*condition, boundary.value))
        }
        _ => None,
    }
}
