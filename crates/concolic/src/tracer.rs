//! The shadow that records the trace of a run.

use obligato_bytecode::{CodeId, Module};
use obligato_c_unit::measure::Watches;
use obligato_execute::{Marked, SignedOverflow};
use obligato_model::{ConditionId, NotFollowed, Program};
use obligato_term::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::trace::{
    Alternative, CodeLocation, ConditionValue, Continuation, Evaluated, Fork, ForkKind, StackId,
    Trace,
};

mod accesses;
mod controls;
mod shadow;

/// The symbolic value of a register (64 bits) or byte (8 bits); `None` if it does not depend on inputs.
pub type Mark = Option<Term>;

/// The limits of traces.
#[derive(Clone, Copy, Debug)]
pub struct TraceLimits {
    /// Forks of one run.
    pub forks: usize,
    /// Terms, over all runs.
    pub terms: usize,
}

impl Default for TraceLimits {
    fn default() -> Self {
        Self { forks: 20_000, terms: 4_000_000 }
    }
}

/// Records the traces of runs, one after the other, over shared terms.
#[derive(Debug)]
pub struct Tracer<'u> {
    /// All terms.
    pub terms: Terms,
    module: &'u Module,
    program: &'u Program,
    watches: &'u Watches,
    overflow: SignedOverflow,
    limits: TraceLimits,
    trace: Trace,
    /// The conjuncts of the path condition so far, with the index of the fork.
    known: FxHashMap<Term, usize>,
    step: u32,
    frames: Vec<Frame>,
    /// The operands of the comparison that is reported next.
    operands: Vec<(u64, Mark)>,
    /// The bytes of the object that is about to be written, before the store.
    before: Vec<u8>,
    /// The function of the standard library that was called last.
    computed: Option<CodeId>,
    /// The value that a twin run suppresses: the condition is forced to the other one and no longer depends on inputs.
    suppressed: Option<ConditionValue>,
}

#[derive(Debug)]
struct Frame {
    stack: StackId,
    function: CodeId,
    block: u32,
    /// Per decision, its last value.
    running: FxHashMap<usize, u32>,
}

impl<'u> Tracer<'u> {
    /// Of runs of a module with these watches.
    pub fn new(
        module: &'u Module,
        program: &'u Program,
        watches: &'u Watches,
        overflow: SignedOverflow,
        limits: TraceLimits,
    ) -> Self {
        Self {
            terms: Terms::new(),
            module,
            program,
            watches,
            overflow,
            limits,
            trace: Trace::default(),
            known: FxHashMap::default(),
            step: 0,
            frames: Vec::new(),
            operands: Vec::new(),
            before: Vec::new(),
            computed: None,
            suppressed: None,
        }
    }

    /// Begins a run; in a twin run the condition is forced to its other value whenever it has the `suppressed` one.
    pub fn begin(&mut self, suppressed: Option<ConditionValue>) {
        self.trace = Trace::default();
        self.known.clear();
        self.frames.clear();
        self.operands.clear();
        self.step = 0;
        self.suppressed = suppressed;
    }

    /// Begins the next step.
    pub fn begin_step(&mut self) {
        self.step += 1;
        self.frames.clear();
    }

    /// The trace of the run.
    pub fn finish(&mut self) -> Trace {
        std::mem::take(&mut self.trace)
    }

    /// The term of a register.
    fn register(&mut self, marked: Marked<'_, Mark>) -> Term {
        marked.mark.unwrap_or_else(|| self.terms.constant(marked.value.into(), 64))
    }

    /// The mark for a term: none if it is a constant.
    fn mark(&mut self, term: Term) -> Mark {
        if self.terms.as_constant(term).is_some() {
            return None;
        }
        if self.terms.len() > self.limits.terms {
            self.note_concretised(NotFollowed::Terms(self.limits.terms as u64));
            return None;
        }
        Some(term)
    }

