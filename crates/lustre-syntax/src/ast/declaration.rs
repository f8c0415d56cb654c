//! What a file declares: types, constants, nodes, contracts.

use super::comment::{Comment, Trivia};
use super::contract::ContractItem;
use super::expr::ExprId;
use super::item::{ItemId, Local};
use super::pool::List;
use super::symbol::{Name, Symbol};
use super::types::{StaticArgument, TypeId, VariableGroup};
use crate::source::ByteSpan;

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What it declares.
    pub kind: DeclarationKind,
    /// Where it stands.
    pub span: ByteSpan,
    /// Comments around it.
    pub trivia: Trivia,
}

/// What a declaration declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// `include "file.lus"`, the path as written between the quotes.
    Include(Symbol),
    /// `#open <conv>`, a library of LustreC, as written with what is around its name.
    Open(Symbol),
    /// `type t = …;`.
    Type(TypeDeclaration),
    /// `const c = e;`.
    Constant(Constant),
    /// `node` or `function`.
    Node(Box<Node>),
    /// `contract c(…) returns (…); let … tel`.
    Contract(Box<ContractDeclaration>),
    /// `node n = m<<int>>;`.
    Instance(Instance),
}

/// `type a, b = …;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDeclaration {
    /// The names.
    pub names: Vec<Name>,
    /// `<<t; u>>`: type parameters.
    pub parameters: Vec<Name>,
    /// What they are.
    pub definition: TypeDefinition,
}

/// What a declared type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeDefinition {
    /// Nothing is known of it.
    Free,
    /// Another name for a type.
    Alias(TypeId),
    /// `struct { x: int; y: bool }`.
    Record(Vec<VariableGroup>),
    /// `enum { A, B }`.
    Enumeration(Vec<Name>),
}

/// A constant of a file, a node or a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The names; several only for free constants.
    pub names: Vec<Name>,
    /// The type, if it is written.
    pub kind: Option<TypeId>,
    /// The value; `None` is a free constant.
    pub value: Option<ExprId>,
    /// Where it stands.
    pub span: ByteSpan,
    /// Comments around it, for a constant of a node.
    pub trivia: Trivia,
}

/// Node or function?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// `node`: may have state.
    Node,
    /// `function`: may not.
    Function,
}

/// May other nodes look inside? A hint to Kind 2's modular analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opacity {
    /// `opaque`.
    Opaque,
    /// `transparent`.
    Transparent,
}

/// A node or function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Node or function?
    pub kind: NodeKind,
    /// `opaque` or `transparent`.
    pub opacity: Option<Opacity>,
    /// The name.
    pub name: Name,
    /// Inputs and outputs.
    pub signature: Signature,
    /// `(*@contract … *)`.
    pub contract: Option<Vec<ContractItem>>,
    /// What it does.
    pub body: Body,
}

/// What a node does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// `imported`: nothing is known but the contract.
    Imported,
    /// A function without a body: uninterpreted, in JKind.
    Absent,
    /// `var … let … tel`.
    Defined(Definition),
}

/// `var … let … tel`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Variables and constants before `let`.
    pub locals: Vec<Local>,
    /// What stands between `let` and `tel`.
    pub items: Vec<ItemId>,
    /// Comments before `tel`.
    pub closing: List<Comment>,
}

/// `<<t>>(x: int) returns (y: int)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Type parameters.
    pub parameters: Vec<Name>,
    /// Inputs.
    pub inputs: Vec<VariableGroup>,
    /// Outputs.
    pub outputs: Vec<VariableGroup>,
}

/// `contract c(…) returns (…); let … tel`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractDeclaration {
    /// The name.
    pub name: Name,
    /// Inputs and outputs.
    pub signature: Signature,
    /// What it says.
    pub items: Vec<ContractItem>,
}

/// `node n = m<<int>>;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The new node.
    pub name: Name,
    /// What it is an instance of.
    pub of: Name,
    /// The arguments.
    pub arguments: List<StaticArgument>,
}
