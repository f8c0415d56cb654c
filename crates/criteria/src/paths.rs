//! The ways in which one decision has been evaluated, each digested once.
//!
//! What a test shows of a decision depends on which evaluations it had, not on how often or in which order. So the
//! evaluations form a tree: a [`Walk`] leads from place to place by the values of conditions, and only where it gets for
//! the first time is anything marked. A loop that repeats itself pays for a look-up.
//!
//! In most decisions (`a && b && c`) each condition is reached in one way only. Then it is enough to count how often
//! each condition had each value, and the tree is [filled](Paths::adopt) from the counts at the end.

use std::hash::Hash;

use obligato_model::BoolTree;
use rustc_hash::FxHashSet;

use crate::evidence::DecisionEvidence;
use crate::marking::{Activation, Conditions, Marker, Shown};
use crate::tracker::{OutOfOrder, Vector, Vectors, digest};
use crate::walk::{ROOT, Walk};

/// What evaluations of one decision have shown in a test.
#[derive(Clone, Debug)]
pub(crate) struct Paths<S: Conditions> {
    marker: Marker<S>,
    /// Per condition, its value if the compiler has folded it; empty if it has folded none.
    folded: Vec<Option<bool>>,
    vectors: Vectors,
    /// What has been evaluated at each place of the walk.
    places: Vec<Place<S>>,
    shown: Shown<S>,
    seen: FxHashSet<(Vector<S>, bool)>,
}

/// How far an evaluation has come.
#[derive(Clone, Debug)]
struct Place<S> {
    activation: Activation<S>,
    vector: Vector<S>,
}

/// Where an evaluation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Onwards {
    /// To a new place, where this condition is due.
    To(u32),
    /// It is over.
    Ended,
}

/// More places than these are given up, where whole evaluations need not be told apart: they can be exponentially many.
const MOST_PLACES: usize = 1 << 14;

impl<S: Conditions + Eq + Hash> Paths<S> {
    /// Of a decision; `constants` has the value of each condition that can only have one, `folded` of those that no code evaluates.
    pub(crate) fn new(
        tree: &BoolTree,
        constants: &[Option<bool>],
        folded: Vec<Option<bool>>,
        vectors: Vectors,
    ) -> Self {
        let marker = Marker::new(tree, constants);
        let conditions = marker.conditions();
        let mut paths = Self {
            folded,
            vectors,
            places: Vec::new(),
            shown: Shown::nothing(conditions),
            seen: FxHashSet::default(),
            marker,
        };
        let mut nothing = Shown::nothing(conditions);
        let mut root = paths.start();
        paths.fill(&mut nothing, &mut root);
        paths.places.push(root);
        paths
    }

    fn start(&self) -> Place<S> {
        let empty = || S::empty(self.marker.conditions());
        let vector = Vector { evaluated: empty(), values: empty() };
        Place { activation: self.marker.start(), vector }
    }

    /// The condition with which evaluations begin.
    pub(crate) fn first(&self) -> u32 {
        self.places[ROOT as usize].activation.expected() as u32
    }

    /// Is each condition reached in one way only? `constants` knows which have only one value.
    pub(crate) fn are_told_by_counts(&self, constants: &[Option<bool>]) -> bool {
        let mut reached = vec![false; self.marker.conditions()];
        let mut nothing = Shown::nothing(self.marker.conditions());
        let mut todo = vec![self.places[ROOT as usize].clone()];
        while let Some(place) = todo.pop() {
            let condition = place.activation.expected();
            if std::mem::replace(&mut reached[condition], true) {
                return false;
            }
            for value in [false, true] {
                if constants[condition] == Some(!value) {
                    continue;
                }
                let mut next = place.clone();
                if self.mark(&mut nothing, &mut next, value).is_none() {
                    todo.push(next);
                }
            }
        }
        true
    }

    /// Evaluates the condition that is due, and all behind it that are folded; the outcome if that is the end.
    fn mark(&self, shown: &mut Shown<S>, place: &mut Place<S>, value: bool) -> Option<bool> {
        self.mark_one(shown, place, value).or_else(|| self.fill(shown, place))
    }

