//! What functions outside write in tests, as their stubs in exported sources do it.

use std::collections::BTreeSet;

use obligato_c_unit::interface::{
    AccessPathRoot, Cell, Effect, Form, OF_FILE, ObjectIndex, Outside,
};
use obligato_c_unit::pointed_stubs::is_pointed_stub;
use obligato_c_unit::script::{Content, Write};
use obligato_c_unit::{Interface, TestRun};
use obligato_clang::Callable;
use obligato_export::bench::name_of_stub;
use obligato_export::unit::{CValue, Set, StubWrite, StubWriteKind};

use super::memory::kind_of;
use super::places::{Places, value_of};

/// How the cells of what has no type are called.
const BYTES: &str = "((unsigned char *)";

/// The writes of functions outside in some tests.
pub struct StubWrites<'a> {
    interface: &'a Interface,
    callables: &'a [Callable],
    /// What some test lets a function outside write: the function, and the byte that says so.
    used: BTreeSet<(usize, u64)>,
}

impl<'a> StubWrites<'a> {
    /// Those of tests with these writes.
    pub fn new(
        interface: &'a Interface,
        callables: &'a [Callable],
        scripts: &[Vec<Vec<Write>>],
    ) -> Self {
        let mut new = Self { interface, callables, used: BTreeSet::new() };
        for write in scripts.iter().flatten().flatten() {
            let used = new.flag(write).filter(|_| is_set(write));
            new.used.extend(used.map(|(outside, _, byte)| (outside, byte)));
        }
        new
    }

    /// Is this a write to the object of a call?
    pub fn is_of_call(&self, write: &Write) -> bool {
        self.call_of(write.object).is_some()
    }

    /// The function outside and the call that an object is of.
    fn call_of(&self, object: ObjectIndex) -> Option<(usize, usize)> {
        self.interface.outside.iter().enumerate().find_map(|(index, outside)| {
            let call = outside.effects.calls.iter().position(|one| *one == object)?;
            Some((index, call))
        })
    }

    /// If a write says whether something is given: the function outside, the call, and the byte.
    fn flag(&self, write: &Write) -> Option<(usize, usize, u64)> {
        let (outside, call) = self.call_of(write.object)?;
        let stretches = &self.interface.outside[outside].effects.stretches;
        let effect = stretches.iter().find(|effect| 8 * effect.given == write.offset)?;
        Some((outside, call, effect.given))
    }

