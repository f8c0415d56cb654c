//! `obligato check-proof`: proofs that were stored, checked from nothing but the model.

use std::collections::HashSet;
use std::io::Write as _;

use obligato_engines_lustre::proofs::{BookedProof, Checked, Checker, check, check_events};
use obligato_engines_lustre::{Event, Ledger, mutants};
use obligato_lustre_replay::Oracle;
use obligato_model::{Criterion, Strength};
use obligato_solver::Stop;
use obligato_store::proofs::{StoredProofs, load};
use serde::Serialize;

use super::prove::titled_checks;
use crate::args::{CheckProofArgs, Format, ModelArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{BAD, GOOD, Output, counted, printable};
use obligato::measuring::is_mutation;
use obligato::model::LoadedModel;
use obligato::mutants::{Mutants, experiment};
use obligato::observed::Observed;
use obligato::refusal;
use obligato::stored_proofs::booked;

/// What is to be said where no other solver is at hand.
const FOUND_BY_Z3: &str = "z3 found it too; with cvc5 installed, another solver would check it";

/// What was found. Its fields are the JSON document, described in the help of `obligato check-proof`.
#[derive(Serialize)]
struct Report {
    schema: u32,
    model: String,
    main: String,
    proofs_file: String,
    proofs: Vec<ReportedProof>,
    confirmed: Vec<String>,
    unconfirmed: Vec<String>,
}

#[derive(Serialize)]
struct ReportedProof {
    system: String,
    events: usize,
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Checks all proofs of a file.
pub fn run(arguments: &CheckProofArgs, output: &mut Output) -> Result<Exit, CliError> {
    let stored = load(&arguments.proofs)?;
    let (main, inline) = (Some(stored.main.clone()), stored.inline);
    let model = ModelArgs { file: arguments.model.clone(), main, inline };
    let loaded = LoadedModel::load(&model.options())?;
    let stop = stop_on_signals()?;
    let path = arguments.proofs.display().to_string();
    let (checked, settled) = check_all(&loaded, &model, &stored, &path, &stop)?;
    let report = Report::new(&loaded, &stored, path, checked, &settled);
    match arguments.format {
        Format::Json => {
            let json = serde_json::to_string_pretty(&report)
                .expect("invariant: the report has only string keys and finite values");
            output.write_text(&(json + "\n"))?;
        }
        Format::Text => report.write(output)?,
    }
    let fine = report.unconfirmed.is_empty() && report.proofs.iter().all(|proof| proof.holds);
    Ok(if fine { Exit::Success } else { Exit::Unresolved })
}

/// What became of each proof, and what those that hold settle.
fn check_all(
    loaded: &LoadedModel,
    model: &ModelArgs,
    stored: &StoredProofs,
    path: &str,
    stop: &Stop,
) -> Result<(Vec<Checked>, HashSet<String>), CliError> {
    let proofs = booked(&stored.proofs, path)?;
    let about_mutants = proofs.iter().any(|proof| proof.system.strength().is_some());
    if about_mutants {
        return check_with_mutants(loaded, model, stored, &proofs, stop);
    }
    let lowered = &loaded.lowered;
    let refuse = |error| refusal::refuse(&error, loaded);
    if stored.properties.is_empty() {
        let observed = Observed::new(loaded, &stored.observed)?;
        let criteria = without_mutation(&stored.criteria);
        let book = check(lowered, observed.nodes(), &criteria, &proofs, stop);
        let book = book.map_err(refuse)?;
        let settled = book.uncoverable.iter().map(ToString::to_string).collect();
        return Ok((book.proofs, settled));
    }
    let checks = titled_checks(loaded, &stored.properties)?;
    let events = checks.iter().map(|check| Event::Violated(*check));
    let ledger = Ledger::of_events(&lowered.program, events);
    let (checked, refuted) =
        check_events(lowered, &[], ledger.events(), &proofs, stop).map_err(refuse)?;
    let settled = refuted.iter().map(|event| stored.properties[event.index()].clone()).collect();
    Ok((checked, settled))
}

/// Proofs about mutants, and among them some about the model: each kind in its systems.
fn check_with_mutants(
    loaded: &LoadedModel,
    model: &ModelArgs,
    stored: &StoredProofs,
    proofs: &[BookedProof],
    stop: &Stop,
) -> Result<(Vec<Checked>, HashSet<String>), CliError> {
    let observed = Observed::new(loaded, &stored.observed)?;
    let mutants = Mutants::new(loaded, &model.options())?;
    let oracle = Oracle::Names(observed.names());
    let experiment = experiment(loaded, &mutants.all, &oracle);
    let (mut checked, mut settled) = (vec![None; proofs.len()], HashSet::new());
    for strength in [Some(Strength::Strong), Some(Strength::Weak), None] {
        let kind = (0..proofs.len()).filter(|at| proofs[*at].system.strength() == strength);
        let kind: Vec<usize> = kind.collect();
        let of_kind: Vec<BookedProof> = kind.iter().map(|at| proofs[*at].clone()).collect();
        let outcomes = if let Some(strength) = strength {
            let (outcomes, equivalent) = mutants::check(&experiment, &of_kind, stop)
                .map_err(|error| refusal::refuse_hunt(&error, loaded))?;
            let keys = mutants.keys(strength);
            settled.extend(equivalent.into_iter().map(|mutant| keys[mutant].to_string()));
            outcomes
        } else {
            let criteria = without_mutation(&stored.criteria);
            let book = check(&loaded.lowered, observed.nodes(), &criteria, &of_kind, stop)
                .map_err(|error| refusal::refuse(&error, loaded))?;
            settled.extend(book.uncoverable.iter().map(ToString::to_string));
            book.proofs
        };
        for (at, outcome) in kind.into_iter().zip(outcomes) {
            checked[at] = Some(outcome);
        }
    }
    Ok((checked.into_iter().flatten().collect(), settled))
}

/// The criteria whose obligations are about the model alone.
fn without_mutation(criteria: &[Criterion]) -> Vec<Criterion> {
    criteria.iter().copied().filter(|criterion| !is_mutation(*criterion)).collect()
}

impl Report {
    fn new(
        loaded: &LoadedModel,
        stored: &StoredProofs,
        path: String,
        checked: Vec<Checked>,
        settled: &HashSet<String>,
    ) -> Self {
        let proofs = stored.proofs.iter().zip(checked).map(|(proof, checked)| {
            let (checked_by, why) = match checked {
                Checked::Holds(Checker::Z3) => (Some(Checker::Z3), Some(FOUND_BY_Z3.to_owned())),
                Checked::Holds(other) => (Some(other), None),
                Checked::Refused(why) => (None, Some(why)),
            };
            let (system, events) = (proof.system.clone(), proof.events.len());
            let holds = checked_by.is_some();
            ReportedProof { system, events, holds, checked_by: checked_by.map(Checker::name), why }
        });
        let claims = stored.settles.iter().cloned();
        let (confirmed, unconfirmed) = claims.partition(|claim| settled.contains(claim));
        Self {
            schema: 1,
            model: loaded.path.clone(),
            main: loaded.main().to_owned(),
            proofs_file: path,
            proofs: proofs.collect(),
            confirmed,
            unconfirmed,
        }
    }

    fn write(&self, output: &mut Output) -> Result<(), CliError> {
        let (file, model) = (printable(&self.proofs_file), printable(&self.model));
        let count = counted(self.proofs.len(), "proof");
        output.remark(format_args!("{file}: {count} about node {} of {model}\n", self.main))?;
        for ReportedProof { system, events, holds, checked_by, why } in &self.proofs {
            let (word, style) = if *holds { ("holds", GOOD) } else { ("refused", BAD) };
            let (system, events) = (printable(system), counted(*events, "event"));
            let by = checked_by.map_or_else(String::new, |solver| format!(", checked by {solver}"));
            writeln!(output, "{style}{word:7}{style:#}  {system}, {events}{by}")?;
            if let Some(why) = why {
                writeln!(output, "         {}", printable(why))?;
            }
        }
        let all = self.confirmed.len() + self.unconfirmed.len();
        writeln!(output, "\n{} of {all} claims confirmed", self.confirmed.len())?;
        for claim in &self.unconfirmed {
            writeln!(output, "  {BAD}not confirmed{BAD:#}: {}", printable(claim))?;
        }
        Ok(())
    }
}
