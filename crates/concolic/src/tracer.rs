//! The shadow that records the trace of a run.

use obligato_bytecode::{Address, CodeId, Module, Operation};
use obligato_c_unit::measure::Watches;
use obligato_c_unit::watch::Meaning;
use obligato_execute::{
    Around, Marked, Memory, Shadow, SignedOverflow, Site, WatchId, returns_twice,
};
use obligato_model::{ConditionId, NotFollowed, Program};
use obligato_symbolic::{compute, undefined_behaviours};
use obligato_term::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::trace::{
    Alternative, CodeLocation, ConditionValue, Continuation, Evaluated, Fork, ForkKind, OpenCall,
    StackId, Trace,
};

mod accesses;
mod controls;

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

impl Shadow for Tracer<'_> {
    type Mark = Mark;
    const FOLLOWS: bool = true;

    fn compute(&mut self, site: Site<'_>, operands: &[Marked<'_, Mark>], _: u64) -> Mark {
        if operands.iter().all(|operand| operand.mark.is_none()) {
            return None;
        }
        let location = CodeLocation { function: site.function, operation: site.index };
        let words: Vec<Term> = operands.iter().map(|operand| self.register(*operand)).collect();
        if site.part == 0 {
            let overflow = self.checks_overflow();
            for (_, undefined) in
                undefined_behaviours(&mut self.terms, site.operation, &words, overflow)
            {
                let defined = self.terms.not(undefined);
                self.fork_two(location, ForkKind::Check, defined, None, Continuation::RuntimeError);
            }
        }
        if let Some(results) = compute(&mut self.terms, site.operation, &words) {
            self.mark(results[site.part])
        } else {
            for operand in operands {
                self.concretise(location, *operand);
            }
            None
        }
    }

    fn load(
        &mut self,
        site: Site<'_>,
        pointer: Marked<'_, Mark>,
        bytes: &[Mark],
        memory: &Memory<Mark>,
        _: u64,
    ) -> Mark {
        if pointer.mark.is_none() && bytes.iter().all(Option::is_none) {
            return None;
        }
        let Operation::Load { size, bits, .. } = *site.operation else { return None };
        let location = CodeLocation { function: site.function, operation: site.index };
        let word = self.loaded(location, pointer, size.into(), memory)?;
        let value = self.terms.extract(word, 0, bits);
        let register = self.terms.zero_extend(value, 64);
        self.mark(register)
    }

    fn storing(&mut self, pointer: Marked<'_, Mark>, _: u64, memory: &Memory<Mark>) {
        if pointer.mark.is_none() {
            return;
        }
        let at = Address(pointer.value);
        self.before.clear();
        let start = Address::new(at.object(), 0);
        if let Some(bytes) =
            memory.size_of_object(at).and_then(|extent| memory.read(start, extent).ok())
        {
            self.before.extend_from_slice(bytes);
        }
    }

    fn store(
        &mut self,
        site: Site<'_>,
        pointer: Marked<'_, Mark>,
        value: Marked<'_, Mark>,
        memory: &mut Memory<Mark>,
    ) {
        let Operation::Store { size, .. } = *site.operation else { return };
        let location = CodeLocation { function: site.function, operation: site.index };
        if let Some(term) = *pointer.mark {
            let word = self.register(value);
            let bytes = self.bytes_of(word, size.into());
            return self.store_through(location, pointer, term, &bytes, memory);
        }
        let Ok(marks) = memory.marks_mut(Address(pointer.value), size.into()) else { return };
        self.spread(value.mark, marks);
    }

    fn spread(&mut self, word: &Mark, bytes: &mut [Mark]) {
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = word.and_then(|word| {
                let byte = self.terms.extract(word, 8 * index as u8, 8);
                self.mark(byte)
            });
        }
    }

    fn cut(&mut self, mark: &Mark, gap: u8) -> Mark {
        let term = (*mark)?;
        let low = self.terms.extract(term, 0, 64 - gap);
        let register = self.terms.zero_extend(low, 64);
        self.mark(register)
    }

    fn watched(&mut self, watch: WatchId, value: u64, mark: &mut Mark) {
        match self.watches.meaning(watch) {
            None => self.operands.push((value, *mark)),
            Some(Meaning::Evaluate(condition)) => {
                *mark = self.evaluate(*condition, value, *mark);
            }
            Some(_) => self.operands.clear(),
        }
    }

    fn swept(&mut self, site: Site<'_>, operands: &[Marked<'_, Mark>]) {
        let location = CodeLocation { function: site.function, operation: site.index };
        // The shadow memory stores the fill byte with its mark.
        let fills = matches!(
            site.operation,
            Operation::Intrinsic { op: obligato_bytecode::Intrinsic::FillMemory, .. }
        );
        for (index, operand) in operands.iter().enumerate() {
            if !(fills && index == 1) {
                self.concretise(location, *operand);
            }
        }
    }

    fn called_through(&mut self, pointer: Marked<'_, Mark>) {
        let location = self.location();
        self.concretise(location, pointer);
    }

    fn failed(&mut self, site: Site<'_>, operands: &[Marked<'_, Mark>], memory: &Memory<Mark>) {
        self.fail(site, operands, memory);
    }

    fn moved(&mut self, _: &mut [Mark]) {}

    fn branch(&mut self, site: Site<'_>, target: u32, around: Around<'_, Mark>) {
        self.control(site, target, &around);
        if let Some(frame) = self.frames.last_mut() {
            frame.block = target;
        }
    }

    fn enter(&mut self, callee: CodeId, _: &[Marked<'_, Mark>]) {
        let from = self.frames.last().map(|_| self.location());
        let below = self.frames.last().map(|frame| frame.stack);
        let stack = StackId(self.trace.stacks.len() as u32);
        self.trace.stacks.push(OpenCall { caller: below, from });
        self.frames.push(Frame {
            stack,
            function: callee,
            block: 0,
            running: FxHashMap::default(),
        });
    }

    fn leave(&mut self, _: CodeId, _: &mut [Mark], _: &mut Memory<Mark>) {
        self.frames.pop();
    }

    fn outside(&mut self, _: CodeId, _: &[Marked<'_, Mark>], _: &[u64]) -> Mark {
        None
    }

    fn computed(&mut self, function: CodeId) {
        self.computed = Some(function);
        let name = self.module.function(function).name.as_str();
        if returns_twice(name) {
            self.note_concretised(NotFollowed::ReturnsTwice(name.to_owned()));
        }
    }

    fn unite(&mut self, _: &mut Mark, from: &Mark) {
        if let (Some(_), Some(function)) = (from, self.computed) {
            let name = &self.module.function(function).name;
            self.note_concretised(NotFollowed::ReadsInputs(name.clone()));
        }
    }
}
