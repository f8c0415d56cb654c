//! What a walk over a C function came to: its result, and what is written and stored of it.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use obligato_c_unit::{Interface, TestRun};
use obligato_campaign::walk::Walked;
use obligato_campaign::{MadeTest, PhaseReport};
use obligato_criteria::Evidence;
use obligato_engines_c::call_proofs::settled;
use obligato_engines_c::{FunctionFindings, RuntimeError};
use obligato_lustre_replay::Trace;
use obligato_model::{Assessment, Step, Suite, TestCase, Variable, Verdict};
use obligato_solver::Stop;
use obligato_store::details::{ErrorDetails, TestDetails};
use obligato_store::proofs::StoredProofs;
use obligato_store::{Signature, StoredResult};

use super::{FunctionLanguage, UnitExtras};
use crate::TOOL;
use crate::details::{Basis, sources};
use crate::error::Error;
use crate::evidence::{self, SubjectFacts};
use crate::expectations::Expectations;
use crate::generate::errors::ConfirmedErrors;
use crate::generate::{
    Extras, GenerateRequest, Generated, GivenTests, Recording, Times, stored_phases,
};
use crate::lost::unit::{Tracer, losses};
use crate::outcomes::SuiteRuns;
use crate::record::Record;
use crate::shards;
use crate::storage::{self, Documents};
use crate::stored_proofs::stored;
use crate::subject::{RunFindings, SubjectKind};
use crate::suite_writer::write_suite;
use crate::text::printable;
use crate::unit::{Agreement, Endings, LoadedUnit, refuse_run};

/// What a walk came to, with its result.
pub(super) struct Kept<'a> {
    loaded: &'a LoadedUnit,
    interface: &'a Interface,
    request: &'a GenerateRequest,
    /// The given tests that are kept, and the new ones.
    given: Vec<TestCase>,
    made: Vec<MadeTest>,
    left_out: usize,
    assessment: Assessment,
    evidence: Evidence,
    runs: Vec<TestRun>,
    agreement: Agreement,
    phases: Vec<PhaseReport>,
    found: FunctionFindings,
    expectations: Expectations,
    /// Per test, where it comes from, how it ended and where its outputs are not as it expects.
    details: Vec<TestDetails>,
    result: StoredResult,
    notes: Vec<String>,
}

impl<'a> Kept<'a> {
    pub(super) fn new(
        loaded: &'a LoadedUnit,
        interface: &'a Interface,
        request: &'a GenerateRequest,
        given: GivenTests,
        walked: Walked<FunctionLanguage<'_>>,
    ) -> Result<Self, Error> {
        let judging = &request.judging;
        let program = loaded.unit.program();
        let result = StoredResult::new(TOOL, &judging.criteria, &walked.assessment, program)?
            .observing(LoadedUnit::observed(interface))
            .of_shard(shards::of_request(request, given.len())?);
        let expectations = given.expectations;
        let details = test_details(loaded, &walked, &expectations);
        let suite_runs = SuiteRuns {
            program,
            evidence: &walked.evidence,
            assessment: &walked.assessment,
            expectations: &expectations,
            details: &details,
        };
        let result = suite_runs.complete(result)?;
        let (result, notes) = judging.complete(result, program, &loaded.codes())?;
        let Walked { given, made, left_out, assessment, evidence, runs, mut agreement, .. } =
            walked;
        agreement.add_contradicted(&walked.contradicted);
        let (phases, found) = (walked.phases, walked.found);
        Ok(Self {
            loaded,
            interface,
            request,
            given,
            made,
            left_out,
            assessment,
            evidence,
            runs,
            agreement,
            phases,
            found,
            expectations,
            details,
            result,
            notes,
        })
    }

    /// The runtime errors that engines found.
    pub(super) fn errors(&self) -> &[RuntimeError] {
        &self.found.errors
    }

