//! The syntax tree: what a file says, with a place for everything.
//!
//! The tree is flat. Expressions, types and items live in vectors of a [`SyntaxTree`] and name
//! each other by typed ids; lists are ranges of pools; names and literals are [`Symbol`]s.
//! Nothing recurses: nesting is limited by memory alone.
//!
//! Start reading at [`declaration`], then [`item`], then [`expr`]. The tree says what is
//! written, not what it means: names are not resolved, types are not checked.

mod additions;
pub mod comment;
pub mod contract;
pub mod copy;
pub mod copy_declaration;
pub mod declaration;
pub mod expr;
pub mod item;
pub mod operator;
pub mod pool;
pub mod symbol;
pub mod types;
pub mod walk;

pub use comment::{Comment, Trivia};
pub use contract::{Clause, ContractItem, ContractItemKind, Force};
pub use declaration::{
    Body, Constant, ContractDeclaration, Declaration, DeclarationKind, Definition, Instance, Node,
    NodeKind, Opacity, Signature, TypeDeclaration, TypeDefinition,
};
pub use expr::{
    Activation, Call, CallId, Clock, Expr, ExprId, Group, MergeNotation, NamedExpr, Quantifier,
    Step, UpdateNotation,
};
pub use item::{
    Arm, Automaton, Bounds, Branch, Claim, Entry, Frame, Item, ItemId, ItemKind, Local, Property,
    PropertyNotation, State, Target, Transition,
};
pub use operator::{BinaryOperator, Grouping, Level, UnaryOperator};
pub use pool::{List, Pool};
pub use symbol::{Name, Symbol, Symbols};
pub use types::{ArrayNotation, StaticArgument, Type, TypeId, Variability, VariableGroup};
pub use walk::{Children, Visit, Walk};

use crate::source::ByteSpan;

/// A file, parsed.
#[derive(Clone, Debug, Default)]
pub struct SyntaxTree {
    /// What it declares, in order.
    pub declarations: Vec<Declaration>,
    /// Comments after the last declaration.
    pub closing: List<Comment>,
    /// Names and literals.
    pub symbols: Symbols,
    /// The comments of all trivia.
    pub comments: Pool<Comment>,
    /// The lists of expressions: arguments, elements, defaults.
    pub expr_lists: Pool<ExprId>,
    /// The fields of records and the branches of merges.
    pub named: Pool<NamedExpr>,
    /// The paths of updates.
    pub steps: Pool<Step>,
    /// The lists of types.
    pub type_lists: Pool<TypeId>,
    /// The arguments between `<<` and `>>`.
    pub statics: Pool<StaticArgument>,
    /// The names of variable groups.
    pub names: Pool<Name>,
    /// The variables of quantifiers.
    pub variables: Pool<VariableGroup>,
    exprs: Vec<Expr>,
    expr_spans: Vec<ByteSpan>,
    /// In ascending order.
    rewritten: Vec<ExprId>,
    /// How many expressions and symbols stand in the text, if others were added behind them.
    written: Option<(usize, usize)>,
    /// Do copies of declarations with type parameters stand in place of these?
    instantiated: bool,
    calls: Vec<Call>,
    types: Vec<Type>,
    type_spans: Vec<ByteSpan>,
    items: Vec<Item>,
}

impl SyntaxTree {
    /// A program that declares nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// Where an expression stands, without parentheses around it.
    pub fn expr_span(&self, id: ExprId) -> ByteSpan {
        self.expr_spans[id.index()]
    }

    /// Does the text at the expression's place say something else, because a variable there
    /// was replaced by its definition?
    pub fn is_rewritten(&self, id: ExprId) -> bool {
        self.rewritten.binary_search(&id).is_ok()
    }

    /// From now on, what is added does not stand in the text: blocks and automata become
    /// equations that nobody wrote.
    pub fn end_of_text(&mut self) {
        let here = (self.exprs.len(), self.symbols.len());
        self.written.get_or_insert(here);
    }

    /// Does an expression stand in the text?
    pub fn is_written(&self, id: ExprId) -> bool {
        self.written.is_none_or(|(exprs, _)| id.index() < exprs)
    }

    /// Does a name stand in the text?
    pub fn is_written_name(&self, symbol: Symbol) -> bool {
        self.written.is_none_or(|(_, symbols)| symbol.index() < symbols)
    }

    /// Says that copies stand in place of declarations with type parameters. What is in them
    /// stands in the text, but their names do not.
    pub fn mark_instantiated(&mut self) {
        self.instantiated = true;
    }

    /// Is there anything that does not stand in the text, and cannot be printed?
    pub fn has_additions(&self) -> bool {
        self.instantiated || self.written.is_some_and(|(exprs, _)| exprs < self.exprs.len())
    }

    /// All expressions, operands before what they are operands of.
    pub fn exprs(&self) -> &[Expr] {
        &self.exprs
    }

    /// A call.
    pub fn call(&self, id: CallId) -> Call {
        self.calls[id.index()]
    }

    /// A type.
    pub fn kind(&self, id: TypeId) -> Type {
        self.types[id.index()]
    }

    /// Where a type stands.
    pub fn kind_span(&self, id: TypeId) -> ByteSpan {
        self.type_spans[id.index()]
    }

    /// All types, parts before what they are parts of.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// An item of a body.
    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id.index()]
    }

    /// How many items all bodies have together.
    pub fn item_count(&self) -> usize {
        self.items.len()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// The nodes and functions, in order.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.declarations.iter().filter_map(|declaration| match &declaration.kind {
            DeclarationKind::Node(node) => Some(&**node),
            _ => None,
        })
    }

    /// Adds an expression.
    pub fn add_expr(&mut self, expr: Expr, span: ByteSpan) -> ExprId {
        let id = ExprId::new(self.exprs.len());
        self.exprs.push(expr);
        self.expr_spans.push(span);
        id
    }

    /// Says of the expression that was added last that it is not what stands at its place.
    pub fn mark_rewritten(&mut self) {
        if let Some(last) = self.exprs.len().checked_sub(1) {
            self.rewritten.push(ExprId::new(last));
        }
    }

    /// Adds a call.
    pub fn add_call(&mut self, call: Call) -> CallId {
        let id = CallId::new(self.calls.len());
        self.calls.push(call);
        id
    }

    /// Adds a type.
    pub fn add_type(&mut self, kind: Type, span: ByteSpan) -> TypeId {
        let id = TypeId::new(self.types.len());
        self.types.push(kind);
        self.type_spans.push(span);
        id
    }

    /// Adds an item.
    pub fn add_item(&mut self, item: Item) -> ItemId {
        let id = ItemId::new(self.items.len());
        self.items.push(item);
        id
    }

    /// An item of a body, to be replaced.
    pub fn item_mut(&mut self, id: ItemId) -> &mut Item {
        &mut self.items[id.index()]
    }

    /// Puts an expression in the place of another, whose operands it may have.
    pub fn replace_expr(&mut self, id: ExprId, expr: Expr) {
        self.exprs[id.index()] = expr;
    }

    /// Puts another call in the place of one.
    pub fn replace_call(&mut self, id: CallId, call: Call) {
        self.calls[id.index()] = call;
    }

    /// Puts another type in the place of one.
    pub fn replace_type(&mut self, id: TypeId, kind: Type) {
        self.types[id.index()] = kind;
    }

    /// Removes the expressions from `first` on, which nothing refers to.
    pub fn truncate_exprs(&mut self, first: ExprId) {
        self.exprs.truncate(first.index());
        self.expr_spans.truncate(first.index());
    }
}
