//! Errors in graphs, systems, and requests to simulate them.

use obligato_model::Type;

use crate::meaning::LARGEST_NUMBER;
use crate::sort::Sort;
use crate::term::NodeId;

/// An invalid graph, system or request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A type that systems do not have.
    #[error("type {0} has no place in a transition system")]
    UnsupportedType(Type),
    /// An operand of the wrong sort.
    #[error("{operation} does not take {found}")]
    WrongOperand {
        /// The operation.
        operation: String,
        /// The sort it was given.
        found: Sort,
    },
    /// Two operands whose sorts do not go together.
    #[error("{operation} does not take {left} and {right}")]
    MismatchedOperands {
        /// The operation.
        operation: String,
        /// The sort of the left operand.
        left: Sort,
        /// The sort of the right operand.
        right: Sort,
    },
    /// A node of another graph.
    #[error("node {0} is not in the graph")]
    UnknownNode(NodeId),
    /// A next value for what is not a latch.
    #[error("node {0} is not a latch")]
    NotALatch(NodeId),
    /// A value that is not of the sort or type asked for.
    #[error("{value} is not a value of type {kind}{}", .of.as_ref().map(|name| format!(", which '{name}' has")).unwrap_or_default())]
    WrongValue {
        /// The value.
        value: String,
        /// The type.
        kind: String,
        /// The variable, if there is one.
        of: Option<String>,
    },
    /// A node of another sort than its variable.
    #[error("'{name}' has type {kind}, but what defines it is of type {found}")]
    WrongSort {
        /// The variable.
        name: String,
        /// Its type.
        kind: Type,
        /// The sort of the node.
        found: Sort,
    },
    /// A name given twice.
    #[error("'{0}' is declared twice")]
    Duplicate(String),
    /// A latch without a next value.
    #[error("latch '{0}' has no next value")]
    NoNext(String),
    /// A next value given twice.
    #[error("latch '{0}' has two next values")]
    TwoNexts(String),
    /// A variable whose node is not its own input or latch.
    #[error("'{0}' does not stand for its own node")]
    Displaced(String),
    /// An input, latch, output, check or tap that does not exist.
    #[error("there is no {what} {index}, only {count}")]
    NoSuch {
        /// What was asked for.
        what: &'static str,
        /// Which one.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The wrong number of values.
    #[error("{found} values for {what}, where {expected} are needed")]
    WrongCount {
        /// What they are for.
        what: &'static str,
        /// How many there have to be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A node that the compiled program does not keep.
    #[error("node {0} was not among those to observe when the program was compiled")]
    NotObserved(NodeId),
    /// Forcing in a program that was compiled without it.
    #[error("the program was compiled without forcing")]
    NotForceable,
    /// A number that exceeds the size limit.
    #[error("node {0} has a value of more than {LARGEST_NUMBER} bits")]
    Exhausted(NodeId),
    /// A state saved by a simulator of another program.
    #[error("the state was saved by another program")]
    ForeignState,
}
