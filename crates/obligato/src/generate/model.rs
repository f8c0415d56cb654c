//! Lustre models in the walk that generates tests.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use obligato_campaign::language::{Confirmed, Language, Purpose, Replayed, Searched};
use obligato_campaign::walk::{Walked, walk};
use obligato_campaign::{Conclusions, Gaps, Request, Watcher};
use obligato_criteria::{Evidence, Vectors};
use obligato_engines_lustre::proofs::BookedProof;
use obligato_engines_lustre::{ModelFindings, ModelUnderTest};
use obligato_lustre_replay::{Measurement, Meter, Watch};
use obligato_model::{Assessment, Criterion, Plan, Program, TestCase};
use obligato_solver::Stop;
use obligato_store::details::{SourceFile, TestDetails};
use obligato_store::file::Draft;
use obligato_store::proofs::StoredProofs;
use obligato_store::{Signature, StoredResult};

use super::mutation::{Mutation, share_of};
use super::{
    Extras, GenerateObserver, GenerateRequest, Generated, GivenTests, Recording, Times,
    expect_writable, refuse_walk, stored_phases,
};
use crate::conclusion::{Background, Concluded, JudgedSuite, conclude};
use crate::directory::ensure_directory;
use crate::error::Error;
use crate::evidence::SubjectFacts;
use crate::expectations::Expectations;
use crate::failures::FailedCheck;
use crate::fingerprints::Codes;
use crate::measuring::{Exhausted, MeasuredSuite, ModelSuite, measure_suite, watch};
use crate::model::{LoadedModel, ModelSubject};
use crate::progress::ignore;
use crate::record::{keep_suite, write_made};
use crate::refusal::refuse;
use crate::shards;
use crate::stored_proofs::{is_certified, of_result};
use crate::subject::{RunFindings, Subject as _, SubjectKind};
use crate::text::printable;

/// What only engines for models find.
#[derive(Debug)]
pub struct ModelExtras {
    /// The proofs, with their certificates.
    pub proofs: Vec<BookedProof>,
    /// How many of how many mutants were asked for, if not all.
    pub sample: Option<(usize, usize)>,
}

/// Generates for a model.
pub(super) fn generate(
    subject: &ModelSubject,
    request: &GenerateRequest,
    stop: &Stop,
    observer: &mut dyn GenerateObserver,
) -> Result<Generated, Error> {
    let ModelSubject { loaded, observed } = subject;
    let mut recording = Recording::new(loaded.main(), observer);
    let mutation = Mutation::new(request, subject)?;
    let signature = observed.signature(&loaded.lowered.interface);
    let given = read_given(request, subject, &signature)?;
    expect_room(request, loaded)?;
    let mut language =
        ModelLanguage { subject, request, mutation, signature: &signature, search: Duration::ZERO };
    let campaign = request.campaign(&given.counted);
    let (failing, superfluous) = (&given.failing, request.superfluous);
    let walked = walk(&mut language, &campaign, failing, superfluous, stop, &mut recording);
    let walked = walked.map_err(refuse_walk)?;
    let made = walked.made.iter().map(|made| made.test.clone());
    let suite = language.suite(walked.given.iter().cloned().chain(made).collect());
    let Walked { assessment, evidence, .. } = &walked;
    let proofs = walked.found.proofs.as_slice();
    let background = KeptSuite { subject, request, suite: &suite, assessment, evidence, proofs };
    let judged = JudgedSuite {
        command: "generate",
        name: &loaded.path,
        kind: SubjectKind::Model,
        program: language.program(),
        judging: &request.judging,
        evidence,
        assessment,
        observed: observed.names(),
        shard: shards::of_request(request, given.len())?,
        expectations: &given.expectations,
        details: test_details(&walked, &given.expectations),
        phases: stored_phases(&walked.phases, walked.given.len()),
    };
    let concluded = conclude(judged, &background)?;
    let stopped = stop.is_requested();
    let timeline = recording.recorder.finish(&concluded.result)?;
    let mut written = Vec::new();
    if let Some(path) = &request.output {
        write_made(path, &loaded.lowered, &walked.made)?;
        let path = printable(&path.display().to_string());
        written.push(format!("Written: {path}, with the outputs of the model"));
    }
    written.extend(concluded.store(&background, Some(&timeline))?);
    let Concluded { result, notes, .. } = concluded;
    let sample = language.mutation.as_ref().and_then(Mutation::share);
    let search = language.search;
    let ModelRuns { failures, exhausted } = walked.runs;
    Ok(Generated {
        name: loaded.path.clone(),
        function: loaded.main().to_owned(),
        kind: SubjectKind::Model,
        program: loaded.lowered.program.clone(),
        evidence: walked.evidence,
        assessment: walked.assessment,
        failed: given.expectations.failed(&result.tests),
        result,
        given: walked.given.iter().map(|test| test.steps.len()).collect(),
        made: walked.made,
        left_out: walked.left_out,
        phases: walked.phases,
        remarks: loaded.remarks.clone(),
        notes,
        findings: RunFindings::Model { failures, exhausted },
        extras: Extras::Model(ModelExtras { proofs: walked.found.proofs, sample }),
        written,
        stopped,
        times: Times { all: recording.start.elapsed(), search },
    })
}

