//! A suite to start from.

use std::path::Path;

use obligato_c_unit::interface::PointerTarget;
use obligato_lustre_replay::default_value;
use obligato_model::{Step, SuiteInterface, TestCase, Type, Value};
use obligato_store::Signature;

use crate::error::Error;
use crate::suite_writer::write_suite;

/// Writes a suite with one test of one step, in which every input has a value: 0, false, the first name of its
/// type, and of a pointer a new object.
pub fn write_template(path: &Path, interface: &SuiteInterface) -> Result<(), Error> {
    let inputs = interface.inputs.clone();
    let step: Step = inputs.iter().map(|input| Some(first_value(&input.kind))).collect();
    let test = TestCase { name: TestCase::default_name(0), steps: vec![step] };
    let signature = Signature::new(&SuiteInterface { inputs, outputs: Vec::new() });
    write_suite(path, &signature, [Ok(test)].into_iter())
}

fn first_value(kind: &Type) -> Value {
    match kind {
        Type::Enumeration(names) if names.iter().any(|name| name == PointerTarget::NEW) => {
            Value::Symbol(PointerTarget::NEW.to_owned())
        }
        _ => default_value(kind),
    }
}
