//! Equalities of two names. `x == y` compares Booleans, as C and Lustre read it
//! between conditions; numbers are compared as `[x == y]`. Whoever forgets the
//! brackets is told so where it happened.

use obligato_model::{Node, NodeId, Operator, Type};

use crate::error::{FormulaError, Reason};
use crate::formulas::{Formula, FormulaCondition, Formulas, Term};

impl Formulas {
    /// Complains about the first equality of two names that `are_numbers`.
    pub fn check_equalities(
        &self,
        are_numbers: impl Fn(&str, &str) -> bool,
    ) -> Result<(), FormulaError> {
        for (decision, left, right, [x, y]) in self.equalities() {
            if !are_numbers(x, y) {
                continue;
            }
            // Numbers joined by `xor` are refused one by one when they are bound.
            let Some(sign) = sign_between(decision, left, right) else { return Ok(()) };
            let [left_name, right_name] = [x, y].map(str::to_owned);
            let reason = Reason::NumbersEqual { sign, left: left_name, right: right_name };
            return Err(FormulaError {
                file: self.file.clone(),
                at: left.span.start,
                line: decision.line.clone(),
                reason: Box::new(reason),
            });
        }
        Ok(())
    }

    /// May [`check_equalities`](Self::check_equalities) have something to look at?
    pub fn has_equalities(&self) -> bool {
        self.equalities().next().is_some()
    }

    /// The equalities of two names: decision, conditions and names.
    fn equalities(
        &self,
    ) -> impl Iterator<Item = (&Formula, &FormulaCondition, &FormulaCondition, [&str; 2])> {
        let name = |column: usize| self.columns()[column].name.as_str();
        self.decisions.iter().flat_map(equal_conditions).filter_map(
            move |(of, left, right)| match (&left.term, &right.term) {
                (Term::Column(x), Term::Column(y)) => Some((of, left, right, [name(*x), name(*y)])),
                _ => None,
            },
        )
    }
}

/// Is this a type of numbers?
pub fn is_number(kind: &Type) -> bool {
    !matches!(kind, Type::Bool | Type::Enumeration(_) | Type::OpenEnumeration(_))
}

/// The pairs of conditions that an operator of equality joins.
fn equal_conditions(
    decision: &Formula,
) -> impl Iterator<Item = (&Formula, &FormulaCondition, &FormulaCondition)> {
    let condition = |id: NodeId| match decision.tree.node(id) {
        Node::Condition(ordinal) => Some(&decision.conditions[ordinal as usize]),
        _ => None,
    };
    decision.tree.nodes().iter().filter_map(move |node| match node {
        Node::Binary(Operator::Equal | Operator::Xor, left, right) => {
            Some((decision, condition(*left)?, condition(*right)?))
        }
        _ => None,
    })
}

/// The sign of equality between two conditions; `None` for `xor` and `^`, which
/// nobody writes between numbers.
fn sign_between(
    decision: &Formula,
    left: &FormulaCondition,
    right: &FormulaCondition,
) -> Option<String> {
    let start = left.span.end.column as usize - 1;
    let length = (right.span.start.column as usize - 1).checked_sub(start)?;
    let between: String = decision.line.chars().skip(start).take(length).collect();
    let sign = between.trim_matches(|c: char| c.is_whitespace() || "()".contains(c));
    ["==", "=", "!=", "<>"].contains(&sign).then(|| sign.to_owned())
}
