//! C units from files, and what is wrong with them in words.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;

use obligato_clang::{BooleanOperators, ClangError, Flags, Limits, Source};
use obligato_criteria::{Evidence, judge, plan};
use obligato_model::{Assessment, Criterion, Limit, Method, Proof, Step, Suite, TestCase, Verdict};
use obligato_store::{Signature, SuiteFile, suite};
use obligato_unit::{
    Ending, Gap, GapReason, Interface, LoadError, NativeError, NativeOptions, Options, RunError,
    RunOptions, Settings, TestRun, Unit,
};

use crate::args::{SubjectArgs, SuiteFormat};
use crate::error::CliError;
use crate::output::{BAD, Output, printable};

/// A C unit ready to be run.
pub struct LoadedUnit {
    /// The name of the file, as it was given.
    pub path: String,
    /// The unit.
    pub unit: Unit,
}

impl LoadedUnit {
    /// Reads, compiles and maps the file that the arguments name.
    pub fn load(arguments: &SubjectArgs, observe: &[String]) -> Result<Self, CliError> {
        let file = arguments.model.file.clone();
        refuse_model_flags(arguments)?;
        let flags = Flags::new(&arguments.unit.flags).map_err(refuse_clang)?;
        let directory = PathBuf::from(".");
        let source = Source { file, directory, flags, limits: Limits::default() };
        Self::load_source(&source, arguments, observe)
    }

    /// The same, for a file with flags of its own.
    pub fn load_source(
        source: &Source,
        arguments: &SubjectArgs,
        observe: &[String],
    ) -> Result<Self, CliError> {
        let logical_only = arguments.unit.logical_only;
        let operators =
            if logical_only { BooleanOperators::Logical } else { BooleanOperators::All };
        let function = arguments.unit.function.clone();
        let observed = observe.iter().cloned().collect();
        let settings = Settings { observed, ..Settings::default() };
        let options = Options { function, operators, settings };
        let unit = Unit::load(source, options).map_err(refuse)?;
        Ok(Self { path: source.file.display().to_string(), unit })
    }

    /// How a test ended, in words that point into the source.
    pub fn describe(&self, ending: &Ending) -> String {
        match ending {
            Ending::Exit(status) => format!("exit({status})"),
            Ending::Finding(finding) => match self.unit.place_of(finding) {
                Some((file, at)) => format!("{} at {file}:{at}", finding.kind),
                None => finding.kind.to_string(),
            },
        }
    }

    /// What tests of the function under test set and see.
    pub fn interface(&self, arguments: &SubjectArgs) -> Result<Interface, CliError> {
        let function = match (&arguments.unit.function, self.unit.functions()) {
            (Some(named), _) => named,
            (None, [only]) => only,
            (None, []) => {
                return Err(CliError::Input {
                    message: format!("{} defines no function", self.path),
                    way_out: "name a file that defines one".to_owned(),
                });
            }
            (None, several) => {
                return Err(CliError::Input {
                    message: format!("{} defines {} functions", self.path, several.len()),
                    way_out: format!("choose one by --function: {}", listed(several)),
                });
            }
        };
        self.unit.interface(function).map_err(refuse)
    }

    /// Reads a suite for a function. Inputs that it has no column for are left open.
    pub fn read_suite(
        &self,
        path: &std::path::Path,
        format: Option<SuiteFormat>,
        interface: &Interface,
    ) -> Result<UnitSuite, CliError> {
        let file = SuiteFile::read(path)?;
        let format = format.map_or_else(|| file.format(), Into::into);
        let mut known = self.unit.variables(interface);
        if matches!(format, suite::Format::Csv | suite::Format::Json) {
            let named = file.inputs(suite::Columns::Infer)?;
            known.inputs.retain(|one| named.iter().any(|other| other.name == one.name));
            known.outputs.retain(|one| named.iter().any(|other| other.name == one.name));
        }
        let signature = Signature::new(&known);
        let mut tests: Vec<TestCase> = Vec::new();
        let mut expected = HashMap::new();
        for test in file.tests_for(&signature, format)? {
            let (test, steps) = signature.split(test?);
            expected.insert(test.name.clone(), steps);
            tests.push(test);
        }
        let suite = Suite { inputs: signature.inputs().to_vec(), tests };
        Ok(UnitSuite { suite, signature, expected })
    }

