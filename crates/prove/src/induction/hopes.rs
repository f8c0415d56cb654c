//! What is hoped to hold always, and what a counterexample leaves of it.

use obligato_circuit::Lit;

use crate::candidates::Candidates;

/// Something that is hoped to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Some of the literals is true.
    Clause(Vec<Lit>),
    /// The two are equal.
    Equal(Lit, Lit),
}

impl Claim {
    /// As clauses.
    pub fn clauses(&self) -> Vec<Vec<Lit>> {
        match self {
            Self::Clause(clause) => vec![clause.clone()],
            Self::Equal(Lit::FALSE, lit) => vec![vec![!*lit]],
            Self::Equal(a, b) => vec![vec![!*a, *b], vec![*a, !*b]],
        }
    }
}

/// Many claims, of which some have to be given up.
#[derive(Clone, Debug)]
pub struct Hopes {
    /// Given up once they are `None`; new ones come behind the others.
    claims: Vec<Option<Claim>>,
    classes: Vec<Class>,
}

/// Literals that are hoped to be equal.
#[derive(Clone, Debug)]
struct Class {
    /// The first, which stands for all.
    first: Lit,
    /// The others, each with the claim that it equals the first.
    others: Vec<(Lit, usize)>,
}

impl Hopes {
    /// That no target is ever true, which are the first claims, and all candidates.
    pub fn new(targets: &[Lit], candidates: &Candidates) -> Self {
        let never = targets.iter().map(|target| vec![!*target]);
        let clauses = never.chain(candidates.clauses.iter().cloned());
        let claims = clauses.map(|clause| Some(Claim::Clause(clause))).collect();
        let mut hopes = Self { claims, classes: Vec::new() };
        for class in &candidates.classes {
            hopes.add_class(class);
        }
        hopes
    }

    /// How many claims there are, those that were given up among them.
    pub fn len(&self) -> usize {
        self.claims.len()
    }

    /// A claim, unless it was given up.
    pub fn claim(&self, index: usize) -> Option<&Claim> {
        self.claims[index].as_ref()
    }

    fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().flatten()
    }

    /// All that is still hoped for.
    pub fn clauses(&self) -> Vec<Vec<Lit>> {
        self.claims().flat_map(Claim::clauses).collect()
    }

    /// Gives up one claim.
    pub fn give_up(&mut self, index: usize) {
        self.claims[index] = None;
        for class in &mut self.classes {
            class.others.retain(|(_, claim)| *claim != index);
        }
    }

    /// No longer hopes for what has been proved: the claims that are left in others that began with the same.
    pub fn settle(&mut self, proved: &Self) {
        for (index, proved) in proved.claims.iter().enumerate().take(self.len()) {
            if proved.is_some() && self.claims[index] == *proved {
                self.give_up(index);
            }
        }
    }

    /// Gives up all claims that do not hold with these values; says whether there were any. Literals that no
    /// longer equal the first of their class are hoped to equal each other.
    pub fn strike(&mut self, value: impl Fn(Lit) -> bool) -> bool {
        let mut struck = false;
        for slot in &mut self.claims {
            let Some(Claim::Clause(clause)) = slot else { continue };
            if !clause.iter().any(|lit| value(*lit)) {
                *slot = None;
                struck = true;
            }
        }
        for index in 0..self.classes.len() {
            let class = &mut self.classes[index];
            let first = value(class.first);
            let others = std::mem::take(&mut class.others);
            let (same, apart): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|(lit, _)| value(*lit) == first);
            class.others = same;
            struck |= !apart.is_empty();
            for (_, claim) in &apart {
                self.claims[*claim] = None;
            }
            self.add_class(&apart.into_iter().map(|(lit, _)| lit).collect::<Vec<_>>());
        }
        struck
    }

    /// Hopes that literals are equal.
    fn add_class(&mut self, lits: &[Lit]) {
        let [first, others @ ..] = lits else { return };
        if others.is_empty() {
            return;
        }
        let claims = self.claims.len()..;
        self.claims.extend(others.iter().map(|lit| Some(Claim::Equal(*first, *lit))));
        let others = others.iter().copied().zip(claims).collect();
        self.classes.push(Class { first: *first, others });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_counterexample_tears_apart_is_hoped_to_be_equal_in_parts() {
        let [a, b, c, d] = [1, 2, 3, 4].map(Lit::of);
        let equal = vec![vec![a, b, c, d]];
        let clauses = vec![vec![a, d], vec![!a, c]];
        let mut hopes = Hopes::new(&[b], &Candidates { classes: equal, clauses });
        let values = |lit: Lit| [a, b, !c, !d].contains(&lit);
        assert!(hopes.strike(values));
        let left: Vec<Claim> = hopes.claims().cloned().collect();
        assert_eq!(left, [Claim::Clause(vec![a, d]), Claim::Equal(a, b), Claim::Equal(c, d)]);
        assert!(!hopes.strike(values), "what is left holds");
    }
}
