//! The map between what a unit says and what its code does: for every condition the operation
//! whose result it is, for every statement, return and `switch` the operation that shows that it happens.
//!
//! Syntax and code come from the same text, in which every token has a place of its own, so most
//! of the map is a look-up by place. What is left is knowing which of the operations
//! at a place gives the value ([`booleans`], [`conditions`]) and what the compiler
//! does not emit: folded constants and dead code. Nothing is guessed: a condition for which no operation
//! or more than one fits is a [`Site::Missing`] with the reason, and ends up in front of the user.

use obligato_bytecode as code;
use obligato_bytecode::Register;
use obligato_clang as syntax;

mod booleans;
mod conditions;
mod places;
mod statements;

use booleans::Booleans;
use places::Places;

/// Where in the code of a function things happen, in the order in which the syntax lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionMap {
    /// Per decision.
    pub decisions: Vec<DecisionMap>,
    /// Per statement the operation that begins it; none if it has no code.
    pub statements: Vec<Option<u32>>,
    /// Per exit the operations that take it; none if it has no code.
    pub exits: Vec<Vec<u32>>,
    /// Per `switch` the operation that chooses, and on what; none if it has no code.
    pub switches: Vec<Option<(u32, Register)>>,
}

/// Where a decision is evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionMap {
    /// Per condition.
    pub conditions: Vec<Site>,
    /// If the folded conditions decide it: the operation that shows that the decision is passed, if there
    /// is one.
    pub anchor: Option<u32>,
}

/// Where a condition is evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    /// Here; at several places if the compiler has evaluated it in each arm of a choice.
    At(Vec<Evaluation>),
    /// Nowhere: the compiler knows the value.
    Folded(bool),
    /// Nowhere: the compiler knows that the decision is never reached.
    Dead,
    /// It should be somewhere; the text says what was found.
    Missing(String),
}

/// An operation that evaluates a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// When this operation has been executed,
    pub operation: u32,
    /// this register is 1 for true and 0 for false.
    pub value: Register,
    /// The two sides, if it is a comparison of numbers that fit into a register each.
    pub operands: Option<(Register, Register)>,
}

impl FunctionMap {
    /// Maps a function.
    pub fn new(said: &syntax::Function, done: &code::Function) -> Self {
        let places = Places::new(done);
        let booleans = Booleans::new(done);
        let statements = statements::map_statements(said, done, &places);
        Self {
            decisions: conditions::map_decisions(said, done, &places, &booleans, &statements),
            exits: statements::map_exits(said, done, &places),
            switches: statements::map_switches(said, done, &places),
            statements,
        }
    }
}
