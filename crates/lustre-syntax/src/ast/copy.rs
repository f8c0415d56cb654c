//! Copies of expressions, and of programs in which other expressions stand.
//!
//! [`SyntaxTree::without_exprs`] is a copy to fill with [`SyntaxTree::add_copy`];
//! [`SyntaxTree::replace_exprs`] then names the new expressions where the old ones were named.

use super::SyntaxTree;
use super::contract::{Clause, ContractItem, ContractItemKind};
use super::declaration::{Constant, DeclarationKind};
use super::expr::{Activation, Call, Expr, ExprId, NamedExpr, Step};
use super::pool::{List, Pool};
use super::types::{StaticArgument, Type};
use crate::source::ByteSpan;

/// Gives the new expression for an old one.
pub type NewExpr<'f> = &'f dyn Fn(ExprId) -> ExprId;

impl SyntaxTree {
    /// A copy without expressions and items; what names them still names the old ones.
    #[must_use]
    pub fn without_exprs(&self) -> Self {
        Self {
            declarations: self.declarations.clone(),
            closing: self.closing,
            instantiated: self.instantiated,
            symbols: self.symbols.clone(),
            comments: self.comments.clone(),
            type_lists: self.type_lists.clone(),
            statics: self.statics.clone(),
            names: self.names.clone(),
            variables: self.variables.clone(),
            types: self.types.clone(),
            type_spans: self.type_spans.clone(),
            ..Self::default()
        }
    }

    /// What was added to `from` behind its text is added here behind its copies.
    pub fn end_of_copied_text(&mut self, from: &Self) {
        self.written = from.written.map(|(_, symbols)| (self.exprs.len(), symbols));
    }

    /// Adds a copy of an expression with other operands. It is one of `from`, or of this program.
    pub fn add_copy(
        &mut self,
        from: Option<&Self>,
        id: ExprId,
        span: ByteSpan,
        new: NewExpr<'_>,
    ) -> ExprId {
        let expr = match from.unwrap_or(self).expr(id) {
            expr @ (Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Real(_)
            | Expr::Name(_)
            | Expr::Mode(_)
            | Expr::Last(_)) => expr,
            Expr::Unary(operator, a) => Expr::Unary(operator, new(a)),
            Expr::Binary(operator, a, b) => Expr::Binary(operator, new(a), new(b)),
            Expr::If(a, b, c) => Expr::If(new(a), new(b), new(c)),
            Expr::Group(group, list) => Expr::Group(group, self.add_list(from, list, new)),
            Expr::Index(a, b) => Expr::Index(new(a), new(b)),
            Expr::Slice(a, b, c) => Expr::Slice(new(a), new(b), new(c)),
            Expr::Field(a, field) => Expr::Field(new(a), field),
            Expr::Project(a, number) => Expr::Project(new(a), number),
            Expr::Update { base, path, value, notation } => {
                let steps = from.unwrap_or(self).steps[path].iter().map(|step| match *step {
                    Step::Field(name) => Step::Field(name),
                    Step::Index(index) => Step::Index(new(index)),
                });
                let steps: Vec<_> = steps.collect();
                let path = self.steps.add(steps);
                Expr::Update { base: new(base), path, value: new(value), notation }
            }
            Expr::Record { name, base, fields } => {
                let fields = self.add_named(from, fields, new);
                Expr::Record { name, base: base.map(new), fields }
            }
            Expr::Call(call) => {
                let call = self.copy_call(from, from.unwrap_or(self).call(call), new);
                Expr::Call(self.add_call(call))
            }
            Expr::Condact { clock, call, defaults } => {
                let defaults = self.add_list(from, defaults, new);
                Expr::Condact { clock: new(clock), call: new(call), defaults }
            }
            Expr::When(value, clock) => Expr::When(new(value), clock),
            Expr::Merge { clock, branches, notation } => {
                Expr::Merge { clock, branches: self.add_named(from, branches, new), notation }
            }
            Expr::Quantified(quantifier, variables, body) => {
                Expr::Quantified(quantifier, variables, new(body))
            }
            Expr::Delay { value, steps, initial } => {
                Expr::Delay { value: new(value), steps: new(steps), initial: new(initial) }
            }
        };
        self.add_expr(expr, span)
    }

