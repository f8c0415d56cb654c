//! Tests of a Lustre model as a table of inputs and expected outputs, for an implementation that has a step.
//!
//! [`c`] and [`rust`] write the table as a program. Whoever has an implementation binds it: a reset, and a step from inputs to
//! outputs.

use obligato_model::{Signedness, Type, Value};

use crate::ExportedFile;
use crate::text::{Identifiers, identifier};
use crate::unit::CValue;

mod c;
mod rust;

/// Tests of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The file of the model.
    pub file: String,
    /// The node.
    pub node: String,
    /// What tests set: names and types.
    pub inputs: Vec<(String, Type)>,
    /// What tests see.
    pub outputs: Vec<(String, Type)>,
    /// The tests.
    pub tests: Vec<TableTest>,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableTest {
    /// Its name.
    pub name: String,
    /// Per step, the values of the inputs, and of the outputs as far as something is expected of them.
    pub steps: Vec<(Vec<Value>, Vec<Option<Value>>)>,
}

/// A language to write a table in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableLanguage {
    /// C.
    C,
    /// Rust.
    Rust,
}

/// Why a table cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// A number that no machine integer holds.
    #[error("test '{test}', step {step}: {name} is {value}, which no number of 64 bits holds")]
    TooLarge {
        /// The test.
        test: String,
        /// The step, from 0.
        step: usize,
        /// The variable.
        name: String,
        /// Its value.
        value: String,
    },
}

/// The files; the first part of their names is `base`.
pub fn write(
    table: &Table,
    language: TableLanguage,
    base: &str,
) -> Result<Vec<ExportedFile>, TableError> {
    let layout = Layout::new(table)?;
    Ok(match language {
        TableLanguage::C => c::write(&layout, base),
        TableLanguage::Rust => rust::write(&layout, base),
    })
}

/// A table with names and values that programs can have.
struct Layout<'a> {
    table: &'a Table,
    node: String,
    enumerations: Vec<Enumeration<'a>>,
    inputs: Vec<Column<'a>>,
    outputs: Vec<Column<'a>>,
    /// Per test and step, the values.
    rows: Vec<Vec<Row>>,
}

struct Row {
    inputs: Vec<Cell>,
    outputs: Vec<Option<Cell>>,
}

/// An enumeration of the model.
struct Enumeration<'a> {
    /// Its names in the model.
    names: &'a [String],
    /// What programs call the type.
    kind: String,
    /// What programs call its constants.
    constants: Vec<String>,
}

/// A variable.
struct Column<'a> {
    /// Its name in the model.
    name: &'a str,
    /// What programs call it.
    field: String,
    kind: CellKind,
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellKind {
    Bool,
    Integer(Signedness, u32),
    /// A number of the model that machines only come near to.
    Real,
    Float32,
    Float64,
    /// An enumeration, by its position.
    Enumeration(usize),
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    Bool(bool),
    Integer(i128),
    Float(CValue),
    /// A constant of an enumeration, by its position.
    Constant(usize),
}

