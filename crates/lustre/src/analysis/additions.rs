//! What the passes that rewrite the tree add to it.
//!
//! Parts are added behind those of the text, so that the ids of the text stay and operands still
//! come first. A new variable has a name with a space, which no text can give.

use rustc_hash::FxHashMap;

use crate::ast::pool::List;
use crate::ast::{
    ArrayNotation, BinaryOperator, Expr, ExprId, Group, Item, ItemId, ItemKind, Local, Name,
    NamedExpr, Program, StaticArgument, Step, Symbol, Target, Trivia, Type, TypeId, UnaryOperator,
    Variability, VariableGroup, Visit,
};
use crate::source::ByteSpan;

impl Program {
    /// The name of a new variable.
    pub(super) fn new_name(&mut self, text: &str, span: ByteSpan) -> Name {
        Name { symbol: self.symbols.intern(text), span }
    }

    /// A name that stands nowhere in the text.
    pub(super) fn unused_name(&mut self, mut text: String, span: ByteSpan) -> Name {
        while self.symbols.find(&text).is_some() {
            text.push('\'');
        }
        self.new_name(&text, span)
    }

    /// The name of the variable that `last x` stands for.
    pub(super) fn last_name(&mut self, name: Name) -> Name {
        let text = format!("last {}", self.text(name.symbol));
        self.new_name(&text, name.span)
    }

    /// The variable or constant of a name.
    pub(super) fn add_name(&mut self, name: Name) -> ExprId {
        self.add_expr(Expr::Name(name.symbol), name.span)
    }

    /// `pre x`.
    pub(super) fn add_pre(&mut self, name: Name) -> ExprId {
        let operand = self.add_name(name);
        self.add_expr(Expr::Unary(UnaryOperator::Pre, operand), name.span)
    }

    /// `initial -> pre x`.
    pub(super) fn add_delay(&mut self, initial: ExprId, name: Name) -> ExprId {
        let (later, span) = (self.add_pre(name), self.expr_span(initial));
        self.add_expr(Expr::Binary(BinaryOperator::Arrow, initial, later), span)
    }

    /// `(a, b)`.
    pub(super) fn add_list_expr(&mut self, parts: Vec<ExprId>, span: ByteSpan) -> ExprId {
        let list = self.expr_lists.add(parts);
        self.add_expr(Expr::Group(Group::List, list), span)
    }

    /// `x, y = value;`.
    pub(super) fn add_equation(
        &mut self,
        targets: &[Name],
        value: ExprId,
        span: ByteSpan,
    ) -> ItemId {
        let targets = targets.iter().map(|name| Target { name: *name, indices: Vec::new() });
        let kind = ItemKind::Equation(targets.collect(), value);
        self.add_item(Item { kind, span, trivia: Trivia::default() })
    }

