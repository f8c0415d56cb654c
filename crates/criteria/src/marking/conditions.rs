//! Sets of conditions that marking works on: one word, or a slice of words.

use std::fmt::Debug;
use std::ops::Range;

use obligato_model::{BitSet, bit_set::word_of_range};

use super::{Activation, Ending, Shown};
use crate::partial_evaluation::{StepId, Table, Then};

/// A set of the conditions of one decision.
pub trait Conditions: Clone + Debug {
    /// A set of conditions to remove, as the compiled table holds it.
    type Mask: Clone + Debug;

    /// The empty set.
    fn empty(conditions: usize) -> Self;
    /// Adds `condition` if `value` holds.
    fn set(&mut self, condition: usize, value: bool);
    /// Makes `condition` a member or not.
    fn assign(&mut self, condition: usize, value: bool);
    /// Is `condition` a member?
    fn contains(&self, condition: usize) -> bool;
    /// Removes what the mask says.
    fn remove(&mut self, mask: &Self::Mask);
    /// Removes everything.
    fn clear(&mut self);
    /// Adds a marked condition to what is shown, and at the end of its decision
    /// the conditions that are left; then restarts the activation.
    fn add_up(
        shown: &mut Shown<Self>,
        activation: &mut Activation<Self>,
        condition: usize,
        value: bool,
        ending: Ending,
    );
    /// The set as plain data.
    fn to_set(&self) -> BitSet;
    /// The steps of `table` that marking takes.
    fn compile(table: &Table) -> Vec<CompiledStep<Self::Mask>>;
}

/// A step of a compiled table.
#[derive(Clone, Debug)]
pub struct CompiledStep<M> {
    pub(super) mask: M,
    pub(super) action: Action,
    /// The condition due next; the first one after an end.
    pub(super) next: u32,
    pub(super) ending: Ending,
}

/// What a step does besides masking; positions are in the compiled table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Nothing,
    Remember {
        slot: u32,
        value: bool,
    },
    /// Goes on at `on` for false, and just after it for true.
    Resolve {
        slot: u32,
        on: u32,
    },
    Climb(u32),
}

impl<M> CompiledStep<M> {
    fn new(mask: M, then: Then, position: impl FnOnce(StepId) -> u32) -> Self {
        let (action, next, ending) = match then {
            Then::Wait(next) => (Action::Nothing, next, Ending::No),
            Then::End(outcome) => (Action::Nothing, 0, Ending::with(outcome)),
            Then::Remember { slot, value, next } => {
                (Action::Remember { slot, value }, next, Ending::No)
            }
            Then::Resolve { slot, on } => {
                (Action::Resolve { slot, on: position(on) }, 0, Ending::No)
            }
            Then::Climb(above) => (Action::Climb(position(above)), 0, Ending::No),
        };
        Self { mask, action, next, ending }
    }
}

impl Conditions for u64 {
    type Mask = u64;

    fn empty(conditions: usize) -> Self {
        debug_assert!(conditions <= 64, "invariant: a word holds 64 conditions");
        0
    }

    #[inline]
    fn set(&mut self, condition: usize, value: bool) {
        *self |= Self::from(value) << condition;
    }

    #[inline]
    fn assign(&mut self, condition: usize, value: bool) {
        *self = *self & !(1 << condition) | Self::from(value) << condition;
    }

    #[inline]
    fn contains(&self, condition: usize) -> bool {
        self >> condition & 1 == 1
    }

    #[inline]
    fn remove(&mut self, mask: &u64) {
        *self &= !mask;
    }

    #[inline]
    fn clear(&mut self) {
        *self = 0;
    }

    /// Without a branch: whether a decision ends is as hard to predict as its
    /// conditions are.
    #[inline]
    fn add_up(
        shown: &mut Shown<Self>,
        activation: &mut Activation<Self>,
        condition: usize,
        value: bool,
        ending: Ending,
    ) {
        let (ended, outcome) = (ending as u8 >> 1, ending as u8 & 1);
        let at_end = Self::from(ended).wrapping_neg();
        shown.taken[usize::from(value)] |= 1 << condition;
        shown.outcomes |= ended << outcome;
        let unmasked = &mut shown.unmasked[usize::from(outcome)];
        for (all, pending) in unmasked.iter_mut().zip(&mut activation.pending) {
            *all |= *pending & at_end;
            *pending &= !at_end;
        }
    }

    fn to_set(&self) -> BitSet {
        BitSet::from_word(*self)
    }

    /// Folds every run of climbs into one step.
    fn compile(table: &Table) -> Vec<CompiledStep<u64>> {
        let mut todo: Vec<StepId> = table.starts().collect();
        // Steps reached by resolving are shared; compiled twice, they would double
        // with every nested `xor`.
        let mut positions = vec![None; table.ids().len()];
        let mut steps = Vec::new();
        while let Some(&first) = todo.get(steps.len()) {
            let mut step = table.step(first);
            let mut mask = word_of_range(&step.masks, 0);
            while let Then::Climb(above) = step.then {
                step = table.step(above);
                mask |= word_of_range(&step.masks, 0);
            }
            steps.push(CompiledStep::new(mask, step.then, |id| {
                *positions[id.position() as usize].get_or_insert_with(|| {
                    todo.extend([id, id.next()]);
                    todo.len() as u32 - 2
                })
            }));
        }
        steps
    }
}

impl Conditions for BitSet {
    type Mask = Range<usize>;

    fn empty(conditions: usize) -> Self {
        Self::empty(conditions)
    }

    fn set(&mut self, condition: usize, value: bool) {
        if value {
            self.insert(condition);
        }
    }

    fn assign(&mut self, condition: usize, value: bool) {
        self.remove_range(condition..condition + 1);
        self.set(condition, value);
    }

    fn contains(&self, condition: usize) -> bool {
        self.contains(condition)
    }

    fn remove(&mut self, mask: &Range<usize>) {
        self.remove_range(mask.clone());
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn add_up(
        shown: &mut Shown<Self>,
        activation: &mut Activation<Self>,
        condition: usize,
        value: bool,
        ending: Ending,
    ) {
        shown.taken[usize::from(value)].insert(condition);
        if let Some(outcome) = ending.outcome() {
            let unmasked = &mut shown.unmasked[usize::from(outcome)];
            for (all, pending) in unmasked.iter_mut().zip(&activation.pending) {
                all.unite(pending);
            }
            shown.outcomes |= 1 << u8::from(outcome);
            activation.restart();
        }
    }

    fn to_set(&self) -> BitSet {
        self.clone()
    }

    /// Keeps the table as it is, after one copy of each condition's first step.
    fn compile(table: &Table) -> Vec<CompiledStep<Range<usize>>> {
        let offset = table.conditions() as u32 * 2;
        let copy = |id: StepId| {
            let step = table.step(id);
            CompiledStep::new(step.masks.clone(), step.then, |id| id.position() + offset)
        };
        table.starts().chain(table.ids()).map(copy).collect()
    }
}
