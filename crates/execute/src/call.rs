//! Calls of functions of the program, of the standard library, and of the environment.

use obligato_bytecode::{Address, Argument, Callee, CodeId};

use crate::environment::{Environment, OutsideCall};
use crate::executable::{CallSite, Decoded};
use crate::finding::{AccessKind, FindingKind};
use crate::libc::Model;
use crate::machine::{Machine, Run};
use crate::shadow::{Marked, Shadow};
use crate::watch::Observer;

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// Executes a call. Functions of the program are only entered.
    pub(crate) fn execute_call(&mut self, caller: &Decoded, site: CallSite) -> Run<()> {
        let arguments = &caller.function.arguments[site.arguments.range()];
        let base = self.frames.last().map_or(0, |frame| frame.base as usize);
        let function = match site.callee {
            Callee::Direct(function) => function,
            Callee::Through(register) => {
                let at = base + register.0 as usize;
                let function = self.function_at(self.registers[at])?;
                if S::ACTIVE {
                    let pointer = Marked { value: self.registers[at], mark: &self.marks[at] };
                    self.shadow.called_through(pointer);
                }
                function
            }
        };
        let parameters = |code: &CodeId| {
            self.program.module.function(*code).signature.parameters as usize == arguments.len()
        };
        let function = self.behind[function.index()].filter(parameters).unwrap_or(function);
        let target = self.program.module.function(function);
        if !target.is_defined() {
            return self.call_undefined(function, site, arguments, base);
        }
        let (given, named) = (arguments.len(), target.signature.parameters as usize);
        let is_mismatch = given < named
            || (given > named && !target.signature.variadic)
            || site.results > target.signature.results;
        let at = || self.frames.last().map_or(0, |frame| caller.operation_before(frame.next));
        if target.stands_in && (is_mismatch || target.is_misused(&caller.function, at())) {
            let note = "a call of a function outside by another type than its own".to_owned();
            return Err(FindingKind::Unsupported { note }.into());
        }
        if is_mismatch {
            return Err(FindingKind::MismatchingCall { function }.into());
        }
        self.enter_from(function, arguments, site.to, site.results)
    }

    fn call_undefined(
        &mut self,
        function: CodeId,
        site: CallSite,
        arguments: &[Argument],
        base: usize,
    ) -> Run<()> {
        let level = self.memory.level();
        let mut values = Vec::with_capacity(arguments.len());
        let mut marks = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let (value, mark) = match *argument {
                Argument::Value(register) => self.marked(base + register.0 as usize),
                Argument::Copy { from, size, .. } => {
                    let source = self.registers[base + from.0 as usize];
                    (self.copy_of(source, size)?, S::Mark::default())
                }
            };
            values.push(value);
            marks.push(mark);
        }
        let (results, mark) = match self.models[function.index()] {
            Some(model) => self.call_model(function, model, &values, &marks)?,
            None => self.call_outside(function, site.results, &values, &marks)?,
        };
        self.memory.lower(level);
        let wanted = site.results as usize;
        if results.len() < wanted {
            return Err(FindingKind::MismatchingCall { function }.into());
        }
        let first = base + site.to as usize;
        self.registers[first..first + wanted].copy_from_slice(&results[..wanted]);
        self.marks[first..first + wanted].fill(mark);
        Ok(())
    }

    pub(crate) fn call_model(
        &mut self,
        function: CodeId,
        model: Model<S>,
        values: &[u64],
        marks: &[S::Mark],
    ) -> Run<(Vec<u64>, S::Mark)> {
        if values.len() < model.arguments {
            return Err(FindingKind::MismatchingCall { function }.into());
        }
        if S::ACTIVE {
            self.shadow.computed(function);
        }
        self.run_model(model, values, marks)
    }

    fn call_outside(
        &mut self,
        function: CodeId,
        results: u32,
        values: &[u64],
        marks: &[S::Mark],
    ) -> Run<(Vec<u64>, S::Mark)> {
        let name = &self.program.module.function(function).name;
        let call = OutsideCall { function, name, arguments: values, results };
        let answer = self.environment.call(call, &mut self.memory)?;
        let mut mark = S::Mark::default();
        if S::ACTIVE {
            let arguments: Vec<Marked<'_, S::Mark>> = values
                .iter()
                .zip(marks)
                .map(|(value, mark)| Marked { value: *value, mark })
                .collect();
            mark = self.shadow.outside(function, &arguments, &answer);
        }
        Ok((answer, mark))
    }

    /// The address of a fresh copy of bytes, which is gone when the callee returns.
    pub(crate) fn copy_of(&mut self, source: u64, size: u64) -> Run<u64> {
        self.memory.bytes(Address(source), size, AccessKind::Read)?;
        self.spend(size)?;
        let copy = self.memory.reserve(size)?;
        self.memory.copy(copy, Address(source), size)?;
        Ok(copy.0)
    }
}
