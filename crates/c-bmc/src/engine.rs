//! Symbolic execution of a function on all inputs at once, with state joins.
//!
//! A state is symbolic: it stands for every input that reaches its basic block. States run in the order of [`crate::flow`], and
//! two states at the same block join, so the work grows with the code and not with its paths. (Clarke, Kroening and
//! Lerda, "A Tool for Checking ANSI-C Programs", for the idea of one formula; Kuznetsov et al., "Efficient State Merging
//! in Symbolic Execution", for merging while running.)
//!
//! A path that is not followed to its end is [cut](Cut), with its guard: no proof extends beyond it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use obligato_bv_solver::Blaster;
use obligato_bytecode::{Address, CodeId, Function, Module};
use obligato_c_unit::Unit;
use obligato_c_unit::settings::Allocation;
use obligato_execute::CharacterTable;
use obligato_model::{Bound, Boundary, ConditionId};
use obligato_solver::{Answer, Stop};
use obligato_term::{Term, Terms};

use crate::access::AccessSite;
use crate::bounds::BoundLiterals;
use crate::call_system::ClaimedCalls;
use crate::cut::{Cut, RuntimeErrorSite};
use crate::flow::Flow;
use crate::initial::LatchWord;
use crate::memory::Versions;
use crate::pointer::Pointers;
use crate::points::{PointVisit, Points};
use crate::state::{Frame, SharedState, State};

/// The limits of the formula and of its queries.
#[derive(Clone, Debug)]
pub struct MergeLimits {
    /// The unwinding bound: how many retreating edges of a loop are followed.
    pub unwinding: u32,
    /// The depth of the call stack.
    pub depth: u32,
    /// The number of terms.
    pub terms: usize,
    /// How many candidates a symbolic offset may have.
    pub offsets: usize,
    /// The conflict limit of one query.
    pub conflicts: u64,
    /// The deadline of all.
    pub stop: Stop,
}

impl Default for MergeLimits {
    fn default() -> Self {
        Self {
            unwinding: 40,
            depth: 40,
            terms: 4_000_000,
            offsets: 4096,
            conflicts: 200_000,
            stop: Stop::never(),
        }
    }
}

/// Executes functions symbolically on all inputs at once.
pub(crate) struct Engine<'u> {
    pub(crate) terms: Terms,
    pub(crate) module: &'u Module,
    pub(crate) points: Rc<Points<'u>>,
    pub(crate) pointers: Pointers,
    pub(crate) limits: MergeLimits,
    pub(crate) blaster: Blaster,
    flows: Vec<Option<Rc<Flow>>>,
    /// The addresses of the objects of the standard library itself.
    pub(crate) library_objects: Vec<Address>,
    /// The tables behind `ctype.h`, with the numbers of their objects.
    pub(crate) character_tables: Vec<(u32, CharacterTable)>,
    /// How many feasibility checks were made so far.
    feasibility_checks: u32,
    /// The number of the next object.
    pub(crate) next_object: u32,
    /// Numbers the contents of its memories.
    pub(crate) versions: Versions,
    next_frame: u32,
    /// The step that is running.
    pub(crate) step: u32,
    /// The call stack, the outermost first.
    pub(crate) open: Vec<(CodeId, u32)>,
    pub(crate) visits: Vec<PointVisit>,
    pub(crate) cuts: Vec<Cut>,
    pub(crate) runtime_errors: Vec<RuntimeErrorSite>,
    pub(crate) bounds: BoundLiterals,
    /// The words of state variables, if the formula starts in any state.
    pub(crate) latches: Vec<LatchWord>,
    /// What the formula is for, if there are latches.
    pub(crate) claimed_calls: ClaimedCalls,
    /// The value of a condition that a twin run suppresses.
    pub(crate) suppressed: Option<SuppressedValue>,
    pub(crate) outside: Vec<crate::outside::StubResults>,
    /// Per open call, the object with its unnamed arguments.
    pub(crate) variadic_areas: Vec<Option<u32>>,
    pub(crate) volatile: crate::volatile::VolatileMemory,
    /// Does a person say that allocations succeed?
    pub(crate) allocation: Allocation,
    /// The globals that functions outside of the unit can change: they name them, or call functions of the unit that do.
    pub(crate) exported: Vec<u32>,
    /// Is signed overflow a runtime error?
    pub(crate) signed_overflow: bool,
}

