//! The map between source and code: for every condition the operation that evaluates it, for every
//! statement, return and `switch` the operation that executes it.
//!
//! Syntax and code come from the same text, in which every token has a place of its own, so most
//! of the map is a look-up by place. The rest is to choose among the operations at a place
//! the one that gives the value ([`booleans`], [`conditions`]), and to recognise what the compiler
//! does not emit: folded constants and dead code. Nothing is guessed: a condition for which no operation
//! or more than one fits is an [`EvaluationSite::Missing`], whose reason is shown to the user.

use obligato_bytecode as code;
use obligato_bytecode::Register;
use obligato_clang as syntax;

mod booleans;
mod conditions;
mod places;
mod statements;

use booleans::Booleans;
use places::Places;

/// The operations of a function for its decisions, statements, exits and `switch`es, in the order of the syntax.
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
    pub conditions: Vec<EvaluationSite>,
    /// If the folded conditions determine the outcome: the operation that is executed whenever the decision is, if there
    /// is one.
    pub anchor: Option<u32>,
}

/// Where a condition is evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluationSite {
    /// By these operations; several if the compiler evaluates it in each arm of a choice.
    At(Vec<Evaluation>),
    /// Nowhere: the compiler has folded it to this value.
    Folded(bool),
    /// Nowhere: the compiler has found it unreachable.
    Dead,
    /// Not found, for this reason.
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
