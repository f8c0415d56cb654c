//! Sets of candidate invariants, and what a counterexample leaves of them.

use obligato_circuit::Lit;

use crate::candidates::Candidates;

/// A candidate invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Candidate {
    /// At least one of the literals is true.
    Clause(Vec<Lit>),
    /// The two are equal.
    Equal(Lit, Lit),
}

impl Candidate {
    /// As clauses.
    pub fn clauses(&self) -> Vec<Vec<Lit>> {
        match self {
            Self::Clause(clause) => vec![clause.clone()],
            Self::Equal(Lit::FALSE, lit) => vec![vec![!*lit]],
            Self::Equal(a, b) => vec![vec![!*a, *b], vec![*a, !*b]],
        }
    }
}

/// Candidate invariants, dropped as counterexamples violate them.
#[derive(Clone, Debug)]
pub struct CandidateSet {
    /// `None` once dropped; new candidates are appended, so indices stay.
    candidates: Vec<Option<Candidate>>,
    classes: Vec<Class>,
}

/// A class of literals that are candidates to be equal.
#[derive(Clone, Debug)]
struct Class {
    /// The representative.
    first: Lit,
    /// The other literals, each with the index of the candidate that equates it with the representative.
    others: Vec<(Lit, usize)>,
}

impl CandidateSet {
    /// The negations of the targets, which come first, and all candidates.
    pub fn new(targets: &[Lit], helpers: &Candidates) -> Self {
        let never = targets.iter().map(|target| vec![!*target]);
        let clauses = never.chain(helpers.clauses.iter().cloned());
        let candidates = clauses.map(|clause| Some(Candidate::Clause(clause))).collect();
        let mut set = Self { candidates, classes: Vec::new() };
        for class in &helpers.classes {
            set.add_class(class);
        }
        set
    }

    /// The number of candidates, dropped ones included.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// A candidate, unless it was dropped.
    pub fn get(&self, index: usize) -> Option<&Candidate> {
        self.candidates[index].as_ref()
    }

    fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().flatten()
    }

    /// All candidates that are left, as clauses.
    pub fn clauses(&self) -> Vec<Vec<Lit>> {
        self.candidates().flat_map(Candidate::clauses).collect()
    }

    /// Drops one candidate.
    pub fn drop_one(&mut self, index: usize) {
        self.candidates[index] = None;
        for class in &mut self.classes {
            class.others.retain(|(_, candidate)| *candidate != index);
        }
    }

    /// Drops the candidates that are left in `proved`, a set that started as this one did.
    pub fn remove_proved(&mut self, proved: &Self) {
        for (index, proved) in proved.candidates.iter().enumerate().take(self.len()) {
            if proved.is_some() && self.candidates[index] == *proved {
                self.drop_one(index);
            }
        }
    }

    /// Drops all candidates that these values violate; says whether there were any. Literals that differ from the
    /// representative of their class form a new class.
    pub fn drop_violated(&mut self, value: impl Fn(Lit) -> bool) -> bool {
        let mut dropped = false;
        for slot in &mut self.candidates {
            let Some(Candidate::Clause(clause)) = slot else { continue };
            if !clause.iter().any(|lit| value(*lit)) {
                *slot = None;
                dropped = true;
            }
        }
        for index in 0..self.classes.len() {
            let class = &mut self.classes[index];
            let first = value(class.first);
            let others = std::mem::take(&mut class.others);
            let (same, apart): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|(lit, _)| value(*lit) == first);
            class.others = same;
            dropped |= !apart.is_empty();
            for (_, candidate) in &apart {
                self.candidates[*candidate] = None;
            }
            self.add_class(&apart.into_iter().map(|(lit, _)| lit).collect::<Vec<_>>());
        }
        dropped
    }

    /// Adds a class of literals that are candidates to be equal.
    fn add_class(&mut self, lits: &[Lit]) {
        let [first, others @ ..] = lits else { return };
        if others.is_empty() {
            return;
        }
        let indices = self.candidates.len()..;
        self.candidates.extend(others.iter().map(|lit| Some(Candidate::Equal(*first, *lit))));
        let others = others.iter().copied().zip(indices).collect();
        self.classes.push(Class { first: *first, others });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counterexample_splits_a_class_into_classes_of_equal_values() {
        let [a, b, c, d] = [1, 2, 3, 4].map(Lit::of);
        let equal = vec![vec![a, b, c, d]];
        let clauses = vec![vec![a, d], vec![!a, c]];
        let mut set = CandidateSet::new(&[b], &Candidates { classes: equal, clauses });
        let values = |lit: Lit| [a, b, !c, !d].contains(&lit);
        assert!(set.drop_violated(values));
        let left: Vec<Candidate> = set.candidates().cloned().collect();
        assert_eq!(
            left,
            [Candidate::Clause(vec![a, d]), Candidate::Equal(a, b), Candidate::Equal(c, d)]
        );
        assert!(!set.drop_violated(values), "what is left holds");
    }
}
