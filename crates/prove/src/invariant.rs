//! Invariants of a circuit: clauses that hold in every step of every run.

use obligato_circuit::{GateId, Lit};
use obligato_solver::{Answer, Engine, Literal, Solver, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

/// A conjunction of clauses over the literals of one circuit, each true in every step of every run.
/// A clause may contain any gate, inputs included: it holds for all inputs that satisfy the
/// constraints.
///
/// Together the clauses are [`k`](Self::k)-inductive: they hold in the first `k` steps of every run, and if
/// they hold in `k` consecutive steps they hold in the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// In each, some literal is true.
    pub clauses: Vec<Vec<Lit>>,
    /// The number of consecutive steps that the induction step assumes, at least 1.
    pub k: usize,
}

impl Default for Invariant {
    fn default() -> Self {
        Self { clauses: Vec::new(), k: 1 }
    }
}

impl Invariant {
    /// The invariant without clauses.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds clauses that are inductive together with the present ones. The union is inductive over the larger `k`
    /// of the two.
    pub fn extend(&mut self, more: Self) {
        let known: FxHashSet<&[Lit]> = self.clauses.iter().map(Vec::as_slice).collect();
        let mut new = more.clauses;
        new.retain(|clause| !known.contains(clause.as_slice()));
        self.clauses.append(&mut new);
        self.k = self.k.max(more.k);
    }

    /// Drops clauses that follow from the others, the longest first: fewer clauses make queries faster.
    #[must_use]
    pub fn concise(mut self, stop: &Stop) -> Self {
        self.clauses.sort_by_key(Vec::len);
        let mut solver = Solver::new(Engine::Batsat, stop);
        let mut variables: FxHashMap<GateId, Literal> = FxHashMap::default();
        let mut asserted = Vec::with_capacity(self.clauses.len());
        let clauses: Vec<Vec<Literal>> = self
            .clauses
            .iter()
            .map(|clause| {
                let literal = |lit: &Lit| {
                    let variable =
                        *variables.entry(lit.gate()).or_insert_with(|| solver.variable());
                    if lit.is_negated() { !variable } else { variable }
                };
                clause.iter().map(literal).collect()
            })
            .collect();
        for clause in &clauses {
            let is_there = solver.variable();
            solver.add(&clause.iter().copied().chain([!is_there]).collect::<Vec<_>>());
            asserted.push(is_there);
        }
        let mut follows = vec![false; clauses.len()];
        for index in (0..clauses.len()).rev() {
            let others = (0..clauses.len()).filter(|other| *other != index && !follows[*other]);
            let violated = clauses[index].iter().map(|literal| !*literal);
            let question: Vec<Literal> =
                others.map(|other| asserted[other]).chain(violated).collect();
            follows[index] = solver.solve(&question, None) == Answer::Unsat;
        }
        let mut follows = follows.into_iter();
        self.clauses.retain(|_| follows.next() == Some(false));
        self
    }

    /// Does it hold in a step with these values, by gate?
    pub fn holds(&self, values: &[bool]) -> bool {
        let is_true = |lit: &Lit| values[lit.gate() as usize] != lit.is_negated();
        self.clauses.iter().all(|clause| clause.iter().any(is_true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_from_other_clauses_is_left_out() {
        let [a, b, c] = [1, 2, 3].map(Lit::of);
        let clauses = vec![vec![!a, c], vec![a, b, c], vec![!a, b], vec![!b, c]];
        let concise = Invariant { clauses, k: 2 }.concise(&Stop::never());
        assert_eq!(
            concise,
            Invariant { clauses: vec![vec![!a, b], vec![!b, c], vec![a, b, c]], k: 2 }
        );
    }

    #[test]
    fn invariants_join_without_repeating_themselves_and_keep_the_longer_induction() {
        let [a, b] = [Lit::of(1), Lit::of(2)];
        let mut known = Invariant { clauses: vec![vec![a]], k: 1 };
        known.extend(Invariant { clauses: vec![vec![a], vec![!a, b]], k: 3 });
        assert_eq!(known, Invariant { clauses: vec![vec![a], vec![!a, b]], k: 3 });
        assert!(known.holds(&[false, true, true]));
        assert!(!known.holds(&[false, true, false]));
    }
}
