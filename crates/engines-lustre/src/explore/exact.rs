//! Observability under the exact semantics, which is not part of a tally.
//!
//! Each test has to be run once more with conditions stuck, so only a few tests of a batch are run: those in
//! which most of the open conditions are unmasked, as a condition that is always masked has no effect.

use obligato_lustre_replay::{LANES, LaneTally, Meter};
use obligato_model::{ConditionId, Observability, TestCase};
use obligato_transition_system::Error;
use obligato_transition_system::lanes::{contains, lanes};

use super::event_lanes::Lanes;
use super::selection::Kept;
use crate::event::{Event, EventId};
use crate::ledger::{Ledger, happened};

/// The most tests of a batch run with conditions stuck.
const MOST_TESTS: usize = 8;

/// The number of candidate lengths tried at once.
const CUTS: usize = 3;

/// Lanes whose tests may show open effects.
pub fn promising_lanes(ledger: &Ledger<'_>, tally: &LaneTally) -> Vec<usize> {
    let unmasked = |condition: &ConditionId, values: &[usize]| -> Lanes {
        let shown = &tally.conditions[condition.index()].shown;
        let masks = values.iter().flat_map(|value| [shown[0][*value], shown[1][*value]]);
        masks.fold(Lanes::default(), |all, some| std::array::from_fn(|word| all[word] | some[word]))
    };
    let promise = |id: &EventId| match ledger.events().get(*id) {
        Event::Observed(Observability::Exact, condition, value) => {
            Some(unmasked(condition, &[usize::from(*value)]))
        }
        Event::ObservedBoundary(Observability::Exact, condition, ordinal) => {
            let at = tally.conditions[condition.index()].boundaries[*ordinal];
            let shown = unmasked(condition, &[0, 1]);
            Some(std::array::from_fn(|word| at[word] & shown[word]))
        }
        _ => None,
    };
    let mut promising: Vec<Lanes> = ledger.open_events().iter().filter_map(promise).collect();
    let mut chosen = Vec::new();
    while chosen.len() < MOST_TESTS {
        let mut counts = [0_usize; LANES];
        promising.iter().flat_map(|promise| lanes(*promise)).for_each(|lane| counts[lane] += 1);
        let Some(best) = (0..LANES).max_by_key(|lane| (counts[*lane], LANES - lane)) else { break };
        if counts[best] == 0 {
            break;
        }
        promising.retain(|promise| !contains(promise, best));
        chosen.push(best);
    }
    chosen
}

/// Measures a test completely. If it shows open events, marks them in the ledger and shortens the test
/// to the shortest prefix that shows them.
pub fn keep_measured(
    meter: &mut Meter<'_>,
    ledger: &mut Ledger<'_>,
    test: &TestCase,
) -> Result<Option<Kept>, Error> {
    let program = &meter.measurement().lowered().program;
    let mut events = Vec::new();
    for measured in meter.measure(std::slice::from_ref(test))? {
        events = ledger.record(&measured.evidence);
    }
    if events.is_empty() {
        return Ok(None);
    }
    let (mut short, mut enough) = (0, test.steps.len());
    while short + 1 < enough {
        let between = enough - short - 1;
        let tried = between.min(CUTS);
        let lengths = (1..=tried).map(|part| short + part * (between + 1) / (tried + 1));
        let lengths: Vec<usize> = lengths.collect();
        let prefix = |length: &usize| TestCase {
            name: String::new(),
            steps: test.steps[..*length].to_vec(),
        };
        let prefixes: Vec<TestCase> = lengths.iter().map(prefix).collect();
        for (length, measured) in lengths.into_iter().zip(meter.measure(&prefixes)?) {
            let shows =
                |id: &EventId| happened(program, ledger.events().get(*id), &measured.evidence);
            if events.iter().all(shows) {
                enough = enough.min(length);
            } else {
                short = short.max(length);
            }
        }
    }
    let steps = test.steps[..enough].to_vec();
    Ok(Some(Kept { test: TestCase { name: test.name.clone(), steps }, events }))
}