    /// The declaration of a variable.
    pub(super) fn add_group(
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
    pub(super) fn add_local(&mut self, name: Name, kind: TypeId) -> Local {
        Local::Variables(self.add_group(name, kind, Variability::Stream))
    }

    /// A type once more: the sizes in it may mean something else in another node.
    pub(super) fn copy_type(&mut self, root: TypeId) -> TypeId {
        let mut found = vec![root];
        let mut next = 0;
        while let Some(id) = found.get(next).copied() {
            next += 1;
            found.extend(self.parts_of_type(id));
        }
        found.sort_unstable();
        found.dedup();
        // Parts come before what they are parts of.
        let mut copies: FxHashMap<TypeId, TypeId> = FxHashMap::default();
        for id in found {
            let span = self.kind_span(id);
            let copy = match self.kind(id) {
                Type::Subrange(low, high) => {
                    let low = low.map(|bound| self.copy_expr(bound));
                    Type::Subrange(low, high.map(|bound| self.copy_expr(bound)))
                }
                Type::Tuple(parts) => {
                    let parts: Vec<_> =
                        self.type_lists[parts].iter().map(|part| copies[part]).collect();
                    Type::Tuple(self.type_lists.add(parts))
                }
                Type::Array { element, size, notation } => {
                    self.array(copies[&element], size, notation)
                }
                Type::Named(name, statics) => {
                    let statics = self.statics[statics].to_vec();
                    let mut arguments = Vec::new();
                    for argument in statics {
                        arguments.push(match argument {
                            StaticArgument::Type(id) => StaticArgument::Type(copies[&id]),
                            StaticArgument::Value(id) => StaticArgument::Value(self.copy_expr(id)),
                        });
                    }
                    Type::Named(name, self.statics.add(arguments))
                }
                plain => plain,
            };
            copies.insert(id, self.add_type(copy, span));
        }
        copies[&root]
    }

    fn array(&mut self, element: TypeId, size: ExprId, notation: ArrayNotation) -> Type {
        Type::Array { element, size: self.copy_expr(size), notation }
    }

    /// The types that a type is made of.
    pub(super) fn parts_of_type(&self, id: TypeId) -> Vec<TypeId> {
        match self.kind(id) {
            Type::Tuple(parts) => self.type_lists[parts].to_vec(),
            Type::Array { element, .. } => vec![element],
            Type::Named(_, statics) => {
                let types = self.statics[statics].iter().filter_map(|argument| match argument {
                    StaticArgument::Type(id) => Some(*id),
                    StaticArgument::Value(_) => None,
                });
                types.collect()
            }
            _ => Vec::new(),
        }
    }

    /// The sizes and bounds in a type itself.
    pub(super) fn exprs_of_type(&self, id: TypeId) -> Vec<ExprId> {
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

    /// A constant expression once more. One that cannot be constant is shared: it is an error.
    pub(super) fn copy_expr(&mut self, root: ExprId) -> ExprId {
        let order: Vec<ExprId> = self
            .walk(root)
            .filter_map(|visit| match visit {
                Visit::Leave(id) => Some(id),
                Visit::Enter(_) => None,
            })
            .collect();
        let mut copies: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for id in order {
            let (expr, span) = (self.expr(id), self.expr_span(id));
            let copy = self.with_operands(expr, &copies);
            copies.insert(id, self.add_expr(copy, span));
        }
        copies[&root]
    }

    fn with_operands(&mut self, expr: Expr, copies: &FxHashMap<ExprId, ExprId>) -> Expr {
        let new = |id: ExprId| copies[&id];
        let list = |program: &mut Self, list: List<ExprId>| {
            let parts: Vec<_> = program.expr_lists[list].iter().map(|id| new(*id)).collect();
            program.expr_lists.add(parts)
        };
        match expr {
            Expr::Unary(operator, a) => Expr::Unary(operator, new(a)),
            Expr::Binary(operator, a, b) => Expr::Binary(operator, new(a), new(b)),
            Expr::If(a, b, c) => Expr::If(new(a), new(b), new(c)),
            Expr::Group(group, parts) => Expr::Group(group, list(self, parts)),
            Expr::Index(a, b) => Expr::Index(new(a), new(b)),
            Expr::Field(a, field) => Expr::Field(new(a), field),
            Expr::Project(a, number) => Expr::Project(new(a), number),
            Expr::Update { base, path, value, notation } => {
                let path: Vec<_> = self.steps[path]
                    .iter()
                    .map(|step| match step {
                        Step::Index(index) => Step::Index(new(*index)),
                        Step::Field(name) => Step::Field(*name),
                    })
                    .collect();
                let path = self.steps.add(path);
                Expr::Update { base: new(base), path, value: new(value), notation }
            }
            Expr::Record { name, base, fields } => {
                let fields: Vec<_> = self.named[fields]
                    .iter()
                    .map(|field| NamedExpr { name: field.name, value: new(field.value) })
                    .collect();
                let fields = self.named.add(fields);
                Expr::Record { name, base: base.map(new), fields }
            }
            other => other,
        }
    }

    /// The names that the sizes and bounds of a type mention.
    pub(super) fn names_in_type(&self, root: TypeId, found: &mut Vec<Symbol>) {
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            todo.extend(self.parts_of_type(id));
            for expr in self.exprs_of_type(id) {
                self.names_in_constant(expr, found);
            }
        }
    }

    /// The names that a constant expression mentions.
    pub(super) fn names_in_constant(&self, root: ExprId, found: &mut Vec<Symbol>) {
        for visit in self.walk(root) {
            if let Visit::Enter(id) = visit
                && let Expr::Name(symbol) = self.expr(id)
            {
                found.push(symbol);
            }
        }
    }
}
