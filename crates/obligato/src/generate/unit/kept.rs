//! What a walk over a C function came to: its result, and what is written and stored of it.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use obligato_c_unit::{Interface, TestRun};
use obligato_campaign::walk::Walked;
use obligato_criteria::Evidence;
use obligato_engines_c::FunctionFindings;
use obligato_engines_c::call_proofs::settled;
use obligato_lustre_replay::Trace;
use obligato_model::{Assessment, Proof, Step, Suite, TestCase, Variable};
use obligato_solver::Stop;
use obligato_store::details::{ErrorDetails, SourceFile, TestDetails};
use obligato_store::file::Draft;
use obligato_store::proofs::StoredProofs;
use obligato_store::{Signature, StoredResult};

use super::{FunctionLanguage, UnitExtras};
use crate::conclusion::{Background, Concluded, JudgedSuite, conclude};
use crate::details::sources;
use crate::error::Error;
use crate::evidence::SubjectFacts;
use crate::expectations::Expectations;
use crate::fingerprints::Codes;
use crate::generate::errors::ConfirmedErrors;
use crate::generate::{
    Extras, GenerateRequest, Generated, GivenTests, Recording, Times, stored_phases,
};
use crate::lost::unit::{Tracer, losses};
use crate::record::Record;
use crate::shards;
use crate::stored_proofs;
use crate::subject::{ModelOptions, RunFindings, SubjectKind};
use crate::suite_writer::write_suite;
use crate::text::{counted, printable};
use crate::unit::{Endings, LoadedUnit, refuse_run};

/// What a walk came to.
pub(super) struct Kept<'a> {
    pub loaded: &'a LoadedUnit,
    pub interface: &'a Interface,
    pub request: &'a GenerateRequest,
    pub given: GivenTests,
    pub walked: Walked<FunctionLanguage<'a>>,
    /// The runtime errors that engines found and machine code shows too.
    pub confirmed: ConfirmedErrors,
}

impl Kept<'_> {
    /// Makes the result, and writes and stores what was asked for.
    pub(super) fn conclude(
        self,
        search: Duration,
        stop: &Stop,
        mut recording: Recording<'_>,
    ) -> Result<Generated, Error> {
        let Self { loaded, interface, request, given, walked, confirmed } = self;
        let GivenTests { expectations, .. } = &given;
        let made = walked.made.iter().map(|made| made.test.clone());
        let tests = walked.given.iter().cloned().chain(made).collect();
        let suite = Suite { inputs: loaded.unit.variables(interface).inputs, tests };
        let background = KeptSuite {
            loaded,
            interface,
            suite: &suite,
            assessment: &walked.assessment,
            evidence: &walked.evidence,
            runs: &walked.runs,
            found: &walked.found,
            errors: confirmed.errors.iter().map(|found| found.details.clone()).collect(),
        };
        let judged = JudgedSuite {
            command: "generate",
            name: &loaded.path,
            kind: SubjectKind::Unit,
            program: loaded.unit.program(),
            judging: &request.judging,
            evidence: &walked.evidence,
            assessment: &walked.assessment,
            observed: LoadedUnit::observed(interface),
            shard: shards::of_request(request, given.len())?,
            expectations,
            details: test_details(loaded, &walked, expectations),
            phases: stored_phases(&walked.phases, walked.given.len()),
        };
        let concluded = conclude(judged, &background)?;
        let timeline = recording.recorder.finish(&concluded.result)?;
        let mut written = background.write(request, walked.given.len(), &confirmed)?;
        written.extend(concluded.store(&background, Some(&timeline))?);
        let endings = Endings::new(loaded, &suite, &walked.runs);
        let Concluded { result, mut notes, .. } = concluded;
        let mut agreement = walked.agreement;
        agreement.add_contradicted(&walked.contradicted);
        agreement.extend(confirmed.agreement);
        notes.extend(confirmed.notes);
        notes.extend(note_endless(&walked.runs));
        Ok(Generated {
            name: loaded.path.clone(),
            function: interface.function.clone(),
            kind: SubjectKind::Unit,
            program: loaded.unit.program().clone(),
            evidence: walked.evidence,
            assessment: walked.assessment,
            given: walked.given.iter().map(|test| test.steps.len()).collect(),
            made: walked.made,
            left_out: walked.left_out,
            phases: walked.phases,
            remarks: loaded.remarks(),
            notes,
            findings: RunFindings::Unit { runs: walked.runs, endings, agreement },
            failed: expectations.failed(&result.tests),
            result,
            extras: Extras::Unit(Box::new(UnitExtras {
                errors: confirmed.errors,
                statistics: walked.found.statistics,
            })),
            written,
            stopped: stop.is_requested(),
            times: Times { all: recording.start.elapsed(), search },
        })
    }
}

/// Says how many tests do not come to an end: a task's loop has none, and what runs before the limit counts.
fn note_endless(runs: &[TestRun]) -> Option<String> {
    let count = runs.iter().filter(|run| run.is_endless()).count();
    let does = if count == 1 { "does" } else { "do" };
    let tests = counted(count, "test");
    (count > 0).then(|| {
        format!("{tests} {does} not come to an end and stopped at the limit of steps; what came before counts")
    })
}

/// The tests that are kept, with what they have shown and what engines have found.
struct KeptSuite<'a> {
    loaded: &'a LoadedUnit,
    interface: &'a Interface,
    suite: &'a Suite,
    assessment: &'a Assessment,
    evidence: &'a Evidence,
    runs: &'a [TestRun],
    found: &'a FunctionFindings,
    errors: Vec<ErrorDetails>,
}

