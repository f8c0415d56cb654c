//! A C function with static state as a transition system: one call is a step.
//!
//! The words of state variables are latches, parameters and results of stubs are inputs, and the merged formula of one call gives
//! the next state. The engines for transition systems then search for call sequences of any length, and prove that none exists.
//!
//! A circuit of the system has one of two [readings](Reading). For tests it under-approximates: a path that leaves what the
//! formula describes ends the run. For claims it over-approximates: such a path may reach the target at once, and continues in any
//! state. A latch that may hold the address of an object which a call creates or a caller passes is unconstrained in each step: an
//! address in the next step need not be the same object.

use obligato_bv_solver::TermBits;
use obligato_c_unit::{Interface, Unit};
use obligato_campaign::Event;
use obligato_circuit::{Circuit, Gate, Lit};
use obligato_model::{Bound, TestCase};
use obligato_symbolic::InputVariables;
use obligato_term::{Assignment, Node, Term, VariableId};
use rustc_hash::FxHashSet;

use crate::cut::Cut;
use crate::engine::{Engine, MergeLimits};
use crate::events::EventTerms;
use crate::initial::{LatchWord, ONE_STEP, StateStart};
use crate::setup::{Setup, view};
use crate::steps::{StepsEnd, run_steps};

/// One call of a function, from any state.
pub struct CallSystem<'u> {
    unit: &'u Unit,
    interface: &'u Interface,
    engine: Engine<'u>,
    inputs: InputVariables,
    /// What holds of inputs, as far as bounds say.
    constraints: Vec<Term>,
    events: EventTerms,
    words: Vec<StateWord>,
    /// One bit: does the call return?
    returns: Term,
}

/// A word of a state variable, before and after a call.
struct StateWord {
    latch: LatchWord,
    after: Term,
    /// May it hold the address of an object that is another one in the next step?
    holds_address: bool,
}

/// An event as a target of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallTarget {
    event: Term,
    /// The cuts beyond which it may happen, by position.
    cuts: Vec<usize>,
}

/// What a circuit of the system says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading<'b> {
    /// The runs of tests within all bounds, and no others: for witnesses.
    Tests,
    /// All runs of any number of calls within these bounds: for claims about them.
    Claims(&'b [Bound]),
}

/// A circuit of the system.
#[derive(Clone, Debug)]
pub struct CallCircuit {
    /// The circuit.
    pub circuit: Circuit,
    /// Per target, its literal.
    pub targets: Vec<Lit>,
    /// The bits of the variables of inputs.
    inputs: Vec<(VariableId, Vec<Lit>)>,
    /// The latches of each word, for candidate invariants.
    pub words: Vec<Vec<u32>>,
    /// The names of the latches, in order.
    pub latch_names: Vec<String>,
}

/// What claims about a system are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimedCalls {
    /// Sequences of calls from the initial state on. A call within a call finds the state that the outer one has at that place, which no
    /// state between calls may be.
    Sequences,
    /// Single calls, from any state: those within other calls are such.
    Single,
}

impl<'u> CallSystem<'u> {
    /// Builds the formula of one call. `None` if the unit does not have the function.
    pub fn build(
        unit: &'u Unit,
        interface: &'u Interface,
        limits: &MergeLimits,
        claimed: ClaimedCalls,
    ) -> Option<Self> {
        let Setup { mut engine, inputs, constraints, layout, call } =
            Setup::new(unit, interface, 1, limits)?;
        engine.claimed_calls = claimed;
        let view = view(unit, interface, &layout);
        let ended = run_steps(&mut engine, call, &view, &inputs, StateStart::Latches);
        let (words, returns) = after_call(&mut engine, &ended);
        tracing::debug!(
            terms = engine.terms.len(),
            cuts = engine.cuts.len(),
            words = words.len(),
            "transition system"
        );
        let events = EventTerms::new(&engine);
        Some(Self { unit, interface, engine, inputs, constraints, events, words, returns })
    }

    /// The target of an event. `None` if the code has no point for it.
    pub fn target(&mut self, event: &Event, matters: &dyn Fn(&Cut) -> bool) -> Option<CallTarget> {
        let (program, folded) = (self.unit.program(), self.unit.folded());
        let by_steps = self.events.event(&mut self.engine, program, folded, event)?;
        let event = self.engine.terms.any(by_steps.into_values());
        let cuts = self.engine.cuts.iter().enumerate();
        let cuts = cuts.filter(|(_, cut)| matters(cut)).map(|(at, _)| at).collect();
        Some(CallTarget { event, cuts })
    }

