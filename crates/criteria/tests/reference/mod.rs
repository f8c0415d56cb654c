//! What marking has to agree with: the definition of "unmasked" by forcing, as
//! directly as it can be written, over trees that recurse.

pub mod truth_table;

use obligato_model::{BoolTree, Circuit, Operator, TreeBuilder};
use proptest::prelude::*;

/// A Boolean tree, written for recursion.
#[derive(Clone, Debug)]
pub enum Expr {
    Condition,
    Not(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Choose(Circuit, Box<Expr>, Box<Expr>, Box<Expr>),
}

pub const OPERATORS: [Operator; 7] = [
    Operator::And(Circuit::Short),
    Operator::Or(Circuit::Short),
    Operator::And(Circuit::Full),
    Operator::Or(Circuit::Full),
    Operator::Xor,
    Operator::Equal,
    Operator::Implies,
];

pub const CIRCUITS: [Circuit; 2] = [Circuit::Short, Circuit::Full];

/// Random trees of up to `most` conditions.
pub fn any_tree(most: u32) -> impl Strategy<Value = Expr> {
    Just(Expr::Condition).prop_recursive(most, most, 3, |inner| {
        let operator = proptest::sample::select(OPERATORS.to_vec());
        let circuit = proptest::sample::select(CIRCUITS.to_vec());
        prop_oneof![
            1 => inner.clone().prop_map(|a| Expr::Not(a.into())),
            4 => (operator, inner.clone(), inner.clone())
                .prop_map(|(o, a, b)| Expr::Binary(o, a.into(), b.into())),
            1 => (circuit, inner.clone(), inner.clone(), inner)
                .prop_map(|(s, a, b, c)| Expr::Choose(s, a.into(), b.into(), c.into())),
        ]
    })
}

impl Expr {
    pub fn conditions(&self) -> usize {
        match self {
            Self::Condition => 1,
            Self::Not(a) => a.conditions(),
            Self::Binary(_, a, b) => a.conditions() + b.conditions(),
            Self::Choose(_, a, b, c) => a.conditions() + b.conditions() + c.conditions(),
        }
    }

    pub fn tree(&self) -> BoolTree {
        let mut builder = TreeBuilder::new();
        self.build(&mut builder);
        builder.finish().expect("a tree")
    }

    fn build(&self, builder: &mut TreeBuilder) {
        match self {
            Self::Condition => builder.condition(),
            Self::Not(a) => {
                a.build(builder);
                builder.not().expect("an operand");
            }
            Self::Binary(operator, a, b) => {
                a.build(builder);
                b.build(builder);
                builder.binary(*operator).expect("operands");
            }
            Self::Choose(circuit, a, b, c) => {
                a.build(builder);
                b.build(builder);
                c.build(builder);
                builder.choose(*circuit).expect("operands");
            }
        }
    }

