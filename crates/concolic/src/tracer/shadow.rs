//! What the executor tells the tracer, operation by operation.

use obligato_bytecode::{Address, CodeId, Operation};
use obligato_c_unit::watch::Meaning;
use obligato_execute::{Around, Marked, Memory, Returns, Shadow, Site, WatchId, returns};
use obligato_model::NotFollowed;
use obligato_symbolic::{compute, undefined_behaviours};
use obligato_term::Term;
use rustc_hash::FxHashMap;

use super::{Frame, Mark, Tracer};
use crate::trace::{CodeLocation, Continuation, ForkKind, OpenCall, StackId};

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
        if returns(name) == Returns::Twice {
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
