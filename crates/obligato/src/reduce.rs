//! Fewer tests with the same coverage.
//!
//! [`reduce`] is the walk for every language: the suite is replayed and judged, what it covers makes a
//! problem for the algorithms ([`algorithms`]), every answer is run by itself and judged again, and the
//! smallest is written ([`writer`]). What differs from language to language is behind [`Subject`].

use std::path::PathBuf;
use std::time::{Duration, Instant};

use obligato_criteria::grounds;
use obligato_model::{Assessment, Criterion, Verdict};
use obligato_reduce::Problem;
use obligato_store::suite;

use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::judging::JudgingOptions;
use crate::language::Command;
use crate::measure::MeasuredFormat;
use crate::model::ModelSubject;
use crate::progress::OnProgress;
use crate::subject::{
    FileLanguage, RunFindings, Subject, SubjectKind, SubjectOptions, SubjectTests, SuiteReplay,
};
use crate::suite_writer::format_of;
use crate::unit::UnitSubject;

mod algorithms;
mod document;
mod writer;

pub use algorithms::Algorithm;
use algorithms::Answer;
pub use obligato_reduce::ExactBudget;

/// Which suite is reduced, for which criteria, and how.
#[derive(Debug, Clone)]
pub struct ReduceRequest {
    /// The program.
    pub subject: SubjectOptions,
    /// The file of the suite.
    pub tests: PathBuf,
    /// Its format, where its name does not say it.
    pub format: Option<suite::Format>,
    /// The criteria whose coverage is kept. Those that ask about mutants are left out: no mutant runs here.
    pub criteria: Vec<Criterion>,
    /// The algorithms; they run in the order of [`Algorithm::ALL`].
    pub algorithms: Vec<Algorithm>,
    /// Where the random orders start.
    pub seed: u64,
    /// How many random orders are tried.
    pub reductions: usize,
    /// What the exact search may take.
    pub budget: ExactBudget,
    /// Where the smallest suite goes (`.csv`, `.json` or `.rif`).
    pub output: Option<PathBuf>,
}

impl ReduceRequest {
    /// A reduction by every algorithm, with ten random orders and ten seconds for the exact search; no file
    /// is written.
    pub fn new(
        subject: SubjectOptions,
        tests: impl Into<PathBuf>,
        criteria: Vec<Criterion>,
    ) -> Self {
        Self {
            subject,
            tests: tests.into(),
            format: None,
            criteria,
            algorithms: Algorithm::ALL.to_vec(),
            seed: 1,
            reductions: 10,
            budget: ExactBudget::Time(Duration::from_secs(10)),
            output: None,
        }
    }
}

/// A suite with its reductions.
#[derive(Debug)]
pub struct ReducedSuite {
    /// The program, as the request named it.
    pub name: String,
    /// What kind of program it is.
    pub kind: SubjectKind,
    /// The main node, or the function under test.
    pub main: String,
    /// The file of the suite.
    pub suite: String,
    /// What the suite covers, and each reduction with it.
    pub coverage: Vec<Coverage>,
    /// The size of the whole suite.
    pub before: Size,
    /// One per algorithm, in the order in which they ran.
    pub reductions: Vec<Reduction>,
    /// The file that was written, and whose reduction is in it.
    pub written: Option<WrittenReduction>,
    /// What is to be known of the program: warnings, what inlining left, what is assumed.
    pub remarks: Vec<String>,
    /// What the runs of the whole suite showed besides coverage. Tests that machine code refutes are left out before anything
    /// else.
    pub findings: RunFindings,
    /// How long it took to measure the suite and to say what each obligation rests on.
    pub measuring: Duration,
    /// Did somebody ask to stop before all algorithms were done?
    pub stopped: bool,
}

/// How much of a criterion is covered.
#[derive(Debug, Clone)]
pub struct Coverage {
    /// The criterion.
    pub criterion: Criterion,
    /// Its obligations.
    pub obligations: usize,
    /// Those that are covered.
    pub covered: usize,
}

/// How large a suite is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Its tests.
    pub tests: usize,
    /// Steps of all of them.
    pub steps: usize,
}

/// A smaller suite.
#[derive(Debug, Clone)]
pub struct Reduction {
    /// The algorithm that chose its tests.
    pub algorithm: Algorithm,
    /// How large it is.
    pub size: Size,
    /// The names of its tests, in order.
    pub kept: Vec<String>,
    /// Of random reductions, the number of tests of each.
    pub sizes: Option<Vec<usize>>,
    /// Of the exact one, how many tests are needed at least.
    pub at_least: Option<usize>,
    /// How long the algorithm took.
    pub time: Duration,
}

/// A reduction in a file.
#[derive(Debug, Clone)]
pub struct WrittenReduction {
    /// The file.
    pub path: PathBuf,
    /// The algorithm that chose the tests.
    pub algorithm: Algorithm,
}