    /// Runs the expression as the language does, on the conditions from
    /// `first` on; what it evaluates is noted in `seen`.
    pub fn run(&self, first: usize, values: &[bool], seen: &mut Vec<usize>) -> bool {
        match self {
            Self::Condition => {
                seen.push(first);
                values[first]
            }
            Self::Not(a) => !a.run(first, values, seen),
            Self::Binary(operator, a, b) => {
                let left = a.run(first, values, seen);
                let short = match operator {
                    Operator::And(Circuit::Short) => !left,
                    Operator::Or(Circuit::Short) => left,
                    _ => false,
                };
                if short {
                    return left;
                }
                let right = b.run(first + a.conditions(), values, seen);
                match operator {
                    Operator::And(_) => left & right,
                    Operator::Or(_) => left | right,
                    Operator::Xor => left ^ right,
                    Operator::Equal => left == right,
                    Operator::Implies => !left | right,
                }
            }
            Self::Choose(circuit, a, b, c) => {
                let test = a.run(first, values, seen);
                let then = first + a.conditions();
                let otherwise = then + b.conditions();
                match circuit {
                    Circuit::Short if test => b.run(then, values, seen),
                    Circuit::Short => c.run(otherwise, values, seen),
                    Circuit::Full => {
                        let arms = [c.run(otherwise, values, seen), b.run(then, values, seen)];
                        arms[usize::from(test)]
                    }
                }
            }
        }
    }
}

/// The conditions evaluated and the outcome.
pub fn evaluate(expr: &Expr, values: &[bool]) -> (Vec<usize>, bool) {
    let mut seen = Vec::new();
    let outcome = expr.run(0, values, &mut seen);
    seen.sort_unstable();
    (seen, outcome)
}

/// The definition: forcing only this condition to its other value changes the
/// outcome, for some values of the conditions that were skipped.
pub fn unmasked(expr: &Expr, values: &[bool]) -> Vec<usize> {
    unmasked_with(expr, values, &vec![None; values.len()])
}

/// The same where some conditions can only have one value.
pub fn unmasked_with(expr: &Expr, values: &[bool], constants: &[Option<bool>]) -> Vec<usize> {
    let (evaluated, outcome) = evaluate(expr, values);
    let skipped: Vec<usize> =
        (0..values.len()).filter(|condition| !evaluated.contains(condition)).collect();
    let decides = |condition: usize| {
        (0..1_u32 << skipped.len()).any(|choice| {
            let mut forced = values.to_vec();
            forced[condition] = !forced[condition];
            for (bit, &free) in skipped.iter().enumerate() {
                forced[free] = constants[free].unwrap_or(choice >> bit & 1 == 1);
            }
            evaluate(expr, &forced).1 != outcome
        })
    };
    evaluated.iter().copied().filter(|&condition| decides(condition)).collect()
}

/// All trees with this many conditions, without negations.
pub fn all_trees(conditions: usize) -> Vec<Expr> {
    let mut by_size: Vec<Vec<Expr>> = vec![vec![], vec![Expr::Condition]];
    for size in 2..=conditions {
        let mut trees = Vec::new();
        for left in 1..size {
            for a in &by_size[left] {
                for b in &by_size[size - left] {
                    for operator in OPERATORS {
                        trees.push(Expr::Binary(operator, a.clone().into(), b.clone().into()));
                    }
                }
                for middle in 1..size - left {
                    for b in &by_size[middle] {
                        for c in &by_size[size - left - middle] {
                            for circuit in CIRCUITS {
                                let [a, b, c] = [a, b, c].map(|x| Box::new(x.clone()));
                                trees.push(Expr::Choose(circuit, a, b, c));
                            }
                        }
                    }
                }
            }
        }
        by_size.push(trees);
    }
    by_size.swap_remove(conditions)
}

/// How many places for a negation a tree has: one above each node.
pub fn places(expr: &Expr) -> usize {
    match expr {
        Expr::Condition => 1,
        Expr::Not(a) => places(a),
        Expr::Binary(_, a, b) => 1 + places(a) + places(b),
        Expr::Choose(_, a, b, c) => 1 + places(a) + places(b) + places(c),
    }
}

/// The tree with a negation at each place whose bit is set.
pub fn negated(expr: &Expr, bits: &mut u32) -> Expr {
    let inner = match expr {
        Expr::Condition => Expr::Condition,
        Expr::Not(a) => Expr::Not(negated(a, bits).into()),
        Expr::Binary(operator, a, b) => {
            let a = negated(a, bits);
            Expr::Binary(*operator, a.into(), negated(b, bits).into())
        }
        Expr::Choose(circuit, a, b, c) => {
            let a = negated(a, bits);
            let b = negated(b, bits);
            Expr::Choose(*circuit, a.into(), b.into(), negated(c, bits).into())
        }
    };
    let negate = *bits & 1 == 1;
    *bits >>= 1;
    if negate { Expr::Not(inner.into()) } else { inner }
}

/// The values of `conditions` conditions encoded in the bits of `row`.
pub fn row_values(conditions: usize, row: u32) -> Vec<bool> {
    (0..conditions).map(|condition| row >> condition & 1 == 1).collect()
}
