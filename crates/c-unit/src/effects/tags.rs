//! Tags and sets of them.
//!
//! A tag says of which condition, with which value and at which of its boundaries, something is an effect. Sets are
//! kept once each and known by number, so that a mark beside a value is one word and uniting two is mostly a look-up.

use obligato_model::ConditionId;
use rustc_hash::FxHashMap;

/// An evaluation of a condition, as far as coverage tells evaluations apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    /// The condition.
    pub condition: ConditionId,
    /// What it was.
    pub value: bool,
    /// The boundaries it stood at, a bit for each.
    pub boundaries: u8,
}

/// A set of tags, by number. The default is the empty set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagSet(u32);

impl TagSet {
    /// No tags.
    pub const EMPTY: Self = Self(0);
}

/// All sets that occur.
#[derive(Clone, Debug)]
pub struct TagSets {
    /// Sorted, by number.
    sets: Vec<Box<[Tag]>>,
    numbers: FxHashMap<Box<[Tag]>, u32>,
    unions: FxHashMap<(TagSet, TagSet), TagSet>,
}

impl Default for TagSets {
    fn default() -> Self {
        let empty: Box<[Tag]> = Box::default();
        let numbers = [(empty.clone(), 0)].into_iter().collect();
        Self { sets: vec![empty], numbers, unions: FxHashMap::default() }
    }
}

impl TagSets {
    /// The tags of a set, sorted.
    pub fn tags(&self, set: TagSet) -> &[Tag] {
        &self.sets[set.0 as usize]
    }

    /// Has the set a tag of this condition with this value, at whichever boundaries?
    pub fn has(&self, set: TagSet, condition: ConditionId, value: bool) -> bool {
        let tags = self.tags(set);
        let first = tags.partition_point(|tag| (tag.condition, tag.value) < (condition, value));
        tags.get(first).is_some_and(|tag| (tag.condition, tag.value) == (condition, value))
    }

    /// The set of one tag.
    pub fn single(&mut self, tag: Tag) -> TagSet {
        self.number(Box::new([tag]))
    }

    /// All tags of both.
    pub fn unite(&mut self, left: TagSet, right: TagSet) -> TagSet {
        if left == right || right == TagSet::EMPTY {
            return left;
        }
        if left == TagSet::EMPTY {
            return right;
        }
        let key = (left.min(right), left.max(right));
        if let Some(known) = self.unions.get(&key) {
            return *known;
        }
        let mut all: Vec<Tag> = [self.tags(left), self.tags(right)].concat();
        all.sort_unstable();
        all.dedup();
        let union = self.number(all.into_boxed_slice());
        self.unions.insert(key, union);
        union
    }

    /// The tags that are in both.
    pub fn common(&mut self, left: TagSet, right: TagSet) -> TagSet {
        let others = self.tags(right);
        let both = self.tags(left).iter().filter(|tag| others.binary_search(tag).is_ok());
        let both = both.copied().collect();
        self.number(both)
    }

    fn number(&mut self, tags: Box<[Tag]>) -> TagSet {
        if let Some(known) = self.numbers.get(&tags) {
            return TagSet(*known);
        }
        let number = self.sets.len() as u32;
        self.sets.push(tags.clone());
        self.numbers.insert(tags, number);
        TagSet(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(condition: usize, value: bool) -> Tag {
        Tag { condition: ConditionId::new(condition), value, boundaries: 0 }
    }

    #[test]
    fn a_union_has_the_tags_of_both_once() {
        let mut sets = TagSets::default();
        let (a, b) = (sets.single(tag(1, true)), sets.single(tag(0, false)));
        let both = sets.unite(a, b);
        assert_eq!(sets.tags(both), [tag(0, false), tag(1, true)]);
        assert_eq!(sets.unite(both, a), both);
        assert_eq!(sets.unite(b, a), both);
        assert_eq!(sets.unite(TagSet::EMPTY, a), a);
    }

    #[test]
    fn a_set_has_a_tag_at_whichever_boundaries() {
        let mut sets = TagSets::default();
        let at_boundary = sets.single(Tag { boundaries: 2, ..tag(1, true) });
        let other = sets.single(tag(1, false));
        let both = sets.unite(at_boundary, other);
        let has = |set, condition, value| sets.has(set, ConditionId::new(condition), value);
        assert!(has(both, 1, true) && has(both, 1, false) && has(at_boundary, 1, true));
        assert!(!has(at_boundary, 1, false) && !has(both, 0, true) && !has(both, 2, false));
        assert!(!has(TagSet::EMPTY, 1, true));
    }
}
