//! Some mutants instead of all.
//!
//! As in the experiments of the papers, a sample has the fault types in the shares in which
//! they occur among all mutants: each operator gets its share of the number asked for, the
//! largest remainders are rounded up, and within an operator every choice is as likely as any
//! other. The same seed gives the same sample.

use obligato_model::Random;

use super::{Mutant, MutationOperator};

/// A sample of `count` mutants, in their order; all if there are no more.
pub fn sample(mutants: &[Mutant], count: usize, seed: u64) -> Vec<Mutant> {
    sample_positions(mutants, count, seed).into_iter().map(|at| mutants[at].clone()).collect()
}

/// The same by their positions.
pub fn sample_positions(mutants: &[Mutant], count: usize, seed: u64) -> Vec<usize> {
    if count >= mutants.len() {
        return (0..mutants.len()).collect();
    }
    let of =
        |operator: MutationOperator| mutants.iter().filter(move |one| one.operator == operator);
    let sizes = MutationOperator::ALL.map(|operator| of(operator).count());
    let mut wanted = shares(sizes, count);
    let mut left = sizes;
    let mut random = Random::new(seed);
    let mut chosen = Vec::new();
    for (position, mutant) in mutants.iter().enumerate() {
        // Selection in order: take this one with the odds of wanted among left.
        let operator = mutant.operator as usize;
        if random.below(left[operator]) < wanted[operator] {
            wanted[operator] -= 1;
            chosen.push(position);
        }
        left[operator] -= 1;
    }
    chosen
}

/// Splits a number by these sizes, which are more together.
fn shares<const N: usize>(sizes: [usize; N], count: usize) -> [usize; N] {
    let total = sizes.iter().sum::<usize>() as u128;
    let exact = sizes.map(|size| size as u128 * count as u128);
    let mut shares = exact.map(|exact| (exact / total) as usize);
    let mut order: Vec<usize> = (0..N).collect();
    order.sort_by_key(|index| std::cmp::Reverse(exact[*index] % total));
    let missing = count - shares.iter().sum::<usize>();
    for index in &order[..missing] {
        shares[*index] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_follow_the_sizes() {
        assert_eq!(shares([50, 30, 20], 10), [5, 3, 2]);
        assert_eq!(shares([1, 1, 1], 2), [1, 1, 0]);
        assert_eq!(shares([97, 2, 1], 60), [58, 1, 1]);
        assert_eq!(shares([0, 7, 0], 7), [0, 7, 0]);
    }
}
