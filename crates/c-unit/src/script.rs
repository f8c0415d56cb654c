//! From the values of a test to what is written into memory before each step, and back from
//! memory to the values that a test sees ([`Held`]).

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use obligato_model::{Integer, Suite, TestCase, Type, Value};

use crate::interface::{Cell, Form, Interface, ObjectIndex, Pointee};

mod held;

pub(crate) use held::is_at;
pub use held::{Held, value_of, value_of_bits, visible_objects};

/// What is written before a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// For the input at this position, unless it says whether a step gives one,
    pub input: Option<usize>,
    /// into this object,
    pub object: ObjectIndex,
    /// so many bits from its start,
    pub offset: u64,
    /// this.
    pub content: Content,
}

impl Write {
    /// Of the bytes that it touches, those that it sets as a whole.
    pub fn whole_bytes(&self) -> Range<usize> {
        let count = match &self.content {
            Content::Bits { count, .. } => u64::from(*count),
            Content::Pointer(_) => 64,
        };
        let first = self.offset % 8;
        let start = first.div_ceil(8);
        start as usize..((first + count) / 8).max(start) as usize
    }
}

/// What can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The lowest bits of a number.
    Bits {
        /// How many.
        count: u32,
        /// The number.
        value: u128,
    },
    /// A pointer, at a whole byte.
    Pointer(Pointee),
}

/// A suite that does not fit the function it is for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// A column that the function does not have.
    #[error("the function has no input '{name}'; it has {known}")]
    UnknownInput {
        /// The column.
        name: String,
        /// Some of those that it has.
        known: String,
    },
    /// A value that its input cannot have.
    #[error("test '{test}', step {step}: {value} is no value of '{name}'")]
    WrongValue {
        /// The test.
        test: String,
        /// The step, from 1.
        step: usize,
        /// The column.
        name: String,
        /// What was given.
        value: String,
    },
    /// A constant that changes from step to step.
    #[error("test '{test}', step {step}: '{name}' is constant, and had another value before")]
    ChangedConstant {
        /// The test.
        test: String,
        /// The step, from 1.
        step: usize,
        /// The column.
        name: String,
    },
    /// Values that do not satisfy what the settings say of them.
    #[error("test '{test}', step {step}: the precondition `{precondition}` does not hold")]
    Excluded {
        /// The test.
        test: String,
        /// The step, from 1.
        step: usize,
        /// What does not hold.
        precondition: String,
    },
}

/// The columns of a suite, found among the inputs of a function.
#[derive(Clone, Debug)]
pub struct Columns(Vec<usize>);

/// At most so many inputs are listed in a message.
const MOST_LISTED: usize = 10;

impl Columns {
    /// Finds them.
    pub fn new(interface: &Interface, suite: &Suite) -> Result<Self, SuiteError> {
        let inputs = interface.inputs.iter().enumerate();
        let places: HashMap<&str, usize> =
            inputs.map(|(index, cell)| (cell.name.as_str(), index)).collect();
        let find = |name: &str| {
            places.get(name).copied().ok_or_else(|| SuiteError::UnknownInput {
                name: name.to_owned(),
                known: listed(interface),
            })
        };
        suite.inputs.iter().map(|input| find(&input.name)).collect::<Result<_, _>>().map(Self)
    }

    /// Per column, its place among the inputs of the function.
    pub(crate) fn places(&self) -> &[usize] {
        &self.0
    }

    /// What is written before each step of a test.
    pub fn script(
        &self,
        interface: &Interface,
        test: &TestCase,
    ) -> Result<Vec<Vec<Write>>, SuiteError> {
        let mut steps = Vec::with_capacity(test.steps.len());
        for (number, step) in test.steps.iter().enumerate() {
            let mut values: Vec<Option<&Value>> = vec![None; interface.inputs.len()];
            for (column, value) in self.0.iter().zip(step) {
                values[*column] = value.as_ref();
            }
            if let Some(changed) = self.changed_constant(interface, test, number) {
                let (test, step) = (test.name.clone(), number + 1);
                return Err(SuiteError::ChangedConstant { test, step, name: changed.clone() });
            }
            let broken = interface
                .preconditions
                .iter()
                .find(|precondition| precondition.holds(&interface.inputs, &values) == Some(false));
            if let Some(precondition) = broken {
                return Err(SuiteError::Excluded {
                    test: test.name.clone(),
                    step: number + 1,
                    precondition: precondition.text.clone(),
                });
            }
            let writes = write_values(interface, &values).map_err(|(cell, value)| {
                SuiteError::WrongValue {
                    test: test.name.clone(),
                    step: number + 1,
                    name: cell.name.clone(),
                    value: value.to_string(),
                }
            })?;
            steps.push(writes);
        }
        Ok(steps)
    }

