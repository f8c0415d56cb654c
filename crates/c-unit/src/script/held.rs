//! From memory back to values: what cells hold when a step is over, and which of them a test sees.

use obligato_model::{Signedness, Value};

use super::{Content, Write};
use crate::interface::{Cell, Form, Interface, Pointee, PointerTarget};

/// What a cell holds when a step is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// These bits.
    Bits(u128),
    /// A pointer to so many bytes behind the start of this.
    Pointer(Pointee, i64),
    /// A pointer to a standard stream, by the name of the variable that holds it.
    Stream(&'static str),
    /// A pointer to anything else.
    Elsewhere,
}

/// Per object, can a test see it after these steps? What a pointer may point to is there only once one does.
pub fn visible_objects(interface: &Interface, steps: &[Vec<Write>]) -> Vec<bool> {
    let mut visible = vec![true; interface.objects.len()];
    for cell in &interface.inputs {
        let Form::Pointer(targets) = &cell.form else { continue };
        for target in targets {
            if let Some(object) = target.to.object() {
                visible[object.0] = false;
            }
        }
    }
    for write in steps.iter().flatten() {
        if let Content::Pointer(to) = &write.content
            && let Some(object) = to.object()
        {
            visible[object.0] = true;
        }
    }
    visible
}

/// The value that a test sees.
pub fn value_of(interface: &Interface, cell: &Cell, held: &Held) -> Value {
    match (held, &cell.form) {
        (Held::Bits(bits), form) => value_of_bits(form, *bits),
        (Held::Pointer(to, offset), form) => {
            let targets: &[PointerTarget] =
                if let Form::Pointer(targets) = form { targets } else { &[] };
            let target = targets.iter().find(|target| is_at(&target.to, to, *offset));
            Value::Symbol(match (target, describe(interface, to)) {
                (Some(own), _) => own.name.clone(),
                (None, name) if *offset == 0 => name,
                (None, name) => format!("{name}{offset:+}"),
            })
        }
        (Held::Stream(name), _) => Value::Symbol((*name).to_owned()),
        (Held::Elsewhere, _) => Value::Symbol("elsewhere".to_owned()),
    }
}

fn describe(interface: &Interface, to: &Pointee) -> String {
    match to {
        Pointee::Null => PointerTarget::NULL.to_owned(),
        Pointee::Object(object) | Pointee::Inside(object, _) => {
            interface.objects[object.0].name.clone()
        }
        Pointee::Function(name) => {
            let stub = interface.outside.iter().find(|outside| outside.name == *name);
            stub.map_or_else(|| name.clone(), |stub| stub.label.clone())
        }
        Pointee::Unset => PointerTarget::UNSET.to_owned(),
    }
}

/// Is a target so many bytes behind the start of what a pointer holds?
pub(crate) fn is_at(target: &Pointee, held: &Pointee, offset: i64) -> bool {
    match (target, held) {
        (Pointee::Inside(target, bytes), Pointee::Object(held)) => {
            target == held && u64::try_from(offset) == Ok(*bytes)
        }
        _ => target == held && offset == 0,
    }
}

/// The value of the bits that a cell holds; the inverse of what a test writes there.
pub fn value_of_bits(form: &Form, bits: u128) -> Value {
    match form {
        Form::Bool(_) => Value::Bool(bits & 1 != 0),
        Form::Integer(Signedness::Unsigned, _) => Value::int(bits),
        Form::Integer(Signedness::Signed, width) => Value::int(sign_extended(bits, *width)),
        Form::Enumeration(names, signedness, width) => {
            let mask = if *width >= 128 { u128::MAX } else { (1 << width) - 1 };
            let name = names.iter().find(|(_, value)| value.cast_unsigned() & mask == bits);
            match name {
                Some((name, _)) => Value::Symbol(name.clone()),
                None => value_of_bits(&Form::Integer(*signedness, *width), bits),
            }
        }
        Form::Float32 => Value::Float32(bits as u32),
        Form::Float64 => Value::Float64(bits as u64),
        Form::Pointer(_) => Value::Symbol(format!("{bits:#x}")),
    }
}

fn sign_extended(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    (bits << unused).cast_signed() >> unused
}
