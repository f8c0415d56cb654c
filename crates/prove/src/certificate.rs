//! Proofs as data, and their independent check.
//!
//! Whoever claims that something never happens in a circuit leaves an invariant that excludes it. [`check`]
//! believes none of it: with a solver of its own, and clauses that it makes of the circuit by itself, it confirms
//! that the invariant holds at first, that it goes on to hold, and that it excludes what is claimed.
//!
//! Start reading at [`Certificate`]; [`text`] is how one is kept in a file.

use obligato_circuit::{Circuit, Gate, Lit};
use obligato_solver::{Engine, Stop};

mod check;
mod replica;
pub mod text;

pub use check::{CertificateError, check};

use crate::invariant::Invariant;

/// A proof that something never happens in a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The [`fingerprint`] of the circuit that it is about.
    pub circuit: u64,
    /// What never happens.
    pub bads: Vec<Bad>,
    /// Why.
    pub invariant: Invariant,
}

/// Something that never happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// What people call it.
    pub name: String,
    /// Never true.
    pub lit: Lit,
}

impl Certificate {
    /// Is it a proof about this circuit? Use another engine than the one that found the proof.
    pub fn check(
        &self,
        circuit: &Circuit,
        engine: Engine,
        stop: &Stop,
    ) -> Result<(), CertificateError> {
        if self.circuit != fingerprint(circuit) {
            return Err(CertificateError::OtherCircuit);
        }
        let bads: Vec<Lit> = self.bads.iter().map(|bad| bad.lit).collect();
        check(circuit, &bads, &self.invariant, engine, stop)
    }
}

/// A number that tells circuits apart: FNV-1a over all that makes one. Two circuits may share it by accident, and
/// nothing depends on that: a certificate is always checked on the circuit at hand.
pub fn fingerprint(circuit: &Circuit) -> u64 {
    let gates = circuit.gates().iter().flat_map(|gate| match *gate {
        Gate::False => [0, 0],
        Gate::Input(index) => [1, index],
        Gate::Latch(index) => [2, index],
        Gate::And(a, b) => [a.code(), b.code()],
    });
    let latches =
        circuit.latches().iter().flat_map(|latch| [u32::from(latch.initial), latch.next.code()]);
    let constraints = circuit.constraints().iter().map(|lit| lit.code());
    let sizes = [circuit.len() as u32, circuit.latches().len() as u32];
    let words = sizes.into_iter().chain(gates).chain(latches).chain(constraints);
    words.flat_map(u32::to_le_bytes).fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests;
