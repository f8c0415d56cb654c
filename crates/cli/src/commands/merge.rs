//! `obligato merge`: results of shards, or of several machines, as one.
//!
//! [`run`] is the walk: the parts are read, [`belonging`] refuses what does not belong together or is not complete, [`suites`] puts the
//! tests together, [`verdicts`] the verdicts, [`details`] what stands behind them; proofs are joined.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use obligato_model::TestCase;
use obligato_store::details::load as load_details;
use obligato_store::file::Draft;
use obligato_store::proofs::{self, StoredProofs};
use obligato_store::{Details, Signature, StoredResult, SuiteFile, result, suite};

use crate::args::MergeArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, Verbosity, counted, printable};
use crate::shell::quote_path;
use crate::verdicts::{Subject, TOOL, write_table};
use obligato::Error;
use obligato::storage;

mod belonging;
mod details;
mod suites;
mod verdicts;

use suites::Merged;

/// A result with what is stored beside it.
struct Part {
    path: PathBuf,
    result: StoredResult,
    suite: Option<KeptSuite>,
    details: Option<Details>,
    proofs: Option<StoredProofs>,
}

/// A suite with what was seen at its outputs, if that was kept.
struct KeptSuite {
    signature: Signature,
    /// Each step has the inputs and then the outputs.
    tests: Vec<TestCase>,
}

/// Reads, checks, merges, stores.
pub fn run(arguments: &MergeArgs, output: &mut Output) -> Result<Exit, CliError> {
    let parts: Vec<Part> =
        arguments.parts.iter().map(|path| Part::load(path)).collect::<Result<_, _>>()?;
    belonging::check(&parts)?;
    let suite = Merged::new(&parts)?;
    let (result, origins) = verdicts::merge(&parts, &suite)?;
    let document = result::print(&result)?;
    let proofs = join_proofs(&parts, &result)?;
    let proofs = proofs.as_ref().map(proofs::print).transpose()?;
    let write = |path: &Path| suite.suite.as_ref().map(|suite| suite.write(path)).transpose();
    let details = details::merge(&parts, &suite, (&result, &origins));
    let printed = details.as_ref().ok().map(obligato_store::details::print).transpose()?;
    let documents = storage::Documents {
        result: &document,
        details: printed.as_deref(),
        proofs: proofs.as_deref(),
        timeline: None,
    };
    let stored = storage::store(&arguments.output, &documents, write)?;
    if output.verbosity() == Verbosity::Normal {
        let (parts, tests) = (counted(parts.len(), "part"), counted(result.tests.len(), "test"));
        writeln!(output, "{parts}, {tests}\n")?;
    }
    write_table(&result, Subject::Outline, output)?;
    output.remark(format_args!("\n{stored}"))?;
    if let Err(why) = &details {
        output.remark(format_args!(
            "note: without details: {why}; reports will show neither source nor truth tables"
        ))?;
    }
    let directory = quote_path(&arguments.output);
    let criterion = result.criteria.first().map_or("mcdc", |criterion| criterion.name());
    output.remark(format_args!(
        "Next: obligato gate --store {directory} --{criterion} 100   (whether that is enough)"
    ))?;
    Ok(Exit::Success)
}

impl KeptSuite {
    fn load(path: &Path) -> Result<Self, CliError> {
        let file = SuiteFile::read(path)?;
        let signature = file.own_signature()?;
        let tests = file.tests_for(&signature, suite::Format::Json)?;
        let tests = tests.collect::<Result<_, _>>()?;
        Ok(Self { signature, tests })
    }

    fn write(&self, path: &Path) -> Result<Draft, Error> {
        if self.signature.outputs().is_empty() {
            let tests = self.tests.iter().map(Ok::<&TestCase, Error>);
            return storage::write_tests(path, self.signature.inputs(), tests);
        }
        storage::write_recorded(path, &self.signature, self.tests.iter().cloned().map(Ok))
    }
}

impl Part {
    fn load(path: &Path) -> Result<Self, CliError> {
        let result = storage::load(path)?;
        let beside = |name: &str| Some(path.join(name)).filter(|path| path.exists());
        let suite = beside(storage::SUITE).map(|path| KeptSuite::load(&path)).transpose()?;
        let details = beside(storage::DETAILS).map(|path| load_details(&path)).transpose()?;
        let proofs = beside(storage::PROOFS).map(|path| proofs::load(&path)).transpose()?;
        if let Some(suite) = &suite
            && suite.tests.iter().map(|test| &test.name).ne(&result.tests)
        {
            return Err(CliError::from(Error::Input {
                message: format!("the suite in '{}' is not that of its result", path.display()),
                way_out: "measure or generate again".to_owned(),
            }));
        }
        Ok(Self { path: path.to_owned(), result, suite, details, proofs })
    }

    /// For messages.
    fn name(&self) -> String {
        format!("'{}'", printable(&self.path.display().to_string()))
    }
}

/// The proofs of all parts that have some. Each is about events by their positions among all that the criteria ask for, which are the
/// same in all parts.
fn join_proofs(parts: &[Part], result: &StoredResult) -> Result<Option<StoredProofs>, CliError> {
    let mut all = parts.iter().filter_map(|part| Some((part, part.proofs.as_ref()?)));
    let Some((first, start)) = all.next() else { return Ok(None) };
    let mut joined = StoredProofs { tool: TOOL.to_owned(), ..start.clone() };
    for (part, proofs) in all {
        let asked = |one: &StoredProofs| {
            (one.main.clone(), one.inline, one.criteria.clone(), one.observed.clone())
        };
        if asked(proofs) != asked(start) {
            return Err(CliError::from(Error::Input {
                message: format!(
                    "the proofs in {} and {} are about different questions",
                    first.name(),
                    part.name()
                ),
                way_out: "generate all parts with the same arguments".to_owned(),
            }));
        }
        for settled in &proofs.settles {
            if !joined.settles.contains(settled) {
                joined.settles.push(settled.clone());
            }
        }
        for proof in &proofs.proofs {
            if !joined.proofs.contains(proof) {
                joined.proofs.push(proof.clone());
            }
        }
    }
    // In the order of the result, as one run would have it.
    let place = |id: &String| result.obligations.iter().position(|one| one.id == *id);
    joined.settles.sort_by_key(place);
    Ok(Some(joined))
}
