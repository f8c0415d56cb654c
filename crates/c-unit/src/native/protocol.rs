//! What is said between the tool and the harness (`native/harness.c`): commands for every test, and what the
//! tests answer.
//!
//! | command | means |
//! | --- | --- |
//! | `t MS` | a test begins that may take so long |
//! | `n OBJECTS OUTSIDE VOLATILE` | how many objects, functions outside and volatile stretches there are |
//! | `o ID SIZE`, `g ID GLOBAL SIZE`, `l ID SIZE SYMBOL` | an object is made; is a global; is a static variable of a function |
//! | `f NAME` | a function that pointers may point to, known to the linker by its name |
//! | `x STUB CALLS PARAMETERS …` | per call, the objects of the result and of what is given |
//! | `v STRETCH OBJECT OFFSET SIZE READS WRITES …` | per read and per write, its object |
//! | `e STUB STRETCHES CALLS …` | what a function outside writes: per stretch its place, size and bytes; per call its object |
//! | `i STUB CALL STRETCH` | a write of the next step for which there is no memory |
//! | `s`, `c CALL RESULT COUNT ARGUMENT…` | a step begins; a function is called |
//! | `w ID OFFSET COUNT HEX`, `p ID OFFSET TARGET` | bits and pointers are written |
//! | `k`, `d ID`, `q ID OFFSET` | how often functions outside were called and stretches written; an object; a pointer |

use std::fmt::Write as _;

use obligato_c_library::STREAMS;

use super::NativeTest;
use crate::driver::Driver;
use crate::interface::{
    AccessPathRoot, Cell, Effect, Effects, Form, Interface, ObjectIndex, Origin, Pointee,
    VolatileStretch,
};
use crate::layout::take_bits;
use crate::run::Observed;
use crate::script::{Content, Held, Write, visible_objects};

/// How a test ended as machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeEnding {
    /// All steps are done.
    Finished,
    /// The program called `exit` with this status.
    Exit(i32),
    /// It was ended by this signal.
    Signal(i32),
    /// It was not done in time.
    Late,
}

/// What a test did as machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeRun {
    /// Per step that came to its end, what the outputs held; none for what cannot be seen.
    pub steps: Vec<Vec<Observed>>,
    /// What was watched, in order: number and value.
    pub saw: Vec<(u32, u64)>,
    /// Was there more of it than is kept?
    pub cut: bool,
    /// How it ended.
    pub ending: NativeEnding,
}

/// How long a test may take that does not end on the executor either, in milliseconds: machine code gets further meanwhile.
const ENDLESS: u64 = 200;

/// Writes and reads for the tests of one function.
#[derive(Clone, Copy, Debug)]
pub struct Protocol<'a> {
    /// Its interface.
    pub interface: &'a Interface,
    /// How it is called.
    pub driver: &'a Driver,
    /// How long a test may take, in milliseconds.
    pub milliseconds: u64,
}

