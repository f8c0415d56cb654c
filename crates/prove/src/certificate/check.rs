//! The check of a certificate: three questions, each to a fresh solver.

use obligato_circuit::{Circuit, Lit};
use obligato_solver::{Answer, Engine, Literal, Solver, Stop};

use super::replica::{Part, Start};
use crate::invariant::Invariant;

/// The longest induction that is checked.
pub const MOST_STEPS: usize = 1000;

/// What is wrong with a certificate. Clauses and bads are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// It is about something else.
    #[error("the certificate is about another circuit")]
    OtherCircuit,
    /// There is no such gate.
    #[error("the certificate speaks of gate {0}, and the circuit has no such gate")]
    NoSuchGate(u32),
    /// Induction over no step at all proves nothing, and over very many it takes as many copies of the circuit.
    #[error("the certificate is inductive over {0} steps; from 1 to {MOST_STEPS} can be checked")]
    Steps(usize),
    /// A clause does not hold in one of the first steps.
    #[error("clause {clause} does not hold in step {step} of every run")]
    NotInitial {
        /// The clause.
        clause: usize,
        /// The step, from 0.
        step: usize,
    },
    /// All clauses hold for as many steps as they need, and then one does not.
    #[error("clause {clause} does not go on to hold")]
    NotInductive {
        /// The clause.
        clause: usize,
    },
    /// The clauses do not exclude what is claimed.
    #[error("bad {bad} is not excluded by the clauses")]
    NotExcluded {
        /// Its index.
        bad: usize,
    },
    /// The check did not come to its end.
    #[error("the check was stopped")]
    Stopped,
}

/// Does the invariant hold in every step of every run of the circuit, and is none of the bads ever true? Use another
/// engine than the one that found the invariant.
pub fn check(
    circuit: &Circuit,
    bads: &[Lit],
    invariant: &Invariant,
    engine: Engine,
    stop: &Stop,
) -> Result<(), CertificateError> {
    let lits = || invariant.clauses.iter().flatten().chain(bads).copied();
    if let Some(lit) = lits().find(|lit| lit.gate() as usize >= circuit.len()) {
        return Err(CertificateError::NoSuchGate(lit.gate()));
    }
    if !(1..=MOST_STEPS).contains(&invariant.k) {
        return Err(CertificateError::Steps(invariant.k));
    }
    let part = Part::new(circuit, lits());
    let fresh = || Solver::new(engine, stop);
    check_first_steps(&part, invariant, fresh())?;
    check_next_step(&part, invariant, fresh())?;
    check_exclusion(&part, bads, invariant, fresh())
}

/// All clauses hold in the first `k` steps.
fn check_first_steps(
    part: &Part<'_>,
    invariant: &Invariant,
    mut solver: Solver,
) -> Result<(), CertificateError> {
    let mut replica = part.replica(&mut solver, Start::Initial);
    for step in 0..invariant.k {
        if step > 0 {
            replica = part.replica(&mut solver, Start::After(&replica));
        }
        let clauses: Vec<Vec<Literal>> =
            invariant.clauses.iter().map(|clause| replica.clause(clause)).collect();
        all_hold(&mut solver, &clauses, |clause| CertificateError::NotInitial { clause, step })?;
    }
    Ok(())
}

/// When all clauses hold in `k` steps in a row, they hold in the next.
fn check_next_step(
    part: &Part<'_>,
    invariant: &Invariant,
    mut solver: Solver,
) -> Result<(), CertificateError> {
    let mut replica = part.replica(&mut solver, Start::Free);
    for _ in 0..invariant.k {
        invariant.clauses.iter().for_each(|clause| solver.add(&replica.clause(clause)));
        replica = part.replica(&mut solver, Start::After(&replica));
    }
    let clauses: Vec<Vec<Literal>> =
        invariant.clauses.iter().map(|clause| replica.clause(clause)).collect();
    all_hold(&mut solver, &clauses, |clause| CertificateError::NotInductive { clause })
}

/// Where all clauses hold, nothing bad does.
fn check_exclusion(
    part: &Part<'_>,
    bads: &[Lit],
    invariant: &Invariant,
    mut solver: Solver,
) -> Result<(), CertificateError> {
    let replica = part.replica(&mut solver, Start::Free);
    invariant.clauses.iter().for_each(|clause| solver.add(&replica.clause(clause)));
    let never: Vec<Vec<Literal>> = bads.iter().map(|bad| vec![!replica.literal(*bad)]).collect();
    all_hold(&mut solver, &never, |bad| CertificateError::NotExcluded { bad })
}

/// All clauses hold, or there is a fault with the first that does not. They are asked about together: one answer is
/// quicker than thousands.
fn all_hold(
    solver: &mut Solver,
    clauses: &[Vec<Literal>],
    fault: impl Fn(usize) -> CertificateError,
) -> Result<(), CertificateError> {
    let some_fails = solver.variable();
    let mut question = vec![!some_fails];
    for clause in clauses {
        let fails = solver.variable();
        for literal in clause {
            solver.add(&[!fails, !*literal]);
        }
        question.push(fails);
    }
    solver.add(&question);
    if refute(solver, &[some_fails], CertificateError::Stopped).is_ok() {
        return Ok(());
    }
    for (index, clause) in clauses.iter().enumerate() {
        refute(solver, &negated(clause), fault(index))?;
    }
    Err(CertificateError::Stopped)
}

/// These literals cannot hold together, or the fault is there.
fn refute(
    solver: &mut Solver,
    literals: &[Literal],
    fault: CertificateError,
) -> Result<(), CertificateError> {
    match solver.solve(literals, None) {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(fault),
        Answer::Unknown => Err(CertificateError::Stopped),
    }
}

fn negated(clause: &[Literal]) -> Vec<Literal> {
    clause.iter().map(|literal| !*literal).collect()
}
