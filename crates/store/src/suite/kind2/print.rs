//! Printing the inputs of tests for the interpreter of Kind 2.

use obligato_model::{Step, TestCase, Type, Variable};

use super::super::Signature;
use crate::error::{StoreError, quoted};
use crate::json::print::{lines, quote};
use crate::value::Kind;

/// Prints tests as lists of steps, with the inputs only: Kind 2 takes nothing else. One test
/// is a file for Kind 2; several are a list of such lists.
pub struct Printer<'a> {
    inputs: &'a [Variable],
    kinds: Vec<Kind<'a>>,
    /// Per input, the way to it: its variable, and then fields and positions.
    ways: Vec<Vec<Part<'a>>>,
    printed: Printed,
}

/// What was printed so far.
#[derive(Debug)]
enum Printed {
    Nothing,
    /// Nothing, but this test waits to be the only one or the first of several.
    One(String),
    Several,
}

/// A step on the way to a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'a> {
    /// A variable, a field of a record, a position of a tuple.
    Field(&'a str),
    /// An element of an array.
    Element(&'a str),
}

impl<'a> Printer<'a> {
    /// A suite for a program with this signature.
    pub fn new(signature: &'a Signature) -> Self {
        let inputs = signature.inputs();
        Self {
            inputs,
            kinds: inputs.iter().map(|input| Kind::new(&input.kind)).collect(),
            ways: inputs.iter().map(|input| way(&input.name)).collect(),
            printed: Printed::Nothing,
        }
    }

    /// The next test, or as much as can be printed before it is known whether another comes.
    pub fn print(&mut self, test: &TestCase) -> Result<String, StoreError> {
        let steps = test.steps.iter().map(|step| self.print_step(test, step));
        let list = lines(0, steps.collect::<Result<Vec<_>, _>>()?);
        let deeper = |list: &str| list.replace('\n', "\n  ");
        let (piece, printed) = match std::mem::replace(&mut self.printed, Printed::Several) {
            Printed::Nothing => (String::new(), Printed::One(list)),
            Printed::One(first) => {
                (format!("[\n  {},\n  {}", deeper(&first), deeper(&list)), Printed::Several)
            }
            Printed::Several => (format!(",\n  {}", deeper(&list)), Printed::Several),
        };
        self.printed = printed;
        Ok(piece)
    }

    /// The rest of the file.
    pub fn finish(self) -> String {
        match self.printed {
            Printed::Nothing => "[]\n".to_owned(),
            Printed::One(test) => test + "\n",
            Printed::Several => "\n]\n".to_owned(),
        }
    }

    /// An object with all inputs; the scalars of one variable stand side by side.
    fn print_step(&self, test: &TestCase, step: &Step) -> Result<String, StoreError> {
        let mut object = "{".to_owned();
        let mut open: &[Part<'_>] = &[];
        for ((value, input), (way, kind)) in
            step.iter().zip(self.inputs).zip(self.ways.iter().zip(&self.kinds))
        {
            let refuse = |reason: &str| {
                let (test, name) = (quoted(&test.name), quoted(&input.name));
                StoreError::unwritable(format!("test {test}, input {name}: {reason}"))
            };
            let value = value.as_ref().ok_or_else(|| {
                refuse("Kind 2 takes no input that is left open; write the suite as JSON")
            })?;
            let value = match kind.print_json(value).map_err(|reason| refuse(&reason))? {
                number if input.kind == Type::Real && !number.starts_with('"') => quote(&number),
                other => other,
            };
            let shared = way.iter().zip(open).take_while(|(a, b)| a == b).count();
            let shared = shared.min(way.len().saturating_sub(1));
            close(&mut object, open.get(shared + 1..).unwrap_or_default());
            if !object.ends_with(['{', '[']) {
                object.push_str(", ");
            }
            for (depth, part) in way.iter().enumerate().skip(shared) {
                if let Part::Field(name) = part {
                    object.push_str(&quote(name.trim_start_matches('%')));
                    object.push_str(": ");
                }
                match way.get(depth + 1) {
                    Some(Part::Field(_)) => object.push('{'),
                    Some(Part::Element(_)) => object.push('['),
                    None => object.push_str(&value),
                }
            }
            open = way;
        }
        close(&mut object, open.get(1..).unwrap_or_default());
        object.push('}');
        Ok(object)
    }
}

/// Closes what these parts stand in, the innermost first.
fn close(text: &mut String, parts: &[Part<'_>]) {
    for part in parts.iter().rev() {
        text.push(if matches!(part, Part::Field(_)) { '}' } else { ']' });
    }
}

/// The way that a name such as `a.b[0]` spells.
fn way(name: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for (index, piece) in name.split('.').enumerate() {
        let mut inner = piece.split('[');
        let field = inner.next().unwrap_or_default();
        // An element of an element has no field between its brackets.
        if index == 0 || !field.is_empty() {
            parts.push(Part::Field(field));
        }
        parts.extend(inner.map(|element| Part::Element(element.trim_end_matches(']'))));
    }
    parts
}
