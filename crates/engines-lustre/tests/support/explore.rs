//! All that a small system can do: every reachable state, every input, one by one.
//!
//! Meant to be obviously right: breadth-first, with the exact evaluator. What is never true here
//! cannot be covered by any test.

use std::collections::{HashSet, VecDeque};

use obligato_model::{Integer, Type, Value};
use obligato_transition_system::{Evaluator, NodeId, System, sort};

use super::{holds, is_inside};

/// What the reachable steps of a system have shown.
pub struct Explored {
    ever: Vec<bool>,
    /// How many states there are.
    pub states: usize,
}

impl Explored {
    /// Is the node a Boolean that holds in some reachable step within the assertions?
    pub fn is_ever(&self, node: NodeId) -> bool {
        self.ever[node.index()]
    }
}

/// Takes every step of a system; `None` if its inputs are not few, or its states more than so many.
pub fn explore(system: &System, most_states: usize, most_inputs: usize) -> Option<Explored> {
    explore_from(system, vec![system.initial_state()], most_states, most_inputs)
}

/// The same for every value of what nothing defines.
pub fn explore_undefined(
    system: &System,
    most_states: usize,
    most_inputs: usize,
) -> Option<Explored> {
    let mut starts = vec![system.initial_state()];
    for latch in system.unguarded() {
        let kind = &system.latches[latch].kind;
        let values = values_of(kind, most_inputs)?;
        let values: Vec<Value> =
            values.iter().map(|value| sort::encode(kind, value)).collect::<Option<_>>()?;
        let each = |start: Vec<Value>| {
            values.clone().into_iter().map(move |value| {
                let mut start = start.clone();
                start[latch] = value;
                start
            })
        };
        starts = starts.into_iter().flat_map(each).collect();
    }
    explore_from(system, starts, most_states, most_inputs)
}

fn explore_from(
    system: &System,
    starts: Vec<Vec<Value>>,
    most_states: usize,
    most_inputs: usize,
) -> Option<Explored> {
    let inputs = all_inputs(system, most_inputs)?;
    let mut never: Vec<NodeId> = system.graph.nodes().collect();
    let mut known: HashSet<Vec<Value>> = starts.iter().cloned().collect();
    let mut open = VecDeque::from(starts);
    while let Some(state) = open.pop_front() {
        for inputs in &inputs {
            let mut evaluator = Evaluator::from_state(system, state.clone()).ok()?;
            evaluator.step(inputs).ok()?;
            if !is_inside(system, &evaluator) {
                continue;
            }
            never.retain(|node| !holds(&evaluator, *node));
            if known.insert(evaluator.state().to_vec()) {
                if known.len() > most_states {
                    return None;
                }
                open.push_back(evaluator.state().to_vec());
            }
        }
    }
    let mut ever = vec![true; system.graph.len()];
    for node in never {
        ever[node.index()] = false;
    }
    Some(Explored { ever, states: known.len() })
}

/// Every combination of the inputs' values, if there are at most so many.
fn all_inputs(system: &System, most: usize) -> Option<Vec<Vec<Value>>> {
    let mut all = vec![Vec::new()];
    for input in &system.inputs {
        let values = values_of(&input.kind, most)?;
        if all.len() * values.len() > most {
            return None;
        }
        let longer = |start: Vec<Value>| {
            values.iter().map(move |value| [start.clone(), vec![value.clone()]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    Some(all)
}

fn values_of(kind: &Type, most: usize) -> Option<Vec<Value>> {
    match kind {
        Type::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Type::Enumeration(names) => Some(names.iter().cloned().map(Value::Symbol).collect()),
        _ => {
            let (low, high) = kind.bounds()?;
            let count = usize::try_from(&(high - &low)).ok().filter(|count| *count < most)?;
            Some((0..=count).map(|at| Value::Int(&low + &Integer::from(at))).collect())
        }
    }
}
