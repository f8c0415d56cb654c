//! The marking function (Whalen et al., figure 4, `updateObligations`): which
//! conditions of a running evaluation are unmasked so far, and which have been
//! shown to decide.
//!
//! A [`Marker`] is a decision's [`Table`] compiled for a set representation; an
//! [`Activation`] is one evaluation in progress, [`Shown`] what evaluations have
//! added up to. Marking a condition evaluation adds it to the pending set, drops
//! what it masks, and at the end of the decision moves what is left into the
//! covered set.
//!
//! Up to 64 conditions a set is one word, every run of certain climbs is folded
//! into one mask, and nothing branches on a condition's value, so marking costs a
//! handful of word operations. Beyond that, sets are slices of words and the
//! table is climbed step by step, which keeps memory linear; each step completes
//! a node of the tree, and an evaluation completes a node at most once.

use obligato_model::{BitSet, BoolTree, Evaluation};

use crate::partial_evaluation::Table;

mod conditions;

use conditions::Action;
pub use conditions::{CompiledStep, Conditions};

/// Did a condition evaluation end its decision, and with which outcome? The
/// lowest bit is the outcome, the next one whether there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// The decision goes on.
    No = 0b00,
    /// It came out false.
    False = 0b10,
    /// It came out true.
    True = 0b11,
}

impl Ending {
    /// The ending with this outcome.
    pub fn with(outcome: bool) -> Self {
        if outcome { Self::True } else { Self::False }
    }

    /// The outcome, if there is one.
    pub fn outcome(self) -> Option<bool> {
        match self {
            Self::No => None,
            Self::False => Some(false),
            Self::True => Some(true),
        }
    }
}

/// A decision compiled for marking. The step of condition `c` being `v` is
/// the one at `2c + v`.
#[derive(Clone, Debug)]
pub struct Marker<S: Conditions> {
    steps: Vec<CompiledStep<S::Mask>>,
    conditions: usize,
    slots: usize,
}

/// An evaluation of a decision in progress.
#[derive(Clone, Debug)]
pub struct Activation<S> {
    /// Evaluated to false, and to true, and not masked since.
    pub pending: [S; 2],
    /// A value per slot; one that was not set in this evaluation is not read.
    remembered: S,
    expected: u32,
}

/// What evaluations have shown, added up.
#[derive(Clone, Debug)]
pub struct Shown<S> {
    /// Conditions that were false, and that were true.
    pub taken: [S; 2],
    /// Conditions unmasked at the end of their evaluation, by outcome, then by value.
    pub unmasked: [[S; 2]; 2],
    /// Did the decision come out false (lowest bit), and true?
    pub outcomes: u8,
}

impl<S: Conditions> Shown<S> {
    /// Nothing yet, of a decision with so many conditions.
    pub fn nothing(conditions: usize) -> Self {
        let empty = || S::empty(conditions);
        Self {
            taken: [empty(), empty()],
            unmasked: [[empty(), empty()], [empty(), empty()]],
            outcomes: 0,
        }
    }
}

impl<S: Conditions> Activation<S> {
    /// The condition that has to be evaluated next; the first one in an
    /// evaluation that has not begun.
    #[inline]
    pub fn expected(&self) -> usize {
        self.expected as usize
    }

    /// Evaluated and not masked since, whatever the value.
    pub fn unmasked(&self) -> BitSet {
        let [of_false, of_true] = &self.pending;
        let mut all = of_false.to_set();
        all.unite(&of_true.to_set());
        all
    }

    /// Back to the beginning.
    pub fn restart(&mut self) {
        for pending in &mut self.pending {
            pending.clear();
        }
        self.expected = 0;
    }
}

impl<S: Conditions> Marker<S> {
    /// The marker of a decision; `constants` has the value of each condition that
    /// can only have one.
    pub fn new(tree: &BoolTree, constants: &[Option<bool>]) -> Self {
        let table = Table::new(tree, constants);
        Self { steps: S::compile(&table), conditions: table.conditions(), slots: table.slots() }
    }

    /// How many conditions the decision has.
    pub fn conditions(&self) -> usize {
        self.conditions
    }

    /// A new evaluation.
    pub fn start(&self) -> Activation<S> {
        Activation {
            pending: [S::empty(self.conditions), S::empty(self.conditions)],
            remembered: S::empty(self.slots),
            expected: 0,
        }
    }

    /// Marks `condition`, the expected one, as evaluated to `value`. If that ends
    /// the decision, `pending` holds the unmasked conditions.
    ///
    /// The caller names the condition although it is known, so that the processor
    /// need not wait for the last step to find the next.
    #[inline]
    pub fn mark(&self, activation: &mut Activation<S>, condition: usize, value: bool) -> Ending {
        let mut step = &self.steps[condition * 2 + usize::from(value)];
        let [of_false, of_true] = &mut activation.pending;
        of_false.set(condition, !value);
        of_true.set(condition, value);
        loop {
            of_false.remove(&step.mask);
            of_true.remove(&step.mask);
            match step.action {
                Action::Nothing => break,
                Action::Remember { slot, value } => {
                    activation.remembered.assign(slot as usize, value);
                    break;
                }
                Action::Resolve { slot, on } => {
                    let remembered = activation.remembered.contains(slot as usize);
                    step = &self.steps[on as usize + usize::from(remembered)];
                }
                Action::Climb(above) => step = &self.steps[above as usize],
            }
        }
        activation.expected = step.next;
        step.ending
    }

    /// Marks a condition and adds it up in `shown`; at the end of the decision
    /// the activation is ready for the next evaluation.
    #[inline]
    pub fn mark_into(
        &self,
        shown: &mut Shown<S>,
        activation: &mut Activation<S>,
        condition: usize,
        value: bool,
    ) -> Ending {
        let ending = self.mark(activation, condition, value);
        S::add_up(shown, activation, condition, value, ending);
        ending
    }
}

/// Which conditions are unmasked in a whole evaluation of a decision; `None`
/// if the decision cannot be evaluated so.
pub fn unmasked(
    tree: &BoolTree,
    constants: &[Option<bool>],
    evaluation: &Evaluation,
) -> Option<BitSet> {
    if tree.conditions() <= 64 {
        unmasked_by(&Marker::<u64>::new(tree, constants), evaluation)
    } else {
        unmasked_by(&Marker::<BitSet>::new(tree, constants), evaluation)
    }
}

fn unmasked_by<S: Conditions>(marker: &Marker<S>, evaluation: &Evaluation) -> Option<BitSet> {
    let mut activation = marker.start();
    let mut evaluated = 0;
    loop {
        let condition = activation.expected();
        let value = evaluation.value(condition)?;
        evaluated += 1;
        if let Some(outcome) = marker.mark(&mut activation, condition, value).outcome() {
            let same = evaluated == evaluation.evaluated().len() && outcome == evaluation.outcome;
            return same.then(|| activation.unmasked());
        }
    }
}