    /// A constant that has another value in a step than in an earlier one.
    fn changed_constant<'i>(
        &self,
        interface: &'i Interface,
        test: &TestCase,
        step: usize,
    ) -> Option<&'i String> {
        if step == 0 || interface.unknown.iter().all(|one| !one.is_constant) {
            return None;
        }
        let changes = |at: usize| {
            let given = |step: &obligato_model::Step| step.get(at).cloned().flatten();
            let value = given(&test.steps[step]);
            let earlier = test.steps[..step].iter().find_map(given);
            value.is_some() && value != earlier
        };
        let columns = self.0.iter().enumerate();
        let cells = columns.map(|(at, input)| (at, &interface.inputs[*input]));
        let mut constants = cells.filter(|(_, cell)| interface.is_constant(cell));
        constants.find(|(at, _)| changes(*at)).map(|(_, cell)| &cell.name)
    }
}

fn listed(interface: &Interface) -> String {
    let names = interface.inputs.iter().take(MOST_LISTED);
    let mut names: Vec<String> = names.map(|cell| format!("'{}'", cell.name)).collect();
    if interface.inputs.len() > MOST_LISTED {
        names.push(format!("and {} more", interface.inputs.len() - MOST_LISTED));
    }
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// What is written before a step. A pointer that is left open is `new` if something behind it is given, unless a step may do
/// without it; of what a step may do without, it is written whether it is given.
pub(crate) fn write_values<'a>(
    interface: &'a Interface,
    values: &[Option<&'a Value>],
) -> Result<Vec<Write>, (&'a Cell, &'a Value)> {
    let mut writes = Vec::new();
    let mut given = vec![false; interface.objects.len()];
    // A value for a read of a volatile object is one for the object.
    let mut homes: Vec<usize> = (0..interface.objects.len()).collect();
    for stretch in &interface.volatile {
        for read in &stretch.reads {
            homes[read.0] = stretch.object.0;
        }
    }
    let mut optional: BTreeMap<(ObjectIndex, u64), bool> = BTreeMap::new();
    // What is behind a pointer is listed after it.
    for (input, (cell, value)) in interface.inputs.iter().zip(values).enumerate().rev() {
        let content = match value {
            Some(value) => Some(content(cell, value).ok_or((cell, *value))?),
            None => implied(cell, &given).filter(|_| cell.given.is_none()),
        };
        if let Some(byte) = cell.given {
            *optional.entry((cell.object, byte)).or_default() |= content.is_some();
        }
        let Some(content) = content else { continue };
        given[homes[cell.object.0]] = true;
        writes.push(Write {
            input: Some(input),
            object: cell.object,
            offset: cell.offset,
            content,
        });
    }
    for ((object, byte), is_given) in optional {
        let content = Content::Bits { count: 8, value: is_given.into() };
        writes.push(Write { input: None, object, offset: 8 * byte, content });
    }
    writes.reverse();
    Ok(writes)
}

fn implied(cell: &Cell, given: &[bool]) -> Option<Content> {
    let Form::Pointer(targets) = &cell.form else { return None };
    let object = cell.form.new_object()?;
    let may_be_null = targets.iter().any(|target| target.to == Pointee::Null);
    let is_implied = given[object.0] || !may_be_null;
    is_implied.then_some(Content::Pointer(Pointee::Object(object)))
}

/// What a value is in memory; none if the cell cannot hold it.
pub(crate) fn content(cell: &Cell, value: &Value) -> Option<Content> {
    let count = cell.form.bits();
    let value = match (&cell.form, value) {
        (Form::Bool(_), Value::Bool(value)) => u128::from(*value),
        (Form::Integer(..) | Form::Enumeration(..), Value::Int(value)) => {
            if !is_within(&cell.form.kind(), value) {
                return None;
            }
            bits_of(value)?
        }
        (Form::Enumeration(names, ..), Value::Symbol(name)) => {
            names.iter().find(|(known, _)| known == name)?.1.cast_unsigned()
        }
        (Form::Float32, Value::Float32(bits)) => u128::from(*bits),
        (Form::Float64, Value::Float64(bits)) => u128::from(*bits),
        (Form::Pointer(targets), Value::Symbol(name)) => {
            let target = targets.iter().find(|target| target.name == *name)?;
            return Some(Content::Pointer(target.to.clone()));
        }
        _ => return None,
    };
    Some(Content::Bits { count, value })
}

fn is_within(kind: &Type, value: &Integer) -> bool {
    kind.bounds().is_some_and(|(low, high)| (&low..=&high).contains(&value))
}

fn bits_of(value: &Integer) -> Option<u128> {
    let signed = i128::try_from(value).map(i128::cast_unsigned);
    signed.or_else(|_| u128::try_from(value)).ok()
}

#[cfg(test)]
mod tests;
