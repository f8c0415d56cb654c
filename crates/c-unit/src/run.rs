//! Runs tests of a function on the executor.

use std::collections::HashMap;

use obligato_bytecode::{Address, CodeId, Module, ObjectId};
use obligato_c_library::STREAMS;
use obligato_execute::{
    Ending, Executable, ExecutionLimit, ExecutionLimits, FindingKind, Machine, Memory, Observer,
    Shadow,
};

use crate::driver::Driver;
use crate::environment::name_of_allocator;
use crate::interface::{Cell, Form, Interface, Object, ObjectIndex, Origin, Pointee};
use crate::layout::Layout;
use crate::layout::{put_bits, take_bits};
use crate::outside_writes::EffectsOfStep;
use crate::script::{Content, Held, Write, visible_objects};
use crate::volatile::VolatileAccesses;

mod stubs;

use stubs::{StubCalls, Stubs};

/// The observation of an output after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// Its bytes.
    Held(Held),
    /// There is nothing: no pointer points there, or no call was given it.
    Nothing,
    /// It is not observable.
    Hidden,
}

/// The run of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRun {
    /// Per step that returned, its outputs.
    pub steps: Vec<Vec<Observed>>,
    /// Why it ended early, if it did.
    pub ending: Option<Ending>,
    /// How many operations were executed.
    pub operations: u64,
    /// Per step that began, the functions outside that were called, in order, by their places in the interface; cut where
    /// they are very many.
    pub calls: Vec<Vec<u32>>,
    /// Per step that began, how often each volatile stretch of the interface was read.
    pub reads: Vec<Vec<u64>>,
    /// Per step that began, what functions outside did of what a test lets them write.
    pub effects: Vec<EffectsOfStep>,
}

impl TestRun {
    /// Was it stopped because it went on for longer than any run may? The loop of a task has no end.
    pub fn is_endless(&self) -> bool {
        matches!(&self.ending, Some(Ending::Finding(finding)) if finding.kind == FindingKind::Limit(ExecutionLimit::Steps))
    }
}

/// Bytes that were written before a step.
#[derive(Debug)]
pub struct Written<'a, M> {
    /// Which step.
    pub step: usize,
    /// Where the first of them is.
    pub start: Address,
    /// What they held before.
    pub before: &'a [u8],
    /// What they hold now; some of their bits may have been there before.
    pub bytes: &'a [u8],
    /// Their marks.
    pub marks: &'a mut [M],
}

/// The call of a function under test, as the driver makes it.
#[derive(Clone, Copy, Debug)]
pub struct DrivenCall<'u> {
    /// The code.
    pub program: &'u Executable<'u>,
    /// What tests set and see.
    pub interface: &'u Interface,
    /// Knows the stubs.
    pub driver: &'u Driver,
    /// The function of the driver that calls the one under test.
    pub call: CodeId,
    /// How much a test may take.
    pub limits: ExecutionLimits,
}

/// Runs tests of one function, one after the other, each from the initial state.
pub struct Runner<'u, S: Shadow, O> {
    machine: Machine<'u, S, O, Stubs<'u>>,
    interface: &'u Interface,
    module: &'u Module,
    call: CodeId,
}

impl<'u, S: Shadow, O: Observer> Runner<'u, S, O> {
    /// A runner of this call, with whoever watches.
    pub fn new(call: DrivenCall<'u>, shadow: S, observer: O) -> Self {
        let DrivenCall { program, interface, driver, call, limits } = call;
        let names: Vec<String> = driver.stubs().map(str::to_owned).collect();
        let stubs = names.iter().map(|name| {
            let index = interface.outside.iter().position(|outside| outside.name == *name);
            (index, 0)
        });
        let outside = stubs.collect();
        let noted = StubCalls::default();
        let module = program.module();
        let layout = Layout::new(module, interface);
        let volatile = VolatileAccesses::new(interface, &layout);
        let effects = Vec::new();
        let stubs = Stubs { interface, outside, layout, names, volatile, noted, effects };
        let machine = Machine::new(program, limits, shadow, observer, stubs);
        Self { machine, interface, module, call }
    }