/// Per test, where it comes from and where its outputs are not as it expects.
fn test_details(
    walked: &Walked<ModelLanguage<'_>>,
    expectations: &Expectations,
) -> Vec<TestDetails> {
    let given = walked.given.iter().map(|test| TestDetails {
        differences: expectations.differences(&test.name).to_vec(),
        ..TestDetails::default()
    });
    let made = walked.made.iter().map(|made| TestDetails {
        phase: Some(made.phase.name().to_owned()),
        ..TestDetails::default()
    });
    given.chain(made).collect()
}

/// The tests that are kept, with what they have shown and what engines have proved.
struct KeptSuite<'a> {
    subject: &'a ModelSubject,
    request: &'a GenerateRequest,
    suite: &'a ModelSuite,
    assessment: &'a Assessment,
    evidence: &'a Evidence,
    proofs: &'a [BookedProof],
}

impl Background for KeptSuite<'_> {
    fn codes(&self) -> Codes {
        self.subject.codes()
    }

    fn sources(&self) -> Vec<SourceFile> {
        self.subject.sources()
    }

    fn facts(&self) -> SubjectFacts {
        self.subject.facts()
    }

    fn lost_effects(&self) -> Result<HashMap<usize, Vec<String>>, Error> {
        self.subject.lost_effects(self.suite, self.assessment, self.evidence, &Stop::never())
    }

    fn proofs(&self, result: &StoredResult) -> Option<StoredProofs> {
        let (main, read) = (self.subject.loaded.main(), &self.request.subject.model);
        Some(of_result(self.proofs, main, read, result, |_, proof| is_certified(proof)))
    }

    fn draft_tests(&self, path: &Path) -> Result<Option<Draft>, Error> {
        keep_suite(path, &self.subject.loaded, self.suite).map(Some)
    }
}

/// The tests that are there already, and whether their expected outputs come out. One that violates an assertion is an
/// error.
fn read_given(
    request: &GenerateRequest,
    subject: &ModelSubject,
    signature: &Signature,
) -> Result<GivenTests, Error> {
    let Some(path) = request.tests.as_deref() else { return Ok(GivenTests::default()) };
    let ModelSubject { loaded, observed } = subject;
    let suite = ModelSuite::read(path, request.format, signature.clone())?;
    let watch = Watch::outputs(&loaded.lowered);
    let measurement = Measurement::new(&loaded.lowered, watch)?;
    let compiled = measurement.compile()?;
    let meter = Meter::new(&measurement, &compiled);
    measure_suite(loaded, &suite, meter, &Stop::never(), &mut ignore)?;
    let expectations = loaded.expectations(observed, &suite)?;
    let tests = suite.tests()?.collect::<Result<_, _>>()?;
    Ok(GivenTests::new(tests, expectations, request.judging.failing))
}

/// What cannot be written is found before the work is done. The directory of the store is made when
/// there is something to put into it.
fn expect_room(request: &GenerateRequest, loaded: &LoadedModel) -> Result<(), Error> {
    if let Some(path) = &request.output {
        expect_writable(path, &Signature::new(&loaded.lowered.interface))?;
    }
    match &request.judging.store {
        Some(directory) if directory.exists() => ensure_directory(directory),
        _ => Ok(()),
    }
}

