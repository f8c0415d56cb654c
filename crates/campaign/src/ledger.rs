//! The ledger: which obligations of a plan are open, by what tests have shown and proofs have refuted of their events.

use std::collections::BTreeSet;

use obligato_criteria::evidence::TestEvidence;
use obligato_model::{Bound, Key, Limit, Method, Obligation, Plan, Program, Proof, Unsupported};

use crate::event::{Demand, Event, EventId, Events};

/// The events of a plan, with what is known of each.
#[derive(Clone, Debug)]
pub struct Ledger<'p> {
    program: &'p Program,
    events: Events,
    /// The obligations of the plan; none where events are asked for by themselves.
    keys: Vec<Key>,
    demands: Vec<Demand>,
    statuses: Vec<EventStatus>,
    /// By event, the limit that stands in its way.
    limits: Vec<Option<Limit>>,
    /// The events not yet seen or refuted that an open obligation waits for.
    open: Vec<EventId>,
    /// By obligation, is it left to others?
    aside: Vec<bool>,
}

/// What is known of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
enum EventStatus {
    Open,
    Seen,
    Refuted(Proof),
    /// No test within these bounds shows it.
    NotWithin(Vec<Bound>),
}

/// How an obligation stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing<'l> {
    /// The plan alone has its verdict.
    Settled,
    /// Tests have shown what it asks for.
    Covered,
    /// It cannot be covered: each alternative has an event that was refuted; one of the proofs.
    Refuted(&'l Proof),
    /// It cannot be covered within these bounds; beyond them nothing is known.
    NotWithinBounds(Vec<Bound>),
    /// It waits for events.
    Open,
    /// Nobody searches for what it asks, and why.
    Unsupported(&'l Unsupported),
}

impl<'p> Ledger<'p> {
    /// Nothing seen yet of a plan.
    pub fn new(program: &'p Program, plan: &Plan) -> Self {
        let mut events = Events::default();
        let demand = |one: &Obligation| events.demand(program, one);
        let demands: Vec<Demand> = plan.obligations.iter().map(demand).collect();
        let keys = plan.obligations.iter().map(|one| one.key.clone()).collect();
        Self { keys, ..Self::of_demands(program, events, demands) }
    }

    /// A demand for each of these events, whatever plan they come from.
    pub fn of_events(program: &'p Program, asked: impl IntoIterator<Item = Event>) -> Self {
        let mut events = Events::default();
        let demand = |event| Demand::Alternatives(vec![vec![events.intern(event)]]);
        let demands: Vec<Demand> = asked.into_iter().map(demand).collect();
        Self::of_demands(program, events, demands)
    }

    fn of_demands(program: &'p Program, events: Events, demands: Vec<Demand>) -> Self {
        let (statuses, limits) = (vec![EventStatus::Open; events.len()], vec![None; events.len()]);
        let (open, aside) = (Vec::new(), vec![false; demands.len()]);
        let keys = Vec::new();
        let mut ledger = Self { program, events, keys, demands, statuses, limits, open, aside };
        ledger.update_open_events();
        ledger
    }

    /// Leaves obligations to others: nobody searches for them here. Events keep their numbers, and what tests show of these
    /// obligations besides still counts.
    pub fn set_aside(&mut self, mut is_left: impl FnMut(usize) -> bool) {
        for (index, aside) in self.aside.iter_mut().enumerate() {
            *aside |= is_left(index);
        }
        self.update_open_events();
    }

    /// How many obligations there are.
    pub fn len(&self) -> usize {
        self.demands.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.demands.is_empty()
    }

    /// The obligations of the plan that tests were seen to cover.
    pub fn covered(&self) -> impl Iterator<Item = &Key> {
        let numbered = self.keys.iter().enumerate();
        numbered.filter(|(at, _)| self.standing(*at) == Standing::Covered).map(|(_, key)| key)
    }

    /// All events of the plan.
    pub fn events(&self) -> &Events {
        &self.events
    }

    /// What the obligation at a position of the plan asks for.
    pub fn demand(&self, obligation: usize) -> &Demand {
        &self.demands[obligation]
    }

    /// The events that open obligations wait for, in order.
    pub fn open_events(&self) -> &[EventId] {
        &self.open
    }

    /// Takes note of what a test has shown; gives the events that were open and are now seen.
    pub fn record(&mut self, test: &TestEvidence) -> Vec<EventId> {
        let new = self.shown_by(test, &[]);
        self.mark_seen(&new);
        new
    }

    /// The events that are open or refuted within bounds, and that a test has shown, in which the checks at these positions failed.
    pub fn shown_by(&self, test: &TestEvidence, violated: &[usize]) -> Vec<EventId> {
        let shown = |id: &EventId| match self.events.get(*id) {
            Event::Violated(check) => violated.contains(check),
            event => happened(self.program, event, test),
        };
        let bounded = (0..self.statuses.len())
            .filter(|index| matches!(self.statuses[*index], EventStatus::NotWithin(_)))
            .map(EventId::new);
        self.open.iter().copied().chain(bounded).filter(shown).collect()
    }

    /// Takes note of events seen in a test by other means than evidence.
    pub fn mark_seen(&mut self, events: &[EventId]) {
        for event in events {
            self.statuses[event.index()] = EventStatus::Seen;
        }
        if !events.is_empty() {
            self.update_open_events();
        }
    }

    /// Takes note of proofs that events never happen. An event that was seen is given back as an
    /// error: the proof or the replay is wrong.
    pub fn refute(
        &mut self,
        proofs: impl IntoIterator<Item = (EventId, Proof)>,
    ) -> Result<(), EventId> {
        for (event, proof) in proofs {
            match self.statuses[event.index()] {
                EventStatus::Open | EventStatus::NotWithin(_) => {
                    self.statuses[event.index()] = EventStatus::Refuted(proof);
                }
                EventStatus::Refuted(_) => {}
                EventStatus::Seen => return Err(event),
            }
        }
        self.update_open_events();
        Ok(())
    }

    /// Takes note that no test within these bounds shows an event: nobody searches for it any more, until it is
    /// [reopened](Self::reopen).
    pub fn refute_within(&mut self, event: EventId, bounds: Vec<Bound>) {
        if self.statuses[event.index()] == EventStatus::Open {
            self.statuses[event.index()] = EventStatus::NotWithin(bounds);
            self.update_open_events();
        }
    }

    /// Searches again for events that were refuted within bounds one of which is lifted now.
    pub fn reopen(&mut self, is_lifted: impl Fn(&Bound) -> bool) {
        for status in &mut self.statuses {
            if matches!(status, EventStatus::NotWithin(bounds) if bounds.iter().any(&is_lifted)) {
                *status = EventStatus::Open;
            }
        }
        self.update_open_events();
    }

    /// The events that were refuted within bounds one of which is such, and these bounds.
    pub fn within_bounds(&self, is_such: impl Fn(&Bound) -> bool) -> Vec<(EventId, Vec<Bound>)> {
        let statuses = self.statuses.iter().enumerate();
        let bounded = statuses.filter_map(|(index, status)| match status {
            EventStatus::NotWithin(bounds) if bounds.iter().any(&is_such) => {
                Some((EventId::new(index), bounds.clone()))
            }
            _ => None,
        });
        bounded.collect()
    }

    /// The limit that stands in the way of an event.
    pub fn limit_of(&self, event: EventId) -> Option<&Limit> {
        self.limits[event.index()].as_ref()
    }

    /// Takes note of the limit that stands in the way of an open event.
    pub fn note_limit(&mut self, event: EventId, why: impl Into<Limit>) {
        self.limits[event.index()] = Some(why.into());
    }

    /// The limit of an open event that the obligation at a position of the plan waits for.
    pub fn obstacle(&self, obligation: usize) -> Option<&Limit> {
        let Demand::Alternatives(alternatives) = &self.demands[obligation] else { return None };
        let mut open =
            alternatives.iter().flatten().filter(|event| self.open.binary_search(event).is_ok());
        open.find_map(|event| self.limits[event.index()].as_ref())
    }

    /// Was the event seen?
    pub fn is_seen(&self, event: EventId) -> bool {
        self.statuses[event.index()] == EventStatus::Seen
    }

    /// How the obligation at a position of the plan stands.
    pub fn standing(&self, obligation: usize) -> Standing<'_> {
        let alternatives = match &self.demands[obligation] {
            Demand::Settled => return Standing::Settled,
            Demand::Unsupported(why) => return Standing::Unsupported(why),
            Demand::Alternatives(alternatives) => alternatives,
        };
        let mut refutation = None;
        let mut within: Vec<Bound> = Vec::new();
        for alternative in alternatives {
            if alternative.iter().all(|event| self.is_seen(*event)) {
                return Standing::Covered;
            }
            match alternative.iter().find_map(|event| self.refutation(*event)) {
                // A proof by exploration says less than one by an invariant.
                Some(proof) if refutation.is_none_or(is_by_exploration) => {
                    refutation = Some(proof);
                }
                Some(_) => {}
                None => match alternative.iter().find_map(|event| self.bounds(*event)) {
                    Some(bounds) => within.extend_from_slice(bounds),
                    None => return self.standing_if_open(alternatives),
                },
            }
        }
        match refutation {
            Some(proof) if within.is_empty() => Standing::Refuted(proof),
            _ if within.is_empty() => Standing::Open,
            _ => {
                within.sort();
                within.dedup();
                Standing::NotWithinBounds(within)
            }
        }
    }

    /// Covered by a later alternative, or open.
    fn standing_if_open(&self, alternatives: &[Vec<EventId>]) -> Standing<'_> {
        let covers =
            |alternative: &Vec<EventId>| alternative.iter().all(|event| self.is_seen(*event));
        if alternatives.iter().any(covers) { Standing::Covered } else { Standing::Open }
    }

    /// The refuted events that claims rest on: those in alternatives of obligations that cannot be covered.
    pub fn claimed_refutations(&self) -> BTreeSet<EventId> {
        let refuted =
            (0..self.len()).filter(|at| matches!(self.standing(*at), Standing::Refuted(_)));
        let alternatives = refuted.filter_map(|at| match self.demand(at) {
            Demand::Alternatives(alternatives) => Some(alternatives),
            Demand::Settled | Demand::Unsupported(_) => None,
        });
        let events = alternatives.flatten().flatten().copied();
        events.filter(|event| self.refutation(*event).is_some()).collect()
    }

    /// The proof that an event never happens.
    pub fn refutation(&self, event: EventId) -> Option<&Proof> {
        match &self.statuses[event.index()] {
            EventStatus::Refuted(proof) => Some(proof),
            _ => None,
        }
    }

    /// The bounds within which an event was refuted.
    fn bounds(&self, event: EventId) -> Option<&[Bound]> {
        match &self.statuses[event.index()] {
            EventStatus::NotWithin(bounds) => Some(bounds),
            _ => None,
        }
    }

    fn update_open_events(&mut self) {
        let mut open = vec![false; self.events.len()];
        for (index, demand) in self.demands.iter().enumerate() {
            let Demand::Alternatives(alternatives) = demand else { continue };
            if self.aside[index] || self.standing(index) != Standing::Open {
                continue;
            }
            for alternative in alternatives {
                let is_open = |event: &EventId| {
                    matches!(self.statuses[event.index()], EventStatus::Open | EventStatus::Seen)
                };
                if alternative.iter().all(is_open) {
                    for event in alternative.iter().filter(|event| !self.is_seen(**event)) {
                        open[event.index()] = true;
                    }
                }
            }
        }
        let ids = (0..open.len()).filter(|index| open[*index]).map(EventId::new);
        self.open = ids.collect();
    }
}