/// Measures a suite, reduces it, measures each reduction by itself, and writes the smallest. What tests cover whose expected
/// outputs do not come out counts: they are kept with what they expect.
///
/// `stop` ends the search for smaller suites; what it has found until then counts. Before the suite is measured there is
/// no answer, and nothing is written.
///
/// ```
/// use obligato::campaign::Stop;
/// use obligato::progress::ignore;
/// use obligato::reduce::{ReduceRequest, reduce};
/// use obligato::subject::SubjectOptions;
///
/// let directory = tempfile::tempdir()?;
/// let (model, tests) = (directory.path().join("both.lus"), directory.path().join("suite.csv"));
/// std::fs::write(&model, "node both(a, b: bool) returns (c: bool); let c = a and b; tel\n")?;
/// std::fs::write(&tests, "a,b\n1,1\n\n1,0\n\n1,1\n")?;
/// let criteria = vec!["decision".parse()?];
/// let request = ReduceRequest::new(SubjectOptions::new(&model), &tests, criteria);
/// let reduced = reduce(&request, &Stop::never(), &mut ignore)?;
/// assert_eq!(reduced.before.tests, 3);
/// assert!(reduced.reductions.iter().all(|reduction| reduction.size.tests == 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reduce(
    request: &ReduceRequest,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<ReducedSuite, Error> {
    let language = request.subject.expect_language(Command::Reduce)?;
    let criteria = criteria(request)?;
    let (subject, judging) = (&request.subject, JudgingOptions::new(criteria));
    if language == FileLanguage::C {
        let subject = UnitSubject::load(subject, &[])?;
        return walk(&subject, request, &judging, stop, on_progress);
    }
    let subject = ModelSubject::load(subject, &[])?;
    walk(&subject, request, &judging, stop, on_progress)
}

fn walk<S: Subject>(
    subject: &S,
    request: &ReduceRequest,
    judging: &JudgingOptions,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<ReducedSuite, Error> {
    let mut suite =
        subject.read_tests(&request.tests, request.format.map(MeasuredFormat::Suite))?;
    request.output.as_deref().map(format_of).transpose()?;

    let start = Instant::now();
    let whole = judge(subject, &mut suite, judging, stop, on_progress)?;
    let grounds = grounds(subject.program(), &whole.assessment, &whole.replayed.evidence);
    let problem = Problem::new(whole.assessment.tests.len(), &grounds);
    let measuring = start.elapsed();

    let steps: Vec<usize> =
        suite.with_expected()?.map(|test| Ok(test?.steps.len())).collect::<Result<_, Error>>()?;
    let answers = algorithms::run(request, &problem, stop);
    let stopped = stop.is_requested();
    let mut reductions = Vec::new();
    for Answer { algorithm, kept, sizes, at_least, time } in &answers {
        let mut part = suite.part(kept)?;
        let part = judge(subject, &mut part, judging, &Stop::never(), on_progress)?;
        compare(&whole, &part, *algorithm)?;
        let names = kept.iter().map(|test| whole.assessment.tests[test.index()].clone());
        let size =
            Size { tests: kept.len(), steps: kept.iter().map(|test| steps[test.index()]).sum() };
        reductions.push(Reduction {
            algorithm: *algorithm,
            size,
            kept: names.collect(),
            sizes: sizes.clone(),
            at_least: *at_least,
            time: *time,
        });
    }
    let sized = answers.iter().zip(&reductions);
    let smallest = sized.min_by_key(|(_, reduction)| (reduction.size.tests, reduction.size.steps));
    let written = match (&request.output, smallest) {
        (Some(path), Some((answer, _))) => {
            writer::write(path, &suite, &answer.kept)?;
            Some(WrittenReduction { path: path.clone(), algorithm: answer.algorithm })
        }
        _ => None,
    };
    let coverage = judging.criteria.iter().map(|criterion| {
        let tally = whole.assessment.tally(*criterion);
        Coverage { criterion: *criterion, obligations: tally.total(), covered: tally.covered }
    });
    Ok(ReducedSuite {
        name: subject.name().to_owned(),
        kind: subject.kind(),
        main: subject.main(&suite).unwrap_or_default().to_owned(),
        suite: request.tests.display().to_string(),
        coverage: coverage.collect(),
        before: Size { tests: steps.len(), steps: steps.iter().sum() },
        reductions,
        written,
        remarks: subject.remarks(),
        findings: whole.replayed.findings,
        measuring,
        stopped,
    })
}

/// What tests have shown, and the verdicts that follow.
struct Judged {
    replayed: SuiteReplay,
    assessment: Assessment,
}

/// Runs all tests of the suite and judges what they show. Stopped before, it has no answer.
fn judge<S: Subject>(
    subject: &S,
    suite: &mut S::Tests,
    judging: &JudgingOptions,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<Judged, Error> {
    unless_stopped(stop)?;
    let replayed = subject.replay(suite, judging, stop, on_progress)?;
    unless_stopped(stop)?;
    let assessment = subject.judge(judging, &replayed)?;
    Ok(Judged { replayed, assessment })
}

impl Judged {
    /// Per obligation, whether it is covered.
    fn covered(&self) -> impl Iterator<Item = bool> + '_ {
        let verdicts = self.assessment.verdicts.iter();
        verdicts.map(|verdict| matches!(verdict, Verdict::Covered { .. }))
    }
}

/// The criteria asked for, without those about mutants, which take runs of their own.
fn criteria(request: &ReduceRequest) -> Result<Vec<Criterion>, Error> {
    let mut criteria = request.criteria.clone();
    criteria.retain(|criterion| !criterion.is_mutation());
    if criteria.is_empty() {
        return Err(Error::Input {
            message: "mutation coverage is not measured here, where no mutant runs".to_owned(),
            way_out: "name another criterion".to_owned(),
        });
    }
    Ok(criteria)
}

/// Complains if a smaller suite does not cover the very obligations that the whole one does.
fn compare(whole: &Judged, part: &Judged, algorithm: Algorithm) -> Result<(), Error> {
    let obligations = &whole.assessment.plan.obligations;
    let verdicts = whole.covered().zip(part.covered());
    match obligations.iter().zip(verdicts).find(|(_, (before, after))| before != after) {
        None => Ok(()),
        Some((obligation, _)) => Err(Error::Internal(format!(
            "the suite that the {} reduction kept differs on {}",
            algorithm.name(),
            obligation.key
        ))),
    }
}
