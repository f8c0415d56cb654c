//! The arguments of `obligato instrument`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use obligato::instrument::ModelChecker;
use obligato_model::Criterion;

use super::SubjectArgs;
use super::verdicts::{Asked, USUAL};

/// The arguments of `obligato instrument`.
#[derive(Debug, Args)]
pub struct InstrumentArgs {
    /// The program.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The model checker that will read it
    #[arg(long = "for", value_name = "TOOL", value_enum)]
    pub tool: Tool,
    /// The criteria whose obligations become properties, separated by commas
    #[arg(long, value_name = "C", value_delimiter = ',', default_value = USUAL)]
    criterion: Vec<Asked>,
    /// Variables that are observed, separated by commas [default: outputs]
    #[arg(long, value_name = "VAR", value_delimiter = ',')]
    pub observe: Vec<String>,
    /// Of a C function, only what the result in this directory has proved uncoverable
    #[arg(long, value_name = "STORE", num_args = 0..=1, default_missing_value = ".obligato")]
    pub uncoverable: Option<PathBuf>,
    /// Write into a file in place of printing
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A model checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tool {
    /// Kind 2.
    #[value(help = None)]
    Kind2,
    /// JKind.
    #[value(name = "jkind", help = None)]
    JKind,
    /// CBMC.
    #[value(help = None)]
    Cbmc,
}

impl Tool {
    /// As the library knows it.
    pub fn checker(self) -> ModelChecker {
        match self {
            Self::Kind2 => ModelChecker::Kind2,
            Self::JKind => ModelChecker::JKind,
            Self::Cbmc => ModelChecker::Cbmc,
        }
    }
}

impl InstrumentArgs {
    /// The criteria asked for, each once, in the order of reports.
    pub fn criteria(&self) -> Vec<Criterion> {
        Asked::criteria(&self.criterion)
    }

    /// Was this criterion asked for by its name, and not only as one of all?
    pub fn names(&self, criterion: Criterion) -> bool {
        Asked::names(&self.criterion, criterion)
    }

    pub(super) const AFTER_HELP: &'static str = "\
What is written:
  The model as one flat node, with calls expanded and inputs, outputs and assertions as
  they are, and for every obligation a property that says it is never covered. Valid
  means that no test covers it; a counterexample is a test that does. A property
  is named after its obligation, whose full key stands beside it and, for Kind 2, is
  what results are reported by. The properties of the model itself are left out.

  A half of MC/DC below 'xor', '=' or the test of an 'if' is two properties, one for each
  outcome; a comment says how they go together.

  Of a C function: the preprocessed text with an assertion behind each decision, and a
  function that calls it again and again with arbitrary inputs. A failed assertion is a
  test that covers its obligation. CBMC unwinds loops and calls as often as it is told
  to, and does not let functions outside write. --uncoverable asserts what was proved:
  no assertion may fail. Obligations that no evaluation of a decision shows have none.

Criteria:
  statement, branch, decision, condition, cdc, mcc, mcdc, bvc
  omcdc, obvc   by strict tags; also omcdc:tags, obvc:tags. An input 'obligation'
                comes in besides, which chooses the effect that is followed
  all           every one of these, in its first variant
  What compares two models, as omcdc:exact and mutation do, is no property of one.

What is observed:
  --observe x,main/f.y   variables and their parts, as --show of 'obligato run'
                         takes them
  --observe outputs      the outputs of the main node, as by default
  --observe all          every named variable of every call; also called maximum

Exit codes:
  0  written
  1  tool error, such as a file that cannot be written
  2  usage or input error, such as machine integers for JKind; nothing was written

Examples:
  obligato instrument brake.lus --for kind2 -o traps.lus && kind2 traps.lus
  obligato instrument brake.lus --for jkind --criterion mcdc,bvc > traps.lus
  obligato instrument brake.lus --for jkind --criterion omcdc --observe brake,light
  obligato instrument valve.c --function step --for cbmc --uncoverable -o step_cbmc.c";
}