    /// Judges what a suite has shown. Of what cannot be measured it is said so.
    pub fn judge(
        &self,
        criteria: &[Criterion],
        evidence: &Evidence,
    ) -> Result<Assessment, CliError> {
        let program = self.unit.program();
        let mut assessment = judge(program, plan(program, criteria), evidence)
            .map_err(|error| CliError::Fault(error.to_string()))?;
        for (obligation, verdict) in
            assessment.plan.obligations.iter().zip(&mut assessment.verdicts)
        {
            if !matches!(verdict, Verdict::Unresolved(_)) {
                continue;
            }
            let file = program.file(program.function(obligation.function).file);
            let inside = |gap: &&Gap| {
                let span = obligation.span;
                gap.file == file && gap.span.start <= span.start && span.end <= gap.span.end
            };
            if let Some(gap) = self.unit.gaps().iter().find(inside) {
                *verdict = verdict_on(gap);
            }
        }
        Ok(assessment)
    }

    /// Runs a suite as machine code as well. Tests on which the two do not agree are taken out of the
    /// suite: whatever were counted of them might be a wrong number.
    pub fn compare_natively(
        &self,
        arguments: &SubjectArgs,
        interface: &Interface,
        suite: &mut Suite,
        options: RunOptions,
    ) -> Result<Doubted, CliError> {
        if arguments.unit.no_native || suite.tests.is_empty() {
            return Ok(Doubted::default());
        }
        let native = NativeOptions::default();
        let replay = self.unit.replay_natively(interface, suite, options, native);
        let replay = replay.map_err(refuse_native)?;
        let mut doubted = Doubted::default();
        let mut found = replay.disagreements.iter();
        suite.tests.retain(|test| {
            let disagreements = found.next().map_or(&[][..], Vec::as_slice);
            if let Some(first) = disagreements.first() {
                doubted.tests.push(format!("{}: {first}", test.name));
            }
            disagreements.is_empty()
        });
        Ok(doubted)
    }

    /// What cannot be measured, a line each.
    pub fn remarks(&self) -> Vec<String> {
        self.unit.gaps().iter().map(|gap| format!("note: {gap}")).collect()
    }
}

/// The names of the outputs that are observed.
pub fn observed(interface: &Interface) -> Vec<String> {
    interface.outputs.iter().map(|output| output.name.clone()).collect()
}

/// Tests that the executor and the machine do not agree on: a fault of ours.
#[derive(Debug, Default)]
pub struct Doubted {
    tests: Vec<String>,
}

impl Doubted {
    /// Do they agree on all?
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Says where they do not.
    pub fn write(&self, output: &mut Output) -> Result<(), CliError> {
        if self.tests.is_empty() {
            return Ok(());
        }
        let what = "as machine code these tests do something else, so they are not counted; please report it";
        writeln!(output, "{BAD}This is a fault of obligato{BAD:#}: {what}:")?;
        write_first(&self.tests, output)
    }
}

/// The tests that ended before their last step did.
pub struct Endings(Vec<String>);

impl Endings {
    /// In the order of the suite.
    pub fn new(loaded: &LoadedUnit, suite: &Suite, runs: &[TestRun]) -> Self {
        let pairs = suite.tests.iter().zip(runs);
        let ended = pairs.filter_map(|(test, run)| {
            let ending = run.ending.as_ref()?;
            Some(format!("{}, step {}: {}", test.name, run.steps.len(), loaded.describe(ending)))
        });
        Self(ended.collect())
    }

