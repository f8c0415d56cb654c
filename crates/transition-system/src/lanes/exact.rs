//! Lanes whose numbers do not fit: redone by the exact evaluator.

use std::collections::{BTreeMap, BTreeSet};

use obligato_model::Value;

use super::bools::{Mask, assign, contains};
use super::program::LaneProgram;
use super::registers::Registers;
use crate::error::Error;
use crate::evaluator::{Forced, evaluate};
use crate::term::TapId;

/// What is known exactly of a lane that was redone.
#[derive(Clone, Debug, Default)]
pub(super) struct ExactLane {
    /// The observed values of the step, in the program's order.
    pub values: Vec<Value>,
    /// What the latches held in the step.
    state: Vec<Value>,
    /// Their next values, if some do not fit the registers.
    next: Option<Vec<Value>>,
}

/// Everything that does not fit the registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Exact {
    /// The lanes that were redone in the last step, or still have to be.
    pub lanes: BTreeMap<usize, ExactLane>,
    /// Inputs that do not fit, by lane and index.
    pub inputs: BTreeMap<(usize, usize), Value>,
    /// Forced values that do not fit, by lane and tap.
    pub forced: BTreeMap<(usize, TapId), Value>,
    scratch: Vec<Value>,
}

impl Exact {
    /// Lanes start in a state that does not fit.
    pub fn start(&mut self, lanes: impl Iterator<Item = usize>, state: &[Value]) {
        for lane in lanes {
            let started = ExactLane { state: state.to_vec(), ..ExactLane::default() };
            self.lanes.insert(lane, started);
        }
    }

    /// After a step of the lanes in `stepped`: the latches hold what was next.
    pub fn advance<const W: usize>(&mut self, stepped: &Mask<W>) {
        self.lanes.retain(|lane, exact| {
            if contains(stepped, *lane) {
                let next = exact.next.take();
                exact.state = next.unwrap_or_default();
            }
            !exact.state.is_empty()
        });
    }

    /// The states of lanes that do not fit, as they are before the next step.
    pub fn states<const W: usize>(&self, stepped: &Mask<W>) -> BTreeMap<usize, ExactLane> {
        let mut coming = Self { lanes: self.lanes.clone(), ..Self::default() };
        coming.advance(stepped);
        for lane in coming.lanes.values_mut() {
            lane.values.clear();
        }
        coming.lanes
    }

    /// The lanes that have to be redone whatever their instructions say.
    pub fn needed<const W: usize>(&self) -> Mask<W> {
        let mut mask = [0; W];
        let lanes = self.lanes.keys().copied();
        let by_input = self.inputs.keys().map(|(lane, _)| *lane);
        let by_force = self.forced.keys().map(|(lane, _)| *lane);
        for lane in lanes.chain(by_input).chain(by_force) {
            assign(&mut mask, lane, true);
        }
        mask
    }

    /// Takes the step of one lane again, exactly, and corrects the registers that
    /// are read from outside. `taps` are those that are forced in some lane. Fails,
    /// leaving the lane as it was, where a number exceeded the size limit.
    pub fn redo<const W: usize>(
        &mut self,
        program: &LaneProgram<'_>,
        registers: &mut Registers<W>,
        taps: &BTreeSet<TapId>,
        lane: usize,
    ) -> Result<(), Error> {
        let system = program.system();
        let mut exact = self.lanes.remove(&lane).unwrap_or_default();
        if exact.state.is_empty() {
            exact.state = program.current.iter().map(|place| registers.get(*place, lane)).collect();
        }
        let inputs = program.inputs.iter().enumerate().map(|(index, place)| {
            let outsized = self.inputs.get(&(lane, index)).cloned();
            outsized.unwrap_or_else(|| registers.get(*place, lane))
        });
        let inputs: Vec<Value> = inputs.collect();
        let forced = self.forced_in(program, registers, taps, lane);
        let nodes = program.live.iter().copied();
        let graph = &system.graph;
        let done = evaluate(graph, nodes, &inputs, &exact.state, &forced, &mut self.scratch);
        if let Err(error) = done {
            exact.values.clear();
            self.lanes.insert(lane, exact);
            return Err(error);
        }

        let value = |node: crate::term::NodeId| &self.scratch[node.index()];
        exact.values = program.observed.iter().map(|at| value(at.node).clone()).collect();
        for (at, value) in program.observed.iter().zip(&exact.values) {
            match value {
                Value::Bool(value) => {
                    registers.set(at.place, lane, &Value::Bool(*value != at.inverted));
                }
                // Inputs and latches keep their registers: what does not fit
                // there is remembered elsewhere.
                _ => {
                    registers.set(at.place, lane, value);
                }
            }
        }
        let next: Vec<Value> =
            system.latches.iter().map(|latch| value(latch.next).clone()).collect();
        let places = program.next.iter().zip(&next);
        let fitting = places.filter(|(place, value)| registers.set(**place, lane, value)).count();
        exact.next = (fitting < next.len()).then_some(next);
        self.lanes.insert(lane, exact);
        Ok(())
    }

    fn forced_in<const W: usize>(
        &self,
        program: &LaneProgram<'_>,
        registers: &Registers<W>,
        taps: &BTreeSet<TapId>,
        lane: usize,
    ) -> Forced {
        let forced = taps.iter().filter_map(|tap| {
            let forcing = program.forcings[tap.index()].as_ref()?;
            let applies = contains(&registers.bools[forcing.mask as usize], lane);
            let outsized = || self.forced.get(&(lane, *tap)).cloned();
            let value = || outsized().unwrap_or_else(|| registers.get(forcing.value, lane));
            applies.then(|| (*tap, value()))
        });
        forced.collect()
    }
}
