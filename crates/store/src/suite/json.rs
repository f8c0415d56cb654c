//! Suites as JSON.

use std::collections::{HashMap, HashSet};

use obligato_model::{Step, Suite, TestCase, Variable};

use super::{Columns, check_steps};
use crate::document;
use crate::error::{StoreError, quoted};
use crate::json::print::{Fields, lines};
use crate::json::{Json, Object, twice};
use crate::source::Source;
use crate::value::Kind;
use crate::variables::{self, Names};

/// What a suite document calls itself.
pub const FORMAT: &str = "obligato-suite";

/// A step takes room for every input, set or not, so a short text could ask for any
/// amount of it. This many values are always allowed; beyond, one per byte.
const MOST_OPEN_VALUES: usize = 1 << 25;

/// Reads a suite document.
pub fn parse(bytes: &[u8], columns: Columns<'_>) -> Result<Suite, StoreError> {
    let root = open(bytes)?;
    let inputs = read_inputs(&root, columns)?;
    let tests = read_tests(&root, &inputs, bytes.len())?.collect::<Result<_, _>>()?;
    Ok(Suite { inputs, tests })
}

/// The inputs of a suite document.
pub fn inputs(bytes: &[u8], columns: Columns<'_>) -> Result<Vec<Variable>, StoreError> {
    read_inputs(&open(bytes)?, columns)
}

/// The tests of a suite document with these inputs, one after the other.
pub fn tests<'a>(
    bytes: &'a [u8],
    inputs: &'a [Variable],
) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + 'a, StoreError> {
    read_tests(&open(bytes)?, inputs, bytes.len())
}

fn open(bytes: &[u8]) -> Result<Object<'_>, StoreError> {
    document::open(Source::of(bytes)?, FORMAT, &["format", "version", "inputs", "tests"])
}

fn read_inputs(root: &Object<'_>, columns: Columns<'_>) -> Result<Vec<Variable>, StoreError> {
    let listed = root.need("inputs")?;
    let items = listed.items()?;
    let inputs = variables::read(items.clone(), "input")?;
    match columns {
        Columns::Infer => Ok(inputs),
        Columns::Declared(declared) => {
            compare(&inputs, &items, listed, declared)?;
            Ok(declared.to_vec())
        }
    }
}

fn read_tests<'a>(
    root: &Object<'a>,
    inputs: &'a [Variable],
    length: usize,
) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + use<'a>, StoreError> {
    let mut reader = Reader::new(inputs, length);
    let items = root.need("tests")?.items()?.into_iter().enumerate();
    Ok(items.map(move |(index, item)| reader.read_test(item, index)))
}

/// Complains unless the inputs of the suite are the declared ones.
fn compare(
    inputs: &[Variable],
    items: &[Json<'_>],
    list: Json<'_>,
    declared: &[Variable],
) -> Result<(), StoreError> {
    let by_name: HashMap<&str, &Variable> =
        declared.iter().map(|variable| (variable.name.as_str(), variable)).collect();
    for (Variable { name, kind }, item) in inputs.iter().zip(items) {
        let quoted = quoted(name);
        match by_name.get(name.as_str()) {
            None => return Err(item.invalid(format!("the program has no input {quoted}"))),
            Some(variable) if variable.kind != *kind => {
                let declared = &variable.kind;
                return Err(item.invalid(format!(
                    "input {quoted} has type {declared}, but the suite says {kind}"
                )));
            }
            Some(_) => {}
        }
    }
    let listed: HashSet<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    let missing = declared.iter().find(|variable| !listed.contains(variable.name.as_str()));
    missing.map_or(Ok(()), |variable| {
        let name = quoted(&variable.name);
        Err(list.invalid(format!("the input {name} of the program is not listed")))
    })
}

struct Reader<'a> {
    kinds: Vec<Kind<'a>>,
    positions: HashMap<&'a str, usize>,
    names: Names<'a>,
    /// How many more values, open ones included, the suite may hold.
    room: usize,
}

impl<'a> Reader<'a> {
    fn new(inputs: &'a [Variable], length: usize) -> Self {
        let numbered = inputs.iter().enumerate();
        Self {
            kinds: inputs.iter().map(|input| Kind::new(&input.kind)).collect(),
            positions: numbered.map(|(at, input)| (input.name.as_str(), at)).collect(),
            names: Names::new("test"),
            room: length.max(MOST_OPEN_VALUES),
        }
    }

