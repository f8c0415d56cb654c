//! A table as a C program: a header with the interface to bind, and a file with the tests and a `main`.

use obligato_model::Signedness;

use super::{Cell, CellKind, Column, Layout, Row};
use crate::ExportedFile;
use crate::text::{comment, expression, needs_bits, remark, string};
use crate::unit::CValue;

/// The header and the program.
pub fn write(layout: &Layout<'_>, base: &str) -> Vec<ExportedFile> {
    let header = format!("{base}_table.h");
    vec![
        ExportedFile::of_text(header.as_str(), interface(layout)),
        ExportedFile::of_text(format!("{base}_table.c"), program(layout, &header)),
    ]
}

fn interface(layout: &Layout<'_>) -> String {
    let Layout { table, node, .. } = layout;
    let guard = format!("OBLIGATO_{}_TABLE_H", node.to_uppercase());
    let mut text = String::new();
    let (name, file) = (comment(&table.node), comment(&table.file));
    line!(
        text,
        "/* How tests of node {name} in {file} drive an implementation; written by obligato."
    );
    line!(
        text,
        " * Define the two functions at the end for yours, and link them with the tests. */"
    );
    line!(text, "#ifndef {guard}\n#define {guard}\n\n#include <stdbool.h>\n#include <stdint.h>\n");
    line!(text, "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n");
    for one in &layout.enumerations {
        line!(text, "enum {} {{ {} }};", one.kind, one.constants.join(", "));
    }
    for (title, columns) in [("inputs", &layout.inputs), ("outputs", &layout.outputs)] {
        line!(text, "\nstruct {node}_{title} {{");
        for column in columns {
            let kind = kind(layout, column.kind);
            line!(text, "    {kind} {}; /* {} */", column.field, comment(column.name));
        }
        if columns.is_empty() {
            line!(text, "    char nothing;");
        }
        line!(text, "}};");
    }
    line!(text, "\n/* Back to the initial state, before every test. */");
    line!(text, "void {node}_reset(void);");
    line!(text, "/* One step. */");
    line!(
        text,
        "void {node}_step(const struct {node}_inputs *inputs, struct {node}_outputs *outputs);"
    );
    line!(text, "\n#ifdef __cplusplus\n}}\n#endif\n\n#endif");
    text
}

fn program(layout: &Layout<'_>, header: &str) -> String {
    let Layout { table, node, outputs, .. } = layout;
    let mut text = String::new();
    let (name, file) = (comment(&table.node), comment(&table.file));
    line!(
        text,
        "/* Tests of node {name} in {file}, written by obligato. What is expected is what the"
    );
    line!(text, " * model did: a characterisation, to be reviewed.");
    line!(text, " *\n *   cc THIS_FILE YOUR_BINDING.c -lm\n */");
    line!(
        text,
        "#include \"{header}\"\n\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n"
    );
    line!(text, "/* How far a real may be from what the model has, beside what is expected. */");
    line!(text, "#ifndef TOLERANCE\n#define TOLERANCE 1e-9\n#endif\n");
    line!(text, "struct row {{");
    line!(text, "    struct {node}_inputs inputs;");
    line!(text, "    struct {node}_outputs expected;");
    line!(text, "    unsigned char is_expected[{}]; /* by output */", outputs.len().max(1));
    line!(text, "}};");
    for (test, rows) in layout.rows.iter().enumerate() {
        line!(text, "\n/* {} */", comment(&table.tests[test].name));
        line!(text, "static const struct row rows_{}[] = {{", test + 1);
        for row in rows {
            line!(text, "    {},", row_text(layout, row));
        }
        if rows.is_empty() {
            line!(text, "    {{ {{ 0 }}, {{ 0 }}, {{ 0 }} }}");
        }
        line!(text, "}};");
    }
    write_tests(&mut text, layout);
    write_helpers(&mut text);
    write_comparison(&mut text, layout);
    text.push_str(&MAIN.replace("NODE", node));
    text
}

fn write_tests(text: &mut String, layout: &Layout<'_>) {
    line!(
        text,
        "\nstatic const struct {{ const char *name; const struct row *rows; unsigned long count; }} tests[] = {{"
    );
    for (test, rows) in layout.rows.iter().enumerate() {
        let name = string(&layout.table.tests[test].name);
        line!(text, "    {{ {name}, rows_{}, {} }},", test + 1, rows.len());
    }
    line!(text, "    {{ 0, 0, 0 }}\n}};");
}

