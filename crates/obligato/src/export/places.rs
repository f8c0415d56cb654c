//! What C calls the cells of an interface, in a test that includes the unit.
//!
//! Arguments and the result are variables of the test; results of functions outside, and what those are given, are in the variables of their
//! stubs; what pointers point to is behind variables with the addresses. Cells are reached from the object they are in, never
//! through pointers in memory: the function may change those.

use obligato_c_unit::Interface;
use obligato_c_unit::interface::{
    AccessPathRoot, Cell, Form, Object, ObjectIndex, Origin, Outside, Pointee,
};
use obligato_c_unit::pointed_stubs::is_pointed_stub;
use obligato_c_unit::script::Held;
use obligato_export::bench::name_of_stub;
use obligato_export::text::Identifiers;
use obligato_export::unit::{CValue, Fresh};
use obligato_model::Signedness;

/// What C calls objects and cells.
pub struct Places<'a> {
    interface: &'a Interface,
    /// Per object, what its cells' names start with, and what takes the place of that.
    roots: Vec<Option<Root>>,
    /// Per object behind a pointer, the cell of that pointer.
    pointers: Vec<Option<&'a Cell>>,
    /// The variables of the arguments.
    pub arguments: Vec<String>,
}

struct Root {
    before: String,
    after: String,
}

/// How the cells of what has no type are called.
fn bytes_behind(name: &str) -> String {
    format!("((unsigned char *){name})")
}

impl<'a> Places<'a> {
    /// Those of an interface.
    pub fn new(interface: &'a Interface) -> Self {
        let mut names = Identifiers::default();
        let mut roots: Vec<Option<Root>> = interface.objects.iter().map(|_| None).collect();
        let mut set = |object: ObjectIndex, after: String| {
            let before = interface.objects[object.0].name.clone();
            roots[object.0] = Some(Root { before, after });
        };
        let mut arguments = Vec::new();
        for object in &interface.arguments {
            let name = names.take("arg", &interface.objects[object.0].name);
            set(*object, name.clone());
            arguments.push(name);
        }
        if let Some(result) = interface.result {
            set(result, "obligato_result".to_owned());
        }
        for outside in &interface.outside {
            let stub = name_of_stub(&outside.name);
            for (call, object) in outside.results.iter().enumerate() {
                set(*object, format!("{stub}.results[{call}]"));
            }
            for (call, given) in outside.given.iter().enumerate() {
                for (index, object) in given.iter().enumerate() {
                    set(*object, format!("{stub}.given[{call}].a{index}"));
                }
            }
        }
        for (index, object) in interface.objects.iter().enumerate() {
            if let Origin::Global(symbol) = &object.origin
                && !is_hidden(symbol)
            {
                set(ObjectIndex(index), symbol.clone());
            }
        }
        let mut pointers: Vec<Option<&Cell>> = vec![None; interface.objects.len()];
        for cell in &interface.inputs {
            let Some(object) = cell.form.new_object() else { continue };
            pointers[object.0] = Some(cell);
            let after = names.take("at", &cell.name);
            let plain = cell.name.clone();
            let bytes = bytes_behind(&cell.name);
            let mut cells = interface.inputs.iter().filter(|one| one.object == object);
            let has_bytes = cells.any(|one| one.name.starts_with(&bytes));
            let before = if has_bytes { bytes } else { plain };
            roots[object.0] = Some(Root { before, after });
        }
        Self { interface, roots, pointers, arguments }
    }

    /// What C calls a cell; none if C has no way to reach it.
    pub fn of(&self, cell: &Cell) -> Option<String> {
        let Root { before, after } = self.roots[cell.object.0].as_ref()?;
        Some(format!("{after}{}", cell.name.strip_prefix(before.as_str())?))
    }

