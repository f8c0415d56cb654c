//! Which of two bounded refutations says more, and obligations grouped by equal bounds.
//!
//! A list of bounds stands for the tests within all of them. A refutation over more tests says more: it holds for every smaller set
//! too. So of several refutations of one obligation any one may be kept, the widest is best, and leaving out a bound that only
//! some of them used would claim what none has shown.

use super::{Bound, Remedy};
use crate::{Limit, Verdict};

/// Is every test within these bounds also within those of a stronger refutation?
pub fn is_stronger(stronger: &[Bound], than: &[Bound]) -> bool {
    stronger.iter().all(|wide| than.iter().any(|narrow| narrow.is_within(wide)))
}

/// Of several refutations of one obligation, by their bounds, the position of the one that says most. Where none says more than another, the one
/// with fewest bounds is kept, and the first of these.
pub fn strongest(refutations: &[&[Bound]]) -> Option<usize> {
    let is_beaten = |at: usize| {
        let one = refutations[at];
        refutations.iter().enumerate().any(|(other_at, other)| {
            let beats = is_stronger(other, one);
            let is_equal = beats && is_stronger(one, other);
            beats && (!is_equal || other_at < at)
        })
    };
    let best = (0..refutations.len()).filter(|at| !is_beaten(*at));
    best.min_by_key(|at| refutations[*at].len())
}

impl Bound {
    /// Does this bound allow no test that another one forbids?
    fn is_within(&self, wider: &Self) -> bool {
        if self == wider {
            return true;
        }
        if self.kind() != wider.kind() {
            return false;
        }
        if let (Some(narrow), Some(wide)) = (self.value(), wider.value()) {
            return narrow <= wide;
        }
        match (self.names(), wider.names()) {
            // What is assumed of some names is assumed of fewer of them as well.
            (Some(all), Some(some)) => all.include(some),
            _ => false,
        }
    }
}

/// Obligations that were refuted within the same bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundedGroup {
    /// The bounds.
    pub bounds: Vec<Bound>,
    /// The positions of the obligations, in order.
    pub members: Vec<usize>,
}

impl BoundedGroup {
    /// Groups verdicts by their bounds, the largest group first.
    pub fn of<'v>(verdicts: impl IntoIterator<Item = &'v Verdict>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for (index, verdict) in verdicts.into_iter().enumerate() {
            let Verdict::Unresolved(Limit::NotWithinBounds(bounds)) = verdict else { continue };
            match groups.iter_mut().find(|group| group.bounds == *bounds) {
                Some(group) => group.members.push(index),
                None => groups.push(Self { bounds: bounds.clone(), members: vec![index] }),
            }
        }
        groups.sort_by(|one, other| {
            let by_size = other.members.len().cmp(&one.members.len());
            by_size.then_with(|| one.members.cmp(&other.members))
        });
        groups
    }

    /// The bounds in words.
    pub fn words(&self) -> String {
        let words: Vec<String> = self.bounds.iter().map(ToString::to_string).collect();
        words.join(", ")
    }

    /// What to try next: all options that lift its bounds, then what a person can do, each once.
    pub fn next(&self) -> String {
        let mut options: Vec<String> = Vec::new();
        let mut others: Vec<&str> = Vec::new();
        for bound in &self.bounds {
            match bound.remedy() {
                Remedy::Option(option) if !options.contains(&option) => options.push(option),
                Remedy::Person(words) if !others.contains(&words) => others.push(words),
                Remedy::Option(_) | Remedy::Person(_) => {}
            }
        }
        let options = Some(options.join(" ")).filter(|options| !options.is_empty());
        let parts: Vec<&str> = options.as_deref().into_iter().chain(others).collect();
        parts.join("; ")
    }
}
