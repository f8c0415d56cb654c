//! Runtime errors that depend on what a caller passes: the choices of the harness without which a test would not run into one.
//!
//! A harness passes NULL, and objects of sizes that it chose. An error that needs such a choice is none of the function alone: a
//! caller that passes something else avoids it. [`Unit::caller_choices`] finds these choices by experiments: it changes one of them,
//! runs the test again, and sees whether the same error is still there. Values of scalars are no such choices: every one of them is a valid argument.

use std::fmt;
use std::mem::discriminant;

use obligato_execute::{Class, Ending, Executable, Finding, FindingKind, Variables};
use obligato_model::{Bound, Suite, TestCase};

use crate::interface::{Cell, Form, Interface, Object, ObjectIndex, Pointee, PointerTarget};
use crate::measure::Watches;
use crate::run::TestRun;
use crate::script::{Content, Write};
use crate::suite::{RunError, RunOptions, scripts};
use crate::unit::Unit;

/// Something that a caller may pass, and without which a runtime error does not occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallerChoice {
    /// A null pointer.
    Null {
        /// The pointer, as C writes it.
        pointer: String,
        /// What lets tests pass something else, if they cannot.
        bound: Option<Bound>,
    },
    /// An object that is too small, though of the size that the harness chose.
    Size {
        /// The pointer to it.
        pointer: String,
        /// How many elements it has.
        elements: u64,
        /// How many it needs for this test; none if tests cannot pass so many.
        needed: Option<u64>,
    },
    /// A pointer to the first element of an object, of which an element before it is accessed.
    Start {
        /// The pointer to it.
        pointer: String,
    },
    /// Pointers into different objects.
    Apart {
        /// One of the pointers.
        pointer: String,
        /// The other.
        other: String,
    },
}

impl CallerChoice {
    /// The option that rules it out, as it is typed.
    pub fn ruled_out_by(&self) -> Option<String> {
        match self {
            Self::Null { pointer, bound: None } => Some(format!("--assume '{pointer} != NULL'")),
            Self::Null { bound: Some(Bound::PointerDepth(depth)), .. } => {
                Some(format!("--depth {}", depth + 1))
            }
            Self::Size { pointer, needed: Some(needed), .. } => {
                Some(format!("--elements '{pointer}={needed}'"))
            }
            Self::Null { .. } | Self::Size { .. } | Self::Start { .. } | Self::Apart { .. } => None,
        }
    }
}

impl fmt::Display for CallerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null { pointer, .. } => write!(f, "{pointer} = NULL"),
            Self::Size { pointer, elements, .. } => {
                write!(f, "an object of {} at {pointer}", counted(*elements))
            }
            Self::Start { pointer } => write!(f, "the start of an object at {pointer}"),
            Self::Apart { pointer, other } => {
                write!(f, "pointers into different objects at {pointer} and {other}")
            }
        }
    }
}

fn counted(elements: u64) -> String {
    if elements == 1 { "1 element".to_owned() } else { format!("{elements} elements") }
}

/// So many times larger an object becomes, to see whether its size matters; what runs out of that too does so at any size.
const GROWTH: u64 = 64;
/// No object of a test becomes larger.
const MOST_BYTES: u64 = 1 << 20;

impl Unit {
    /// The choices of the harness that the runtime error of a test depends on; none if no caller that keeps to the types can avoid it by
    /// passing other objects.
    pub fn caller_choices(
        &self,
        interface: &Interface,
        test: &TestCase,
        finding: &Finding,
        options: RunOptions,
    ) -> Result<Vec<CallerChoice>, RunError> {
        let inputs = self.variables(interface).inputs;
        let suite = Suite { inputs, tests: vec![test.clone()] };
        let script = scripts(interface, &suite)?.pop().unwrap_or_default();
        let executable = self.executable(&Watches::default(), options, Variables::InRegisters)?;
        let experiment = Experiment { unit: self, executable, interface, script, finding, options };
        match finding.kind {
            FindingKind::NullDereference { .. } | FindingKind::NullCall => {
                experiment.null_pointers()
            }
            FindingKind::OutOfBounds { object, offset, size, .. } => {
                experiment.sizes(object, offset, size)
            }
            FindingKind::PointersApart => experiment.pointers_apart(),
            _ => Ok(Vec::new()),
        }
    }
}

/// A test that runs into an error, to be run with other choices.
struct Experiment<'u> {
    unit: &'u Unit,
    executable: Executable<'u>,
    interface: &'u Interface,
    script: Vec<Vec<Write>>,
    finding: &'u Finding,
    options: RunOptions,
}

