//! What can be asked of `obligato`: the arguments, their help texts and their examples.
//!
//! The help, the shell completions and the man pages all come from these definitions. A new
//! command adds a variant to [`Command`], its arguments below, and a file in `commands/`.

use std::path::PathBuf;

use clap::{Arg, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::exit;
use crate::output::Verbosity;

mod budget;
mod check_proof;
mod experiment;
mod explain;
mod export;
mod gate;
pub mod generate;
mod instrument;
mod judge;
mod justify;
mod measure;
mod merge;
mod model;
mod mutate;
mod prove;
mod reduce;
mod report;
mod run;
mod subject;
mod suite;
mod unit;
mod verdicts;
mod words;

pub use budget::EffortArgs;
pub use check_proof::CheckProofArgs;
pub use experiment::{ExperimentArgs, Paper};
pub use explain::ExplainArgs;
pub use export::ExportArgs;
pub use gate::GateArgs;
pub use generate::GenerateArgs;
pub use instrument::InstrumentArgs;
pub use judge::JudgeArgs;
pub use justify::JustifyArgs;
pub use measure::MeasureArgs;
pub use merge::MergeArgs;
pub use model::ModelArgs;
pub use mutate::MutateArgs;
pub use prove::ProveArgs;
pub use reduce::ReduceArgs;
pub use report::ReportArgs;
pub use run::{RunArgs, RunFormat};
pub use subject::{FileLanguage, SubjectArgs};
pub use suite::{MeasuredFormat, SuiteFormat, format_word};
pub use unit::UnitArgs;
pub use verdicts::{USUAL_STORE, VerdictArgs};

const EXAMPLES: &str = "\
Examples:
  obligato doctor                                what is installed, what is missing, how to get it
  obligato judge door.decisions --tests s.csv    what a suite covers of decisions written as text
  obligato check brake.lus                       what a Lustre model has and what is wrong with it
  obligato check brake.c --function step         what tests of a C function set and see
  obligato run brake.lus --tests suite.csv       what the model does in each test
  obligato measure brake.lus --tests suite.csv   what the suite covers of the model
  obligato measure brake.c --tests suite.csv     what the suite covers of a C function
  obligato generate brake.lus --tests suite.csv  the tests that the suite lacks
  obligato generate brake.c --function step      the tests of a C function, from its paths
  obligato prove brake.lus                       whether its properties hold in every run
  obligato check-proof brake.lus proofs.json     whether stored proofs hold
  obligato explain brake.lus:17 --tests s.csv    the decision on line 17, and what it lacks
  obligato mutate brake.lus --tests suite.csv    which faults in the model the suite would notice
  obligato reduce brake.lus --tests suite.csv    fewer tests with the same coverage
  obligato report --html report.html             a page with source, truth tables and tests
  obligato experiment m.lus --tests s.csv -o d   which criterion's suites find most faults
  obligato instrument m.lus --for kind2          the obligations as properties for Kind 2 or JKind
  obligato export brake.c --tests s.csv --as …   the suite as source of a test framework
  obligato gate --mcdc 100 --allow justified     whether the stored result is good enough
  obligato justify ID --reason … --author …      a reason for leaving an obligation uncovered
  obligato merge one two -o .obligato            results of shards or machines as one
  obligato completions bash                      a completion script for the shell
  obligato man man1                              the manual pages, into the directory man1";

/// Turns coverage obligations of C units and Lustre models into tests or proofs.
#[derive(Debug, Parser)]
#[command(name = "obligato", version, after_help = exit::after_examples(EXAMPLES))]
pub struct Cli {
    /// The flags every command knows.
    #[command(flatten)]
    pub global: GlobalOptions,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The flags every command knows.
#[derive(Debug, Args)]
pub struct GlobalOptions {
    /// Print only what was asked for and what is wrong
    #[arg(long, short, global = true)]
    quiet: bool,
    /// When to colour the output. Defined here for the help and to refuse wrong values; read by
    /// `usage::colour_asked_for`, because help and errors are coloured too.
    #[arg(
        long,
        help = "Colour the output; auto means on a terminal, unless NO_COLOR is set",
        value_name = "WHEN",
        value_enum,
        default_value_t = ColourWhen::Auto,
        hide_default_value = true,
        global = true
    )]
    color: ColourWhen,
}

impl GlobalOptions {
    /// How much the command may say.
    pub const fn verbosity(&self) -> Verbosity {
        if self.quiet { Verbosity::Quiet } else { Verbosity::Normal }
    }
}

