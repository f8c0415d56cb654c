//! The analysed model: the syntax tree and all that the passes found out about it.
//!
//! This is what expanding calls and lowering to a step graph start from. Blocks and automata are
//! rewritten; what the other passes add lies beside the tree, by id:
//!
//! - [`Model::kind`] gives the kind of every expression, [`Model::resolution`] what a name
//!   stands for and which node a call calls;
//! - [`Node::definitions`] lists what to compute in a causal order: a variable, the equation
//!   that defines it, and which part of the equation's right side it is;
//! - [`Node::decisions`] are the decisions of the source, as plain data;
//! - [`Model::node_order`] lists nodes with the nodes they call before them.
//!
//! Variables have one numbering over all nodes and contracts, so that a resolution is one id.

use rustc_hash::{FxHashMap, FxHashSet};

use super::clocks::Clocks;
use super::decision::NodeDecision;
use super::kind::{EnumerationId, KindId, Kinds};
use super::value::ConstantValue;
use obligato_lustre_syntax::ast::{
    Clock, Expr, ExprId, ItemId, Name, NodeKind, Property, Symbol, SyntaxTree, TypeDefinition,
    Variability,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;
use obligato_lustre_syntax::typed_id;

typed_id! {
    /// A node, function or declared contract of a model.
    NodeId
}

typed_id! {
    /// A variable of a node or contract, or one bound by a quantifier or an array definition.
    VariableId
}

typed_id! {
    /// A constant of the file, a node or a contract.
    ConstantId
}

/// The meaning of an expression that is a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Resolution {
    /// It names nothing.
    #[default]
    None,
    /// A variable: of a name, of `last x`, of the clock of `when` and `merge`; also the outermost
    /// expression of a flattened name such as `msg.buff[0]`.
    Variable(VariableId),
    /// A constant.
    Constant(ConstantId),
    /// A value of an enumeration, by its position.
    Enumeration(EnumerationId, u32),
    /// What a call calls.
    Node(NodeId),
    /// An inner part of a flattened name: it has no value of its own.
    Part,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableRole {
    /// An input of a node or contract.
    Input(Variability),
    /// An output.
    Output,
    /// A local variable, or a variable of a contract.
    Local,
    /// Bound by `forall` or `exists`.
    Quantified,
    /// Runs over the indices of an array that is being defined.
    Index,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, where it is declared.
    pub name: Name,
    /// What it is for.
    pub role: VariableRole,
    /// Its type as written; an index variable has none.
    pub written: Option<obligato_lustre_syntax::ast::TypeId>,
    /// Its kind.
    pub kind: KindId,
    /// `when c`, where it is declared.
    pub clock: Option<Clock>,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name, where it is declared.
    pub name: Name,
    /// Its kind, written or taken from its value.
    pub kind: KindId,
    /// The type as written, if it is.
    pub written: Option<obligato_lustre_syntax::ast::TypeId>,
    /// The expression of its value; `None` for a free constant.
    pub expr: Option<ExprId>,
    /// Its value. A free constant has none: it is some value that never changes.
    pub value: Option<ConstantValue>,
}

/// What a declared type is: a name and the definition it shares with other names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredType {
    /// The name, where it is declared.
    pub name: Name,
    /// What it is, as written.
    pub definition: TypeDefinition,
    /// What it means.
    pub kind: KindId,
}

/// The left side of an equation, or one of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The variable defined.
    pub variable: VariableId,
    /// Where it stands in the equation.
    pub span: ByteSpan,
    /// `A[i][j] = …`: the variables that run over the indices.
    pub indices: Vec<VariableId>,
}

/// An equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The item of the tree; a variable of a contract has none.
    pub item: Option<ItemId>,
    /// What it defines. None: a call for its properties only.
    pub targets: Vec<Target>,
    /// The right side.
    pub value: ExprId,
    /// Where it stands.
    pub span: ByteSpan,
}

