//! Stack frames: how functions are entered and left.

use obligato_bytecode::{Argument, CodeId};

use crate::environment::Environment;
use crate::finding::{ExecutionLimit, FindingKind};
use crate::machine::{Machine, Run, Stop};
use crate::memory::Level;
use crate::shadow::{Marked, Shadow};
use crate::watch::Observer;

/// A stack frame: a function that is running.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    /// The next instruction.
    pub(crate) next: u32,
    /// The index of its first register.
    pub(crate) base: u32,
    /// The first register of the caller that its results go to,
    pub(crate) to: u32,
    /// and how many of them the caller takes.
    pub(crate) results: u32,
    /// The extent of stack memory before it was entered.
    pub(crate) level: Level,
    /// The address of its variable arguments, if it takes any.
    pub(crate) unnamed: u64,
}

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// Enters a function from outside, with exactly the parameters it has.
    pub(crate) fn enter(&mut self, function: CodeId, arguments: &[u64]) -> Run<()> {
        let signature = &self.program.module.function(function).signature;
        let defined = self.program.module.function(function).is_defined();
        let named = signature.parameters as usize;
        if !defined || arguments.len() != named {
            return Err(FindingKind::MismatchingCall { function }.into());
        }
        let results = signature.results;
        let level = self.memory.level();
        let base = self.push_frame(function, u32::MAX, results, level)?;
        let first = base + self.program.function(function).function.constants.len();
        self.registers[first..first + named].copy_from_slice(arguments);
        self.tell_entry(function);
        Ok(())
    }

    /// Enters a function from the one that is running; the arguments are as many as it takes.
    pub(crate) fn enter_from(
        &mut self,
        function: CodeId,
        arguments: &[Argument],
        to: u32,
        results: u32,
    ) -> Run<()> {
        let named = self.program.module.function(function).signature.parameters as usize;
        let caller = self.frames.last().map_or(0, |frame| frame.base as usize);
        let level = self.memory.level();
        let base = self.push_frame(function, to, results, level)?;
        let first = base + self.program.function(function).function.constants.len();
        for (place, argument) in arguments[..named].iter().enumerate() {
            let (value, mark) = match *argument {
                Argument::Value(register) => self.marked(caller + register.0 as usize),
                Argument::Copy { from, size, .. } => {
                    let source = self.registers[caller + from.0 as usize];
                    (self.copy_of(source, size)?, S::Mark::default())
                }
            };
            self.registers[first + place] = value;
            self.marks[first + place] = mark;
        }
        if arguments.len() > named {
            self.lay_out_unnamed(caller, &arguments[named..])?;
        }
        self.tell_entry(function);
        Ok(())
    }

    /// Leaves the running function. Its results are in `self.results` and, if it has a caller, in the
    /// caller's registers.
    pub(crate) fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if S::ACTIVE {
            let function = CodeId::new(frame.function as usize);
            self.shadow.leave(function, &mut self.result_marks, &mut self.memory);
        }
        self.memory.lower(frame.level);
        self.registers.truncate(frame.base as usize);
        self.marks.truncate(frame.base as usize);
        if frame.to != u32::MAX
            && let Some(caller) = self.frames.last()
        {
            let first = (caller.base + frame.to) as usize;
            let wanted = frame.results as usize;
            self.registers[first..first + wanted].copy_from_slice(&self.results[..wanted]);
            self.marks[first..first + wanted].clone_from_slice(&self.result_marks[..wanted]);
        }
    }

    /// The index of the frame's first register.
    fn push_frame(&mut self, function: CodeId, to: u32, results: u32, level: Level) -> Run<usize> {
        if self.frames.len() >= self.limits.depth as usize {
            return Err(FindingKind::Limit(ExecutionLimit::Depth).into());
        }
        let decoded = &self.program.function(function).function;
        let base = self.registers.len();
        let end = base + decoded.registers as usize;
        // Registers count as memory: a deep recursion of a function with many of them ends here.
        if 8 * end as u64 > self.limits.memory {
            return Err(FindingKind::Limit(ExecutionLimit::Memory).into());
        }
        self.registers.extend_from_slice(&decoded.constants);
        self.registers.resize(end, 0);
        self.marks.resize(end, S::Mark::default());
        self.frames.push(Frame {
            function: function.index() as u32,
            next: 0,
            base: base as u32,
            to,
            results,
            level,
            unnamed: 0,
        });
        Ok(base)
    }

    fn tell_entry(&mut self, function: CodeId) {
        if !S::ACTIVE {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let parameters = self.program.module.function(function).parameters();
        let marked: Vec<Marked<'_, S::Mark>> = parameters
            .map(|register| (frame.base + register) as usize)
            .map(|at| Marked { value: self.registers[at], mark: &self.marks[at] })
            .collect();
        self.shadow.enter(function, &marked);
    }

    /// A register of any frame with its mark.
    pub(crate) fn marked(&self, at: usize) -> (u64, S::Mark) {
        (self.registers[at], self.marks[at].clone())
    }

    /// Calls a function of the program from the standard library; returns its first result.
    pub(crate) fn call_back(&mut self, pointer: u64, arguments: &[u64]) -> Run<u64> {
        /// The largest nesting of such calls: each takes a frame of the host's stack.
        const MOST: u32 = 16;
        let function = self.function_at(pointer)?;
        if let Some(model) = self.models[function.index()] {
            let marks = vec![S::Mark::default(); arguments.len()];
            let (results, _) = self.call_model(function, model, arguments, &marks)?;
            return Ok(results.first().copied().unwrap_or(0));
        }
        if self.nesting >= MOST {
            return Err(Stop::from(FindingKind::Limit(ExecutionLimit::Depth)));
        }
        self.nesting += 1;
        let floor = self.frames.len();
        self.enter(function, arguments)?;
        self.run(floor)?;
        self.nesting -= 1;
        Ok(self.results.first().copied().unwrap_or(0))
    }
}
