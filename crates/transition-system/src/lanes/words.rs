//! A word per lane: the numerators and denominators of reals, and integers where
//! their [`Planes`](super::planes::Planes) would be slower.
//!
//! The loops are written so that the compiler turns them into vector
//! instructions: fixed lengths, no aliasing, no branch on a lane. Whether any lane
//! left the range of a word is one sign bit gathered along the way; which one it
//! was is found in a second loop that hardly ever runs.

use super::bools::Mask;
use super::instruction::Comparison;

pub(super) mod arithmetic;

pub(super) use arithmetic::{add, negate, subtract};

/// The lanes that share a word of a mask.
pub(super) type Block = [i64; 64];

/// A word for each lane.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Words<const W: usize>(pub [Block; W]);

impl<const W: usize> Words<W> {
    pub const ZERO: Self = Self([[0; 64]; W]);

    pub fn all(word: i64) -> Self {
        Self([[word; 64]; W])
    }

    pub fn get(&self, lane: usize) -> i64 {
        self.0[lane / 64][lane % 64]
    }

    pub fn set(&mut self, lane: usize, word: i64) {
        self.0[lane / 64][lane % 64] = word;
    }

    /// The lanes that hold another word than lane 0.
    pub fn unlike_first(&self) -> Mask<W> {
        let first = self.get(0);
        pack(self, self, |word, _| word != first)
    }
}

/// `test ? a : b`, lane by lane.
#[inline]
pub(super) fn select<const W: usize>(
    out: &mut Words<W>,
    test: &Mask<W>,
    a: &Words<W>,
    b: &Words<W>,
) {
    for (((out, a), b), test) in out.0.iter_mut().zip(&a.0).zip(&b.0).zip(test) {
        let test = spread(*test);
        for lane in 0..64 {
            out[lane] = b[lane] ^ (test[lane] & (a[lane] ^ b[lane]));
        }
    }
}

/// Compares lane by lane.
#[inline]
pub(super) fn compare<const W: usize>(
    comparison: Comparison,
    a: &Words<W>,
    b: &Words<W>,
) -> Mask<W> {
    match comparison {
        Comparison::Equal => pack(a, b, |a, b| a == b),
        Comparison::Less => pack(a, b, |a, b| a < b),
        Comparison::LessEqual => pack(a, b, |a, b| a <= b),
        Comparison::LessUnsigned => pack(a, b, |a, b| a.cast_unsigned() < b.cast_unsigned()),
        Comparison::LessEqualUnsigned => pack(a, b, |a, b| a.cast_unsigned() <= b.cast_unsigned()),
    }
}

#[inline]
pub(super) fn pack<const W: usize>(
    a: &Words<W>,
    b: &Words<W>,
    holds: impl Fn(i64, i64) -> bool,
) -> Mask<W> {
    std::array::from_fn(|word| pack_block(&a.0[word], &b.0[word], &holds))
}

/// A bit for each lane where the condition holds. With shifts by a vector of
/// amounts one loop over all lanes is fastest (11 ns against 24); without them that
/// loop is slow (43 ns), and eight short ones that fill a byte each are fastest
/// (20 ns).
#[inline]
fn pack_block(a: &Block, b: &Block, holds: impl Fn(i64, i64) -> bool) -> u64 {
    let mut packed = 0;
    if cfg!(target_feature = "avx2") {
        for lane in 0..64 {
            packed |= u64::from(holds(a[lane], b[lane])) << lane;
        }
        return packed;
    }
    for group in 0..8 {
        let mut byte = 0;
        for bit in 0..8 {
            let lane = group * 8 + bit;
            byte |= u64::from(holds(a[lane], b[lane])) << bit;
        }
        packed |= byte << (group * 8);
    }
    packed
}

/// Each bit of a word as a lane of all ones or none. From a table of four lanes
/// at a time; shifting each bit into place takes half as long again.
#[inline]
pub(super) fn spread(word: u64) -> Block {
    const FOUR: [[i64; 4]; 16] = {
        let mut table = [[0; 4]; 16];
        let mut entry = 0;
        while entry < 64 {
            if (entry / 4) >> (entry % 4) & 1 == 1 {
                table[entry / 4][entry % 4] = -1;
            }
            entry += 1;
        }
        table
    };
    let mut lanes = [0; 64];
    let (groups, _) = lanes.as_chunks_mut::<4>();
    for (group, lanes) in groups.iter_mut().enumerate() {
        *lanes = FOUR[(word >> (4 * group) & 15) as usize];
    }
    lanes
}

/// Applies an operation that also gives a negative number where its result does not
/// fit; those lanes are added to `spilled`.
#[inline]
pub(super) fn checked<const W: usize>(
    out: &mut Words<W>,
    a: &Words<W>,
    b: &Words<W>,
    spilled: &mut Mask<W>,
    operation: impl Fn(i64, i64) -> (i64, i64) + Copy,
) {
    for (word, ((out, a), b)) in out.0.iter_mut().zip(&a.0).zip(&b.0).enumerate() {
        let mut overflow = 0;
        for lane in 0..64 {
            let (result, misfit) = operation(a[lane], b[lane]);
            out[lane] = result;
            overflow |= misfit;
        }
        if overflow < 0 {
            spilled[word] |= misfits(a, b, operation);
        }
    }
}

#[cold]
#[inline(never)]
fn misfits(a: &Block, b: &Block, operation: impl Fn(i64, i64) -> (i64, i64)) -> u64 {
    let lanes = a.iter().zip(b).enumerate();
    lanes.fold(0, |mask, (lane, (a, b))| mask | u64::from(operation(*a, *b).1 < 0) << lane)
}
