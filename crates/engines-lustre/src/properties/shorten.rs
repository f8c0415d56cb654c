//! Shorter counterexamples.
//!
//! Random tests come first, and their counterexamples are seldom shortest. So bounded model checking searches shorter runs, from
//! the shortest on, for all violated properties together. Where the encoding is exact, an exhausted search proves that there
//! is none.

use obligato_lustre::lowering::Lowered;
use obligato_model::TestCase;
use obligato_prove::bmc::{BmcOutcome, BmcWitness};
use obligato_prove::{Invariant, Start};
use obligato_solver::Stop;

use super::{Counterexample, counterexamples};
use crate::campaign::ModelError;
use crate::event::{Event, EventId};
use crate::functions::Functions;
use crate::ledger::Ledger;
use crate::shared_query::SharedQuery;

/// Looks for shorter counterexamples to these checks with so many conflicts, and says which are the shortest. Gives the
/// conflicts spent.
pub fn shorten(
    lowered: &Lowered,
    checks: &[usize],
    known: &mut [Option<Counterexample>],
    conflicts: u64,
    stop: &Stop,
) -> Result<u64, ModelError> {
    let violated: Vec<usize> = (0..checks.len()).filter(|at| known[*at].is_some()).collect();
    if violated.is_empty() || conflicts == 0 {
        return Ok(0);
    }
    let events = violated.iter().map(|at| Event::Violated(checks[*at]));
    let ledger = Ledger::of_events(&lowered.program, events);
    let asked = SharedQuery::new(lowered, &[], ledger.events())?;
    let is_exact = asked.query.is_replayable();
    let mut search = asked.query.search(Start::Initial, &Invariant::new(), stop);
    let mut aims: Vec<usize> = Vec::new();
    for (number, at) in violated.into_iter().enumerate() {
        if let Some(place) = asked.place(EventId::new(number)) {
            search.add_target(asked.query.lits[place]);
            aims.push(at);
        }
    }
    loop {
        let open = (0..aims.len()).filter(|target| search.is_open(*target));
        let length = |target: &usize| known[aims[*target]].as_ref().map_or(0, Counterexample::len);
        let Some(next) = open.min_by_key(length) else { break };
        let shortest = length(&next);
        let outcome = match shortest.checked_sub(2) {
            Some(deepest) if search.depth() <= deepest => {
                let left = conflicts.saturating_sub(search.conflicts());
                search.next(deepest, left)
            }
            _ => BmcOutcome::Exhausted,
        };
        match outcome {
            BmcOutcome::OutOfBudget => break,
            BmcOutcome::Exhausted => {
                search.close(next);
                if let Some(counterexample) = &mut known[aims[next]] {
                    counterexample.is_shortest = is_exact;
                }
            }
            BmcOutcome::Found(BmcWitness { run, targets }) => {
                let test = asked.query.test(&run);
                let reached = targets.iter().map(|(target, _)| aims[*target]);
                take_shorter(
                    lowered,
                    checks,
                    known,
                    &reached.collect::<Vec<usize>>(),
                    test,
                    is_exact,
                )?;
            }
        }
    }
    Ok(search.conflicts())
}

/// Takes a test in place of longer ones, if a run confirms that it violates what they do. Shorter tests were refuted before.
fn take_shorter(
    lowered: &Lowered,
    checks: &[usize],
    known: &mut [Option<Counterexample>],
    reached: &[usize],
    test: TestCase,
    is_exact: bool,
) -> Result<(), ModelError> {
    let tests = [test];
    if let Some(functions) = Functions::new(lowered)?
        && functions.contradictions(&tests)?.iter().any(Option::is_some)
    {
        return Ok(());
    }
    let confirmed = counterexamples(lowered, checks, &tests)?;
    for at in reached {
        if let (Some(shorter), Some(longer)) = (&confirmed[*at], &mut known[*at])
            && shorter.len() < longer.len()
        {
            longer.test.steps.clone_from(&shorter.test.steps);
            longer.is_shortest = is_exact;
        }
    }
    Ok(())
}
