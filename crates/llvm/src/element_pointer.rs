//! `getelementptr` as steps over bytes.

use crate::ir::{Kind, Layout, Shape, Type, Value};
use crate::parts::Unsupported;

/// One step of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'b> {
    /// By this many bytes.
    Bytes(i64),
    /// By an index that is not a number yet, times so many bytes.
    Scaled {
        /// How many elements, as a signed number.
        index: Value<'b>,
        /// How many bits it has, at most 64.
        width: u32,
        /// The size of one.
        scale: u64,
    },
}

/// The steps that indices mean, starting at a pointer to the type `source`. Neighbouring numbers are one step.
pub fn steps<'b>(
    layout: Layout<'b>,
    source: Type<'b>,
    indices: impl Iterator<Item = Value<'b>>,
) -> Result<Vec<Step<'b>>, Unsupported> {
    let mut steps = Vec::new();
    // The first index counts objects of the source type itself.
    let mut whole = None;
    for index in indices {
        let Shape::Integer(width @ 1..=64) = index.type_().shape() else {
            return Err(Unsupported(format!("an index of the type {}", index.type_())));
        };
        let number = match index.kind() {
            Kind::Zero => Some(0),
            Kind::Integer => Some(sign_extended(index.integer_words()[0], width)),
            _ => None,
        };
        let (next, step) = match (whole.map(Type::shape), number) {
            (Some(Shape::Structure(_)), Some(number)) => {
                let field = u32::try_from(number).expect("invariant: verified");
                let structure = whole.expect("invariant: it has a shape");
                let offset = layout.offset(structure, field);
                (structure.field(field), Step::Bytes(offset.cast_signed()))
            }
            (shape, number) => {
                let (next, scale) = match (whole, shape) {
                    (None, _) => (source, layout.size(source)),
                    (Some(array), Some(Shape::Array(_))) => {
                        (array.element(), layout.size(array.element()))
                    }
                    (Some(vector), Some(Shape::Vector(_))) => {
                        (vector.element(), layout.bits(vector.element()) / 8)
                    }
                    (Some(other), _) => {
                        return Err(Unsupported(format!("an index into the type {other}")));
                    }
                };
                let step = match number {
                    Some(number) => Step::Bytes(number.wrapping_mul(scale.cast_signed())),
                    None => Step::Scaled { index, width, scale },
                };
                (next, step)
            }
        };
        whole = Some(next);
        match (steps.last_mut(), step) {
            (Some(Step::Bytes(sum)), Step::Bytes(offset)) => *sum = sum.wrapping_add(offset),
            _ => steps.push(step),
        }
    }
    Ok(steps)
}

/// A number of so many bits with its sign.
pub fn sign_extended(word: u64, bits: u32) -> i64 {
    let unused = 64 - bits;
    (word << unused).cast_signed() >> unused
}
