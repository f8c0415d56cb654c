//! Plain data of the tests of a C function, from its interface, the scripts of the tests and what they did.

use std::path::Path;

use obligato_c_unit::callbacks::is_callback;
use obligato_c_unit::environment::is_register;
use obligato_c_unit::interface::{Cell, Origin, Pointee};
use obligato_c_unit::native::signal_of;
use obligato_c_unit::pointed_stubs::is_pointed_stub;
use obligato_c_unit::run::Observed;
use obligato_c_unit::script::{Columns, Content, Held, Write, visible_objects};
use obligato_c_unit::weak::is_weak_stand_in;
use obligato_c_unit::{Ending as Ended, Interface, TestRun};
use obligato_clang::Callable;
use obligato_export::unit::{
    Argument, CValue, Check, ExpectedEnding, Set, Stub, UnitStep, UnitTest, UnitTests,
};

use super::environment::{Environment, Exported};
use super::memory::Memory;
use super::places::{Places, is_hidden, value_of};
use super::writes::StubWrites;
use crate::error::Error;
use crate::key_path::relative_path;
use crate::subject::SubjectOptions;
use crate::unit::{LoadedUnit, UnitSuite};

/// Makes plain data of the tests of a function.
pub struct Exporter<'a> {
    loaded: &'a LoadedUnit,
    interface: &'a Interface,
    subject: &'a SubjectOptions,
    places: Places<'a>,
    environment: Environment<'a>,
}

impl<'a> Exporter<'a> {
    /// For a function.
    pub fn new(
        loaded: &'a LoadedUnit,
        interface: &'a Interface,
        subject: &'a SubjectOptions,
    ) -> Self {
        let environment = Environment::new(interface, &loaded.unit.driver().allocators);
        Self { loaded, interface, subject, places: Places::new(interface), environment }
    }

    /// The tests of a suite that ran like this, for sources in a directory.
    pub fn export(
        &self,
        read: &UnitSuite,
        runs: &[TestRun],
        directory: &Path,
    ) -> Result<UnitTests, Error> {
        let unit = &self.loaded.unit;
        let fault = |what: &str| Error::Internal(format!("{what} of an exported test"));
        let callable = unit.callable(&self.interface.function);
        let callable = callable.ok_or_else(|| fault("there is no function"))?;
        let names = self.places.arguments.iter().zip(&callable.parameters);
        let arguments = names
            .map(|(name, parameter)| Argument {
                name: name.clone(),
                kind: parameter.spelling.clone(),
            })
            .collect();
        let columns = Columns::new(self.interface, &read.suite)
            .map_err(|error| Error::Internal(error.to_string()))?;
        let mut scripts = Vec::with_capacity(runs.len());
        for test in &read.suite.tests {
            let script = columns.script(self.interface, test);
            scripts.push(script.map_err(|error| Error::Internal(error.to_string()))?);
        }
        let writes = StubWrites::new(self.interface, unit.undefined_functions(), &scripts);
        let mut tests = Vec::new();
        for ((test, script), run) in read.suite.tests.iter().zip(&scripts).zip(runs) {
            tests.push(self.test(&test.name, script, run, &writes)?);
        }
        let globals = self.interface.objects.iter().filter_map(|object| match &object.origin {
            Origin::Global(symbol) if !is_register(symbol) => Some(symbol.clone()),
            Origin::Global(_) | Origin::Fresh => None,
        });
        let (hidden, globals): (Vec<String>, Vec<String>) =
            globals.partition(|symbol| is_hidden(symbol));
        Ok(UnitTests {
            file: self.loaded.path.clone(),
            include: relative_path(directory, &self.subject.file),
            function: self.interface.function.clone(),
            has_main: unit.functions().iter().any(|name| name == "main"),
            flags: self.subject.unit.flags.clone(),
            arguments,
            result: self.interface.result.map(|_| callable.result_spelling.clone()),
            definitions: unit.missing_definitions(),
            stubs: self.stubs(&writes),
            globals,
            hidden,
            tests,
        })
    }

