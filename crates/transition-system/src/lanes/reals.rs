//! Reals: exact rationals, most of the time over one denominator.
//!
//! A register is a numerator per lane and, as long as that stays small, one
//! denominator for all of them. Sums, differences, comparisons and selections then
//! are what they are on words, and no lane is ever brought to lowest terms. Where
//! lanes need denominators of their own (a quotient of two variables, say) the
//! register has one per lane, each lane in lowest terms; it goes back to a
//! common one when that is small again. A lane that fits neither way is spilled.

use super::bools::Mask;
use super::file::RegisterFile;
use super::instruction::{Operands, RealOperation};
use super::number::{Ratio, greatest_common_divisor};
use super::words::{Words, checked, negate};

mod operations;
mod scale;

pub(super) use operations::{choose, compare_reals};
use operations::{product, quotient, separately, sum};
use scale::{Scale, bits, magnitude};

/// Above this, a common denominator is worth an attempt to reduce it.
const WORTH_REDUCING: i64 = 1 << 20;
/// Above this, lanes get denominators of their own.
const LARGEST_COMMON: i64 = 1 << 40;

/// A rational for each lane.
#[derive(Clone, Debug)]
pub(super) struct Reals<const W: usize> {
    numerators: Words<W>,
    /// The denominator of all lanes; 0 if each has its own.
    common: i64,
    /// The lanes' own denominators; means nothing while there is a common one.
    denominators: Words<W>,
}

/// The real registers.
pub(super) type RealFile<const W: usize> = RegisterFile<Reals<W>>;

impl<const W: usize> Reals<W> {
    pub const ZERO: Self = Self { numerators: Words::ZERO, common: 1, denominators: Words::ZERO };

    pub fn get(&self, lane: usize) -> Ratio {
        let numerator = self.numerators.get(lane);
        match self.common {
            0 => Ratio { numerator, denominator: self.denominators.get(lane) },
            common => Ratio::new(numerator.into(), common.into())
                .expect("invariant: lowest terms are no larger"),
        }
    }

    pub fn set(&mut self, lane: usize, value: Ratio) {
        let shared =
            self.common == value.denominator || self.common != 0 && self.widen(value.denominator);
        let scaled = || value.numerator.checked_mul(self.common / value.denominator);
        if let Some(numerator) = shared.then(scaled).flatten() {
            self.numerators.set(lane, numerator);
            return;
        }
        if self.common != 0 {
            self.separate();
        }
        self.numerators.set(lane, value.numerator);
        self.denominators.set(lane, value.denominator);
    }

    /// The lanes that hold another rational than lane 0. Over one denominator the
    /// numerators tell; lanes with their own are in lowest terms.
    pub fn unlike_first(&self) -> Mask<W> {
        let numerators = self.numerators.unlike_first();
        if self.common != 0 {
            return numerators;
        }
        let denominators = self.denominators.unlike_first();
        std::array::from_fn(|word| numerators[word] | denominators[word])
    }

    /// The same rational in all lanes.
    pub fn all(value: Ratio) -> Self {
        Self { numerators: Words::all(value.numerator), common: value.denominator, ..Self::ZERO }
    }

    /// These numerators, over one positive denominator.
    pub fn over(numerators: Words<W>, common: i64) -> Self {
        Self { numerators, common, denominators: Words::ZERO }
    }

    /// These integers.
    pub fn set_whole(&mut self, words: &Words<W>) {
        self.numerators.0 = words.0;
        self.common = 1;
    }

    /// Makes the common denominator a multiple of `denominator`, if it can.
    fn widen(&mut self, denominator: i64) -> bool {
        let Some(scale) = Scale::between(self.common, denominator) else { return false };
        let fits = scale.fits(magnitude(&self.numerators), 0);
        if fits {
            for numerator in self.numerators.0.as_flattened_mut() {
                *numerator *= scale.of_a;
            }
            self.common = scale.common;
        }
        fits
    }

    /// Gives each lane its own denominator.
    #[cold]
    fn separate(&mut self) {
        for lane in 0..64 * W {
            let Ratio { numerator, denominator } = self.get(lane);
            self.numerators.set(lane, numerator);
            self.denominators.set(lane, denominator);
        }
        self.common = 0;
    }

    /// Puts the lanes over a common denominator again, if it is small.
    fn unite(&mut self) {
        let mut common = 1_i64;
        for denominator in self.denominators.0.as_flattened() {
            if common % denominator != 0 {
                let Some(scale) = Scale::between(common, *denominator) else { return };
                common = scale.common;
                if common > WORTH_REDUCING {
                    return;
                }
            }
        }
        let room = 63 - bits(common.cast_unsigned());
        if bits(magnitude(&self.numerators)) >= room {
            return;
        }
        let lanes = self.numerators.0.as_flattened_mut().iter_mut();
        for (numerator, denominator) in lanes.zip(self.denominators.0.as_flattened()) {
            *numerator *= common / denominator;
        }
        self.common = common;
    }

    /// Divides by what the numerators and a large denominator have in common.
    fn reduce(&mut self) {
        let mut divisor = self.common.cast_unsigned();
        for numerator in self.numerators.0.as_flattened() {
            divisor = greatest_common_divisor(divisor, numerator.unsigned_abs());
            if divisor == 1 {
                return;
            }
        }
        for numerator in self.numerators.0.as_flattened_mut() {
            *numerator /= divisor.cast_signed();
        }
        self.common /= divisor.cast_signed();
    }

    /// The largest integer not above each lane.
    pub fn floor(&self) -> Words<W> {
        let mut out = self.numerators.clone();
        if self.common == 1 {
            return out;
        }
        let lanes = out.0.as_flattened_mut().iter_mut().zip(self.numerators.0.as_flattened());
        for ((out, numerator), own) in lanes.zip(self.denominators.0.as_flattened()) {
            let denominator = if self.common == 0 { *own } else { self.common };
            *out = numerator.div_euclid(denominator);
        }
        out
    }
}

impl<const W: usize> RegisterFile<Reals<W>> {
    /// Does the same to many registers. Lanes whose result does not fit are added
    /// to `spilled`, and what they hold then means nothing.
    pub fn run(
        &mut self,
        operation: RealOperation,
        operands: &[Operands],
        bools: &[Mask<W>],
        spilled: &mut Mask<W>,
    ) {
        for at in operands {
            self.write(at.to, |out, file| {
                let (a, b) = (&*file[at.a as usize], &*file[at.b as usize]);
                match operation {
                    RealOperation::Copy => copy(out, a),
                    RealOperation::Select => choose(out, &bools[at.test as usize], a, b),
                    RealOperation::Negate => {
                        copy(out, a);
                        checked(
                            &mut out.numerators,
                            &a.numerators,
                            &a.numerators,
                            spilled,
                            |a, _| negate(a),
                        );
                    }
                    RealOperation::Add | RealOperation::Subtract => {
                        if !sum(operation, out, a, b) {
                            separately(operation, out, a, b, spilled);
                        }
                    }
                    RealOperation::Multiply => {
                        if !product(out, a, b) {
                            separately(operation, out, a, b, spilled);
                        }
                    }
                    RealOperation::Divide => {
                        if !quotient(out, a, b) {
                            separately(operation, out, a, b, spilled);
                        }
                    }
                }
            });
        }
    }
}

/// `a`, without touching denominators that mean nothing.
pub(super) fn copy<const W: usize>(out: &mut Reals<W>, a: &Reals<W>) {
    out.numerators.0 = a.numerators.0;
    out.common = a.common;
    if a.common == 0 {
        out.denominators.0 = a.denominators.0;
    }
}
