//! What `obligato run` prints as JSON: an `obligato-run` document.
//!
//! It is a suite with the outputs that were found, and with what went wrong. So it can be read
//! as a suite ([`crate::suite`]), which then expects what was found.

use obligato_model::{Span, Step, TestCase, Value, Variable};

use crate::document;
use crate::error::{StoreError, quoted};
use crate::json::print::{Fields, lines, quote};
use crate::suite::Signature;
use crate::value::{Kind, text_of};
use crate::variables::{self, DistinctNames};

/// What a run document calls itself.
pub const FORMAT: &str = "obligato-run";

/// What went wrong in one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The first failure of each check.
    pub failures: Vec<StoredFailure>,
    /// Where an output is not what the suite expects.
    pub differences: Vec<Difference>,
    /// The step in which the test was given up because a value exceeded the size limit.
    pub exhausted: Option<usize>,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFailure {
    /// The step, counted from 0.
    pub step: usize,
    /// Of a model `assertion`, `property`, `division-by-zero`, `subrange` or `index`; of a C function, how the test
    /// ended early: `fault`, `limit`, `unsupported` or `exit`.
    pub kind: &'static str,
    /// The instance whose check it is, or the function it happened in.
    pub instance: String,
    /// What should have held.
    pub text: String,
    /// Where the model says so.
    pub span: Span,
}

/// An output that is not what the suite expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The step, counted from 0.
    pub step: usize,
    /// The output, by its position in the signature's outputs.
    pub output: usize,
    /// What the suite expects.
    pub expected: Value,
    /// What the program gives; none if the test ended before it did.
    pub found: Option<Value>,
}

/// Prints a run test by test; the pieces make the document.
pub struct Printer<'a> {
    signature: &'a Signature,
    steps: StepPrinter<'a>,
    names: DistinctNames<'static>,
    /// What stands before the next test, or before the end of the list.
    before: String,
}

const SEPARATOR: &str = ",\n    ";

impl<'a> Printer<'a> {
    /// A run of the node `main` in the file `model`.
    pub fn new(model: &str, main: &str, signature: &'a Signature) -> Result<Self, StoreError> {
        let start = document::start(FORMAT)
            .with_line(2, "model", quote(model))
            .with_line(2, "main", quote(main))
            .with_line(2, "inputs", variables::print(signature.inputs(), "input")?)
            .with_line(2, "outputs", variables::print(signature.outputs(), "output")?);
        Ok(Self {
            signature,
            steps: StepPrinter::new(signature),
            names: DistinctNames::new("test"),
            before: start.with_line(2, "tests", "[\n    ").leave_open(),
        })
    }

    /// The next test, each step with inputs and outputs.
    pub fn print(&mut self, test: &TestCase, found: &Findings) -> Result<String, StoreError> {
        self.names.add(&test.name).map_err(StoreError::unwritable)?;
        let (inputs, outputs) = self.steps.print(test, 5)?;
        let mut fields = Fields::new()
            .with_text("name", &test.name)
            .with_line(5, "steps", inputs)
            .with_line(5, "outputs", outputs);
        if !found.failures.is_empty() {
            fields = fields.with_line(5, "failures", lines(5, found.failures.iter().map(failure)));
        }
        if !found.differences.is_empty() {
            let differences = found.differences.iter().map(|one| self.print_difference(one));
            let differences = differences.collect::<Result<Vec<_>, _>>();
            let differences = differences.map_err(StoreError::unwritable)?;
            fields = fields.with_line(5, "differences", lines(5, differences));
        }
        if let Some(step) = found.exhausted {
            fields = fields.with_line(5, "exhausted", step);
        }
        Ok(std::mem::replace(&mut self.before, SEPARATOR.to_owned()) + &fields.close())
    }

    /// The rest of the document.
    pub fn finish(self) -> String {
        match self.before.as_str() {
            SEPARATOR => "\n  ]\n}\n".to_owned(),
            // No test came.
            start => format!("{}]\n}}\n", start.trim_end()),
        }
    }

    fn print_difference(&self, difference: &Difference) -> Result<String, String> {
        let Difference { step, output, expected, found } = difference;
        let kind = &self.steps.kinds[self.signature.inputs().len() + output];
        let fields = Fields::new()
            .with("step", step)
            .with_text("output", &self.signature.outputs()[*output].name)
            .with("expected", kind.print_json(expected)?);
        let Some(found) = found else { return Ok(fields.close()) };
        // What a faulty model gives need not be of its type.
        let found = kind.print_json(found).unwrap_or_else(|_| quote(&text_of(found)));
        Ok(fields.with("found", found).close())
    }
}

/// Prints the steps of tests with inputs and outputs.
pub(crate) struct StepPrinter<'a> {
    signature: &'a Signature,
    kinds: Vec<Kind<'a>>,
}

impl<'a> StepPrinter<'a> {
    /// For tests whose steps have values for this signature.
    pub fn new(signature: &'a Signature) -> Self {
        let kinds = signature.variables().iter().map(|variable| Kind::new(&variable.kind));
        Self { signature, kinds: kinds.collect() }
    }

    /// The inputs of each step, and the outputs of each: two lists, so deep.
    pub fn print(&self, test: &TestCase, indent: usize) -> Result<(String, String), StoreError> {
        let inputs = self.signature.inputs().len();
        let part = |from: usize, to: usize| {
            let steps = test.steps.iter().map(|step| self.print_step(test, step, from, to));
            Ok::<_, StoreError>(lines(indent, steps.collect::<Result<Vec<_>, _>>()?))
        };
        Ok((part(0, inputs)?, part(inputs, self.kinds.len())?))
    }

    fn print_step(
        &self,
        test: &TestCase,
        step: &Step,
        from: usize,
        to: usize,
    ) -> Result<String, StoreError> {
        let variables = &self.signature.variables()[from..to];
        let values = step[from..to].iter().zip(&self.kinds[from..to]);
        let mut fields = Fields::new();
        for ((value, kind), Variable { name, .. }) in values.zip(variables) {
            let Some(value) = value else { continue };
            let json = kind.print_json(value).map_err(|reason| {
                let (test, name) = (quoted(&test.name), quoted(name));
                StoreError::unwritable(format!("test {test}, {name}: {reason}"))
            })?;
            fields = fields.with(name, json);
        }
        Ok(fields.close())
    }
}

fn failure(failure: &StoredFailure) -> String {
    let StoredFailure { step, kind, instance, text, span } = failure;
    Fields::new()
        .with("step", step)
        .with_text("kind", kind)
        .with_text("instance", instance)
        .with_text("text", text)
        .with_text("span", span)
        .close()
}
