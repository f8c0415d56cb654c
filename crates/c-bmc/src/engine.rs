//! Runs a function on all inputs at once.
//!
//! A state is what holds at a place for every input that leads there. States are run in the order of [`crate::flow`], and two that
//! come to the same place become one, so the work grows with the code and not with its paths. (Clarke, Kroening and
//! Lerda, "A Tool for Checking ANSI-C Programs", for the idea of one formula; Kuznetsov et al., "Efficient State Merging
//! in Symbolic Execution", for merging while running.)
//!
//! Whatever is not followed to its end is [cut](Cut), with its guard: nothing is claimed beyond it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use obligato_bv_solver::Blaster;
use obligato_bytecode::{Address, CodeId, Function, Module};
use obligato_c_unit::Unit;
use obligato_model::{Boundary, ConditionId};
use obligato_solver::{Answer, Stop};
use obligato_term::{Term, Terms};

use crate::flow::Flow;
use crate::pointer::Pointers;
use crate::points::{Points, Sighting};
use crate::state::{Frame, State, World};

/// How far a function is followed.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The unwinding bound: how many retreating edges of a loop are followed.
    pub rounds: u32,
    /// How many calls are open at the same time.
    pub depth: u32,
    /// How many terms there are.
    pub terms: usize,
    /// How many places of an object a pointer may choose between.
    pub places: usize,
    /// How many conflicts a solver may have for one question.
    pub conflicts: u64,
    /// When to stop altogether.
    pub stop: Stop,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 40,
            depth: 40,
            terms: 4_000_000,
            places: 4096,
            conflicts: 200_000,
            stop: Stop::never(),
        }
    }
}

/// A place beyond which nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Why.
    pub reason: String,
    /// In this function,
    pub function: CodeId,
    /// at this operation,
    pub operation: u32,
    /// in this step,
    pub step: u32,
    /// called from these functions and operations, the outermost first.
    pub callers: Vec<(CodeId, u32)>,
    /// One bit: do the inputs lead here?
    pub guard: Term,
}

/// A place where the program does what it must not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub what: &'static str,
    /// In this function,
    pub function: CodeId,
    /// at this operation.
    pub operation: u32,
    /// One bit: do the inputs lead to it?
    pub guard: Term,
}

/// Runs functions on all inputs at once.
pub(crate) struct Engine<'u> {
    pub(crate) terms: Terms,
    pub(crate) module: &'u Module,
    pub(crate) points: Rc<Points<'u>>,
    pub(crate) pointers: Pointers,
    pub(crate) limits: Limits,
    pub(crate) blaster: Blaster,
    flows: Vec<Option<Rc<Flow>>>,
    /// The addresses of the objects of the standard library itself.
    pub(crate) library_objects: Vec<Address>,
    /// How many questions were asked while running.
    questions: u32,
    /// The number of the next object.
    pub(crate) next_object: u32,
    next_frame: u32,
    /// The step that is running.
    pub(crate) step: u32,
    /// The calls that are open, the outermost first.
    pub(crate) open: Vec<(CodeId, u32)>,
    pub(crate) sightings: Vec<Sighting>,
    pub(crate) cuts: Vec<Cut>,
    pub(crate) faults: Vec<Fault>,
    /// What a condition loses in a twin.
    pub(crate) lost: Option<Loss>,
    pub(crate) outside: Vec<crate::outside::Answers>,
    /// Is it a fault if signed arithmetic overflows?
    pub(crate) signed_overflow: bool,
}

/// A condition that never has a value, or not where its operands stand at a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) condition: ConditionId,
    pub(crate) value: bool,
    pub(crate) boundary: Option<Boundary>,
}

/// The rest of a path, or nothing if it is over.
pub(crate) type Path<T> = Option<T>;

impl<'u> Engine<'u> {
    /// `stop` is for questions, the one among the limits for running.
    pub(crate) fn new(unit: &'u Unit, limits: Limits, stop: &Stop, first_object: u32) -> Self {
        let module = unit.module();
        let blaster = Blaster::new(obligato_solver::Engine::Cadical, stop);
        Self {
            terms: Terms::new(),
            module,
            points: Rc::new(Points::new(unit)),
            pointers: Pointers::default(),
            limits,
            blaster,
            flows: vec![None; module.functions.len()],
            library_objects: Vec::new(),
            questions: 0,
            next_object: first_object,
            next_frame: 0,
            step: 0,
            open: Vec::new(),
            sightings: Vec::new(),
            cuts: Vec::new(),
            faults: Vec::new(),
            lost: None,
            outside: Vec::new(),
            signed_overflow: true,
        }
    }

    pub(crate) fn flow(&mut self, code: CodeId) -> Rc<Flow> {
        let function = self.module.function(code);
        let flow = &mut self.flows[code.index()];
        Rc::clone(flow.get_or_insert_with(|| Rc::new(Flow::new(function))))
    }

