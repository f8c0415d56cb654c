//! Visits of watch points: each with its guard, and the terms of its registers.

use obligato_c_unit::Unit;
use obligato_c_unit::watch::{Meaning, Moment, Point};
use obligato_model::Program;
use obligato_term::{BinaryOp, Term};
use rustc_hash::FxHashMap;

use crate::boundary::meets;
use crate::engine::{Engine, SuppressedValue};
use crate::state::{Frame, State};

/// The watch points of a unit, by operation.
#[derive(Debug)]
pub(crate) struct Points<'u> {
    pub(crate) all: &'u [Point],
    program: &'u Program,
    by_place: FxHashMap<(usize, u32, Moment), Vec<usize>>,
}

/// A visit of a watch point.
#[derive(Clone, Debug)]
pub(crate) struct PointVisit {
    /// The position of the point in the list of the unit.
    pub(crate) point: usize,
    pub(crate) step: u32,
    /// The number of the call it belongs to.
    pub(crate) frame: u32,
    /// The iteration of each loop around it.
    pub(crate) iterations: Vec<u32>,
    /// One bit: do the inputs reach it?
    pub(crate) guard: Term,
    /// The terms of its registers.
    pub(crate) values: Vec<Term>,
}

impl<'u> Points<'u> {
    pub(crate) fn new(unit: &'u Unit) -> Self {
        let mut by_place: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (index, point) in unit.points().iter().enumerate() {
            let place = (point.function.index(), point.operation, point.moment);
            by_place.entry(place).or_default().push(index);
        }
        Self { all: unit.points(), program: unit.program(), by_place }
    }
}

impl Engine<'_> {
    /// Records the visits of the points at an operation, and suppresses the value of a condition in a twin run.
    pub(crate) fn watch(&mut self, frame: Frame, state: &mut State, at: u32, moment: Moment) {
        let points = std::rc::Rc::clone(&self.points);
        let Some(here) = points.by_place.get(&(frame.code.index(), at, moment)) else { return };
        for index in here {
            let point = &points.all[*index];
            let values = point.registers.iter().map(|one| self.get(state, *one)).collect();
            self.visits.push(PointVisit {
                point: *index,
                step: self.step,
                frame: frame.number,
                iterations: state.block_instance.iterations.clone(),
                guard: state.shared.guard.term(),
                values,
            });
            if let (Meaning::Evaluate(condition), Some(suppressed)) =
                (&point.meaning, self.suppressed)
                && suppressed.condition == *condition
            {
                self.suppress(state, point, suppressed);
            }
        }
    }

    /// Forces the suppressed value to the other one.
    fn suppress(&mut self, state: &mut State, point: &Point, suppressed: SuppressedValue) {
        let Some(register) = point.registers.first() else { return };
        let held = self.get(state, *register);
        let value = self.terms.extract(held, 0, 1);
        let gone = self.terms.bit(suppressed.value);
        let mut flips = self.terms.equal(value, gone);
        if let Some(boundary) = suppressed.boundary {
            let relation = self.points.program.condition(suppressed.condition).relation.as_ref();
            let (Some(relation), &[_, left, right]) = (relation, point.registers.as_slice()) else {
                return;
            };
            let (left, right) = (self.get(state, left), self.get(state, right));
            let never = self.terms.bit(false);
            let met = meets(&mut self.terms, relation, boundary, left, right).unwrap_or(never);
            flips = self.terms.and(flips, met);
        }
        let forced = self.terms.binary(BinaryOp::Xor, value, flips);
        let high = self.terms.extract(held, 1, 63);
        state.registers[register.0 as usize] = Some(self.terms.concat(high, forced));
    }
}