/// What is kept of the runs of a model.
#[derive(Debug)]
struct ModelRuns {
    failures: Vec<FailedCheck>,
    exhausted: Vec<Exhausted>,
}

/// A model, its mutants if they are asked for, and its engines.
struct ModelLanguage<'a> {
    subject: &'a ModelSubject,
    request: &'a GenerateRequest,
    mutation: Option<Mutation<'a>>,
    signature: &'a Signature,
    /// How long the search took.
    search: Duration,
}

impl ModelLanguage<'_> {
    fn suite(&self, tests: Vec<TestCase>) -> ModelSuite {
        ModelSuite::made("the suite that was made", tests, self.signature.clone())
    }
}

impl Language for ModelLanguage<'_> {
    type Found = ModelFindings;
    type Runs = ModelRuns;
    type Agreement = ();
    type Error = Error;

    fn program(&self) -> &Program {
        match &self.mutation {
            Some(mutation) => mutation.program(),
            None => &self.subject.loaded.lowered.program,
        }
    }

    fn plan(&self, criteria: &[Criterion]) -> Plan {
        match &self.mutation {
            Some(mutation) => mutation.plan(criteria),
            None => obligato_criteria::plan(self.program(), criteria),
        }
    }

    fn search(
        &mut self,
        request: &Request<()>,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Searched<ModelFindings>, Error> {
        let start = Instant::now();
        let ModelSubject { loaded, observed } = self.subject;
        let lowered = &loaded.lowered;
        let mut own =
            request.about(ModelUnderTest { lowered, observed: observed.nodes().to_vec() });
        // Mutants have a campaign of their own, and half of the budget.
        own.criteria.retain(|criterion| !criterion.is_mutation());
        own.budget = share_of(request.budget, if self.mutation.is_some() { 2 } else { 1 });
        let outcome = obligato_engines_lustre::run(&own, stop, watcher)
            .map_err(|error| refuse(&error, loaded))?;
        let mut searched = Searched::from(outcome);
        if let Some(mutation) = &self.mutation {
            let others = std::mem::take(&mut searched.conclusions);
            let survivors = mutation.search(request, start, &mut searched, stop, watcher)?;
            let plan = obligato_criteria::plan(&lowered.program, &own.criteria);
            let whole = mutation.plan(&request.criteria);
            let others = others.by_key(&plan);
            searched.conclusions = Conclusions::on(&whole, |one| {
                survivors.of(one).or_else(|| others.get(one.key.as_str()).copied().cloned())
            });
        }
        self.search = start.elapsed();
        Ok(searched)
    }

    fn confirm(&mut self, _: &[TestCase]) -> Result<Confirmed<()>, Error> {
        Ok(Confirmed::default())
    }

    fn replay(
        &mut self,
        tests: &[TestCase],
        criteria: &[Criterion],
        purpose: Purpose,
    ) -> Result<Replayed<ModelRuns>, Error> {
        let ModelSubject { loaded, observed } = self.subject;
        let vectors = match purpose {
            Purpose::Choice => Vectors::needed_by(criteria),
            Purpose::Report => self.request.judging.vectors(tests.len()),
        };
        let suite = self.suite(tests.to_vec());
        let measurement = Measurement::new(&loaded.lowered, watch(criteria, observed, vectors))?;
        let compiled = measurement.compile()?;
        let meter = Meter::new(&measurement, &compiled);
        // The given tests violate no assertion, so it would be one of ours that does.
        let measured = measure_suite(loaded, &suite, meter, &Stop::never(), &mut ignore);
        let MeasuredSuite { mut evidence, failures, exhausted } =
            measured.map_err(|error| Error::Internal(printable(&error.to_string())))?;
        if let Some(mutation) = &self.mutation {
            mutation.add_kills(tests, &mut evidence)?;
        }
        let failures = failures.describe(evidence.tests().len());
        Ok(Replayed { evidence, runs: ModelRuns { failures, exhausted } })
    }

    fn gaps(&self, _: &ModelRuns) -> Gaps {
        Gaps::default()
    }
}
