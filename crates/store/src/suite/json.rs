//! Suites as JSON. What `obligato run` prints is read as a suite, too: the outputs that it
//! found are then those expected.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use obligato_model::{Step, Suite, SuiteInterface, TestCase, Variable};

use super::{Columns, Signature, check_steps};
use crate::document::{self, Format};
use crate::error::{StoreError, quoted};
use crate::json::print::{Fields, lines};
use crate::json::{Json, Object, twice};
use crate::run;
use crate::source::Source;
use crate::value::Kind;
use crate::variables::{self, DistinctNames};

/// What a suite document calls itself.
pub const FORMAT: &str = "obligato-suite";

const SUITE: Format =
    Format { name: FORMAT, known: &["format", "version", "inputs", "outputs", "tests"] };
const TEST: &[&str] = &["name", "steps", "outputs"];

/// A run says in addition what was run and what went wrong.
const RUN: Format = Format {
    name: run::FORMAT,
    known: &["format", "version", "model", "main", "inputs", "outputs", "tests"],
};
const TEST_RUN: &[&str] = &["name", "steps", "outputs", "failures", "differences", "exhausted"];

/// A step takes room for every input, set or not, so a short text could ask for any
/// amount of it. This many values are always allowed; beyond, one per byte.
const MOST_OPEN_VALUES: usize = 1 << 25;

/// Reads a suite document.
pub fn parse(bytes: &[u8], columns: Columns<'_>) -> Result<Suite, StoreError> {
    let document = open(bytes)?;
    let inputs = read_inputs(&document, columns)?;
    let tests = read_tests(&document, &inputs, None, bytes.len())?.collect::<Result<_, _>>()?;
    Ok(Suite { inputs, tests })
}

/// The inputs of a suite document.
pub fn inputs(bytes: &[u8], columns: Columns<'_>) -> Result<Vec<Variable>, StoreError> {
    read_inputs(&open(bytes)?, columns)
}

/// The tests of a suite document with these inputs, one after the other. The outputs it
/// expects are not looked at.
pub fn tests<'a>(
    bytes: &'a [u8],
    inputs: &'a [Variable],
) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + 'a, StoreError> {
    read_tests(&open(bytes)?, inputs, None, bytes.len())
}

/// The tests of a suite document for a program, one after the other, each step with the values
/// of the inputs and then those expected of the outputs.
pub fn tests_for<'a>(
    bytes: &'a [u8],
    signature: &'a Signature,
) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + 'a, StoreError> {
    let document = open(bytes)?;
    read_inputs(&document, Columns::Declared(signature.inputs()))?;
    let listed = document.root.list("outputs")?;
    let outputs = variables::read(listed.clone(), "output")?;
    compare_listed(&outputs, &listed, signature.outputs(), "output")?;
    read_tests(&document, signature.inputs(), Some(signature.outputs()), bytes.len())
}

/// The signature that a suite document has by itself.
pub fn signature(bytes: &[u8]) -> Result<Signature, StoreError> {
    let document = open(bytes)?;
    let inputs = read_inputs(&document, Columns::Infer)?;
    let outputs = variables::read(document.root.list("outputs")?, "output")?;
    Ok(Signature::new(&SuiteInterface { inputs, outputs }))
}

/// A document that is a suite or can be read as one.
struct Document<'a> {
    root: Object<'a>,
    /// The fields of a test.
    test: &'static [&'static str],
}

fn open(bytes: &[u8]) -> Result<Document<'_>, StoreError> {
    let (format, root) = document::open_any(Source::of(bytes)?, &[SUITE, RUN])?;
    Ok(Document { root, test: if format == FORMAT { TEST } else { TEST_RUN } })
}

fn read_inputs(document: &Document<'_>, columns: Columns<'_>) -> Result<Vec<Variable>, StoreError> {
    let listed = document.root.need("inputs")?;
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
    document: &Document<'a>,
    inputs: &'a [Variable],
    outputs: Option<&'a [Variable]>,
    length: usize,
) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + use<'a>, StoreError> {
    let items = document.root.need("tests")?.items()?.into_iter().enumerate();
    let mut reader = Reader::new(document.test, inputs, outputs, length);
    Ok(items.map(move |(index, item)| reader.read_test(item, index)))
}

