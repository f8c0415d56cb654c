//! Integers and machine integers: a word per lane.
//!
//! The loops are written so that the compiler turns them into vector
//! instructions: fixed lengths, no aliasing, no branch on a lane. Whether any lane
//! left the range of a word is one sign bit gathered along the way; which one it
//! was is found in a second loop that hardly ever runs.

use super::bools::Mask;
use super::instruction::{Comparison, Operands, WordOperation};

mod arithmetic;

pub(super) use arithmetic::{add, negate, subtract};
use arithmetic::{bits, integer, machine_integer, wrap};

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

/// The word registers, each behind a pointer: a result is written to a spare
/// register that then changes places with its target, so that no loop writes to
/// memory it may also read.
#[derive(Clone, Debug)]
pub(super) struct WordFile<const W: usize> {
    pub registers: Vec<Box<Words<W>>>,
    spare: Box<Words<W>>,
}

impl<const W: usize> WordFile<W> {
    pub fn new(size: usize) -> Self {
        Self {
            registers: (0..size).map(|_| Box::new(Words::ZERO)).collect(),
            spare: Box::new(Words::ZERO),
        }
    }

    /// Computes a register from others.
    #[inline]
    pub fn write(&mut self, to: u32, compute: impl FnOnce(&mut Words<W>, &[Box<Words<W>>])) {
        std::mem::swap(&mut self.spare, &mut self.registers[to as usize]);
        compute(&mut self.spare, &self.registers);
        std::mem::swap(&mut self.spare, &mut self.registers[to as usize]);
    }

    /// Does the same to many registers. Lanes whose result does not fit are added
    /// to `spilled`, and what they hold then means nothing.
    pub fn run(
        &mut self,
        operation: WordOperation,
        operands: &[Operands],
        bools: &[Mask<W>],
        spilled: &mut Mask<W>,
    ) {
        for at in operands {
            self.write(at.to, |out, file| {
                let (a, b) = (&*file[at.a as usize], &*file[at.b as usize]);
                match operation {
                    WordOperation::Copy => out.0 = a.0,
                    WordOperation::Select => select(out, &bools[at.test as usize], a, b),
                    WordOperation::Int(operation) => integer(operation, out, a, b, spilled),
                    WordOperation::Machine(machine, operation) => {
                        machine_integer(machine, operation, out, a, b);
                    }
                    WordOperation::Bits(machine, operation) => bits(machine, operation, out, a, b),
                    WordOperation::Wrap(machine) => wrap(machine, out, a, a, |a, _| a),
                    WordOperation::UnsignedToInt => {
                        // A set sign bit stands for 2^63 or more.
                        checked(out, a, a, spilled, |a, _| (a, a));
                    }
                }
            });
        }
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

#[inline]
fn zip<const W: usize>(
    out: &mut Words<W>,
    a: &Words<W>,
    b: &Words<W>,
    operation: impl Fn(i64, i64) -> i64,
) {
    for ((out, a), b) in out.0.iter_mut().zip(&a.0).zip(&b.0) {
        for lane in 0..64 {
            out[lane] = operation(a[lane], b[lane]);
        }
    }
}

/// As `zip`, for an operation that also gives a negative number where its result
/// does not fit.
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