fn is_by_exploration(proof: &Proof) -> bool {
    proof.method == Method::Exploration
}

/// Did the event happen in a test?
pub fn happened(program: &Program, event: &Event, test: &TestEvidence) -> bool {
    match event {
        Event::Entered(function) => test.entered.contains(function.index()),
        Event::Left(exit) => test.left.contains(exit.index()),
        Event::Chosen(arm) => test.switched.contains(arm.index()),
        Event::Executed(statement) => test.executed.contains(statement.index()),
        Event::Outcome(decision, value) => {
            test.decision(*decision).is_some_and(|seen| seen.outcomes[usize::from(*value)])
        }
        Event::Taken(condition, value) => {
            let home = program.condition(*condition);
            test.decision(home.decision).is_some_and(|seen| seen.took(home.ordinal, *value))
        }
        Event::Shown { condition, value, outcome } => {
            let home = program.condition(*condition);
            let seen = test.decision(home.decision);
            seen.is_some_and(|seen| seen.showed(home.ordinal, *value, *outcome))
        }
        Event::Vector(decision, vector) => {
            test.decision(*decision).is_some_and(|seen| seen.vectors.binary_search(vector).is_ok())
        }
        Event::Boundary(condition, ordinal) => test.boundaries.contains(*condition, *ordinal),
        Event::Observed(semantics, condition, value) => {
            test.observed(*semantics).is_some_and(|observed| {
                observed.conditions[usize::from(*value)].contains(condition.index())
            })
        }
        Event::ObservedBoundary(semantics, condition, ordinal) => test
            .observed(*semantics)
            .is_some_and(|observed| observed.boundaries.contains(*condition, *ordinal)),
        Event::Killed(strength, mutant) => test.kills(mutant.index(), *strength),
        // Evidence is about coverage; failures are recorded by themselves.
        Event::Violated(_) => false,
    }
}
