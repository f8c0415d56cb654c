//! The trace of frames that IC3 keeps from one target to the next in the same circuit.
//!
//! Frames over-approximate reachable states whatever the target is: so a target that ran out of
//! budget is continued where it ended, and another target starts with all lemmas. The [cone](Cone) grows with
//! every target and never shrinks, or lemmas would lose the lemmas, constraints and known clauses that they
//! depend on.

use obligato_circuit::{Circuit, Lit};

use super::cone::Cone;
use super::cube::Cube;
use super::frames::Frames;
use super::meter::{NoAnswer, WorkMeter};
use super::sweeping::Swept;
use crate::invariant::Invariant;

/// The frames and statistics of IC3 on one circuit. Between targets, and-gates and known clauses may be added
/// to the circuit; nothing else of it may change.
#[derive(Debug, Default)]
pub struct Ic3Trace {
    pub(super) frames: Frames,
    /// By latch: in how many of the last lemmas it occurs.
    pub(super) activity: Vec<u32>,
    /// Clauses of finished proofs: inductive relative to the known invariant.
    pub(super) always: Vec<Vec<Lit>>,
    cone: Option<Cone>,
    /// The smaller circuit that the frames are about, once it was swept.
    pub(super) swept: Option<Swept>,
    /// The work units spent.
    pub(super) work: u64,
}

/// The circuit is [swept](Swept) after one work unit per so many gates: easy targets do without.
const GATES_PER_WORK: u64 = 4;

impl Ic3Trace {
    /// A trace without lemmas.
    pub fn new() -> Self {
        Self::default()
    }

    /// The union of the cones of this target and all before.
    pub(super) fn widen(&mut self, circuit: &Circuit, cone: Cone) -> Cone {
        let cone = match self.cone.take() {
            Some(before) => cone.joined(circuit, &before),
            None => cone,
        };
        self.activity.resize(circuit.latches().len(), 0);
        self.cone.insert(cone).clone()
    }

    /// The work units to spend before the circuit is swept.
    pub(super) fn work_before_sweep(&self, circuit: &Circuit) -> u64 {
        (circuit.len() as u64 / GATES_PER_WORK).saturating_sub(self.work)
    }

    /// Moves the frames to a swept circuit.
    pub(super) fn sweep(
        &mut self,
        circuit: &Circuit,
        known: &Invariant,
        meter: &mut WorkMeter,
    ) -> Result<(), NoAnswer> {
        let Some(cone) = &self.cone else { return Ok(()) };
        let swept = Swept::new(circuit, cone, known, meter)?;
        self.frames.translate(|cube| Cube::new(swept.clause(circuit, cube.lits())));
        for clause in &mut self.always {
            *clause = swept.clause(circuit, clause);
        }
        let lits =
            |gate| vec![swept.lit(Lit::of(gate)), swept.clause(circuit, &[Lit::of(gate)])[0]];
        self.cone = Some(cone.moved(&swept.circuit, lits));
        self.swept = Some(swept);
        Ok(())
    }

    /// Moves the lemmas above a frame, which are inductive, to the clauses that always hold.
    pub(super) fn settle_above(&mut self, level: usize) {
        self.always.extend(self.frames.take_above(level).iter().map(Cube::negated));
    }
}
