//! Many runs of one program, step by step.

use std::collections::BTreeSet;

use super::bools::{Mask, assign, lanes};
use super::exact::Exact;
use super::failures::Failures;
use super::program::LaneProgram;
use super::registers::Registers;
use crate::error::Error;
use crate::term::TapId;

mod inputs;
mod readings;
mod saved;

pub use readings::WordsView;
pub use saved::Saved;

/// `64 * W` runs of a program.
#[derive(Clone, Debug)]
pub struct Simulator<'p, const W: usize> {
    program: &'p LaneProgram<'p>,
    registers: Registers<W>,
    exact: Exact,
    /// The taps forced in some lane.
    forced: BTreeSet<TapId>,
    active: Mask<W>,
    /// The lanes that have stepped but whose latches still hold what they held.
    stepped: Mask<W>,
    /// Lanes that gave up.
    exhausted: Mask<W>,
    steps: u64,
    failures: Failures<W>,
}

impl<'p, const W: usize> Simulator<'p, W> {
    /// How many runs there are.
    pub const LANES: usize = 64 * W;

    /// Runs that are about to take their first step, all of them active.
    pub fn new(program: &'p LaneProgram<'p>) -> Self {
        let mut simulator = Self {
            program,
            registers: Registers::new(program),
            exact: Exact::default(),
            forced: BTreeSet::new(),
            active: [u64::MAX; W],
            stepped: [0; W],
            exhausted: [0; W],
            steps: 0,
            failures: Failures::none(),
        };
        simulator.reset();
        simulator
    }

    /// Back to before the first step, all lanes active and all inputs zero. What
    /// is forced stays so.
    pub fn reset(&mut self) {
        for place in &self.program.inputs {
            self.registers.fill(*place, &place.sort.zero());
        }
        self.exact.inputs.clear();
        self.exact.lanes.clear();
        let initial = self.program.system().initial_state();
        let places = self.program.current.iter().zip(&initial);
        let fitting = places.filter(|(place, value)| self.registers.fill(**place, value)).count();
        if fitting < initial.len() {
            self.exact.start(0..Self::LANES, &initial);
        }
        self.active = [u64::MAX; W];
        self.stepped = [0; W];
        self.exhausted = [0; W];
        self.steps = 0;
        self.failures = Failures::none();
    }

    /// The program that runs.
    pub fn program(&self) -> &'p LaneProgram<'p> {
        self.program
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Chooses the lanes that take part in the steps to come. The others keep
    /// their state and fail no check; what is read of them means nothing.
    pub fn set_active(&mut self, active: Mask<W>) {
        self.active = active;
    }

    /// The lanes that take part.
    pub fn active(&self) -> Mask<W> {
        self.active
    }

    /// The lanes that gave up because a number exceeded the size limit
    /// ([`LARGEST_NUMBER`](crate::meaning::LARGEST_NUMBER)). They take part in no
    /// step from that one on; what is read of them means nothing.
    pub fn exhausted(&self) -> Mask<W> {
        self.exhausted
    }

    /// Takes a step in all active lanes.
    pub fn step(&mut self) {
        self.advance();
        let program = self.program;
        let mut spilled = if program.outsized { self.active } else { self.exact.needed() };
        self.registers.run(program, &mut spilled);
        let taking_part =
            |of: &Self| std::array::from_fn(|word| of.active[word] & !of.exhausted[word]);
        let active: Mask<W> = taking_part(self);
        for lane in lanes(std::array::from_fn::<_, W, _>(|word| spilled[word] & active[word])) {
            let redone = self.exact.redo(program, &mut self.registers, &self.forced, lane);
            assign(&mut self.exhausted, lane, redone.is_err());
        }
        self.stepped = taking_part(self);
        let checks = program.checks.iter().map(|check| {
            let holds = self.registers.observed_bools(&program.observed[*check as usize]);
            std::array::from_fn(|word| !holds[word] & self.stepped[word])
        });
        self.failures.record(self.steps, checks);
        self.steps += 1;
    }

    /// The latches hold what was next. This waits until the next step, so that
    /// until then all nodes can be read as they were in the last one.
    fn advance(&mut self) {
        if self.stepped == [0; W] {
            return;
        }
        for (next, current) in self.program.next.iter().zip(&self.program.current) {
            self.registers.advance(*next, *current, &self.stepped);
        }
        self.exact.advance(&self.stepped);
        self.stepped = [0; W];
    }

    fn check_lane(lane: usize) -> Result<(), Error> {
        let count = Self::LANES;
        if lane < count { Ok(()) } else { Err(Error::NoSuch { what: "lane", index: lane, count }) }
    }
}
