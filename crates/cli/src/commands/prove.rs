//! `obligato prove`: the properties of a model, each with a proof or a test that violates it.
//!
//! [`run`] is the walk: the model is read, properties are chosen ([`subject`]), a campaign decides them,
//! counterexamples are run once more, and [`summary`] or [`document`] say what is known.

use std::path::Path;

use obligato_engines_lustre::PhaseReport;
use obligato_engines_lustre::proofs::BookedProof;
use obligato_engines_lustre::properties::{
    Properties, PropertyStatus, PropertyVerdict, aiger, prove,
};
use obligato_model::TestCase;
use obligato_store::Signature;
use obligato_store::file;
use obligato_store::proofs::{StoredProofs, save};

use crate::args::{Format, ProveArgs};
use crate::campaign::{self, Watching};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, printable};
use crate::verdicts::TOOL;
use obligato::Error;
use obligato::model::LoadedModel;
use obligato::record::{Record, record_outputs};
use obligato::refusal;
use obligato::stored_proofs::{is_certified, stored};
use obligato::suite_writer::{expect_writable, write_suite};

mod document;
mod subject;
mod summary;

use subject::Property;
pub use subject::titled_checks;

/// What is known of properties.
struct Report<'a> {
    loaded: &'a LoadedModel,
    /// The inputs and outputs of the model.
    signature: Signature,
    decided: Vec<Decided>,
    proofs: Vec<BookedProof>,
    phases: Vec<PhaseReport>,
    stopped: bool,
}

/// A property with what is known of it.
struct Decided {
    property: Property,
    status: PropertyStatus,
    /// The counterexample as it ran, if there is one.
    violation: Option<Record>,
}

/// Decides properties, writes counterexamples, reports.
pub fn run(arguments: &ProveArgs, output: &mut Output) -> Result<Exit, CliError> {
    let loaded = LoadedModel::load(&arguments.model.options())?;
    let properties = subject::choose(&loaded, arguments)?;
    let signature = Signature::new(&loaded.lowered.interface);
    if let Some(path) = &arguments.counterexamples {
        expect_writable(path, &signature)?;
    }
    for path in arguments.output.iter().chain(&arguments.aiger) {
        // A draft that is dropped leaves nothing behind.
        file::Draft::create(path)?;
    }

    let stop = stop_on_signals()?;
    let checks: Vec<usize> = properties.iter().map(|property| property.check).collect();
    let mut watching = Watching::new(output.verbosity());
    let (budget, threads) = (arguments.effort.budget, arguments.effort.threads());
    let Properties { verdicts, proofs, phases } =
        prove(&loaded.lowered, &checks, budget, threads, &stop, &mut watching)
            .map_err(|error| refusal::refuse(&error, &loaded))?;
    drop(watching);

    let decided = replay(&loaded, &signature, properties, verdicts)?;
    let stopped = stop.is_requested();
    let report = Report { loaded: &loaded, signature, decided, proofs, phases, stopped };
    let written = report.write_files(arguments)?;
    report.write(arguments, &written, output)?;
    Ok(report.exit(arguments))
}

/// Runs every counterexample once more. One that does not violate its property in its last step is a
/// fault of ours.
fn replay(
    loaded: &LoadedModel,
    signature: &Signature,
    properties: Vec<Property>,
    verdicts: Vec<PropertyVerdict>,
) -> Result<Vec<Decided>, CliError> {
    let mut tests: Vec<TestCase> = Vec::new();
    for (property, verdict) in properties.iter().zip(&verdicts) {
        if let PropertyStatus::Invalid(found) = &verdict.status {
            tests.push(TestCase { name: property.title.clone(), ..found.test.clone() });
        }
    }
    let mut records = record_outputs(&loaded.lowered, signature, &tests)?.into_iter();
    let mut decided = Vec::new();
    for (property, PropertyVerdict { check, status }) in properties.into_iter().zip(verdicts) {
        let violation = match &status {
            PropertyStatus::Invalid(_) => records.next(),
            PropertyStatus::Valid(_) | PropertyStatus::Unknown(_) => None,
        };
        if let Some(Record { test, trace, .. }) = &violation {
            let last = test.steps.len().checked_sub(1);
            let fails = trace.failures.iter().find(|failure| failure.check == check);
            if fails.map(|failure| failure.step) != last {
                let message =
                    format!("the counterexample of '{}' violates nothing", property.title);
                return Err(CliError::from(Error::Internal(message)));
            }
        }
        decided.push(Decided { property, status, violation });
    }
    Ok(decided)
}

