//! The same definition over whole truth tables of up to 5 conditions, a bit per
//! row, so that *every* tree of that size can be checked. It is itself checked
//! against the direct definition on all smaller trees.

use super::{Expr, row_values};
use obligato_model::{Circuit, Operator};

/// The rows in which condition `c` is true.
const TRUE_ROWS: [u32; 5] = [0xAAAA_AAAA, 0xCCCC_CCCC, 0xF0F0_F0F0, 0xFF00_FF00, 0xFFFF_0000];

/// Per row of the truth table, what an evaluation of the tree does.
pub struct Rows {
    /// Rows with a true outcome.
    pub outcome: u32,
    /// Per condition, the rows that evaluate it.
    pub evaluated: Vec<u32>,
}

pub fn rows(expr: &Expr) -> Rows {
    let mut evaluated = vec![0; expr.conditions()];
    let outcome = walk(expr, 0, u32::MAX, &mut evaluated);
    Rows { outcome, evaluated }
}

/// The outcome of each row; the rows in `reached` evaluate this subtree.
fn walk(expr: &Expr, first: usize, reached: u32, evaluated: &mut [u32]) -> u32 {
    match expr {
        Expr::Condition => {
            evaluated[first] = reached;
            TRUE_ROWS[first]
        }
        Expr::Not(a) => !walk(a, first, reached, evaluated),
        Expr::Binary(operator, a, b) => {
            let left = walk(a, first, reached, evaluated);
            let reached = match operator {
                Operator::And(Circuit::Short) => reached & left,
                Operator::Or(Circuit::Short) => reached & !left,
                _ => reached,
            };
            let right = walk(b, first + a.conditions(), reached, evaluated);
            match operator {
                Operator::And(_) => left & right,
                Operator::Or(_) => left | right,
                Operator::Xor => left ^ right,
                Operator::Equal => !(left ^ right),
                Operator::Implies => !left | right,
            }
        }
        Expr::Choose(circuit, a, b, c) => {
            let test = walk(a, first, reached, evaluated);
            let [for_then, for_else] = match circuit {
                Circuit::Short => [reached & test, reached & !test],
                Circuit::Full => [reached; 2],
            };
            let second = first + a.conditions();
            let then = walk(b, second, for_then, evaluated);
            let otherwise = walk(c, second + b.conditions(), for_else, evaluated);
            test & then | !test & otherwise
        }
    }
}

/// Each bit moved to the row that differs in condition `c` only.
fn flipped(rows: u32, c: usize) -> u32 {
    let distance = 1 << c;
    (rows & TRUE_ROWS[c]) >> distance | (rows & !TRUE_ROWS[c]) << distance
}

impl Rows {
    /// The conditions unmasked in the evaluation of `row`, as bits.
    pub fn unmasked(&self, row: u32) -> u32 {
        let conditions = self.evaluated.len();
        let is_evaluated = |c: usize| self.evaluated[c] >> row & 1 == 1;
        let outcome = if self.outcome >> row & 1 == 1 { self.outcome } else { !self.outcome };
        (0..conditions)
            .filter(|&c| is_evaluated(c))
            .filter(|&c| {
                // Rows whose outcome differs from this row's when `c` is forced …
                let mut different = flipped(!outcome, c);
                // … for some values of the skipped conditions.
                for skipped in (0..conditions).filter(|&c| !is_evaluated(c)) {
                    different |= flipped(different, skipped);
                }
                different >> row & 1 == 1
            })
            .fold(0, |set, c| set | 1 << c)
    }

    /// The conditions evaluated in `row`, as bits.
    pub fn evaluated_in(&self, row: u32) -> u32 {
        (0..self.evaluated.len()).fold(0, |set, c| set | (self.evaluated[c] >> row & 1) << c)
    }
}

/// Compares with the direct definition on every row.
pub fn agrees_with_the_definition(expr: &Expr) {
    let table = rows(expr);
    let conditions = expr.conditions();
    let bits = |members: Vec<usize>| members.into_iter().fold(0, |set, c| set | 1 << c);
    for row in 0..1 << conditions {
        let values = row_values(conditions, row);
        let (seen, outcome) = super::evaluate(expr, &values);
        assert_eq!(table.outcome >> row & 1 == 1, outcome, "{expr:?}");
        assert_eq!(table.evaluated_in(row), bits(seen), "{expr:?}");
        assert_eq!(table.unmasked(row), bits(super::unmasked(expr, &values)), "{expr:?}");
    }
}
