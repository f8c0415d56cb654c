//! What one question leaves for the next about the same circuit.
//!
//! Lemmas say what can be reached within so many steps, and nothing of what was asked: so a question that ran out of
//! work is taken up where it ended, and another question begins with all that is known. Only the part of
//! the circuit that they are about has to stay: the [cone](Cone) grows with every question and never shrinks, or
//! lemmas would lose the others, the constraints and the known clauses that they rest on.

use obligato_circuit::{Circuit, Lit};

use super::cone::Cone;
use super::cube::Cube;
use super::lemmas::Lemmas;
use super::meter::{Ended, Meter};
use super::sweeping::Swept;
use crate::invariant::Invariant;

/// The state of the search for proofs about one circuit. Between questions the circuit may get more gates that
/// compute something, and more may become known of it; nothing else of it may change.
#[derive(Debug, Default)]
pub struct Trace {
    pub(super) lemmas: Lemmas,
    /// By latch: in how many of the last lemmas it occurs.
    pub(super) activity: Vec<u32>,
    /// Clauses that proofs have left: with what is known they are inductive.
    pub(super) always: Vec<Vec<Lit>>,
    cone: Option<Cone>,
    /// The circuit that all this is about, once it was worth to make it smaller.
    pub(super) swept: Option<Swept>,
    /// The work that was done.
    pub(super) work: u64,
}

/// The circuit is [swept](Swept) after a unit of work for every so many gates: not for questions that are easy.
const GATES_PER_WORK: u64 = 4;

impl Trace {
    /// Nothing learned yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The part of the circuit that this question is about, together with all questions before.
    pub(super) fn widen(&mut self, circuit: &Circuit, cone: Cone) -> Cone {
        let cone = match self.cone.take() {
            Some(before) => cone.joined(circuit, &before),
            None => cone,
        };
        self.activity.resize(circuit.latches().len(), 0);
        self.cone.insert(cone).clone()
    }

    /// The work that may be done before the circuit is swept.
    pub(super) fn work_before_sweep(&self, circuit: &Circuit) -> u64 {
        (circuit.len() as u64 / GATES_PER_WORK).saturating_sub(self.work)
    }

    /// Goes on in a smaller circuit.
    pub(super) fn sweep(
        &mut self,
        circuit: &Circuit,
        known: &Invariant,
        meter: &mut Meter,
    ) -> Result<(), Ended> {
        let Some(cone) = &self.cone else { return Ok(()) };
        let swept = Swept::new(circuit, cone, known, meter)?;
        self.lemmas.translate(|cube| Cube::new(swept.clause(circuit, cube.lits())));
        for clause in &mut self.always {
            *clause = swept.clause(circuit, clause);
        }
        let lits =
            |gate| vec![swept.lit(Lit::of(gate)), swept.clause(circuit, &[Lit::of(gate)])[0]];
        self.cone = Some(cone.moved(&swept.circuit, lits));
        self.swept = Some(swept);
        Ok(())
    }

    /// The lemmas above a level are inductive: they hold always, and there is nothing above the level to be known.
    pub(super) fn settle_above(&mut self, level: usize) {
        self.always.extend(self.lemmas.take_above(level).iter().map(Cube::negated));
    }
}
