//! Incremental generation (You et al., "Efficient Observability-based Test Generation by Dynamic Symbolic
//! Execution", section III).
//!
//! A test grows step by step. From a concrete state, one query asks for a step that propagates the effect of a
//! condition to an output, or else into latches that it has not visited; the step is simulated; and so
//! on from there. Each query is about one step from a concrete state, so it is cheap, and learned clauses
//! serve all queries.
//!
//! [`Propagation`] is the paper's structure. `l_observable` are the prophecy inputs of the circuit,
//! `x_observed` its predicted literals; both were built once for all conditions.
//!
//! Beyond the paper, this looks ahead several steps; it backtracks to earlier states
//! with the inputs since then free (the paper's section VIII); and it backtracks to other latches.

use obligato_circuit::{Gate, Lit, simulation};
use obligato_prove::run::{evaluate, initial_state, next_state};
use obligato_prove::{Run, Start, Unrolling};
use obligato_solver::{Answer, Stop};

use crate::query::Query;

/// An effect being propagated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Propagation {
    /// A literal that holds where the condition has its value and the effect is observed.
    pub tag: Lit,
    /// The state that the test leads to, bit by bit.
    pub state: Vec<bool>,
    /// The latches that hold the effect, by their position among the prophecies; nothing before the
    /// condition was evaluated.
    pub locations: Vec<usize>,
    /// The latches that have held it.
    pub visited: Vec<bool>,
    /// The inputs so far.
    pub test: Run,
}

/// The goal of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Towards {
    Outputs,
    Latches,
}

/// The result for an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It reaches an output at the end of this test.
    Arrived(Run),
    /// No propagation was found in so many attempts; this proves nothing.
    Stuck,
    /// The stop was requested.
    Ended,
}

/// Limits of the propagation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropagationLimits {
    /// The most steps solved together where one is not enough.
    pub look_ahead: usize,
    /// The most backtracks.
    pub backtracks: usize,
    /// The most conflicts of one query.
    pub conflicts: u64,
}

/// Generates tests for the effects of conditions, one effect at a time.
#[derive(Debug)]
pub struct Incremental<'q> {
    query: &'q Query,
    /// One step from any state, without prophecies.
    single: Unrolling<'q>,
    /// Several steps from any state, with prophecies.
    ahead: Unrolling<'q>,
    limits: PropagationLimits,
}

impl<'q> Incremental<'q> {
    /// For the effects that a query asks for.
    pub fn new(query: &'q Query, limits: PropagationLimits, stop: &Stop) -> Self {
        let mut single = query.unrolling(Start::Free, stop);
        single.push();
        // Every step is executed from a whole state.
        for latch in query.encoding.circuit.latches() {
            single.literal(0, Lit::of(latch.gate));
        }
        let ahead = query.unrolling(Start::Free, stop).with_prophecies(&query.prophecies);
        Self { query, single, ahead, limits }
    }

    /// The conflicts spent so far.
    pub fn conflicts(&mut self) -> u64 {
        self.single.solver().conflicts() + self.ahead.solver().conflicts()
    }

    /// An effect that is still to be caused, in the initial state.
    pub fn start(&self, tag: Lit) -> Propagation {
        let state = initial_state(&self.query.encoding.circuit);
        self.start_after(tag, Run::default(), state)
    }

    /// An effect that is still to be caused, after a test that leads to a state.
    pub fn start_after(&self, tag: Lit, test: Run, state: Vec<bool>) -> Propagation {
        let visited = vec![false; self.query.prophecies.len()];
        Propagation { tag, state, locations: Vec::new(), visited, test }
    }

    /// Takes an effect to an output (algorithm 1).
    pub fn generate(&mut self, start: Propagation) -> Arrival {
        let mut way = vec![start];
        for _ in 0..=self.limits.backtracks {
            loop {
                let here = way.last().expect("invariant: the start is never left");
                match self.solve(here, Towards::Outputs) {
                    Ok(Some(inputs)) => return Arrival::Arrived(extended(here, inputs)),
                    Ok(None) => {}
                    Err(Stopped) => return Arrival::Ended,
                }
                match self.solve(here, Towards::Latches) {
                    Ok(Some(inputs)) => {
                        let next = self.propagate(here, inputs);
                        way.push(next);
                    }
                    Ok(None) => break,
                    Err(Stopped) => return Arrival::Ended,
                }
            }
            // Stuck here: first the steps from here on together, then those since earlier states.
            for (back, from) in way.iter().rev().enumerate().take(self.limits.look_ahead) {
                match self.look_ahead(from, back + 1) {
                    Ok(Some(run)) => return Arrival::Arrived(run),
                    Ok(None) => {}
                    Err(Stopped) => return Arrival::Ended,
                }
            }
            // Another way: what the last step led to counts as visited from the state before.
            let Some(dead) = way.pop().filter(|_| !way.is_empty()) else { break };
            let before = way.last_mut().expect("invariant: the start is never left");
            for location in dead.locations {
                before.visited[location] = true;
            }
        }
        Arrival::Stuck
    }

