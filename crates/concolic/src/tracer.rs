//! The shadow that makes a trace of a run.

use obligato_bytecode::{Address, CodeId, Module, Operation};
use obligato_c_unit::measure::Watches;
use obligato_c_unit::watch::Meaning;
use obligato_execute::{Around, Marked, Memory, Shadow, SignedOverflow, Site, WatchId};
use obligato_model::{ConditionId, Program};
use obligato_symbolic::{compute, faults};
use obligato_term::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::trace::{Evaluated, Fork, ForkKind, Leads, OpenCall, Other, Place, StackId, Trace};

mod accesses;
mod controls;

/// The mark of a value: what it is for other inputs, if it depends on them. Registers have 64 bits, bytes 8.
pub type Mark = Option<Term>;

/// How much a trace may hold.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// So many forks.
    pub forks: usize,
    /// So many terms, over all runs.
    pub terms: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { forks: 20_000, terms: 4_000_000 }
    }
}

/// Makes traces of runs.
#[derive(Debug)]
pub struct Tracer<'u> {
    /// All terms.
    pub terms: Terms,
    module: &'u Module,
    program: &'u Program,
    watches: &'u Watches,
    overflow: SignedOverflow,
    bounds: Bounds,
    trace: Trace,
    /// What the path condition has already, and at which fork.
    known: FxHashMap<Term, usize>,
    step: u32,
    frames: Vec<Frame>,
    /// The operands of the comparison that is reported next.
    operands: Vec<(u64, Mark)>,
    /// The bytes of the object that is about to be written to, before.
    before: Vec<u8>,
    /// The function of the standard library that was called last.
    computed: Option<CodeId>,
    /// A condition that always has the other value than this: then its mark is gone.
    turned: Option<(ConditionId, bool)>,
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
        bounds: Bounds,
    ) -> Self {
        Self {
            terms: Terms::new(),
            module,
            program,
            watches,
            overflow,
            bounds,
            trace: Trace::default(),
            known: FxHashMap::default(),
            step: 0,
            frames: Vec::new(),
            operands: Vec::new(),
            before: Vec::new(),
            computed: None,
            turned: None,
        }
    }

    /// Begins a run; `turned` is a condition that is forced whenever it has this value.
    pub fn begin(&mut self, turned: Option<(ConditionId, bool)>) {
        self.trace = Trace::default();
        self.known.clear();
        self.frames.clear();
        self.operands.clear();
        self.step = 0;
        self.turned = turned;
    }

    /// Begins the next step.
    pub fn begin_step(&mut self) {
        self.step += 1;
        self.frames.clear();
    }

    /// What the run did.
    pub fn finish(&mut self) -> Trace {
        std::mem::take(&mut self.trace)
    }

    /// The term of a register.
    fn register(&mut self, marked: Marked<'_, Mark>) -> Term {
        marked.mark.unwrap_or_else(|| self.terms.constant(marked.value.into(), 64))
    }

    /// The mark for a term of a register: none if it is a number.
    fn mark(&mut self, term: Term) -> Mark {
        if self.terms.as_constant(term).is_some() {
            return None;
        }
        if self.terms.len() > self.bounds.terms {
            self.fix(format!("more than {} terms", self.bounds.terms));
            return None;
        }
        Some(term)
    }

    fn checks_overflow(&self) -> bool {
        self.overflow == SignedOverflow::Found
    }

    fn place(&self) -> Place {
        self.frames.last().map_or(Place { function: CodeId::new(0), operation: 0 }, |frame| Place {
            function: frame.function,
            operation: frame.block,
        })
    }

    /// Notes that something that depends on inputs is taken as it is.
    fn fix(&mut self, why: String) {
        let place = self.place();
        if self.trace.fixed.iter().all(|(_, known)| *known != why) {
            self.trace.fixed.push((place, why));
        }
    }

    /// Notes a fork, unless nothing is open about it.
    fn fork(&mut self, place: Place, kind: ForkKind, holds: Term, others: Vec<Other>) {
        if self.terms.as_constant(holds).is_some() || self.known.contains_key(&holds) {
            return;
        }
        if self.trace.forks.len() >= self.bounds.forks {
            return self.fix(format!("more than {} forks in one run", self.bounds.forks));
        }
        let stack = self.frames.last().map_or(StackId(0), |frame| frame.stack);
        let possible = |other: &Other| self.terms.as_constant(other.term) != Some(0);
        let others = others.into_iter().filter(possible).collect();
        self.known.insert(holds, self.trace.forks.len());
        self.trace.forks.push(Fork { place, step: self.step, stack, kind, holds, others });
    }

    /// A fork between a term and its negation.
    fn fork_two(&mut self, place: Place, kind: ForkKind, holds: Term, other: (Option<u32>, Leads)) {
        let term = self.terms.not(holds);
        let (target, leads) = other;
        self.fork(place, kind, holds, vec![Other { term, target, leads }]);
    }

    /// From here on a word is what it is in this run; other values are other paths.
    fn pin(&mut self, place: Place, marked: Marked<'_, Mark>) {
        let Some(term) = *marked.mark else { return };
        let value = self.terms.constant(marked.value.into(), self.terms.width(term));
        let same = self.terms.equal(term, value);
        self.fork(place, ForkKind::Access, same, Vec::new());
    }

    /// Notes the value of a condition; gives what its mark is from here on.
    fn evaluate(&mut self, condition: ConditionId, value: u64, mark: Mark) -> Mark {
        let term = mark.map(|term| self.terms.extract(term, 0, 1));
        let was = value & 1 != 0;
        let turned = self.turned == Some((condition, was));
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
            value: was != turned,
            term,
            operands,
            forks: self.trace.forks.len() as u32,
            step: self.step,
            previous: previous.filter(goes_on),
        });
        let place = self.place();
        if let Some(term) = term {
            let holds = if was { term } else { self.terms.not(term) };
            self.fork_two(place, ForkKind::Condition(number), holds, (None, Leads::On));
        }
        // What is forced no longer depends on inputs.
        if turned { None } else { mark }
    }
}

