//! Additions to the tree by passes that rewrite it.
//!
//! Parts are added behind those of the text, so that the ids of the text stay and operands still
//! come first. A new variable has a name with a space, which no text can give.

use rustc_hash::FxHashMap;

use crate::ast::copy_declaration::Copier;
use crate::ast::{
    BinaryOperator, Expr, ExprId, Group, Item, ItemId, ItemKind, Local, Name, StaticArgument,
    Symbol, SyntaxTree, Target, Trivia, Type, TypeId, UnaryOperator, Variability, VariableGroup,
    Visit,
};
use crate::source::ByteSpan;

impl SyntaxTree {
    /// The name of a new variable.
    pub fn new_name(&mut self, text: &str, span: ByteSpan) -> Name {
        Name { symbol: self.symbols.intern(text), span }
    }

    /// A name that stands nowhere in the text.
    pub fn unused_name(&mut self, mut text: String, span: ByteSpan) -> Name {
        while self.symbols.find(&text).is_some() {
            text.push('\'');
        }
        self.new_name(&text, span)
    }

    /// The name of the variable that `last x` stands for.
    pub fn last_name(&mut self, name: Name) -> Name {
        let text = format!("last {}", self.text(name.symbol));
        self.new_name(&text, name.span)
    }

    /// The variable or constant of a name.
    pub fn add_name(&mut self, name: Name) -> ExprId {
        self.add_expr(Expr::Name(name.symbol), name.span)
    }

    /// `pre x`.
    pub fn add_pre(&mut self, name: Name) -> ExprId {
        let operand = self.add_name(name);
        self.add_expr(Expr::Unary(UnaryOperator::Pre, operand), name.span)
    }

    /// `initial -> pre x`.
    pub fn add_delay(&mut self, initial: ExprId, name: Name) -> ExprId {
        let (later, span) = (self.add_pre(name), self.expr_span(initial));
        self.add_expr(Expr::Binary(BinaryOperator::Arrow, initial, later), span)
    }

    /// `(a, b)`.
    pub fn add_list_expr(&mut self, parts: Vec<ExprId>, span: ByteSpan) -> ExprId {
        let list = self.expr_lists.add(parts);
        self.add_expr(Expr::Group(Group::List, list), span)
    }

    /// `x, y = value;`.
    pub fn add_equation(&mut self, targets: &[Name], value: ExprId, span: ByteSpan) -> ItemId {
        let targets = targets.iter().map(|name| Target { name: *name, indices: Vec::new() });
        let kind = ItemKind::Equation(targets.collect(), value);
        self.add_item(Item { kind, span, trivia: Trivia::default() })
    }

    /// The declaration of a variable.
    pub fn add_group(
        &mut self,
        name: Name,
        kind: TypeId,
        variability: Variability,
    ) -> VariableGroup {
        let names = self.names.add([name]);
        let (span, trivia) = (name.span, Trivia::default());
        VariableGroup { names, kind, clock: None, variability, span, trivia }
    }

    /// The declaration of a local variable.
    pub fn add_local(&mut self, name: Name, kind: TypeId) -> Local {
        Local::Variables(self.add_group(name, kind, Variability::Stream))
    }

    /// A type once more: the sizes in it may mean something else in another node.
    pub fn copy_type(&mut self, root: TypeId) -> TypeId {
        Copier::new(self, &FxHashMap::default()).kind(root)
    }

    /// A constant expression once more.
    pub fn copy_expr(&mut self, root: ExprId) -> ExprId {
        Copier::new(self, &FxHashMap::default()).expr(root)
    }

    /// The sizes and bounds in a type itself.
    pub fn exprs_of_type(&self, id: TypeId) -> Vec<ExprId> {
        match self.kind(id) {
            Type::Subrange(low, high) => low.into_iter().chain(high).collect(),
            Type::Array { size, .. } => vec![size],
            Type::Named(_, statics) => {
                let values = self.statics[statics].iter().filter_map(|argument| match argument {
                    StaticArgument::Value(id) => Some(*id),
                    StaticArgument::Type(_) => None,
                });
                values.collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names that the sizes and bounds of a type mention.
    pub fn names_in_type(&self, root: TypeId, found: &mut Vec<Symbol>) {
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            todo.extend(self.parts_of_type(id));
            for expr in self.exprs_of_type(id) {
                self.names_in_constant(expr, found);
            }
        }
    }

    /// The names that a constant expression mentions.
    pub fn names_in_constant(&self, root: ExprId, found: &mut Vec<Symbol>) {
        for visit in self.walk(root) {
            if let Visit::Enter(id) = visit
                && let Expr::Name(symbol) = self.expr(id)
            {
                found.push(symbol);
            }
        }
    }
}