impl Report<'_> {
    /// Writes the proofs, and the counterexamples with the outputs of the model; says where.
    fn write_files(&self, arguments: &ProveArgs) -> Result<Vec<String>, CliError> {
        let written = |path: &Path| format!("Written: {}", printable(&path.display().to_string()));
        let mut remarks = Vec::new();
        if let Some(path) = &arguments.output {
            save(path, &self.book(arguments.model.inline))?;
            remarks.push(written(path));
        }
        if let Some(path) = &arguments.aiger {
            let checks: Vec<usize> = self.decided.iter().map(|one| one.property.check).collect();
            let text = path.extension().is_some_and(|extension| extension == "aag");
            let bytes = aiger(&self.loaded.lowered, &checks, text)
                .map_err(|error| refusal::refuse(&error, self.loaded))?;
            file::write(path, &bytes)?;
            remarks.push(written(path));
        }
        if let Some(path) = &arguments.counterexamples {
            let violations = self.decided.iter().filter_map(|decided| decided.violation.as_ref());
            write_suite(path, &self.signature, violations.map(|record| Ok(&record.test)))?;
            remarks.push(written(path));
        }
        Ok(remarks)
    }

    /// The proofs, and what they settle.
    fn book(&self, inline: bool) -> StoredProofs {
        let is_settled = |decided: &&Decided| match &decided.status {
            PropertyStatus::Valid(proof) => is_certified(proof),
            PropertyStatus::Invalid(_) | PropertyStatus::Unknown(_) => false,
        };
        let title = |decided: &Decided| decided.property.title.clone();
        StoredProofs {
            tool: TOOL.to_owned(),
            main: self.loaded.main().to_owned(),
            inline,
            criteria: Vec::new(),
            observed: Vec::new(),
            properties: self.decided.iter().map(title).collect(),
            settles: self.decided.iter().filter(is_settled).map(title).collect(),
            proofs: stored(&self.proofs),
        }
    }

    fn write(
        &self,
        arguments: &ProveArgs,
        written: &[String],
        output: &mut Output,
    ) -> Result<(), CliError> {
        let mut beside = output.beside();
        let words = if arguments.format == Format::Json { &mut beside } else { &mut *output };
        for remark in &self.loaded.remarks {
            words.remark(format_args!("{remark}"))?;
        }
        match arguments.format {
            Format::Json => output.write_text(&document::print(self)?)?,
            Format::Text => {
                summary::write(self, arguments.list, output)?;
                for written in written {
                    output.remark(format_args!("{written}"))?;
                }
                let next = summary::next_command(self, arguments);
                output.remark(format_args!("{next}"))?;
            }
        }
        // Standard output stays the same from run to run.
        beside.remark(format_args!("{}", campaign::timing(&self.phases)))?;
        beside.finish()
    }

    fn exit(&self, arguments: &ProveArgs) -> Exit {
        let any = |is: fn(&PropertyStatus) -> bool| {
            self.decided.iter().any(|decided| is(&decided.status))
        };
        if arguments.fail.fail_on_fault
            && any(|status| matches!(status, PropertyStatus::Invalid(_)))
        {
            Exit::FaultFound
        } else if arguments.fail.fail_on_unresolved
            && any(|status| matches!(status, PropertyStatus::Unknown(_)))
        {
            Exit::Unresolved
        } else {
            Exit::Success
        }
    }
}
