//! Seeds for tests that show an effect. A run and its twin, in which one value of a condition is suppressed, are traced together.
//!
//! Inputs that satisfy both path conditions and a difference of an output show the effect. Replay measures whether they do.

use obligato_campaign::{Event, EventId, Ledger};
use obligato_concolic::ConditionValue;
use obligato_criteria::evidence::TestEvidence;
use obligato_model::Program;
use obligato_term::Assignment;

/// The inputs of runs from which effects are searched: in each some condition has a value whose effect is open.
#[derive(Clone, Debug, Default)]
pub struct EffectSeeds {
    runs: Vec<Seed>,
}

#[derive(Clone, Debug)]
struct Seed {
    values: Vec<ConditionValue>,
    inputs: Assignment,
}

/// How many runs are kept for each condition and value.
const MOST_RUNS: usize = 6;

impl EffectSeeds {
    /// Keeps a run if a condition has a value in it whose effect is open, unless [`MOST_RUNS`] have it already.
    pub fn keep(
        &mut self,
        program: &Program,
        ledger: &Ledger<'_>,
        evidence: &TestEvidence,
        assignment: &Assignment,
    ) {
        let mut values = Vec::new();
        for event in ledger.open_events() {
            let Some(effect) = effect_of(program, ledger, *event) else { continue };
            let home = program.condition(effect.condition);
            let took = evidence
                .decision(home.decision)
                .is_some_and(|seen| seen.took(home.ordinal, effect.value));
            let known = self.runs.iter().filter(|seed| seed.values.contains(&effect));
            if took && known.count() < MOST_RUNS {
                values.push(effect);
            }
        }
        if !values.is_empty() {
            self.runs.push(Seed { values, inputs: assignment.clone() });
        }
    }

    /// The inputs of the runs in which a condition has a value.
    pub fn of(&self, effect: ConditionValue) -> Vec<Assignment> {
        let seeds = self.runs.iter().filter(|seed| seed.values.contains(&effect));
        seeds.map(|seed| seed.inputs.clone()).collect()
    }
}

/// The condition and value whose effect an event demands.
pub fn effect_of(program: &Program, ledger: &Ledger<'_>, event: EventId) -> Option<ConditionValue> {
    match ledger.events().get(event) {
        Event::Observed(_, condition, value) => {
            Some(ConditionValue { condition: *condition, value: *value })
        }
        Event::ObservedBoundary(_, condition, ordinal) => {
            let boundaries = obligato_criteria::bvc::boundaries_of(program, *condition);
            let value = boundaries.get(*ordinal)?.value;
            Some(ConditionValue { condition: *condition, value })
        }
        _ => None,
    }
}
