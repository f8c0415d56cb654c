//! The first line of a CSV suite: the names of its inputs.

use std::collections::{HashMap, HashSet};

use obligato_model::Variable;

use super::line::{Cell, Line};
use crate::error::{Place, StoreError, quoted};

/// The columns of a file, each with a name of its own.
pub struct Header<'a> {
    line: Line<'a>,
    pub columns: Vec<Cell<'a>>,
}

/// Reads the first line of a file.
pub fn read(line: Option<Line<'_>>) -> Result<Header<'_>, StoreError> {
    let named = line.filter(|line| !line.text.is_empty() && !line.is_name());
    let Some(line) = named else {
        let place = Place { line: Some(1), column: Some(1), ..Place::default() };
        let reason = "the first line must name the inputs".to_owned();
        return Err(StoreError::Invalid { place, reason });
    };
    let mut columns = Vec::new();
    line.split(&mut columns)?;
    let mut seen = HashSet::new();
    for (index, cell) in columns.iter().enumerate() {
        let name = cell.text.as_ref();
        if name.is_empty() {
            let reason = format!("column {} has no name", index + 1);
            return Err(line.invalid_at(cell.offset, reason));
        }
        if !seen.insert(name) {
            let reason = format!("there are two columns {}", quoted(name));
            return Err(line.invalid_at(cell.offset, reason));
        }
    }
    Ok(Header { line, columns })
}

impl Header<'_> {
    /// Per column, the position of its variable. Complains unless the first `required`
    /// variables have a column each and every column is one of the variables.
    pub fn places_in(
        &self,
        variables: &[Variable],
        required: usize,
    ) -> Result<Vec<usize>, StoreError> {
        let numbered = variables.iter().enumerate();
        let positions: HashMap<&str, usize> =
            numbered.map(|(at, variable)| (variable.name.as_str(), at)).collect();
        let mut there = vec![false; variables.len()];
        let mut places = Vec::with_capacity(self.columns.len());
        for cell in &self.columns {
            let Some(&at) = positions.get(cell.text.as_ref()) else {
                let what = if required < variables.len() { "input or output" } else { "input" };
                let reason = format!("the program has no {what} {}", quoted(&cell.text));
                return Err(self.line.invalid_at(cell.offset, reason));
            };
            there[at] = true;
            places.push(at);
        }
        let missing = variables[..required].iter().zip(there).find(|(_, there)| !there);
        missing.map_or(Ok(places), |(input, _)| {
            let name = quoted(&input.name);
            let reason = format!("there is no column for the input {name} of the program");
            Err(self.line.invalid(reason))
        })
    }
}
