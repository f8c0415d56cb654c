//! The items between `let` and `tel`: equations, properties, blocks, automata.

use super::comment::Trivia;
use super::declaration::Constant;
use super::expr::ExprId;
use super::symbol::{Name, Symbol};
use super::types::VariableGroup;
use crate::source::ByteSpan;
use crate::typed_id;

typed_id! {
    /// An item of a body.
    ItemId
}

/// An item of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Where it stands.
    pub span: ByteSpan,
    /// Comments around it.
    pub trivia: Trivia,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `(x, y) = e;`. No targets: a call for its properties only.
    Equation(Vec<Target>, ExprId),
    /// `assert e;`.
    Assert(ExprId),
    /// `--%PROPERTY e;`, `check e;`.
    Property(Property),
    /// `--%MAIN;`, `--!MAIN : false;`.
    Main(bool),
    /// `--%IVC x, y;`: what an inductive validity core may leave out.
    Ivc(Vec<Name>),
    /// `--%REALIZABLE x, y;`: the inputs of a realizability check.
    Realizable(Vec<Name>),
    /// `if c then … elsif d then … else … fi`.
    If(Vec<Branch>, Option<Vec<ItemId>>),
    /// `frame (x, y) … let … tel`.
    Frame(Frame),
    /// `automaton … returns x;`.
    Automaton(Automaton),
}

impl ItemKind {
    /// The items that a block or an automaton is made of.
    pub fn contents(&self) -> Vec<ItemId> {
        match self {
            Self::If(branches, otherwise) => {
                let branches = branches.iter().flat_map(|branch| &branch.items);
                branches.chain(otherwise.iter().flatten()).copied().collect()
            }
            Self::Frame(frame) => frame.initial.iter().chain(&frame.items).copied().collect(),
            Self::Automaton(automaton) => {
                automaton.states.iter().flat_map(|state| &state.items).copied().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The left side of an equation, or one of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The variable.
    pub name: Name,
    /// `A[i][j] = …`: the variables that run over the indices.
    pub indices: Vec<Name>,
}

/// A property to prove or a state to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its title, as written between the quotes.
    pub title: Option<Symbol>,
    /// What is claimed of the condition.
    pub claim: Claim,
    /// The condition.
    pub condition: ExprId,
    /// `provided e`: claimed only where `e` holds.
    pub provided: Option<ExprId>,
    /// How it is written.
    pub notation: PropertyNotation,
}

/// What a property claims of its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// It always holds.
    Invariant,
    /// It holds at some step within these bounds.
    Reachable(Bounds),
}

/// The steps at which a condition is to be reached; literals as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// `from n`.
    pub from: Option<Symbol>,
    /// `at n`.
    pub at: Option<Symbol>,
    /// `within n`.
    pub within: Option<Symbol>,
}

/// How a property is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyNotation {
    /// `--%PROPERTY e;`.
    Pragma,
    /// `check e;`.
    Check,
}

/// `if c then …`, a part of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The condition.
    pub condition: ExprId,
    /// What is defined where it holds.
    pub items: Vec<ItemId>,
}

/// A block whose variables keep their values where it does not define them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The variables.
    pub names: Vec<Name>,
    /// Equations for their first values.
    pub initial: Vec<ItemId>,
    /// The body.
    pub items: Vec<ItemId>,
}

/// An automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// Its name.
    pub name: Option<Name>,
    /// Its states, in the order written.
    pub states: Vec<State>,
    /// `returns x, y;`: what it defines; `None` is `returns ..;`, found from the states.
    pub returns: Option<Vec<Name>>,
}

impl Automaton {
    /// The position of the first state: the one that says so, else the one written first.
    pub fn initial(&self) -> usize {
        self.states.iter().position(|state| state.initial).unwrap_or(0)
    }
}

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name.
    pub name: Name,
    /// Is it the first state?
    pub initial: bool,
    /// Transitions taken before the step.
    pub unless: Vec<Transition>,
    /// Its own variables and constants.
    pub locals: Vec<Local>,
    /// What it defines.
    pub items: Vec<ItemId>,
    /// Transitions taken after the step.
    pub until: Vec<Transition>,
    /// Where it stands.
    pub span: ByteSpan,
}

/// `if c restart A elsif d resume B else restart C end`: the first guard that holds decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The arms; only the last may be without a guard.
    pub arms: Vec<Arm>,
    /// Where it stands.
    pub span: ByteSpan,
}

/// A guard and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arm {
    /// The guard; `None` is always.
    pub guard: Option<ExprId>,
    /// The next state.
    pub state: Name,
    /// Does the next state remember?
    pub entry: Entry,
}

/// How a state is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// `restart`: as at the first step.
    Restart,
    /// `resume`: with the memory it had when it was left.
    Resume,
}

/// A declaration before `let`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Local {
    /// `var a, b: int;`.
    Variables(VariableGroup),
    /// `const c = 1;`.
    Constant(Constant),
}