/// When to colour the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColourWhen {
    /// On a terminal, unless `NO_COLOR` is set.
    #[value(help = None)]
    Auto,
    /// Also into files and pipes.
    #[value(help = None)]
    Always,
    /// Plain text.
    #[value(help = None)]
    Never,
}

/// The commands, in the order the help lists them.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check that everything obligato needs is installed
    #[command(after_help = DoctorArgs::AFTER_HELP)]
    Doctor(DoctorArgs),
    /// Judge what a suite covers, by one or more criteria
    #[command(after_help = JudgeArgs::AFTER_HELP)]
    Judge(JudgeArgs),
    /// Check a Lustre model or a C file, and count what it has and what the criteria ask of it
    #[command(after_help = CheckArgs::AFTER_HELP, mut_arg("file", CheckArgs::ask_for_a_file))]
    Check(CheckArgs),
    /// Run a suite on a Lustre model or a C function, and print what it does
    #[command(after_help = RunArgs::AFTER_HELP, mut_arg("file", SubjectArgs::ask_for_either))]
    Run(RunArgs),
    /// Measure what a suite covers of a Lustre model or a C function, by one or more criteria
    #[command(after_help = MeasureArgs::AFTER_HELP, mut_arg("file", SubjectArgs::ask_for_either))]
    Measure(MeasureArgs),
    /// Make the tests that a suite lacks for a Lustre model or a C function, by one or more criteria
    #[command(after_help = GenerateArgs::AFTER_HELP, mut_arg("file", SubjectArgs::ask_for_either))]
    Generate(GenerateArgs),
    /// Prove the properties of a Lustre model, or find tests that violate them
    #[command(after_help = ProveArgs::AFTER_HELP, mut_args(SubjectArgs::hide_unit_options))]
    Prove(ProveArgs),
    /// Check stored proofs about a Lustre model or a C function with another solver
    #[command(after_help = CheckProofArgs::AFTER_HELP)]
    CheckProof(CheckProofArgs),
    /// Explain a decision: its truth table, its tests, where effects get lost
    #[command(
        after_help = ExplainArgs::AFTER_HELP,
        mut_arg("file", ExplainArgs::ask_for_a_place)
    )]
    Explain(ExplainArgs),
    /// Change a Lustre model in many small ways, and see which of them a suite notices
    #[command(
        after_help = MutateArgs::AFTER_HELP,
        mut_arg("budget", MutateArgs::ask_to_kill),
        mut_arg("threads", MutateArgs::ask_to_kill),
        mut_args(SubjectArgs::hide_unit_options)
    )]
    Mutate(MutateArgs),
    /// Find fewer tests that cover as much of a Lustre model or a C function
    #[command(after_help = ReduceArgs::AFTER_HELP, mut_arg("file", SubjectArgs::ask_for_either))]
    Reduce(ReduceArgs),
    /// Write the stored result as a page, or for other tools
    #[command(after_help = ReportArgs::AFTER_HELP)]
    Report(ReportArgs),
    /// Compare criteria by the mutants that suites kill which are just large enough for them
    #[command(after_help = ExperimentArgs::AFTER_HELP)]
    Experiment(ExperimentArgs),
    /// Write a program with obligations as properties, for Kind 2, JKind or CBMC
    #[command(after_help = InstrumentArgs::AFTER_HELP, mut_arg("file", SubjectArgs::ask_for_either))]
    Instrument(InstrumentArgs),
    /// Write a suite as the source or the file of another test tool
    #[command(after_help = ExportArgs::AFTER_HELP, mut_arg("file", SubjectArgs::ask_for_either))]
    Export(ExportArgs),
    /// Say by its exit code whether the stored result is good enough
    #[command(after_help = GateArgs::AFTER_HELP)]
    Gate(GateArgs),
    /// Give a reason for leaving obligations uncovered
    #[command(after_help = JustifyArgs::AFTER_HELP)]
    Justify(JustifyArgs),
    /// Put results of shards or of several machines together
    #[command(after_help = MergeArgs::AFTER_HELP)]
    Merge(MergeArgs),
    /// Print a Lustre model back in one layout
    // Without inlining nothing is analysed, so no main node is looked for.
    #[command(
        after_help = FmtArgs::AFTER_HELP,
        mut_arg("main", |main| main.requires("inline"))
    )]
    Fmt(FmtArgs),
    /// Print a completion script for a shell
    #[command(after_help = CompletionsArgs::AFTER_HELP)]
    Completions(CompletionsArgs),
    /// Write the manual pages into a directory
    #[command(after_help = ManArgs::AFTER_HELP)]
    Man(ManArgs),
}

