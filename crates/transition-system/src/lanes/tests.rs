//! The lanes against the evaluator, bit for bit.

use super::*;
use crate::error::Error;
use crate::evaluator::Evaluator;
use crate::sample::{Choices, Sketch, sketches, type_of};
use crate::sort::Sort;
use crate::system::{Check, CheckKind, Initial, System, SystemBuilder};
use crate::term::{Binary, NodeId, TapId, Unary};
use obligato_model::{Integer, Type, Value};
use proptest::prelude::*;

mod by_hand;
mod edges;

/// A simulation beside one evaluator per lane.
struct Pair<'p, const W: usize> {
    simulator: Simulator<'p, W>,
    evaluators: Vec<Evaluator<'p>>,
    /// Lanes whose numbers exceeded the size limit: no longer compared.
    given_up: Mask<W>,
    random: Choices,
}

impl<'p, const W: usize> Pair<'p, W> {
    fn new(program: &'p LaneProgram<'p>, seed: u64) -> Self {
        Self {
            simulator: Simulator::new(program),
            evaluators: vec![Evaluator::new(program.system()); 64 * W],
            given_up: [0; W],
            random: Choices::new(seed),
        }
    }

    /// Forces some taps in some lanes, each at a value of its own.
    fn force(&mut self, sketch: &Sketch) {
        for (index, node) in sketch.taps.iter().enumerate() {
            let tap = TapId::new(index);
            let kind = type_of(sketch.sorts[node.index()]);
            let mask = std::array::from_fn(|_| self.random.next() & self.random.next());
            let values: Vec<Value> = (0..64 * W).map(|_| self.random.value(&kind)).collect();
            self.simulator.force(tap, mask, |lane| values[lane].clone()).unwrap();
            for lane in lanes(mask) {
                self.evaluators[lane].force(tap, values[lane].clone()).unwrap();
            }
        }
    }

    /// One step in some lanes, then a look at everything observed.
    fn step(&mut self, sketch: &Sketch) {
        let active: Mask<W> = match self.random.below(3) {
            0 => std::array::from_fn(|_| self.random.next()),
            _ => [u64::MAX; W],
        };
        self.simulator.set_active(active);
        let bound = [None, Some(Integer::from(20))][self.random.below(2)].clone();
        let draw = |random: &mut Choices| match &bound {
            None => sketch.draw_inputs(random),
            Some(bound) => sketch.draw_inputs(random).iter().map(|of| below(of, bound)).collect(),
        };
        let same = (self.random.below(4) == 0).then(|| draw(&mut self.random));
        for (index, value) in same.iter().flatten().enumerate() {
            self.simulator.fill_input(index, value).unwrap();
        }
        for lane in 0..64 * W {
            let own = || draw(&mut self.random);
            let inputs = same.clone().unwrap_or_else(own);
            for (index, value) in inputs.iter().enumerate().filter(|_| same.is_none()) {
                self.simulator.set_input(index, lane, value).unwrap();
            }
            if contains(&active, lane) && self.evaluators[lane].step(&inputs).is_err() {
                bools::assign(&mut self.given_up, lane, true);
            }
        }
        self.simulator.step();
        for observed in &self.simulator.program().observed {
            check_differing(&self.simulator, observed.node);
        }
        // The evaluator also computes what no one observes, so it may give up first.
        let exhausted = self.simulator.exhausted();
        for lane in lanes(active) {
            let given_up = contains(&self.given_up, lane);
            assert!(given_up || !contains(&exhausted, lane));
            if !given_up {
                self.compare(lane);
            }
        }
    }

    fn compare(&self, lane: usize) {
        let (simulator, evaluator) = (&self.simulator, &self.evaluators[lane]);
        for observed in &simulator.program().observed {
            let (node, expected) = (observed.node, evaluator.value(observed.node).unwrap());
            assert_eq!(simulator.value(node, lane).as_ref(), Ok(expected), "node {node}, {lane}");
            match expected {
                Value::Bool(value) => {
                    let bulk = simulator.bools(node).unwrap();
                    assert_eq!(contains(&bulk, lane), *value);
                }
                Value::Int(value) => {
                    let bulk = simulator.words(node).unwrap();
                    let word = number::word_of(observed.place.sort, value);
                    assert_eq!(contains(&bulk.outsized, lane), word.is_none());
                    if let Some(word) = word {
                        assert_eq!(bulk.words[lane / 64][lane % 64], word);
                    }
                }
                _ => {}
            }
        }
        let system = simulator.program().system();
        for (index, check) in system.checks.iter().enumerate() {
            let holds = evaluator.value(check.node) == Some(&Value::Bool(true));
            assert_eq!(contains(&simulator.failed(index).unwrap(), lane), !holds);
        }
    }
}

/// A small integer for a large one: one large lane would make all of a register wide.
fn below(value: &Value, bound: &Integer) -> Value {
    match value {
        Value::Int(integer) => Value::Int(integer % bound),
        _ => value.clone(),
    }
}

/// What differs from lane 0 in bulk, against the values one by one.
fn check_differing<const W: usize>(simulator: &Simulator<'_, W>, node: NodeId) {
    let differing = simulator.differing(node).unwrap();
    let (active, exhausted) = (simulator.active(), simulator.exhausted());
    let takes_part = |lane| contains(&active, lane) && !contains(&exhausted, lane);
    for lane in 0..64 * W {
        let unlike = || simulator.value(node, lane) != simulator.value(node, 0);
        let expected = takes_part(0) && takes_part(lane) && unlike();
        assert_eq!(contains(&differing, lane), expected, "node {node}, lane {lane}");
    }
}

fn run_beside_evaluators<const W: usize>(sketch: &Sketch, taps: Taps, seed: u64) {
    let (system, images) = sketch.build();
    let observe = images.iter().copied().step_by(7).collect();
    let program = LaneProgram::new(&system, &LaneOptions { taps, observe }).unwrap();
    let mut pair = Pair::<W>::new(&program, seed);
    if taps == Taps::Force {
        pair.force(sketch);
    }
    for _ in 0..6 {
        pair.step(sketch);
    }
    // Back and forth: a state that is left and come back to goes on the same way.
    let saved = pair.simulator.save();
    let (evaluators, given_up) = (pair.evaluators.clone(), pair.given_up);
    pair.step(sketch);
    pair.simulator.restore(&saved).unwrap();
    (pair.evaluators, pair.given_up) = (evaluators, given_up);
    for _ in 0..3 {
        pair.step(sketch);
    }
    pair.simulator.release();
    pair.simulator.reset();
    (pair.evaluators, pair.given_up) = (vec![Evaluator::new(&system); 64 * W], [0; W]);
    pair.step(sketch);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn lanes_agree_with_the_evaluator(sketch in sketches(80), seed: u64) {
        run_beside_evaluators::<1>(&sketch, Taps::Ignore, seed);
    }

    #[test]
    fn observed_taps_agree_with_the_evaluator(sketch in sketches(40), seed: u64) {
        run_beside_evaluators::<1>(&sketch, Taps::Observe, seed);
    }

    #[test]
    fn forced_taps_agree_with_the_evaluator(sketch in sketches(80), seed: u64) {
        run_beside_evaluators::<1>(&sketch, Taps::Force, seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn wide_lanes_agree_with_the_evaluator(sketch in sketches(40), seed: u64) {
        run_beside_evaluators::<3>(&sketch, Taps::Force, seed);
    }
}
