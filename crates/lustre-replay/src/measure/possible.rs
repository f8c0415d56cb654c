//! Which stuck conditions can possibly be observed, without running them.
//!
//! Running a test once per stuck condition costs a simulation each, and most conditions cannot
//! be seen in most tests. So first the differences that a fault could make are followed through
//! the values of the run as it is, one bit per fault: a node can differ only if an operand
//! can, and where the operator is decided by an operand, only if that one can. Two operands that can
//! both differ may do so together, so the result over-approximates: a fault that
//! is not possible changes nothing observed, the others have to be run.

use obligato_transition_system::lanes::{Mask, WORDS, contains};
use obligato_transition_system::{Binary, Error, Graph, NodeId, System, TapId, Term};
use rustc_hash::FxHashMap;

use super::marking::{add, and, not, or};
use super::readings::{Readings, Slot};

type Lanes = Mask<WORDS>;

/// How differences get to a node; operands by position.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Never: a constant or an input.
    Never,
    /// As they were held by a latch.
    Held(u32),
    /// From the operand; and a fault may be here.
    Tap(TapId, u32, Slot),
    /// From the operand.
    From(u32),
    /// From either operand.
    Either(u32, u32),
    /// From either while neither decides; both have to where both do. The Booleans are the values
    /// of the operands, and `decides` is the value that decides.
    Junction { operands: [u32; 2], values: [Slot; 2], decides: bool },
    /// From the taken arm; from the test if the other arm is or may become different.
    Choice { operands: [u32; 3], test: Slot, equal: Slot },
}

/// The rules of a system, operands before results.
#[derive(Clone, Debug)]
pub struct Possible {
    rules: Vec<Rule>,
    observed: Vec<u32>,
    /// What a latch will hold, by latch of the system.
    next: Vec<Option<u32>>,
}

/// The faults of a chunk, by tap: the lanes that have it there, and those in which the tap is true.
pub type Forced = FxHashMap<TapId, (Lanes, Lanes)>;

impl Possible {
    /// The rules for what is observed. The Booleans they ask for are added to `readings`, and
    /// those that the graph lacks to the graph.
    pub fn new(
        system: &mut System,
        observed: &[NodeId],
        readings: &mut Readings,
    ) -> Result<Self, Error> {
        let reached = system.cone(observed);
        let nodes = system.graph.nodes();
        let cone: Vec<NodeId> = nodes.filter(|node| reached[node.index()]).collect();
        let places: FxHashMap<NodeId, u32> =
            cone.iter().enumerate().map(|(at, node)| (*node, at as u32)).collect();
        let at = |node: NodeId| places[&node];
        let mut rules = Vec::with_capacity(cone.len());
        for node in &cone {
            rules.push(rule(&mut system.graph, *node, &at, readings)?);
        }
        let next = system.latches.iter().map(|latch| places.get(&latch.next).copied()).collect();
        Ok(Self { rules, observed: observed.iter().map(|node| at(*node)).collect(), next })
    }

    /// The faults, by lane, that can be seen in the run of one test. `rows` are the readings of
    /// its steps, in which it has a lane; `force` makes the faults those that are there in a step.
    pub fn seen(
        &self,
        rows: &[Vec<Lanes>],
        lane: usize,
        force: impl Fn(usize, &mut Forced),
    ) -> Lanes {
        let mut forced = Forced::default();
        let mut differs = vec![[0; WORDS]; self.rules.len()];
        let mut held = vec![[0; WORDS]; self.next.len()];
        let mut seen = [0; WORDS];
        for (step, row) in rows.iter().enumerate() {
            force(step, &mut forced);
            let holds = |slot: Slot| contains(&row[slot as usize], lane);
            for (at, rule) in self.rules.iter().enumerate() {
                let of = |place: u32| differs[place as usize];
                differs[at] = match *rule {
                    Rule::Never => [0; WORDS],
                    Rule::Held(latch) => held[latch as usize],
                    Rule::From(a) => of(a),
                    Rule::Either(a, b) => or(of(a), of(b)),
                    Rule::Tap(tap, a, value) => match forced.get(&tap) {
                        None => of(a),
                        Some((here, is_true)) => {
                            let turned = if holds(value) { not(*is_true) } else { *is_true };
                            or(and(of(a), not(*here)), and(turned, *here))
                        }
                    },
                    Rule::Junction { operands: [a, b], values, decides } => {
                        match values.map(|slot| holds(slot) == decides) {
                            [false, false] => or(of(a), of(b)),
                            [false, true] => of(b),
                            [true, false] => of(a),
                            [true, true] => and(of(a), of(b)),
                        }
                    }
                    Rule::Choice { operands: [test, first, second], test: slot, equal } => {
                        let (taken, other) =
                            if holds(slot) { (first, second) } else { (second, first) };
                        let other = if holds(equal) { of(other) } else { [u64::MAX; WORDS] };
                        or(of(taken), and(of(test), other))
                    }
                };
            }
            for observed in &self.observed {
                add(&mut seen, differs[*observed as usize]);
            }
            for (held, next) in held.iter_mut().zip(&self.next) {
                *held = next.map_or([0; WORDS], |next| differs[next as usize]);
            }
        }
        seen
    }
}

fn rule(
    graph: &mut Graph,
    node: NodeId,
    at: &impl Fn(NodeId) -> u32,
    readings: &mut Readings,
) -> Result<Rule, Error> {
    Ok(match graph.term(node) {
        Term::Constant(_) | Term::Input(_) => Rule::Never,
        Term::Latch(index) => Rule::Held(index),
        Term::Tap(tap, a) => Rule::Tap(tap, at(a), readings.slot(node)),
        Term::Unary(_, a) => Rule::From(at(a)),
        Term::Binary(operation @ (Binary::And | Binary::Or), a, b) => Rule::Junction {
            operands: [at(a), at(b)],
            values: [readings.slot(a), readings.slot(b)],
            decides: operation == Binary::Or,
        },
        Term::Binary(_, a, b) => Rule::Either(at(a), at(b)),
        Term::Ite(test, first, second) => {
            let equal = graph.equal(first, second)?;
            Rule::Choice {
                operands: [at(test), at(first), at(second)],
                test: readings.slot(test),
                equal: readings.slot(equal),
            }
        }
    })
}
