//! The one child iterator and the one traversal of expressions.
//!
//! The sizes and bounds in the types of quantified variables and in static arguments are
//! constants of their own, not children.

use super::SyntaxTree;
use super::expr::{Expr, ExprId, Step};
use super::types::{StaticArgument, Type, TypeId};

/// The operands of an expression, from left to right as written.
///
/// For an `activate` the order is restart, clock, defaults, arguments.
#[derive(Clone, Debug)]
pub struct Children<'p> {
    program: &'p SyntaxTree,
    expr: Expr,
    next: usize,
}

impl Iterator for Children<'_> {
    type Item = ExprId;

    fn next(&mut self) -> Option<ExprId> {
        loop {
            let slot = self.program.slot(self.expr, self.next);
            self.next += 1;
            match slot {
                Slot::Child(id) => return Some(id),
                Slot::Absent => {}
                Slot::Past => return None,
            }
        }
    }
}

/// A place for a child.
enum Slot {
    Child(ExprId),
    /// Such an expression may have a child here, this one has none.
    Absent,
    /// There are no more.
    Past,
}

impl From<Option<ExprId>> for Slot {
    fn from(child: Option<ExprId>) -> Self {
        child.map_or(Self::Absent, Self::Child)
    }
}

/// A visit of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// Before its children.
    Enter(ExprId),
    /// After its children.
    Leave(ExprId),
}

/// A traversal: each expression is entered, then its children are visited from left to
/// right, then it is left. The stack is a vector.
#[derive(Clone, Debug)]
pub struct Walk<'p> {
    program: &'p SyntaxTree,
    todo: Vec<Visit>,
}

impl Iterator for Walk<'_> {
    type Item = Visit;

    fn next(&mut self) -> Option<Visit> {
        let visit = self.todo.pop()?;
        if let Visit::Enter(id) = visit {
            self.todo.push(Visit::Leave(id));
            let start = self.todo.len();
            self.todo.extend(self.program.children(id).map(Visit::Enter));
            self.todo[start..].reverse();
        }
        Some(visit)
    }
}

impl SyntaxTree {
    /// The operands of an expression.
    pub fn children(&self, id: ExprId) -> Children<'_> {
        Children { program: self, expr: self.expr(id), next: 0 }
    }

    /// Visits an expression and all that it is made of.
    pub fn walk(&self, root: ExprId) -> Walk<'_> {
        Walk { program: self, todo: vec![Visit::Enter(root)] }
    }

    /// The types that a type is made of.
    pub fn parts_of_type(&self, id: TypeId) -> Vec<TypeId> {
        match self.kind(id) {
            Type::Tuple(parts) => self.type_lists[parts].to_vec(),
            Type::Array { element: part, .. } | Type::Refined { base: part, .. } => vec![part],
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

    /// The place for a child at `index`.
    fn slot(&self, expr: Expr, index: usize) -> Slot {
        let nth = |children: &[ExprId], index: usize| {
            children.get(index).map_or(Slot::Past, |child| Slot::Child(*child))
        };
        let named = |list, index: usize| {
            self.named[list].get(index).map_or(Slot::Past, |named| Slot::Child(named.value))
        };
        match expr {
            Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Real(_)
            | Expr::Name(_)
            | Expr::Mode(_)
            | Expr::Last(_) => Slot::Past,
            Expr::Unary(_, a)
            | Expr::Field(a, _)
            | Expr::Project(a, _)
            | Expr::When(a, _)
            | Expr::Quantified(_, _, a) => nth(&[a], index),
            Expr::Binary(_, a, b) | Expr::Index(a, b) => nth(&[a, b], index),
            Expr::If(a, b, c)
            | Expr::Slice(a, b, c)
            | Expr::Delay { value: a, steps: b, initial: c } => nth(&[a, b, c], index),
            Expr::Group(_, list) => nth(&self.expr_lists[list], index),
            Expr::Condact { clock, call, defaults } => match index {
                0 => Slot::Child(clock),
                1 => Slot::Child(call),
                _ => nth(&self.expr_lists[defaults], index - 2),
            },
            Expr::Update { base, path, value, .. } => {
                let steps = &self.steps[path];
                match index {
                    0 => Slot::Child(base),
                    _ if index <= steps.len() => match steps[index - 1] {
                        Step::Field(_) => Slot::Absent,
                        Step::Index(index) => Slot::Child(index),
                    },
                    _ => nth(&[value], index - steps.len() - 1),
                }
            }
            Expr::Record { base, fields, .. } => match index {
                0 => base.into(),
                _ => named(fields, index - 1),
            },
            Expr::Merge { branches, .. } => named(branches, index),
            Expr::Call(id) => {
                let call = self.call(id);
                let defaults = call.activation.and_then(|activation| activation.defaults);
                let defaults = defaults.map_or(&[][..], |list| &self.expr_lists[list]);
                match index {
                    0 => call.restart.into(),
                    1 => call.activation.map(|activation| activation.clock).into(),
                    _ if index - 2 < defaults.len() => nth(defaults, index - 2),
                    _ => nth(&self.expr_lists[call.arguments], index - 2 - defaults.len()),
                }
            }
        }
    }
}