    /// The cells of the first call of a function outside that some test lets it write.
    fn cells(&self, outside: usize) -> Vec<&'a Cell> {
        let first = self.interface.outside[outside].effects.calls.first();
        let own = self.interface.inputs.iter().filter(|cell| Some(&cell.object) == first);
        own.filter(|cell| cell.given.is_some_and(|byte| self.used.contains(&(outside, byte))))
            .collect()
    }

    /// What the stub of a function outside may write.
    pub fn of_stub(&self, name: &str) -> Vec<StubWrite> {
        let mut known = self.interface.outside.iter();
        let Some(outside) = known.position(|one| one.name == name) else { return Vec::new() };
        let write = |cell: &&Cell| {
            let kind = match cell.form {
                Form::Float32 | Form::Float64 => StubWriteKind::Real,
                Form::Pointer(_) => StubWriteKind::Pointer,
                _ => StubWriteKind::Number,
            };
            Some(StubWrite { place: self.place(&self.interface.outside[outside], cell)?, kind })
        };
        self.cells(outside).iter().filter_map(write).collect()
    }

    /// What C calls a cell in the body of a stub, whose parameters are `a0`, `a1` and so on.
    fn place(&self, outside: &Outside, cell: &Cell) -> Option<String> {
        let (_, place) = cell.name.split_once(": ")?;
        let effect = effect_of(outside, cell)?;
        let AccessPathRoot::Argument(index) = effect.place.root else {
            return Some(place.strip_prefix(OF_FILE).unwrap_or(place).to_owned());
        };
        if is_pointed_stub(&outside.name) {
            return Self::untyped_place(effect, index, cell);
        }
        let callable = self.callables.iter().find(|one| one.name == outside.name)?;
        let name = match callable.parameters.get(index)?.name.as_str() {
            "" => format!("argument{}", index + 1),
            name => name.to_owned(),
        };
        let (before, rest) = match place.strip_prefix(BYTES) {
            Some(rest) => (BYTES, rest),
            None if place.starts_with('*') => ("*", &place[1..]),
            None => ("", place),
        };
        Some(format!("{before}a{index}{}", rest.strip_prefix(name.as_str())?))
    }

    /// The same where the types of parameters are not known by name: by the offsets of pointers.
    fn untyped_place(effect: &Effect, index: usize, cell: &Cell) -> Option<String> {
        if cell.bit_field {
            return None;
        }
        let mut at = format!("(char *)&a{index}");
        for offset in &effect.place.pointers {
            at = format!("*(char **)({at} + {offset})");
        }
        let kind = if matches!(cell.form, Form::Pointer(_)) {
            "void *".to_owned()
        } else {
            kind_of(&cell.form)
        };
        Some(format!("*({kind} *)({at} + {})", effect.place.offset))
    }

    /// What a test sets for its stubs before a step. Where there is no memory, stubs do not write.
    pub fn sets(
        &self,
        writes: &[Write],
        run: &TestRun,
        step: usize,
        places: &Places<'_>,
    ) -> Vec<Set> {
        let mut sets = Vec::new();
        let written = run.effects.get(step).map(|effects| &effects.written);
        for write in writes.iter().filter(|write| is_set(write)) {
            let Some((outside, call, byte)) = self.flag(write) else { continue };
            if written.is_none_or(|written| !written.contains(&(write.object, byte))) {
                continue;
            }
            let variable = name_of_stub(&self.interface.outside[outside].name);
            let cells = self.cells(outside);
            for (index, cell) in cells.into_iter().enumerate() {
                if cell.given != Some(byte) {
                    continue;
                }
                let place = format!("{variable}.writes[{call}].w{index}");
                let is_own = |one: &&Write| one.object == write.object && one.offset == cell.offset;
                let value = match writes.iter().find(is_own).map(|one| &one.content) {
                    Some(Content::Bits { value, .. }) => value_of(&cell.form, *value),
                    Some(Content::Pointer(to)) => match places.address(to, 0) {
                        Some(address) => CValue::Address(address),
                        None => continue,
                    },
                    // Bit-fields that share bytes are written together.
                    None => value_of(&cell.form, 0),
                };
                let (member, value) = member_of(value);
                sets.push(plain(format!("{place}.is_given"), CValue::Unsigned(1)));
                sets.push(plain(format!("{place}.{member}"), value));
            }
        }
        sets
    }

    /// Why a stub of a test program cannot repeat a run, if it cannot: it writes in each call that has the same values.
    pub fn obstacle(&self, run: &TestRun) -> Option<String> {
        run.effects
            .iter()
            .flat_map(|step| step.impossible.iter().map(move |one| (step, one)))
            .find_map(|(step, one)| {
                let outside = self.interface.outside.get(one.outside as usize)?;
                let effect = outside.effects.stretches.get(one.stretch as usize)?;
                let objects = &outside.effects.calls;
                let object = objects.get(one.call as usize).or(objects.last())?;
                let mixed = step.written.contains(&(*object, effect.given));
                mixed.then(|| {
                    format!(
                        "{} writes in it what only some of its calls have memory for",
                        outside.name
                    )
                })
            })
    }
}

fn plain(place: String, value: CValue) -> Set {
    Set { place, value, bit_field: false }
}

/// The member of a stub's write that holds a value.
fn member_of(value: CValue) -> (&'static str, CValue) {
    match value {
        CValue::Single(bits) => ("real", CValue::Double(f64::from(f32::from_bits(bits)).to_bits())),
        CValue::Double(_) => ("real", value),
        CValue::Address(_) => ("pointer", value),
        _ => ("number", value),
    }
}

fn effect_of<'o>(outside: &'o Outside, cell: &Cell) -> Option<&'o Effect> {
    outside.effects.stretches.iter().find(|effect| Some(effect.given) == cell.given)
}

fn is_set(write: &Write) -> bool {
    matches!(write.content, Content::Bits { count: 8, value: 1 })
}
