//! The arguments of `obligato export`.

use std::path::PathBuf;

use clap::Args;
use obligato::export::ExportFormat;

use super::words::words_of;
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
    #[arg(long = "as", value_name = "FORMAT", value_parser = words_of(formats()))]
    pub target: ExportFormat,
    /// The directory to write into, made if it does not exist; of csv, json, kind2 and rif, the file
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
}

/// The words of `--as`.
fn formats() -> [(&'static str, ExportFormat); 13] {
    ExportFormat::ALL.map(|format| (format.word(), format))
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
expects something else is refused. Tests that end in a runtime error of a C function are expected to
end by the signal that the machine gives for it; where a machine may do anything, they are listed in
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
