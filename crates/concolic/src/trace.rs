//! The trace of a run: its path condition, and the conditions it evaluated.

use obligato_bytecode::CodeId;
use obligato_model::{ConditionId, NotFollowed};
use obligato_term::Term;

/// An operation of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeLocation {
    /// The function.
    pub function: CodeId,
    /// The index of the operation in its code.
    pub operation: u32,
}

/// A call stack: a node of [`Trace::stacks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StackId(pub u32);

/// The innermost frame of a call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// The stack below it.
    pub caller: Option<StackId>,
    /// The function that called, and the start of the block it called from.
    pub from: Option<CodeLocation>,
}

/// A symbolic branch: a conjunct of the path condition, with its alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The operation.
    pub location: CodeLocation,
    /// In which step of the test.
    pub step: u32,
    /// The call stack.
    pub stack: StackId,
    /// What depends on inputs there.
    pub kind: ForkKind,
    /// One bit, which holds in this run: the conjunct of the path condition.
    pub holds: Term,
    /// What can hold for other inputs.
    pub alternatives: Vec<Alternative>,
}

/// A branch that the run did not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// One bit: the condition of the branch.
    pub term: Term,
    /// The target block, if the fork is one of control.
    pub target: Option<u32>,
    /// Does the run continue there?
    pub continuation: Continuation,
}

/// Whether a run continues on a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// It continues.
    Continues,
    /// It ends with a runtime error.
    RuntimeError,
}

/// A condition and one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConditionValue {
    /// The condition.
    pub condition: ConditionId,
    /// The value.
    pub value: bool,
}

/// What depends on inputs at a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForkKind {
    /// The successor of a basic block.
    Branch,
    /// The value of a condition, as the evaluation at this position of [`Trace::evaluated`] has it.
    Condition(u32),
    /// Which object is read, written or called, and whether the access is inside of it.
    Access,
    /// Whether an operation has a defined result.
    Check,
}

/// One evaluation of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The condition.
    pub condition: ConditionId,
    /// Its value in this run.
    pub value: bool,
    /// Its symbolic value, if it depends on inputs.
    pub term: Option<Term>,
    /// The operands of a comparison, as words of 64 bits.
    pub operands: Option<[Term; 2]>,
    /// How many forks were before it.
    pub forks: u32,
    /// In which step of the test.
    pub step: u32,
    /// The evaluation before it that belongs to the same evaluation of its decision.
    pub previous: Option<u32>,
}

/// The trace of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// All forks, in order: the conjunction of their `holds` is the path condition.
    pub forks: Vec<Fork>,
    /// All values of conditions, in order.
    pub evaluated: Vec<Evaluated>,
    /// All call stacks.
    pub stacks: Vec<OpenCall>,
    /// Values that were concretised without a constraint on the path: where and why, each reason once. Exploration is incomplete then.
    pub concretised: Vec<(CodeLocation, NotFollowed)>,
}

impl Trace {
    /// The call sites of a call stack, the innermost first.
    pub fn callers(&self, stack: StackId) -> impl Iterator<Item = CodeLocation> {
        let mut next = Some(stack);
        std::iter::from_fn(move || {
            let call = self.stacks[next?.0 as usize];
            next = call.caller;
            call.from
        })
    }

    /// The conditions evaluated so far in the same evaluation of a decision, this one included: the latest first.
    pub fn so_far(&self, evaluation: u32) -> impl Iterator<Item = &Evaluated> {
        let mut next = Some(evaluation);
        std::iter::from_fn(move || {
            let evaluated = &self.evaluated[next? as usize];
            next = evaluated.previous;
            Some(evaluated)
        })
    }
}