/// A variable and what defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The variable.
    pub variable: VariableId,
    /// The position of its equation in [`Node::equations`].
    pub equation: u32,
    /// The position of the variable among the equation's targets.
    pub part: u32,
}

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeBody {
    /// Equations.
    Defined,
    /// `imported`: nothing is known but the contract.
    Imported,
    /// A function without a body: equal arguments give equal results, nothing else is known.
    Uninterpreted,
    /// None: this is a declared contract, which only reads its outputs.
    Contract,
}

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallSite {
    /// The call, an [`Expr::Call`](obligato_lustre_syntax::ast::Expr::Call).
    pub expr: ExprId,
    /// The node called.
    pub callee: NodeId,
}

/// A node, function or declared contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name, where it is declared.
    pub name: Name,
    /// Node or function?
    pub kind: NodeKind,
    /// What it does.
    pub body: NodeBody,
    /// Where it stands.
    pub span: ByteSpan,
    /// Its inputs.
    pub inputs: Vec<VariableId>,
    /// Its outputs.
    pub outputs: Vec<VariableId>,
    /// Its local variables.
    pub locals: Vec<VariableId>,
    /// Its own constants.
    pub constants: Vec<ConstantId>,
    /// Its equations, as written.
    pub equations: Vec<Equation>,
    /// What the equations define, each after what it reads at the same instant.
    pub definitions: Vec<Definition>,
    /// What `assert` says of the inputs.
    pub asserts: Vec<ExprId>,
    /// The properties.
    pub properties: Vec<Property>,
    /// `(*@contract … *)`, or what a declared contract says.
    pub contract: Option<Contract>,
    /// The calls, in the order in which they are written.
    pub calls: Vec<CallSite>,
    /// For each output, the positions of the inputs that it depends on at the same instant.
    /// Empty for a node that no other calls.
    pub instantaneous: Vec<Vec<u32>>,
    /// Does it say that it is the main node?
    pub marked_main: bool,
    /// The decisions of its body and contract, outer before inner, in source order.
    pub decisions: Vec<NodeDecision>,
}

/// What a node's contract or a declared one says of the inputs and outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// Its own variables.
    pub variables: Vec<VariableId>,
    /// Its own constants.
    pub constants: Vec<ConstantId>,
    /// What defines its variables.
    pub equations: Vec<Equation>,
    /// What the equations define, in a causal order.
    pub definitions: Vec<Definition>,
    /// What it assumes.
    pub assumptions: Vec<ExprId>,
    /// What it guarantees.
    pub guarantees: Vec<ExprId>,
    /// Its modes.
    pub modes: Vec<Mode>,
    /// The contracts it takes over.
    pub imports: Vec<Import>,
}

/// A mode of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Its name.
    pub name: Name,
    /// When it is active.
    pub requires: Vec<ExprId>,
    /// What holds then.
    pub ensures: Vec<ExprId>,
}

/// `import c(x) returns (y)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The contract, a node whose body is [`NodeBody::Contract`].
    pub contract: NodeId,
    /// What stands for its inputs.
    pub inputs: Vec<ExprId>,
    /// What stands for its outputs.
    pub outputs: Vec<VariableId>,
    /// Where it stands.
    pub span: ByteSpan,
}

/// The analysed model. See the [module](self).
#[derive(Clone, Debug)]
pub struct Model {
    /// The syntax tree.
    pub program: SyntaxTree,
    /// All kinds.
    pub kinds: Kinds,
    /// The declared types.
    pub types: Vec<DeclaredType>,
    /// The constants of the file, of nodes and of contracts.
    pub constants: Vec<Constant>,
    /// All variables.
    pub variables: Vec<Variable>,
    /// The nodes, functions and declared contracts, in the order of the file.
    pub nodes: Vec<Node>,
    /// The nodes, each after those it calls and the contracts it imports.
    pub node_order: Vec<NodeId>,
    /// The node to test.
    pub main: NodeId,
    /// When expressions and variables are present.
    pub clocks: Clocks,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// What stands for `last x`, or keeps a value, and has none at the first instant.
    pub(super) uninitialised: FxHashSet<ExprId>,
    /// The variables of quantifiers.
    pub(super) quantified: FxHashMap<ExprId, Vec<VariableId>>,
    pub(super) resolutions: Vec<Resolution>,
    pub(super) expr_kinds: Vec<KindId>,
    pub(super) type_kinds: Vec<Option<KindId>>,
}