    fn checks_overflow(&self) -> bool {
        self.overflow == SignedOverflow::Found
    }

    fn location(&self) -> CodeLocation {
        self.frames.last().map_or(
            CodeLocation { function: CodeId::new(0), operation: 0 },
            |frame| CodeLocation { function: frame.function, operation: frame.block },
        )
    }

    /// Notes that a value was concretised without a constraint.
    fn note_concretised(&mut self, why: NotFollowed) {
        let location = self.location();
        if self.trace.concretised.iter().all(|(_, known)| *known != why) {
            self.trace.concretised.push((location, why));
        }
    }

    /// Adds a fork, unless the path condition decides it already.
    fn fork(
        &mut self,
        location: CodeLocation,
        kind: ForkKind,
        holds: Term,
        alternatives: Vec<Alternative>,
    ) {
        if self.terms.as_constant(holds).is_some() || self.known.contains_key(&holds) {
            return;
        }
        if self.trace.forks.len() >= self.limits.forks {
            return self.note_concretised(NotFollowed::Forks(self.limits.forks as u64));
        }
        let stack = self.frames.last().map_or(StackId(0), |frame| frame.stack);
        let possible =
            |alternative: &Alternative| self.terms.as_constant(alternative.term) != Some(0);
        let alternatives = alternatives.into_iter().filter(possible).collect();
        self.known.insert(holds, self.trace.forks.len());
        self.trace.forks.push(Fork { location, step: self.step, stack, kind, holds, alternatives });
    }

    /// A fork whose only alternative is the negation of `holds`.
    fn fork_two(
        &mut self,
        location: CodeLocation,
        kind: ForkKind,
        holds: Term,
        target: Option<u32>,
        continuation: Continuation,
    ) {
        let term = self.terms.not(holds);
        self.fork(location, kind, holds, vec![Alternative { term, target, continuation }]);
    }

    /// Concretises a word: the path condition says that it has its value; other values are other paths.
    fn concretise(&mut self, location: CodeLocation, marked: Marked<'_, Mark>) {
        let Some(term) = *marked.mark else { return };
        let value = self.terms.constant(marked.value.into(), self.terms.width(term));
        let same = self.terms.equal(term, value);
        self.fork(location, ForkKind::Access, same, Vec::new());
    }

    /// Records an evaluation of a condition; gives the mark of its value from here on.
    fn evaluate(&mut self, condition: ConditionId, value: u64, mark: Mark) -> Mark {
        let term = mark.map(|term| self.terms.extract(term, 0, 1));
        let was = value & 1 != 0;
        let forced = self.suppressed == Some(ConditionValue { condition, value: was });
        let given = std::mem::take(&mut self.operands);
        let operands = match given[..] {
            [(left, one), (right, other)] if one.is_some() || other.is_some() => {
                let left = self.register(Marked { value: left, mark: &one });
                let right = self.register(Marked { value: right, mark: &other });
                Some([left, right])
            }
            _ => None,
        };
        let home = self.program.condition(condition);
        let number = self.trace.evaluated.len() as u32;
        let previous = self
            .frames
            .last_mut()
            .and_then(|frame| frame.running.insert(home.decision.index(), number));
        let goes_on = |earlier: &u32| {
            let last = self.trace.evaluated[*earlier as usize].condition;
            self.program.condition(last).ordinal < home.ordinal
        };
        self.trace.evaluated.push(Evaluated {
            condition,
            value: was != forced,
            term,
            operands,
            forks: self.trace.forks.len() as u32,
            step: self.step,
            previous: previous.filter(goes_on),
        });
        let location = self.location();
        if let Some(term) = term {
            let holds = if was { term } else { self.terms.not(term) };
            self.fork_two(
                location,
                ForkKind::Condition(number),
                holds,
                None,
                Continuation::Continues,
            );
        }
        // A forced value no longer depends on inputs.
        if forced { None } else { mark }
    }
}
