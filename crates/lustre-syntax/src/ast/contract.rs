//! Contracts: what a node may assume and must guarantee.

use super::comment::Trivia;
use super::declaration::Constant;
use super::expr::ExprId;
use super::pool::List;
use super::symbol::{Name, Symbol};
use super::types::{StaticArgument, VariableGroup};
use crate::source::ByteSpan;

/// An item of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractItem {
    /// What it is.
    pub kind: ContractItemKind,
    /// Where it stands.
    pub span: ByteSpan,
    /// Comments around it.
    pub trivia: Trivia,
}

/// What an item of a contract is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractItemKind {
    /// `var x: int = e;`, also `var x: int, y: bool = e;`.
    Variables(Vec<VariableGroup>, ExprId),
    /// `const c: int = e;`.
    Constant(Constant),
    /// `assume e;`.
    Assume(Clause, Force),
    /// `guarantee e;`.
    Guarantee(Clause, Force),
    /// `mode m ( require e; ensure e; );`.
    Mode {
        /// The mode.
        name: Name,
        /// When it is active.
        requires: Vec<Clause>,
        /// What holds then.
        ensures: Vec<Clause>,
    },
    /// `import c(x, y) returns (z);`.
    Import {
        /// The contract.
        contract: Name,
        /// `<<…>>`.
        statics: List<StaticArgument>,
        /// What stands for its inputs.
        inputs: List<ExprId>,
        /// What stands for its outputs.
        outputs: Vec<Name>,
    },
    /// `assumption_vars x, y;`: what Kind 2 may use in an assumption that it finds.
    AssumptionVariables(Vec<Name>),
}

/// A condition with an optional title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    /// The title, as written between the quotes.
    pub title: Option<Symbol>,
    /// The condition.
    pub condition: ExprId,
}

/// Is a clause only a wish?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Force {
    /// No.
    Strict,
    /// `weakly`: Kind 2 may drop it to find a core.
    Weakly,
}
