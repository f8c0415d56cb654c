//! Intervals: over-approximations of the values of a node.
//!
//! Ends are integers of up to [`LARGEST`] or missing, which is to say infinite. An interval always
//! contains at least what it stands for; where a precise end is not worth its price it is missing.
//! Reals are counted in units of the grid, see [`Grid`](crate::grid::Grid), but may lie between
//! two integers, so their ends are rounded outwards. A Boolean is 0 or 1.

pub(crate) use obligato_bit_blaster::signed_bits;
use obligato_model::{Integer, Rational, Type};

/// Ends have at most this absolute value, which leaves room to compute in an `i128`.
pub(crate) const LARGEST: i128 = 1 << 120;

/// All numbers from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Interval {
    /// The smallest; `None` if there is none.
    pub low: Option<i128>,
    /// The largest; `None` if there is none.
    pub high: Option<i128>,
}

impl Interval {
    pub const ALL: Self = Self { low: None, high: None };
    pub const BOOL: Self = Self { low: Some(0), high: Some(1) };

    pub fn new(low: i128, high: i128) -> Self {
        Self { low: bounded(low), high: bounded(high) }
    }

    pub fn point(value: i128) -> Self {
        Self::new(value, value)
    }

    pub fn of_bool(value: bool) -> Self {
        Self::point(value.into())
    }

    /// The integers from one to another, of any size.
    pub fn of_integers(low: &Integer, high: &Integer) -> Self {
        let end = |value| i128::try_from(value).ok().and_then(bounded);
        let low_end = end(low).or_else(|| (*low > Integer::ZERO).then_some(LARGEST));
        let high_end = end(high).or_else(|| (*high < Integer::ZERO).then_some(-LARGEST));
        Self { low: low_end, high: high_end }
    }

    /// The integers next to a rational on both sides.
    pub fn of_rational(value: &Rational) -> Self {
        Self::of_integers(&value.floor(), &value.ceil())
    }

    /// The values of a type that bounds them.
    pub fn of_type(kind: &Type) -> Option<Self> {
        match kind {
            Type::Bool => Some(Self::BOOL),
            Type::Enumeration(names) => Some(Self::new(0, names.len() as i128 - 1)),
            _ => kind.bounds().map(|(low, high)| Self::of_integers(&low, &high)),
        }
    }

    /// The nearest number that is in it.
    pub fn nearest(self, value: i128) -> i128 {
        let value = self.low.map_or(value, |low| value.max(low));
        self.high.map_or(value, |high| value.min(high))
    }

    /// The only number, if there is only one.
    pub fn as_point(self) -> Option<i128> {
        self.low.filter(|_| self.low == self.high)
    }

    /// How many bits a two's-complement word needs for all of it.
    pub fn bits(self) -> Option<u32> {
        Some(signed_bits(self.low?).max(signed_bits(self.high?)))
    }

    pub fn is_not_negative(self) -> bool {
        self.low.is_some_and(|low| low >= 0)
    }

    pub fn contains(self, other: Self) -> bool {
        self.join(other) == self
    }

    /// The least interval with both.
    pub fn join(self, other: Self) -> Self {
        Self {
            low: self.low.zip(other.low).map(|(a, b)| a.min(b)),
            high: self.high.zip(other.high).map(|(a, b)| a.max(b)),
        }
    }

    /// What both have, if anything.
    pub fn meet(self, other: Self) -> Option<Self> {
        let low = self.low.into_iter().chain(other.low).max();
        let high = self.high.into_iter().chain(other.high).min();
        let empty = low.zip(high).is_some_and(|(low, high)| low > high);
        (!empty).then_some(Self { low, high })
    }

    /// The largest absolute value.
    pub fn magnitude(self) -> Option<i128> {
        Some(self.low?.abs().max(self.high?.abs()))
    }

    pub fn negate(self) -> Self {
        Self { low: self.high.map(|high| -high), high: self.low.map(|low| -low) }
    }

    pub fn add(self, other: Self) -> Self {
        let sum = |a: Option<i128>, b: Option<i128>| bounded(a? + b?);
        Self { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    pub fn multiply(self, other: Self) -> Self {
        if let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) {
            let products = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
            let least =
                products.iter().try_fold(i128::MAX, |least, product| Some(least.min((*product)?)));
            let most =
                products.iter().try_fold(i128::MIN, |most, product| Some(most.max((*product)?)));
            return Self { low: least.and_then(bounded), high: most.and_then(bounded) };
        }
        if self.is_not_negative() && other.is_not_negative() {
            let low = self.low.zip(other.low).and_then(|(a, b)| a.checked_mul(b));
            return Self { low: low.and_then(bounded).or(Some(0)), high: None };
        }
        Self::ALL
    }

    /// Divided by a number above zero and rounded outwards.
    pub fn spread_over(self, divisor: i128) -> Self {
        let up = |high: i128| -(-high).div_euclid(divisor);
        Self { low: self.low.map(|low| low.div_euclid(divisor)), high: self.high.map(up) }
    }

    /// Divided by a number above zero and rounded down.
    pub fn floor_over(self, divisor: i128) -> Self {
        let down = |end: i128| end.div_euclid(divisor);
        Self { low: self.low.map(down), high: self.high.map(down) }
    }
}

fn bounded(end: i128) -> Option<i128> {
    (-LARGEST..=LARGEST).contains(&end).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_as_many_bits_as_twos_complement_takes() {
        let bits = [-5, -4, -1, 0, 1, 3, 4].map(signed_bits);
        assert_eq!(bits, [4, 3, 1, 1, 2, 3, 4]);
    }

    #[test]
    fn products_take_their_ends_from_any_corner() {
        let product = Interval::new(-3, 2).multiply(Interval::new(-5, 4));
        assert_eq!(product, Interval::new(-12, 15));
        let upwards = Interval { low: Some(2), high: None };
        assert_eq!(upwards.multiply(upwards), Interval { low: Some(4), high: None });
        assert_eq!(upwards.multiply(Interval::new(-1, 1)), Interval::ALL);
        assert_eq!(Interval::point(LARGEST).add(Interval::point(1)), Interval::ALL);
    }

    #[test]
    fn a_number_beyond_all_ends_keeps_the_end_it_is_beyond() {
        let huge = Integer::ONE << 300;
        let above = Interval::of_integers(&huge, &huge);
        assert_eq!(above, Interval { low: Some(LARGEST), high: None });
    }

    #[test]
    fn rounding_outwards_keeps_what_lies_between() {
        assert_eq!(Interval::new(-7, 7).spread_over(2), Interval::new(-4, 4));
        assert_eq!(Interval::new(-7, 7).floor_over(2), Interval::new(-4, 3));
    }
}
