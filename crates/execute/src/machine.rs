//! The machine: a program with its memory, shadow, observer and environment.

use obligato_bytecode::{Address, CodeId};

use crate::environment::Environment;
use crate::executable::Executable;
use crate::finding::{Ending, Finding, FindingKind, StackEntry};
use crate::frame::Frame;
use crate::libc::{Library, Model};
use crate::limits::ExecutionLimits;
use crate::memory::Memory;
use crate::shadow::Shadow;
use crate::watch::Observer;

/// Runs a program, call after call. What the program leaves in its memory is there for the next call,
/// until [`reset`](Self::reset).
#[derive(Debug)]
pub struct Machine<'p, S: Shadow = (), O = (), E = ()> {
    pub(crate) program: &'p Executable<'p>,
    pub(crate) memory: Memory<S::Mark>,
    /// The registers of all frames behind each other, and their marks.
    pub(crate) registers: Vec<u64>,
    pub(crate) marks: Vec<S::Mark>,
    /// The registers that the current operation both reads and writes, with their values before it.
    pub(crate) overwritten: Vec<(usize, u64)>,
    pub(crate) frames: Vec<Frame>,
    /// The results of the function that returned last.
    pub(crate) results: Vec<u64>,
    pub(crate) result_marks: Vec<S::Mark>,
    /// How many operations may still be executed.
    pub(crate) steps: u64,
    pub(crate) limits: ExecutionLimits,
    /// The number of callbacks from the standard library that are open.
    pub(crate) nesting: u32,
    pub(crate) library: Library,
    /// The undefined functions that have a model, by their number.
    pub(crate) models: Vec<Option<Model<S>>>,
    /// Their C bodies, if the shadow follows these.
    pub(crate) behind: Vec<Option<CodeId>>,
    /// The shadow, whose hooks are called.
    pub shadow: S,
    /// The observer, which gets the watch points.
    pub observer: O,
    /// The environment, which answers calls that leave the program.
    pub environment: E,
}

/// Why a step could not be finished.
#[derive(Debug)]
pub(crate) enum Stop {
    /// `exit` was called.
    Exit(i32),
    /// Something was found.
    Found(Box<FindingKind>),
}

/// The result of a step.
pub(crate) type Run<T> = Result<T, Stop>;

impl From<Box<FindingKind>> for Stop {
    fn from(kind: Box<FindingKind>) -> Self {
        Self::Found(kind)
    }
}

impl From<FindingKind> for Stop {
    fn from(kind: FindingKind) -> Self {
        Self::Found(Box::new(kind))
    }
}

impl<'p, S, O, E> Machine<'p, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// A machine in the initial state of the program.
    pub fn new(
        program: &'p Executable<'p>,
        limits: ExecutionLimits,
        shadow: S,
        observer: O,
        environment: E,
    ) -> Self {
        let functions = &program.module.functions;
        let models = functions
            .iter()
            .map(|function| if function.is_defined() { None } else { Model::named(&function.name) })
            .collect();
        let module = program.module;
        let code = |index: usize| module.code_behind(CodeId::new(index)).filter(|_| S::FOLLOWS);
        Self {
            program,
            memory: Memory::new(program.module, limits),
            registers: Vec::new(),
            marks: Vec::new(),
            overwritten: Vec::new(),
            frames: Vec::new(),
            results: Vec::new(),
            result_marks: Vec::new(),
            steps: limits.steps,
            limits,
            nesting: 0,
            library: Library::new(program.module),
            models,
            behind: (0..functions.len()).map(code).collect(),
            shadow,
            observer,
            environment,
        }
    }

    /// Changes the limits, from the next [`reset`](Self::reset) on.
    pub fn set_limits(&mut self, limits: ExecutionLimits) {
        self.limits = limits;
    }

    /// Back to the initial state, with full limits and nothing printed.
    pub fn reset(&mut self) {
        self.unwind();
        self.memory.reset();
        self.library = Library::new(self.program.module);
        self.steps = self.limits.steps;
    }

    /// Calls a function with the values of its parameters and gives its results. After an ending other than
    /// by return, memory is as the program left it, the variables of its functions included, until the next call.
    pub fn call(&mut self, function: CodeId, arguments: &[u64]) -> Result<Vec<u64>, Ending> {
        self.unwind();
        let ended = self.enter(function, arguments).and_then(|()| self.run(0));
        match ended {
            Ok(()) => Ok(self.results.clone()),
            Err(Stop::Exit(status)) => Err(Ending::Exit(status)),
            Err(Stop::Found(kind)) => {
                if S::ACTIVE {
                    self.shade_failure();
                }
                Err(Ending::Finding(Box::new(Finding { kind: *kind, stack: self.stack() })))
            }
        }
    }

    /// The marks of the results of the last call.
    pub fn result_marks(&self) -> &[S::Mark] {
        &self.result_marks
    }

    /// The memory, to look at.
    pub fn memory(&self) -> &Memory<S::Mark> {
        &self.memory
    }

    /// The memory, to prepare a call.
    pub fn memory_mut(&mut self) -> &mut Memory<S::Mark> {
        &mut self.memory
    }

    /// What the program has printed to `stdout` since the last reset.
    pub fn output(&self) -> &[u8] {
        &self.library.output
    }

    /// What it has printed to `stderr`.
    pub fn errors(&self) -> &[u8] {
        &self.library.errors
    }

    /// How many operations have been executed since the last reset.
    pub fn steps(&self) -> u64 {
        self.limits.steps - self.steps
    }

    /// The call stack: the running function first, then its callers.
    pub fn stack(&self) -> Vec<StackEntry> {
        self.frames.iter().rev().map(|frame| self.place(frame)).collect()
    }

    fn place(&self, frame: &Frame) -> StackEntry {
        let function = CodeId::new(frame.function as usize);
        let last = (frame.next as usize).saturating_sub(1);
        let operation = self.program.function(function).origin[last];
        let position = self.program.module.function(function).places[operation as usize];
        StackEntry { function, operation, position }
    }

    fn unwind(&mut self) {
        if let Some(first) = self.frames.first() {
            self.memory.lower(first.level);
        }
        self.frames.clear();
        self.registers.clear();
        self.marks.clear();
        self.nesting = 0;
    }

    /// Charges for work that is not counted in operations.
    pub(crate) fn spend(&mut self, bytes: u64) -> Run<()> {
        spend(&mut self.steps, bytes)
    }

    /// The function that a pointer points to.
    pub(crate) fn function_at(&self, pointer: u64) -> Run<CodeId> {
        let address = Address(pointer);
        self.program.module.function_at(address).ok_or_else(|| {
            Stop::from(if address == Address::NULL {
                FindingKind::NullCall
            } else if address.object().0 == 0 {
                // No object lies there, but there may be code: of a boot loader, or in read-only memory.
                let note = format!("a call of what lies at the address {pointer:#x}");
                FindingKind::Unsupported { note }
            } else {
                FindingKind::WildCall { address }
            })
        })
    }
}

/// The number of bytes that cost as much as one operation.
const BYTES_PER_STEP: u64 = 16;

/// Charges for work on bytes.
#[inline]
pub(crate) fn spend(steps: &mut u64, bytes: u64) -> Run<()> {
    *steps = steps
        .checked_sub(bytes / BYTES_PER_STEP)
        .ok_or(Stop::from(FindingKind::Limit(crate::finding::ExecutionLimit::Steps)))?;
    Ok(())
}