    fn read_test(&mut self, item: Json<'_>, index: usize) -> Result<TestCase, StoreError> {
        let object = item.object(&["name", "steps"])?;
        let name = match object.get("name") {
            Some(name) => name.owned_string()?,
            None => TestCase::default_name(index),
        };
        let place = object.get("name").unwrap_or(item);
        self.names.add(&name).map_err(|reason| place.invalid(reason))?;
        let list = object.need("steps")?;
        let items = list.items()?;
        let room = self.room.checked_sub(items.len().saturating_mul(self.kinds.len()));
        self.room = room.ok_or_else(|| {
            let (steps, inputs) = (items.len(), self.kinds.len());
            list.invalid(format!("{steps} more steps of {inputs} inputs are too many to hold"))
        })?;
        let steps =
            items.into_iter().map(|step| self.read_step(step, &name)).collect::<Result<_, _>>()?;
        Ok(TestCase { name, steps })
    }

    fn read_step(&self, json: Json<'_>, test: &str) -> Result<Step, StoreError> {
        let mut step: Step = vec![None; self.kinds.len()];
        for entry in json.entries()? {
            let Some(&at) = self.positions.get(entry.name.as_ref()) else {
                let (test, name) = (quoted(test), quoted(&entry.name));
                let reason = format!("test {test}: the suite lists no input {name}");
                return Err(entry.key.invalid(reason));
            };
            if step[at].is_some() {
                return Err(twice(&entry));
            }
            let owner = || format!("test {}, input {}", quoted(test), quoted(&entry.name));
            step[at] = Some(self.kinds[at].read_json(entry.value, owner)?);
        }
        Ok(step)
    }
}

/// Prints a suite document. Refuses clashing names, and values and types that
/// would not read back.
pub fn print(suite: &Suite) -> Result<String, StoreError> {
    let mut printer = Printer::new(&suite.inputs)?;
    let mut text = String::new();
    for test in &suite.tests {
        text += &printer.print(test)?;
    }
    Ok(text + &printer.finish())
}

/// Prints a suite document test by test; the pieces make the document.
pub struct Printer<'a> {
    inputs: &'a [Variable],
    kinds: Vec<Kind<'a>>,
    names: Names<'a>,
    /// What stands before the next test, or before the end of the list.
    before: String,
}

/// What separates a test from the one before it.
const SEPARATOR: &str = ",\n    ";

impl<'a> Printer<'a> {
    /// A suite with these inputs.
    pub fn new(inputs: &'a [Variable]) -> Result<Self, StoreError> {
        let printed = variables::print(inputs, "input")?;
        let start = document::start(FORMAT).with_line(2, "inputs", printed);
        Ok(Self {
            inputs,
            kinds: inputs.iter().map(|input| Kind::new(&input.kind)).collect(),
            names: Names::new("test"),
            before: start.with_line(2, "tests", "[\n    ").leave_open(),
        })
    }

    /// The next test, with what stands before it.
    pub fn print(&mut self, test: &TestCase) -> Result<String, StoreError> {
        self.names.add(&test.name).map_err(StoreError::unwritable)?;
        check_steps(test, self.inputs.len())?;
        let steps = test.steps.iter().map(|step| self.print_step(test, step));
        let steps = steps.collect::<Result<Vec<_>, _>>()?;
        let fields = Fields::new().with_text("name", &test.name);
        let printed = fields.with("steps", lines(4, steps)).close();
        Ok(std::mem::replace(&mut self.before, SEPARATOR.to_owned()) + &printed)
    }

    fn print_step(&self, test: &TestCase, step: &Step) -> Result<String, StoreError> {
        let mut fields = Fields::new();
        for ((value, input), kind) in step.iter().zip(self.inputs).zip(&self.kinds) {
            if let Some(value) = value {
                let json = kind.print_json(value).map_err(|reason| {
                    let (test, name) = (quoted(&test.name), quoted(&input.name));
                    StoreError::unwritable(format!("test {test}, input {name}: {reason}"))
                })?;
                fields = fields.with(&input.name, json);
            }
        }
        Ok(fields.close())
    }

    /// The rest of the document.
    pub fn finish(self) -> String {
        match self.before.as_str() {
            SEPARATOR => "\n  ]\n}\n".to_owned(),
            // No test came.
            start => format!("{}]\n}}\n", start.trim_end()),
        }
    }
}