    fn mark_one(&self, shown: &mut Shown<S>, place: &mut Place<S>, value: bool) -> Option<bool> {
        let condition = place.activation.expected();
        place.vector.evaluated.set(condition, true);
        place.vector.values.set(condition, value);
        self.marker.mark_into(shown, &mut place.activation, condition, value).outcome()
    }

    /// Evaluates what is due and folded.
    fn fill(&self, shown: &mut Shown<S>, place: &mut Place<S>) -> Option<bool> {
        while let Some(Some(value)) = self.folded.get(place.activation.expected()).copied() {
            if let Some(outcome) = self.mark_one(shown, place, value) {
                return Some(outcome);
            }
        }
        None
    }

    /// An evaluation goes on from a place of the walk with this value, for the first time in this test.
    pub(crate) fn extend(&mut self, from: u32, value: bool) -> Onwards {
        let mut shown = self.take_shown();
        let mut place = self.places[from as usize].clone();
        if from == ROOT {
            // Only now does an evaluation begin, and with it what is folded before the first condition.
            let _ = self.fill(&mut shown, &mut self.start());
        }
        let outcome = self.mark(&mut shown, &mut place, value);
        self.shown = shown;
        let Some(outcome) = outcome else {
            let due = place.activation.expected() as u32;
            self.places.push(place);
            return Onwards::To(due);
        };
        self.keep(place.vector, outcome);
        Onwards::Ended
    }

    /// A decision of which everything is folded was passed.
    pub(crate) fn pass(&mut self) {
        let mut shown = self.take_shown();
        let mut place = self.start();
        let outcome = self.fill(&mut shown, &mut place);
        self.shown = shown;
        if let Some(outcome) = outcome {
            self.keep(place.vector, outcome);
        }
    }

    fn take_shown(&mut self) -> Shown<S> {
        std::mem::replace(&mut self.shown, Shown::nothing(0))
    }

    fn keep(&mut self, vector: Vector<S>, outcome: bool) {
        if self.vectors == Vectors::Keep {
            self.seen.insert((vector, outcome));
        }
    }

    /// Takes how often each condition was false and true.
    ///
    /// No condition is evaluated more often than the one before it led there; an evaluation may be abandoned between them.
    /// The error names the condition and the one that would have been due.
    pub(crate) fn adopt(&mut self, counts: &[[u64; 2]]) -> Result<(), (usize, OutOfOrder)> {
        let mut walk = Walk::new(self.first());
        let mut reached = vec![false; self.marker.conditions()];
        let mut todo = vec![(ROOT, u64::MAX)];
        while let Some((from, arrived)) = todo.pop() {
            let condition = self.places[from as usize].activation.expected();
            reached[condition] = true;
            let [of_false, of_true] = counts[condition];
            if of_false.saturating_add(of_true) > arrived {
                return Err((condition, OutOfOrder { expected: None }));
            }
            for (value, count) in [(false, of_false), (true, of_true)] {
                if count > 0 {
                    let onwards = self.extend(from, value);
                    if let Some(place) = walk.add(from, value, onwards) {
                        todo.push((place, count));
                    }
                }
            }
        }
        let stray = (0..counts.len()).find(|at| counts[*at] != [0, 0] && !reached[*at]);
        stray.map_or(Ok(()), |at| Err((at, OutOfOrder { expected: None })))
    }

    /// Are there so many places that they had better be given up?
    pub(crate) fn are_too_many(&self) -> bool {
        self.places.len() > MOST_PLACES
    }

    /// Gives up all places but the first; what they have shown stays.
    pub(crate) fn forget_places(&mut self) {
        self.places.truncate(1);
    }

    /// Ends the test: what it has shown of this decision, and a clean slate.
    pub(crate) fn finish(&mut self) -> DecisionEvidence {
        self.forget_places();
        let conditions = self.marker.conditions();
        let shown = std::mem::replace(&mut self.shown, Shown::nothing(conditions));
        digest(shown, self.seen.drain(), conditions)
    }
}