    /// The objects behind pointers that a test needs, if it needs these: also those whose types they take.
    pub fn fresh(&self, needed: &[bool]) -> Vec<Fresh> {
        let mut needed = needed.to_vec();
        for object in (0..needed.len()).rev() {
            if let (true, Some(pointer)) = (needed[object], self.pointers[object]) {
                needed[pointer.object.0] = true;
            }
        }
        let objects = (0..needed.len()).filter(|object| needed[*object]);
        let fresh = objects.filter_map(|object| {
            let pointer = self.pointers[object]?;
            let root = self.roots[object].as_ref()?;
            let is_bytes = root.before != pointer.name;
            let like = if is_bytes { None } else { Some(self.like(pointer)?) };
            let &Object { size, stream, .. } = &self.interface.objects[object];
            Some(Fresh { name: root.after.clone(), like, size, stream })
        });
        fresh.collect()
    }

    /// An expression of the type of a pointer. One that a function outside writes is like what its parameter points to.
    fn like(&self, pointer: &Cell) -> Option<String> {
        let is_of = |outside: &&Outside| outside.effects.calls.contains(&pointer.object);
        let Some(outside) = self.interface.outside.iter().find(is_of) else {
            return self.of(pointer);
        };
        let mut stretches = outside.effects.stretches.iter();
        let effect = stretches.find(|effect| Some(effect.given) == pointer.given)?;
        let AccessPathRoot::Argument(index) = effect.place.root else { return None };
        let stub = name_of_stub(&outside.name);
        let (_, place) = pointer.name.split_once(": ")?;
        let rest =
            place.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
        Some(format!("{stub}.given[0].a{index}{rest}"))
    }

    /// Is it behind a pointer?
    pub fn is_behind(&self, object: ObjectIndex) -> bool {
        self.pointers[object.0].is_some()
    }

    /// An address as an expression; none if C has no way to say it.
    pub fn address(&self, to: &Pointee, offset: i64) -> Option<String> {
        let start = match to {
            Pointee::Null | Pointee::Unset => return (offset == 0).then(|| "0".to_owned()),
            Pointee::Inside(object, bytes) => {
                let inside = offset.checked_add_unsigned(*bytes)?;
                return self.address(&Pointee::Object(*object), inside);
            }
            // The types of its parameters are only like those that the pointer has.
            Pointee::Function(name) if is_pointed_stub(name) => format!("(void *){name}"),
            Pointee::Function(name) => name.clone(),
            Pointee::Object(object) => {
                let Root { after, .. } = self.roots[object.0].as_ref()?;
                if self.is_behind(*object) { after.clone() } else { format!("&{after}") }
            }
        };
        Some(if offset == 0 { start } else { format!("(char *){start} + {offset}") })
    }

    /// What a cell holds, as C has it; none if C has no way to say it.
    pub fn held(&self, cell: &Cell, held: &Held) -> Option<CValue> {
        match held {
            Held::Bits(bits) => Some(value_of(&cell.form, *bits)),
            Held::Pointer(to, offset) => self.address(to, *offset).map(CValue::Address),
            Held::Stream(_) | Held::Elsewhere => None,
        }
    }
}

/// Is it a variable inside of a function?
pub fn is_hidden(symbol: &str) -> bool {
    symbol.contains('.')
}

/// Bits as a value of C.
pub fn value_of(form: &Form, bits: u128) -> CValue {
    let width = form.bits();
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    let bits = bits & mask;
    let unused = 128 - width.clamp(1, 128);
    let signed = || CValue::Signed((bits << unused).cast_signed() >> unused);
    match form {
        Form::Bool(_) => CValue::Truth(bits & 1 != 0),
        Form::Integer(Signedness::Signed, _) => signed(),
        Form::Integer(Signedness::Unsigned, _) | Form::Pointer(_) => CValue::Unsigned(bits),
        Form::Enumeration(names, signedness, _) => {
            let name = names.iter().find(|(_, value)| value.cast_unsigned() & mask == bits);
            match (name, signedness) {
                (Some((name, _)), _) => CValue::Constant(name.clone()),
                (None, Signedness::Signed) => signed(),
                (None, Signedness::Unsigned) => CValue::Unsigned(bits),
            }
        }
        Form::Float32 => CValue::Single(bits as u32),
        Form::Float64 => CValue::Double(bits as u64),
    }
}
