//! The arguments of `obligato export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{SubjectArgs, SuiteFormat};

/// The arguments of `obligato export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// What is meant.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The suite (.csv, .json or .rif)
    #[arg(long, value_name = "SUITE")]
    pub tests: PathBuf,
    /// What the suite is, whatever its name
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub from: Option<SuiteFormat>,
    /// What to write it as
    #[arg(long = "as", value_name = "FORMAT", value_enum)]
    pub target: ExportFormat,
    /// The directory to write into, made if it does not exist; of csv, json, kind2 and rif, the file
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

/// What suites are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// C for Unity.
    #[value(help = None)]
    Unity,
    /// C for cmocka.
    #[value(help = None)]
    Cmocka,
    /// C for Check.
    #[value(help = None)]
    Check,
    /// C++ for `CppUTest`.
    #[value(help = None)]
    Cpputest,
    /// C++ for `GoogleTest`.
    #[value(help = None)]
    Googletest,
    /// XML of Test-Comp.
    #[value(help = None)]
    Testcomp,
    /// KLEE's tests.
    #[value(help = None)]
    Ktest,
    /// A row per step.
    #[value(help = None)]
    Csv,
    /// Ours.
    #[value(help = None)]
    Json,
    /// Kind 2's.
    #[value(help = None)]
    Kind2,
    /// Lustre V6's.
    #[value(help = None)]
    Rif,
    /// A table in C.
    #[value(help = None)]
    C,
    /// A table in Rust.
    #[value(help = None)]
    Rust,
}

impl ExportArgs {
    pub(super) const AFTER_HELP: &'static str = "\
Of C functions:
  unity, cmocka, check, cpputest, googletest
              two sources: one that includes the unit, with stubs for what nobody defines
              and a function per test, and one that lists the tests for the framework
  testcomp    the XML of Test-Comp, a file per test with its inputs
  ktest       the tests of KLEE, a file per test with the bytes of its objects
  csv, json   the suite with what the function gave for its outputs

Of Lustre models:
  csv, json, kind2, rif   the suite with what the model gave for its outputs; kind2 takes
              inputs alone
  c, rust     a table of inputs and expected outputs, with a step to bind to an implementation

What is expected is what the program did: a characterisation, to be reviewed. A suite that
expects something else is refused. Tests in which a C function is at fault are expected to end
by the signal that the machine gives for it; where a machine may do anything, they are listed in
a comment with the reason and not run.

Exit codes:
  0  written
  1  tool error, such as a directory that cannot be written to
  2  usage or input error; nothing was written

Examples:
  obligato export brake.c --function step --tests suite.csv --as cmocka -o tests
  obligato export brake.c --function step --tests suite.csv --as googletest -o tests -- -Iinclude
  obligato export brake.c --function step --tests suite.csv --as testcomp -o test-suite
  obligato export brake.lus --tests suite.csv --as rif -o trace.rif
  obligato export brake.lus --tests suite.csv --as c -o tests";
}
