//! Inductive invariants that Spacer finds (Komuravelli, Gurfinkel, Chaki and Clarke; it is part of z3),
//! for one goal at a time.
//!
//! The question is put as Horn clauses over one relation, the states that may be reached: it has the
//! initial state, it is closed under steps, and no state in it reaches the goal. If there is such a
//! relation, z3 defines it. That definition is only believed after a session of its own, which knows
//! nothing of Horn clauses, has confirmed those three things about it.

use std::fmt::Write as _;

use obligato_solver::{Answer, Smt, SmtError};
use obligato_system::System;

use super::cone::Cone;
use super::goal::Goal;
use super::horn;
use super::search::Search;
use super::unrolling::{Start, Unrolling};
use super::{Error, Limits, Method, Outcome, check_goals};

/// What becomes of a goal. If Spacer says that it can be reached, a run of at most `most_steps` is
/// looked for.
pub fn invariant(
    system: &System,
    goal: &Goal,
    most_steps: usize,
    limits: &Limits,
) -> Result<Outcome, Error> {
    check_goals(system, std::slice::from_ref(goal))?;
    match decide(system, goal, most_steps, limits) {
        Err(Error::Solver(error @ (SmtError::Stopped | SmtError::Memory(_)))) => {
            Ok(Outcome::Unknown(error.to_string()))
        }
        decided => decided,
    }
}

fn decide(
    system: &System,
    goal: &Goal,
    most_steps: usize,
    limits: &Limits,
) -> Result<Outcome, Error> {
    let cone = Cone::new(system, [goal.node(system)], &[]);
    let clauses = horn::clauses(system, &cone, goal);
    let mut unknown = String::new();
    for manner in horn::MANNERS {
        let mut smt = Smt::start(&limits.stop, limits.memory)?;
        smt.command(manner);
        smt.command(&clauses);
        match smt.check(&[], Some(limits.work))? {
            Answer::Unknown => unknown = limits.reason(smt.reason(), &cone),
            Answer::Unsat => return find_run(system, goal, most_steps, limits),
            Answer::Sat => {
                let definitions = smt.model()?;
                if confirms(system, &cone, goal, &definitions, limits)? {
                    let certificate = certificate(system, &cone.latches, &definitions);
                    return Ok(Outcome::Proved(Method::Invariant(certificate)));
                }
                "the invariant that z3 found is not confirmed".clone_into(&mut unknown);
            }
        }
    }
    Ok(Outcome::Unknown(unknown))
}

fn find_run(
    system: &System,
    goal: &Goal,
    most_steps: usize,
    limits: &Limits,
) -> Result<Outcome, Error> {
    let goals = std::slice::from_ref(goal);
    let mut search = Search::new(system, goals, &[], Start::Initial, limits)?;
    Ok(match (search.next_run(most_steps)?, search.undecided(0)) {
        (Some(run), _) => Outcome::Reached(run.inputs),
        (None, Some((_, why))) => Outcome::Unknown(why.clone()),
        (None, None) => {
            Outcome::Unknown(format!("z3 says it is reached, but not within {most_steps} steps"))
        }
    })
}

/// The definitions, and which latch each argument of `inv` stands for.
fn certificate(system: &System, latches: &[usize], definitions: &[String]) -> String {
    let mut text = String::new();
    for (place, latch) in latches.iter().enumerate() {
        let _ = writeln!(text, "; argument {} of inv: {}", place + 1, system.latches[*latch].name);
    }
    text + &definitions.join("\n")
}

/// Is what `definitions` call `inv` true initially, kept by every step, and incompatible with the goal?
fn confirms(
    system: &System,
    cone: &Cone,
    goal: &Goal,
    definitions: &[String],
    limits: &Limits,
) -> Result<bool, Error> {
    // Anything else, an assertion say, could make the questions easier than they are.
    if !definitions.iter().all(|definition| definition.starts_with("(define-fun ")) {
        return Ok(false);
    }
    let mut smt = Smt::start(&limits.stop, limits.memory)?;
    for definition in definitions {
        smt.command(definition);
    }
    let latches = &cone.latches;
    let mut step = Unrolling::new(smt, system, cone.clone(), Start::Anywhere);
    step.add_step();
    let initially = horn::initial(system, latches);
    let here = horn::relation(latches.iter().map(|index| format!("l{index}_0")));
    let next = latches.iter().map(|index| step.name(system.latches[*index].next, 0));
    let afterwards = horn::relation(next);
    let doubts = [
        format!("(not {initially})"),
        format!("(and {here} (not {afterwards}))"),
        format!("(and {here} {})", step.goal(goal, 0)),
    ];
    for (index, doubt) in doubts.into_iter().enumerate() {
        let literal = step.literal(&format!("doubt{index}"), [doubt]);
        if step.smt.check(&[literal], Some(limits.work))? != Answer::Unsat {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
