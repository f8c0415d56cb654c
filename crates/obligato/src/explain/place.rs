//! A place in a program, and the decisions there.

use std::path::{Path, PathBuf};

use obligato_model::{Decision, DecisionId, Position, Program};

use crate::error::Error;
use crate::text::counted;

/// So many instances of a decision are explained at once.
const MOST_INSTANCES: usize = 16;
/// So many lines are named where one has no decision.
const MOST_LINES: usize = 8;

/// A line, or a character on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionPlace {
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1; with one, only the innermost decision there is meant.
    pub column: Option<u32>,
}

impl DecisionPlace {
    /// Takes `FILE:LINE` or `FILE:LINE:COLUMN` apart.
    pub fn split(named: &Path) -> Result<(PathBuf, Self), Error> {
        let given = named.to_str().unwrap_or_default();
        let numbered = |text: &str| -> Option<(String, u32)> {
            let (before, number) = text.rsplit_once(':')?;
            Some((before.to_owned(), number.parse().ok().filter(|number| *number > 0)?))
        };
        let Some((before, last)) = numbered(given) else {
            return Err(Error::Input {
                message: format!("'{}' names no line", named.display()),
                way_out: "write it as FILE:LINE or FILE:LINE:COLUMN".to_owned(),
            });
        };
        let (file, place) = match numbered(&before) {
            Some((file, line)) => (file, Self { line, column: Some(last) }),
            None => (before, Self { line: last, column: None }),
        };
        Ok((PathBuf::from(file), place))
    }

    /// The decisions that stand here, of one instance or of all: by place, then by instance.
    pub(super) fn find(
        self,
        path: &str,
        program: &Program,
        instance: Option<&str>,
    ) -> Result<Vec<DecisionId>, Error> {
        let instance_of = |one: &Decision| program.function(one.function).name.as_str();
        if let Some(instance) = instance {
            let known = |one: &obligato_model::Function| one.name == instance;
            if !program.functions().iter().any(known) {
                return Err(unknown_instance(path, program, instance));
            }
        }
        let mut found: Vec<(DecisionId, &Decision)> = (0..program.decisions().len())
            .map(DecisionId::new)
            .filter(|id| self.is_in(program, *id))
            .map(|id| (id, program.decision(id)))
            .collect();
        if self.column.is_some() {
            // The innermost one starts last.
            let last = found.iter().map(|(_, one)| one.span.start).max();
            found.retain(|(_, one)| Some(one.span.start) == last);
        }
        if found.is_empty() {
            return Err(self.nothing_here(path, program));
        }
        let here = found.clone();
        found.retain(|(_, one)| instance.is_none_or(|instance| instance_of(one) == instance));
        if found.is_empty() {
            let names = here.iter().map(|(_, one)| instance_of(one));
            return Err(Error::Input {
                message: format!("{path}:{self} is no part of this call"),
                way_out: format!("it is part of {}", listed(names)),
            });
        }
        found.sort_by_key(|(id, one)| (one.span.start, std::cmp::Reverse(one.span.end), *id));
        if let Some(many) = found
            .chunk_by(|(_, one), (_, other)| one.span == other.span)
            .find(|same| same.len() > MOST_INSTANCES)
        {
            let count = counted(many.len(), "call");
            return Err(Error::Input {
                message: format!("{path}:{self} is part of {count}"),
                way_out: format!(
                    "choose one by --instance: {}",
                    listed(many.iter().map(|(_, one)| instance_of(one)))
                ),
            });
        }
        Ok(found.into_iter().map(|(id, _)| id).collect())
    }

    /// Does a decision stand here? Inlining may have brought conditions from elsewhere to it.
    fn is_in(self, program: &Program, id: DecisionId) -> bool {
        let conditions = program.conditions_of(id).iter().map(|condition| condition.span);
        let mut spans = [program.decision(id).span].into_iter().chain(conditions);
        spans.any(|span| match self.column {
            None => (span.start.line..=span.end.line).contains(&self.line),
            Some(column) => {
                let at = Position { line: self.line, column };
                span.start <= at && at < span.end
            }
        })
    }

    /// The error that there is no decision here, with the lines that have some.
    fn nothing_here(self, path: &str, program: &Program) -> Error {
        let decisions = program.decisions();
        let mut lines: Vec<u32> = decisions.iter().map(|one| one.span.start.line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines.sort_by_key(|line| line.abs_diff(self.line));
        lines.truncate(MOST_LINES);
        lines.sort_unstable();
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let way_out = if lines.is_empty() {
            "there is none in the file".to_owned()
        } else {
            format!("lines near it that have some: {}", lines.join(", "))
        };
        let message = format!("{path}:{self}: there is no decision here");
        Error::Input { message, way_out }
    }
}

impl std::fmt::Display for DecisionPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.column {
            None => write!(f, "{}", self.line),
            Some(column) => write!(f, "{}:{column}", self.line),
        }
    }
}

fn unknown_instance(path: &str, program: &Program, instance: &str) -> Error {
    Error::Input {
        message: format!("{path}: there is no call '{instance}'"),
        way_out: format!(
            "there are {}",
            listed(program.functions().iter().map(|one| one.name.as_str()))
        ),
    }
}

/// The first few names.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    let more = if names.len() > MOST_INSTANCES { ", …" } else { "" };
    names.truncate(MOST_INSTANCES);
    names.join(", ") + more
}
