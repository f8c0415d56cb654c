//! Where an operand needs parentheses.
//!
//! An operand that starts with a keyword and takes all that follows (`if`, `forall`, `uint8`)
//! can go without only at the *tail*: where what follows is the end or a closing bracket,
//! not an operator.

use crate::ast::{
    BinaryOperator, Expr, ExprId, Grouping, Level, MergeNotation, Quantifier, SyntaxTree,
    UnaryOperator,
};

/// Which operand of a binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Is what follows the end or a closing bracket?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    Yes,
    No,
}

/// How tightly an expression binds.
pub(super) fn level(program: &SyntaxTree, id: ExprId) -> Level {
    match program.expr(id) {
        Expr::Unary(operator, _) => operator.level(),
        Expr::Binary(operator, ..) => operator.level(),
        Expr::If(..) => Level::Else,
        Expr::Quantified(Quantifier::Forall | Quantifier::Exists, ..) => Level::Quantifier,
        Expr::When(..) => Level::When,
        Expr::Merge { notation: MergeNotation::Cases, .. } => Level::Prefix,
        _ => Level::Postfix,
    }
}

/// Does it take all that follows?
fn takes_all(program: &SyntaxTree, id: ExprId) -> bool {
    matches!(
        program.expr(id),
        Expr::If(..)
            | Expr::Quantified(Quantifier::Forall | Quantifier::Exists, ..)
            | Expr::Unary(UnaryOperator::ToMachine(..), _)
    )
}

fn is_negation(program: &SyntaxTree, id: ExprId) -> bool {
    matches!(program.expr(id), Expr::Unary(UnaryOperator::Negate, _))
}

/// The operand of a binary operator.
pub(super) fn encloses(
    program: &SyntaxTree,
    operator: BinaryOperator,
    operand: ExprId,
    side: Side,
    tail: Tail,
) -> bool {
    let inner = level(program, operand);
    if takes_all(program, operand) {
        let loose = matches!(operator.level(), Level::Arrow | Level::Implies);
        let bare = loose && side == Side::Right && tail == Tail::Yes && inner > Level::MachineCast;
        return !bare;
    }
    if is_negation(program, operand) {
        // `-a div b` is read in two ways, `a - -b` is hard to read at all.
        let division = matches!(operator, BinaryOperator::IntegerDivide | BinaryOperator::Modulo);
        let divided = side == Side::Left && division;
        let subtracted = side == Side::Right && operator == BinaryOperator::Subtract;
        if divided || subtracted {
            return true;
        }
    }
    let outer = operator.level();
    let groups_here = match operator.grouping() {
        Grouping::Left => side == Side::Left,
        Grouping::Right => side == Side::Right,
    };
    inner < outer || inner == outer && !groups_here
}

/// The operand of a prefix operator that is written in front.
pub(super) fn encloses_unary(
    program: &SyntaxTree,
    operator: UnaryOperator,
    operand: ExprId,
) -> bool {
    match operator {
        UnaryOperator::ToMachine(..) => level(program, operand) < Level::Postfix,
        _ => level(program, operand) < Level::Prefix,
    }
}

/// What stands before `[`, `.` or `{`. A number before `.` would become part of one with it:
/// `t.%1.e2`.
pub(super) fn encloses_base(program: &SyntaxTree, base: ExprId) -> bool {
    matches!(program.expr(base), Expr::Int(_) | Expr::Real(_) | Expr::Project(..))
        || level(program, base) < Level::Postfix
}

/// The last part of `if … else`.
pub(super) fn encloses_else(program: &SyntaxTree, operand: ExprId) -> bool {
    level(program, operand) < Level::Else
}

/// What a quantifier ranges over.
pub(super) fn encloses_body(program: &SyntaxTree, operand: ExprId) -> bool {
    level(program, operand) < Level::Quantifier
}

/// What stands before `when`.
pub(super) fn encloses_clocked(program: &SyntaxTree, operand: ExprId) -> bool {
    takes_all(program, operand) || level(program, operand) < Level::When
}

/// The size of an array type after `^`.
pub(super) fn encloses_size(program: &SyntaxTree, size: ExprId) -> bool {
    level(program, size) < Level::Postfix
}
