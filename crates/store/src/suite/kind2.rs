//! Suites as the interpreter of Kind 2 reads them: a list of steps, each an object with the
//! value of every input.
//!
//! Kind 2 takes one test per file; a list of such lists is several. Records and tuples are
//! objects, arrays and tuples are lists. A real is a number, a string such as `"1/3"`, or, as
//! Kind 2 prints it, `{"num": 1, "den": 3}`. The types are those of the program.

use std::collections::{HashMap, HashSet};

use obligato_model::{Step, TestCase, Type, Value};

use super::Signature;
use crate::error::{StoreError, quoted};
use crate::json::Json;
use crate::source::Source;
use crate::value::Kind;

mod print;

pub use print::Printer;

/// The tests in such a file, one after the other.
pub fn tests<'a>(
    bytes: &'a [u8],
    signature: &'a Signature,
) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + use<'a>, StoreError> {
    let root = Json::parse(Source::of(bytes)?)?;
    let items = root.items()?;
    let nested = items.first().is_some_and(|first| first.text().starts_with('['));
    let tests = if nested { items } else { vec![root] };
    let mut reader = Reader::new(signature);
    let numbered = tests.into_iter().enumerate();
    Ok(numbered.map(move |(index, steps)| {
        let name = TestCase::default_name(index);
        let steps = steps.items()?.into_iter().map(|step| reader.read_step(step));
        Ok(TestCase { name, steps: steps.collect::<Result<_, _>>()? })
    }))
}

struct Reader<'a> {
    signature: &'a Signature,
    kinds: Vec<Kind<'a>>,
    positions: HashMap<&'a str, usize>,
    /// What is no variable but has parts that are.
    structures: HashSet<&'a str>,
    /// The variables of a step that are still to be taken apart.
    todo: Vec<(String, Json<'a>)>,
}

impl<'a> Reader<'a> {
    fn new(signature: &'a Signature) -> Self {
        let variables = signature.variables();
        let names = || variables.iter().map(|variable| variable.name.as_str());
        let parts = |name: &'a str| name.match_indices(['.', '[']).map(|(at, _)| &name[..at]);
        Self {
            signature,
            kinds: variables.iter().map(|variable| Kind::new(&variable.kind)).collect(),
            positions: names().enumerate().map(|(at, name)| (name, at)).collect(),
            structures: names().flat_map(parts).collect(),
            todo: Vec::new(),
        }
    }

    fn read_step(&mut self, json: Json<'a>) -> Result<Step, StoreError> {
        let mut step: Step = vec![None; self.kinds.len()];
        let mut seen = HashSet::new();
        for entry in json.entries()? {
            if !seen.insert(entry.name.clone()) {
                return Err(crate::json::twice(&entry));
            }
            self.check_name(&entry.name, entry.key)?;
            self.todo.push((entry.name.into_owned(), entry.value));
            while let Some((name, value)) = self.todo.pop() {
                match self.positions.get(name.as_str()) {
                    Some(&at) if step[at].is_some() => {
                        let name = quoted(&name);
                        return Err(value.invalid(format!("{name} is given twice")));
                    }
                    Some(&at) => step[at] = Some(self.read_value(at, value)?),
                    None => self.open(&name, value)?,
                }
            }
        }
        let missing = step[..self.signature.inputs().len()].iter().position(Option::is_none);
        missing.map_or(Ok(step), |at| {
            let name = quoted(&self.signature.inputs()[at].name);
            Err(json.invalid(format!("this step has no value for the input {name}")))
        })
    }

    /// Takes a structure apart. Only what has parts is opened, so the nesting of the text
    /// does not matter.
    fn open(&mut self, name: &str, value: Json<'a>) -> Result<(), StoreError> {
        let start = self.todo.len();
        match value.text().as_bytes().first() {
            Some(b'{') => {
                for entry in value.entries()? {
                    let part = self.part(name, &format!(".{}", entry.name), &entry.name);
                    self.check_name(&part, entry.key)?;
                    self.todo.push((part, entry.value));
                }
            }
            Some(b'[') => {
                for (index, item) in value.items()?.into_iter().enumerate() {
                    let part = self.part(name, &format!("[{index}]"), &index.to_string());
                    self.check_name(&part, item)?;
                    self.todo.push((part, item));
                }
            }
            _ => return Err(value.expected(&format!("the parts of {}", quoted(name)))),
        }
        // The last is taken next.
        self.todo[start..].reverse();
        Ok(())
    }

    /// The name of a part: as of a record or array, or else as of a tuple.
    fn part(&self, of: &str, plain: &str, position: &str) -> String {
        let (plain, in_tuple) = (format!("{of}{plain}"), format!("{of}.%{position}"));
        if self.knows(&in_tuple) && !self.knows(&plain) { in_tuple } else { plain }
    }

    fn knows(&self, name: &str) -> bool {
        self.positions.contains_key(name) || self.structures.contains(name)
    }

    fn check_name(&self, name: &str, place: Json<'_>) -> Result<(), StoreError> {
        if self.knows(name) {
            return Ok(());
        }
        Err(place.invalid(format!("the program has no input or output {}", quoted(name))))
    }

    fn read_value(&self, at: usize, json: Json<'_>) -> Result<Value, StoreError> {
        let variable = &self.signature.variables()[at];
        let what = if at < self.signature.inputs().len() { "input" } else { "output" };
        let owner = || format!("{what} {}", quoted(&variable.name));
        if variable.kind != Type::Real {
            return self.kinds[at].read_json(json, owner);
        }
        let text = match json.text().as_bytes().first() {
            Some(b'{') => {
                let parts = json.object(&["num", "den"])?;
                format!("{}/{}", parts.need("num")?.text(), parts.need("den")?.text())
            }
            Some(b'"') => json.owned_string()?,
            _ => return self.kinds[at].read_json(json, owner),
        };
        read_real(&text).map_err(|reason| json.invalid(format!("{}: {reason}", owner())))
    }
}

/// A real as Kind 2 reads or prints it: a decimal, or a quotient of two, maybe in parentheses
/// and with spaces.
fn read_real(text: &str) -> Result<Value, String> {
    let inner = text.trim();
    let inner = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(inner);
    let read = |part: &str| match Value::parse(part.trim(), &Type::Real) {
        Ok(Value::Real(value)) => Ok(value),
        Ok(other) => Err(format!("{other} is not a real")),
        Err(error) => Err(error.to_string()),
    };
    match inner.split_once('/') {
        None => read(inner).map(Value::Real),
        Some((above, below)) => {
            let (above, below) = (read(above)?, read(below)?);
            if below.is_zero() {
                return Err(format!("{} divides by zero", quoted(text)));
            }
            Ok(Value::Real(above / below))
        }
    }
}

#[cfg(test)]
mod tests;
