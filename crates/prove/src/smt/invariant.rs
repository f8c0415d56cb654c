//! Inductive invariants that Spacer finds (Komuravelli, Gurfinkel, Chaki and Clarke; it is part of z3),
//! for one goal at a time.
//!
//! The question is put as Horn clauses over one relation, the states that may be reached: it has the
//! initial state, it is closed under steps, and no state in it reaches the goal. If there is such a
//! relation, z3 defines it. That definition is only believed after a session of its own, which knows
//! nothing of Horn clauses, has confirmed those three things about it.

use obligato_solver::{Answer, Smt, SmtError};
use obligato_transition_system::System;

use super::bmc::SmtBmc;
use super::certificate;
use super::cone::Cone;
use super::goal::Goal;
use super::horn;
use super::unrolling::SmtStart;
use super::{Error, SmtLimits, SmtOutcome, SmtProof, check_goals};

/// Decides a goal. If Spacer says that it is reachable, bounded model checking searches a run of at most
/// `most_steps`.
pub fn invariant(
    system: &System,
    goal: &Goal,
    most_steps: usize,
    limits: &SmtLimits,
) -> Result<SmtOutcome, Error> {
    check_goals(system, std::slice::from_ref(goal))?;
    let cone = Cone::new(system, [goal.node(system)], &[]);
    match decide(system, &cone, goal, most_steps, limits) {
        Err(Error::Solver(error @ (SmtError::Stopped | SmtError::Memory(_)))) => {
            let what = match error {
                SmtError::Stopped => "z3 found no answer in time".to_owned(),
                error => error.to_string(),
            };
            let occupied = if cone.is_nonlinear { ", busy with non-linear arithmetic" } else { "" };
            Ok(SmtOutcome::Unknown(format!("{what}{occupied}")))
        }
        decided => decided,
    }
}

fn decide(
    system: &System,
    cone: &Cone,
    goal: &Goal,
    most_steps: usize,
    limits: &SmtLimits,
) -> Result<SmtOutcome, Error> {
    let clauses = horn::clauses(system, cone, goal);
    let mut unknown = String::new();
    for options in horn::SPACER_OPTIONS {
        let mut smt = Smt::start(&limits.stop, limits.memory)?;
        smt.command(options);
        smt.command(&clauses);
        match smt.check(&[], Some(limits.work))? {
            Answer::Unknown => unknown = limits.reason(smt.reason(), cone),
            Answer::Unsat => return find_run(system, goal, most_steps, limits),
            Answer::Sat => {
                // The model may define other functions as well, division by zero for example.
                let mut definitions = smt.model()?;
                definitions.retain(|definition| certificate::is_definition(definition));
                let smt = Smt::start(&limits.stop, limits.memory)?;
                let work = Some(limits.work);
                if certificate::confirm(smt, system, cone, goal, &definitions, work)?.is_none() {
                    let text = certificate::print(system, &cone.latches, &definitions);
                    return Ok(SmtOutcome::Proved(SmtProof::Invariant(text)));
                }
                "the invariant that z3 found is not confirmed".clone_into(&mut unknown);
            }
        }
    }
    Ok(SmtOutcome::Unknown(unknown))
}

fn find_run(
    system: &System,
    goal: &Goal,
    most_steps: usize,
    limits: &SmtLimits,
) -> Result<SmtOutcome, Error> {
    let goals = std::slice::from_ref(goal);
    let mut search = SmtBmc::new(system, goals, &[], SmtStart::Initial, limits)?;
    Ok(match (search.next_run(most_steps)?, search.undecided(0)) {
        (Some(run), _) => SmtOutcome::Reached(run.inputs),
        (None, Some((_, why))) => SmtOutcome::Unknown(why.clone()),
        (None, None) => {
            SmtOutcome::Unknown(format!("z3 says it is reached, but not within {most_steps} steps"))
        }
    })
}

#[cfg(test)]
mod tests;
