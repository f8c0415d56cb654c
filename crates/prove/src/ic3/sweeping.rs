//! The same circuit with fewer gates: gates that are always equal become one.
//!
//! Models repeat themselves: they make the same test in many places, and most gates of an encoding equal
//! another one wherever the constraints hold. Every query visits most gates, so fewer gates give
//! faster answers. Random simulation proposes equal gates, a solver proves them equal, and each of its counterexamples
//! refines the classes (SAT sweeping: Kuehlmann, Paruthi, Krohm and Ganai, "Robust Boolean Reasoning for Equivalence
//! Checking and Functional Property Verification", 2002; Mishchenko, Chatterjee, Jiang and Brayton, "FRAIGs", 2005).
//!
//! Gates are equal here where the constraints and the known clauses over latches hold. Their cones are copied
//! unchanged, so they mean the same in both circuits.

use obligato_circuit::{Circuit, Gate, GateId, Lit};
use obligato_solver::{Answer, Engine, Literal, Solver, Stop};

use super::cone::Cone;
use super::meter::{NoAnswer, WorkMeter};
use super::signatures::Signatures;
use crate::invariant::Invariant;
use crate::run::evaluate;
use crate::step_encoding::StepEncoding;

/// Conflicts on the question whether a gate implies another.
const MOST_CONFLICTS: u64 = 100;
/// The most queries per gate.
const QUESTIONS_PER_GATE: usize = 2;
/// A counterexample visits all gates. So many gates are visited for all of them together.
const MOST_VISITS: usize = 1 << 27;

/// A circuit with fewer gates. Its inputs, latches and constraints are those of the circuit it was made of, in the same order.
#[derive(Debug)]
pub struct Swept {
    pub circuit: Circuit,
    /// By gate of the original circuit: what computes the same.
    lits: Vec<Lit>,
    /// By latch: its literal in this circuit, and in the original one.
    latches: Vec<[Lit; 2]>,
}

impl Swept {
    /// Makes one of all gates in a cone that are equal wherever its constraints and the known clauses over its latches hold.
    pub fn new(
        original: &Circuit,
        cone: &Cone,
        known: &Invariant,
        meter: &mut WorkMeter,
    ) -> Result<Self, NoAnswer> {
        let mut sweep = Sweep::new(original, cone, meter.stop());
        sweep.assume(known);
        match Signatures::observe(original) {
            Some(mut signatures) => {
                let ended = sweep.run(&mut signatures, meter.stop());
                meter.spend(sweep.solver.conflicts().saturating_add(sweep.questions as u64));
                ended?;
            }
            // Where no run was seen nothing looks equal, and every gate stays what it is.
            None => sweep.copy_all(),
        }
        let mut swept = sweep.swept;
        for (latch, bit) in original.latches().iter().enumerate() {
            swept.circuit.set_next(latch, swept.lit(bit.next));
        }
        Ok(swept)
    }

    /// An unconnected copy of inputs and latches. Every other gate is false.
    fn unconnected(original: &Circuit) -> Self {
        let mut circuit = Circuit::new();
        let mut lits = vec![Lit::FALSE; original.len()];
        for input in original.inputs() {
            lits[*input as usize] = circuit.input();
        }
        let mut latches = Vec::with_capacity(original.latches().len());
        for latch in original.latches() {
            let lit = circuit.latch(latch.initial);
            lits[latch.gate as usize] = lit;
            latches.push([lit, Lit::of(latch.gate)]);
        }
        Self { circuit, lits, latches }
    }

    /// Computes a gate as the original circuit does, from what its operands have become.
    fn copy(&mut self, original: &Circuit, gate: GateId) -> Lit {
        match original.gate(gate) {
            Gate::And(a, b) => self.circuit.and(self.lit(a), self.lit(b)),
            Gate::Input(_) | Gate::Latch(_) | Gate::False => self.lits[gate as usize],
        }
    }

    /// Takes over the gates that the original circuit has got since.
    pub fn take_over(&mut self, original: &Circuit) {
        for gate in self.lits.len()..original.len() {
            let lit = self.copy(original, gate as GateId);
            self.lits.push(lit);
        }
    }

    /// What computes the same as a literal of the original circuit.
    pub fn lit(&self, lit: Lit) -> Lit {
        self.lits[lit.gate() as usize].negated_if(lit.is_negated())
    }

    /// The same clause about this circuit. A latch stands for itself there, even if it is always equal to another: that
    /// it is follows from such clauses.
    pub fn clause(&self, original: &Circuit, clause: &[Lit]) -> Vec<Lit> {
        let lit = |lit: &Lit| match original.gate(lit.gate()) {
            Gate::Latch(index) => self.latches[index as usize][0].negated_if(lit.is_negated()),
            _ => self.lit(*lit),
        };
        clause.iter().map(lit).collect()
    }

