//! What is seen on the way: each point with a meaning that a run passes, when, and what its registers hold there.

use obligato_c_unit::Unit;
use obligato_c_unit::watch::{Meaning, Moment, Point};
use obligato_model::Program;
use obligato_term::{BinaryOp, Term};
use rustc_hash::FxHashMap;

use crate::boundary::meets;
use crate::engine::{Engine, Loss};
use crate::state::{Frame, State};

/// The points of a unit by where they are.
#[derive(Debug)]
pub(crate) struct Points<'u> {
    pub(crate) all: &'u [Point],
    program: &'u Program,
    by_place: FxHashMap<(usize, u32, Moment), Vec<usize>>,
}

/// A point was passed.
#[derive(Clone, Debug)]
pub(crate) struct Sighting {
    /// The position of the point in the list of the unit.
    pub(crate) point: usize,
    pub(crate) step: u32,
    /// The call in which it was passed.
    pub(crate) frame: u32,
    /// The iteration of each loop around it.
    pub(crate) rounds: Vec<u32>,
    /// One bit: do the inputs lead there?
    pub(crate) guard: Term,
    /// What its registers held.
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
    /// Takes note of the points at an operation, and turns a condition around that is to lose a value.
    pub(crate) fn watch(&mut self, frame: Frame, state: &mut State, at: u32, moment: Moment) {
        let points = std::rc::Rc::clone(&self.points);
        let Some(here) = points.by_place.get(&(frame.code.index(), at, moment)) else { return };
        for index in here {
            let point = &points.all[*index];
            let values = point.registers.iter().map(|one| self.get(state, *one)).collect();
            self.sightings.push(Sighting {
                point: *index,
                step: self.step,
                frame: frame.number,
                rounds: state.spot.rounds.clone(),
                guard: state.world.guard.term(),
                values,
            });
            if let (Meaning::Evaluate(condition), Some(loss)) = (&point.meaning, self.lost)
                && loss.condition == *condition
            {
                self.turn(state, point, loss);
            }
        }
    }

    /// The value that is lost becomes the other one.
    fn turn(&mut self, state: &mut State, point: &Point, loss: Loss) {
        let Some(register) = point.registers.first() else { return };
        let held = self.get(state, *register);
        let value = self.terms.extract(held, 0, 1);
        let gone = self.terms.bit(loss.value);
        let mut turns = self.terms.equal(value, gone);
        if let Some(boundary) = loss.boundary {
            let relation = self.points.program.condition(loss.condition).relation.as_ref();
            let (Some(relation), &[_, left, right]) = (relation, point.registers.as_slice()) else {
                return;
            };
            let (left, right) = (self.get(state, left), self.get(state, right));
            let never = self.terms.bit(false);
            let met = meets(&mut self.terms, relation, boundary, left, right).unwrap_or(never);
            turns = self.terms.and(turns, met);
        }
        let turned = self.terms.binary(BinaryOp::Xor, value, turns);
        let high = self.terms.extract(held, 1, 63);
        state.registers[register.0 as usize] = Some(self.terms.concat(high, turned));
    }
}
