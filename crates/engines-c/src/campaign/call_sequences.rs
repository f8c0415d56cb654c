//! Any number of calls: tests that call the function several times, and proofs that no call sequence covers a goal.
//!
//! A function with static state is a [transition system](CallSystem). Bounded model checking deepens call by call, so that the
//! shortest sequence comes first. What it does not find within a few calls goes to k-induction and IC3, first without any bound on the
//! surroundings, then under the bounds of the input model. The rest of the time goes to longer sequences.

use obligato_c_bmc::{CallCircuit, CallSystem, CallTarget, ClaimedCalls, MergeLimits, Reading};
use obligato_c_unit::interface::{Form, Interface};
use obligato_campaign::{EventId, Phase, Watcher};
use obligato_circuit::Lit;
use obligato_model::{Bound, Method, Proof, Undecided};
use obligato_prove::bmc::{BmcOutcome, BmcWitness};
use obligato_prove::candidates::{Hints, SimulationLimits};
use obligato_prove::ic3::{self, Ic3Limits, Ic3Outcome, Ic3Trace};
use obligato_prove::induction::{self, InductionLimits};
use obligato_prove::{Bmc, Candidates, Invariant, Start, Unrolling};
use obligato_solver::{Engine, Stop};
use obligato_symbolic::assumptions;

use super::FunctionCampaign;
use crate::call_proofs::{CallProof, CallProofCircuit, proof_of_formula};
use crate::call_targets::EventTarget;
use crate::findings::FunctionError;
use crate::request::FunctionUnderTest;

/// Proofs begin when no sequence of so many calls covers a goal.
const FIRST_DEPTH: usize = 6;
/// The conflicts for all sequences up to the first depth, and for each search of longer ones.
const SEARCH_WORK: u64 = 100_000;
/// The work units of all inductions together, and of one proof by IC3.
const INDUCTION_WORK: u64 = 200_000;
const IC3_WORK: u64 = 100_000;
/// The largest k; harder goals are left to IC3.
const MOST_INDUCTION: usize = 4;
const MOST_LEVELS: usize = 10_000;

/// A goal that no single call covers.
pub(super) struct Goal {
    pub(super) event: EventId,
    target: CallTarget,
    /// The bounds within which it was refuted, besides the number of calls.
    pub(super) others: Vec<Bound>,
    /// Does a run that reaches the target show it?
    is_exact: bool,
}

impl FunctionCampaign<'_, '_> {
    /// Searches for call sequences and proofs for the goals that were refuted within a number of steps.
    pub(super) fn search_call_sequences(
        &mut self,
        watcher: &mut dyn Watcher,
    ) -> Result<(), FunctionError> {
        let FunctionUnderTest { unit, interface, most_steps, .. } = self.request.subject;
        let is_steps = |bound: &Bound| matches!(bound, Bound::Steps(_));
        let bounded = self.ledger.within_bounds(is_steps);
        if bounded.is_empty() || self.is_over() {
            return Ok(());
        }
        let stop = self.budget.stop().clone();
        let limits = MergeLimits { stop: stop.clone(), ..MergeLimits::default() };
        let system = CallSystem::build(unit, interface, &limits, ClaimedCalls::Sequences);
        let Some(mut system) = system else { return Ok(()) };
        self.ledger.reopen(is_steps);
        self.enter(Phase::Bmc, watcher);
        let mut goals: Vec<Goal> = bounded
            .into_iter()
            .filter_map(|(event, bounds)| self.goal(&mut system, event, bounds))
            .collect();
        let targets: Vec<CallTarget> = goals.iter().map(|goal| goal.target.clone()).collect();
        let circuit = system.encode(&targets, Reading::Tests);
        let unrolling = Unrolling::new(&circuit.circuit, Engine::Cadical, Start::Initial, &stop);
        let mut search = Search { circuit: &circuit, bmc: Bmc::new(unrolling) };
        for (index, (goal, lit)) in goals.iter().zip(&circuit.targets).enumerate() {
            search.bmc.add_target(*lit);
            if !goal.is_exact {
                search.bmc.close(index);
            }
        }
        let deepest = most_steps.saturating_sub(1);
        self.deepen(&system, &mut search, &goals, FIRST_DEPTH.min(deepest), watcher)?;
        // Sequences that the system does not describe are not searched for by it.
        let searched = if system.is_exact() {
            0
        } else {
            self.ask_longer_formulas(&mut goals, most_steps, watcher)?
        };
        self.enter(Phase::Prove, watcher);
        self.prove_over_calls(&mut system, &goals, watcher)?;
        self.enter(Phase::Bmc, watcher);
        self.deepen(&system, &mut search, &goals, deepest, watcher)?;
        let calls = if system.is_exact() { search.bmc.depth() } else { searched };
        // A step that keeps a pointer may be followed by one with a pointer to something else; in a test both lead to the same object.
        if system.keeps_addresses() && points_to_objects(interface) {
            for goal in &mut goals {
                goal.others.push(Bound::SameObjects);
            }
        }
        self.close_within(&goals, calls);
        self.set_goals();
        self.reassess();
        Ok(())
    }