    fn stubs(&self, writes: &StubWrites<'_>) -> Vec<Stub> {
        let functions = self.stubbed();
        let stub = |callable: &Callable| {
            let mut known = self.interface.outside.iter();
            let outside = known.find(|outside| outside.name == callable.name);
            let returns = callable.result_spelling != "void";
            Stub {
                name: callable.name.clone(),
                result: returns.then(|| callable.result_spelling.clone()),
                parameters: callable.parameters.iter().map(|one| one.spelling.clone()).collect(),
                variadic: callable.variadic,
                unprototyped: callable.unprototyped,
                endless: callable.endless,
                calls: outside.map_or(0, |outside| outside.given.len() as u64),
                writes: writes.of_stub(&callable.name),
            }
        };
        functions.map(stub).collect()
    }

    fn test(
        &self,
        name: &str,
        script: &[Vec<Write>],
        run: &TestRun,
        of_stubs: &StubWrites<'_>,
    ) -> Result<UnitTest, Error> {
        let obstacle = self.environment.obstacle(script, run).or_else(|| of_stubs.obstacle(run));
        let ending = match obstacle {
            Some(why) => ExpectedEnding::Unrepeatable { why },
            None => self.ending(run),
        };
        let began = (run.steps.len() + 1).min(script.len());
        let script = if ending == ExpectedEnding::Returns { script } else { &script[..began] };
        let mut needed = visible_objects(self.interface, script);
        let mut steps = Vec::new();
        let mut memory = Memory::new(self.loaded, self.interface);
        let (mut inputs, mut images) = (Vec::new(), Vec::new());
        for (index, writes) in script.iter().enumerate() {
            for write in writes {
                needed[write.object.0] = true;
            }
            let mut sets = Vec::new();
            if !matches!(ending, ExpectedEnding::Unrepeatable { .. }) {
                let is_plain =
                    |write: &&Write| self.event(write).is_none() && !of_stubs.is_of_call(write);
                for write in writes.iter().filter(is_plain) {
                    sets.extend(self.set(name, write)?);
                }
                sets.extend(of_stubs.sets(writes, run, index, &self.places));
            }
            let called_before = self.called_before(index, writes);
            let mut step = UnitStep { called_before, sets, ..UnitStep::default() };
            let visible = visible_objects(self.interface, &script[..=index]);
            if let Some(seen) = run.steps.get(index) {
                self.check(seen, &visible, &mut step);
                step.calls = self.calls(run.calls.get(index).map_or(&[], Vec::as_slice));
            }
            steps.push(step);
            memory.write(writes);
            let own: Vec<Write> =
                writes.iter().filter(|write| !of_stubs.is_of_call(write)).cloned().collect();
            images.extend(memory.images(&own));
            inputs.extend(memory.inputs(writes, run.calls.get(index).map_or(&[], Vec::as_slice)));
        }
        let objects = self.places.fresh(&needed);
        Ok(UnitTest { name: name.to_owned(), objects, steps, ending, inputs, images })
    }