impl Protocol<'_> {
    /// The commands of a test.
    pub fn write_test(&self, text: &mut String, one: NativeTest<'_>) {
        let NativeTest { script: steps, effects, is_endless } = one;
        let interface = self.interface;
        let (outside, volatile) = (self.driver.stubs().count(), interface.volatile.len());
        let patience = if is_endless { self.milliseconds.min(ENDLESS) } else { self.milliseconds };
        let _ = writeln!(text, "t {patience}");
        let _ = writeln!(text, "n {} {outside} {volatile}", interface.objects.len());
        for name in &self.driver.linked {
            let _ = writeln!(text, "f {name}");
        }
        for (id, object) in interface.objects.iter().enumerate() {
            let _ = match self.home_of(ObjectIndex(id)) {
                Home::Global(global) => writeln!(text, "g {id} {global} {}", object.size),
                Home::Symbol(symbol) => writeln!(text, "l {id} {} {symbol}", object.size),
                Home::Harness | Home::Nobody if object.stream => {
                    writeln!(text, "O {id} {}", object.size)
                }
                Home::Harness | Home::Nobody => writeln!(text, "o {id} {}", object.size),
            };
        }
        self.write_outside(text);
        self.write_volatile(text);
        for (index, writes) in steps.iter().enumerate() {
            text.push_str("s\n");
            for one in effects.get(index).into_iter().flat_map(|step| &step.impossible) {
                let name = &interface.outside[one.outside as usize].name;
                if let Some(number) = self.driver.number_of_stub(name) {
                    let _ = writeln!(text, "i {number} {} {}", one.call, one.stretch);
                }
            }
            for write in writes {
                self.write_content(text, write);
            }
            self.write_call(text);
            text.push_str("k\n");
            for object in self.shown_objects() {
                let _ = writeln!(text, "d {}", object.0);
            }
            for cell in self.shown_pointers() {
                let _ = writeln!(text, "q {} {}", cell.object.0, cell.offset / 8);
            }
        }
    }

    fn write_outside(&self, text: &mut String) {
        for outside in &self.interface.outside {
            let Some(number) = self.driver.number_of_stub(&outside.name) else { continue };
            let calls = outside.given.len();
            let parameters = outside.given.first().map_or(0, Vec::len);
            let _ = write!(text, "x {number} {calls} {parameters}");
            for (call, given) in outside.given.iter().enumerate() {
                let _ = match outside.results.get(call) {
                    Some(result) => write!(text, " {}", result.0),
                    None => write!(text, " -1"),
                };
                for object in given {
                    let _ = write!(text, " {}", object.0);
                }
            }
            text.push('\n');
            write_effects(text, number, &outside.effects);
        }
    }

    fn write_volatile(&self, text: &mut String) {
        for (index, stretch) in self.interface.volatile.iter().enumerate() {
            let VolatileStretch { object, offset, size, reads, writes, .. } = stretch;
            let (object, read, written) = (object.0, reads.len(), writes.len());
            let _ = write!(text, "v {index} {object} {offset} {size} {read} {written}");
            for own in reads.iter().chain(writes) {
                let _ = write!(text, " {}", own.0);
            }
            text.push('\n');
        }
    }

    fn write_content(&self, text: &mut String, write: &Write) {
        let (id, offset) = (write.object.0, write.offset);
        let _ = match &write.content {
            Content::Bits { count, value } => writeln!(text, "w {id} {offset} {count} {value:x}"),
            Content::Pointer(Pointee::Null) => writeln!(text, "p {id} {} n", offset / 8),
            Content::Pointer(Pointee::Object(to)) => {
                writeln!(text, "p {id} {} o {}", offset / 8, to.0)
            }
            Content::Pointer(Pointee::Inside(to, bytes)) => {
                writeln!(text, "p {id} {} i {} {bytes}", offset / 8, to.0)
            }
            Content::Pointer(Pointee::Unset) => Ok(()),
            Content::Pointer(Pointee::Function(name)) => {
                let mut known = self.driver.addressed();
                let index = known.position(|one| one == name).unwrap_or(0);
                writeln!(text, "p {id} {} f {index}", offset / 8)
            }
        };
    }

    fn write_call(&self, text: &mut String) {
        let mut calls = self.driver.functions.iter();
        let number = calls.position(|name| *name == self.interface.function).unwrap_or(usize::MAX);
        let _ = write!(text, "c {number}");
        let _ = match self.interface.result {
            Some(result) => write!(text, " {}", result.0),
            None => write!(text, " -1"),
        };
        let _ = write!(text, " {}", self.interface.arguments.len());
        for argument in &self.interface.arguments {
            let _ = write!(text, " {}", argument.0);
        }
        text.push('\n');
    }

    fn home_of(&self, object: ObjectIndex) -> Home<'_> {
        match &self.interface.objects[object.0].origin {
            Origin::Global(name) => {
                let number = self.driver.globals.iter().position(|one| one == name);
                let exported = || self.driver.locals.contains(name).then_some(Home::Symbol(name));
                number.map(Home::Global).or_else(exported).unwrap_or(Home::Nobody)
            }
            Origin::Fresh => Home::Harness,
        }
    }

    /// What the harness would see of this: it cannot name objects that only a function knows, nor functions that only a header
    /// defines.
    pub fn as_seen(&self, observed: &Observed) -> Observed {
        match observed {
            Observed::Held(Held::Pointer(Pointee::Object(object), _))
                if !self.is_visible(*object) =>
            {
                Observed::Held(Held::Elsewhere)
            }
            Observed::Held(Held::Pointer(Pointee::Function(name), _)) if !self.is_named(name) => {
                Observed::Held(Held::Elsewhere)
            }
            other => other.clone(),
        }
    }

    fn is_visible(&self, object: ObjectIndex) -> bool {
        self.home_of(object) != Home::Nobody
    }

    /// Does the harness know the address of this function?
    fn is_named(&self, name: &str) -> bool {
        let mut known = self.driver.addressed().chain(&self.driver.linked);
        known.any(|one| one == name)
    }

    fn shown_objects(&self) -> Vec<ObjectIndex> {
        let plain = self.interface.outputs.iter().filter(|cell| !is_pointer(cell));
        let mut shown: Vec<ObjectIndex> = plain.map(|cell| cell.object).collect();
        shown.sort_unstable();
        shown.dedup();
        shown
    }

    fn shown_pointers(&self) -> impl Iterator<Item = &Cell> {
        self.interface.outputs.iter().filter(|cell| is_pointer(cell))
    }

    /// What the tests answered, in their order. `None` if it is not what was asked for.
    pub fn read(&self, text: &str, scripts: &[&[Vec<Write>]]) -> Option<Vec<NativeRun>> {
        let mut runs = Vec::new();
        let mut lines = text.lines().peekable();
        while lines.peek().is_some() {
            let mut run = NativeRun {
                steps: Vec::new(),
                saw: Vec::new(),
                cut: false,
                ending: NativeEnding::Late,
            };
            let mut finished = false;
            let mut step: Option<Shown> = None;
            for line in lines.by_ref() {
                let (command, rest) = line.split_at_checked(1).unwrap_or(("", ""));
                match command {
                    // What a test says may end in the middle of a line.
                    "v" => run.saw.extend(read_pair(rest)),
                    "m" => run.cut = true,
                    "c" => step = Some(Shown::default()),
                    "k" => {
                        let shown = step.as_mut()?;
                        (shown.calls, shown.counted) = (read_numbers(rest), true);
                    }
                    "d" => step.as_mut()?.objects.push(read_bytes(rest.trim())?),
                    "q" => step.as_mut()?.pointers.push(self.read_pointer(rest.trim())?),
                    "z" => finished = true,
                    "e" => {
                        run.ending = read_ending(rest.trim(), finished)?;
                        break;
                    }
                    _ => {}
                }
                if let Some(shown) = step.take_if(|shown| self.is_complete(shown)) {
                    let so_far = scripts.get(runs.len())?.get(..=run.steps.len())?;
                    let visible = visible_objects(self.interface, so_far);
                    run.steps.push(self.observe(&shown, &visible));
                }
            }
            runs.push(run);
        }
        Some(runs)
    }

    fn is_complete(&self, shown: &Shown) -> bool {
        shown.counted
            && shown.objects.len() == self.shown_objects().len()
            && shown.pointers.len() == self.shown_pointers().count()
    }

    fn observe(&self, shown: &Shown, visible: &[bool]) -> Vec<Observed> {
        let objects = self.shown_objects();
        let mut pointers = shown.pointers.iter();
        let mut observed = Vec::with_capacity(self.interface.outputs.len());
        for cell in &self.interface.outputs {
            let held = if is_pointer(cell) {
                pointers.next().cloned()
            } else {
                let at = objects.binary_search(&cell.object).ok();
                let bytes = at.map(|at| &shown.objects[at]);
                bytes.map(|bytes| Held::Bits(take_bits(bytes, cell.offset, cell.form.bits())))
            };
            observed.push(match held {
                _ if !self.is_visible(cell.object) => Observed::Hidden,
                _ if !visible[cell.object.0] => Observed::Nothing,
                _ if !self.took_place(cell.object, &shown.calls) => Observed::Nothing,
                Some(held) => Observed::Held(held),
                None => Observed::Nothing,
            });
        }
        observed
    }

    /// What a call was given, or what was written, is there only if there was such a call or write.
    fn took_place(&self, object: ObjectIndex, calls: &[u64]) -> bool {
        if let Some((stretch, write)) = self.interface.write_of(object) {
            let counted = self.driver.stubs().count() + stretch;
            return calls.get(counted).is_some_and(|count| write < *count);
        }
        let Some((name, call)) = self.interface.call_of(object) else { return true };
        let number = self.driver.number_of_stub(name);
        number.and_then(|number| calls.get(number)).is_some_and(|count| call < *count)
    }

    fn read_pointer(&self, text: &str) -> Option<Held> {
        let mut words = text.split(' ').filter(|word| !word.is_empty());
        Some(match words.next()? {
            "n" => Held::Pointer(Pointee::Null, 0),
            "o" => {
                let object = ObjectIndex(words.next()?.parse().ok()?);
                Held::Pointer(Pointee::Object(object), words.next()?.parse().ok()?)
            }
            "f" => {
                let index: usize = words.next()?.parse().ok()?;
                Held::Pointer(Pointee::Function(self.driver.addressed().nth(index)?.clone()), 0)
            }
            "l" => Held::Pointer(Pointee::Function(words.next()?.to_owned()), 0),
            "s" => {
                let name = words.next()?;
                Held::Stream(STREAMS.into_iter().find(|stream| *stream == name)?)
            }
            _ => Held::Elsewhere,
        })
    }
}

