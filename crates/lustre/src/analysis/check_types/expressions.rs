//! The kind of one expression from the kinds of its operands.

use super::Checker;
use crate::analysis::kind::{Kind, KindId, Kinds, Size};
use crate::analysis::model::Resolution;
use obligato_lustre_syntax::ast::{BinaryOperator, Expr, ExprId, Group};

impl Checker<'_> {
    pub(super) fn kind_at(&mut self, id: ExprId) -> KindId {
        match self.program.expr(id) {
            // The variable that it defines says what the kinds should be.
            Expr::Binary(BinaryOperator::Arrow, kind, _) if !self.program.is_written(id) => {
                self.model.kind(kind)
            }
            Expr::If(test, then, _) if !self.program.is_written(id) => {
                self.expect_bool(test, "the condition of 'if'");
                self.model.kind(then)
            }
            Expr::Bool(_) | Expr::Mode(_) => Kinds::bool(),
            Expr::Int(_) => Kinds::int(),
            Expr::Real(_) => Kinds::real(),
            Expr::Name(_) | Expr::Last(_) => self.kind_of_name(id),
            Expr::Field(..) | Expr::Index(..) if self.model.resolution(id) != Resolution::None => {
                self.kind_of_name(id)
            }
            Expr::Field(base, field) => self.field(id, base, field),
            Expr::Index(base, index) => self.index(base, index),
            Expr::Slice(base, low, high) => self.slice(base, low, high),
            Expr::Project(base, number) => self.project(id, base, number),
            Expr::Unary(operator, operand) => self.unary(operator, operand),
            Expr::Binary(operator, left, right) => self.binary(id, operator, left, right),
            Expr::If(test, then, otherwise) => {
                self.expect_bool(test, "the condition of 'if'");
                self.same(then, otherwise, "the two arms of 'if'")
            }
            Expr::Group(group, list) => self.group(group, self.list(list).to_vec()),
            Expr::Update { base, path, value, .. } => {
                self.update(base, &self.program.steps[path], value)
            }
            Expr::Record { name, base, fields } => self.record(id, name, base, fields),
            Expr::Call(_) => self.call(id),
            Expr::Condact { clock, call, defaults } => {
                self.expect_bool(clock, "the clock of 'condact'");
                let defaults = self.list(defaults).to_vec();
                self.defaults(id, call, &defaults, "condact");
                self.model.kind(call)
            }
            Expr::When(value, clock) => {
                self.clock(id, clock);
                self.model.kind(value)
            }
            Expr::Merge { branches, .. } => self.merge(id, branches),
            Expr::Quantified(_, _, body) => {
                self.expect_bool(body, "what a quantifier says");
                Kinds::bool()
            }
            Expr::Delay { value, steps, initial } => {
                self.expect_integer(steps, "the number of steps of 'fby'");
                self.same(initial, value, "the first and the later values of 'fby'")
            }
        }
    }

    fn kind_of_name(&self, id: ExprId) -> KindId {
        match self.model.resolution(id) {
            Resolution::Variable(variable) => self.model.variable(variable).kind,
            Resolution::Constant(constant) => self.model.constant(constant).kind,
            Resolution::Enumeration(enumeration, _) => {
                // Interned when the enumeration was declared.
                let kind = Kind::Enumeration(enumeration);
                self.model.kinds.find(&kind).unwrap_or(Kinds::unknown())
            }
            Resolution::None | Resolution::Node(_) | Resolution::Part => Kinds::unknown(),
        }
    }

    /// The kind of two expressions that must fit each other.
    pub(super) fn same(&mut self, one: ExprId, other: ExprId, what: &str) -> KindId {
        let (first, second) = (self.model.kind(one), self.model.kind(other));
        if let Some(kind) = self.model.kinds.join(first, second) {
            return kind;
        }
        let expected = self.text_of(first);
        self.mismatch(other, &expected, &format!("{what} must have one type"));
        Kinds::unknown()
    }

    fn group(&mut self, group: Group, elements: Vec<ExprId>) -> KindId {
        let kinds: Vec<_> = elements.iter().map(|element| self.model.kind(*element)).collect();
        match group {
            Group::List => self.model.kinds.list(kinds),
            Group::Tuple if kinds.contains(&Kinds::unknown()) => Kinds::unknown(),
            Group::Tuple => self.model.kinds.intern(Kind::Tuple(kinds)),
            Group::AtMostOne => {
                for element in elements {
                    self.expect_bool(element, "operand of '#'");
                }
                Kinds::bool()
            }
            Group::Array => {
                let Some((&first, rest)) = elements.split_first() else {
                    return Kinds::unknown();
                };
                let mut kind = self.model.kind(first);
                for element in rest {
                    let joined = self.model.kinds.join(kind, self.model.kind(*element));
                    let Some(joined) = joined else {
                        let expected = self.text_of(kind);
                        let what = "the elements of an array must have one type";
                        self.mismatch(*element, &expected, what);
                        return Kinds::unknown();
                    };
                    kind = joined;
                }
                if kind == Kinds::unknown() {
                    return kind;
                }
                let size = Size::Known(elements.len() as u64);
                self.model.kinds.intern(Kind::Array(kind, size))
            }
        }
    }
}
