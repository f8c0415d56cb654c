//! The kinds of operators.

use obligato_model::Signedness;

use super::Checker;
use crate::analysis::evaluate_constants::evaluate;
use crate::analysis::kind::{Kind, KindId, Kinds, Size};
use crate::analysis::value::ConstantValue;
use obligato_lustre_syntax::ast::{BinaryOperator as Binary, ExprId, UnaryOperator as Unary};
use obligato_lustre_syntax::diagnostic::Diagnostic;

impl Checker<'_> {
    pub(super) fn unary(&mut self, operator: Unary, operand: ExprId) -> KindId {
        let kind = self.model.kind(operand);
        let what = format!("operand of '{}'", operator.spelling());
        let found = self.model.kinds.get(kind).clone();
        match (operator, found) {
            (Unary::Pre | Unary::Current, _)
            | (Unary::Negate, Kind::Int | Kind::Real | Kind::Machine(..) | Kind::Unknown)
            | (Unary::BitNot, Kind::Machine(..) | Kind::Unknown) => kind,
            (Unary::ToMachine(signedness, bits), found) => {
                if !matches!(
                    found,
                    Kind::Int | Kind::Subrange(..) | Kind::Machine(..) | Kind::Unknown
                ) {
                    self.mismatch(operand, "an integer", &what);
                }
                self.model.kinds.intern(Kind::Machine(signedness, bits))
            }
            (Unary::Not, _) => {
                self.expect_bool(operand, &what);
                Kinds::bool()
            }
            (Unary::Negate, Kind::Subrange(..)) => Kinds::int(),
            (Unary::Negate, _) => {
                self.mismatch(operand, "a number", &what);
                Kinds::unknown()
            }
            (Unary::BitNot, _) => {
                self.mismatch(operand, "a machine integer", &what);
                Kinds::unknown()
            }
            (Unary::Floor, found) => {
                if !matches!(found, Kind::Real | Kind::Unknown) {
                    self.mismatch(operand, "real", &what);
                }
                Kinds::int()
            }
            (Unary::ToInt | Unary::ToReal, found) => {
                let number = matches!(
                    found,
                    Kind::Int | Kind::Subrange(..) | Kind::Real | Kind::Machine(..) | Kind::Unknown
                );
                if !number {
                    self.mismatch(operand, "a number", &what);
                }
                if operator == Unary::ToInt { Kinds::int() } else { Kinds::real() }
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        id: ExprId,
        operator: Binary,
        left: ExprId,
        right: ExprId,
    ) -> KindId {
        let what = format!("operand of '{}'", operator.spelling());
        match operator {
            Binary::Arrow => self.same(left, right, "the two sides of '->'"),
            Binary::Fby => self.same(left, right, "the two sides of 'fby'"),
            Binary::Implies | Binary::Or | Binary::Xor | Binary::And => {
                self.expect_bool(left, &what);
                self.expect_bool(right, &what);
                Kinds::bool()
            }
            Binary::Equal | Binary::NotEqual => {
                self.same(left, right, &format!("the two sides of '{}'", operator.spelling()));
                Kinds::bool()
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                self.numbers(left, right, "a number", &what);
                Kinds::bool()
            }
            Binary::Add | Binary::Subtract | Binary::Multiply => {
                self.numbers(left, right, "a number", &what)
            }
            Binary::Divide => {
                let kind = self.numbers(left, right, "a number", &what);
                self.warn_of_division(id, kind);
                kind
            }
            Binary::IntegerDivide | Binary::Modulo => {
                self.numbers(left, right, "an integer", &what)
            }
            Binary::BitOr | Binary::BitAnd => self.numbers(left, right, "a machine integer", &what),
            Binary::ShiftLeft | Binary::ShiftRight => self.shift(left, right, &what),
            Binary::Repeat => self.repeat(id, left, right),
        }
    }

    /// `/` on integers is `div`, as in Kind 2; what the C code of LustreC does differs below zero.
    fn warn_of_division(&mut self, id: ExprId, kind: KindId) {
        if !self.model.kinds.is_integer(kind) || !self.program.is_written(id) {
            return;
        }
        let text = "'/' on integers is read as 'div', whose remainder is never negative";
        let help = "write 'div' to say so; LustreC and C round toward zero";
        let warning = Diagnostic::warning(self.program.expr_span(id), text);
        self.report.add(warning.with_help(help));
    }

    /// Two operands of one kind of number; `expected` says which numbers will do.
    fn numbers(&mut self, left: ExprId, right: ExprId, expected: &str, what: &str) -> KindId {
        let mut good = true;
        for operand in [left, right] {
            let fits = match self.model.kinds.get(self.model.kind(operand)) {
                Kind::Unknown | Kind::Machine(..) => true,
                Kind::Real => expected == "a number",
                Kind::Int | Kind::Subrange(..) => matches!(expected, "a number" | "an integer"),
                _ => false,
            };
            if !fits {
                good = false;
                self.mismatch(operand, expected, what);
            }
        }
        if !good {
            return Kinds::unknown();
        }
        let joined = self.same(left, right, &format!("the operands{}", &what["operand".len()..]));
        if self.model.kinds.is_integer(joined) { Kinds::int() } else { joined }
    }

    fn shift(&mut self, left: ExprId, right: ExprId, what: &str) -> KindId {
        let kind = self.model.kind(left);
        let (value, amount) =
            (self.model.kinds.get(kind).clone(), self.model.kinds.get(self.model.kind(right)));
        match (value, amount) {
            (Kind::Unknown, _) | (_, Kind::Unknown) => {}
            (Kind::Machine(_, bits), Kind::Machine(Signedness::Unsigned, by)) if bits == *by => {}
            (Kind::Machine(_, bits), _) => {
                let expected = format!("uint{bits}");
                self.mismatch(right, &expected, &format!("right {what}"));
            }
            _ => {
                self.mismatch(left, "a machine integer", &format!("left {what}"));
                return Kinds::unknown();
            }
        }
        kind
    }

    /// `a ^ n`.
    fn repeat(&mut self, id: ExprId, left: ExprId, right: ExprId) -> KindId {
        self.expect_integer(right, "the number of elements after '^'");
        let element = self.model.kind(left);
        if element == Kinds::unknown() {
            return element;
        }
        let size = match evaluate(self.program, self.model, right) {
            Ok(ConstantValue::Int(count)) => {
                let Ok(known @ 1..) = u64::try_from(&count) else {
                    let text = format!("an array has at least one element, not {count}");
                    self.error(self.program.expr_span(right), text);
                    return Kinds::unknown();
                };
                Size::Known(known)
            }
            _ => Size::Given(right),
        };
        if let (Size::Given(_), false) = (size, self.is_given(right)) {
            let text = "the number of elements after '^' must be constant";
            self.error(self.program.expr_span(id), text);
            return Kinds::unknown();
        }
        self.model.kinds.intern(Kind::Array(element, size))
    }
}
