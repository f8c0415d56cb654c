//! Decisions read from text, before anything is known of the suite.

use std::collections::HashMap;

use obligato_model::{BoolTree, Position, RelationOperator, Span, tree};

use crate::columns::{Column, Use};
use crate::condition::{self, Atom, Operand};
use crate::error::{FormulaError, Reason};

/// What stands for the file of decisions given as arguments.
pub const COMMAND_LINE: &str = "<command line>";

/// Decisions over named columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formulas {
    pub(crate) file: String,
    pub(crate) decisions: Vec<Formula>,
    columns: Vec<Column>,
    by_name: HashMap<String, usize>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The whole line it stands on, for messages.
    pub line: String,
    /// Where it stands.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// Its shape.
    pub tree: BoolTree,
    /// Its conditions, from left to right.
    pub conditions: Vec<FormulaCondition>,
}

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaCondition {
    /// Where it stands.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// What it says.
    pub term: Term,
}

/// What a condition says, columns by their place in [`Formulas::columns`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// `true` or `false`.
    Constant(bool),
    /// A Boolean column.
    Column(usize),
    /// A comparison.
    Comparison(RelationOperator, OperandSource, OperandSource),
}

/// Where an operand comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandSource {
    /// A column.
    Column(usize),
    /// A number, as it is written.
    Number(String),
}

impl Formulas {
    /// Reads a decisions file: one decision per line, without blank lines and
    /// lines that start with `#`.
    pub fn parse(file: &str, text: &str) -> Result<Self, FormulaError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut formulas = Self { file: file.to_owned(), ..Self::default() };
        for (index, line) in text.lines().enumerate() {
            let content = line.trim_start();
            if !content.is_empty() && !content.starts_with('#') {
                formulas.add(index + 1, line)?;
            }
        }
        if formulas.decisions.is_empty() {
            return Err(FormulaError {
                file: file.to_owned(),
                at: Position { line: 1, column: 1 },
                line: text.lines().next().unwrap_or_default().to_owned(),
                reason: Box::new(Reason::NoDecision),
            });
        }
        Ok(formulas)
    }

    /// Reads decisions given one by one, as arguments are; each counts as a line.
    pub fn parse_each(decisions: &[String]) -> Result<Self, FormulaError> {
        let mut formulas = Self { file: COMMAND_LINE.to_owned(), ..Self::default() };
        for (index, decision) in decisions.iter().enumerate() {
            formulas.add(index + 1, decision)?;
        }
        Ok(formulas)
    }

    /// The columns used, in the order of their first use.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The place of the column with this name.
    pub(crate) fn column_named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// All conditions of all decisions.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &FormulaCondition> {
        self.decisions.iter().flat_map(|decision| &decision.conditions)
    }

    fn add(&mut self, number: usize, line: &str) -> Result<(), FormulaError> {
        let mut ruler = Ruler::new(number, line);
        let text = line.trim();
        let start = line.len() - line.trim_start().len();
        let first = ruler.position(start);
        let parsed = tree::parse(text).map_err(|error| {
            let at = ruler.position(start + error.offset);
            self.error(at, line, Reason::Syntax(error.reason))
        })?;
        let mut conditions = Vec::with_capacity(parsed.conditions.len());
        for range in parsed.conditions {
            let written = &text[range.clone()];
            let offset = start + range.start;
            let atom = condition::parse(written)
                .map_err(|(at, reason)| self.error(ruler.position(offset + at), line, reason))?;
            let inside = offset + (written.len() - written.trim_start().len());
            let span_start = ruler.position(inside);
            let term = self.resolve(atom, written, offset, &mut ruler)?;
            conditions.push(FormulaCondition {
                span: Span {
                    start: span_start,
                    end: ruler.position(inside + written.trim().len()),
                },
                text: written.trim().to_owned(),
                term,
            });
        }
        self.decisions.push(Formula {
            line: line.to_owned(),
            span: Span { start: first, end: ruler.position(start + text.len()) },
            text: text.to_owned(),
            tree: parsed.tree,
            conditions,
        });
        Ok(())
    }

    /// Puts columns in the place of names; `written` starts at byte `offset` of its line.
    fn resolve(
        &mut self,
        atom: Atom,
        written: &str,
        offset: usize,
        ruler: &mut Ruler<'_>,
    ) -> Result<Term, FormulaError> {
        let mut column = |range: std::ops::Range<usize>, used_as| {
            let at = ruler.position(offset + range.start);
            self.use_column(&written[range], used_as, at, ruler.line)
        };
        Ok(match atom {
            Atom::Constant(value) => Term::Constant(value),
            Atom::Name(range) => Term::Column(column(range, Use::Boolean)?),
            Atom::Comparison(operator, left, right) => {
                let mut place = |operand| match operand {
                    Operand::Name(range) => column(range, Use::Number).map(OperandSource::Column),
                    Operand::Number(range) => Ok(OperandSource::Number(written[range].to_owned())),
                };
                Term::Comparison(operator, place(left)?, place(right)?)
            }
        })
    }

    fn use_column(
        &mut self,
        name: &str,
        used_as: Use,
        at: Position,
        line: &str,
    ) -> Result<usize, FormulaError> {
        let Some(known) = self.column_named(name) else {
            self.by_name.insert(name.to_owned(), self.columns.len());
            self.columns.push(Column { name: name.to_owned(), used_as, first_use: at });
            return Ok(self.columns.len() - 1);
        };
        let earlier = &self.columns[known];
        if earlier.used_as != used_as {
            let reason = Reason::UsedBothWays {
                name: name.to_owned(),
                here: used_as,
                there: earlier.used_as,
                other: earlier.first_use,
            };
            return Err(self.error(at, line, reason));
        }
        Ok(known)
    }

    fn error(&self, at: Position, line: &str, reason: Reason) -> FormulaError {
        FormulaError {
            file: self.file.clone(),
            at,
            line: line.to_owned(),
            reason: Box::new(reason),
        }
    }
}

/// Turns bytes of a line into columns. Asked from left to right it walks the line
/// once, which matters where one line has a hundred thousand conditions.
struct Ruler<'a> {
    number: u32,
    line: &'a str,
    byte: usize,
    column: u32,
}

impl<'a> Ruler<'a> {
    fn new(number: usize, line: &'a str) -> Self {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        Self { number, line, byte: 0, column: 1 }
    }

    fn position(&mut self, byte: usize) -> Position {
        if byte < self.byte {
            (self.byte, self.column) = (0, 1);
        }
        let passed = self.line[self.byte..byte].chars().count();
        self.column = self.column.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX));
        self.byte = byte;
        Position { line: self.number, column: self.column }
    }
}

#[cfg(test)]
mod tests;
