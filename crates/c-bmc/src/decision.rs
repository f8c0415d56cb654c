//! One evaluation of a decision as terms: its outcome, and which conditions determine it.
//!
//! Every bit includes that the evaluation takes place: `holds[node][v]` is the bit that the node was evaluated to `v`.
//! Masking is that of `obligato_criteria::partial_evaluation`: an operand matters to an operator if the others
//! leave the result to it, and one that was skipped counts as having the value that does, if it can have it.

use obligato_criteria::partial_evaluation::possible_values;
use obligato_model::{BoolTree, Circuit, Node, NodeId, Operator};
use obligato_term::{Term, Terms};

/// The terms of one evaluation of a decision.
#[derive(Clone, Debug)]
pub(crate) struct DecisionTerms {
    /// Per node, the bits that it was evaluated to false, and to true.
    pub(crate) holds: Vec<[Term; 2]>,
    /// Per condition, its node.
    leaves: Vec<usize>,
    /// Per node, the bit that it determines the outcome, given that it was evaluated.
    decides: Vec<Term>,
}

impl DecisionTerms {
    /// `conditions` has for each that is in the code that it was evaluated to false, and to true; `None` for one that is folded to
    /// a number in `folded`. `begun` says that the evaluation began.
    pub(crate) fn new(
        terms: &mut Terms,
        tree: &BoolTree,
        conditions: &[Option<[Term; 2]>],
        folded: &[Option<bool>],
        begun: Term,
        constants: &[Option<bool>],
    ) -> Self {
        let mut leaves = vec![0; tree.conditions()];
        let parents = parents(tree);
        let mut holds: Vec<[Term; 2]> = Vec::with_capacity(tree.nodes().len());
        for (index, node) in tree.nodes().iter().enumerate() {
            let value = match *node {
                Node::Condition(ordinal) => {
                    let ordinal = ordinal as usize;
                    leaves[ordinal] = index;
                    match (conditions[ordinal], folded[ordinal]) {
                        (Some(known), _) => known,
                        (None, Some(value)) => {
                            let due = due(terms, tree, &parents, &holds, index, begun);
                            let never = terms.bit(false);
                            if value { [never, due] } else { [due, never] }
                        }
                        (None, None) => [terms.bit(false); 2],
                    }
                }
                Node::Not(one) => {
                    let [no, yes] = holds[one.index()];
                    [yes, no]
                }
                Node::Binary(operator, left, right) => {
                    binary(terms, operator, holds[left.index()], holds[right.index()])
                }
                Node::Choose(circuit, test, then, otherwise) => {
                    let [test, then, otherwise] =
                        [test, then, otherwise].map(|one| holds[one.index()]);
                    chosen(terms, circuit, test, then, otherwise)
                }
            };
            holds.push(value);
        }
        let decides = deciding(terms, tree, &holds, &possible_values(tree, constants));
        Self { holds, leaves, decides }
    }

    /// The bit that the decision has this outcome.
    pub(crate) fn outcome(&self, value: bool) -> Term {
        self.holds[self.holds.len() - 1][usize::from(value)]
    }

    /// The bit that a condition was evaluated to this value.
    pub(crate) fn taken(&self, ordinal: usize, value: bool) -> Term {
        self.holds[self.leaves[ordinal]][usize::from(value)]
    }

    /// The bit that a condition had this value, determined the outcome, and the outcome is this.
    pub(crate) fn shown(
        &self,
        terms: &mut Terms,
        ordinal: usize,
        value: bool,
        outcome: bool,
    ) -> Term {
        let parts =
            [self.taken(ordinal, value), self.decides[self.leaves[ordinal]], self.outcome(outcome)];
        terms.all(parts)
    }
}

fn binary(terms: &mut Terms, operator: Operator, left: [Term; 2], right: [Term; 2]) -> [Term; 2] {
    let mut result = [terms.bit(false); 2];
    for a in [false, true] {
        if operator.skips_right(a) {
            let value = usize::from(operator.apply(a, false));
            result[value] = terms.or(result[value], left[usize::from(a)]);
            continue;
        }
        for b in [false, true] {
            let value = usize::from(operator.apply(a, b));
            // The right operand of a short circuit is evaluated only after such a left one.
            let both = if operator.skips_right(!a) {
                right[usize::from(b)]
            } else {
                terms.and(left[usize::from(a)], right[usize::from(b)])
            };
            result[value] = terms.or(result[value], both);
        }
    }
    result
}

fn chosen(
    terms: &mut Terms,
    circuit: Circuit,
    test: [Term; 2],
    then: [Term; 2],
    otherwise: [Term; 2],
) -> [Term; 2] {
    if circuit == Circuit::Short {
        return [0, 1].map(|value| terms.or(then[value], otherwise[value]));
    }
    let evaluated = |terms: &mut Terms, one: [Term; 2]| terms.or(one[0], one[1]);
    let (of_then, of_otherwise) = (evaluated(terms, then), evaluated(terms, otherwise));
    [0, 1].map(|value| {
        let first = terms.all([test[1], then[value], of_otherwise]);
        let second = terms.all([test[0], otherwise[value], of_then]);
        terms.or(first, second)
    })
}

