//! What tests set and see: the inputs and outputs with their types, in words.

use std::io::Write as _;

use obligato_model::{SuiteInterface, Variable};

use crate::error::CliError;
use crate::output::{Output, abridged, printable};

/// Types of enumerations with many names are cut to this.
const WIDEST_TYPE: usize = 60;

/// Lists inputs and outputs.
pub fn write(interface: &SuiteInterface, output: &mut Output) -> Result<(), CliError> {
    let SuiteInterface { inputs, outputs } = interface;
    for (title, variables) in [("inputs", inputs), ("outputs", outputs)] {
        writeln!(output, "\n{title}:")?;
        let width = |variable: &Variable| printable(&variable.name).chars().count();
        let width = variables.iter().map(width).max().unwrap_or(0);
        for Variable { name, kind } in variables {
            let kind = abridged(&kind.to_string(), WIDEST_TYPE);
            writeln!(output, "  {:width$}  {}", printable(name), printable(&kind))?;
        }
        if variables.is_empty() {
            writeln!(output, "  none")?;
        }
    }
    Ok(())
}