    /// The same clause over latches about the original circuit.
    pub fn original_clause(&self, clause: &[Lit]) -> Vec<Lit> {
        let lit = |lit: &Lit| match self.circuit.gate(lit.gate()) {
            Gate::Latch(index) => self.latches[index as usize][1].negated_if(lit.is_negated()),
            gate => unreachable!("invariant: lemmas are about latches, not {gate:?}"),
        };
        clause.iter().map(lit).collect()
    }
}

/// A sweep in progress.
struct Sweep<'c> {
    original: &'c Circuit,
    cone: &'c Cone,
    /// By gate: do constraints read it? It is copied as it is: with its help other gates become one, and it must not
    /// take itself for granted.
    is_fixed: Vec<bool>,
    swept: Swept,
    solver: Solver,
    encoding: StepEncoding,
    questions: usize,
}

impl<'c> Sweep<'c> {
    /// The fixed gates are there.
    fn new(original: &'c Circuit, cone: &'c Cone, stop: &Stop) -> Self {
        let mut swept = Swept::unconnected(original);
        let is_fixed = read_in_a_step(original, original.constraints());
        for (gate, _) in is_fixed.iter().enumerate().filter(|(_, is_fixed)| **is_fixed) {
            swept.lits[gate] = swept.copy(original, gate as GateId);
        }
        for lit in original.constraints() {
            swept.circuit.constrain(swept.lit(*lit));
        }
        let solver = Solver::new(Engine::Batsat, stop);
        Self {
            original,
            cone,
            is_fixed,
            swept,
            solver,
            encoding: StepEncoding::new(),
            questions: 0,
        }
    }

    /// Assumes the constraints of the cone and the known clauses over its latches.
    fn assume(&mut self, known: &Invariant) {
        let is_latch = |lit: &Lit| {
            let is_part = self.cone.contains(lit.gate());
            is_part && matches!(self.original.gate(lit.gate()), Gate::Latch(_))
        };
        let over_latches = known.clauses.iter().filter(|clause| clause.iter().all(is_latch));
        let over_latches = over_latches.map(|clause| self.swept.clause(self.original, clause));
        let constraints = self.cone.constraints.iter().map(|lit| vec![self.swept.lit(*lit)]);
        for clause in constraints.chain(over_latches) {
            let (circuit, solver) = (&self.swept.circuit, &mut self.solver);
            let literal = |lit| self.encoding.literal(circuit, solver, lit);
            let clause: Vec<Literal> = clause.into_iter().map(literal).collect();
            self.solver.add(&clause);
        }
    }

    /// Takes all gates over as they are.
    fn copy_all(&mut self) {
        for gate in 0..self.original.len() as GateId {
            if !self.is_fixed[gate as usize] {
                self.swept.lits[gate as usize] = self.swept.copy(self.original, gate);
            }
        }
    }

    /// Visits all gates, children first.
    fn run(&mut self, signatures: &mut Signatures, stop: &Stop) -> Result<(), NoAnswer> {
        let most_questions = self.original.len() * QUESTIONS_PER_GATE;
        let mut refinements = MOST_VISITS / self.original.len();
        // What is fixed comes first, so that others become equal to it and not it to them.
        let (fixed, others): (Vec<GateId>, Vec<GateId>) = (0..self.original.len() as GateId)
            .filter(|gate| *gate == 0 || self.cone.contains(*gate))
            .partition(|gate| *gate == 0 || self.is_fixed[*gate as usize]);
        for gate in fixed {
            signatures.equal_before(gate);
        }
        for gate in others {
            if stop.is_due() {
                return Err(NoAnswer::Stopped);
            }
            let mut lit = self.swept.copy(self.original, gate);
            while self.questions < most_questions
                && let Some(before) = signatures.equal_before(gate)
            {
                let before = self.swept.lit(before);
                match self.are_equal(lit, before) {
                    Answer::Unsat => lit = before,
                    Answer::Sat if refinements > 0 => {
                        refinements -= 1;
                        signatures.refine(&self.values());
                        continue;
                    }
                    Answer::Sat | Answer::Unknown => {}
                }
                break;
            }
            self.swept.lits[gate as usize] = lit;
        }
        for gate in 0..self.original.len() as GateId {
            if !self.cone.contains(gate) && !self.is_fixed[gate as usize] {
                self.swept.lits[gate as usize] = self.swept.copy(self.original, gate);
            }
        }
        Ok(())
    }

