//! What `obligato prove` prints as JSON: an `obligato-properties` document. Nothing reads it back.

use obligato_model::{Limit, Proof, Span, TestCase};

use crate::document;
use crate::error::StoreError;
use crate::json::print::{Fields, lines, quote};
use crate::result::{print_limit, print_proof};
use crate::run::StepPrinter;
use crate::suite::Signature;
use crate::variables;

/// What a properties document calls itself.
pub const FORMAT: &str = "obligato-properties";

/// Properties of a model, and what is known of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProperties<'a> {
    /// Who found it out.
    pub tool: &'a str,
    /// The file.
    pub model: &'a str,
    /// The main node.
    pub main: &'a str,
    /// What each step of a counterexample has values for.
    pub signature: &'a Signature,
    /// Was it stopped before its budget was spent?
    pub stopped: bool,
    /// The properties.
    pub properties: Vec<StoredProperty<'a>>,
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProperty<'a> {
    /// What the model calls it, or its text.
    pub name: &'a str,
    /// `property`, `division-by-zero`, `subrange` or `index`.
    pub kind: &'static str,
    /// The call of a node whose property it is.
    pub instance: &'a str,
    /// Where the model states it.
    pub span: Span,
    /// What is known of it.
    pub outcome: PropertyOutcome<'a>,
}

/// What is known of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyOutcome<'a> {
    /// It holds in every step of every run.
    Valid(&'a Proof),
    /// The last step of this test violates it.
    Invalid {
        /// The test.
        test: &'a TestCase,
        /// Is it proved that no shorter one does?
        shortest: bool,
        /// First values that nothing defines and that the test needs, by name; a replay takes 0 or false for them.
        undefined: Vec<(&'a str, String)>,
    },
    /// Neither is known.
    Unknown(&'a Limit),
}

/// Prints a properties document.
pub fn print(document: &StoredProperties<'_>) -> Result<String, StoreError> {
    let StoredProperties { tool, model, main, signature, stopped, properties } = document;
    let steps = StepPrinter::new(signature);
    let properties =
        properties.iter().map(|one| print_property(one, &steps)).collect::<Result<Vec<_>, _>>()?;
    Ok(document::start(FORMAT)
        .with_line(2, "tool", quote(tool))
        .with_line(2, "model", quote(model))
        .with_line(2, "main", quote(main))
        .with_line(2, "stopped", stopped)
        .with_line(2, "inputs", variables::print(signature.inputs(), "input")?)
        .with_line(2, "outputs", variables::print(signature.outputs(), "output")?)
        .with_line(2, "properties", lines(2, properties))
        .close_line())
}

fn print_property(
    property: &StoredProperty<'_>,
    steps: &StepPrinter<'_>,
) -> Result<String, StoreError> {
    let StoredProperty { name, kind, instance, span, outcome } = property;
    let fields = Fields::new()
        .with_text("name", name)
        .with_text("kind", kind)
        .with_text("instance", instance)
        .with_text("span", span);
    Ok(match outcome {
        PropertyOutcome::Valid(proof) => {
            print_proof(fields.with_text("verdict", "valid"), proof).close()
        }
        PropertyOutcome::Unknown(limit) => {
            print_limit(fields.with_text("verdict", "unknown"), limit).close()
        }
        PropertyOutcome::Invalid { test, shortest, undefined } => {
            let (inputs, outputs) = steps.print(test, 5)?;
            let mut fields = fields.with_text("verdict", "invalid").with("shortest", shortest);
            if !undefined.is_empty() {
                let each = undefined
                    .iter()
                    .map(|(name, value)| format!("{}: {}", quote(name), quote(value)));
                let each: Vec<String> = each.collect();
                fields = fields.with("undefined", format!("{{{}}}", each.join(", ")));
            }
            fields.with_line(5, "steps", inputs).with_line(5, "outputs", outputs).close()
        }
    })
}
