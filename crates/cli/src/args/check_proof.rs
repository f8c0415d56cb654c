//! The arguments of `obligato check-proof`.

use std::path::PathBuf;

use clap::Args;
use obligato::subject::UnitOptions;

use super::Format;
use super::unit::InputArgs;

/// The arguments of `obligato check-proof`.
#[derive(Debug, Args)]
pub struct CheckProofArgs {
    /// The Lustre model (.lus) or the C file (.c)
    #[arg(value_name = "FILE")]
    pub model: PathBuf,
    /// The proofs, as 'generate' stores them or 'prove -o' writes them
    #[arg(value_name = "PROOFS.json")]
    pub proofs: PathBuf,
    /// How to print the findings
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The settings of a C file [default: the obligato.toml beside it, if there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What inputs there are of a C function: as when the proofs were made.
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Flags for clang, such as -Iinclude -DNDEBUG
    #[arg(last = true, index = 3, value_name = "FLAG")]
    pub flags: Vec<String>,
}

impl CheckProofArgs {
    /// How a C file is read.
    pub fn unit(&self) -> UnitOptions {
        UnitOptions {
            config: self.config.clone(),
            inputs: self.inputs.options(),
            flags: self.flags.clone(),
            ..UnitOptions::default()
        }
    }
}

impl CheckProofArgs {
    pub(super) const AFTER_HELP: &'static str = "\
What is checked:
  A proof is an invariant of the model as a circuit. The circuit is made again from the
  model, and a solver that took no part in finding the proof confirms that the invariant
  holds at first, that it goes on to hold, and that it excludes what is claimed. What
  z3 has proved of numbers of any size is an invariant of the model itself; cvc5
  confirms it if it is installed, and z3 in a new session if not. Then what the proofs
  are said to settle is held against what they do settle. Which node, criteria,
  observed variables or properties it is about is in the file. Proofs about a C
  function are invariants of its static state from call to call; give the options
  about inputs and the flags that they were made with.

JSON fields:
  schema       1; changes when a field changes its meaning or goes away
  model, main, proofs_file
  proofs       one object per proof: system, events, holds, checked_by with the name
               of the solver if it holds, and why if it does not, or if the solver
               that confirms it has found it too
  confirmed    the obligations or properties that the proofs settle as they say
  unconfirmed  those that they do not

Exit codes:
  0  every proof holds and settles what it is said to settle
  1  tool error
  2  usage or input error
  4  a proof does not hold, or something is not settled

Examples:
  obligato check-proof brake.lus .obligato/proofs.json
  obligato check-proof brake.lus properties.json --format json
  obligato check-proof button.c .obligato/proofs.json -- -Iinclude";
}
