//! What a run did, as far as it depended on its inputs.

use obligato_bytecode::CodeId;
use obligato_model::ConditionId;
use obligato_term::Term;

/// An operation of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// In this function,
    pub function: CodeId,
    /// at this position of its code.
    pub operation: u32,
}

/// The calls that are open at some moment: a node of [`Trace::stacks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StackId(pub u32);

/// The innermost of some open calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// Who called.
    pub caller: Option<StackId>,
    /// The function that called, and the start of the block it called from.
    pub from: Option<Place>,
}

/// Something that could have been otherwise with other inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// Where.
    pub place: Place,
    /// In which step of the test.
    pub step: u32,
    /// Within these calls.
    pub stack: StackId,
    /// What it is about.
    pub kind: ForkKind,
    /// One bit, which holds in this run.
    pub holds: Term,
    /// What could hold in its stead.
    pub others: Vec<Other>,
}

/// Another way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// One bit.
    pub term: Term,
    /// The block that it leads to, if it is control that goes elsewhere.
    pub target: Option<u32>,
    /// Does the run go on there, or is it a fault that ends it?
    pub leads: Leads,
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    /// It goes on.
    On,
    /// It ends with a fault of the program.
    ToFault,
}

/// What a fork is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForkKind {
    /// Where control goes.
    Branch,
    /// The value of a condition, as the evaluation at this position of [`Trace::evaluated`] has it.
    Condition(u32),
    /// Which object is read, written or called, and whether the access is inside of it.
    Access,
    /// Whether an operation has a defined result.
    Check,
}

/// The value of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The condition.
    pub condition: ConditionId,
    /// Its value in this run.
    pub value: bool,
    /// Its value for other inputs, if it depends on them.
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

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// All forks, in order: what held at each is the path condition.
    pub forks: Vec<Fork>,
    /// All values of conditions, in order.
    pub evaluated: Vec<Evaluated>,
    /// All stacks of open calls.
    pub stacks: Vec<OpenCall>,
    /// What was taken as it was in this run although it depends on inputs: why, each reason once.
    pub fixed: Vec<(Place, String)>,
}

impl Trace {
    /// Where the calls that are open return to: the innermost first.
    pub fn callers(&self, stack: StackId) -> impl Iterator<Item = Place> {
        let mut next = Some(stack);
        std::iter::from_fn(move || {
            let call = self.stacks[next?.0 as usize];
            next = call.caller;
            call.from
        })
    }

    /// What this evaluation of a decision has come to up to here, this value included: the latest first.
    pub fn so_far(&self, evaluation: u32) -> impl Iterator<Item = &Evaluated> {
        let mut next = Some(evaluation);
        std::iter::from_fn(move || {
            let evaluated = &self.evaluated[next? as usize];
            next = evaluated.previous;
            Some(evaluated)
        })
    }
}
