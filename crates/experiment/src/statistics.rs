//! Medians, and whether two samples differ: without floating point, so that the same
//! numbers come out everywhere.
//!
//! A [`Sample`] has counts of one whole, such as mutants killed of all that ran. Two tests ask
//! whether two samples are from one distribution, both two-sided and both by what
//! every other way to split the values between the samples would have given:
//!
//! - [`mann_whitney`] on the ranks of the values (paper: Whalen et al., section VI-A);
//! - [`permutation`] on their means (paper: You et al., tables V and VII).
//!
//! Tied values have the mean of their ranks. The distribution of the rank sum is always the
//! exact one for the values at hand, ties included: the usual normal approximation with its
//! correction for ties is for samples that are larger than the [`MOST`] values taken here.
//!
//! Start reading at [`mann_whitney`]; how splits are counted is in [`splits`].

use obligato_model::{Integer, Random, Rational};

pub mod splits;

use splits::{Split, count_splits};

/// So many values a sample may have: beyond, the number of splits outgrows what counts them.
pub const MOST: usize = 64;

/// So many random splits are tried where there are too many different sums to count all.
pub const TRIED: u64 = 100_000;

/// Counts of one whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    counts: Vec<u64>,
    whole: u64,
}

/// Why numbers are not a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// There is nothing to compare.
    #[error("a sample without values")]
    Empty,
    /// More than [`MOST`].
    #[error("a sample of {0} values; {MOST} are the most")]
    TooMany(usize),
    /// A part of nothing.
    #[error("a count of a whole of 0")]
    NoWhole,
    /// Counts and wholes are of things in memory.
    #[error("a count beyond 2^32")]
    TooLarge,
}

impl Sample {
    /// These counts, each of the same whole.
    pub fn new(counts: Vec<u64>, whole: u64) -> Result<Self, SampleError> {
        match counts.len() {
            0 => return Err(SampleError::Empty),
            1..=MOST => {}
            many => return Err(SampleError::TooMany(many)),
        }
        if whole == 0 {
            return Err(SampleError::NoWhole);
        }
        if counts.iter().chain([&whole]).any(|number| *number > u64::from(u32::MAX)) {
            return Err(SampleError::TooLarge);
        }
        Ok(Self { counts, whole })
    }

    /// The median of the shares.
    pub fn median(&self) -> Rational {
        self.quantile(1, 2)
    }

    /// The share below which `part` of `parts` of the shares are, as [`quantile`] says.
    pub fn quantile(&self, part: u64, parts: u64) -> Rational {
        quantile(&self.counts, part, parts) / Rational::from(self.whole)
    }

    /// The smallest and the largest share.
    pub fn range(&self) -> (Rational, Rational) {
        let share = |count: Option<&u64>| ratio(count.copied().unwrap_or(0), self.whole);
        (share(self.counts.iter().min()), share(self.counts.iter().max()))
    }

    /// The shares, as they came.
    pub fn shares(&self) -> impl Iterator<Item = Rational> + '_ {
        self.counts.iter().map(|count| ratio(*count, self.whole))
    }
}

/// One number of another.
pub fn ratio(part: u64, whole: u64) -> Rational {
    Rational::from(part) / Rational::from(whole)
}

/// The median: the middle value, or the mean of the two in the middle; 0 of nothing.
pub fn median(values: &[u64]) -> Rational {
    quantile(values, 1, 2)
}

/// The value below which `part` of `parts` of the values are: between two of them in proportion,
/// as spreadsheets do it; 0 of nothing.
pub fn quantile(values: &[u64], part: u64, parts: u64) -> Rational {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let Some(last) = sorted.len().checked_sub(1) else { return Rational::ZERO };
    let position = last as u64 * part;
    let (below, rest) = ((position / parts) as usize, position % parts);
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    Rational::from(low) + Rational::from(high - low) * ratio(rest, parts)
}

/// What a test found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// How often chance alone gives a difference as large as this one or larger.
    pub p: Rational,
    /// How that is known.
    pub by: Method,
}

/// How often chance gives something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All splits were counted.
    Exact,
    /// So many random splits were tried.
    Tried(u64),
}

/// The Mann-Whitney test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MannWhitney {
    /// U of the first sample: the pairs in which its value is the larger, ties by half.
    pub u: Rational,
    /// How often chance gives a U as far from its mean.
    pub p: Rational,
}

/// Tests whether values of one sample tend to be larger than those of the other, by ranks.
pub fn mann_whitney(first: &Sample, second: &Sample) -> MannWhitney {
    let (values, size) = common(first, second);
    let doubled = doubled_ranks(&values);
    let sum: u64 = doubled[..size].iter().sum();
    let least = (size * (size + 1)) as u64;
    let split = Split { values: &doubled, size };
    let all = count_splits(&split, usize::MAX).expect("invariant: no limit is reached");
    MannWhitney { u: ratio(sum - least, 2), p: share_as_extreme(&split, sum, &all) }
}

/// Tests whether the means differ. Where there are too many different sums to count, as between
/// samples of different wholes, [`TRIED`] random splits of this seed are tried, and the one that
/// was found counts as one of them.
pub fn permutation(first: &Sample, second: &Sample, seed: u64) -> Tested {
    permutation_within(first, second, seed, splits::USUAL_LIMIT)
}

fn permutation_within(first: &Sample, second: &Sample, seed: u64, limit: usize) -> Tested {
    let (values, size) = common(first, second);
    let split = Split { values: &values, size };
    let sum: u64 = values[..size].iter().sum();
    if let Some(all) = count_splits(&split, limit) {
        return Tested { p: share_as_extreme(&split, sum, &all), by: Method::Exact };
    }
    let mut random = Random::for_purpose(seed, "permutation");
    let mut shuffled = values.clone();
    let mut extreme = 1;
    for _ in 0..TRIED {
        random.shuffle(&mut shuffled);
        let drawn: u64 = shuffled[..size].iter().sum();
        extreme += u64::from(split.distance(drawn) >= split.distance(sum));
    }
    Tested { p: ratio(extreme, TRIED + 1), by: Method::Tried(TRIED) }
}

/// The share of splits whose sum is as far from the mean as this one.
fn share_as_extreme(split: &Split<'_>, sum: u64, all: &[(u64, u128)]) -> Rational {
    let far = |(other, _): &&(u64, u128)| split.distance(*other) >= split.distance(sum);
    let extreme: u128 = all.iter().filter(far).map(|(_, count)| count).sum();
    let total: u128 = all.iter().map(|(_, count)| count).sum();
    Rational::from(Integer::from(extreme)) / Rational::from(Integer::from(total))
}

/// The values of two samples over a common whole, and how many are of the first.
fn common(first: &Sample, second: &Sample) -> (Vec<u64>, usize) {
    let (a, b) = (first.whole, second.whole);
    let (by, other) = if a == b { (1, 1) } else { (b, a) };
    let scaled = first.counts.iter().map(|count| count * by);
    let scaled = scaled.chain(second.counts.iter().map(|count| count * other));
    (scaled.collect(), first.counts.len())
}

/// Twice the rank of each value, counted from 1; tied ones share the mean of their ranks.
fn doubled_ranks(values: &[u64]) -> Vec<u64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let rank = |value: &u64| {
        let below = sorted.partition_point(|other| other < value);
        let up_to = sorted.partition_point(|other| other <= value);
        (below + 1 + up_to) as u64
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests;
