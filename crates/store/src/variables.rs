//! Lists of inputs and outputs, and of names: what suites, programs and
//! recordings share.

use std::collections::HashSet;

use obligato_model::{Type, Variable};

use crate::error::{StoreError, quoted};
use crate::json::Json;
use crate::json::print::{Fields, lines};

/// Reads `[{"name": …, "type": …}, …]`; `what` they are is for messages.
pub fn read(items: Vec<Json<'_>>, what: &str) -> Result<Vec<Variable>, StoreError> {
    let mut names = DistinctNames::new(what);
    let mut variables = Vec::with_capacity(items.len());
    for item in items {
        let object = item.object(&["name", "type"])?;
        let name_field = object.need("name")?;
        let name = name_field.owned_string()?;
        let kind_field = object.need("type")?;
        let text = kind_field.string()?;
        let kind = text
            .parse()
            .map_err(|error| kind_field.invalid(format!("{what} {}: {error}", quoted(&name))))?;
        names.add(&name).map_err(|reason| name_field.invalid(reason))?;
        variables.push(Variable { name, kind });
    }
    Ok(variables)
}

/// Prints what [`read`] reads.
pub fn print(variables: &[Variable], what: &str) -> Result<String, StoreError> {
    check(variables, what)?;
    for Variable { name, kind } in variables {
        if kind.to_string().parse::<Type>().as_ref() != Ok(kind) {
            return Err(StoreError::unwritable(format!(
                "{what} {}: its type cannot be written so that it reads back",
                quoted(name)
            )));
        }
    }
    let print_one = |Variable { name, kind }: &Variable| {
        Fields::new().with_text("name", name).with_text("type", kind).close()
    };
    Ok(lines(2, variables.iter().map(print_one)))
}

/// Complains about names that cannot be read back.
pub fn check(variables: &[Variable], what: &str) -> Result<(), StoreError> {
    let mut names = DistinctNames::new(what);
    variables
        .iter()
        .try_for_each(|variable| names.add(&variable.name))
        .map_err(StoreError::unwritable)
}

/// Names that must be there and be different.
pub struct DistinctNames<'a> {
    what: &'a str,
    seen: HashSet<String>,
}

impl<'a> DistinctNames<'a> {
    /// No names yet, of `what`.
    pub fn new(what: &'a str) -> Self {
        Self { what, seen: HashSet::new() }
    }

    /// Takes one more, or says what is wrong with it.
    pub fn add(&mut self, name: &str) -> Result<(), String> {
        let what = self.what;
        if name.is_empty() {
            return Err(format!("the name of this {what} is empty"));
        }
        if !self.seen.insert(name.to_owned()) {
            return Err(format!("there are two of {what} {}", quoted(name)));
        }
        Ok(())
    }
}