    pub(super) fn is_wanted(&self, event: EventId) -> bool {
        self.ledger.open_events().binary_search(&event).is_ok()
    }

    fn goal(
        &self,
        system: &mut CallSystem<'_>,
        event: EventId,
        mut others: Vec<Bound>,
    ) -> Option<Goal> {
        others.retain(|bound| !matches!(bound, Bound::Steps(_)));
        let asked = self.ledger.events().get(event);
        let EventTarget { target, is_exact } = self.targets().of(system, asked)?;
        Some(Goal { event, target, others, is_exact })
    }

    /// Searches for sequences up to a depth, shortest first.
    fn deepen(
        &mut self,
        system: &CallSystem<'_>,
        search: &mut Search<'_>,
        goals: &[Goal],
        deepest: usize,
        watcher: &mut dyn Watcher,
    ) -> Result<(), FunctionError> {
        loop {
            for (index, goal) in goals.iter().enumerate() {
                if !self.is_wanted(goal.event) && search.bmc.is_open(index) {
                    search.bmc.close(index);
                }
            }
            if self.is_over() {
                return Ok(());
            }
            watcher.watch(&self.status());
            let before = search.bmc.conflicts();
            let outcome = search.bmc.next(deepest, SEARCH_WORK);
            self.sequence_work += search.bmc.conflicts() - before + 1;
            let BmcOutcome::Found(BmcWitness { run, targets }) = outcome else { return Ok(()) };
            let test = system.test(search.circuit, &run.steps);
            tracing::debug!(calls = test.steps.len(), goals = targets.len(), "call sequence");
            let ran = self.execute_test(&test)?;
            self.record_run(ran)?;
            for (index, _) in targets {
                if self.is_wanted(goals[index].event) {
                    self.ledger.note_limit(goals[index].event, Undecided::NotReproduced);
                }
            }
        }
    }

    /// Proves goals uncoverable by any number of calls; those that need bounds are refuted within these. The bounds that one call
    /// needs are tried before all.
    fn prove_over_calls(
        &mut self,
        system: &mut CallSystem<'_>,
        goals: &[Goal],
        watcher: &mut dyn Watcher,
    ) -> Result<(), FunctionError> {
        self.prove_without_bounds(system, goals, watcher)?;
        let mut needed: Vec<Bound> = goals.iter().flat_map(|goal| goal.others.clone()).collect();
        needed.sort();
        needed.dedup();
        for mut assumed in [needed, system.bounds()] {
            let open: Vec<&Goal> = goals.iter().filter(|goal| self.is_wanted(goal.event)).collect();
            if open.is_empty() || assumed.is_empty() || self.is_over() {
                continue;
            }
            let proved = self.prove_within(system, &open, &assumed, watcher);
            let proved = open.into_iter().zip(proved).filter(|(_, method)| method.is_some());
            let open: Vec<&Goal> = proved.map(|(goal, _)| goal).collect();
            // A bound that no proof needs is dropped.
            for bound in assumed.clone() {
                if open.is_empty() || assumed.len() == 1 || self.is_over() {
                    break;
                }
                let fewer: Vec<Bound> =
                    assumed.iter().filter(|one| **one != bound).cloned().collect();
                if self.prove_within(system, &open, &fewer, watcher).iter().all(Option::is_some) {
                    assumed = fewer;
                }
            }
            for goal in open {
                self.ledger.refute_within(goal.event, assumed.clone());
            }
        }
        Ok(())
    }

    /// Proves goals uncoverable for every caller. All events are part of the circuit, so that it can be made again for a check.
    fn prove_without_bounds(
        &mut self,
        system: &mut CallSystem<'_>,
        goals: &[Goal],
        watcher: &mut dyn Watcher,
    ) -> Result<(), FunctionError> {
        let FunctionUnderTest { unit, interface, .. } = self.request.subject;
        let open: Vec<EventId> =
            goals.iter().map(|goal| goal.event).filter(|event| self.is_wanted(*event)).collect();
        if open.is_empty() || self.is_over() {
            return Ok(());
        }
        let circuit = CallProofCircuit::new(&self.targets(), system, self.ledger.events());
        let lits: Vec<Lit> = open.iter().filter_map(|event| circuit.lit(*event)).collect();
        let mut prover = Prover::new(&circuit.encoded, lits, self.budget.stop());
        let methods = prover.prove(&mut |done| {
            watcher.watch(&self.status());
            self.sequence_work += done;
            self.is_over()
        });
        let mut refuted = self.refuted_by_formula.clone();
        for (event, method) in open.into_iter().zip(methods) {
            let Some(method) = method else { continue };
            refuted.push(event);
            let proof = Proof { method, assumptions: assumptions(unit, interface) };
            self.refute(vec![(event, proof)])?;
        }
        // Only what an obligation rests on needs a certificate.
        let claimed = self.ledger.claimed_refutations();
        refuted.retain(|event| claimed.contains(event));
        self.call_proof = (!refuted.is_empty()).then(|| circuit.certify(&refuted, prover.known));
        Ok(())
    }

