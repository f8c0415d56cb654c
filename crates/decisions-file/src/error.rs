//! What is wrong with a decision, and where.

use obligato_model::{Position, Type, Variable};

use crate::columns::Use;

/// A text that is no decision over the columns at hand. Prints as
/// `file:line:column: reason`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{at}: {reason}")]
pub struct FormulaError {
    /// The file, as it was given.
    pub file: String,
    /// Where in it.
    pub at: Position,
    /// The whole line there.
    pub line: String,
    /// What is wrong.
    pub reason: Box<Reason>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Nothing but blank lines and comments.
    #[error("there is no decision here; write one per line, such as x && (y || z)")]
    NoDecision,
    /// No Boolean structure.
    #[error("{0}")]
    Syntax(String),
    /// A condition that is only a number.
    #[error("'{0}' is a number, not a condition; compare it, or write true or false")]
    NumberAlone(String),
    /// Neither a number nor a name.
    #[error(
        "'{0}' is neither a number nor the name of a column, which has letters, digits, '_' and '.'"
    )]
    NotAnOperand(String),
    /// A name used in two ways.
    #[error("column '{name}' is used as a {here} here, but as a {there} at {other}")]
    UsedBothWays {
        /// The column.
        name: String,
        /// How it is used here.
        here: Use,
        /// How it was used before.
        there: Use,
        /// Where that was.
        other: Position,
    },
    /// A name that the suite does not have.
    #[error("the suite has no column '{name}'; it has {known}")]
    NoColumn {
        /// The column.
        name: String,
        /// Those there are, in words.
        known: String,
    },
    /// A number where a Boolean is needed.
    #[error("column '{name}' is used as a Boolean, but its type is {kind}{hint}")]
    NotBoolean {
        /// The column.
        name: String,
        /// Its type.
        kind: Type,
        /// What may have been meant, with what separates it from the rest.
        hint: &'static str,
    },
    /// An equality of Booleans where numbers seem to be meant.
    #[error(
        "'{sign}' between two names compares Booleans, but '{left}' and '{right}' are numbers; \
         write [{left} {sign} {right}] to compare numbers"
    )]
    NumbersEqual {
        /// How it is written.
        sign: String,
        /// The left column.
        left: String,
        /// The right column.
        right: String,
    },
    /// A Boolean or a name where a number is needed.
    #[error("column '{name}' is used as a number, but its type is {kind}")]
    NotANumber {
        /// The column.
        name: String,
        /// Its type.
        kind: Type,
    },
    /// A number that the column cannot have.
    #[error("'{number}' is not a value of type {kind}, which column '{name}' has")]
    NotOfType {
        /// The number.
        number: String,
        /// The column it is compared with.
        name: String,
        /// That column's type.
        kind: Type,
    },
    /// Two columns that cannot be compared exactly.
    #[error(
        "column '{}' is of type {} and column '{}' of type {}; \
         only columns of the same type can be compared",
        left.name, left.kind, right.name, right.kind
    )]
    TypesDiffer {
        /// The left column.
        left: Box<Variable>,
        /// The right column.
        right: Box<Variable>,
    },
}