    /// Runs a function to its end; nothing if no path gets there.
    pub(crate) fn run(
        &mut self,
        code: CodeId,
        arguments: &[Term],
        unnamed: (u64, Vec<u32>),
        world: World,
        depth: u32,
    ) -> Path<(World, Vec<Term>)> {
        let function = self.module.function(code);
        let flow = self.flow(code);
        let frame = Frame { code, number: self.next_frame, depth };
        self.next_frame += 1;
        let mut registers = vec![None; function.registers as usize];
        for (register, value) in registers.iter_mut().zip(&function.constants) {
            *register = Some(self.terms.constant((*value).into(), 64));
        }
        let first = function.constants.len();
        for (register, value) in registers[first..].iter_mut().zip(arguments) {
            *register = Some(*value);
        }
        let (unnamed, reserved) = unnamed;
        let start = State { world, registers, spot: flow.entry(), reserved, unnamed };
        let mut pending: BTreeMap<Vec<u32>, State> = BTreeMap::new();
        pending.insert(flow.key(&start.spot), start);
        let mut done: Path<(World, Vec<Term>)> = None;
        while let Some((_, state)) = pending.pop_first() {
            let Some(leaving) = self.run_block(frame, state) else { continue };
            match leaving {
                Leaving::Edges(states) => {
                    for (to, mut next) in states {
                        let from = next.spot.clone();
                        next.spot = flow.follow(&from, to);
                        let Some(next) = self.goes_on(frame, to, next) else { continue };
                        match pending.entry(flow.key(&next.spot)) {
                            Entry::Vacant(place) => {
                                place.insert(next);
                            }
                            Entry::Occupied(mut place) => {
                                let joined = place.get().clone().join(next, &mut self.terms);
                                place.insert(joined);
                            }
                        }
                    }
                }
                Leaving::Return(world, results) => {
                    done = Some(match done.take() {
                        None => (world, results),
                        Some(before) => self.join_results(before, (world, results)),
                    });
                }
            }
        }
        done
    }

    pub(crate) fn join_results(
        &mut self,
        one: (World, Vec<Term>),
        two: (World, Vec<Term>),
    ) -> (World, Vec<Term>) {
        let (world, test) = one.0.join(&two.0, &mut self.terms);
        let results = one.1.into_iter().zip(two.1);
        let results = results.map(|(one, two)| self.terms.choose(test, one, two)).collect();
        (world, results)
    }

    /// Stops a loop that has come round often enough, or cannot come round again.
    fn goes_on(&mut self, frame: Frame, to: u32, state: State) -> Path<State> {
        let round = state.spot.rounds.last().copied().unwrap_or(0);
        let highest = state.spot.rounds.iter().copied().max().unwrap_or(0);
        if highest > self.limits.rounds {
            let reason = format!("a loop came round {} times", self.limits.rounds);
            return self.cut(frame, to, &state.world, reason);
        }
        let asks = round >= ROUNDS_BEFORE_ASKING && round.is_power_of_two();
        let asks = asks && self.questions < MOST_QUESTIONS;
        self.questions += u32::from(asks);
        if asks && self.is_impossible(state.world.guard.term()) {
            return None;
        }
        Some(state)
    }

    /// Is it certain, and quickly seen, that no input makes this hold?
    pub(crate) fn is_impossible(&mut self, guard: Term) -> bool {
        let answer = self.blaster.solve(&self.terms, &[guard], Some(FEW_CONFLICTS));
        answer == Answer::Unsat
    }

    /// Ends a path without knowing what it would have done.
    pub(crate) fn cut<T>(
        &mut self,
        frame: Frame,
        operation: u32,
        world: &World,
        reason: impl Into<String>,
    ) -> Path<T> {
        self.cuts.push(Cut {
            reason: reason.into(),
            function: frame.code,
            operation,
            step: self.step,
            callers: self.open.clone(),
            guard: world.guard.term(),
        });
        None
    }

    /// The inputs for which `bad` holds end here, with a fault; the others go on.
    pub(crate) fn fault(
        &mut self,
        frame: Frame,
        operation: u32,
        world: &mut World,
        what: &'static str,
        bad: Term,
    ) -> Path<()> {
        if self.terms.as_constant(bad) == Some(0) {
            return Some(());
        }
        if world.guard.knows(&self.terms, bad) == Some(false) {
            return Some(());
        }
        let guard = self.terms.and(world.guard.term(), bad);
        self.faults.push(Fault { what, function: frame.code, operation, guard });
        self.require_not(world, bad)
    }

    /// The inputs for which a bit holds are gone.
    pub(crate) fn require_not(&mut self, world: &mut World, bit: Term) -> Path<()> {
        let good = self.terms.not(bit);
        world.guard = world.guard.and(&mut self.terms, good)?;
        Some(())
    }

    /// Is there room and time for more?
    pub(crate) fn has_room(&self) -> bool {
        self.terms.len() < self.limits.terms && !self.limits.stop.is_due()
    }

    pub(crate) fn function(&self, frame: Frame) -> &'u Function {
        self.module.function(frame.code)
    }
}

/// How a block is left.
pub(crate) enum Leaving {
    /// To these operations.
    Edges(Vec<(u32, State)>),
    /// Back to the caller.
    Return(World, Vec<Term>),
}

/// A solver is asked for the first time in this iteration of a loop whether another is feasible, then in iterations 8, 16, 32 and so on.
const ROUNDS_BEFORE_ASKING: u32 = 4;
/// No more such questions are asked,
const MOST_QUESTIONS: u32 = 200;
/// and none is worth more than this.
const FEW_CONFLICTS: u64 = 200;
