//! Sets of states as conjunctions of latch literals.

use obligato_circuit::{Circuit, Gate, LatchBit, Lit};

/// The states in which all these latch literals hold. At most one literal per latch, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cube {
    lits: Vec<Lit>,
    /// A set bit for every literal, many literals to a bit: a cheap first answer to "is it a subset?".
    signature: u64,
}

impl Cube {
    /// The conjunction of these literals, in any order.
    pub fn new(mut lits: Vec<Lit>) -> Self {
        lits.sort_unstable();
        lits.dedup();
        let signature = lits.iter().fold(0, |all, lit| all | signature_bit(*lit));
        Self { lits, signature }
    }

    /// The literals, ascending.
    pub fn lits(&self) -> &[Lit] {
        &self.lits
    }

    /// How many literals there are.
    pub fn len(&self) -> usize {
        self.lits.len()
    }

    /// Is this literal one of them?
    pub fn contains(&self, lit: Lit) -> bool {
        self.lits.binary_search(&lit).is_ok()
    }

    /// All but this literal.
    pub fn without(&self, lit: Lit) -> Self {
        self.filtered(|one| one != lit)
    }

    /// The literals that satisfy the predicate.
    pub fn filtered(&self, wanted: impl Fn(Lit) -> bool) -> Self {
        Self::new(self.lits.iter().copied().filter(|lit| wanted(*lit)).collect())
    }

    /// Is every state of `other` in this cube? It is when the literals are a subset of the other's.
    pub fn includes(&self, other: &Self) -> bool {
        if self.lits.len() > other.lits.len() || self.signature & !other.signature != 0 {
            return false;
        }
        let mut rest = other.lits.iter();
        self.lits.iter().all(|lit| rest.any(|one| one == lit))
    }

    /// Is the initial state in this cube?
    pub fn is_initial(&self, circuit: &Circuit) -> bool {
        self.lits.iter().all(|lit| holds_initially(circuit, *lit))
    }

    /// The states outside: a clause.
    pub fn negated(&self) -> Vec<Lit> {
        self.lits.iter().map(|lit| !*lit).collect()
    }
}

/// Does a latch literal hold in the initial state?
pub fn holds_initially(circuit: &Circuit, lit: Lit) -> bool {
    latch_of(circuit, lit).initial != lit.is_negated()
}

/// What has to hold in a step for a latch literal to hold in the step after.
pub fn next_of(circuit: &Circuit, lit: Lit) -> Lit {
    latch_of(circuit, lit).next.negated_if(lit.is_negated())
}

fn latch_of(circuit: &Circuit, lit: Lit) -> LatchBit {
    match circuit.gate(lit.gate()) {
        Gate::Latch(index) => circuit.latches()[index as usize],
        gate => unreachable!("invariant: cubes are of latches, not {gate:?}"),
    }
}

fn signature_bit(lit: Lit) -> u64 {
    1 << (lit.code().wrapping_mul(0x9E37_79B1) >> 26)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_of_fewer_literals_includes_more_states() {
        let lits: Vec<Lit> = (1..100).map(|gate| Lit::of(gate).negated_if(gate % 3 == 0)).collect();
        let all = Cube::new(lits.clone());
        for lit in &lits {
            let without = all.without(*lit);
            assert!(without.includes(&all) && !all.includes(&without));
            assert!(!Cube::new(vec![!*lit]).includes(&all));
        }
        assert!(Cube::new(Vec::new()).includes(&all));
    }
}
