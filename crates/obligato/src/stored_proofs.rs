//! Proofs on their way into files and back.

use obligato_campaign::{BookedProof, NamedSystem};
use obligato_model::{Assumption, Method, Proof, Verdict};
use obligato_store::StoredResult;
use obligato_store::proofs::{StoredProof, StoredProofs};

use crate::TOOL;
use crate::error::Error;
use crate::subject::ModelOptions;

/// The proofs that go with a result, and which of its obligations they settle: those that are uncoverable and that
/// `is_settled` holds of.
pub fn of_result<S: NamedSystem>(
    proofs: &[BookedProof<S>],
    main: &str,
    read: &ModelOptions,
    result: &StoredResult,
    is_settled: impl Fn(&str, &Proof) -> bool,
) -> StoredProofs {
    let settles = result.obligations.iter().filter(|one| match &one.verdict {
        Verdict::Uncoverable(proof) => is_settled(&one.id, proof),
        _ => false,
    });
    StoredProofs {
        tool: TOOL.to_owned(),
        main: main.to_owned(),
        inline: read.inline,
        criteria: result.criteria.clone(),
        observed: result.observed.clone(),
        properties: Vec::new(),
        settles: settles.map(|one| one.id.clone()).collect(),
        proofs: stored(proofs),
    }
}

/// Proofs as files have them.
pub fn stored<S: NamedSystem>(proofs: &[BookedProof<S>]) -> Vec<StoredProof> {
    let stored = |proof: &BookedProof<S>| StoredProof {
        system: proof.system.name().to_owned(),
        events: proof.events.clone(),
        certificate: proof.certificate.clone(),
    };
    proofs.iter().map(stored).collect()
}

/// Proofs out of the file of this name.
pub fn booked<S: NamedSystem>(
    stored: &[StoredProof],
    path: &str,
) -> Result<Vec<BookedProof<S>>, Error> {
    let booked = |proof: &StoredProof| {
        let system = S::named(&proof.system);
        let system = system.ok_or_else(|| unknown_system(&proof.system, path))?;
        let (events, certificate) = (proof.events.clone(), proof.certificate.clone());
        Ok(BookedProof { system, events, certificate })
    };
    stored.iter().map(booked).collect()
}

fn unknown_system(name: &str, path: &str) -> Error {
    Error::Input {
        message: format!("{path}: a proof is about a system called '{name}'"),
        way_out: "such a system is not known here; a newer release may know it".to_owned(),
    }
}

/// Does it take a certificate to show this? What follows from the text of a condition does
/// not, and where a certificate is missing a proof says so.
pub fn is_certified(proof: &Proof) -> bool {
    match proof.method {
        Method::Constant | Method::OutOfRange => false,
        Method::Induction(_) | Method::Invariant | Method::Exploration => {
            !proof.assumptions.contains(&Assumption::Uncertified)
        }
    }
}
