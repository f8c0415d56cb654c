//! Which program is meant, how it is read, and what every language supplies to the walks.
//!
//! [`SubjectOptions`] name a program. A walk such as [`measure`](crate::measure::measure) loads it as a [`Subject`] and
//! knows nothing of its language.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use obligato_criteria::Evidence;
use obligato_model::{Assessment, Program, TestCase, TestId};
use obligato_store::Signature;
use obligato_store::details::{SourceFile, TestDetails};
use obligato_store::file::Draft;

use crate::campaign::Stop;
use crate::error::Error;
use crate::evidence::SubjectFacts;
use crate::expectations::Expectations;
use crate::fingerprints::Codes;
use crate::judging::JudgingOptions;
use crate::language::Command;
use crate::measure::MeasuredFormat;
use crate::progress::OnProgress;

mod findings;
mod inputs;

pub use crate::language::FileLanguage;
pub use findings::RunFindings;

pub use obligato_c_unit::settings::USUAL_ARRAY;
pub use obligato_store::details::SubjectKind;

pub use inputs::{
    Allocation, Elements, InputOptions, NamedRange, Overflow, Range, State, Volatile,
};

/// A program in a file, of either language.
#[derive(Debug, Clone, Default)]
pub struct SubjectOptions {
    /// The file.
    pub file: PathBuf,
    /// How a Lustre model is read.
    pub model: ModelOptions,
    /// How a C file is read.
    pub unit: UnitOptions,
}

/// How a Lustre model is read.
#[derive(Debug, Clone, Default)]
pub struct ModelOptions {
    /// The node to test, in place of the one the file names.
    pub main: Option<String>,
    /// Whether intermediate Boolean variables are replaced by their definitions.
    pub inline: bool,
}

/// How a C file is read.
#[derive(Debug, Clone, Default)]
pub struct UnitOptions {
    /// The function under test; the only one of the file if none is named.
    pub function: Option<String>,
    /// Whether `&`, `|`, `^`, `==` and `!=` on Boolean operands are part of conditions, and do not join them.
    pub logical_only: bool,
    /// Whether tests run on the executor only, not as machine code too.
    pub no_native: bool,
    /// The configuration file; the `obligato.toml` beside the C file if none is named.
    pub config: Option<PathBuf>,
    /// What inputs there are.
    pub inputs: InputOptions,
    /// Flags for clang.
    pub flags: Vec<String>,
}

impl SubjectOptions {
    /// The program in a file, read as usual.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// The same, with another function under test.
    #[must_use]
    pub fn with_function(mut self, name: impl Into<String>) -> Self {
        self.unit.function = Some(name.into());
        self
    }

    /// The language of the file.
    pub fn language(&self) -> FileLanguage {
        FileLanguage::of(&self.file)
    }

    /// The language of the file; the error that the command does not read it.
    pub(crate) fn expect_language(&self, command: Command) -> Result<FileLanguage, Error> {
        command.expect_language(&self.file)
    }
}

/// A loaded program with what is observed of it: what a language supplies to the walks.
pub trait Subject {
    /// A suite of this language, as its replay takes it.
    type Tests: SubjectTests;

    /// The program, as the user named it.
    fn name(&self) -> &str;

    /// What kind of program it is.
    fn kind(&self) -> SubjectKind;

    /// Its decisions and what else criteria ask about.
    fn program(&self) -> &Program;

    /// The node or the function that these tests are of; none if they are of all.
    fn main<'a>(&'a self, tests: &'a Self::Tests) -> Option<&'a str>;

    /// What is to be known of it: warnings, gaps, what is assumed.
    fn remarks(&self) -> Vec<String>;

    /// Its files, as far as they can be read.
    fn sources(&self) -> Vec<SourceFile>;

    /// What results rely on, for whoever assesses them.
    fn facts(&self) -> SubjectFacts;

    /// By function, the fingerprint of its code with all that it depends on; empty where only its text is known.
    fn codes(&self) -> Codes {
        Codes::new()
    }

    /// Reads a suite.
    fn read_tests(&self, path: &Path, format: Option<MeasuredFormat>)
    -> Result<Self::Tests, Error>;

    /// Runs the tests, unless `stop` comes before the end. Those that do not count are taken out of the suite, and the findings
    /// say why.
    fn replay(
        &self,
        tests: &mut Self::Tests,
        judging: &JudgingOptions,
        stop: &Stop,
        on_progress: OnProgress<'_>,
    ) -> Result<SuiteReplay, Error>;

    /// One verdict per obligation, over what a replay has shown.
    fn judge(&self, judging: &JudgingOptions, replayed: &SuiteReplay) -> Result<Assessment, Error>;

    /// By obligation, where an effect that no test shows got lost.
    fn lost_effects(
        &self,
        tests: &Self::Tests,
        assessment: &Assessment,
        evidence: &Evidence,
        stop: &Stop,
    ) -> Result<HashMap<usize, Vec<String>>, Error>;

    /// Per test, where it comes from and how it ended; empty if there is nothing to say.
    fn test_details(&self, replayed: &SuiteReplay) -> Vec<TestDetails>;

    /// The suite on its way into the store, with what the outputs were if it is short enough to be read; none if the
    /// tests are not here.
    fn draft_tests(
        &self,
        path: &Path,
        tests: &Self::Tests,
        replayed: &SuiteReplay,
    ) -> Result<Option<Draft>, Error>;
}

/// A suite of some language.
pub trait SubjectTests: Sized {
    /// The variables that steps have values for.
    fn signature(&self) -> Signature;

    /// The tests, one after the other; each step has values for the inputs and then the outputs of the signature.
    fn with_expected(&self) -> Result<TestsWithExpected<'_>, Error>;

    /// The suite of only these tests, which are in order, without what they expect.
    fn part(&self, only: &[TestId]) -> Result<Self, Error>;
}

/// Tests with what they expect.
pub type TestsWithExpected<'a> = Box<dyn Iterator<Item = Result<TestCase, Error>> + 'a>;

/// What a replay has shown.
#[derive(Debug)]
pub struct SuiteReplay {
    /// Test by test, for the criteria.
    pub evidence: Evidence,
    /// What the runs showed besides coverage.
    pub findings: RunFindings,
    /// Which tests gave the outputs that they expect.
    pub expectations: Expectations,
    /// The names of what was observed; empty where nobody watched.
    pub observed: Vec<String>,
}
