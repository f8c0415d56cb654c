//! How values are spread over registers.
//!
//! A scalar of up to 64 bits is one part and takes one register. Wider integers and long floats are several, the
//! lowest first. Structures, arrays and vectors are the parts of their elements, one behind the other.

use std::rc::Rc;

use obligato_bytecode::FloatWidth;
use rustc_hash::FxHashMap;

use crate::ir::{Layout, Shape, Type};

/// Something that the executor cannot do, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

/// What fits into one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it lies in memory, from the start of the value.
    pub offset: u64,
    /// How many bytes it takes there.
    pub size: u8,
    /// How many bits of them belong to the value.
    pub bits: u8,
}

/// What a lane of an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// An integer of 1 to 128 bits.
    Integer(u8),
    /// A float.
    Float(FloatWidth),
    /// A pointer.
    Pointer,
}

impl Scalar {
    /// How many registers it takes.
    pub fn registers(self) -> u32 {
        match self {
            Self::Integer(width) => obligato_bytecode::registers_of_width(width),
            Self::Float(_) | Self::Pointer => 1,
        }
    }

    /// How many bits it has, as an integer.
    pub fn width(self) -> u8 {
        match self {
            Self::Integer(width) => width,
            Self::Float(FloatWidth::Single) => 32,
            Self::Float(FloatWidth::Double) | Self::Pointer => 64,
        }
    }
}

/// More parts than clang ever makes of one value: those of its vectors and coerced structures.
const MOST_PARTS: usize = 1024;

/// The parts of types, each found once.
#[derive(Debug)]
pub struct PartTable<'b> {
    layout: Layout<'b>,
    known: FxHashMap<Type<'b>, Result<Rc<[Part]>, Unsupported>>,
}

impl<'b> PartTable<'b> {
    /// Knows nothing yet.
    pub fn new(layout: Layout<'b>) -> Self {
        Self { layout, known: FxHashMap::default() }
    }

    /// The parts of a type.
    pub fn parts(&mut self, of: Type<'b>) -> Result<Rc<[Part]>, Unsupported> {
        if let Some(known) = self.known.get(&of) {
            return known.clone();
        }
        let found = find_parts(self.layout, of).map(Rc::from);
        self.known.insert(of, found.clone());
        found
    }

    /// How many registers a value of this type takes: none if it cannot be held in registers.
    pub fn count(&mut self, of: Type<'b>) -> u32 {
        self.parts(of).map_or(0, |parts| parts.len() as u32)
    }

    /// At which register of a whole an element or field starts.
    pub fn start_of_field(&mut self, whole: Type<'b>, field: u32) -> Result<u32, Unsupported> {
        if matches!(whole.shape(), Shape::Structure(_)) {
            (0..field)
                .try_fold(0, |sum, index| Ok(sum + self.parts(whole.field(index))?.len() as u32))
        } else {
            Ok(field * self.parts(whole.element())?.len() as u32)
        }
    }
}

fn find_parts<'b>(layout: Layout<'b>, of: Type<'b>) -> Result<Vec<Part>, Unsupported> {
    let mut parts = Vec::new();
    let mut open = vec![(of, 0)];
    while let Some((next, offset)) = open.pop() {
        let too_many = parts.len() + open.len() > MOST_PARTS;
        let count = match next.shape() {
            Shape::Structure(count) | Shape::Vector(count) => u64::from(count),
            Shape::Array(count) => count,
            Shape::Integer(bits) => u64::from(bits / 64),
            _ => 0,
        };
        if too_many || count > MOST_PARTS as u64 {
            return Err(Unsupported(format!("a value of more than {MOST_PARTS} parts: {of}")));
        }
        let count = count as u32;
        match next.shape() {
            Shape::Void => {}
            Shape::Integer(bits) | Shape::OtherFloat(bits) => push_scalar(&mut parts, offset, bits),
            Shape::Single => push_scalar(&mut parts, offset, 32),
            Shape::Double | Shape::Pointer => push_scalar(&mut parts, offset, 64),
            Shape::Structure(_) => open.extend(
                (0..count)
                    .rev()
                    .map(|index| (next.field(index), offset + layout.offset(next, index))),
            ),
            Shape::Array(_) => {
                let stride = layout.size(next.element());
                let element = next.element();
                let offsets = (0..count).rev().map(|index| offset + u64::from(index) * stride);
                open.extend(offsets.map(|offset| (element, offset)));
            }
            Shape::Vector(_) => {
                let stride = layout.bits(next.element()) / 8;
                let element = next.element();
                let offsets = (0..count).rev().map(|index| offset + u64::from(index) * stride);
                open.extend(offsets.map(|offset| (element, offset)));
            }
            Shape::Other => return Err(Unsupported(format!("a value of the type {next}"))),
        }
    }
    Ok(parts)
}

fn push_scalar(parts: &mut Vec<Part>, offset: u64, bits: u32) {
    for start in (0..bits).step_by(64) {
        let bits = 64.min(bits - start);
        let offset = offset + u64::from(start / 8);
        parts.push(Part { offset, size: bits.div_ceil(8) as u8, bits: bits as u8 });
    }
}

/// A type as lanes of scalars that can be computed with: 1 for a scalar itself.
pub fn lanes(of: Type<'_>) -> Result<(u32, Scalar), Unsupported> {
    let (count, lane) = match of.shape() {
        Shape::Vector(count) => (count, of.element()),
        _ => (1, of),
    };
    let scalar = match lane.shape() {
        Shape::Integer(width @ 1..=128) => Scalar::Integer(width as u8),
        Shape::Single => Scalar::Float(FloatWidth::Single),
        Shape::Double => Scalar::Float(FloatWidth::Double),
        Shape::Pointer => Scalar::Pointer,
        _ => return Err(Unsupported(format!("computing with {of}"))),
    };
    Ok((count, scalar))
}

/// Refuses what cannot be read part by part, since its elements share bytes.
pub fn ensure_bytes<'b>(layout: Layout<'b>, of: Type<'b>) -> Result<(), Unsupported> {
    match of.shape() {
        Shape::Vector(_) if !layout.bits(of.element()).is_multiple_of(8) => {
            Err(Unsupported(format!("{of} in memory")))
        }
        _ => Ok(()),
    }
}