/// Writes what a function outside may write.
fn write_effects(text: &mut String, number: usize, effects: &Effects) {
    if effects.stretches.is_empty() {
        return;
    }
    let _ = write!(text, "e {number} {} {}", effects.stretches.len(), effects.calls.len());
    for Effect { place, size, value, given } in &effects.stretches {
        let (kind, root) = match place.root {
            AccessPathRoot::Argument(index) => ('a', index),
            AccessPathRoot::Global(object) => ('g', object.0),
        };
        let _ = write!(text, " {kind} {root} {}", place.pointers.len());
        for offset in place.pointers.iter().chain([&place.offset, size, value, given]) {
            let _ = write!(text, " {offset}");
        }
    }
    for object in &effects.calls {
        let _ = write!(text, " {}", object.0);
    }
    text.push('\n');
}

/// Who has an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home<'a> {
    /// The harness makes it.
    Harness,
    /// The unit, as the global with this number.
    Global(usize),
    /// A function of the unit, under a symbol that others can find.
    Symbol(&'a str),
    /// A function of the unit, where nobody else can reach it.
    Nobody,
}

/// What was shown after a step.
#[derive(Debug, Default)]
struct Shown {
    /// Per function outside, how often it was called; is that known?
    calls: Vec<u64>,
    counted: bool,
    objects: Vec<Vec<u8>>,
    pointers: Vec<Held>,
}

fn is_pointer(cell: &Cell) -> bool {
    matches!(cell.form, Form::Pointer(_))
}

fn read_numbers(text: &str) -> Vec<u64> {
    text.split(' ').filter_map(|word| word.parse().ok()).collect()
}

fn read_pair(text: &str) -> Option<(u32, u64)> {
    let (number, value) = text.trim().split_once(' ')?;
    Some((number.parse().ok()?, value.parse::<i64>().ok()?.cast_unsigned()))
}

fn read_bytes(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    let digit = |byte: u8| char::from(byte).to_digit(16);
    pairs.map(|pair| Some((digit(pair[0])? << 4 | digit(*pair.get(1)?)?) as u8)).collect()
}

fn read_ending(text: &str, finished: bool) -> Option<NativeEnding> {
    Some(match text.split_once(' ') {
        Some(("signal", number)) => NativeEnding::Signal(number.parse().ok()?),
        Some(("exit", "0")) if finished => NativeEnding::Finished,
        Some(("exit", status)) => NativeEnding::Exit(status.parse().ok()?),
        _ => NativeEnding::Late,
    })
}
