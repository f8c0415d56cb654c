//! What a program may not say twice, nor in two ways; the same for programs that are
//! read and for those that are to be written.

use std::collections::HashSet;

use obligato_model::Relation;

use crate::error::quoted;

/// The functions seen so far. Two of one name in one file would give two
/// obligations one key.
#[derive(Default)]
pub struct Functions(HashSet<(String, String)>);

impl Functions {
    /// Takes one more, or says what is wrong with it.
    pub fn add(&mut self, name: &str, file: &str) -> Result<(), String> {
        if self.0.insert((name.to_owned(), file.to_owned())) {
            return Ok(());
        }
        let (name, file) = (quoted(name), quoted(file));
        Err(format!("there are two functions {name} in {file}; give each a name of its own"))
    }
}

/// The labels of one `switch` so far. A key knows an arm by its label, blind to white
/// space.
#[derive(Default)]
pub struct Labels(HashSet<String>);

impl Labels {
    /// Takes one more, of the `switch` on `text`, or says what is wrong with it.
    pub fn add(&mut self, label: &str, text: &str) -> Result<(), String> {
        if self.0.insert(label.split_ascii_whitespace().collect()) {
            return Ok(());
        }
        let (label, text) = (quoted(label), quoted(text));
        Err(format!("there are two arms {label} of the switch on {text}"))
    }
}

/// Complains about a condition that is said to be always `value`, although it
/// compares two constants and that gives the other.
pub fn check_constant(value: bool, relation: &Relation) -> Result<(), String> {
    let (Some(left), Some(right)) = (&relation.left, &relation.right) else {
        return Ok(());
    };
    let actual = relation.operator.holds(left.compare(right));
    if actual == value {
        return Ok(());
    }
    Err(format!("this condition is said to be always {value}, but its operands make it {actual}"))
}
