//! Follows the evaluations of one decision through a run.
//!
//! A decision may be entered again before it ends: a condition may call a
//! function that comes back to the same decision. Every evaluation belongs to
//! the call frame that began it; an outer one is suspended until the inner one
//! has ended. Decisions nested in a condition are trackers of their own and
//! never meet. An evaluation whose frame is gone (`longjmp`, `exit`) or that is
//! begun anew in its own frame was abandoned: what its conditions evaluated to
//! counts, but it has no outcome.

use std::hash::Hash;

use obligato_model::{Criterion, Evaluation};
use rustc_hash::FxHashSet;

use crate::evidence::DecisionEvidence;
use crate::marking::{Activation, Conditions, Ending, Marker, Shown};

/// The calls in progress. Frames are numbered in the order they are entered,
/// so the open ones are in ascending order.
#[derive(Clone, Debug)]
pub struct Frames {
    /// Those around the current one.
    outer: Vec<u64>,
    current: u64,
    entered: u64,
}

impl Default for Frames {
    /// Only the outermost frame.
    fn default() -> Self {
        Self { outer: Vec::new(), current: 0, entered: 0 }
    }
}

impl Frames {
    /// Enters a new frame.
    pub fn enter(&mut self) {
        self.entered += 1;
        self.outer.push(std::mem::replace(&mut self.current, self.entered));
    }

    /// Leaves the innermost frame; the outermost stays.
    pub fn leave(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.current = outer;
        }
    }

    fn is_open(&self, frame: u64) -> bool {
        frame == self.current || self.outer.binary_search(&frame).is_ok()
    }
}

/// Are whole evaluation vectors kept, or only what masking needs?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// Kept: for multiple-condition coverage, unique cause, truth tables.
    Keep,
    /// Not kept.
    Drop,
}

impl Vectors {
    /// Kept if one of the criteria cannot do without.
    pub fn needed_by(criteria: &[Criterion]) -> Self {
        let needed = criteria.iter().any(|criterion| criterion.needs_vectors());
        if needed { Self::Keep } else { Self::Drop }
    }
}

/// A condition was evaluated when another was due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfOrder {
    /// The condition that should have come, if the decision was in progress.
    pub expected: Option<usize>,
}

/// The tracker of one decision.
#[derive(Clone, Debug)]
pub struct Tracker<S: Conditions> {
    marker: Marker<S>,
    running: Running<S>,
    /// Is there more to do than marking: vectors to keep, or a suspended evaluation?
    thorough: bool,
    shown: Shown<S>,
    suspended: Vec<Running<S>>,
    vectors: Vectors,
    seen: FxHashSet<(Vector<S>, bool)>,
    last_seen: Option<(Vector<S>, bool)>,
}

/// An evaluation in progress.
#[derive(Clone, Debug)]
struct Running<S> {
    activation: Activation<S>,
    /// The frame it belongs to; none before the first evaluation of a test.
    frame: u64,
    /// Followed only if vectors are kept.
    vector: Vector<S>,
}

/// The conditions evaluated, and those that were true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Vector<S> {
    pub(crate) evaluated: S,
    pub(crate) values: S,
}

/// The frame of a tracker that was not reached yet.
const NO_FRAME: u64 = u64::MAX;

impl<S: Conditions> Running<S> {
    fn restart(&mut self) {
        self.activation.restart();
        self.vector.evaluated.clear();
        self.vector.values.clear();
    }
}

impl<S: Conditions + Eq + Hash> Tracker<S> {
    /// A tracker that has seen nothing.
    pub fn new(marker: Marker<S>, vectors: Vectors) -> Self {
        let empty = || S::empty(marker.conditions());
        Self {
            running: Running {
                activation: marker.start(),
                frame: NO_FRAME,
                vector: Vector { evaluated: empty(), values: empty() },
            },
            thorough: vectors == Vectors::Keep,
            shown: Shown::nothing(marker.conditions()),
            suspended: Vec::new(),
            vectors,
            seen: FxHashSet::default(),
            last_seen: None,
            marker,
        }
    }

