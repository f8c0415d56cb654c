//! The arguments of `obligato gate`.

use std::path::PathBuf;

use clap::Args;
use obligato::gate::{Allowed, Percent, Requirement};

use super::words::words_of;
use super::{Format, USUAL_STORE};

/// The words of `--allow`.
const ALLOWED: [(&str, Allowed); 4] = [
    ("justified", Allowed::Justified),
    ("uncoverable", Allowed::Uncoverable),
    ("bounded", Allowed::Bounded),
    ("covered-by-errors", Allowed::CoveredByErrors),
];

/// The arguments of `obligato gate`.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[derive(Debug, Args)]
pub struct GateArgs {
    /// How much is required of each criterion.
    #[command(flatten)]
    pub required: RequiredArgs,
    /// The same by the name of a criterion, as in mcdc:unique-cause=90
    #[arg(long, value_name = "C=PERCENT")]
    pub require: Vec<Requirement>,
    /// What counts besides what is covered, separated by commas [default: nothing]
    #[arg(long, value_name = "VERDICT", value_parser = words_of(ALLOWED), value_delimiter = ',')]
    pub allow: Option<Vec<Allowed>>,
    /// Exit 4 if an obligation is unresolved, of the criteria that are required
    #[arg(long)]
    pub forbid_unresolved: bool,
    /// Exit 4 if an obligation is uncoverable, of the criteria that are required, and nobody has
    /// reviewed that by 'obligato justify'
    #[arg(long)]
    pub require_review: bool,
    /// Judge a result although its sources have changed since
    #[arg(long)]
    pub stale_ok: bool,
    /// A result that this one may not fall behind, such as an older result.json
    #[arg(long, value_name = "RESULT")]
    pub ratchet: Option<PathBuf>,
    /// The directory that the result is stored in
    #[arg(long, value_name = "DIR", default_value = USUAL_STORE)]
    pub store: PathBuf,
    /// The justifications [default: obligato-justifications.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub justifications: Option<PathBuf>,
    /// The settings [default: the obligato.toml of this directory, if there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// List everything that is missing
    #[arg(long)]
    pub list: bool,
    /// How to print what was found
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How much is required of each criterion, in its first variant.
#[derive(Debug, Args)]
pub struct RequiredArgs {
    /// How much of statement coverage is required, in percent; so for every criterion
    #[arg(long, value_name = "PERCENT")]
    statement: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of branch coverage")]
    branch: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of entries and exits")]
    entry_exit: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of decision coverage")]
    decision: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of condition coverage")]
    condition: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of condition and decision coverage")]
    cdc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of multiple condition coverage")]
    mcc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of masking MC/DC")]
    mcdc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of boundary values")]
    bvc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of observable MC/DC")]
    omcdc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of observable boundary values")]
    obvc: Option<Percent>,
    #[arg(long, value_name = "PERCENT", help = "Of mutants, as 'mutate --store' keeps them")]
    mutation: Option<Percent>,
}

impl RequiredArgs {
    /// What is required, in the order of reports.
    pub fn all(&self) -> Vec<Requirement> {
        let named = [
            ("statement", self.statement),
            ("branch", self.branch),
            ("entry-exit", self.entry_exit),
            ("decision", self.decision),
            ("condition", self.condition),
            ("cdc", self.cdc),
            ("mcc", self.mcc),
            ("mcdc", self.mcdc),
            ("bvc", self.bvc),
            ("omcdc", self.omcdc),
            ("obvc", self.obvc),
            ("mutation", self.mutation),
        ];
        let given = named.into_iter().filter_map(|(name, percent)| {
            let criterion = name.parse().expect("invariant: the flags are named as the criteria");
            percent.map(|percent| Requirement { criterion, percent })
        });
        given.collect()
    }
}

impl GateArgs {
    pub(super) const AFTER_HELP: &'static str = "\
What is gated:
  The stored result of 'measure', 'generate', 'judge', 'merge' or 'mutate --store'; nothing
  runs again. A criterion is met if enough of its obligations are covered, or closed by a
  verdict that --allow names. Justifications are read anew: a stale one does not count.
  What only tests cover that end with a runtime error counts if --allow names
  covered-by-errors. Tests that fail are named; they cover nothing.

  --allow bounded also counts what is unresolved because no test within the bounds of the
  search covers it, such as one step or 8 elements. Beyond them nothing is proved, so the
  gate says how many obligations it let pass so, and within which bounds.

  --ratchet compares with an older result: of no criterion may a smaller share be met, and no
  obligation that was met may be open now.

  Every setting can stand in the [gate] of an obligato.toml; flags win:
    [gate]
    allow = [\"justified\", \"uncoverable\"]
    forbid-unresolved = true
    require-review = true
    ratchet = \"baseline.json\"
    [gate.require]
    mcdc = 100
    \"mcdc:unique-cause\" = 97.5

Exit codes:
  0  everything that is required is met
  1  tool error
  2  usage or input error, such as a criterion that was not measured, or a source that has
     changed since, unless --stale-ok is given
  3  a share is too small, or the ratchet slips
  4  all shares are met, but something is unresolved, and --forbid-unresolved is given, or is
     uncoverable without a review, and --require-review is given

Examples:
  obligato gate --mcdc 100 --allow justified,uncoverable
  obligato gate --branch 100 --omcdc 90 --forbid-unresolved
  obligato gate --require mcdc:unique-cause=95 --ratchet baseline.json
  obligato gate --store shards --mutation 80 --format json";
}
