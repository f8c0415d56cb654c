//! The part of a circuit that a question depends on.
//!
//! What the question reads, now or by way of latches, is its cone. A constraint belongs to it when it
//! shares an input or a latch with it, directly or through other constraints: whatever is left out can be
//! satisfied, or not, without regard to the rest. [`Cone::left_out`] lists those constraints, so that a run can be
//! completed on them.

use obligato_circuit::{Circuit, Gate, GateId, Lit};

/// A cone of influence.
#[derive(Clone, Debug)]
pub struct Cone {
    /// By gate: is it part?
    part: Vec<bool>,
    /// The constraints that are part.
    pub constraints: Vec<Lit>,
    /// Those that are not.
    pub left_out: Vec<Lit>,
}

impl Cone {
    /// The cone of a literal and of the constraints that are connected with it.
    pub fn connected(circuit: &Circuit, root: Lit) -> Self {
        let reached = reached_from(circuit, circuit.constraints().iter().copied().chain([root]));
        let mut groups = Groups::new(circuit, &reached);
        // The constant connects nothing, and a constraint that is false concerns everyone.
        let home = groups.find(root.gate());
        let (constraints, left_out): (Vec<Lit>, Vec<Lit>) = circuit
            .constraints()
            .iter()
            .partition(|lit| lit.as_constant().is_some() || groups.find(lit.gate()) == home);
        let part = reached_from(circuit, constraints.iter().copied().chain([root]));
        Self { part, constraints, left_out }
    }

    /// The cone of a literal and of all constraints.
    pub fn whole(circuit: &Circuit, root: Lit) -> Self {
        let constraints = circuit.constraints().to_vec();
        let part = reached_from(circuit, constraints.iter().copied().chain([root]));
        Self { part, constraints, left_out: Vec::new() }
    }

    /// What either cone contains. The other one may be older, from when the circuit had fewer gates.
    pub fn joined(mut self, circuit: &Circuit, other: &Self) -> Self {
        self.part.iter_mut().zip(&other.part).for_each(|(part, other)| *part |= other);
        let is_part = |lit: &Lit| self.constraints.contains(lit) || other.constraints.contains(lit);
        let (constraints, left_out) = circuit.constraints().iter().partition(|lit| is_part(lit));
        Self { part: self.part, constraints, left_out }
    }

    /// The image of this cone in a circuit derived from its own: `lits` maps its gates.
    pub fn moved(&self, circuit: &Circuit, lits: impl Fn(GateId) -> Vec<Lit>) -> Self {
        let gates = (0..self.part.len() as GateId).filter(|gate| self.contains(*gate));
        let part = reached_from(circuit, gates.flat_map(&lits));
        let lit = |lit: &Lit| lits(lit.gate())[0].negated_if(lit.is_negated());
        let constraints = self.constraints.iter().map(lit).collect();
        let left_out = self.left_out.iter().map(lit).collect();
        Self { part, constraints, left_out }
    }

    /// Is this gate part of it?
    pub fn contains(&self, gate: GateId) -> bool {
        self.part[gate as usize]
    }
}

/// By gate: do these literals depend on it, now or by way of latches?
pub fn reached_from(circuit: &Circuit, roots: impl IntoIterator<Item = Lit>) -> Vec<bool> {
    let mut reached = vec![false; circuit.len()];
    // The constant is part of everything.
    reached[0] = true;
    let mut open: Vec<GateId> = roots.into_iter().map(Lit::gate).collect();
    while let Some(gate) = open.pop() {
        if std::mem::replace(&mut reached[gate as usize], true) {
            continue;
        }
        match circuit.gate(gate) {
            Gate::And(a, b) => open.extend([a.gate(), b.gate()]),
            Gate::Latch(index) => open.push(circuit.latches()[index as usize].next.gate()),
            Gate::Input(_) | Gate::False => {}
        }
    }
    reached
}

/// Gates in groups that have nothing to do with each other: union-find with path halving.
struct Groups {
    parents: Vec<GateId>,
}

impl Groups {
    fn new(circuit: &Circuit, reached: &[bool]) -> Self {
        let mut groups = Self { parents: (0..circuit.len() as GateId).collect() };
        for (index, gate) in circuit.gates().iter().enumerate().filter(|(index, _)| reached[*index])
        {
            let gate_id = index as GateId;
            match gate {
                Gate::And(a, b) => {
                    groups.join(gate_id, a.gate());
                    groups.join(gate_id, b.gate());
                }
                Gate::Latch(latch) => {
                    groups.join(gate_id, circuit.latches()[*latch as usize].next.gate());
                }
                Gate::Input(_) | Gate::False => {}
            }
        }
        groups
    }

    fn find(&mut self, gate: GateId) -> GateId {
        let mut at = gate;
        while self.parents[at as usize] != at {
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at
    }

    /// Puts two gates into one group. Everything may read the constant, and is not connected by that.
    fn join(&mut self, a: GateId, b: GateId) {
        if a == 0 || b == 0 {
            return;
        }
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_belong_to_the_cone_when_they_share_something_with_it() {
        let mut circuit = Circuit::new();
        let [a, b, c, d] = [(); 4].map(|()| circuit.input());
        let near = circuit.or(a, b);
        let through = circuit.or(b, c);
        let far = !d;
        for lit in [near, through, far] {
            circuit.constrain(lit);
        }
        // Read by nobody that matters: connects nothing.
        circuit.and(a, d);
        let latch = circuit.latch(false);
        circuit.set_next(0, a);
        let cone = Cone::connected(&circuit, latch);
        assert_eq!((cone.constraints, cone.left_out), (vec![near, through], vec![far]));
        assert!([a, b, c, latch].iter().all(|lit| cone.part[lit.gate() as usize]));
        assert!(!cone.part[d.gate() as usize]);
        assert!(Cone::whole(&circuit, latch).contains(d.gate()));
    }

    #[test]
    fn a_constraint_that_is_never_true_concerns_every_question() {
        let mut circuit = Circuit::new();
        let a = circuit.input();
        circuit.constrain(Lit::FALSE);
        assert_eq!(Cone::connected(&circuit, a).constraints, [Lit::FALSE]);
    }
}
