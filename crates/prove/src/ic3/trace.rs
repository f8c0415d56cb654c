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

/// The state of the search for proofs about one circuit. Between questions the circuit may get more gates and
/// more may become known of it; nothing else of it may change.
#[derive(Debug, Default)]
pub struct Trace {
    pub(super) lemmas: Lemmas,
    /// By latch: in how many of the last lemmas it occurs.
    pub(super) activity: Vec<u32>,
    /// Clauses that proofs have left: with what is known they are inductive.
    pub(super) always: Vec<Vec<Lit>>,
    cone: Option<Cone>,
}

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

    /// The lemmas above a level are inductive: they hold always, and there is nothing above the level to be known.
    pub(super) fn settle_above(&mut self, level: usize) {
        self.always.extend(self.lemmas.take_above(level).iter().map(Cube::negated));
    }
}