    /// The target that one of two events happens.
    pub fn either(&mut self, one: &CallTarget, other: &CallTarget) -> CallTarget {
        let event = self.engine.terms.or(one.event, other.event);
        let cuts = one.cuts.iter().chain(&other.cuts).copied().collect();
        CallTarget { event, cuts }
    }

    /// The circuit for some targets.
    pub fn encode(&mut self, targets: &[CallTarget], reading: Reading<'_>) -> CallCircuit {
        let mut bits = TermBits::new(Circuit::new());
        let alive = bits.gates.latch(true);
        let mut words = Vec::new();
        let mut latch_names = vec!["goes on".to_owned()];
        for word in &self.words {
            let width = self.engine.terms.width(word.latch.start);
            let is_latch = reading == Reading::Tests || !word.holds_address;
            let lits: Vec<Lit> = (0..width)
                .map(|bit| {
                    if is_latch {
                        bits.gates.latch(word.latch.initial >> bit & 1 == 1)
                    } else {
                        bits.gates.input()
                    }
                })
                .collect();
            bits.define(&self.engine.terms, word.latch.start, &lits);
            if is_latch {
                words.push(lits.iter().map(|lit| lit.gate()).collect());
                let global = &self.engine.module.globals[word.latch.object as usize - 1].name;
                let offset = word.latch.offset;
                let name = |bit: u8| format!("{global}+{offset}.{bit}");
                latch_names.extend((0..width).map(name));
            }
        }
        self.define_literals(&mut bits, reading);
        let left = self.leaves_description(&mut bits, reading);
        for constraint in &self.constraints {
            let holds = bits.of(&self.engine.terms, *constraint)[0];
            bits.gates.constrain(holds);
        }
        let targets = targets
            .iter()
            .map(|target| {
                let mut reached = bits.of(&self.engine.terms, target.event)[0];
                for cut in &target.cuts {
                    reached = bits.gates.or(reached, left[*cut]);
                }
                bits.gates.and(alive, reached)
            })
            .collect();
        self.set_next_state(&mut bits, alive, &left);
        let inputs = self.input_bits(&mut bits);
        let circuit = bits.gates;
        CallCircuit { circuit, targets, inputs, words, latch_names }
    }

    /// Gives the literals of bounds their values. The others are inputs, so that a bound need not hold.
    fn define_literals(&self, bits: &mut TermBits<Circuit>, reading: Reading<'_>) {
        for (bound, literal) in self.engine.bounds.all() {
            let value = match reading {
                Reading::Tests => Lit::TRUE,
                Reading::Claims(_) if *bound == ONE_STEP => Lit::FALSE,
                Reading::Claims(assumed) if assumed.contains(bound) => Lit::TRUE,
                Reading::Claims(_) => continue,
            };
            bits.define(&self.engine.terms, literal, &[value]);
        }
    }

    /// Do circuits for tests have all runs of tests? They lack those that leave what the formula describes.
    pub fn is_exact(&self) -> bool {
        self.engine.cuts.is_empty() && !self.keeps_addresses()
    }

    /// May a latch hold the address of an object that is another one in the next step?
    pub fn keeps_addresses(&self) -> bool {
        self.words.iter().any(|word| word.holds_address)
    }

    /// The bounds that matter to the system, without the number of calls.
    pub fn bounds(&self) -> Vec<Bound> {
        let bounds = self.engine.bounds.all().map(|(bound, _)| bound.clone());
        bounds.filter(|bound| *bound != ONE_STEP).collect()
    }

    /// Per cut, the literal that a run leaves there what the formula describes.
    fn leaves_description(
        &mut self,
        bits: &mut TermBits<Circuit>,
        reading: Reading<'_>,
    ) -> Vec<Lit> {
        if reading == Reading::Tests {
            return vec![Lit::FALSE; self.engine.cuts.len()];
        }
        let mut left = Vec::with_capacity(self.engine.cuts.len());
        for cut in &self.engine.cuts {
            let guard = bits.of(&self.engine.terms, cut.guard)[0];
            let literal = cut.bound().and_then(|bound| self.engine.bounds.known(bound));
            left.push(match literal {
                Some(literal) => {
                    let within = bits.of(&self.engine.terms, literal)[0];
                    bits.gates.and(guard, !within)
                }
                None => guard,
            });
        }
        left
    }