    /// Inputs for one step that take the effect on (algorithm 2).
    fn solve(&mut self, at: &Propagation, towards: Towards) -> Result<Option<Vec<bool>>, Stopped> {
        let sources = self.sources(at);
        let asks = self.single.solver().variable();
        let mut clause = vec![!asks];
        for source in sources {
            clause.push(self.single.literal(0, source));
        }
        self.single.solver().add(&clause);
        let mut assumptions = self.single.begins_in(&at.state);
        for (position, prophecy) in self.query.prophecies.iter().enumerate() {
            let observable = towards == Towards::Latches && !at.visited[position];
            let literal = self.single.literal(0, Lit::of(prophecy.input));
            assumptions.push(literal.negated_if(!observable));
        }
        assumptions.push(asks);
        let answer = self.single.solve(&assumptions, Some(self.limits.conflicts));
        let inputs = (answer == Answer::Sat).then(|| self.single.run(0).steps.remove(0));
        self.single.solver().add(&[!asks]);
        answered(answer).map(|()| inputs)
    }

    /// The rest of a test, solved in several steps at once: at least `least` of them.
    fn look_ahead(&mut self, at: &Propagation, least: usize) -> Result<Option<Run>, Stopped> {
        for steps in least..=self.limits.look_ahead.max(least) {
            while self.ahead.steps() < steps {
                self.ahead.push();
            }
            let asks = self.ahead.solver().variable();
            let mut clause = vec![!asks];
            for source in self.sources(at) {
                clause.push(self.ahead.literal(0, source));
            }
            self.ahead.solver().add(&clause);
            let mut assumptions = self.ahead.begins_in(&at.state);
            assumptions.extend(self.ahead.horizon(steps - 1));
            assumptions.push(asks);
            let answer = self.ahead.solve(&assumptions, Some(self.limits.conflicts));
            let found = (answer == Answer::Sat).then(|| self.ahead.run(steps - 1));
            self.ahead.solver().add(&[!asks]);
            answered(answer)?;
            if let Some(found) = found {
                let mut run = at.test.clone();
                run.steps.extend(found.steps);
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// Executes a step, and follows the effect into latches (algorithm 3). A latch holds it
    /// afterwards if the effect were seen with this latch as the only place to see it.
    pub fn propagate(&self, at: &Propagation, inputs: Vec<bool>) -> Propagation {
        let circuit = &self.query.encoding.circuit;
        let sources = self.sources(at);
        let mut next = at.clone();
        next.locations.clear();
        for first in (0..self.query.prophecies.len()).step_by(64) {
            let reached = self.seen_from(&sources, &at.state, &inputs, first);
            let prophecies = first..self.query.prophecies.len().min(first + 64);
            next.locations
                .extend(prophecies.filter(|prophecy| reached >> (prophecy - first) & 1 == 1));
        }
        next.locations.retain(|prophecy| !at.visited[*prophecy]);
        for location in &next.locations {
            next.visited[*location] = true;
        }
        next.state = next_state(circuit, &evaluate(circuit, &at.state, &inputs));
        next.test.steps.push(inputs);
        next
    }

    /// For 64 prophecies from `first` on, a bit each: is some source seen if only this latch is looked at?
    fn seen_from(&self, sources: &[Lit], state: &[bool], inputs: &[bool], first: usize) -> u64 {
        let circuit = &self.query.encoding.circuit;
        let all = |value: bool| if value { u64::MAX } else { 0 };
        let mut inputs: Vec<u64> = inputs.iter().map(|value| all(*value)).collect();
        for (position, prophecy) in self.query.prophecies.iter().enumerate() {
            if let Gate::Input(index) = circuit.gate(prophecy.input) {
                let lane = position.checked_sub(first).filter(|lane| *lane < 64);
                inputs[index as usize] = lane.map_or(0, |lane| 1 << lane);
            }
        }
        let values =
            simulation::evaluate(circuit, |latch| all(state[latch]), |input| inputs[input]);
        sources.iter().fold(0, |seen, source| seen | simulation::value(&values, *source))
    }

    /// The literals one of which has to hold for the effect to go on.
    fn sources(&self, at: &Propagation) -> Vec<Lit> {
        if at.locations.is_empty() {
            return vec![at.tag];
        }
        at.locations.iter().map(|position| self.query.prophecies[*position].predicts).collect()
    }
}

/// A query was not answered.
struct Stopped;

fn answered(answer: Answer) -> Result<(), Stopped> {
    match answer {
        Answer::Unknown => Err(Stopped),
        Answer::Sat | Answer::Unsat => Ok(()),
    }
}

fn extended(at: &Propagation, inputs: Vec<bool>) -> Run {
    let mut run = at.test.clone();
    run.steps.push(inputs);
    run
}
