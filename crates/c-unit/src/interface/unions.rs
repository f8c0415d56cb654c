//! The members of a union as inputs.
//!
//! All bytes of a union are inputs, and each bit once: the member with the most bits of numbers comes first, and the others add the
//! cells that overlap nothing before them. So every value of every number is some value of the inputs. A pointer holds addresses, which
//! no number can be, so it is an input of its own where it overlaps others: tests set it, or leave it `unset`.
//!
//! Where no member has all bits that some number has, since there is padding or a `_Bool` (which has one) in the largest, the bytes of the
//! union are the inputs.

use std::ops::Range;

use obligato_clang::{CType, Field, FloatFormat, TypeId, Types};

use super::types::size_of;

/// More cells are not looked at: they would be more inputs than there may be.
const MOST_CELLS: usize = 4096;

/// A scalar of a member.
struct Scalar {
    /// Its bits, from the start of the object.
    bits: Range<u64>,
    is_pointer: bool,
}

/// A member of a union, with the bits that members before it take.
pub(super) struct Member<'t> {
    pub(super) field: &'t Field,
    pub(super) taken: Vec<Range<u64>>,
}

/// The members of a union that starts at a bit of its object, in the order in which they become inputs. Of arrays, so many
/// elements count.
pub(super) fn members<'t>(
    types: &Types,
    fields: &'t [Field],
    start: u64,
    elements: u64,
) -> Vec<Member<'t>> {
    let scalars: Vec<Vec<Scalar>> =
        fields.iter().map(|field| scalars(types, field, start, elements)).collect();
    let numbers = |member: usize| -> u64 {
        let numbers = scalars[member].iter().filter(|scalar| !scalar.is_pointer);
        numbers.map(|scalar| scalar.bits.end - scalar.bits.start).sum()
    };
    let mut order: Vec<usize> = (0..fields.len()).collect();
    order.sort_by_key(|member| std::cmp::Reverse(numbers(*member)));
    // Behind the largest, the order of the source.
    if let Some(others) = order.get_mut(1..) {
        others.sort_unstable();
    }
    let mut taken: Vec<Range<u64>> = Vec::new();
    let mut members = Vec::with_capacity(fields.len());
    for member in order {
        members.push(Member { field: &fields[member], taken: taken.clone() });
        taken.extend(scalars[member].iter().map(|scalar| scalar.bits.clone()));
    }
    members
}

/// Are there bits of numbers that the first of these members, as [`members`] orders them, does not have?
pub(super) fn needs_bytes(types: &Types, fields: &[Field], elements: u64) -> bool {
    let members = members(types, fields, 0, elements);
    let mut lists = members.iter().map(|member| {
        let scalars = scalars(types, member.field, 0, elements).into_iter();
        scalars.filter(|scalar| !scalar.is_pointer).map(|scalar| scalar.bits)
    });
    let Some(first) = lists.next() else { return false };
    let mut first: Vec<Range<u64>> = first.collect();
    first.sort_unstable_by_key(|bits| bits.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for bits in first {
        match joined.last_mut() {
            Some(last) if bits.start <= last.end => last.end = last.end.max(bits.end),
            _ => joined.push(bits),
        }
    }
    let is_there = |bits: Range<u64>| {
        let at = joined.partition_point(|one| one.end < bits.end);
        joined.get(at).is_some_and(|one| one.start <= bits.start && bits.end <= one.end)
    };
    lists.flatten().any(|bits| !is_there(bits))
}

/// Do bits overlap with some of these?
pub(super) fn overlap(bits: &Range<u64>, taken: &[Range<u64>]) -> bool {
    taken.iter().any(|other| bits.start < other.end && other.start < bits.end)
}

fn scalars(types: &Types, field: &Field, start: u64, elements: u64) -> Vec<Scalar> {
    let mut todo: Vec<(TypeId, u64, Option<u32>)> =
        vec![(field.kind, start + field.offset, field.bits)];
    let mut found = Vec::new();
    while let Some((kind, at, bits)) = todo.pop().filter(|_| found.len() < MOST_CELLS) {
        let mut add = |width: u32, is_pointer: bool| {
            let width = u64::from(bits.unwrap_or(width));
            found.push(Scalar { bits: at..at + width, is_pointer });
        };
        match types.get(kind) {
            // The others of its bits are zero.
            CType::Bool => add(1, false),
            CType::Integer { bits, .. } | CType::Enumeration { bits, .. } => add(*bits, false),
            CType::Float(FloatFormat::Single) => add(32, false),
            CType::Float(FloatFormat::Double) => add(64, false),
            CType::Pointer { .. } => add(64, true),
            CType::Array { of, length } => {
                let size = size_of(types, *of).unwrap_or(0);
                let count = length.unwrap_or(0).min(elements).min(MOST_CELLS as u64);
                todo.extend((0..count).rev().map(|index| (*of, at + index * size * 8, None)));
            }
            CType::Record { fields, .. } => {
                let parts = fields.iter().rev();
                todo.extend(parts.map(|part| (part.kind, at + part.offset, part.bits)));
            }
            CType::Void
            | CType::Float(FloatFormat::Extended)
            | CType::Function { .. }
            | CType::Other(_) => {}
        }
    }
    found
}