    /// The proofs that hold for every caller, as data.
    pub(super) fn proofs(&mut self) -> Vec<CallProof> {
        let claimed = self.ledger.claimed_refutations();
        let mut by_formula = std::mem::take(&mut self.refuted_by_formula);
        by_formula.retain(|event| claimed.contains(event));
        let proof = self.call_proof.take().or_else(|| proof_of_formula(&by_formula));
        proof.into_iter().collect()
    }

    /// Per goal, the method of a proof for any number of calls within these bounds.
    fn prove_within(
        &mut self,
        system: &mut CallSystem<'_>,
        goals: &[&Goal],
        assumed: &[Bound],
        watcher: &mut dyn Watcher,
    ) -> Vec<Option<Method>> {
        let targets: Vec<CallTarget> = goals.iter().map(|goal| goal.target.clone()).collect();
        let circuit = system.encode(&targets, Reading::Claims(assumed));
        let lits = circuit.targets.clone();
        let mut prover = Prover::new(&circuit, lits, self.budget.stop());
        prover.prove(&mut |done| {
            watcher.watch(&self.status());
            self.sequence_work += done;
            self.is_over()
        })
    }

    /// Refutes what is left within the number of calls that were searched.
    fn close_within(&mut self, goals: &[Goal], calls: usize) {
        for goal in goals {
            if self.is_wanted(goal.event) && self.ledger.limit_of(goal.event).is_none() {
                let mut bounds = vec![Bound::Steps(calls.max(1) as u64)];
                bounds.extend(goal.others.iter().cloned());
                bounds.sort();
                self.ledger.refute_within(goal.event, bounds);
            }
        }
    }
}

/// Is a function given pointers to objects of the test?
fn points_to_objects(interface: &Interface) -> bool {
    interface.inputs.iter().any(|cell| match &cell.form {
        Form::Pointer(targets) => targets.iter().any(|target| target.to.object().is_some()),
        _ => false,
    })
}

/// A search for call sequences.
struct Search<'s> {
    circuit: &'s CallCircuit,
    bmc: Bmc<'s>,
}

/// Proves targets of a circuit unreachable.
struct Prover<'c> {
    circuit: &'c CallCircuit,
    targets: Vec<Lit>,
    known: Invariant,
    trace: Ic3Trace,
    stop: Stop,
}

impl<'c> Prover<'c> {
    fn new(circuit: &'c CallCircuit, targets: Vec<Lit>, stop: &Stop) -> Self {
        let (known, trace) = (Invariant::new(), Ic3Trace::new());
        Self { circuit, targets, known, trace, stop: stop.clone() }
    }

    /// Per target, the method of its proof, if there is one. `is_over` is told the work since it was last asked.
    fn prove(&mut self, is_over: &mut dyn FnMut(u64) -> bool) -> Vec<Option<Method>> {
        let circuit = &self.circuit.circuit;
        let mut methods = self.induct(is_over);
        let open = methods.iter().filter(|method| method.is_none()).count();
        tracing::debug!(targets = self.targets.len(), open, "induction over calls");
        for (target, method) in self.targets.iter().zip(&mut methods) {
            if method.is_some() {
                continue;
            }
            let limits = Ic3Limits { work: IC3_WORK, levels: MOST_LEVELS, stop: self.stop.clone() };
            let (outcome, done) =
                ic3::prove_on(circuit, *target, &self.known, &mut self.trace, &limits);
            if let Ic3Outcome::Proved(invariant) = outcome {
                self.known.extend(invariant);
                *method = Some(Method::Invariant);
            }
            if is_over(done) {
                break;
            }
        }
        methods
    }

    fn induct(&mut self, is_over: &mut dyn FnMut(u64) -> bool) -> Vec<Option<Method>> {
        let CallCircuit { circuit, words, .. } = self.circuit;
        let hints = Hints { words: words.clone(), runs: &[] };
        let limits = SimulationLimits::default();
        let candidates = Candidates::from_simulation(circuit, &self.targets, &hints, &limits);
        let limits = InductionLimits {
            most_k: MOST_INDUCTION,
            work: INDUCTION_WORK,
            hard: INDUCTION_WORK / 10,
            stop: self.stop.clone(),
        };
        let proved = induction::prove(circuit, &self.targets, &candidates, &self.known, &limits);
        self.known = proved.invariant;
        is_over(proved.work);
        let depth = |k: usize| Method::Induction(u32::try_from(k).unwrap_or(u32::MAX));
        proved.proved.into_iter().map(|k| k.map(depth)).collect()
    }
}