    /// The observer.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.machine.observer
    }

    /// The shadow.
    pub fn shadow_mut(&mut self) -> &mut S {
        &mut self.machine.shadow
    }

    /// The same, to look at.
    pub fn shadow(&self) -> &S {
        &self.machine.shadow
    }

    /// Changes the limits of tests.
    pub fn set_limits(&mut self, limits: ExecutionLimits) {
        self.machine.set_limits(limits);
    }

    /// Runs a test.
    pub fn run(&mut self, steps: &[Vec<Write>]) -> TestRun {
        self.run_each(steps, |_, _| {})
    }

    /// Runs a test; `each` is called after each step, with which objects can be seen then.
    pub fn run_each(
        &mut self,
        steps: &[Vec<Write>],
        each: impl FnMut(&mut Self, &[bool]),
    ) -> TestRun {
        self.run_marked(steps, |_, _, _| {}, each)
    }

    /// Runs a test; `begin` is called before each step, when its inputs are written.
    pub fn run_from(&mut self, steps: &[Vec<Write>], begin: impl FnMut(&mut Self)) -> TestRun {
        self.run_watched(steps, |_, _, _| {}, begin, |_, _| {})
    }

    /// Runs a test; `mark` may change the marks of what is written before each step, and `each` is called after
    /// it.
    pub fn run_marked(
        &mut self,
        steps: &[Vec<Write>],
        mark: impl FnMut(&mut S, &Write, Written<'_, S::Mark>),
        each: impl FnMut(&mut Self, &[bool]),
    ) -> TestRun {
        self.run_watched(steps, mark, |_| {}, each)
    }

    fn run_watched(
        &mut self,
        steps: &[Vec<Write>],
        mark: impl FnMut(&mut S, &Write, Written<'_, S::Mark>),
        begin: impl FnMut(&mut Self),
        each: impl FnMut(&mut Self, &[bool]),
    ) -> TestRun {
        self.machine.reset();
        self.machine.environment.noted = StubCalls::default();
        self.machine.environment.effects.clear();
        let mut run = TestRun {
            steps: Vec::with_capacity(steps.len()),
            ending: None,
            operations: 0,
            calls: Vec::new(),
            reads: Vec::new(),
            effects: Vec::new(),
        };
        run.ending = self.run_steps(steps, &mut run.steps, mark, begin, each).err();
        run.operations = self.machine.steps();
        run.calls = std::mem::take(&mut self.machine.environment.noted).steps;
        run.reads = self.machine.environment.volatile.take_reads();
        run.effects = std::mem::take(&mut self.machine.environment.effects);
        run
    }

    fn run_steps(
        &mut self,
        steps: &[Vec<Write>],
        seen: &mut Vec<Vec<Observed>>,
        mut mark: impl FnMut(&mut S, &Write, Written<'_, S::Mark>),
        mut begin: impl FnMut(&mut Self),
        mut each: impl FnMut(&mut Self, &[bool]),
    ) -> Result<(), Ending> {
        self.prepare().map_err(ended)?;
        let Layout { arguments, result, .. } = self.machine.environment.layout;
        for (step, writes) in steps.iter().enumerate() {
            for write in writes {
                self.write(step, write, |shadow, written| mark(shadow, write, written))
                    .map_err(ended)?;
            }
            begin(self);
            self.machine.environment.begin_step();
            self.machine.call(self.call, &[arguments.0, result.0])?;
            let visible = visible_objects(self.interface, &steps[..=step]);
            seen.push(self.observe(&visible));
            each(self, &visible);
        }
        Ok(())
    }

    /// Makes all objects, and the list of the arguments. A machine that has been reset numbers objects as the layout does.
    fn prepare(&mut self) -> Result<(), FindingKind> {
        let layout = self.machine.environment.layout.clone();
        let memory = self.machine.memory_mut();
        for (object, address) in self.interface.objects.iter().zip(&layout.objects) {
            if object.origin == Origin::Fresh {
                let made = memory.allocate_for_program(object.size)?;
                assert_eq!(made, *address, "invariant: objects are where the layout has them");
            }
        }
        let list = layout.argument_list(self.interface);
        let made = memory.allocate(list.len() as u64)?;
        assert_eq!(
            made, layout.arguments,
            "invariant: the arguments are where the layout has them"
        );
        memory.write(made, &list)
    }

    fn write(
        &mut self,
        step: usize,
        write: &Write,
        mark: impl FnOnce(&mut S, Written<'_, S::Mark>),
    ) -> Result<(), FindingKind> {
        let object = self.machine.environment.layout.objects[write.object.0];
        let start = object.advanced(write.offset / 8);
        let (count, value) = match &write.content {
            Content::Bits { count, value } => (*count, Some(*value)),
            Content::Pointer(Pointee::Unset) => (64, None),
            Content::Pointer(to) => {
                let address = self.machine.environment.layout.address_of(self.module, to);
                if let Some(object) = to.object()
                    && self.machine.memory().size_of_object(address).is_none()
                {
                    return Err(given_back(&self.interface.objects[object.0].name));
                }
                (64, Some(u128::from(address.0)))
            }
        };
        let first = write.offset % 8;
        let size = (first + u64::from(count)).div_ceil(8);
        let memory = self.machine.memory_mut();
        if memory.size_of_object(start).is_none() {
            return Err(given_back(&self.interface.objects[write.object.0].name));
        }
        let before = memory.read(start, size)?.to_vec();
        let mut bytes = before.clone();
        if let Some(value) = value {
            put_bits(&mut bytes, first, count, value);
        }
        memory.write(start, &bytes)?;
        if S::ACTIVE {
            let mut marks = memory.marks(start, size)?.to_vec();
            let written =
                Written { step, start, before: &before, bytes: &bytes, marks: &mut marks };
            mark(&mut self.machine.shadow, written);
            self.machine.memory_mut().marks_mut(start, size)?.clone_from_slice(&marks);
        }
        Ok(())
    }

    /// What the inputs hold; none of one that is freed, or points to what is.
    pub fn held_inputs(&self) -> Vec<Option<Held>> {
        let objects = self.objects();
        let memory = self.machine.memory();
        let is_there = |held: &Held| match held {
            Held::Pointer(Pointee::Object(object), _) => {
                memory.size_of_object(self.addresses()[object.0]).is_some()
            }
            _ => true,
        };
        let cells = self.interface.inputs.iter();
        cells.map(|cell| self.held(cell, &objects).filter(is_there)).collect()
    }

    /// The objects of the interface, by their numbers in memory. Where the standard streams lie only the library knows: here the pointer
    /// to one leads to the variable that holds it.
    fn objects(&self) -> HashMap<ObjectId, ObjectIndex> {
        let objects = self.interface.objects.iter().zip(self.addresses()).enumerate();
        let is_stream = |object: &Object| matches!(&object.origin, Origin::Global(name) if STREAMS.contains(&name.as_str()));
        let named = objects.filter(|(_, (object, _))| !is_stream(object));
        named.map(|(index, (_, address))| (address.object(), ObjectIndex(index))).collect()
    }

    fn observe(&self, visible: &[bool]) -> Vec<Observed> {
        let objects = self.objects();
        let seen = self.interface.outputs.iter().map(|cell| {
            if !visible[cell.object.0] || !self.machine.environment.took_place(cell.object) {
                return Observed::Nothing;
            }
            self.held(cell, &objects).map_or(Observed::Hidden, Observed::Held)
        });
        seen.collect()
    }

    /// The marks of the bytes of an output; none if there is nothing to see.
    pub fn marks_of(&self, cell: &Cell, visible: &[bool]) -> &[S::Mark] {
        let world = &self.machine.environment;
        if !visible[cell.object.0] || !world.took_place(cell.object) {
            return &[];
        }
        let (start, size) = world.layout.bytes_of(cell);
        self.machine.memory().marks(start, size).unwrap_or(&[])
    }

    /// The memory as the last test left it.
    pub fn memory(&self) -> &Memory<S::Mark> {
        self.machine.memory()
    }

    /// Where each object of the interface is, in every test.
    pub fn addresses(&self) -> &[Address] {
        &self.machine.environment.layout.objects
    }

    /// The bytes of an output; none if there is nothing to see.
    pub fn bytes_of(&self, cell: &Cell, visible: &[bool]) -> &[u8] {
        let world = &self.machine.environment;
        if !visible[cell.object.0] || !world.took_place(cell.object) {
            return &[];
        }
        let (start, size) = world.layout.bytes_of(cell);
        self.machine.memory().read(start, size).unwrap_or(&[])
    }

    /// The standard stream at an address: the variable that holds a pointer to it points to itself.
    fn stream_at(&self, address: Address) -> Option<&'static str> {
        STREAMS.into_iter().find(|name| {
            let global = self.module.global_named(name);
            let outside = global.filter(|global| !self.module.global(*global).defined);
            outside.is_some_and(|global| Module::address_of_global(global) == address)
        })
    }

    fn held(&self, cell: &Cell, objects: &HashMap<ObjectId, ObjectIndex>) -> Option<Held> {
        let (start, size) = self.machine.environment.layout.bytes_of(cell);
        let bytes = self.machine.memory().read(start, size).ok()?;
        let bits = take_bits(bytes, cell.offset % 8, cell.form.bits());
        if !matches!(cell.form, Form::Pointer(_)) {
            return Some(Held::Bits(bits));
        }
        let address = Address(bits as u64);
        Some(if address == Address::NULL {
            Held::Pointer(Pointee::Null, 0)
        } else if let Some(function) = self.module.function_at(address) {
            let name = name_of_allocator(&self.module.function(function).name);
            Held::Pointer(Pointee::Function(name.to_owned()), 0)
        } else {
            let object = objects.get(&address.object()).copied();
            // A pointer past its object may well point into another one on a real machine.
            let inside = object.filter(|object| {
                let size = self.interface.objects[object.0].size;
                u64::try_from(address.offset()).is_ok_and(|offset| offset <= size)
            });
            match (inside, self.stream_at(address)) {
                (Some(object), _) => Held::Pointer(Pointee::Object(object), address.offset()),
                (None, Some(stream)) => Held::Stream(stream),
                (None, None) => Held::Elsewhere,
            }
        })
    }
}

/// Preparing a test can fail for want of memory, and where a step has freed an object of it.
fn ended(kind: FindingKind) -> Ending {
    Ending::Finding(Box::new(obligato_execute::Finding { kind, stack: Vec::new() }))
}

/// A step cannot set an object that the program has freed in an earlier one.
fn given_back(name: &str) -> FindingKind {
    FindingKind::Unsupported {
        note: format!("setting '{name}' again after an earlier step has freed what it points to"),
    }
}