impl Node {
    /// The nodes that it calls and the contracts that it imports.
    pub fn uses(&self) -> impl Iterator<Item = NodeId> {
        let imports = self.contract.iter().flat_map(|contract| &contract.imports);
        let calls = self.calls.iter().map(|call| call.callee);
        calls.chain(imports.map(|import| import.contract))
    }
}

impl Model {
    pub(super) fn new(program: SyntaxTree, uninitialised: FxHashSet<ExprId>) -> Self {
        let (exprs, types) = (program.exprs().len(), program.types().len());
        Self {
            program,
            kinds: Kinds::default(),
            types: Vec::new(),
            constants: Vec::new(),
            variables: Vec::new(),
            nodes: Vec::new(),
            node_order: Vec::new(),
            main: NodeId::new(0),
            clocks: Clocks::default(),
            warnings: Vec::new(),
            uninitialised,
            quantified: FxHashMap::default(),
            resolutions: vec![Resolution::None; exprs],
            expr_kinds: vec![Kinds::unknown(); exprs],
            type_kinds: vec![None; types],
        }
    }

    /// Does an expression stand in the text, and not only in what blocks and automata become?
    pub fn is_written(&self, id: ExprId) -> bool {
        self.program.is_written(id)
    }

    /// Does a name stand in the text?
    pub fn is_written_name(&self, symbol: Symbol) -> bool {
        self.program.is_written_name(symbol)
    }

    /// Adds an expression whose meaning is known. Its operands are there already.
    pub(crate) fn add_expr(
        &mut self,
        expr: Expr,
        span: ByteSpan,
        kind: KindId,
        resolution: Resolution,
    ) -> ExprId {
        self.expr_kinds.push(kind);
        self.resolutions.push(resolution);
        self.program.add_expr(expr, span)
    }

    /// The kind of an expression.
    pub fn kind(&self, id: ExprId) -> KindId {
        self.expr_kinds[id.index()]
    }

    /// The meaning of an expression that is a name.
    pub fn resolution(&self, id: ExprId) -> Resolution {
        self.resolutions[id.index()]
    }

    /// The variables that a quantifier binds, in the order in which they are written.
    pub fn quantified(&self, id: ExprId) -> &[VariableId] {
        self.quantified.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The kind of a type where it stands, if something uses the type.
    pub fn kind_of_type(&self, id: obligato_lustre_syntax::ast::TypeId) -> Option<KindId> {
        self.type_kinds[id.index()]
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// A constant.
    pub fn constant(&self, id: ConstantId) -> &Constant {
        &self.constants[id.index()]
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The nodes and functions, in the order of their declarations; contracts are neither.
    pub fn declared_nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.body != NodeBody::Contract)
    }

    /// How many nodes and functions there are.
    pub fn node_count(&self) -> usize {
        self.declared_nodes().count()
    }

    /// The node of this name; contracts have names of their own.
    pub fn find_node(&self, name: &str) -> Option<NodeId> {
        let symbol = self.program.symbols.find(name)?;
        let is_it = |node: &Node| node.name.symbol == symbol && node.body != NodeBody::Contract;
        Some(NodeId::new(self.nodes.iter().position(is_it)?))
    }

    /// The main node.
    pub fn main_node(&self) -> &Node {
        self.node(self.main)
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.program.text(symbol)
    }

    /// The name of a variable.
    pub fn variable_name(&self, id: VariableId) -> &str {
        self.text(self.variable(id).name.symbol)
    }

    /// How a message names a kind.
    pub fn describe(&self, kind: KindId) -> String {
        self.kinds.describe(kind, &self.program.symbols)
    }
}
