//! Branch distance (search-based testing): how far an input is from flipping a branch.

use obligato_term::{BinaryOp, Node, Term, Terms, UnaryOp, Values, signed};

/// Zero if the bit holds; else a number that gets smaller as the operands of its comparison get closer.
pub fn distance(terms: &Terms, values: &mut Values<'_>, term: Term) -> u64 {
    if values.holds(terms, term) {
        return 0;
    }
    let (inner, negated) = match terms.node(term) {
        Node::Unary(UnaryOp::Not, inner) => (inner, true),
        _ => (term, false),
    };
    let Node::Binary(op, left, right) = terms.node(inner) else { return UNKNOWN };
    let width = terms.width(left);
    let (a, b) = (values.of(terms, left), values.of(terms, right));
    let apart = match op {
        BinaryOp::Equal if negated => return 1,
        BinaryOp::LessSigned => signed(a, width).abs_diff(signed(b, width)),
        BinaryOp::Equal | BinaryOp::LessUnsigned => a.abs_diff(b),
        _ => return UNKNOWN,
    };
    u64::try_from(apart).unwrap_or(u64::MAX - 1).saturating_add(1)
}

/// The branch distance of a bit that is no comparison.
const UNKNOWN: u64 = 1 << 32;