    /// Did all come to their end?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Says which did not.
    pub fn write(&self, output: &mut Output) -> Result<(), CliError> {
        if self.0.is_empty() {
            return Ok(());
        }
        writeln!(output, "{BAD}Ended early{BAD:#}; what came before counts:")?;
        write_first(&self.0, output)
    }
}

/// The first lines, and how many more there are.
pub fn write_first(lines: &[String], output: &mut Output) -> Result<(), CliError> {
    for line in lines.iter().take(MOST_LISTED) {
        writeln!(output, "  {}", printable(line))?;
    }
    if lines.len() > MOST_LISTED {
        writeln!(output, "  … and {} more", lines.len() - MOST_LISTED)?;
    }
    Ok(())
}

/// A suite of tests of a function.
pub struct UnitSuite {
    /// The tests.
    pub suite: Suite,
    /// The columns that it has.
    pub signature: Signature,
    /// Per test by its name, and step, what is expected of the outputs among them.
    pub expected: HashMap<String, Vec<Step>>,
}

/// How something ends that lies in a gap.
fn verdict_on(gap: &Gap) -> Verdict {
    match &gap.reason {
        GapReason::Dead | GapReason::NotEmitted => Verdict::Uncoverable(Proof {
            method: Method::Constant,
            assumptions: vec!["the compiler makes no code of it".to_owned()],
        }),
        GapReason::Unsupported(what) => Verdict::Unresolved(Limit::Unsupported(what.clone())),
        GapReason::Unmapped(why) => Verdict::Unresolved(Limit::Unsupported(format!(
            "not found in the compiled code: {why}"
        ))),
    }
}

fn refuse_model_flags(arguments: &SubjectArgs) -> Result<(), CliError> {
    let flag = if arguments.model.inline {
        "--inline"
    } else if arguments.model.main.is_some() {
        "--main"
    } else {
        return Ok(());
    };
    Err(CliError::Input {
        message: format!("{flag} is for Lustre models"),
        way_out: "a function of a C file is chosen by --function".to_owned(),
    })
}

/// The error that a unit cannot be loaded.
pub fn refuse(error: LoadError) -> CliError {
    match error {
        LoadError::Clang(error) => refuse_clang(error),
        LoadError::NoFunction { file, name, known } => CliError::Input {
            message: format!("{} defines no function '{name}'", file.display()),
            way_out: format!("it defines {known}"),
        },
        other => CliError::Fault(other.to_string()),
    }
}

/// The error that clang does not take a file.
pub fn refuse_clang(error: ClangError) -> CliError {
    match error {
        ClangError::Rejected(message) => {
            let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
            CliError::Model { message: first.to_owned(), details: rest.to_owned() }
        }
        ClangError::Internal(message) => CliError::Fault(message),
        ClangError::Missing { .. } => CliError::Input {
            message: error.to_string(),
            way_out: "'obligato doctor' says what else is missing".to_owned(),
        },
        other => CliError::Model { message: other.to_string(), details: String::new() },
    }
}

/// The error that a suite cannot be run.
pub fn refuse_run(error: RunError) -> CliError {
    match error {
        RunError::Unit(error) => refuse(error),
        RunError::Suite(error) => {
            CliError::Model { message: error.to_string(), details: String::new() }
        }
        other => CliError::Fault(other.to_string()),
    }
}

/// The error that tests cannot be run as machine code.
fn refuse_native(error: NativeError) -> CliError {
    match error {
        NativeError::Run(error) => refuse_run(error),
        other => CliError::Input {
            message: other.to_string(),
            way_out: "--no-native does without machine code".to_owned(),
        },
    }
}

/// So many functions or tests are named where there is no room for all.
const MOST_LISTED: usize = 16;

fn listed(names: &[String]) -> String {
    let more = if names.len() > MOST_LISTED { ", …" } else { "" };
    let first: Vec<&str> = names.iter().take(MOST_LISTED).map(String::as_str).collect();
    first.join(", ") + more
}
