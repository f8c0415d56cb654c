//! Guessing the types of CSV columns from all their cells.

use std::collections::BTreeSet;

use obligato_model::value::ValueError;
use obligato_model::{Type, Value, Variable};

use super::header::Header;
use super::line::{Cell, Line};
use crate::error::{StoreError, quoted};

/// From the narrowest to the widest; a column has the narrowest type that takes
/// all its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Guess {
    Bool,
    Int,
    Real,
    Enumeration,
}

/// The inputs a file seems to have. A column without a single value is a `bool`.
pub fn inputs<'a>(
    header: &Header<'a>,
    lines: impl Iterator<Item = Line<'a>> + Clone,
) -> Result<Vec<Variable>, StoreError> {
    let mut guesses = vec![None; header.columns.len()];
    each_cell(lines.clone(), &mut guesses, |guess, line, cell| {
        *guess = widen(*guess, &cell.text)
            .map_err(|error| line.invalid_at(cell.offset, error.to_string()))?;
        Ok(())
    })?;
    let mut names = vec![BTreeSet::new(); header.columns.len()];
    if guesses.contains(&Some(Guess::Enumeration)) {
        let mut columns: Vec<_> = guesses.iter().zip(&mut names).collect();
        each_cell(lines, &mut columns, |(guess, names), line, cell| {
            if **guess == Some(Guess::Enumeration) && !names.contains(cell.text.as_ref()) {
                check_name(line, cell)?;
                names.insert(cell.text.to_string());
            }
            Ok(())
        })?;
    }
    let columns = header.columns.iter().zip(guesses).zip(names);
    let input = |((column, guess), names): ((&Cell<'_>, _), BTreeSet<_>)| Variable {
        name: column.text.to_string(),
        kind: match guess {
            None | Some(Guess::Bool) => Type::Bool,
            Some(Guess::Int) => Type::Int,
            Some(Guess::Real) => Type::Real,
            Some(Guess::Enumeration) => Type::Enumeration(names.into_iter().collect()),
        },
    };
    Ok(columns.map(input).collect())
}

/// Per column, whether all its cells are values of `kind`.
pub fn fitting<'a>(
    header: &Header<'a>,
    lines: impl Iterator<Item = Line<'a>>,
    kind: &Type,
) -> Result<Vec<bool>, StoreError> {
    let mut fit = vec![true; header.columns.len()];
    each_cell(lines, &mut fit, |fits, _, cell| {
        *fits = *fits && Value::parse(&cell.text, kind).is_ok();
        Ok(())
    })?;
    Ok(fit)
}

/// Visits every cell that is not empty, with what is kept for its column. Cells
/// without a column are left for the reader to complain about.
fn each_cell<'a, T>(
    lines: impl Iterator<Item = Line<'a>>,
    columns: &mut [T],
    mut visit: impl FnMut(&mut T, Line<'a>, &Cell<'a>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut cells = Vec::new();
    for line in lines.filter(|line| !line.text.is_empty() && !line.is_name()) {
        line.split(&mut cells)?;
        for (column, cell) in columns.iter_mut().zip(&cells) {
            if !cell.text.is_empty() {
                visit(column, line, cell)?;
            }
        }
    }
    Ok(())
}

/// The narrowest guess that takes what `guess` takes, and `text`.
fn widen(guess: Option<Guess>, text: &str) -> Result<Option<Guess>, ValueError> {
    let is_bool = matches!(text, "true" | "false" | "T" | "F");
    Ok(Some(match guess {
        None | Some(Guess::Bool) if is_bool => Guess::Bool,
        Some(Guess::Bool | Guess::Enumeration) => Guess::Enumeration,
        None | Some(Guess::Int) if is_number(text, &Type::Int)? => Guess::Int,
        _ if is_number(text, &Type::Real)? => Guess::Real,
        _ => Guess::Enumeration,
    }))
}

/// Is the text a number of this type? A number too long to read is an error, not
/// a name.
fn is_number(text: &str, kind: &Type) -> Result<bool, ValueError> {
    if !text.starts_with(|c: char| matches!(c, '-' | '+' | '.') || c.is_ascii_digit()) {
        return Ok(false);
    }
    match Value::parse(text, kind) {
        Ok(_) => Ok(true),
        Err(error @ ValueError::TooLong) => Err(error),
        Err(_) => Ok(false),
    }
}

/// Complains about a name that no type could list.
fn check_name(line: Line<'_>, cell: &Cell<'_>) -> Result<(), StoreError> {
    let one: Vec<String> = vec![cell.text.to_string()];
    let kind = Type::Enumeration(one);
    if kind.to_string().parse().as_ref() == Ok(&kind) {
        return Ok(());
    }
    let reason = format!(
        "{} is neither a value nor a name: names have no comma, no brace and no space around them",
        quoted(&cell.text)
    );
    Err(line.invalid_at(cell.offset, reason))
}
