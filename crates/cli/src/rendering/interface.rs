//! What tests set and see: the inputs and outputs with their types, in words, and a suite to start from.

use std::io::Write as _;
use std::path::Path;

use obligato_lustre_replay::default_value;
use obligato_model::{Interface, Step, TestCase, Type, Value, Variable};
use obligato_store::Signature;

use crate::error::CliError;
use crate::output::{Output, abridged, printable};
use obligato::suite_writer::write_suite;

/// Types of enumerations with many names are cut to this.
const WIDEST_TYPE: usize = 60;

/// Lists inputs and outputs.
pub fn write(interface: &Interface, output: &mut Output) -> Result<(), CliError> {
    let Interface { inputs, outputs } = interface;
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

/// Writes a suite with one test of one step, in which every input has a value: 0, false, the first name of its
/// type, and of a pointer a new object.
pub fn write_template(path: &Path, interface: &Interface) -> Result<(), CliError> {
    let inputs = interface.inputs.clone();
    let step: Step = inputs.iter().map(|input| Some(first_value(&input.kind))).collect();
    let test = TestCase { name: TestCase::default_name(0), steps: vec![step] };
    let signature = Signature::new(&Interface { inputs, outputs: Vec::new() });
    Ok(write_suite(path, &signature, [Ok(test)].into_iter())?)
}

fn first_value(kind: &Type) -> Value {
    match kind {
        Type::Enumeration(names) if names.iter().any(|name| name == "new") => {
            Value::Symbol("new".to_owned())
        }
        _ => default_value(kind),
    }
}
