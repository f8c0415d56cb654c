//! Invariants over numbers of any size as text, and their check.
//!
//! ```text
//! obligato-invariant 1
//! argument 2 pre slow
//! argument 3 pre fast
//! (define-fun inv ((x!0 Int) (x!1 Int)) Bool
//!   (and (<= 0 x!0) (<= x!0 x!1)))
//! end
//! ```
//!
//! The arguments of `inv` are latches, by their number in the system and their name. The definition is SMT-LIB text,
//! and the check trusts none of it: fresh sessions confirm initiation, consecution and exclusion of the
//! goal. Text that could weaken these queries, an assertion say, is refused.

use std::fmt::Write as _;

use obligato_solver::{Answer, Smt, list_items};
use obligato_transition_system::System;

use super::cone::Cone;
use super::goal::Goal;
use super::horn;
use super::unrolling::{SmtStart, Unrolling};
use super::{Error, SmtLimits, check_goals};
use crate::certificate::text::{escaped, unescaped};

const FORMAT: &str = "obligato-invariant";
const VERSION: &str = "1";

/// A latch: its number, and its name.
type Argument = (usize, String);

/// The solver that has confirmed an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvariantChecker {
    /// z3, which found it, in a fresh session.
    Z3,
    /// cvc5, independently of the solver that found it.
    Cvc5,
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvariantError {
    /// The text is no certificate.
    #[error("line {line}: expected {expected}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// What belongs there.
        expected: &'static str,
    },
    /// It is about other latches than those that matter to the goal.
    #[error("it is about another model, other criteria or other observed variables")]
    OtherSystem,
    /// This claim is not confirmed.
    #[error("what it calls an invariant {0}")]
    Unconfirmed(&'static str),
    /// No solver could decide it.
    #[error(transparent)]
    Solver(#[from] Error),
}

/// What has to be confirmed, each with what is said if it is not.
const CLAIMS: [&str; 3] = [
    "is not confirmed to be true initially",
    "is not confirmed to be kept by every step",
    "is not confirmed to exclude what never happens",
];

/// Is the text a certificate of this kind?
pub fn is_certificate(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.split(' ').next() == Some(FORMAT))
}

/// The text of a certificate.
pub(super) fn print(system: &System, latches: &[usize], definitions: &[String]) -> String {
    let mut text = format!("{FORMAT} {VERSION}\n");
    for latch in latches {
        let _ = writeln!(text, "argument {latch} {}", escaped(&system.latches[*latch].name));
    }
    for definition in definitions {
        let _ = writeln!(text, "{definition}");
    }
    text + "end\n"
}

/// Checks that a certificate excludes a goal: by cvc5 where that is installed and can tell, else by z3.
pub fn check(
    text: &str,
    system: &System,
    goal: &Goal,
    limits: &SmtLimits,
) -> Result<InvariantChecker, InvariantError> {
    check_goals(system, std::slice::from_ref(goal))?;
    let (arguments, definitions) = parse(text)?;
    let cone = Cone::new(system, [goal.node(system)], &[]);
    let names = cone.latches.iter().map(|latch| (*latch, system.latches[*latch].name.clone()));
    if arguments != names.collect::<Vec<_>>() {
        return Err(InvariantError::OtherSystem);
    }
    // If cvc5 fails, because it is not installed say, z3 checks.
    if let Ok(smt) = Smt::start_checker(&limits.stop)
        && confirm(smt, system, &cone, goal, &definitions, None) == Ok(None)
    {
        return Ok(InvariantChecker::Cvc5);
    }
    let smt = Smt::start(&limits.stop, limits.memory).map_err(Error::from)?;
    match confirm(smt, system, &cone, goal, &definitions, Some(limits.work))? {
        None => Ok(InvariantChecker::Z3),
        Some(claim) => Err(InvariantError::Unconfirmed(claim)),
    }
}

/// The arguments, and the definitions.
fn parse(text: &str) -> Result<(Vec<Argument>, Vec<String>), InvariantError> {
    let mut lines = text.lines().enumerate().peekable();
    let wrong = |at: usize, expected| InvariantError::Text { line: at + 1, expected };
    let first = lines.next().and_then(|(_, line)| line.split_once(' '));
    if first != Some((FORMAT, VERSION)) {
        return Err(wrong(0, "'obligato-invariant 1'"));
    }
    let mut arguments = Vec::new();
    while let Some((at, argument)) =
        lines.peek().and_then(|(at, line)| Some((*at, line.strip_prefix("argument ")?)))
    {
        let (latch, name) = argument.split_once(' ').unwrap_or((argument, ""));
        let latch = latch.parse().map_err(|_| wrong(at, "the number of a latch"))?;
        arguments.push((latch, unescaped(name)));
        lines.next();
    }
    let start = lines.peek().map_or(0, |(at, _)| *at);
    let rest: Vec<&str> = lines.map(|(_, line)| line).collect();
    let Some(("end", body)) = rest.split_last().map(|(last, body)| (*last, body)) else {
        return Err(wrong(start + rest.len(), "'end'"));
    };
    let body = body.join("\n");
    definitions(&body)
        .map(|found| (arguments, found))
        .ok_or_else(|| wrong(start, "definitions of functions whose names start with 'inv'"))
}

/// The definitions in a text of nothing else. Comments, strings and quoted symbols are refused with the
/// rest: in them a parenthesis is none, and what counts is what a solver reads.
fn definitions(text: &str) -> Option<Vec<String>> {
    if text.contains([';', '"', '|']) {
        return None;
    }
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => {
                start = if depth == 0 { at } else { start };
                depth += 1;
            }
            b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    found.push(text[start..=at].to_owned());
                }
            }
            _ if depth == 0 && !byte.is_ascii_whitespace() => return None,
            _ => {}
        }
    }
    (depth == 0 && found.iter().all(|text| is_definition(text))).then_some(found)
}

/// Does a list define a function `inv…`?
pub(super) fn is_definition(list: &str) -> bool {
    let items = list_items(list);
    matches!(items.as_deref(), Some(["define-fun", name, _, _, _]) if name.starts_with("inv"))
}

/// Which of the claims about what `definitions` call `inv` is not confirmed, if one is not.
pub(super) fn confirm(
    mut smt: Smt,
    system: &System,
    cone: &Cone,
    goal: &Goal,
    definitions: &[String],
    most_work: Option<u64>,
) -> Result<Option<&'static str>, Error> {
    for definition in definitions {
        smt.command(definition);
    }
    let latches = &cone.latches;
    let mut step = Unrolling::new(smt, system, cone.clone(), SmtStart::Anywhere);
    step.add_step();
    let initially = horn::initial(system, latches);
    let here = horn::relation(latches.iter().map(|index| format!("l{index}_0")));
    let next = latches.iter().map(|index| step.name(system.latches[*index].next, 0));
    let afterwards = horn::relation(next);
    let negations = [
        format!("(not {initially})"),
        format!("(and {here} (not {afterwards}))"),
        format!("(and {here} {})", step.goal(goal, 0)),
    ];
    for (index, (negation, claim)) in negations.into_iter().zip(CLAIMS).enumerate() {
        let literal = step.literal(&format!("negation{index}"), [negation]);
        if step.smt.check(&[literal], most_work)? != Answer::Unsat {
            return Ok(Some(claim));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
