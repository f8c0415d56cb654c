//! The values of a test as numbers of variables, and back.

use obligato_c_unit::interface::{Form, PointerTarget};
use obligato_c_unit::script::value_of_bits;
use obligato_model::{Integer, Value};

/// The width of the widest variable.
pub(super) const WIDEST: u32 = 128;

/// The bits of a number that fits into a word.
pub(super) fn bits_of(value: &Integer) -> u128 {
    i128::try_from(value).map_or_else(|_| u128::try_from(value).unwrap_or(0), i128::cast_unsigned)
}

/// The value in a test for the number that a variable has.
pub(super) fn value_of(form: &Form, number: u128) -> Value {
    match form {
        Form::Pointer(targets) => {
            let target = targets.get(number as usize).or(targets.first());
            Value::Symbol(
                target.map_or_else(|| PointerTarget::NULL.to_owned(), |target| target.name.clone()),
            )
        }
        form => value_of_bits(form, number & obligato_term::mask(width_of(form.bits()))),
    }
}

/// The number of a variable for this value in a test; the inverse of [`value_of`].
pub(super) fn number_of(form: &Form, value: &Value) -> Option<u128> {
    let mask = obligato_term::mask(width_of(form.bits()));
    match (form, value) {
        (Form::Bool(_), Value::Bool(value)) => Some(u128::from(*value)),
        (Form::Integer(..) | Form::Enumeration(..), Value::Int(value)) => {
            Some(bits_of(value) & mask)
        }
        (Form::Enumeration(names, ..), Value::Symbol(name)) => {
            let constant = names.iter().find(|(known, _)| known == name)?;
            Some(constant.1.cast_unsigned() & mask)
        }
        (Form::Float32, Value::Float32(bits)) => Some((*bits).into()),
        (Form::Float64, Value::Float64(bits)) => Some((*bits).into()),
        (Form::Pointer(targets), Value::Symbol(name)) => {
            targets.iter().position(|target| target.name == *name).map(|index| index as u128)
        }
        _ => None,
    }
}

fn width_of(bits: u32) -> u8 {
    bits.clamp(1, WIDEST) as u8
}
