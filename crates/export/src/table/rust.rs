//! A table as a Rust module: the trait to bind, the tests, and a function that runs them.

use obligato_model::Signedness;

use super::{Cell, CellKind, Column, Layout, Row};
use crate::ExportedFile;
use crate::unit::CValue;

/// The module.
pub fn write(layout: &Layout<'_>, base: &str) -> Vec<ExportedFile> {
    let mut text = String::new();
    let Layout { table, .. } = layout;
    let words = |name: &str| name.escape_debug().to_string();
    line!(
        text,
        "//! Tests of node {} in {}, written by obligato. What is expected",
        words(&table.node),
        words(&table.file)
    );
    line!(text, "//! is what the model did: a characterisation, to be reviewed.");
    line!(
        text,
        "//!\n//! Implement [`Unit`] for yours, and have a test that says `assert_eq!(run(&mut yours), [\"\"; 0])`."
    );
    line!(text, "#![allow(dead_code, non_camel_case_types, clippy::all, clippy::pedantic)]\n");
    for one in &layout.enumerations {
        line!(
            text,
            "#[derive(Clone, Copy, Debug, PartialEq)]\npub enum {} {{ {} }}\n",
            one.kind,
            one.constants.join(", ")
        );
    }
    for (title, columns) in [("Inputs", &layout.inputs), ("Outputs", &layout.outputs)] {
        line!(
            text,
            "/// The {} of a step.\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct {title} {{",
            title.to_lowercase()
        );
        for column in columns {
            line!(
                text,
                "    /// `{}`\n    pub {}: {},",
                words(column.name),
                column.field,
                kind(layout, column.kind)
            );
        }
        line!(text, "}}\n");
    }
    text.push_str(INTERFACE);
    line!(
        text,
        "\n/// What is expected of the outputs of a step; nothing of some.\n#[derive(Clone, Copy, Debug)]\nstruct Expected {{"
    );
    for column in &layout.outputs {
        line!(text, "    {}: Option<{}>,", column.field, kind(layout, column.kind));
    }
    line!(text, "}}\n");
    write_tests(&mut text, layout);
    write_comparison(&mut text, layout);
    vec![ExportedFile::of_text(format!("{base}_table.rs"), text)]
}

const INTERFACE: &str = "\
/// What is tested.
pub trait Unit {
    /// Back to the initial state, before every test.
    fn reset(&mut self);
    /// One step.
    fn step(&mut self, inputs: &Inputs) -> Outputs;
}

/// How far a real may be from what the model has, beside what is expected.
pub const TOLERANCE: f64 = 1e-9;

/// Runs all tests and says what is not as expected.
pub fn run(unit: &mut impl Unit) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, rows) in TESTS {
        unit.reset();
        for (step, (inputs, expected)) in rows.iter().enumerate() {
            let found = unit.step(inputs);
            compare(&found, expected, |output| {
                differences.push(format!(\"{name}, step {step}: {output} is not as expected\"));
            });
        }
    }
    differences
}

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= TOLERANCE * (1.0 + expected.abs())
}
";

fn write_tests(text: &mut String, layout: &Layout<'_>) {
    line!(text, "const TESTS: &[(&str, &[(Inputs, Expected)])] = &[");
    for (test, rows) in layout.table.tests.iter().zip(&layout.rows) {
        line!(text, "    ({:?}, &[", test.name);
        for row in rows {
            line!(text, "        ({}),", row_text(layout, row));
        }
        line!(text, "    ]),");
    }
    line!(text, "];\n");
}

fn write_comparison(text: &mut String, layout: &Layout<'_>) {
    line!(
        text,
        "fn compare(found: &Outputs, expected: &Expected, mut differ: impl FnMut(&str)) {{"
    );
    line!(text, "    let _ = (found, expected, &mut differ);");
    for Column { name, field, kind } in &layout.outputs {
        let same = match kind {
            CellKind::Real => format!("is_near(found.{field}, value)"),
            CellKind::Float32 | CellKind::Float64 => {
                format!("found.{field}.to_bits() == value.to_bits()")
            }
            _ => format!("found.{field} == value"),
        };
        line!(
            text,
            "    if expected.{field}.is_some_and(|value| !({same})) {{\n        differ({name:?});\n    }}"
        );
    }
    line!(text, "}}");
}

fn row_text(layout: &Layout<'_>, row: &Row) -> String {
    let given = row.inputs.iter().zip(&layout.inputs);
    let given =
        given.map(|(value, column)| format!("{}: {}", column.field, cell(layout, value, column)));
    let expected = row.outputs.iter().zip(&layout.outputs);
    let expected = expected.map(|(value, column)| match value {
        Some(value) => format!("{}: Some({})", column.field, cell(layout, value, column)),
        None => format!("{}: None", column.field),
    });
    let join = |parts: Vec<String>| parts.join(", ");
    format!("Inputs {{ {} }}, Expected {{ {} }}", join(given.collect()), join(expected.collect()))
}

fn cell(layout: &Layout<'_>, value: &Cell, column: &Column<'_>) -> String {
    match (value, column.kind) {
        (Cell::Bool(value), _) => value.to_string(),
        (Cell::Integer(value), _) => value.to_string(),
        (Cell::Constant(at), CellKind::Enumeration(kind)) => {
            let one = &layout.enumerations[kind];
            format!("{}::{}", one.kind, one.constants[*at])
        }
        (Cell::Constant(at), _) => at.to_string(),
        (Cell::Float(CValue::Single(bits)), _) => {
            format!("f32::from_bits({bits:#010x}) /* {} */", f32::from_bits(*bits))
        }
        (Cell::Float(CValue::Double(bits)), _) => {
            format!("f64::from_bits({bits:#018x}) /* {} */", f64::from_bits(*bits))
        }
        (Cell::Float(_), _) => "0.0".to_owned(),
    }
}

fn kind(layout: &Layout<'_>, kind: CellKind) -> String {
    match kind {
        CellKind::Bool => "bool".to_owned(),
        CellKind::Integer(Signedness::Signed, bits) => format!("i{bits}"),
        CellKind::Integer(Signedness::Unsigned, bits) => format!("u{bits}"),
        CellKind::Real | CellKind::Float64 => "f64".to_owned(),
        CellKind::Float32 => "f32".to_owned(),
        CellKind::Enumeration(at) => layout.enumerations[at].kind.clone(),
    }
}