    /// Can two literals differ? If not, they are equal.
    fn are_equal(&mut self, a: Lit, b: Lit) -> Answer {
        if a == b {
            return Answer::Unsat;
        }
        let (circuit, solver) = (&self.swept.circuit, &mut self.solver);
        let [a, b] = [a, b].map(|lit| self.encoding.literal(circuit, solver, lit));
        for question in [[a, !b], [!a, b]] {
            self.questions += 1;
            match self.solver.solve(&question, Some(MOST_CONFLICTS)) {
                Answer::Unsat => {}
                answer => return answer,
            }
        }
        Answer::Unsat
    }

    /// The values of the original gates in the step that the solver has found.
    fn values(&self) -> Vec<bool> {
        let value = |lit: Lit| {
            let literal = self.encoding.known(lit);
            literal.is_some_and(|literal| self.solver.value(literal))
        };
        let state: Vec<bool> = self.swept.latches.iter().map(|[lit, _]| value(*lit)).collect();
        let inputs = self.swept.circuit.inputs().iter();
        let inputs: Vec<bool> = inputs.map(|gate| value(Lit::of(*gate))).collect();
        evaluate(self.original, &state, &inputs)
    }
}

/// By gate: is it read, in the same step, to compute one of these literals?
fn read_in_a_step(circuit: &Circuit, lits: &[Lit]) -> Vec<bool> {
    let mut is_read = vec![false; circuit.len()];
    for lit in lits {
        is_read[lit.gate() as usize] = true;
    }
    for (index, gate) in circuit.gates().iter().enumerate().rev() {
        if let (Gate::And(a, b), true) = (gate, is_read[index]) {
            is_read[a.gate() as usize] = true;
            is_read[b.gate() as usize] = true;
        }
    }
    is_read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit_state::{circuits, explore};
    use crate::ic3::Ic3Limits;
    use crate::run::value;
    use proptest::prelude::*;

    fn swept(circuit: &Circuit, root: Lit, known: &Invariant) -> Swept {
        let limits = Ic3Limits { work: 100_000, levels: 1, stop: Stop::never() };
        let cone = Cone::connected(circuit, root);
        Swept::new(circuit, &cone, known, &mut WorkMeter::new(&limits)).expect("not stopped")
    }

    #[test]
    fn what_is_equal_by_itself_by_constraints_or_by_what_is_known_becomes_one() {
        let mut circuit = Circuit::new();
        let [a, b, c] = [(); 3].map(|()| circuit.input());
        let [first, second] = [(); 2].map(|()| circuit.latch(false));
        let either = circuit.or(a, b);
        circuit.set_next(0, either);
        circuit.set_next(1, either);
        circuit.constrain(either);
        // Equal to a; equal to c where the constraint holds; equal to the third where the latches are.
        let (with, without) = (circuit.and(a, b), circuit.and(a, !b));
        let itself = circuit.or(with, without);
        let constrained = circuit.and(either, c);
        let [one, other] = [first, second].map(|latch| circuit.and(latch, itself));
        let known = Invariant { clauses: vec![vec![!first, second], vec![first, !second]], k: 1 };
        let root = circuit.all([one, other, constrained]);
        let swept = swept(&circuit, root, &known);
        for [one, other] in [[itself, a], [constrained, c], [one, other], [first, second]] {
            assert_eq!(swept.lit(one), swept.lit(other));
        }
        assert_eq!(swept.circuit.constraints(), [swept.lit(either)], "kept, though always true");
        assert_eq!(swept.original_clause(&swept.clause(&circuit, &[!second])), [!second]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn a_swept_circuit_does_in_every_step_what_the_circuit_does(circuit in circuits()) {
            let root = Lit::of(circuit.len() as GateId - 1);
            let swept = swept(&circuit, root, &Invariant::new());
            for step in &explore(&circuit).steps {
                let at = |gate: GateId| value(step, Lit::of(gate));
                let state: Vec<bool> = circuit.latches().iter().map(|latch| at(latch.gate)).collect();
                let inputs: Vec<bool> = circuit.inputs().iter().map(|gate| at(*gate)).collect();
                let values = evaluate(&swept.circuit, &state, &inputs);
                for gate in 0..circuit.len() as GateId {
                    prop_assert_eq!(value(&values, swept.lit(Lit::of(gate))), at(gate), "gate {}", gate);
                }
                for (latch, other) in circuit.latches().iter().zip(swept.circuit.latches()) {
                    prop_assert_eq!(value(&values, other.next), value(step, latch.next));
                }
            }
        }
    }
}
