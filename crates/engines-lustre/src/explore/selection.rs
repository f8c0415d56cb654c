//! Selects the tests of a batch to keep, and shortens them.

use obligato_lustre_replay::{LANES, LaneTally, Meter};
use obligato_model::{Program, TestCase};
use obligato_solver::Stop;
use obligato_transition_system::Error;
use obligato_transition_system::lanes::{WORDS, contains, lanes};

use super::event_lanes::{Lanes, lanes_showing};
use crate::event::EventId;
use crate::ledger::Ledger;

/// Greedy selection: repeatedly the lane that shows most open events, with those events; lanes with a
/// runtime error only for events that no other shows. Marks the events in the ledger.
pub fn select_tests(
    program: &Program,
    ledger: &mut Ledger<'_>,
    tally: &LaneTally,
    faulty: Lanes,
) -> Vec<(usize, Vec<EventId>)> {
    let shown_by = ledger.open_events().iter().filter_map(|id| {
        let lanes = lanes_showing(program, ledger.events().get(*id), tally)?;
        (lanes != [0; WORDS]).then_some((*id, lanes))
    });
    let mut shown_by: Vec<(EventId, Lanes)> = shown_by.collect();
    let mut counts = vec![0_usize; LANES];
    for lane in shown_by.iter().flat_map(|(_, shown)| lanes(*shown)) {
        counts[lane] += 1;
    }
    let mut chosen = Vec::new();
    while !shown_by.is_empty() {
        let merit = |lane: &usize| {
            let count = counts[*lane];
            (count > 0, count > 0 && !contains(&faulty, *lane), count, LANES - lane)
        };
        let Some(best) = (0..LANES).max_by_key(merit) else { break };
        let shown = shown_by.iter().filter(|(_, lanes)| contains(lanes, best));
        let shown: Vec<EventId> = shown.map(|(id, _)| *id).collect();
        ledger.mark_seen(&shown);
        // These events may close obligations that others were open for.
        shown_by.retain(|(id, shown)| {
            let is_wanted = ledger.open_events().binary_search(id).is_ok();
            if !is_wanted {
                lanes(*shown).for_each(|lane| counts[lane] -= 1);
            }
            is_wanted
        });
        chosen.push((best, shown));
    }
    chosen
}

/// A test, and the events it is kept for.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The test.
    pub test: TestCase,
    /// The events.
    pub events: Vec<EventId>,
}

/// Shortens each test to its shortest prefix that shows all its events. Events are monotone in the length of the
/// prefix, so bisection finds it, with as many candidate lengths at once as there are lanes. When the stop is due, tests stay as
/// long as they are.
pub fn shorten(
    meter: &mut Meter<'_>,
    ledger: &Ledger<'_>,
    kept: &mut [Kept],
    stop: &Stop,
) -> Result<(), Error> {
    let program = &meter.measurement().lowered().program;
    // By test: a length that is too short, and one that is enough.
    let mut bounds: Vec<(usize, usize)> =
        kept.iter().map(|kept| (0, kept.test.steps.len())).collect();
    loop {
        let open = (0..kept.len()).filter(|at| bounds[*at].0 + 1 < bounds[*at].1);
        let open: Vec<usize> = open.take(LANES).collect();
        if open.is_empty() || stop.is_due() {
            break;
        }
        let each = LANES / open.len();
        let mut cuts: Vec<(usize, usize)> = Vec::new();
        for at in &open {
            let (short, enough) = bounds[*at];
            let between = enough - short - 1;
            let tried = between.min(each);
            cuts.extend((1..=tried).map(|part| (*at, short + part * (between + 1) / (tried + 1))));
        }
        let prefix = |(at, length): &(usize, usize)| TestCase {
            name: String::new(),
            steps: kept[*at].test.steps[..*length].to_vec(),
        };
        let prefixes: Vec<TestCase> = cuts.iter().map(prefix).collect();
        let tally = meter.tally(&prefixes)?;
        for (lane, (at, length)) in cuts.into_iter().enumerate() {
            let shows = |id: &EventId| {
                let lanes = lanes_showing(program, ledger.events().get(*id), &tally);
                lanes.is_some_and(|lanes| contains(&lanes, lane))
            };
            let (short, enough) = &mut bounds[at];
            if kept[at].events.iter().all(shows) {
                *enough = (*enough).min(length);
            } else {
                *short = (*short).max(length);
            }
        }
    }
    for (kept, (_, enough)) in kept.iter_mut().zip(bounds) {
        kept.test.steps.truncate(enough);
    }
    Ok(())
}