impl Experiment<'_> {
    /// The pointers that are NULL, and with which as something else the error is not there.
    fn null_pointers(&self) -> Result<Vec<CallerChoice>, RunError> {
        let mut choices = Vec::new();
        for cell in &self.interface.inputs {
            let Form::Pointer(targets) = &cell.form else { continue };
            if !self.is_null(cell) {
                continue;
            }
            let points =
                |target: &&PointerTarget| !matches!(target.to, Pointee::Null | Pointee::Unset);
            let other = targets.iter().find(points);
            let to = other.map(|target| target.to.clone()).or_else(|| self.any_object(cell));
            let Some(to) = to else { continue };
            let run = self.run(self.interface, &self.with_pointer(cell, &to))?;
            if self.error_in(&run).is_none() && came_to_an_end(&run) {
                let bound = if other.is_some() { None } else { cell.bound.clone() };
                choices.push(CallerChoice::Null { pointer: cell.name.clone(), bound });
            }
        }
        Ok(choices)
    }

    /// The objects of this size that are too small, if the harness chose their sizes.
    fn sizes(&self, object: u64, offset: i64, size: u64) -> Result<Vec<CallerChoice>, RunError> {
        let mut choices = Vec::new();
        for (at, one) in self.interface.objects.iter().enumerate() {
            let Some(elements) = elements_of(one).filter(|_| one.size == object) else { continue };
            let mut interface = self.interface.clone();
            let needed = u64::try_from(offset).ok().map(|offset| offset.saturating_add(size));
            let fitting = needed.filter(|needed| *needed <= MOST_BYTES).unwrap_or(0);
            let larger = fitting.max(one.size.saturating_mul(GROWTH).min(MOST_BYTES));
            interface.objects[at].size = larger;
            let run = self.run(&interface, &self.script)?;
            let still = self.error_in(&run);
            let pointer = one.name.clone();
            match (still, needed) {
                // An element before the first.
                (Some(FindingKind::OutOfBounds { object, offset, .. }), None)
                    if *object == larger && *offset < 0 =>
                {
                    choices.push(CallerChoice::Start { pointer });
                }
                // The same element is still behind the end, because no object of a test is that large.
                (Some(FindingKind::OutOfBounds { object, offset: now, .. }), Some(_))
                    if *object == larger && *now == offset =>
                {
                    choices.push(CallerChoice::Size { pointer, elements, needed: None });
                }
                (None, Some(needed)) if came_to_an_end(&run) => {
                    let step = (one.size / elements).max(1);
                    let needed = Some(needed.div_ceil(step));
                    choices.push(CallerChoice::Size { pointer, elements, needed });
                }
                _ => {}
            }
        }
        Ok(choices)
    }

    /// The pairs of pointers with which into one object the error is not there.
    fn pointers_apart(&self) -> Result<Vec<CallerChoice>, RunError> {
        let new = |cell: &Cell| cell.form.new_object().map(Pointee::Object);
        let pointers: Vec<(&Cell, Pointee)> =
            self.interface.inputs.iter().filter_map(|cell| Some((cell, new(cell)?))).collect();
        for (at, (first, object)) in pointers.iter().enumerate() {
            for (second, _) in &pointers[at + 1..] {
                let run = self.run(self.interface, &self.with_pointer(second, object))?;
                if self.error_in(&run).is_none() && came_to_an_end(&run) {
                    let (pointer, other) = (first.name.clone(), second.name.clone());
                    return Ok(vec![CallerChoice::Apart { pointer, other }]);
                }
            }
        }
        Ok(Vec::new())
    }

    /// Is a pointer NULL where the test ends? What nothing has set is NULL as well.
    fn is_null(&self, cell: &Cell) -> bool {
        let here = |write: &&Write| write.object == cell.object && write.offset == cell.offset;
        let last = self.script.iter().rev().find_map(|step| step.iter().find(here));
        last.is_none_or(|write| write.content == Content::Pointer(Pointee::Null))
    }

    /// An object that the pointer does not lie in, for pointers that tests can only set to NULL.
    fn any_object(&self, cell: &Cell) -> Option<Pointee> {
        let mut objects = (0..self.interface.objects.len()).map(ObjectIndex);
        objects.find(|object| *object != cell.object).map(Pointee::Object)
    }

    /// The test with a pointer set in every step.
    fn with_pointer(&self, cell: &Cell, to: &Pointee) -> Vec<Vec<Write>> {
        let mut inputs = self.interface.inputs.iter();
        let set = Write {
            input: inputs.position(|one| one == cell),
            object: cell.object,
            offset: cell.offset,
            content: Content::Pointer(to.clone()),
        };
        let mut script = self.script.clone();
        for step in &mut script {
            step.retain(|write| write.object != set.object || write.offset != set.offset);
            step.push(set.clone());
        }
        script
    }

    fn run(&self, interface: &Interface, script: &[Vec<Write>]) -> Result<TestRun, RunError> {
        let Self { unit, executable, options, .. } = self;
        Ok(unit.runner(executable, interface, *options, (), ())?.run(script))
    }

    /// The error, if a run ends with it: of this kind and in this place.
    fn error_in<'r>(&self, run: &'r TestRun) -> Option<&'r FindingKind> {
        let Some(Ending::Finding(found)) = &run.ending else { return None };
        let same = discriminant(&found.kind) == discriminant(&self.finding.kind)
            && self.unit.stack_of(found) == self.unit.stack_of(self.finding);
        same.then_some(&found.kind)
    }
}

/// Is it known how a run ends? One that a limit stopped may run into the error later.
fn came_to_an_end(run: &TestRun) -> bool {
    match &run.ending {
        Some(Ending::Finding(found)) => found.kind.class() == Class::RuntimeError,
        Some(Ending::Exit(_)) | None => true,
    }
}

/// How many elements an object has, if that is a choice of the harness.
fn elements_of(object: &Object) -> Option<u64> {
    match object.extent {
        Some(Bound::Elements(elements) | Bound::Structures(elements)) => Some(elements.max(1)),
        _ => None,
    }
}
