//! What of a unit cannot be measured: said, with its place and its reason, before anything runs.

use std::fmt;

use obligato_clang::{Stretch, Syntax};
use obligato_model::{Position, Span};

use crate::mapping::{EvaluationSite, FunctionMap};
use crate::program::Locate;

/// Something that cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The file.
    pub file: String,
    /// Where.
    pub span: Span,
    /// What it says.
    pub text: String,
    /// Why.
    pub reason: GapReason,
}

/// Why something cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GapReason {
    /// A condition without an operation that evaluates it: a fault of ours.
    Unmapped(String),
    /// A construct that cannot be executed.
    Unsupported(String),
    /// The compiler knows that it is never executed.
    Dead,
    /// The compiler has made no code of the function: nobody calls it.
    NotEmitted,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, span, text, reason } = self;
        write!(f, "{file}:{}: `{text}` ", span.start)?;
        match reason {
            GapReason::Unmapped(why) => write!(f, "cannot be found in the compiled code: {why}"),
            GapReason::Unsupported(what) => write!(f, "is not supported: {what}"),
            GapReason::Dead => f.write_str("is never executed: the compiler makes no code of it"),
            GapReason::NotEmitted => {
                f.write_str("is never called: the compiler makes no code of it")
            }
        }
    }
}

/// Lists the gaps of a unit, in the order of the text. Tests cannot call what is left out of the driver.
pub fn find_gaps(
    unit: &Syntax,
    maps: &[Option<FunctionMap>],
    left_out: &[String],
    files: &impl Locate,
) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut add = |span: Span, text: &str, reason: GapReason| {
        let (file, span) = files.locate(span);
        gaps.push(Gap { file, span, text: text.to_owned(), reason });
    };
    for (name, position) in outside(unit, left_out) {
        let why = "nothing can stand in for it, since only its declaration can name its type; \
                   define it in the file, or give the type a name";
        add(at(position), name, GapReason::Unsupported(why.to_owned()));
    }
    for (function, map) in unit.functions.iter().zip(maps) {
        let Some(map) = map else { continue };
        if left_out.contains(&function.name) {
            let why = "tests cannot call it, since only itself can name its types".to_owned();
            add(at(function.span.start), &function.name, GapReason::Unsupported(why));
        }
        for (span, what) in &function.unsupported {
            add(*span, &function.name, GapReason::Unsupported(what.clone()));
        }
        for (decision, map) in function.decisions.iter().zip(&map.decisions) {
            for (condition, site) in decision.conditions.iter().zip(&map.conditions) {
                let Stretch { span, text } = &condition.stretch;
                match site {
                    EvaluationSite::Missing(why) => {
                        add(*span, text, GapReason::Unmapped(why.clone()));
                    }
                    EvaluationSite::Dead => add(*span, text, GapReason::Dead),
                    EvaluationSite::At(_) | EvaluationSite::Folded(_) => {}
                }
            }
        }
    }
    gaps
}

/// What is declared, used and left out, but not defined: functions, then objects.
fn outside<'u>(
    unit: &'u Syntax,
    left_out: &'u [String],
) -> impl Iterator<Item = (&'u str, Position)> {
    let functions = unit.callables.iter().filter(|one| one.used && !one.defined);
    let functions = functions.map(|one| (one.name.as_str(), one.position));
    let objects = unit.variables.iter().filter(|one| one.used && !one.defined);
    let objects = objects.map(|one| (one.name.as_str(), one.position));
    let is_left_out = |name: &str| left_out.iter().any(|one| one == name);
    functions.chain(objects).filter(move |(name, _)| is_left_out(name))
}

fn at(start: Position) -> Span {
    let end = Position { column: start.column + 1, ..start };
    Span { start, end }
}
