//! Stored proofs, checked from nothing but the model.

use std::collections::HashSet;
use std::path::PathBuf;

use obligato_engines_c::call_proofs::{self, CallProof};
use obligato_engines_lustre::proofs::{BookedProof, Checked, Checker, check, check_events};
use obligato_engines_lustre::{Event, Ledger, mutants};
use obligato_lustre_replay::Oracle;
use obligato_model::{Criterion, Strength};
use obligato_store::proofs::{StoredProofs, load};
use serde::Serialize;

use crate::campaign::Stop;
use crate::error::Error;
use crate::language::Command;
use crate::model::LoadedModel;
use crate::mutants::{Mutants, experiment};
use crate::observed::ObservedVariables;
use crate::prove::titled_checks;
use crate::refusal;
use crate::stored_proofs::booked;
use crate::subject::{FileLanguage, ModelOptions, SubjectOptions, UnitOptions};
use crate::unit::{LoadedUnit, refuse_run};

/// The remark on a proof that no other solver was at hand to check.
const FOUND_BY_Z3: &str = "z3 found it too; with cvc5 installed, another solver would check it";

/// Which proofs are checked.
#[derive(Debug, Clone)]
pub struct CheckProofRequest {
    /// The Lustre model or the C file. The proofs name the main node or the function under test.
    pub model: PathBuf,
    /// How a C file is read: as it was when the proofs were made. Its function is the one that the proofs name.
    pub unit: UnitOptions,
    /// The proofs, as `generate` stores them or `prove` writes them.
    pub proofs: PathBuf,
}

/// What became of the proofs of a file. Its fields are the JSON document, described in the help of
/// `obligato check-proof`.
#[derive(Debug, Clone, Serialize)]
pub struct CheckedProofs {
    /// The version of the document.
    pub schema: u32,
    /// The file of the model.
    pub model: String,
    /// The main node.
    pub main: String,
    /// The file of the proofs.
    pub proofs_file: String,
    /// What became of each proof, in the order of the file.
    pub proofs: Vec<CheckedProof>,
    /// The obligations or properties that the proofs settle as the file says.
    pub confirmed: Vec<String>,
    /// Those that the file says are settled, and that are not.
    pub unconfirmed: Vec<String>,
}

/// What became of a proof.
#[derive(Debug, Clone, Serialize)]
pub struct CheckedProof {
    /// The system it is about.
    pub system: String,
    /// How many events it refutes.
    pub events: usize,
    /// Whether a solver confirmed it.
    pub holds: bool,
    /// The solver, if one confirmed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked_by: Option<&'static str>,
    /// Why it was refused, or that its finder was the only solver at hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Checks all proofs of a file with solvers that took no part in finding them.
///
/// A proof whose check `stop` ended is refused.
pub fn check_proof(request: &CheckProofRequest, stop: &Stop) -> Result<CheckedProofs, Error> {
    let language = Command::CheckProof.expect_language(&request.model)?;
    let stored = load(&request.proofs)?;
    if language == FileLanguage::C {
        return check_calls(request, &stored, stop);
    }
    let model = ModelOptions { main: Some(stored.main.clone()), inline: stored.inline };
    let subject = SubjectOptions { model, ..SubjectOptions::new(&request.model) };
    let loaded = LoadedModel::load(&subject)?;
    let path = request.proofs.display().to_string();
    let proofs = booked(&stored.proofs, &path)?;
    let book = Book { loaded: &loaded, subject: &subject, stored: &stored, proofs: &proofs };
    let outcome = book.check(stop)?;
    let (model, main) = (loaded.path.clone(), loaded.main().to_owned());
    Ok(CheckedProofs::new(About { model, main, stored: &stored }, path, outcome))
}

/// Checks proofs about a C function.
fn check_calls(
    request: &CheckProofRequest,
    stored: &StoredProofs,
    stop: &Stop,
) -> Result<CheckedProofs, Error> {
    let unit = UnitOptions { function: Some(stored.main.clone()), ..request.unit.clone() };
    let subject = SubjectOptions { unit, ..SubjectOptions::new(&request.model) };
    let loaded = LoadedUnit::load(&subject, &[])?;
    let interface = loaded.interface(&subject)?;
    let path = request.proofs.display().to_string();
    let proofs: Vec<CallProof> = booked(&stored.proofs, &path)?;
    let book = call_proofs::check(&loaded.unit, &interface, &stored.criteria, &proofs, stop)
        .map_err(refuse_run)?;
    let settled: HashSet<String> = book.uncoverable.iter().map(ToString::to_string).collect();
    let outcome = |checked: Result<(), String>| match checked {
        Ok(()) => Checked::Holds(Checker::Batsat),
        Err(why) => Checked::Refused(why),
    };
    let checked = book.proofs.into_iter().map(outcome).collect();
    let about = About { model: loaded.path.clone(), main: stored.main.clone(), stored };
    Ok(CheckedProofs::new(about, path, Outcome { checked, settled }))
}

/// What the proofs of a file are about.
struct About<'a> {
    model: String,
    main: String,
    stored: &'a StoredProofs,
}

/// Proofs with the model they are about.
struct Book<'a> {
    loaded: &'a LoadedModel,
    subject: &'a SubjectOptions,
    stored: &'a StoredProofs,
    proofs: &'a [BookedProof],
}

