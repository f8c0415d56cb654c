//! The arguments of `obligato run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{SubjectArgs, SuiteFormat};

/// The arguments of `obligato run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// What is meant.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The suite (.csv, .json or .rif)
    #[arg(long, value_name = "SUITE")]
    pub tests: PathBuf,
    /// What the suite is, whatever its name
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub from: Option<SuiteFormat>,
    /// Variables to show besides inputs and outputs, separated by commas
    #[arg(long, value_name = "VAR", value_delimiter = ',')]
    pub show: Vec<String>,
    /// How to print the run [default: what FILE is called, else table]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<RunFormat>,
    /// Write the run into a file, and print only what is found
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Exit 5 also if a runtime error or a violated property is found
    #[arg(long)]
    pub fail_on_fault: bool,
    /// Exit 0 even if an output is not what the suite expects
    #[arg(long, conflicts_with = "fail_on_fault")]
    pub no_fail: bool,
}

/// How a run is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// For people.
    #[value(help = None)]
    Table,
    /// A row per step.
    #[value(help = None)]
    Csv,
    /// Everything.
    #[value(help = None)]
    Json,
    /// For Kind 2: the inputs.
    #[value(help = None)]
    Kind2,
    /// For the tools around Lustre V6.
    #[value(help = None)]
    Rif,
}

impl RunArgs {
    /// The format to print in: the one named, or the one that the name of the file promises.
    pub fn format(&self) -> RunFormat {
        let extension = self.output.as_ref().and_then(|path| path.extension());
        let extension = extension.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        self.format.unwrap_or(match extension.as_str() {
            "csv" => RunFormat::Csv,
            "json" => RunFormat::Json,
            "rif" => RunFormat::Rif,
            _ => RunFormat::Table,
        })
    }

    pub(super) const AFTER_HELP: &'static str = "\
The suite:
  Its name says what it is: .csv, .rif, and .json, which is Kind 2's if it starts
  with a list; --from says otherwise. It has a column for every input. A column
  that names an output, or a variable that is shown, holds what is expected of it.
  An input that a step leaves open is false, 0 or the first name of its type.
  Steps are counted from 0.

C functions:
  A test is a list of calls, one per step. Columns are called as in C: x, config.limit,
  table[2]; p is NULL or new, and what it points to is p[0], p->next->len. What a
  suite has no column for is 0, and a pointer NULL unless something behind it is set.
  The result of the first call in a step of a function that nothing defines is f()[0],
  of the second f()[1]. Static variables keep what each step leaves, unless --state
  free makes them inputs. What is both set and seen has a second column, 'x (after)'.
  'obligato check FILE --function NAME' lists the columns, --template writes a suite.
  Every test also runs as machine code; one that does something else there is not
  counted. Settings may stand in an obligato.toml beside the file.

Variables of models:
  --show x            a variable of the main node, with all its parts
  --show main/f#2.x   the same of the second call of f in main

What is found:
  outputs that are not as expected; violated properties; divisions by zero; values
  outside their subrange; indices outside their array. A test that violates an
  'assert' is none of this model from that step on, and nothing counts from there.
  In C: runtime errors, with their line and who called whom, from null pointers to overflows
  of signed numbers; tests that came to a limit; tests that called exit.

Exit codes:
  0  run, and every output that the suite expects came out; with --no-fail also if not
  1  tool error: a file cannot be written, or the machine does something else
  2  usage or input error, such as a file that does not compile; nothing was written
  5  an output is not as expected, or is not there because the test ended before; with
     --fail-on-fault also if a runtime error or a violated property is found

Examples:
  obligato run brake.lus --tests suite.csv
  obligato run brake.lus --tests suite.csv --show speed,brake/filter.mean
  obligato run brake.lus --tests suite.json -o expected.csv
  obligato run brake.lus --tests expected.csv --quiet --no-fail -o now.json
  obligato run brake.lus --tests trace.rif --format kind2 > inputs.json
  obligato run brake.c --function step --tests suite.csv -- -Iinclude
  obligato run brake.c --tests suite.csv --state free --range speed=0..300";
}