    /// Writes and stores what was asked for.
    pub(super) fn conclude(
        mut self,
        confirmed: ConfirmedErrors,
        search: Duration,
        stop: &Stop,
        mut recording: Recording<'_>,
    ) -> Result<Generated, Error> {
        let Self { loaded, interface, .. } = self;
        let ConfirmedErrors { errors, notes, agreement } = confirmed;
        self.notes.extend(notes);
        self.agreement.extend(agreement);
        let inputs = loaded.unit.variables(interface).inputs;
        let made = self.made.iter().map(|made| made.test.clone());
        let tests: Vec<TestCase> = self.given.iter().cloned().chain(made).collect();
        let suite = Suite { inputs, tests };
        let timeline = recording.recorder.finish(&self.result)?;
        let mut written = Vec::new();
        if let Some(path) = &self.request.output {
            let new = self.given.len();
            write_recorded(loaded, path, interface, &suite.tests[new..], &self.runs[new..])?;
            let path = printable(&path.display().to_string());
            written.push(format!("Written: {path}, with what the function gave"));
        }
        if let Some(path) = &self.request.errors {
            let tests = errors.iter().map(|found| found.error.test.clone()).collect();
            let suite = Suite { inputs: suite.inputs.clone(), tests };
            let options = loaded.options(self.request.judging.tables);
            let runs = loaded.unit.run(interface, &suite, options).map_err(refuse_run)?;
            write_recorded(loaded, path, interface, &suite.tests, &runs)?;
            let path = printable(&path.display().to_string());
            written.push(format!("Written: {path}, the tests that end in runtime errors"));
        }
        if let Some(directory) = &self.request.judging.store {
            let errors = errors.iter().map(|found| found.details.clone()).collect();
            written.push(self.store(directory, &suite, errors, &timeline)?);
        }
        let endings = Endings::new(loaded, &suite, &self.runs);
        let Self { agreement, runs, .. } = self;
        Ok(Generated {
            name: loaded.path.clone(),
            function: interface.function.clone(),
            kind: SubjectKind::Unit,
            program: loaded.unit.program().clone(),
            evidence: self.evidence,
            assessment: self.assessment,
            given: self.given.iter().map(|test| test.steps.len()).collect(),
            made: self.made,
            left_out: self.left_out,
            phases: self.phases,
            remarks: loaded.remarks(),
            notes: self.notes,
            findings: RunFindings::Unit { runs, endings, agreement },
            failed: self.expectations.failed(&self.result.tests),
            result: self.result,
            extras: Extras::Unit(Box::new(UnitExtras {
                errors,
                statistics: self.found.statistics,
            })),
            written,
            stopped: stop.is_requested(),
            times: Times { all: recording.start.elapsed(), search },
        })
    }

    /// The proofs that hold for every caller, and what they settle; `None` if there are none.
    fn proofs(&self) -> Option<StoredProofs> {
        let found = &self.found.proofs;
        let keys = settled(self.loaded.unit.program(), &self.result.criteria, found);
        let keys: HashSet<String> = keys.iter().map(ToString::to_string).collect();
        let settles =
            self.result.obligations.iter().filter(|one| {
                matches!(one.verdict, Verdict::Uncoverable(_)) && keys.contains(&one.id)
            });
        (!found.is_empty()).then(|| StoredProofs {
            tool: TOOL.to_owned(),
            main: self.interface.function.clone(),
            inline: false,
            criteria: self.result.criteria.clone(),
            observed: self.result.observed.clone(),
            properties: Vec::new(),
            settles: settles.map(|one| one.id.clone()).collect(),
            proofs: stored(found),
        })
    }

    /// Stores suite, result and what stands behind it; says where.
    fn store(
        &self,
        directory: &Path,
        suite: &Suite,
        errors: Vec<ErrorDetails>,
        timeline: &str,
    ) -> Result<String, Error> {
        let Self { loaded, interface, .. } = *self;
        let program = loaded.unit.program();
        let document = obligato_store::result::print(&self.result)?;
        let tracer = Tracer { loaded, interface, suite };
        let lost = losses(&tracer, &self.assessment, &self.evidence, &Stop::never())?;
        let basis = Basis {
            name: &loaded.path,
            subject: SubjectKind::Unit,
            command: "generate",
            program,
            evidence: &self.evidence,
            assessment: &self.assessment,
            sources: sources(program, Path::new("")),
            tests: self.details.clone(),
            phases: stored_phases(&self.phases, self.given.len()),
            errors,
            lost,
        };
        let details = basis.print(&self.result)?;
        let proofs = self.proofs();
        let proofs = proofs.map(|proofs| obligato_store::proofs::print(&proofs)).transpose()?;
        let facts = SubjectFacts { function: Some(interface.function.clone()), ..loaded.facts() };
        let judging = &self.request.judging;
        let evidence = evidence::document(judging, "generate", &loaded.path, facts, &self.result);
        let documents = Documents {
            result: &document,
            details: Some(&details),
            proofs: proofs.as_deref(),
            timeline: Some(timeline),
            evidence: Some(&evidence),
        };
        storage::store(directory, &documents, |path| {
            loaded.keep_suite(path, interface, suite, &self.runs).map(Some)
        })
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
