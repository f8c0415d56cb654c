//! Statistics against published values and against listing every split.

use proptest::prelude::*;

use super::*;

fn sample(counts: &[u64]) -> Sample {
    Sample::new(counts.to_vec(), 1000).unwrap()
}

/// Every split of the values, by listing them: the sums of the first sample.
fn every_sum(values: &[u64], size: usize) -> Vec<u64> {
    let masks = (0_u32..1 << values.len()).filter(|mask| mask.count_ones() as usize == size);
    let sum = |mask: u32| {
        let taken = values.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
        taken.map(|(_, value)| value).sum()
    };
    masks.map(sum).collect()
}

/// The two-sided p-value by listing.
fn listed_p(values: &[u64], size: usize) -> Rational {
    let split = Split { values, size };
    let found = split.distance(values[..size].iter().sum());
    let sums = every_sum(values, size);
    let extreme = sums.iter().filter(|sum| split.distance(**sum) >= found).count();
    ratio(extreme as u64, sums.len() as u64)
}

#[test]
fn medians_and_quartiles_are_exact() {
    assert_eq!(median(&[3]), Rational::from(3));
    assert_eq!(median(&[5, 1, 3]), Rational::from(3));
    assert_eq!(median(&[4, 1, 2, 10]), Rational::from(3));
    assert_eq!(median(&[1, 2]), ratio(3, 2));
    assert_eq!(quantile(&[7, 15, 36, 39, 40, 41], 1, 4), ratio(81, 4));
    assert_eq!(quantile(&[7, 15, 36, 39, 40, 41], 3, 4), ratio(159, 4));
    assert_eq!(quantile(&[1, 9], 1, 1), Rational::from(9));
    assert_eq!(median(&[]), Rational::ZERO);
    assert_eq!(sample(&[10, 30]).median(), ratio(2, 100));
    assert_eq!(sample(&[10, 30, 20]).range(), (ratio(1, 100), ratio(3, 100)));
}

#[test]
fn the_textbook_race_of_tortoises_and_hares_has_its_u() {
    // T H H H H H T T T T T H, first place first: Mann and Whitney's statistic is 11 or 25.
    let (tortoises, hares) = ([12, 6, 5, 4, 3, 2], [11, 10, 9, 8, 7, 1]);
    assert_eq!(mann_whitney(&sample(&tortoises), &sample(&hares)).u, Rational::from(11));
    assert_eq!(mann_whitney(&sample(&hares), &sample(&tortoises)).u, Rational::from(25));
}

/// Mann and Whitney's table I: how often U is at most so much, for samples without ties.
#[test]
fn the_distribution_of_u_is_the_published_one() {
    // Of size 4 and 4, in 70 splits: U of 0, 1, 2, 3, 4 is reached at most by 1, 2, 4, 7, 12.
    let ranks: Vec<u64> = (1..=8).collect();
    let all = count_splits(&Split { values: &ranks, size: 4 }, usize::MAX).unwrap();
    let counts: Vec<u128> = all.iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [1, 1, 2, 3, 5, 5, 7, 7, 8, 7, 7, 5, 5, 3, 2, 1, 1]);
    // The critical value for 10 and 10 at 5%, two-sided, is 23: 24 is beyond.
    let ranks: Vec<u64> = (1..=20).collect();
    let all = count_splits(&Split { values: &ranks, size: 10 }, usize::MAX).unwrap();
    let up_to = |u: u64| -> u128 {
        all.iter().filter(|(sum, _)| *sum <= 55 + u).map(|(_, count)| count).sum()
    };
    let total: u128 = all.iter().map(|(_, count)| count).sum();
    assert_eq!(total, 184_756);
    assert!(2 * up_to(23) * 20 <= total && 2 * up_to(24) * 20 > total);
}

#[test]
fn ten_reductions_that_are_all_better_differ_by_less_than_a_thousandth() {
    let low = sample(&[590, 591, 592, 593, 594, 595, 596, 597, 598, 599]);
    let high = sample(&[930, 931, 932, 933, 934, 935, 936, 937, 938, 939]);
    let found = mann_whitney(&high, &low);
    assert_eq!((found.u, found.p), (Rational::from(100), ratio(2, 184_756)));
    let found = permutation(&high, &low, 0);
    assert_eq!(found, Tested { p: ratio(2, 184_756), by: Method::Exact });
}

#[test]
fn samples_that_are_all_ties_do_not_differ() {
    let same = sample(&[7; 10]);
    assert_eq!(mann_whitney(&same, &same).p, Rational::ONE);
    assert_eq!(permutation(&same, &same, 0).p, Rational::ONE);
}

#[test]
fn shares_of_different_wholes_are_compared_as_shares() {
    let (half, all) =
        (Sample::new(vec![5, 5], 10).unwrap(), Sample::new(vec![10, 10], 20).unwrap());
    assert_eq!(mann_whitney(&half, &all).u, Rational::from(2));
    assert_eq!(permutation(&half, &all, 0).p, Rational::ONE);
}

#[test]
fn the_largest_samples_are_counted_exactly() {
    let low: Vec<u64> = (0..MOST as u64).collect();
    let high: Vec<u64> = (100..100 + MOST as u64).collect();
    let found = mann_whitney(&sample(&high), &sample(&low));
    assert_eq!(found.u, Rational::from(MOST * MOST));
    assert!(found.p > Rational::ZERO && found.p * Rational::from(u64::MAX) < Rational::ONE);
}

#[test]
fn trying_splits_comes_near_counting_them_and_is_repeatable() {
    let (a, b) = (sample(&[1, 5, 9, 13, 22, 40]), sample(&[3, 8, 21, 33, 34, 50, 60]));
    let counted = permutation(&a, &b, 3);
    let tried = permutation_within(&a, &b, 3, 10);
    assert_eq!((counted.by, tried.by), (Method::Exact, Method::Tried(TRIED)));
    assert_eq!(tried, permutation_within(&a, &b, 3, 10));
    let difference = counted.p - tried.p;
    assert!(difference.clone() * &difference < ratio(1, 100 * 100), "{difference}");
}

#[test]
fn what_is_no_sample_is_refused() {
    let refused = |counts: &[u64], whole| Sample::new(counts.to_vec(), whole).unwrap_err();
    assert_eq!(refused(&[], 1), SampleError::Empty);
    assert_eq!(refused(&[1; MOST + 1], 1), SampleError::TooMany(MOST + 1));
    assert_eq!(refused(&[1], 0), SampleError::NoWhole);
    assert_eq!(refused(&[1 << 40], 1 << 41), SampleError::TooLarge);
}

proptest! {
    #[test]
    fn p_values_are_those_of_listing_every_split(
        values in proptest::collection::vec(0..12_u64, 2..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let size = 1 + cut.index(values.len() - 1);
        let (a, b) = (sample(&values[..size]), sample(&values[size..]));
        prop_assert_eq!(permutation(&a, &b, 0).p, listed_p(&values, size));
        let found = mann_whitney(&a, &b);
        prop_assert_eq!(&found.p, &listed_p(&doubled_ranks(&values), size));
        let larger = |x: &u64, y: &u64| u64::from(x > y) + u64::from(x >= y);
        let pairs: u64 = values[..size].iter().flat_map(|x| values[size..].iter().map(move |y| larger(x, y))).sum();
        prop_assert_eq!(&found.u, &ratio(pairs, 2));
        // The other way round it is the same p, and U is what is left of all pairs.
        let other = mann_whitney(&b, &a);
        prop_assert_eq!(other.p, found.p);
        prop_assert_eq!(other.u + found.u, Rational::from(size * (values.len() - size)));
    }
}