    /// The event that a write lets come, or not.
    fn event(&self, write: &Write) -> Option<&'a str> {
        let event = self.interface.events.iter().find(|event| event.object == write.object)?;
        Some(&event.function)
    }

    /// The set-up call and the events before a step.
    fn called_before(&self, step: usize, writes: &[Write]) -> Vec<String> {
        let init = self.loaded.unit.settings().init.iter().filter(|_| step == 0);
        let comes = |write: &&Write| matches!(write.content, Content::Bits { value: 1, .. });
        let events = writes.iter().filter(comes).filter_map(|write| self.event(write));
        init.cloned().chain(events.map(str::to_owned)).collect()
    }

    /// The functions that tests stand in for: those that nobody defines, and stubs that a pointer of this function may lead to.
    fn stubbed(&self) -> impl Iterator<Item = &'a Callable> {
        let interface = self.interface;
        let is_needed = move |callable: &&Callable| {
            let is_optional = is_pointed_stub(&callable.name) || is_weak_stand_in(&callable.name);
            !is_callback(&callable.name) && !is_optional
                || is_optional && interface.outside.iter().any(|one| one.name == callable.name)
        };
        self.loaded.unit.undefined_functions().iter().filter(is_needed)
    }

    /// How often each stub was called.
    fn calls(&self, calls: &[u32]) -> Vec<(usize, u64)> {
        let stubs = self.stubbed().enumerate();
        let count = |(index, callable): (usize, &Callable)| {
            let mut known = self.interface.outside.iter();
            let place = known.position(|outside| outside.name == callable.name)?;
            let count = calls.iter().filter(|call| **call as usize == place).count();
            Some((index, count as u64))
        };
        stubs.filter_map(count).collect()
    }

    fn set(&self, test: &str, write: &Write) -> Result<Option<Set>, Error> {
        let cell = self.cell(write).ok_or_else(|| {
            Error::Internal(format!("test '{test}' writes where there is no input"))
        })?;
        let volatile;
        let cell = match self.environment.exported(cell) {
            Exported::Plain(cell) => cell,
            Exported::Volatile(cell) => {
                volatile = cell;
                &volatile
            }
            Exported::Nothing => return Ok(None),
        };
        let refuse = || Error::Input {
            message: format!(
                "test '{test}' sets '{}', which C code outside cannot reach",
                cell.name
            ),
            way_out: "leave its column out; static variables of functions keep their state"
                .to_owned(),
        };
        let place = self.places.of(cell).ok_or_else(refuse)?;
        let value = match &write.content {
            Content::Bits { value, .. } => value_of(&cell.form, *value),
            Content::Pointer(Pointee::Unset) => return Ok(None),
            Content::Pointer(to) => CValue::Address(self.places.address(to, 0).ok_or_else(refuse)?),
        };
        Ok(Some(Set { place, value, bit_field: cell.bit_field }))
    }

    /// The input that a write is for.
    fn cell(&self, write: &Write) -> Option<&'a Cell> {
        self.interface.inputs.get(write.input?)
    }

    /// What is expected after a step.
    fn check(&self, seen: &[Observed], visible: &[bool], step: &mut UnitStep) {
        for (cell, observed) in self.interface.outputs.iter().zip(seen) {
            let held = match observed {
                Observed::Held(held) => held,
                Observed::Nothing => continue,
                Observed::Hidden => {
                    step.unchecked.push(format!("{}, which cannot be seen", cell.name));
                    continue;
                }
            };
            let known = self.places.of(cell).zip(self.places.held(cell, held));
            // What a pointer points to is there only if the test made it.
            let is_there = match held {
                Held::Pointer(Pointee::Object(to), _) => {
                    visible[to.0] || !self.places.is_behind(*to)
                }
                _ => true,
            };
            match known.filter(|_| is_there) {
                Some((place, value)) => step.checks.push(Check { place, value }),
                None => step.unchecked.push(format!("{}, which C cannot reach or say", cell.name)),
            }
        }
    }

    fn ending(&self, run: &TestRun) -> ExpectedEnding {
        let Some(ended) = &run.ending else { return ExpectedEnding::Returns };
        let why = self.loaded.describe(ended);
        match ended {
            Ended::Exit(status) => ExpectedEnding::Exit(*status),
            Ended::Finding(finding) => match signal_of(&finding.kind).and_then(<[i32]>::first) {
                Some(signal) => ExpectedEnding::Signal { name: signal_name(*signal), why },
                None => ExpectedEnding::Unrepeatable { why },
            },
        }
    }
}

fn signal_name(number: i32) -> &'static str {
    match number {
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        _ => "SIGSEGV",
    }
}