    /// Takes one condition evaluation; says whether it is this tracker's first
    /// in this test.
    #[inline]
    pub fn evaluate(
        &mut self,
        frames: &Frames,
        condition: usize,
        value: bool,
    ) -> Result<bool, OutOfOrder> {
        let mut first = false;
        if self.running.frame != frames.current || self.running.activation.expected() != condition {
            first = self.running.frame == NO_FRAME;
            self.turn_to(frames, condition)?;
        }
        let activation = &mut self.running.activation;
        let ending = self.marker.mark_into(&mut self.shown, activation, condition, value);
        if self.thorough {
            self.follow(condition, value, ending);
        }
        Ok(first)
    }

    /// Keeps the vector, and goes back to a suspended evaluation at an end.
    #[inline]
    fn follow(&mut self, condition: usize, value: bool, ending: Ending) {
        if self.vectors == Vectors::Keep {
            self.running.vector.evaluated.set(condition, true);
            self.running.vector.values.set(condition, value);
        }
        let Some(outcome) = ending.outcome() else { return };
        if self.vectors == Vectors::Keep {
            // Loops repeat themselves: most vectors are the one before.
            let vector = &self.running.vector;
            let repeated = matches!(&self.last_seen, Some((v, o)) if v == vector && *o == outcome);
            if !repeated {
                self.last_seen = Some((vector.clone(), outcome));
                self.seen.insert((vector.clone(), outcome));
            }
        }
        self.running.restart();
        self.resume();
    }

    /// Goes back to the evaluation that was suspended last, if there is one.
    fn resume(&mut self) -> bool {
        let Some(outer) = self.suspended.pop() else { return false };
        self.running = outer;
        self.thorough = self.vectors == Vectors::Keep || !self.suspended.is_empty();
        true
    }

    /// Makes the running evaluation the one in which `condition` is due.
    fn turn_to(&mut self, frames: &Frames, condition: usize) -> Result<(), OutOfOrder> {
        if condition == 0 {
            self.begin(frames);
            return Ok(());
        }
        while !frames.is_open(self.running.frame) {
            self.running.restart();
            if !self.resume() {
                return Err(OutOfOrder { expected: None });
            }
        }
        let here = self.running.frame == frames.current;
        match self.running.activation.expected() {
            expected if here && expected == condition => Ok(()),
            expected => Err(OutOfOrder { expected: (here && expected != 0).then_some(expected) }),
        }
    }

    /// Begins an evaluation while others may be in progress: those of frames
    /// that are gone, or of this very frame, were abandoned; an outer one waits.
    fn begin(&mut self, frames: &Frames) {
        while self.running.activation.expected() != 0 {
            if self.running.frame != frames.current && frames.is_open(self.running.frame) {
                self.suspended.push(self.running.clone());
                self.thorough = true;
                break;
            }
            self.running.restart();
            self.resume();
        }
        self.running.restart();
        self.running.frame = frames.current;
    }

    /// Ends the test: what it has shown of this decision, and a clean slate.
    pub fn finish(&mut self) -> DecisionEvidence {
        self.suspended.clear();
        self.running.restart();
        self.running.frame = NO_FRAME;
        self.thorough = self.vectors == Vectors::Keep;
        self.last_seen = None;
        let conditions = self.marker.conditions();
        let shown = std::mem::replace(&mut self.shown, Shown::nothing(conditions));
        digest(shown, self.seen.drain(), conditions)
    }
}

/// What a test has shown of a decision, as criteria want it.
pub(crate) fn digest<S: Conditions>(
    shown: Shown<S>,
    seen: impl Iterator<Item = (Vector<S>, bool)>,
    conditions: usize,
) -> DecisionEvidence {
    let mut vectors: Vec<Evaluation> = seen
        .map(|(Vector { evaluated, values }, outcome)| {
            Evaluation::new(conditions, evaluated.to_set(), &values.to_set(), outcome)
        })
        .collect();
    vectors.sort_unstable();
    DecisionEvidence {
        outcomes: [shown.outcomes & 1 != 0, shown.outcomes & 2 != 0],
        taken: shown.taken.map(|set| set.to_set()),
        shown: shown.unmasked.map(|by_value| by_value.map(|set| set.to_set())),
        vectors,
    }
}
