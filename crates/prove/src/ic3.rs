//! IC3, or property directed reachability: can a literal ever hold?
//!
//! Bradley's algorithm ("SAT-Based Model Checking without Unrolling", VMCAI 2011) in the form of Eén, Mishchenko and
//! Brayton ("Efficient Implementation of Property Directed Reachability", FMCAD 2011). It needs no unrolling: it keeps, for
//! every number of steps, clauses that hold in all states reachable in so many steps, and strengthens them
//! until one of these sets is left by no step, or a run is found.
//!
//! The lemmas of one target stay in an [`Ic3Trace`] for the next in the same circuit. Hard targets continue in
//! a circuit in which equal gates are merged ([`sweeping`]).
//!
//! Start reading at [`prove`]; the main loop is in [`blocking`].

mod blocking;
mod completion;
pub(crate) mod cone;
mod cube;
mod frames;
mod generalise;
mod lifting;
mod meter;
mod signatures;
mod steps;
mod sweeping;
mod trace;

use obligato_circuit::{Circuit, Lit};

use blocking::{Blocking, Verdict};
use cone::Cone;
use meter::WorkMeter;
pub use meter::{Ic3Limits, NoAnswer};
use steps::Setting;
pub use trace::Ic3Trace;

use crate::invariant::Invariant;
use crate::run::Run;

/// The result of IC3 for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ic3Outcome {
    /// It never holds: these clauses over latches exclude it. With what was known they are inductive, so
    /// [extending](Invariant::extend) that by them gives an invariant again.
    Proved(Invariant),
    /// It holds in the last step of this run, which simulation has confirmed.
    Reached(Run),
    /// Undecided, for this reason.
    Unknown(NoAnswer),
}

/// Can `bad` ever hold, in a step of a run that satisfies the constraints of the circuit up to and including that
/// step? What is known may be assumed in all steps.
pub fn prove(circuit: &Circuit, bad: Lit, known: &Invariant, limits: &Ic3Limits) -> Ic3Outcome {
    prove_on(circuit, bad, known, &mut Ic3Trace::new(), limits).0
}

/// The same, starting from the frames of earlier targets in the trace and extending them; also returns the work units spent.
/// An undecided target may be tried again, and continues where it ended.
pub fn prove_on(
    circuit: &Circuit,
    bad: Lit,
    known: &Invariant,
    trace: &mut Ic3Trace,
    limits: &Ic3Limits,
) -> (Ic3Outcome, u64) {
    let mut meter = WorkMeter::new(limits);
    let outcome =
        decide(circuit, bad, known, trace, &mut meter).unwrap_or_else(Ic3Outcome::Unknown);
    trace.work = trace.work.saturating_add(meter.done());
    (outcome, meter.done())
}

/// Decides in the circuit itself, or in the swept one if the budget does not suffice.
fn decide(
    circuit: &Circuit,
    bad: Lit,
    known: &Invariant,
    trace: &mut Ic3Trace,
    meter: &mut WorkMeter,
) -> Result<Ic3Outcome, NoAnswer> {
    if trace.swept.is_none() {
        let work = trace.work_before_sweep(circuit);
        let easy = meter.within(work, |meter| decide_in(circuit, bad, known, trace, meter));
        if easy != Err(NoAnswer::Work) || meter.left().is_err() {
            return easy;
        }
        trace.sweep(circuit, known, meter)?;
    }
    let Some(mut swept) = trace.swept.take() else { return Err(NoAnswer::Work) };
    swept.take_over(circuit);
    let clauses = known.clauses.iter().map(|clause| swept.clause(circuit, clause)).collect();
    let known = Invariant { clauses, k: known.k };
    let mut outcome = decide_in(&swept.circuit, swept.lit(bad), &known, trace, meter);
    match &mut outcome {
        Ok(Ic3Outcome::Proved(invariant)) => {
            for clause in &mut invariant.clauses {
                *clause = swept.original_clause(clause);
            }
        }
        Ok(Ic3Outcome::Reached(run)) if !run.reaches(circuit, bad) => {
            outcome = Err(NoAnswer::Unconfirmed);
        }
        _ => {}
    }
    trace.swept = Some(swept);
    outcome
}

fn decide_in(
    circuit: &Circuit,
    bad: Lit,
    known: &Invariant,
    trace: &mut Ic3Trace,
    meter: &mut WorkMeter,
) -> Result<Ic3Outcome, NoAnswer> {
    let cone = trace.widen(circuit, Cone::connected(circuit, bad));
    let mut verdict = search(circuit, &cone, bad, known, trace, meter)?;
    if let Verdict::Reached(run) = &mut verdict
        && !completion::complete(circuit, run, &cone.left_out, meter)?
    {
        // The constraints outside the cone exclude this run.
        let cone = trace.widen(circuit, Cone::whole(circuit, bad));
        verdict = search(circuit, &cone, bad, known, trace, meter)?;
    }
    match verdict {
        Verdict::Proved => {
            Ok(Ic3Outcome::Proved(Invariant { clauses: trace.always.clone(), k: 1 }))
        }
        Verdict::Reached(run) if run.reaches(circuit, bad) => Ok(Ic3Outcome::Reached(run)),
        Verdict::Reached(_) => Err(NoAnswer::Unconfirmed),
    }
}

fn search(
    circuit: &Circuit,
    cone: &Cone,
    bad: Lit,
    known: &Invariant,
    trace: &mut Ic3Trace,
    meter: &mut WorkMeter,
) -> Result<Verdict, NoAnswer> {
    // A clause about something outside of the cone says nothing about the cone.
    let is_part = |clause: &&Vec<Lit>| clause.iter().all(|lit| cone.contains(lit.gate()));
    let known = known.clauses.iter().filter(is_part);
    let mut known: Vec<Vec<Lit>> = known.chain(&trace.always).cloned().collect();
    known.sort_unstable();
    known.dedup();
    Blocking::new(Setting { circuit, cone, known }, bad, trace, meter).run()
}

#[cfg(test)]
mod tests;
