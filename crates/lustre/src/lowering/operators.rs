//! Operators on scalars, and on bundles scalar by scalar.

use obligato_transition_system::{
    Binary as Operation, Machine as Width, NodeId, Sort, Unary as Single,
};

use super::machine::Machine;
use super::shape::Bundle;
use crate::analysis::Kinds;
use obligato_lustre_syntax::ast::{BinaryOperator as Binary, ExprId, UnaryOperator as Unary};

/// Why terms cannot be ill-sorted here.
const CHECKED: &str = "invariant: kinds are checked, so sorts fit";

impl Machine<'_> {
    pub fn not(&mut self, a: NodeId) -> NodeId {
        self.graph().not(a).expect(CHECKED)
    }

    pub fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.graph().and(a, b).expect(CHECKED)
    }

    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.graph().or(a, b).expect(CHECKED)
    }

    pub fn implies(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.graph().implies(a, b).expect(CHECKED)
    }

    pub fn equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.graph().equal(a, b).expect(CHECKED)
    }

    pub fn ite(&mut self, test: NodeId, a: NodeId, b: NodeId) -> NodeId {
        self.graph().ite(test, a, b).expect(CHECKED)
    }

    pub fn less_equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.operation(Operation::LessEqual, a, b)
    }

    fn operation(&mut self, operation: Operation, a: NodeId, b: NodeId) -> NodeId {
        self.graph().binary(operation, a, b).expect(CHECKED)
    }

    /// `if test then one else other`, scalar by scalar.
    pub fn choose(&mut self, test: NodeId, mut one: Bundle, other: &Bundle) -> Bundle {
        for (leaf, other) in one.leaves.iter_mut().zip(&other.leaves) {
            *leaf = self.ite(test, *leaf, *other);
        }
        one
    }

    pub fn unary(&mut self, operator: Unary, id: ExprId) -> Bundle {
        let operand = self.pop_scalar();
        let sort = self.graph().sort(operand);
        let mut single =
            |operation, operand| self.graph().unary(operation, operand).expect(CHECKED);
        let node = match (operator, sort) {
            (Unary::Not, _) => single(Single::Not, operand),
            (Unary::Negate, _) => single(Single::Negate, operand),
            (Unary::BitNot, _) => single(Single::BitNot, operand),
            (Unary::ToInt | Unary::Floor, Sort::Real) => single(Single::RealToInt, operand),
            (Unary::ToInt, Sort::Machine(_)) => single(Single::MachineToInt, operand),
            (Unary::ToReal, Sort::Int) => single(Single::IntToReal, operand),
            (Unary::ToReal, Sort::Machine(_)) => {
                let integer = single(Single::MachineToInt, operand);
                single(Single::IntToReal, integer)
            }
            (Unary::ToMachine(signedness, bits), _) => {
                let width = Width::new(signedness, u32::from(bits));
                single(Single::Wrap(width.expect("invariant: 8 to 64 bits")), operand)
            }
            // A number that is of the kind already; `pre` and `current` do not come here.
            _ => operand,
        };
        self.scalar(self.model.kind(id), node)
    }

    pub fn binary(&mut self, operator: Binary) -> Bundle {
        let (right, left) = (self.pop(), self.pop());
        match operator {
            Binary::Equal => {
                let node = self.equal_bundles(&left, &right);
                return self.boolean(node);
            }
            Binary::NotEqual => {
                let node = self.equal_bundles(&left, &right);
                let node = self.not(node);
                return self.boolean(node);
            }
            _ => {}
        }
        let (a, b) = (left.leaves[0], right.leaves[0]);
        let node = match operator {
            Binary::Implies => self.implies(a, b),
            Binary::Or => self.or(a, b),
            Binary::And => self.and(a, b),
            Binary::Xor => self.operation(Operation::Xor, a, b),
            Binary::Less => self.operation(Operation::Less, a, b),
            Binary::LessEqual => self.operation(Operation::LessEqual, a, b),
            Binary::Greater => self.operation(Operation::Less, b, a),
            Binary::GreaterEqual => self.operation(Operation::LessEqual, b, a),
            Binary::Add => self.operation(Operation::Add, a, b),
            Binary::Subtract => self.operation(Operation::Subtract, a, b),
            Binary::Multiply => self.operation(Operation::Multiply, a, b),
            Binary::Divide if self.graph().sort(a) == Sort::Real => {
                self.operation(Operation::Divide, a, b)
            }
            Binary::Divide | Binary::IntegerDivide => self.operation(Operation::Div, a, b),
            Binary::Modulo => self.operation(Operation::Mod, a, b),
            Binary::BitOr => self.operation(Operation::BitOr, a, b),
            Binary::BitAnd => self.operation(Operation::BitAnd, a, b),
            Binary::ShiftLeft => self.operation(Operation::ShiftLeft, a, b),
            Binary::ShiftRight => self.operation(Operation::ShiftRight, a, b),
            Binary::Arrow | Binary::Fby | Binary::Repeat | Binary::Equal | Binary::NotEqual => {
                unreachable!("invariant: '{}' is lowered elsewhere", operator.spelling())
            }
        };
        match self.graph().sort(node) {
            Sort::Bool => self.boolean(node),
            Sort::Int => self.scalar(Kinds::int(), node),
            Sort::Real => self.scalar(Kinds::real(), node),
            Sort::Machine(_) => Bundle { leaves: vec![node], ..left },
        }
    }

    fn equal_bundles(&mut self, left: &Bundle, right: &Bundle) -> NodeId {
        let mut all = self.always;
        for (a, b) in left.leaves.iter().zip(&right.leaves) {
            let same = self.equal(*a, *b);
            all = self.and(all, same);
        }
        all
    }

    /// `#(a, b, c)`: at most one holds.
    pub fn at_most_one(&mut self, operands: &[NodeId]) -> NodeId {
        let (mut some, mut good) = (self.graph().bool(false), self.always);
        for operand in operands {
            let two = self.and(some, *operand);
            let fine = self.not(two);
            good = self.and(good, fine);
            some = self.or(some, *operand);
        }
        good
    }
}