impl<'a> Layout<'a> {
    fn new(table: &'a Table) -> Result<Self, TableError> {
        let node = safe(&identifier(&table.node));
        let mut names = Identifiers::default();
        let mut enumerations: Vec<Enumeration<'a>> = Vec::new();
        for (_, kind) in table.inputs.iter().chain(&table.outputs) {
            let Type::Enumeration(known) = kind else { continue };
            if enumerations.iter().any(|one| one.names == known.as_slice()) {
                continue;
            }
            let kind = names.take(&node, &format!("enum {}", enumerations.len() + 1));
            let constants = known.iter().map(|name| names.take(&node, name)).collect();
            enumerations.push(Enumeration { names: known, kind, constants });
        }
        let columns = |variables: &'a [(String, Type)]| {
            let mut fields = Identifiers::default();
            let column = |(name, kind): &'a (String, Type)| Column {
                name,
                field: fields.take("", &safe(&identifier(name))),
                kind: kind_of(kind, &enumerations),
            };
            variables.iter().map(column).collect::<Vec<_>>()
        };
        let (inputs, outputs) = (columns(&table.inputs), columns(&table.outputs));
        let mut rows = Vec::new();
        for test in &table.tests {
            let mut steps = Vec::new();
            for (step, (given, expected)) in test.steps.iter().enumerate() {
                let cell = |column: &Column<'_>, value: &Value| {
                    cell_of(column.kind, value, &enumerations).ok_or_else(|| TableError::TooLarge {
                        test: test.name.clone(),
                        step,
                        name: column.name.to_owned(),
                        value: value.to_string(),
                    })
                };
                let given = inputs.iter().zip(given).map(|(column, value)| cell(column, value));
                let expected = outputs.iter().zip(expected).map(|(column, value)| {
                    value.as_ref().map(|value| cell(column, value)).transpose()
                });
                let inputs = given.collect::<Result<_, _>>()?;
                steps.push(Row { inputs, outputs: expected.collect::<Result<_, _>>()? });
            }
            rows.push(steps);
        }
        Ok(Self { table, node, enumerations, inputs, outputs, rows })
    }
}

fn kind_of(kind: &Type, enumerations: &[Enumeration<'_>]) -> CellKind {
    match kind {
        Type::Bool => CellKind::Bool,
        Type::Int | Type::Subrange(..) | Type::OpenEnumeration(_) => {
            CellKind::Integer(Signedness::Signed, 64)
        }
        Type::Machine(signedness, bits) => {
            let width = [8, 16, 32, 64].into_iter().find(|width| bits <= width).unwrap_or(64);
            CellKind::Integer(*signedness, width)
        }
        Type::Real => CellKind::Real,
        Type::Float32 => CellKind::Float32,
        Type::Float64 => CellKind::Float64,
        Type::Enumeration(names) => {
            let known = enumerations.iter().position(|one| one.names == names.as_slice());
            CellKind::Enumeration(known.expect("invariant: every enumeration was listed"))
        }
    }
}

/// The value as programs have it; none if they cannot.
fn cell_of(kind: CellKind, value: &Value, enumerations: &[Enumeration<'_>]) -> Option<Cell> {
    Some(match (value, kind) {
        (Value::Bool(value), _) => Cell::Bool(*value),
        (Value::Int(value), CellKind::Integer(Signedness::Unsigned, _)) => {
            Cell::Integer(u64::try_from(value).ok()?.into())
        }
        (Value::Int(value), _) => Cell::Integer(i64::try_from(value).ok()?.into()),
        (Value::Real(value), _) => Cell::Float(CValue::Double(value.to_f64().value().to_bits())),
        (Value::Float32(bits), _) => Cell::Float(CValue::Single(*bits)),
        (Value::Float64(bits), _) => Cell::Float(CValue::Double(*bits)),
        (Value::Symbol(name), CellKind::Enumeration(at)) => {
            Cell::Constant(enumerations[at].names.iter().position(|known| known == name)?)
        }
        (Value::Symbol(_), _) => return None,
    })
}

/// Words that mean something else in C, C++ or Rust.
const RESERVED: [&str; 62] = [
    "abstract", "alignas", "as", "asm", "async", "auto", "await", "bool", "break", "case", "char",
    "class", "const", "continue", "crate", "default", "delete", "do", "double", "dyn", "else",
    "enum", "extern", "false", "float", "fn", "for", "goto", "if", "impl", "in", "inline", "int",
    "let", "long", "loop", "match", "mod", "move", "mut", "new", "pub", "ref", "register",
    "return", "self", "short", "signed", "sizeof", "static", "struct", "super", "switch", "trait",
    "true", "type", "typedef", "union", "unsafe", "use", "while", "yield",
];

/// A name that is no word of a language.
fn safe(name: &str) -> String {
    if RESERVED.contains(&name) { format!("{name}_value") } else { name.to_owned() }
}
