//! All ways to split values into two samples, counted by the sum of the first.
//!
//! Value after value is left out or taken, and what is known is how many choices lead to which
//! sum with how many taken. Choices with the same sum are one, so ranks, which have few different sums,
//! are counted in no time although the splits themselves could never be listed.

/// So many different sums are followed at most, unless told otherwise.
pub const USUAL_LIMIT: usize = 1 << 21;

/// Values of which the first `size` are one sample.
#[derive(Clone, Copy, Debug)]
pub struct Split<'v> {
    /// The values of both samples.
    pub values: &'v [u64],
    /// So many are of the first.
    pub size: usize,
}

impl Split<'_> {
    /// How far a sum of the first sample is from its mean over all splits, times the number
    /// of values.
    pub fn distance(&self, sum: u64) -> u128 {
        let total: u128 = self.values.iter().map(|value| u128::from(*value)).sum();
        let expected = total * self.size as u128;
        (u128::from(sum) * self.values.len() as u128).abs_diff(expected)
    }
}

/// How many splits give the first sample which sum, in the order of sums; `None` if there are
/// more different sums than `limit`. There have to be fewer than 2^128 splits.
pub fn count_splits(split: &Split<'_>, limit: usize) -> Option<Vec<(u64, u128)>> {
    let Split { values, size } = *split;
    // By how many values are taken.
    let mut sums: Vec<Vec<(u64, u128)>> = vec![Vec::new(); size + 1];
    sums[0].push((0, 1));
    for (seen, &value) in values.iter().enumerate() {
        let left = values.len() - seen - 1;
        for taken in (1..=size.min(seen + 1)).rev() {
            let (fewer, from) = sums.split_at_mut(taken);
            from[0] = merge(&from[0], &fewer[taken - 1], value);
        }
        // What can no longer take enough is not followed.
        for few in sums.iter_mut().take(size.saturating_sub(left)) {
            few.clear();
        }
        if sums.iter().map(Vec::len).sum::<usize>() > limit {
            return None;
        }
    }
    sums.pop()
}

/// The sums without a value and those with it, together.
fn merge(without: &[(u64, u128)], with: &[(u64, u128)], value: u64) -> Vec<(u64, u128)> {
    let mut merged: Vec<(u64, u128)> = Vec::with_capacity(without.len() + with.len());
    let mut without = without.iter().copied().peekable();
    let mut with = with.iter().map(|(sum, count)| (sum + value, *count)).peekable();
    loop {
        let next = match (without.peek(), with.peek()) {
            (Some(a), Some(b)) if a.0 == b.0 => {
                without.next().zip(with.next()).map(|(a, b)| (a.0, a.1 + b.1))
            }
            (Some(a), Some(b)) if a.0 > b.0 => with.next(),
            (None, _) => with.next(),
            (Some(_), _) => without.next(),
        };
        match next {
            Some(next) => merged.push(next),
            None => return merged,
        }
    }
}