/// A value of a condition that a twin run suppresses: everywhere, or where the operands are at a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SuppressedValue {
    pub(crate) condition: ConditionId,
    pub(crate) value: bool,
    pub(crate) boundary: Option<Boundary>,
}

/// The result of a path; `None` if no input continues.
pub(crate) type Path<T> = Option<T>;

impl<'u> Engine<'u> {
    /// `stop` ends queries, the one among the limits the execution.
    pub(crate) fn new(unit: &'u Unit, limits: MergeLimits, stop: &Stop, first_object: u32) -> Self {
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
            character_tables: Vec::new(),
            feasibility_checks: 0,
            next_object: first_object,
            versions: Versions::default(),
            next_frame: 0,
            step: 0,
            open: Vec::new(),
            visits: Vec::new(),
            cuts: Vec::new(),
            runtime_errors: Vec::new(),
            bounds: BoundLiterals::default(),
            latches: Vec::new(),
            claimed_calls: ClaimedCalls::Sequences,
            suppressed: None,
            outside: Vec::new(),
            variadic_areas: Vec::new(),
            volatile: crate::volatile::VolatileMemory::default(),
            allocation: unit.settings().allocation,
            exported: Vec::new(),
            signed_overflow: true,
        }
    }

    pub(crate) fn flow(&mut self, code: CodeId) -> Rc<Flow> {
        let function = self.module.function(code);
        let flow = &mut self.flows[code.index()];
        Rc::clone(flow.get_or_insert_with(|| Rc::new(Flow::new(function))))
    }

    /// Executes a function; `None` if no path returns.
    pub(crate) fn run(
        &mut self,
        code: CodeId,
        arguments: &[Term],
        variadic: VariadicArguments,
        shared: SharedState,
        caller: Caller,
    ) -> Path<Returned> {
        let function = self.module.function(code);
        let flow = self.flow(code);
        let Caller { depth, in_loop } = caller;
        let frame = Frame { code, number: self.next_frame, depth, in_loop };
        self.next_frame += 1;
        let mut registers = vec![None; function.registers as usize];
        for (register, value) in registers.iter_mut().zip(&function.constants) {
            *register = Some(self.terms.constant((*value).into(), 64));
        }
        let first = function.constants.len();
        for (register, value) in registers[first..].iter_mut().zip(arguments) {
            *register = Some(*value);
        }
        let VariadicArguments { area: unnamed, objects: reserved } = variadic;
        let start = State { shared, registers, block_instance: flow.entry(), reserved, unnamed };
        let mut pending: BTreeMap<Vec<u32>, State> = BTreeMap::new();
        pending.insert(flow.key(&start.block_instance), start);
        let mut done: Path<Returned> = None;
        while let Some((_, state)) = pending.pop_first() {
            let in_loop = frame.in_loop || !state.block_instance.iterations.is_empty();
            let frame = Frame { in_loop, ..frame };
            let Some(leaving) = self.run_block(frame, state) else { continue };
            match leaving {
                Leaving::Edges(states) => {
                    for (to, mut next) in states {
                        let from = next.block_instance.clone();
                        next.block_instance = flow.follow(&from, to);
                        let Some(next) = self.within_unwinding_bound(frame, to, next) else {
                            continue;
                        };
                        match pending.entry(flow.key(&next.block_instance)) {
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
                Leaving::Return(returned) => {
                    done = Some(match done.take() {
                        None => returned,
                        Some(before) => self.join_results(before, returned),
                    });
                }
            }
        }
        done
    }

    /// Joins the states of two returns.
    pub(crate) fn join_results(&mut self, one: Returned, two: Returned) -> Returned {
        let (shared, test) = one.shared.join(&two.shared, &mut self.terms);
        let results = one.results.into_iter().zip(two.results);
        let results = results.map(|(one, two)| self.terms.choose(test, one, two)).collect();
        Returned { shared, results }
    }

    /// Cuts a loop at the unwinding bound, and ends it where another iteration is infeasible.
    fn within_unwinding_bound(&mut self, frame: Frame, to: u32, state: State) -> Path<State> {
        let iteration = state.block_instance.iterations.last().copied().unwrap_or(0);
        let highest = state.block_instance.iterations.iter().copied().max().unwrap_or(0);
        let at = AccessSite { frame, operation: to };
        if highest > self.limits.unwinding {
            let always = self.terms.bit(true);
            let bound = Bound::Unwinding(self.limits.unwinding.into());
            self.beyond(at, &state.shared, bound, always);
            return None;
        }
        let checks = iteration >= FIRST_CHECKED_ITERATION && iteration.is_power_of_two();
        let checks = checks && self.feasibility_checks < MOST_FEASIBILITY_CHECKS;
        self.feasibility_checks += u32::from(checks);
        if checks && self.is_infeasible_within_bounds(at, &state.shared) {
            return None;
        }
        Some(state)
    }

    /// Does the solver refute a state within the bounds, and few conflicts? Beyond the bounds that it uses, the path is cut.
    fn is_infeasible_within_bounds(&mut self, at: AccessSite, shared: &SharedState) -> bool {
        let all: Vec<(Bound, Term)> =
            self.bounds.all().map(|(bound, literal)| (bound.clone(), literal)).collect();
        let mut assumed: Vec<Term> = all.iter().map(|(_, literal)| *literal).collect();
        assumed.push(shared.guard.term());
        if self.blaster.solve(&self.terms, &assumed, Some(FEW_CONFLICTS)) != Answer::Unsat {
            return false;
        }
        let core = self.blaster.core();
        let always = self.terms.bit(true);
        for (bound, _) in all.into_iter().filter(|(_, literal)| core.contains(literal)) {
            self.beyond(at, shared, bound, always);
        }
        true
    }

    /// May a call within this one see its static variables as they are meanwhile, and does that matter to claims?
    pub(crate) fn can_be_reentered(&self) -> bool {
        !self.latches.is_empty() && self.claimed_calls == ClaimedCalls::Sequences
    }

    /// Are the limits on terms and time not reached yet?
    pub(crate) fn has_room(&self) -> bool {
        self.terms.len() < self.limits.terms && !self.limits.stop.is_due()
    }

    pub(crate) fn function(&self, frame: Frame) -> &'u Function {
        self.module.function(frame.code)
    }
}

/// The state in which a function returned, and its results.
pub(crate) struct Returned {
    pub(crate) shared: SharedState,
    pub(crate) results: Vec<Term>,
}

/// What a call takes over from its caller.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Caller {
    /// How many calls are open.
    pub(crate) depth: u32,
    /// Is the call made in a loop?
    pub(crate) in_loop: bool,
}

/// The unnamed arguments of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariadicArguments {
    /// The address of the area they are stored in.
    pub(crate) area: u64,
    /// The objects that the call has created, to be freed when it returns.
    pub(crate) objects: Vec<u32>,
}

/// The end of a basic block.
pub(crate) enum Leaving {
    /// Edges to these operations.
    Edges(Vec<(u32, State)>),
    /// A return to the caller.
    Return(Returned),
}

/// The first iteration of a loop in which the solver checks whether it is feasible; then it does in iterations 8, 16, 32 and so on.
const FIRST_CHECKED_ITERATION: u32 = 4;
/// The most feasibility checks of one formula.
const MOST_FEASIBILITY_CHECKS: u32 = 200;
/// The conflict limit of a feasibility check.
const FEW_CONFLICTS: u64 = 200;
