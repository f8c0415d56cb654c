//! Booleans: 64 lanes to a word, `W` words to a register.

use super::instruction::{BoolOperation, Operands};

/// A bit for each lane.
pub type Mask<const W: usize> = [u64; W];

/// Does the same to many registers.
pub(super) fn run<const W: usize>(
    operation: BoolOperation,
    operands: &[Operands],
    file: &mut [Mask<W>],
) {
    match operation {
        BoolOperation::Copy => unary(operands, file, |a| a),
        BoolOperation::Not => unary(operands, file, |a| !a),
        BoolOperation::And => binary(operands, file, |a, b| a & b),
        BoolOperation::AndNot => binary(operands, file, |a, b| a & !b),
        BoolOperation::Nor => binary(operands, file, |a, b| !(a | b)),
        BoolOperation::Xor => binary(operands, file, |a, b| a ^ b),
        BoolOperation::Select => ternary(operands, file, |test, a, b| (test & (a ^ b)) ^ b),
        BoolOperation::SelectNot => ternary(operands, file, |test, a, b| (test & !(a ^ b)) ^ b),
    }
}

#[inline]
fn unary<const W: usize>(
    operands: &[Operands],
    file: &mut [Mask<W>],
    operation: impl Fn(u64) -> u64,
) {
    for at in operands {
        file[at.to as usize] = file[at.a as usize].map(&operation);
    }
}

#[inline]
fn binary<const W: usize>(
    operands: &[Operands],
    file: &mut [Mask<W>],
    operation: impl Fn(u64, u64) -> u64,
) {
    for at in operands {
        let (a, b) = (file[at.a as usize], file[at.b as usize]);
        file[at.to as usize] = std::array::from_fn(|word| operation(a[word], b[word]));
    }
}

#[inline]
fn ternary<const W: usize>(
    operands: &[Operands],
    file: &mut [Mask<W>],
    operation: impl Fn(u64, u64, u64) -> u64,
) {
    for at in operands {
        let (a, b) = (file[at.a as usize], file[at.b as usize]);
        let test = file[at.test as usize];
        file[at.to as usize] = std::array::from_fn(|word| operation(test[word], a[word], b[word]));
    }
}

/// Is the bit of a lane set?
pub fn contains<const W: usize>(mask: &Mask<W>, lane: usize) -> bool {
    mask[lane / 64] >> (lane % 64) & 1 == 1
}

/// Sets or clears the bit of a lane.
pub(super) fn assign<const W: usize>(mask: &mut Mask<W>, lane: usize, value: bool) {
    let bit = 1 << (lane % 64);
    let word = &mut mask[lane / 64];
    *word = if value { *word | bit } else { *word & !bit };
}

/// The lanes of a mask, in order.
pub fn lanes<const W: usize>(mask: Mask<W>) -> impl Iterator<Item = usize> {
    mask.into_iter().enumerate().flat_map(|(index, word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(index * 64 + bit)
        })
    })
}
