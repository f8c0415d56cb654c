//! The tests of a measured batch that show an event.

use obligato_lustre_replay::LaneTally;
use obligato_model::{Observability, Program};
use obligato_transition_system::lanes::{Mask, WORDS};

use crate::event::Event;

/// A bit per test of a batch.
pub type Lanes = Mask<WORDS>;

/// The lanes whose tests show an event; `None` if a tally does not tell: effects under the exact
/// semantics and kills take runs of their own.
pub fn lanes_showing(program: &Program, event: &Event, tally: &LaneTally) -> Option<Lanes> {
    let effects = |semantics: &Observability| {
        let known = *semantics != Observability::Exact;
        let mut watched = tally.observed.iter().filter(|(of, _)| known && of == semantics);
        watched.next().map(|(_, effects)| effects)
    };
    match event {
        Event::Executed(statement) => Some(tally.executed[statement.index()]),
        Event::Outcome(decision, value) => {
            Some(tally.decisions[decision.index()].outcomes[usize::from(*value)])
        }
        Event::Taken(condition, value) => {
            Some(tally.conditions[condition.index()].taken[usize::from(*value)])
        }
        Event::Shown { condition, value, outcome } => {
            let shown = &tally.conditions[condition.index()].shown;
            Some(shown[usize::from(*outcome)][usize::from(*value)])
        }
        Event::Vector(decision, vector) => {
            let seen = &tally.decisions[decision.index()].vectors;
            if vector.evaluated().len() == program.decision(*decision).tree.conditions() {
                return Some(seen.get(vector.values()).copied().unwrap_or_default());
            }
            // All conditions have values; those that the vector skips may have any.
            let suited = seen
                .iter()
                .filter(|(values, _)| values.and(vector.evaluated()) == *vector.values());
            Some(suited.fold([0; WORDS], |all, (_, lanes)| {
                std::array::from_fn(|word| all[word] | lanes[word])
            }))
        }
        Event::Boundary(condition, ordinal) => {
            Some(tally.conditions[condition.index()].boundaries[*ordinal])
        }
        Event::Observed(semantics, condition, value) => {
            Some(effects(semantics)?[condition.index()].values[usize::from(*value)])
        }
        Event::ObservedBoundary(semantics, condition, ordinal) => {
            Some(effects(semantics)?[condition.index()].boundaries[*ordinal])
        }
        Event::Violated(check) => tally.failed.get(*check).copied(),
        Event::Killed(..) | Event::Entered(_) | Event::Left(_) | Event::Chosen(_) => None,
    }
}
