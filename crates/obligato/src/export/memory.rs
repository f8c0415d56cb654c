//! What memory holds when steps begin, as far as tests set it: bytes for KLEE, inputs for Test-Comp.

use obligato_c_unit::Interface;
use obligato_c_unit::interface::{Cell, Form, Object, Origin};
use obligato_c_unit::layout::{put_bits, take_bits};
use obligato_c_unit::script::{Content, Write};
use obligato_export::unit::{CValue, Input};

use super::places::value_of;
use crate::unit::LoadedUnit;

/// What objects hold, as far as tests set it.
pub struct Memory<'a> {
    interface: &'a Interface,
    objects: Vec<Vec<u8>>,
}

/// Functions of this kind ask for inputs, in competitions of testers.
const NONDET: &str = "__VERIFIER_nondet_";

impl<'a> Memory<'a> {
    /// Before the first step.
    pub fn new(loaded: &LoadedUnit, interface: &'a Interface) -> Self {
        let object = |object: &Object| {
            let initial = match &object.origin {
                Origin::Global(symbol) => loaded.unit.initial_bytes(symbol),
                Origin::Fresh => None,
            };
            initial.map_or_else(|| vec![0; object.size as usize], <[u8]>::to_vec)
        };
        Self { interface, objects: interface.objects.iter().map(object).collect() }
    }

    /// Takes note of what a step sets.
    pub fn write(&mut self, writes: &[Write]) {
        for write in writes {
            if let Content::Bits { count, value } = write.content {
                put_bits(&mut self.objects[write.object.0], write.offset, count, value);
            }
        }
    }

    /// The objects that a step sets, once each, without those that only hold pointers.
    pub fn images(&self, writes: &[Write]) -> Vec<(String, Vec<u8>)> {
        let mut set: Vec<usize> = writes
            .iter()
            .filter(|write| matches!(write.content, Content::Bits { .. }))
            .map(|write| write.object.0)
            .collect();
        set.sort_unstable();
        set.dedup();
        let image = |object: usize| {
            (self.interface.objects[object].name.clone(), self.objects[object].clone())
        };
        set.into_iter().map(image).collect()
    }

    /// The inputs of a step. A program that asks for inputs itself gets them in the order in which it asks; others in that of the columns.
    pub fn inputs(&self, writes: &[Write], asked: &[u32]) -> Vec<Input> {
        let asks = self.interface.outside.iter().any(|outside| outside.name.starts_with(NONDET));
        if asks {
            return self.asked(asked);
        }
        let cells = self.interface.inputs.iter().enumerate().filter(|(input, cell)| {
            let is_set = |write: &Write| write.input == Some(*input);
            !matches!(cell.form, Form::Pointer(_)) && writes.iter().any(is_set)
        });
        cells.map(|(_, cell)| self.input(cell)).collect()
    }

    /// What was asked for by calls, in order.
    fn asked(&self, calls: &[u32]) -> Vec<Input> {
        let mut counts = vec![0_usize; self.interface.outside.len()];
        let mut inputs = Vec::new();
        for place in calls {
            let outside = &self.interface.outside[*place as usize];
            let earlier = counts[*place as usize];
            counts[*place as usize] += 1;
            if !outside.name.starts_with(NONDET) {
                continue;
            }
            let Some(object) = outside.results.get(earlier).or(outside.results.last()) else {
                continue;
            };
            let cell = self.interface.inputs.iter().find(|cell| cell.object == *object);
            inputs.extend(cell.map(|cell| self.input(cell)));
        }
        inputs
    }

    fn input(&self, cell: &Cell) -> Input {
        let bits = take_bits(&self.objects[cell.object.0], cell.offset, cell.form.bits());
        let value = match value_of(&cell.form, bits) {
            CValue::Truth(value) => u8::from(value).to_string(),
            CValue::Signed(value) => value.to_string(),
            CValue::Unsigned(value) => value.to_string(),
            CValue::Constant(_) | CValue::Address(_) => bits.to_string(),
            CValue::Single(bits) => f32::from_bits(bits).to_string(),
            CValue::Double(bits) => f64::from_bits(bits).to_string(),
        };
        Input { name: cell.name.clone(), kind: kind_of(&cell.form), value }
    }
}

/// A type of C that holds such values.
pub(super) fn kind_of(form: &Form) -> String {
    use obligato_model::Signedness::{Signed, Unsigned};
    let word = match form {
        Form::Bool(_) => "_Bool",
        Form::Integer(Signed, ..=8) => "signed char",
        Form::Integer(Signed, ..=16) => "short",
        Form::Integer(Signed, ..=32) | Form::Enumeration(..) => "int",
        Form::Integer(Signed, ..=64) => "long",
        Form::Integer(Signed, _) => "__int128",
        Form::Integer(Unsigned, ..=8) => "unsigned char",
        Form::Integer(Unsigned, ..=16) => "unsigned short",
        Form::Integer(Unsigned, ..=32) => "unsigned int",
        Form::Integer(Unsigned, ..=64) | Form::Pointer(_) => "unsigned long",
        Form::Integer(Unsigned, _) => "unsigned __int128",
        Form::Float32 => "float",
        Form::Float64 => "double",
    };
    word.to_owned()
}
