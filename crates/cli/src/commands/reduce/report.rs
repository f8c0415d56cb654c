//! The sizes side by side: for people, and as JSON.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use obligato_model::{Assessment, Criterion};
use serde::Serialize;

use super::algorithms::Reduction;
use super::measuring::ModelSuite;
use crate::error::CliError;
use crate::output::{FAINT, GOOD, Output, counted, printable};
use obligato::model::LoadedModel;

/// What was reduced to what. Its fields are the JSON document, described in the help of
/// `obligato reduce`.
#[derive(Serialize)]
pub struct Report {
    schema: u32,
    model: String,
    main: String,
    suite: String,
    criteria: Vec<Coverage>,
    before: Size,
    reductions: Vec<Reduced>,
    written: Option<&'static str>,
    #[serde(skip)]
    file: Option<String>,
}

#[derive(Serialize)]
struct Coverage {
    criterion: String,
    #[serde(skip)]
    title: String,
    obligations: usize,
    covered: usize,
}

#[derive(Serialize)]
struct Size {
    tests: usize,
    steps: usize,
}

#[derive(Serialize)]
struct Reduced {
    algorithm: &'static str,
    #[serde(flatten)]
    size: Size,
    kept: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sizes: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<usize>,
}

impl Report {
    /// Everything that is to be said.
    pub fn new(
        loaded: &LoadedModel,
        suite: &ModelSuite,
        assessment: &Assessment,
        criteria: &[Criterion],
        reductions: &[Reduction],
        written: Option<(&Path, &'static str)>,
    ) -> Self {
        let coverage = |criterion: &Criterion| {
            let tally = assessment.tally(*criterion);
            Coverage {
                criterion: criterion.to_string(),
                title: criterion.title(),
                obligations: tally.total(),
                covered: tally.covered,
            }
        };
        let reduced = |one: &Reduction| Reduced {
            algorithm: one.algorithm,
            size: Size { tests: one.kept.len(), steps: suite.count_steps(&one.kept) },
            kept: one.kept.iter().map(|test| assessment.tests[test.index()].clone()).collect(),
            sizes: one.sizes.clone(),
            at_least: one.at_least,
        };
        Self {
            schema: 1,
            model: loaded.path.clone(),
            main: loaded.main().to_owned(),
            suite: suite.path.display().to_string(),
            criteria: criteria.iter().map(coverage).collect(),
            before: Size { tests: suite.steps.len(), steps: suite.steps.iter().sum() },
            reductions: reductions.iter().map(reduced).collect(),
            written: written.map(|(_, algorithm)| algorithm),
            file: written.map(|(path, _)| path.display().to_string()),
        }
    }

    /// The report as JSON, with a line break at its end.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self)
            .expect("invariant: the report has only string keys and finite values");
        json + "\n"
    }

    /// The report for people.
    pub fn write(&self, output: &mut Output) -> Result<(), CliError> {
        self.write_heading(output)?;
        writeln!(output, "{:<9}  {:>6}  {:>7}", "", "tests", "steps")?;
        writeln!(output, "{:<9}  {:>6}  {:>7}", "before", self.before.tests, self.before.steps)?;
        for Reduced { algorithm, size, sizes, at_least, .. } in &self.reductions {
            let Size { tests, steps } = size;
            let note = match (sizes, at_least) {
                (Some(sizes), _) => describe(sizes),
                (_, Some(least)) if least == tests => format!("  {GOOD}minimum{GOOD:#}"),
                (_, Some(least)) => format!("  at most {tests}, at least {least}: budget spent"),
                _ => String::new(),
            };
            writeln!(output, "{algorithm:<9}  {tests:>6}  {steps:>7}{note}")?;
        }
        output.remark(format_args!(""))?;
        self.write_outcome(output)
    }

    /// What is kept covered.
    fn write_heading(&self, output: &mut Output) -> Result<(), CliError> {
        let (model, suite) = (printable(&self.model), printable(&self.suite));
        output.remark(format_args!("{model}: node {}, {suite}\n", self.main))?;
        let width = self.criteria.iter().map(|one| one.title.len()).max().unwrap_or(0);
        for Coverage { title, obligations, covered, .. } in &self.criteria {
            let all = counted(*obligations, "obligation");
            output.remark(format_args!("{title:<width$}  {covered} of {all} covered"))?;
        }
        output.remark(format_args!(""))
    }

    fn write_outcome(&self, output: &mut Output) -> Result<(), CliError> {
        let covered: usize = self.criteria.iter().map(|one| one.covered).sum();
        if self.before.tests == 0 {
            output.remark(format_args!("The suite has no tests: there is nothing to leave out"))?;
        } else if covered == 0 {
            output.remark(format_args!(
                "The suite covers none of these obligations, so that none of its tests is needed \
                 for them"
            ))?;
        } else {
            output.remark(format_args!(
                "Each was run again by itself and covers the same {}",
                counted(covered, "obligation")
            ))?;
        }
        match (&self.file, self.written) {
            (Some(file), Some(algorithm)) => {
                output.remark(format_args!("Written: {} ({algorithm})", printable(file)))
            }
            _ => output.remark(format_args!(
                "{FAINT}Nothing is written; -o FILE writes the smallest{FAINT:#}"
            )),
        }
    }
}

/// How the sizes of random reductions spread.
fn describe(sizes: &[usize]) -> String {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    match sorted.as_slice() {
        [] | [_] => String::new(),
        [least, .., most] => format!(
            "  smallest of {}: {least} to {most}, median {}",
            sorted.len(),
            sorted[(sorted.len() - 1) / 2]
        ),
    }
}

/// How long everything took, for whoever watches.
pub fn timing(measured: Duration, reductions: &[Reduction]) -> String {
    let mut parts = vec![format!("measuring {:.2} s", measured.as_secs_f64())];
    for Reduction { algorithm, time, .. } in reductions {
        parts.push(format!("{algorithm} {:.2} s", time.as_secs_f64()));
    }
    format!("time: {}", parts.join(", "))
}
