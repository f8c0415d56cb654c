//! Shards: work divided among machines by the stable names of what is worked on.
//!
//! Which shard something belongs to depends on its name alone, so every machine divides alike, and unrelated edits of the source move
//! nothing. What is asked of one decision, by whatever criterion, stays together: its halves need each other, and
//! whoever searches for one finds the other.

use std::fmt;
use std::str::FromStr;

use crate::{Fingerprint, Key};

/// Which shard of how many, counted from 1: `2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// This one, from 1 to `count`.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

/// More shards than this are a slip of the finger.
const MOST: u32 = 100_000;

/// A text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a shard is written i/n, as in 2/4, with i from 1 to n and n at most {MOST}")]
pub struct ShardError;

impl Shard {
    /// Does what has this name belong to this shard?
    pub fn holds(self, key: &Key) -> bool {
        self.holds_name(element(key.as_str()))
    }

    /// The same of anything else that has a name, such as a file or a function.
    pub fn holds_name(self, name: &str) -> bool {
        Fingerprint::of(name).number() % self.count.max(1) + 1 == self.index
    }
}

/// The element of the program that an obligation is about: of `mcdc@f.c#g/decision-1a.1/c2=T`, `f.c#g/decision-1a.1`.
fn element(key: &str) -> &str {
    let rest = key.split_once('@').map_or(key, |(_, rest)| rest);
    let start = ["/decision-", "/switch-"].iter().filter_map(|kind| rest.rfind(kind)).max();
    let Some(start) = start else { return rest };
    let end = rest[start + 1..].find(['/', '=']).map_or(rest.len(), |at| start + 1 + at);
    &rest[..end]
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, count) = text.split_once('/').ok_or(ShardError)?;
        // Plain digits: `parse` alone would take a sign or leading zeros.
        let number = |text: &str| match text.as_bytes().first() {
            Some(b'1'..=b'9') => text.parse().map_err(|_| ShardError),
            _ => Err(ShardError),
        };
        let (index, count): (u32, u32) = (number(index)?, number(count)?);
        if index <= count && count <= MOST { Ok(Self { index, count }) } else { Err(ShardError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_read_as_it_is_written() {
        for text in ["1/1", "2/4", "100000/100000"] {
            assert_eq!(text.parse::<Shard>().map(|one| one.to_string()).as_deref(), Ok(text));
        }
        for wrong in ["", "1", "0/4", "5/4", "1/0", "01/2", "+1/2", "1/2/3", "1/100001", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn everything_is_in_one_shard_and_a_decision_is_in_it_as_a_whole() {
        let keys = |decision: usize| {
            [
                "mcdc@a.c#f/D/c1=T",
                "mcdc@a.c#f/D/c1=F",
                "decision@a.c#f/D=T",
                "mcc@a.c#f/D/T-F",
                "bvc@a.c#f/D/c1:x=y",
            ]
            .map(|text| Key::new(text.replace('D', &format!("decision-{decision:08x}.1"))))
        };
        let mut sizes = [0; 4];
        for decision in 0..400 {
            let home = |key: &Key| {
                let holding = (1..=4).filter(|index| Shard { index: *index, count: 4 }.holds(key));
                let holding: Vec<u32> = holding.collect();
                assert_eq!(holding.len(), 1);
                holding[0]
            };
            let homes = keys(decision).map(|key| home(&key));
            assert!(homes.iter().all(|one| *one == homes[0]), "{homes:?}");
            sizes[homes[0] as usize - 1] += 1;
        }
        assert!(sizes.iter().all(|size| (60..=140).contains(size)), "{sizes:?}");
    }

    #[test]
    fn the_element_of_a_key_is_found_whatever_function_and_file_are_called() {
        for (key, expected) in [
            ("mcdc@a=b/decision-x/a.c#f/decision-1.1/c2=T", "a=b/decision-x/a.c#f/decision-1.1"),
            ("branch@m.lus#top/sub/decision-1.1=F", "m.lus#top/sub/decision-1.1"),
            ("branch@a.c#f/switch-2.1/arm-3", "a.c#f/switch-2.1"),
            ("statement@a.c#f/statement-2.1", "a.c#f/statement-2.1"),
            ("mutation@m.lus#n/mutant-370f31c5.1", "m.lus#n/mutant-370f31c5.1"),
            ("odd", "odd"),
        ] {
            assert_eq!(element(key), expected);
        }
    }
}