impl Command {
    /// The program, of commands that take one of either language.
    pub fn subject(&self) -> Option<&SubjectArgs> {
        match self {
            Self::Check(arguments) => Some(&arguments.subject),
            Self::Run(arguments) => Some(&arguments.subject),
            Self::Measure(arguments) => Some(&arguments.subject),
            Self::Generate(arguments) => Some(&arguments.subject),
            Self::Explain(arguments) => Some(&arguments.subject),
            Self::Instrument(arguments) => Some(&arguments.subject),
            Self::Export(arguments) => Some(&arguments.subject),
            Self::Reduce(arguments) => Some(&arguments.subject),
            // Of a C file they take nothing at all, and the library says so.
            Self::Prove(ProveArgs { subject, .. }) | Self::Mutate(MutateArgs { subject, .. }) => {
                Some(subject).filter(|subject| subject.language() == FileLanguage::Lustre)
            }
            _ => None,
        }
    }
}

/// The arguments of `obligato doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// How to print the findings
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

impl DoctorArgs {
    const AFTER_HELP: &'static str = "\
Exits 0 only if everything needed is there, else 1.

Examples:
  obligato doctor
  obligato doctor --quiet && make
  obligato doctor --format json

JSON fields:
  schema            1; changes when a field changes its meaning or goes away
  ready             true if everything needed is there
  tools             one object per tool, always all of them, in a fixed order:
    name            what it is called here
    purpose         what obligato uses it for
    wanted          the version that is needed
    status          found, missing, wrong-version, failed or timed-out
    version         the version that was found, or null
    path            where it was found, or null
    problem         what is wrong with it, or null
    packages        the Debian packages that bring it
  missing_packages  the packages to install for what is missing or of a wrong version, sorted
  install           the command that installs them, or null";
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[value(help = None)]
    Text,
    /// For programs.
    #[value(help = None)]
    Json,
}

/// The arguments of `obligato check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// What to check.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// Write a suite to start from: one test of one step, with a column for every input
    #[arg(long, value_name = "SUITE")]
    pub template: Option<PathBuf>,
    /// How to print what was found
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

impl CheckArgs {
    /// The positional argument may also be a compilation database.
    fn ask_for_a_file(file: Arg) -> Arg {
        file.value_name("FILE")
            .help("The Lustre model (.lus), the C file (.c), or a compile_commands.json")
    }

    const AFTER_HELP: &'static str = "\
C files:
  All functions are listed; with --function, that one with all that it calls, and its
  inputs and outputs, which are the columns of its suites. What cannot be measured is
  named with its place.

Exit codes:
  0  checked
  1  tool error, such as a template that cannot be written
  2  usage or input error, such as a file that does not compile

Examples:
  obligato check brake.lus
  obligato check brake.lus --main step
  obligato check brake.lus --inline
  obligato check brake.c
  obligato check brake.c --function step -- -Iinclude -DABS=1
  obligato check brake.c --function step --template suite.csv
  obligato check build/compile_commands.json";
}

/// The arguments of `obligato fmt`.
#[derive(Debug, Args)]
pub struct FmtArgs {
    /// What to print.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Rewrite the file in place of printing
    #[arg(long, conflicts_with = "inline")]
    pub write: bool,
}

impl FmtArgs {
    const AFTER_HELP: &'static str = "\
Examples:
  obligato fmt brake.lus
  obligato fmt --write brake.lus
  obligato fmt brake.lus --inline > inlined.lus";
}

/// The arguments of `obligato completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that will read the script
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

impl CompletionsArgs {
    const AFTER_HELP: &'static str = "\
Examples:
  obligato completions bash > ~/.local/share/bash-completion/completions/obligato
  obligato completions zsh > ~/.zfunc/_obligato
  obligato completions fish > ~/.config/fish/completions/obligato.fish";
}

/// The arguments of `obligato man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The directory to write into; made if it does not exist
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

impl ManArgs {
    const AFTER_HELP: &'static str = "\
Examples:
  obligato man ~/.local/share/man/man1
  obligato man man && man man/obligato-doctor.1";
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_a_description_and_an_example() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name} has no description");
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.contains("Examples:\n  obligato"), "{name} has no example");
        }
    }
}
