//! The shape of a decision over its conditions, and what masking MC/DC asks of it, by its definition.
//!
//! Independent of the product's trees and marking: a parser of the marked text, and forcing by trying every value.

/// A Boolean expression over conditions, which are numbered in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    Condition(usize),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    /// `^`, or `!=` of Booleans.
    Xor(Box<Tree>, Box<Tree>),
}

/// An evaluation of a decision: its conditions, where they were evaluated, and the outcome.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evaluation {
    pub values: Vec<Option<bool>>,
    pub outcome: bool,
}

impl Tree {
    /// Reads a decision with `#` for each condition.
    pub fn read(shape: &str) -> Self {
        let tokens: Vec<char> = shape.chars().filter(|c| !c.is_whitespace()).collect();
        let mut reader = Reader { tokens, at: 0, conditions: 0 };
        let tree = reader.binary(0);
        assert_eq!(reader.at, reader.tokens.len(), "mark the conditions of '{shape}'");
        tree
    }

    fn evaluate(&self, values: &[bool]) -> bool {
        match self {
            Self::Condition(at) => values[*at],
            Self::Not(operand) => !operand.evaluate(values),
            Self::And(left, right) => left.evaluate(values) && right.evaluate(values),
            Self::Or(left, right) => left.evaluate(values) || right.evaluate(values),
            Self::Xor(left, right) => left.evaluate(values) ^ right.evaluate(values),
        }
    }

    /// Does an unmasked value of this condition fix the outcome?
    fn fixes(&self, condition: usize) -> bool {
        match self {
            Self::Condition(at) => *at == condition,
            Self::Not(operand) => operand.fixes(condition),
            Self::And(left, right) | Self::Or(left, right) => {
                left.fixes(condition) || right.fixes(condition)
            }
            Self::Xor(..) => false,
        }
    }

    /// Does the condition decide the outcome? What was not evaluated and is needed under the forced value takes the value that keeps the
    /// condition unmasked, if there is one.
    fn is_unmasked(&self, condition: usize, evaluation: &Evaluation) -> bool {
        let Some(value) = evaluation.values[condition] else { return false };
        let skipped: Vec<usize> =
            (0..evaluation.values.len()).filter(|at| evaluation.values[*at].is_none()).collect();
        (0..1_u64 << skipped.len()).any(|choice| {
            let mut values: Vec<bool> =
                evaluation.values.iter().map(|value| value.unwrap_or(false)).collect();
            values[condition] = !value;
            for (bit, at) in skipped.iter().enumerate() {
                values[*at] = choice >> bit & 1 == 1;
            }
            self.evaluate(&values) != evaluation.outcome
        })
    }

    /// Do these evaluations show the half (condition, value) of masking MC/DC?
    pub fn shows(&self, condition: usize, value: bool, evaluations: &[Evaluation]) -> bool {
        let half = |value: bool, outcome: bool| {
            evaluations.iter().any(|one| {
                one.values[condition] == Some(value)
                    && one.outcome == outcome
                    && self.is_unmasked(condition, one)
            })
        };
        let fixes = self.fixes(condition);
        [true, false]
            .into_iter()
            .any(|outcome| half(value, outcome) && (fixes || half(!value, !outcome)))
    }
}

struct Reader {
    tokens: Vec<char>,
    at: usize,
    conditions: usize,
}

impl Reader {
    fn starts_with(&self, token: &str) -> bool {
        let mut rest = self.tokens[self.at..].iter();
        token.chars().all(|c| rest.next() == Some(&c))
    }

    /// Binary operators by rising precedence, as C has them. The single ones join conditions where both sides are Boolean.
    fn binary(&mut self, level: usize) -> Tree {
        const LEVELS: [&[&str]; 6] = [&["||"], &["&&"], &["|"], &["^"], &["&"], &["==", "!="]];
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1);
        while let Some(token) = LEVELS[level].iter().find(|token| self.starts_with(token)) {
            if token.len() == 1 && (self.starts_with("&&") || self.starts_with("||")) {
                break;
            }
            self.at += token.len();
            let operands = (Box::new(left), Box::new(self.binary(level + 1)));
            left = match *token {
                "||" | "|" => Tree::Or(operands.0, operands.1),
                "&&" | "&" => Tree::And(operands.0, operands.1),
                "==" => Tree::Not(Box::new(Tree::Xor(operands.0, operands.1))),
                _ => Tree::Xor(operands.0, operands.1),
            };
        }
        left
    }

    fn unary(&mut self) -> Tree {
        let token = self.tokens.get(self.at).copied();
        self.at += 1;
        match token {
            Some('!') => Tree::Not(Box::new(self.unary())),
            Some('(') => {
                let inside = self.binary(0);
                assert_eq!(self.tokens.get(self.at), Some(&')'), "a parenthesis does not end");
                self.at += 1;
                inside
            }
            Some('#') => {
                self.conditions += 1;
                Tree::Condition(self.conditions - 1)
            }
            _ => panic!("mark the conditions of '{}'", self.tokens.iter().collect::<String>()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(values: &str, outcome: bool) -> Evaluation {
        let value = |c| match c {
            'T' => Some(true),
            'F' => Some(false),
            _ => None,
        };
        Evaluation { values: values.chars().map(value).collect(), outcome }
    }

    #[test]
    fn halves_of_short_circuits_stand_alone() {
        let tree = Tree::read("# && (# || !#)");
        let all = [evaluation("F--", false), evaluation("TFT", false)];
        assert!(tree.shows(0, false, &all));
        assert!(!tree.shows(0, true, &all));
        assert!(tree.shows(1, false, &all) && tree.shows(2, true, &all));
        assert!(!tree.shows(2, false, &all));
    }

    #[test]
    fn halves_below_exclusive_or_need_a_partner_with_the_other_outcome() {
        let tree = Tree::read("# ^ #");
        let all = [evaluation("TF", true), evaluation("FT", true)];
        assert!(!tree.shows(0, true, &all));
        let all = [evaluation("TF", true), evaluation("FF", false)];
        assert!(
            tree.shows(0, true, &all) && tree.shows(0, false, &all) && !tree.shows(1, true, &all)
        );
    }
}