/// What became of each proof, and what those that hold settle.
struct Outcome {
    checked: Vec<Checked>,
    settled: HashSet<String>,
}

impl Book<'_> {
    fn check(&self, stop: &Stop) -> Result<Outcome, Error> {
        if self.proofs.iter().any(|proof| proof.system.strength().is_some()) {
            self.check_with_mutants(stop)
        } else if self.stored.properties.is_empty() {
            let observed = ObservedVariables::new(self.loaded, &self.stored.observed)?;
            self.check_obligations(&observed, self.proofs, stop)
        } else {
            self.check_properties(stop)
        }
    }

    /// Proofs about obligations of the model alone.
    fn check_obligations(
        &self,
        observed: &ObservedVariables,
        proofs: &[BookedProof],
        stop: &Stop,
    ) -> Result<Outcome, Error> {
        let criteria = without_mutation(&self.stored.criteria);
        let book = check(&self.loaded.lowered, observed.nodes(), &criteria, proofs, stop)
            .map_err(|error| refusal::refuse(&error, self.loaded))?;
        let settled = book.uncoverable.iter().map(ToString::to_string).collect();
        Ok(Outcome { checked: book.proofs, settled })
    }

    fn check_properties(&self, stop: &Stop) -> Result<Outcome, Error> {
        let Self { loaded, stored, proofs, .. } = self;
        let lowered = &loaded.lowered;
        let checks = titled_checks(loaded, &stored.properties)?;
        let events = checks.iter().map(|check| Event::Violated(*check));
        let ledger = Ledger::of_events(&lowered.program, events);
        let (checked, refuted) = check_events(lowered, &[], ledger.events(), proofs, stop)
            .map_err(|error| refusal::refuse(&error, loaded))?;
        let settled = refuted.iter().map(|event| stored.properties[event.index()].clone());
        Ok(Outcome { checked, settled: settled.collect() })
    }

    /// Proofs about mutants, and among them some about the model: each kind in its systems.
    fn check_with_mutants(&self, stop: &Stop) -> Result<Outcome, Error> {
        let Self { loaded, subject, stored, proofs } = self;
        let observed = ObservedVariables::new(loaded, &stored.observed)?;
        let mutants = Mutants::new(loaded, subject)?;
        let oracle = Oracle::Names(observed.names());
        let experiment = experiment(loaded, &mutants.all, &oracle);
        let (mut checked, mut settled) = (vec![None; proofs.len()], HashSet::new());
        for strength in [Some(Strength::Strong), Some(Strength::Weak), None] {
            let kind = (0..proofs.len()).filter(|at| proofs[*at].system.strength() == strength);
            let kind: Vec<usize> = kind.collect();
            let of_kind: Vec<BookedProof> = kind.iter().map(|at| proofs[*at].clone()).collect();
            let outcomes = if let Some(strength) = strength {
                let (outcomes, equivalent) = mutants::check(&experiment, &of_kind, stop)
                    .map_err(|error| refusal::refuse_killing(&error, loaded))?;
                let keys = mutants.keys(strength);
                settled.extend(equivalent.into_iter().map(|mutant| keys[mutant].to_string()));
                outcomes
            } else {
                let outcome = self.check_obligations(&observed, &of_kind, stop)?;
                settled.extend(outcome.settled);
                outcome.checked
            };
            for (at, outcome) in kind.into_iter().zip(outcomes) {
                checked[at] = Some(outcome);
            }
        }
        Ok(Outcome { checked: checked.into_iter().flatten().collect(), settled })
    }
}

/// The criteria whose obligations are about the model alone.
fn without_mutation(criteria: &[Criterion]) -> Vec<Criterion> {
    criteria.iter().copied().filter(|criterion| !criterion.is_mutation()).collect()
}

impl CheckedProofs {
    fn new(about: About<'_>, path: String, Outcome { checked, settled }: Outcome) -> Self {
        let About { model, main, stored } = about;
        let proofs = stored.proofs.iter().zip(checked).map(|(proof, checked)| {
            let (checked_by, why) = match checked {
                Checked::Holds(Checker::Z3) => (Some(Checker::Z3), Some(FOUND_BY_Z3.to_owned())),
                Checked::Holds(other) => (Some(other), None),
                Checked::Refused(why) => (None, Some(why)),
            };
            let (system, events) = (proof.system.clone(), proof.events.len());
            let holds = checked_by.is_some();
            CheckedProof { system, events, holds, checked_by: checked_by.map(Checker::name), why }
        });
        let claims = stored.settles.iter().cloned();
        let (confirmed, unconfirmed) = claims.partition(|claim| settled.contains(claim));
        Self {
            schema: 1,
            model,
            main,
            proofs_file: path,
            proofs: proofs.collect(),
            confirmed,
            unconfirmed,
        }
    }

    /// Does every proof hold, and settle what it is said to settle? Where nothing is claimed, nothing rests on the proofs.
    pub fn is_confirmed(&self) -> bool {
        let holds = || self.proofs.iter().all(|proof| proof.holds);
        self.claims() == 0 || (self.unconfirmed.is_empty() && holds())
    }

    /// How many obligations or properties the file says are settled.
    pub fn claims(&self) -> usize {
        self.confirmed.len() + self.unconfirmed.len()
    }

    /// The JSON document, with a line break at its end.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self)
            .expect("invariant: the document has only string keys and finite values");
        json + "\n"
    }
}
