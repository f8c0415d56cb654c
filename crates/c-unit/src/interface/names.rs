//! The names of columns: what C calls things, told apart where one hides another.
//!
//! A parameter hides the variable or function of the file that has its name, while what the function calls still uses that. A
//! suite has both, so what is hidden has `::` in front.

use std::collections::HashSet;

use obligato_clang::Parameter;

use super::{Cell, Form, Interface, Pointee};

/// What stands in front of the name of a variable or function of the file that a parameter hides.
pub const OF_FILE: &str = "::";

/// The values of pointers that are words, not names of other pointers.
const WORDS: [&str; 3] = ["NULL", "new", "unset"];

/// What people call a parameter.
pub(super) fn name_of_parameter(index: usize, parameter: &Parameter) -> String {
    match parameter.name.as_str() {
        "" => format!("argument{}", index + 1),
        name => name.to_owned(),
    }
}

/// What a variable or function of the file is called beside these parameters. Static variables of functions have the name of their
/// function in front, which a parameter may have as well.
pub(super) fn beside(parameters: &[Parameter], symbol: &str) -> String {
    let word = symbol.split('.').next().unwrap_or(symbol);
    let mut hiding = parameters.iter().enumerate();
    if hiding.any(|(index, parameter)| name_of_parameter(index, parameter) == word) {
        return format!("{OF_FILE}{symbol}");
    }
    symbol.to_owned()
}

/// The value of a pointer that points to what another one points to.
pub(super) fn value_of_alias(pointer: &str) -> String {
    if WORDS.contains(&pointer) { format!("&{pointer}[0]") } else { pointer.to_owned() }
}

/// Numbers what has the name of something before it, so that whatever an interface is made of, a suite with its columns reads back.
pub(super) fn tell_apart(interface: &mut Interface) {
    number(interface.inputs.iter_mut().map(|cell| &mut cell.name));
    number(interface.outputs.iter_mut().map(|cell| &mut cell.name));
    for cell in interface.inputs.iter_mut().chain(&mut interface.outputs) {
        tell_targets_apart(cell);
    }
}

/// A function with the name of another value is written as a call, an object as an element of its pointer.
fn tell_targets_apart(cell: &mut Cell) {
    let Form::Pointer(targets) = &mut cell.form else { return };
    let mut taken: HashSet<String> = HashSet::with_capacity(targets.len());
    for target in &mut *targets {
        if !taken.insert(target.name.clone()) {
            target.name = match target.to {
                Pointee::Function(_) => format!("{}()", target.name),
                _ => format!("&{}[0]", target.name),
            };
            taken.insert(target.name.clone());
        }
    }
    number(targets.iter_mut().map(|target| &mut target.name));
}

fn number<'n>(names: impl Iterator<Item = &'n mut String>) {
    let mut taken: HashSet<String> = HashSet::new();
    for name in names {
        let mut number = 2;
        let mut own = name.clone();
        while taken.contains(&own) {
            own = format!("{name} ({number})");
            number += 1;
        }
        taken.insert(own.clone());
        *name = own;
    }
}

#[cfg(test)]
mod tests;