/// Per node the one above it.
fn parents(tree: &BoolTree) -> Vec<Option<usize>> {
    let mut parents = vec![None; tree.nodes().len()];
    for (index, node) in tree.nodes().iter().enumerate() {
        for child in children(*node) {
            parents[child.index()] = Some(index);
        }
    }
    parents
}

fn children(node: Node) -> Vec<NodeId> {
    match node {
        Node::Condition(_) => Vec::new(),
        Node::Not(one) => vec![one],
        Node::Binary(_, left, right) => vec![left, right],
        Node::Choose(_, test, then, otherwise) => vec![test, then, otherwise],
    }
}

/// The bit that a condition is the next to be evaluated.
fn due(
    terms: &mut Terms,
    tree: &BoolTree,
    parents: &[Option<usize>],
    holds: &[[Term; 2]],
    leaf: usize,
    begun: Term,
) -> Term {
    let mut node = leaf;
    while let Some(parent) = parents[node] {
        let is = |id: NodeId| id.index() == node;
        let either = |terms: &mut Terms, id: NodeId| {
            let [no, yes] = holds[id.index()];
            terms.or(no, yes)
        };
        match tree.nodes()[parent] {
            Node::Binary(operator, left, right) if is(right) => {
                let [no, yes] = holds[left.index()];
                return match (operator.skips_right(false), operator.skips_right(true)) {
                    (true, _) => yes,
                    (_, true) => no,
                    _ => terms.or(no, yes),
                };
            }
            Node::Choose(circuit, test, then, _) if is(then) => {
                return match circuit {
                    Circuit::Short => holds[test.index()][1],
                    Circuit::Full => either(terms, test),
                };
            }
            Node::Choose(circuit, test, then, otherwise) if is(otherwise) => {
                return match circuit {
                    Circuit::Short => holds[test.index()][0],
                    Circuit::Full => either(terms, then),
                };
            }
            _ => node = parent,
        }
    }
    begun
}

/// Per node, the bit that it determines the outcome.
fn deciding(
    terms: &mut Terms,
    tree: &BoolTree,
    holds: &[[Term; 2]],
    possible: &[[bool; 2]],
) -> Vec<Term> {
    let mut decides = vec![terms.bit(true); tree.nodes().len()];
    for index in (0..tree.nodes().len()).rev() {
        let above = decides[index];
        match tree.nodes()[index] {
            Node::Condition(_) => {}
            Node::Not(one) => decides[one.index()] = above,
            Node::Binary(operator, left, right) => {
                let (l, r) = (left.index(), right.index());
                let of_left = left_matters(terms, operator, holds[l], holds[r], possible[r]);
                let of_right = right_matters(terms, operator, holds[l]);
                decides[l] = terms.and(above, of_left);
                decides[r] = terms.and(above, of_right);
            }
            Node::Choose(circuit, test, then, otherwise) => {
                let arms = [otherwise.index(), then.index()];
                let of_test =
                    test_matters(terms, circuit, holds[test.index()], arms, holds, possible);
                decides[test.index()] = terms.and(above, of_test);
                let [no, yes] = holds[test.index()];
                decides[then.index()] = terms.and(above, yes);
                decides[otherwise.index()] = terms.and(above, no);
            }
        }
    }
    decides
}

/// The bit that the left operand determines the result of an operator.
fn left_matters(
    terms: &mut Terms,
    operator: Operator,
    left: [Term; 2],
    right: [Term; 2],
    possible: [bool; 2],
) -> Term {
    let matters = |b: bool| operator.apply(false, b) != operator.apply(true, b);
    let mut any = terms.bit(false);
    for b in [false, true] {
        if matters(b) {
            any = terms.or(any, right[usize::from(b)]);
        }
    }
    for a in [false, true] {
        let helps = |b: bool| matters(b) && possible[usize::from(b)];
        if operator.skips_right(a) && (helps(false) || helps(true)) {
            any = terms.or(any, left[usize::from(a)]);
        }
    }
    any
}

fn right_matters(terms: &mut Terms, operator: Operator, left: [Term; 2]) -> Term {
    let mut any = terms.bit(false);
    for a in [false, true] {
        if operator.apply(a, false) != operator.apply(a, true) {
            any = terms.or(any, left[usize::from(a)]);
        }
    }
    any
}

/// The bit that the test of a choice determines the result: the other arm has, or could have, another value.
fn test_matters(
    terms: &mut Terms,
    circuit: Circuit,
    test: [Term; 2],
    arms: [usize; 2],
    holds: &[[Term; 2]],
    possible: &[[bool; 2]],
) -> Term {
    let mut any = terms.bit(false);
    for a in [0, 1] {
        for value in [0, 1] {
            let other = arms[1 - a];
            let differs = match circuit {
                Circuit::Short if possible[other][1 - value] => terms.bit(true),
                Circuit::Short => terms.bit(false),
                Circuit::Full => holds[other][1 - value],
            };
            let this = terms.all([test[a], holds[arms[a]][value], differs]);
            any = terms.or(any, this);
        }
    }
    any
}