impl Shadow for Tracer<'_> {
    type Mark = Mark;
    const FOLLOWS: bool = true;

    fn compute(&mut self, site: Site<'_>, operands: &[Marked<'_, Mark>], _: u64) -> Mark {
        if operands.iter().all(|operand| operand.mark.is_none()) {
            return None;
        }
        let place = Place { function: site.function, operation: site.index };
        let words: Vec<Term> = operands.iter().map(|operand| self.register(*operand)).collect();
        if site.part == 0 {
            let overflow = self.checks_overflow();
            for (_, fault) in faults(&mut self.terms, site.operation, &words, overflow) {
                let fine = self.terms.not(fault);
                self.fork_two(place, ForkKind::Check, fine, (None, Leads::ToFault));
            }
        }
        if let Some(results) = compute(&mut self.terms, site.operation, &words) {
            self.mark(results[site.part])
        } else {
            for operand in operands {
                self.pin(place, *operand);
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
        let place = Place { function: site.function, operation: site.index };
        let word = self.loaded(place, pointer, size.into(), memory)?;
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
        let place = Place { function: site.function, operation: site.index };
        if let Some(term) = *pointer.mark {
            let word = self.register(value);
            let bytes = self.bytes_of(word, size.into());
            return self.store_through(place, (pointer, term), &bytes, memory);
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
        let place = Place { function: site.function, operation: site.index };
        // The byte that memory is filled with goes there by itself.
        let fills = matches!(
            site.operation,
            Operation::Intrinsic { op: obligato_bytecode::Intrinsic::FillMemory, .. }
        );
        for (index, operand) in operands.iter().enumerate() {
            if !(fills && index == 1) {
                self.pin(place, *operand);
            }
        }
    }

    fn called_through(&mut self, pointer: Marked<'_, Mark>) {
        let place = self.place();
        self.pin(place, pointer);
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
        let from = self.frames.last().map(|_| self.place());
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
    }

    fn unite(&mut self, _: &mut Mark, from: &Mark) {
        if let (Some(_), Some(function)) = (from, self.computed) {
            let name = &self.module.function(function).name;
            self.fix(format!("'{name}', which looks at inputs"));
        }
    }
}