fn write_helpers(text: &mut String) {
    text.push_str(
        "\nstatic unsigned long failed;\n
static void differ(const char *test, unsigned long step, const char *name)
{
    printf(\"%s, step %lu: %s is not as expected\\n\", test, step, name);
    failed++;
}

__attribute__((unused)) static int is_near(double found, double expected)
{
    return fabs(found - expected) <= TOLERANCE * (1 + fabs(expected));
}
",
    );
}

fn write_comparison(text: &mut String, layout: &Layout<'_>) {
    let node = &layout.node;
    line!(
        text,
        "\nstatic void compare(const char *test, unsigned long step, const struct row *row, const struct {node}_outputs *found)\n{{"
    );
    line!(text, "    const struct {node}_outputs *expected = &row->expected;");
    line!(text, "    (void)test; (void)step; (void)found; (void)expected;");
    for (index, Column { name, field, kind }) in layout.outputs.iter().enumerate() {
        let same = match kind {
            CellKind::Real => format!("is_near(found->{field}, expected->{field})"),
            CellKind::Float32 | CellKind::Float64 => {
                format!("memcmp(&found->{field}, &expected->{field}, sizeof found->{field}) == 0")
            }
            _ => format!("found->{field} == expected->{field}"),
        };
        let name = string(name);
        line!(text, "    if (row->is_expected[{index}] && !({same})) differ(test, step, {name});");
    }
    line!(text, "}}");
}

const MAIN: &str = r#"
int main(void)
{
    unsigned long test, step, steps = 0;
    for (test = 0; tests[test].name; test++) {
        NODE_reset();
        for (step = 0; step < tests[test].count; step++, steps++) {
            struct NODE_outputs found;
            memset(&found, 0, sizeof found);
            NODE_step(&tests[test].rows[step].inputs, &found);
            compare(tests[test].name, step, &tests[test].rows[step], &found);
        }
    }
    printf("%lu tests, %lu steps, %lu differences\n", test, steps, failed);
    return failed ? 1 : 0;
}
"#;

fn row_text(layout: &Layout<'_>, row: &Row) -> String {
    let given: Vec<String> = row
        .inputs
        .iter()
        .zip(&layout.inputs)
        .map(|(value, column)| cell(layout, value, column))
        .collect();
    let expected: Vec<String> = row
        .outputs
        .iter()
        .zip(&layout.outputs)
        .map(|(value, column)| {
            value.as_ref().map_or("0".to_owned(), |value| cell(layout, value, column))
        })
        .collect();
    let marks: Vec<&str> =
        row.outputs.iter().map(|value| if value.is_some() { "1" } else { "0" }).collect();
    let list = |parts: &[String]| if parts.is_empty() { "0".to_owned() } else { parts.join(", ") };
    let marks = if marks.is_empty() { "0".to_owned() } else { marks.join(", ") };
    format!("{{ {{ {} }}, {{ {} }}, {{ {marks} }} }}", list(&given), list(&expected))
}

fn cell(layout: &Layout<'_>, value: &Cell, column: &Column<'_>) -> String {
    match (value, column.kind) {
        (Cell::Bool(value), _) => value.to_string(),
        (Cell::Integer(value), CellKind::Integer(Signedness::Unsigned, _)) => {
            expression(&CValue::Unsigned(value.cast_unsigned()))
        }
        (Cell::Integer(value), _) => expression(&CValue::Signed(*value)),
        (Cell::Constant(at), CellKind::Enumeration(kind)) => {
            layout.enumerations[kind].constants[*at].clone()
        }
        (Cell::Constant(at), _) => at.to_string(),
        (Cell::Float(value), _) if needs_bits(value) => not_finite(value),
        (Cell::Float(value), _) => expression(value) + &remark(value),
    }
}

/// A constant initialiser that is no finite number.
fn not_finite(value: &CValue) -> String {
    let (is_nan, minus) = match value {
        CValue::Single(bits) => (f32::from_bits(*bits).is_nan(), bits >> 31 == 1),
        CValue::Double(bits) => (f64::from_bits(*bits).is_nan(), bits >> 63 == 1),
        _ => (false, false),
    };
    let sign = if minus { "-" } else { "" };
    format!("{sign}{}", if is_nan { "NAN" } else { "INFINITY" })
}

fn kind(layout: &Layout<'_>, kind: CellKind) -> String {
    match kind {
        CellKind::Bool => "bool".to_owned(),
        CellKind::Integer(Signedness::Signed, bits) => format!("int{bits}_t"),
        CellKind::Integer(Signedness::Unsigned, bits) => format!("uint{bits}_t"),
        CellKind::Real | CellKind::Float64 => "double".to_owned(),
        CellKind::Float32 => "float".to_owned(),
        CellKind::Enumeration(at) => format!("enum {}", layout.enumerations[at].kind),
    }
}