    /// The next value of each latch: what the call leaves, or anything if it left what the formula describes.
    fn set_next_state(&self, bits: &mut TermBits<Circuit>, alive: Lit, left: &[Lit]) {
        let returns = bits.of(&self.engine.terms, self.returns)[0];
        let left = bits.gates.any(left.iter().copied());
        let goes_on = bits.gates.or(returns, left);
        let next = bits.gates.and(alive, goes_on);
        let mut index = 0;
        bits.gates.set_next(index, next);
        for word in &self.words {
            let starts = bits.known(&self.engine.terms, word.latch.start).to_vec();
            let is_latch = starts
                .first()
                .is_some_and(|lit| matches!(bits.gates.gate(lit.gate()), Gate::Latch(_)));
            if !is_latch {
                continue;
            }
            let after = bits.of(&self.engine.terms, word.after).to_vec();
            for (start, after) in starts.into_iter().zip(after) {
                index += 1;
                debug_assert_eq!(bits.gates.latches()[index].gate, start.gate(), "in order");
                let next = if left == Lit::FALSE {
                    after
                } else {
                    let anything = bits.gates.input();
                    bits.gates.choose(left, anything, after)
                };
                bits.gates.set_next(index, next);
            }
        }
    }

    fn input_bits(&self, bits: &mut TermBits<Circuit>) -> Vec<(VariableId, Vec<Lit>)> {
        let variables: Vec<Term> = bits.variables().to_vec();
        let with_bits = variables.into_iter().filter_map(|term| {
            let Node::Variable(variable) = self.engine.terms.node(term) else { return None };
            Some((variable, bits.known(&self.engine.terms, term).to_vec()))
        });
        with_bits.collect()
    }

    /// The test of a run of a circuit: the values of its inputs, call by call.
    pub fn test(&self, circuit: &CallCircuit, steps: &[Vec<bool>]) -> TestCase {
        let step = |inputs: &Vec<bool>| {
            let mut assignment = Assignment::default();
            for (variable, bits) in &circuit.inputs {
                let value = bits.iter().rev().fold(0, |value: u128, bit| {
                    value << 1 | u128::from(is_set(&circuit.circuit, inputs, *bit))
                });
                assignment.set(*variable, value);
            }
            self.inputs.test(self.interface, &assignment, "found").steps
        };
        TestCase { name: "found".to_owned(), steps: steps.iter().flat_map(step).collect() }
    }
}

/// The value of an input bit in a step.
fn is_set(circuit: &Circuit, inputs: &[bool], bit: Lit) -> bool {
    match circuit.gate(bit.gate()) {
        Gate::Input(index) => inputs[index as usize] != bit.is_negated(),
        _ => bit == Lit::TRUE,
    }
}

/// The words of the state after a call, and the bit that it returns.
fn after_call(engine: &mut Engine<'_>, ended: &StepsEnd) -> (Vec<StateWord>, Term) {
    let latches = engine.latches.clone();
    let Some(shared) = &ended.last else {
        let never = engine.terms.bit(false);
        let kept = latches.into_iter().map(|latch| StateWord {
            latch,
            after: latch.start,
            holds_address: false,
        });
        return (kept.collect(), never);
    };
    let mut words = Vec::with_capacity(latches.len());
    let first = engine.module.first_free_object().0;
    let mut seen = FxHashSet::default();
    for latch in latches {
        let bytes = shared.memory.get(latch.object).map(|object| object.bytes.clone());
        let after = match bytes {
            Some(bytes) => {
                let held = bytes.load(&mut engine.terms, latch.offset, latch.length);
                let offset = engine.terms.constant(latch.offset as u128, 64);
                engine.loosened(shared, latch.object, offset, held)
            }
            None => latch.start,
        };
        let holds_address = mentions_address(engine, after, first, &mut seen);
        words.push(StateWord { latch, after, holds_address });
    }
    (words, shared.guard.term())
}

/// Does a term depend on the address of an object from this number on? `seen` are terms that do not.
fn mentions_address(
    engine: &Engine<'_>,
    term: Term,
    first: u32,
    seen: &mut FxHashSet<Term>,
) -> bool {
    let mut todo = vec![term];
    let mut visited = Vec::new();
    while let Some(next) = todo.pop() {
        if !seen.insert(next) {
            continue;
        }
        visited.push(next);
        let node = engine.terms.node(next);
        if let Node::Constant(value) = node
            && ((value >> 32) as u32) >= first
            && value >> 64 == 0
            && ((value >> 32) as u32) < engine.next_object
        {
            // Terms above it depend on an address too.
            for one in visited {
                seen.remove(&one);
            }
            return true;
        }
        todo.extend(node.operands());
    }
    false
}
