//! Integers and machine integers: a mask of lanes for each binary digit.
//!
//! A register holds the lanes' numbers in two's complement, digit by digit: its
//! first plane is the lowest digit of all lanes, its last the sign of all lanes.
//! There are as many planes as the widest lane needs, found anew by each
//! instruction, so a state of a machine or a subrange takes a few planes and a
//! selection among such is a few Boolean ones. Models select and compare far
//! more often than they compute: that is what this form is for. Even of full
//! words a selection costs no more than lane by lane, as no test has to be
//! spread over lanes.
//!
//! Sums are cheap too. Products and quotients of wide numbers are not; they and
//! shifts by variable amounts go lane by lane (`transpose`).

use super::bools::{Mask, assign, contains};
use super::instruction::Comparison;
use super::words::{Words, checked};

mod arithmetic;
mod division;
mod file;
mod transpose;

pub(super) use file::PlaneFile;

/// How many planes a word of a lane takes at most.
const MOST: usize = 64;

/// An integer for each lane.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Planes<const W: usize> {
    /// Those from `width` on mean nothing.
    planes: [Mask<W>; MOST],
    /// How many there are, at least one.
    width: usize,
}

impl<const W: usize> Planes<W> {
    pub const ZERO: Self = Self { planes: [[0; W]; MOST], width: 1 };

    pub fn all(word: i64) -> Self {
        let mut all = Self { width: width_of(word), ..Self::ZERO };
        for (digit, plane) in all.planes[..all.width].iter_mut().enumerate() {
            *plane = [(word >> digit & 1).wrapping_neg().cast_unsigned(); W];
        }
        all
    }

    pub fn get(&self, lane: usize) -> i64 {
        let digits = self.planes[..self.width].iter().enumerate();
        let word =
            digits.fold(0, |word, (digit, plane)| word | i64::from(contains(plane, lane)) << digit);
        let unused = MOST - self.width;
        word << unused >> unused
    }

    pub fn set(&mut self, lane: usize, word: i64) {
        let (sign, width) = (self.sign(), self.width.max(width_of(word)));
        self.planes[self.width..width].fill(sign);
        for (digit, plane) in self.planes[..width].iter_mut().enumerate() {
            assign(plane, lane, word >> digit & 1 == 1);
        }
        self.narrow(width);
    }

    /// The lanes that hold another number than lane 0.
    pub fn unlike_first(&self) -> Mask<W> {
        let mut unlike = [0; W];
        for plane in &self.planes[..self.width] {
            let first = (plane[0] & 1).wrapping_neg();
            unlike = std::array::from_fn(|word| unlike[word] | plane[word] ^ first);
        }
        unlike
    }

    /// A digit of all lanes; those above the sign are as the sign.
    #[inline]
    fn plane(&self, digit: usize) -> &Mask<W> {
        &self.planes[digit.min(self.width - 1)]
    }

    /// The lanes below zero.
    #[inline]
    fn sign(&self) -> Mask<W> {
        *self.plane(MOST)
    }

    /// Takes as many planes as needed of those that were written.
    #[inline]
    fn narrow(&mut self, mut written: usize) {
        while written > 1 && self.planes[written - 1] == self.planes[written - 2] {
            written -= 1;
        }
        self.width = written;
    }

    pub fn copy(&mut self, from: &Self) {
        self.planes[..from.width].copy_from_slice(&from.planes[..from.width]);
        self.width = from.width;
    }

    /// `test ? a : b`, lane by lane.
    #[inline]
    pub fn select(&mut self, test: &Mask<W>, a: &Self, b: &Self) {
        self.digitwise(a, b, |word, a, b| b ^ (test[word] & (a ^ b)));
    }

    /// Each digit from the same digit of both operands.
    #[inline]
    fn digitwise(&mut self, a: &Self, b: &Self, operation: impl Fn(usize, u64, u64) -> u64) {
        let width = a.width.max(b.width);
        each_digit(a, b, width, |digit, a, b| {
            self.planes[digit] = std::array::from_fn(|word| operation(word, a[word], b[word]));
        });
        self.narrow(width);
    }

    /// What an operation on words makes of each lane.
    fn lane_by_lane(
        &mut self,
        a: &Self,
        b: &Self,
        spilled: &mut Mask<W>,
        operation: impl Fn(i64, i64) -> (i64, i64) + Copy,
    ) {
        let mut words = Words::ZERO;
        checked(&mut words, &a.words(), &b.words(), spilled, operation);
        self.set_words(&words);
    }
}

/// How many digits a word takes in two's complement.
fn width_of(word: i64) -> usize {
    65 - (word ^ word >> 63).leading_zeros() as usize
}

/// Visits the digits of two registers side by side, from the lowest.
#[inline]
fn each_digit<const W: usize>(
    a: &Planes<W>,
    b: &Planes<W>,
    count: usize,
    mut visit: impl FnMut(usize, &Mask<W>, &Mask<W>),
) {
    let shared = a.width.min(b.width).min(count);
    let both = a.planes[..shared].iter().zip(&b.planes[..shared]);
    for (digit, (a, b)) in both.enumerate() {
        visit(digit, a, b);
    }
    for digit in shared..count {
        visit(digit, a.plane(digit), b.plane(digit));
    }
}

/// Compares lane by lane: what a digit says counts unless a higher one differs.
pub(super) fn compare<const W: usize>(
    comparison: Comparison,
    a: &Planes<W>,
    b: &Planes<W>,
) -> Mask<W> {
    let mut holds = match comparison {
        Comparison::Less | Comparison::LessUnsigned => [0; W],
        _ => [u64::MAX; W],
    };
    let width = a.width.max(b.width);
    if comparison == Comparison::Equal {
        each_digit(a, b, width, |_, a, b| {
            holds = std::array::from_fn(|word| holds[word] & !(a[word] ^ b[word]));
        });
        return holds;
    }
    each_digit(a, b, width, |_, a, b| {
        holds = std::array::from_fn(|word| {
            holds[word] ^ ((a[word] ^ b[word]) & (holds[word] ^ b[word]))
        });
    });
    // Where signs differ, the number that has one is the smaller; but the word
    // of a `uint64` that has one is the larger, as with any other digit.
    if matches!(comparison, Comparison::Less | Comparison::LessEqual) {
        let (a, b) = (a.sign(), b.sign());
        holds = std::array::from_fn(|word| holds[word] ^ (a[word] ^ b[word]));
    }
    holds
}

#[cfg(test)]
mod tests;
