//! The arguments of `obligato report`.

use std::path::PathBuf;

use clap::Args;

use super::USUAL_STORE;

/// The arguments of `obligato report`.
#[derive(Debug, Args)]
#[group(id = "written", required = true, multiple = true, args = ["html", "lcov", "cobertura", "json", "sarif", "junit", "markdown"])]
pub struct ReportArgs {
    /// The directory of the stored result
    #[arg(long, value_name = "DIR", default_value = USUAL_STORE)]
    pub store: PathBuf,
    /// Write one self-contained page: source, truth tables, tests, proofs
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write a trace of lcov 2: lines, branches, MC/DC
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,
    /// Write Cobertura's XML, with MC/DC as branches
    #[arg(long, value_name = "FILE")]
    pub cobertura: Option<PathBuf>,
    /// Write everything that is known, for programs
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a SARIF log of what no test covers
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write XML as `JUnit` does, a test case per test
    #[arg(long, value_name = "FILE", help = "Write XML as JUnit does, a test case per test")]
    pub junit: Option<PathBuf>,
    /// Write Markdown for a comment on a pull request
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

impl ReportArgs {
    pub(super) const AFTER_HELP: &'static str = "\
Everything is rendered from the stored result; nothing runs again. 'judge', 'measure' and
'generate' store it, and 'mutate --store' stores mutants. The same store gives the same
bytes.

Exit codes:
  0  written
  1  tool error, such as a file that cannot be written
  2  usage or input error, such as a store that is empty or damaged; nothing was written

Examples:
  obligato report --html report.html
  obligato report --store results --html report.html --lcov coverage.info
  obligato report --sarif open.sarif --markdown comment.md
  obligato report --cobertura coverage.xml --junit tests.xml --json report.json";
}