impl KeptSuite<'_> {
    /// Writes the new tests, and those that end in runtime errors, where that was asked for; says where.
    fn write(
        &self,
        request: &GenerateRequest,
        given: usize,
        confirmed: &ConfirmedErrors,
    ) -> Result<Vec<String>, Error> {
        let Self { loaded, interface, suite, runs, .. } = *self;
        let mut written = Vec::new();
        if let Some(path) = &request.output {
            write_recorded(loaded, path, interface, &suite.tests[given..], &runs[given..])?;
            let path = printable(&path.display().to_string());
            written.push(format!("Written: {path}, with what the function gave"));
        }
        if let Some(path) = &request.errors {
            let tests = confirmed.errors.iter().map(|found| found.error.test.clone()).collect();
            let suite = Suite { inputs: suite.inputs.clone(), tests };
            let options = loaded.options(request.judging.tables);
            let runs = loaded.unit.run(interface, &suite, options).map_err(refuse_run)?;
            write_recorded(loaded, path, interface, &suite.tests, &runs)?;
            let path = printable(&path.display().to_string());
            written.push(format!("Written: {path}, the tests that end in runtime errors"));
        }
        Ok(written)
    }
}

impl Background for KeptSuite<'_> {
    fn codes(&self) -> Codes {
        self.loaded.codes()
    }

    fn sources(&self) -> Vec<SourceFile> {
        sources(self.loaded.unit.program(), Path::new(""))
    }

    fn facts(&self) -> SubjectFacts {
        let function = Some(self.interface.function.clone());
        SubjectFacts { function, ..self.loaded.facts() }
    }

    fn lost_effects(&self) -> Result<HashMap<usize, Vec<String>>, Error> {
        let Self { loaded, interface, suite, .. } = *self;
        let tracer = Tracer { loaded, interface, suite };
        losses(&tracer, self.assessment, self.evidence, &Stop::never())
    }

    fn errors(&self) -> Vec<ErrorDetails> {
        self.errors.clone()
    }

    /// The proofs that hold for every caller; none if there are none.
    fn proofs(&self, result: &StoredResult) -> Option<StoredProofs> {
        let found = &self.found.proofs;
        let keys = settled(self.loaded.unit.program(), &result.criteria, found);
        let keys: HashSet<String> = keys.iter().map(ToString::to_string).collect();
        let (main, read) = (&self.interface.function, ModelOptions::default());
        let is_settled = |key: &str, _: &Proof| keys.contains(key);
        let proofs = stored_proofs::of_result(found, main, &read, result, is_settled);
        // What machine code has contradicted is withdrawn, and what is not claimed needs no proof.
        (!proofs.settles.is_empty()).then_some(proofs)
    }

    fn draft_tests(&self, path: &Path) -> Result<Option<Draft>, Error> {
        self.loaded.keep_suite(path, self.interface, self.suite, self.runs).map(Some)
    }
}

/// Per test, where it comes from, how it ended and where its outputs are not as it expects.
fn test_details(
    loaded: &LoadedUnit,
    walked: &Walked<FunctionLanguage<'_>>,
    expectations: &Expectations,
) -> Vec<TestDetails> {
    let given = walked.given.iter().map(|test| (test, None));
    let made = walked.made.iter().map(|made| (&made.test, Some(made.phase.name().to_owned())));
    let details = given.chain(made).zip(&walked.runs).map(|((test, phase), run)| TestDetails {
        phase,
        differences: expectations.differences(&test.name).to_vec(),
        ..loaded.test_details(run)
    });
    details.collect()
}

/// Writes tests with what the function gave.
fn write_recorded(
    loaded: &LoadedUnit,
    path: &Path,
    interface: &Interface,
    tests: &[TestCase],
    runs: &[TestRun],
) -> Result<(), Error> {
    let unit = &loaded.unit;
    let mut variables = unit.variables(interface);
    let tests = leave_out_columns(interface, &mut variables.inputs, tests);
    let signature = Signature::new(&variables);
    let suite = Suite { inputs: signature.inputs().to_vec(), tests };
    let completed = unit.complete(interface, &suite, loaded.options(false)).map_err(refuse_run)?;
    let records = completed.into_iter().zip(runs).map(|(test, run)| {
        let steps = loaded.found(interface, run);
        let trace = Trace { steps, failures: Vec::new(), exhausted: None };
        Ok(Record::of_completed(test, trace, &signature).test)
    });
    write_suite(path, &signature, records)
}

/// The tests without the columns of what functions outside write in none of them.
fn leave_out_columns(
    interface: &Interface,
    inputs: &mut Vec<Variable>,
    tests: &[TestCase],
) -> Vec<TestCase> {
    let steps = || tests.iter().flat_map(|test| &test.steps);
    let is_needed =
        |at: usize| interface.inputs[at].given.is_none() || steps().any(|step| step[at].is_some());
    let needed: Vec<bool> = (0..inputs.len()).map(is_needed).collect();
    let mut at = 0;
    inputs.retain(|_| {
        at += 1;
        needed[at - 1]
    });
    let keep = |step: &Step| -> Step {
        step.iter()
            .zip(&needed)
            .filter(|(_, needed)| **needed)
            .map(|(one, _)| one.clone())
            .collect()
    };
    let test = |test: &TestCase| TestCase {
        name: test.name.clone(),
        steps: test.steps.iter().map(keep).collect(),
    };
    tests.iter().map(test).collect()
}