/// Complains unless the inputs of the suite are the declared ones.
fn compare(
    inputs: &[Variable],
    items: &[Json<'_>],
    list: Json<'_>,
    declared: &[Variable],
) -> Result<(), StoreError> {
    compare_listed(inputs, items, declared, "input")?;
    let listed: HashSet<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    let missing = declared.iter().find(|variable| !listed.contains(variable.name.as_str()));
    missing.map_or(Ok(()), |variable| {
        let name = quoted(&variable.name);
        Err(list.invalid(format!("the input {name} of the program is not listed")))
    })
}

/// Complains about variables that are not declared so.
fn compare_listed(
    variables: &[Variable],
    items: &[Json<'_>],
    declared: &[Variable],
    what: &str,
) -> Result<(), StoreError> {
    let by_name: HashMap<&str, &Variable> =
        declared.iter().map(|variable| (variable.name.as_str(), variable)).collect();
    for (Variable { name, kind }, item) in variables.iter().zip(items) {
        let quoted = quoted(name);
        match by_name.get(name.as_str()) {
            None => return Err(item.invalid(format!("the program has no {what} {quoted}"))),
            Some(variable) if variable.kind != *kind => {
                let declared = &variable.kind;
                return Err(item.invalid(format!(
                    "{what} {quoted} has type {declared}, but the suite says {kind}"
                )));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Variables that a step may give values to.
struct Group<'a> {
    what: &'static str,
    kinds: Vec<Kind<'a>>,
    positions: HashMap<&'a str, usize>,
}

impl<'a> Group<'a> {
    fn new(what: &'static str, variables: &'a [Variable]) -> Self {
        let numbered = variables.iter().enumerate();
        Self {
            what,
            kinds: variables.iter().map(|variable| Kind::new(&variable.kind)).collect(),
            positions: numbered.map(|(at, variable)| (variable.name.as_str(), at)).collect(),
        }
    }

    fn read_step(&self, json: Json<'_>, test: &str) -> Result<Step, StoreError> {
        let mut step: Step = vec![None; self.kinds.len()];
        let what = self.what;
        for entry in json.entries()? {
            let Some(&at) = self.positions.get(entry.name.as_ref()) else {
                let (test, name) = (quoted(test), quoted(&entry.name));
                let reason = format!("test {test}: the suite lists no {what} {name}");
                return Err(entry.key.invalid(reason));
            };
            if step[at].is_some() {
                return Err(twice(&entry));
            }
            let owner = || format!("test {}, {what} {}", quoted(test), quoted(&entry.name));
            step[at] = Some(self.kinds[at].read_json(entry.value, owner)?);
        }
        Ok(step)
    }
}

struct Reader<'a> {
    fields: &'static [&'static str],
    inputs: Group<'a>,
    outputs: Option<Group<'a>>,
    names: DistinctNames<'a>,
    /// How many more values, open ones included, the suite may hold.
    room: usize,
}

impl<'a> Reader<'a> {
    fn new(
        fields: &'static [&'static str],
        inputs: &'a [Variable],
        outputs: Option<&'a [Variable]>,
        length: usize,
    ) -> Self {
        Self {
            fields,
            inputs: Group::new("input", inputs),
            outputs: outputs.map(|outputs| Group::new("output", outputs)),
            names: DistinctNames::new("test"),
            room: length.max(MOST_OPEN_VALUES),
        }
    }

    fn read_test(&mut self, item: Json<'_>, index: usize) -> Result<TestCase, StoreError> {
        let object = item.object(self.fields)?;
        let name = match object.get("name") {
            Some(name) => name.owned_string()?,
            None => TestCase::default_name(index),
        };
        let place = object.get("name").unwrap_or(item);
        self.names.add(&name).map_err(|reason| place.invalid(reason))?;
        let list = object.need("steps")?;
        let items = list.items()?;
        let outputs = self.outputs.as_ref().map_or(0, |outputs| outputs.kinds.len());
        let inputs = self.inputs.kinds.len();
        let room = self.room.checked_sub(items.len().saturating_mul(inputs + outputs));
        self.room = room.ok_or_else(|| {
            let steps = items.len();
            list.invalid(format!("{steps} more steps of {inputs} inputs are too many to hold"))
        })?;
        let steps = items.into_iter().map(|step| self.inputs.read_step(step, &name));
        let mut steps = steps.collect::<Result<Vec<Step>, _>>()?;
        if let Some(outputs) = &self.outputs {
            read_outputs(outputs, &object, &name, &mut steps)?;
        }
        Ok(TestCase { name, steps })
    }
}

/// Adds to each step what is expected of the outputs.
fn read_outputs(
    outputs: &Group<'_>,
    test: &Object<'_>,
    name: &str,
    steps: &mut [Step],
) -> Result<(), StoreError> {
    let mut expected = test.list("outputs")?.into_iter();
    for step in steps {
        match expected.next() {
            Some(json) => step.extend(outputs.read_step(json, name)?),
            None => step.resize(step.len() + outputs.kinds.len(), None),
        }
    }
    expected.next().map_or(Ok(()), |json| {
        Err(json.invalid(format!("test {} has no step for these outputs", quoted(name))))
    })
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
    /// The inputs and then the outputs.
    variables: &'a [Variable],
    inputs: usize,
    kinds: Vec<Kind<'a>>,
    names: DistinctNames<'a>,
    /// What stands before the next test, or before the end of the list.
    before: String,
}

/// What separates a test from the one before it.
const SEPARATOR: &str = ",\n    ";

impl<'a> Printer<'a> {
    /// A suite with these inputs.
    pub fn new(inputs: &'a [Variable]) -> Result<Self, StoreError> {
        Self::with_columns(inputs, inputs.len())
    }

    /// A suite for a program: each step has the values of the inputs and then those expected of
    /// the outputs.
    pub fn for_program(signature: &'a Signature) -> Result<Self, StoreError> {
        Self::with_columns(signature.variables(), signature.inputs().len())
    }

    fn with_columns(variables: &'a [Variable], inputs: usize) -> Result<Self, StoreError> {
        let printed = variables::print(&variables[..inputs], "input")?;
        let mut start = document::start(FORMAT).with_line(2, "inputs", printed);
        if inputs < variables.len() {
            start =
                start.with_line(2, "outputs", variables::print(&variables[inputs..], "output")?);
        }
        Ok(Self {
            variables,
            inputs,
            kinds: variables.iter().map(|variable| Kind::new(&variable.kind)).collect(),
            names: DistinctNames::new("test"),
            before: start.with_line(2, "tests", "[\n    ").leave_open(),
        })
    }

    /// The next test, with what stands before it.
    pub fn print(&mut self, test: &TestCase) -> Result<String, StoreError> {
        self.names.add(&test.name).map_err(StoreError::unwritable)?;
        check_steps(test, self.variables.len())?;
        let part = |columns: Range<usize>| {
            let steps = test.steps.iter().map(|step| self.print_step(test, step, columns.clone()));
            Ok::<_, StoreError>(lines(4, steps.collect::<Result<Vec<_>, _>>()?))
        };
        let all = self.variables.len();
        let mut fields = Fields::new().with_text("name", &test.name);
        fields = fields.with("steps", part(0..self.inputs)?);
        if test.steps.iter().any(|step| step[self.inputs..].iter().any(Option::is_some)) {
            fields = fields.with("outputs", part(self.inputs..all)?);
        }
        Ok(std::mem::replace(&mut self.before, SEPARATOR.to_owned()) + &fields.close())
    }

    fn print_step(
        &self,
        test: &TestCase,
        step: &Step,
        columns: Range<usize>,
    ) -> Result<String, StoreError> {
        let mut fields = Fields::new();
        for column in columns {
            let Some(value) = &step[column] else { continue };
            let name = &self.variables[column].name;
            let json = self.kinds[column].print_json(value).map_err(|reason| {
                let what = if column < self.inputs { "input" } else { "output" };
                let (test, name) = (quoted(&test.name), quoted(name));
                StoreError::unwritable(format!("test {test}, {what} {name}: {reason}"))
            })?;
            fields = fields.with(name, json);
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
