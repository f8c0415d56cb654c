//! A set of ordinals, as a bit per element: the conditions of a decision, the
//! statements of a program.

use std::fmt;
use std::ops::Range;

/// A set of ordinals below a size fixed when it is made: one machine word up to
/// 64, a boxed slice of words beyond.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitSet(Words);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Words {
    One(u64),
    Many(Box<[u64]>),
}

impl BitSet {
    /// The empty set of ordinals below `size`.
    pub fn empty(size: usize) -> Self {
        Self(match size.div_ceil(64) {
            0 | 1 => Words::One(0),
            words => Words::Many(vec![0; words].into_boxed_slice()),
        })
    }

    /// The set of up to 64 ordinals with the given bits.
    pub fn from_word(word: u64) -> Self {
        Self(Words::One(word))
    }

    /// The words, lowest ordinals first.
    pub fn words(&self) -> &[u64] {
        match &self.0 {
            Words::One(word) => std::slice::from_ref(word),
            Words::Many(words) => words,
        }
    }

    fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Words::One(word) => std::slice::from_mut(word),
            Words::Many(words) => words,
        }
    }

    /// Adds `ordinal`.
    pub fn insert(&mut self, ordinal: usize) {
        self.words_mut()[ordinal / 64] |= 1 << (ordinal % 64);
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    /// Removes everything in `range`.
    pub fn remove_range(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let touched = range.start / 64..=(range.end - 1) / 64;
        for (index, word) in touched.clone().zip(&mut self.words_mut()[touched]) {
            *word &= !word_of_range(&range, index);
        }
    }

    /// Is `ordinal` in the set?
    pub fn contains(&self, ordinal: usize) -> bool {
        self.words().get(ordinal / 64).is_some_and(|word| word >> (ordinal % 64) & 1 == 1)
    }

    /// Adds everything of `other`, a set of the same width.
    pub fn unite(&mut self, other: &Self) {
        for (word, more) in self.words_mut().iter_mut().zip(other.words()) {
            *word |= more;
        }
    }

    /// What is in both sets.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        self.zip_with(other, |a, b| a & b)
    }

    /// What is in this set and not in `other`.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.zip_with(other, |a, b| a & !b)
    }

    fn zip_with(&self, other: &Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        let mut result = self.clone();
        for (word, more) in result.words_mut().iter_mut().zip(other.words()) {
            *word = operation(*word, *more);
        }
        result
    }

    /// Is nothing in the set?
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|word| *word == 0)
    }

    /// How many ordinals are in the set.
    pub fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// What is in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words().iter().enumerate().flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(index * 64 + bit)
            })
        })
    }
}

/// The bits of `range` that fall into the word at `index`.
pub fn word_of_range(range: &Range<usize>, index: usize) -> u64 {
    let from = range.start.clamp(index * 64, index * 64 + 64) - index * 64;
    let to = range.end.clamp(index * 64, index * 64 + 64) - index * 64;
    if from >= to {
        return 0;
    }
    let below = |count: usize| {
        if count == 64 { u64::MAX } else { (1 << count) - 1 }
    };
    below(to) & !below(from)
}

impl fmt::Debug for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(size: usize, members: &BTreeSet<usize>) -> BitSet {
        let mut set = BitSet::empty(size);
        for &member in members {
            set.insert(member);
        }
        set
    }

    proptest! {
        #[test]
        fn a_bit_set_behaves_as_an_ordered_set(
            a in proptest::collection::btree_set(0..200_usize, 0..50),
            b in proptest::collection::btree_set(0..200_usize, 0..50),
            (from, length) in (0..200_usize).prop_flat_map(|from| (Just(from), 0..=200 - from)),
        ) {
            let (left, right) = (set(200, &a), set(200, &b));
            prop_assert_eq!(left.iter().collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(left.len(), a.len());
            prop_assert_eq!(left.is_empty(), a.is_empty());
            prop_assert_eq!(left.and(&right), set(200, &(&a & &b)));
            prop_assert_eq!(left.minus(&right), set(200, &(&a - &b)));
            let mut united = left.clone();
            united.unite(&right);
            prop_assert_eq!(united, set(200, &(&a | &b)));
            let mut cut = left;
            cut.remove_range(from..from + length);
            let kept = a.into_iter().filter(|c| !(from..from + length).contains(c)).collect();
            prop_assert_eq!(cut, set(200, &kept));
        }
    }
}