    fn add_list(
        &mut self,
        from: Option<&Self>,
        list: List<ExprId>,
        new: NewExpr<'_>,
    ) -> List<ExprId> {
        let list = &from.unwrap_or(self).expr_lists[list];
        let copied: Vec<_> = list.iter().map(|id| new(*id)).collect();
        self.expr_lists.add(copied)
    }

    fn add_named(
        &mut self,
        from: Option<&Self>,
        list: List<NamedExpr>,
        new: NewExpr<'_>,
    ) -> List<NamedExpr> {
        let named = from.unwrap_or(self).named[list].iter();
        let copied = named.map(|one| NamedExpr { name: one.name, value: new(one.value) });
        let copied: Vec<_> = copied.collect();
        self.named.add(copied)
    }

    fn copy_call(&mut self, from: Option<&Self>, call: Call, new: NewExpr<'_>) -> Call {
        let activation = call.activation.map(|Activation { clock, defaults }| Activation {
            clock: new(clock),
            defaults: defaults.map(|list| self.add_list(from, list, new)),
        });
        let arguments = self.add_list(from, call.arguments, new);
        Call { arguments, restart: call.restart.map(new), activation, ..call }
    }

    /// Names the new expressions in types, static arguments, constants and contracts: in all
    /// but the bodies of nodes. `from` is the program with the old ones.
    pub fn replace_exprs(&mut self, from: &Self, new: NewExpr<'_>) {
        for kind in &mut self.types {
            match kind {
                Type::Subrange(low, high) => {
                    low.iter_mut().chain(high).for_each(|bound| *bound = new(*bound));
                }
                Type::Array { size, .. } => *size = new(*size),
                _ => {}
            }
        }
        for argument in self.statics.elements_mut() {
            if let StaticArgument::Value(value) = argument {
                *value = new(*value);
            }
        }
        for declaration in &mut self.declarations {
            match &mut declaration.kind {
                DeclarationKind::Constant(constant) => replace_value(constant, new),
                DeclarationKind::Contract(contract) => {
                    replace_in_contract(&mut contract.items, from, &mut self.expr_lists, new);
                }
                DeclarationKind::Node(node) => {
                    if let Some(items) = &mut node.contract {
                        replace_in_contract(items, from, &mut self.expr_lists, new);
                    }
                }
                DeclarationKind::Include(_)
                | DeclarationKind::Open(_)
                | DeclarationKind::Type(_)
                | DeclarationKind::Instance(_) => {}
            }
        }
    }
}

/// Names the new expression of a constant's value.
pub fn replace_value(constant: &mut Constant, new: NewExpr<'_>) {
    constant.value = constant.value.map(new);
}

fn replace_in_contract(
    items: &mut [ContractItem],
    from: &SyntaxTree,
    lists: &mut Pool<ExprId>,
    new: NewExpr<'_>,
) {
    let replace = |clause: &mut Clause| clause.condition = new(clause.condition);
    for item in items {
        match &mut item.kind {
            ContractItemKind::Variables(_, value) => *value = new(*value),
            ContractItemKind::Constant(constant) => replace_value(constant, new),
            ContractItemKind::Assume(clause, _) | ContractItemKind::Guarantee(clause, _) => {
                replace(clause);
            }
            ContractItemKind::Mode { requires, ensures, .. } => {
                requires.iter_mut().chain(ensures).for_each(replace);
            }
            ContractItemKind::Import { inputs, .. } => {
                *inputs = lists.add(from.expr_lists[*inputs].iter().map(|id| new(*id)));
            }
            ContractItemKind::AssumptionVariables(_) => {}
        }
    }
}
