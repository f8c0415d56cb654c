//! Printing tests as RIF, with the outputs that were found.

use obligato_model::{Step, TestCase, Type, Value, Variable};

use super::super::{Signature, check_steps};
use super::declaration::word;
use crate::error::{StoreError, quoted};
use crate::value::Kind;
use crate::variables::DistinctNames;

/// Prints tests one after the other; the header and the pieces make the file.
pub struct Printer<'a> {
    signature: &'a Signature,
    kinds: Vec<Kind<'a>>,
    names: DistinctNames<'static>,
    count: usize,
}

impl<'a> Printer<'a> {
    /// A suite for a program with this signature.
    pub fn new(signature: &'a Signature) -> Self {
        let kinds = signature.variables().iter().map(|variable| Kind::new(&variable.kind));
        Self { signature, kinds: kinds.collect(), names: DistinctNames::new("test"), count: 0 }
    }

    /// What the file declares.
    pub fn header(&self) -> Result<String, StoreError> {
        let print = |variables: &[Variable]| {
            let items = variables.iter().map(|Variable { name, kind }| {
                if name.contains(|c: char| c.is_whitespace() || c == '"') {
                    return Err(cannot_hold(&format!("the name {}", quoted(name))));
                }
                Ok(format!(" \"{name}\":{}", word(kind)))
            });
            items.collect::<Result<String, StoreError>>()
        };
        let (inputs, outputs) = (self.signature.inputs(), self.signature.outputs());
        Ok(format!("#inputs{}\n#outputs{}\n", print(inputs)?, print(outputs)?))
    }

    /// The next test, each step with inputs and outputs.
    pub fn print(&mut self, test: &TestCase) -> Result<String, StoreError> {
        let TestCase { name, steps } = test;
        self.names.add(name).map_err(StoreError::unwritable)?;
        check_steps(test, self.kinds.len())?;
        if steps.is_empty() {
            return Err(cannot_hold(&format!("test {}, which has no steps", quoted(name))));
        }
        if name.trim() != name || name.contains('\n') {
            return Err(cannot_hold(&format!("the blanks in the name of test {}", quoted(name))));
        }
        let mut printed = if self.count > 0 { "#reset\n".to_owned() } else { String::new() };
        if *name != TestCase::default_name(self.count) {
            printed += "#test ";
            printed += name;
            printed.push('\n');
        }
        self.count += 1;
        for (index, step) in steps.iter().enumerate() {
            let values = self.print_step(step).map_err(|(at, reason)| {
                let (test, variable) = (quoted(name), &self.signature.variables()[at].name);
                StoreError::unwritable(format!("test {test}, {}: {reason}", quoted(variable)))
            })?;
            printed += &["#step ", &(index + 1).to_string(), "\n", &values, "\n"].concat();
        }
        Ok(printed)
    }

    /// A step on a line; else the variable that cannot be printed, and why.
    fn print_step(&self, step: &Step) -> Result<String, (usize, String)> {
        let inputs = self.signature.inputs().len();
        let mut words = Vec::with_capacity(step.len() + 1);
        for (at, (value, kind)) in step.iter().zip(&self.kinds).enumerate() {
            if at == inputs && step[inputs..].iter().any(Option::is_some) {
                words.push("#outs".to_owned());
            } else if at == inputs {
                break;
            }
            let variable = &self.signature.variables()[at].kind;
            words.push(match value {
                None => "?".to_owned(),
                Some(Value::Bool(value)) => if *value { "T" } else { "F" }.to_owned(),
                Some(value) => {
                    let text = kind.print_text(value).map_err(|reason| (at, reason))?;
                    spell(&text, variable).ok_or_else(|| (at, unspeakable(&text)))?
                }
            });
        }
        Ok(words.join(" "))
    }
}

/// A value as a word, or in quotes if a word would mean something else.
fn spell(text: &str, kind: &Type) -> Option<String> {
    let plain = text.chars().all(|c| c.is_alphanumeric() || "_.-+/:".contains(c));
    let taken = matches!(text, "q" | "nil" | "");
    if !matches!(kind, Type::Enumeration(_) | Type::OpenEnumeration(_)) || plain && !taken {
        return Some(text.to_owned());
    }
    (!text.contains(['"', '\n'])).then(|| format!("\"{text}\""))
}

fn unspeakable(text: &str) -> String {
    format!("RIF cannot hold {}; write the suite as JSON", quoted(text))
}

fn cannot_hold(what: &str) -> StoreError {
    StoreError::unwritable(format!("RIF cannot hold {what}; write the suite as JSON"))
}
