//! Identifiers: as near to what is asked for as they can be, and each given once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::dialect::Dialect;

/// The identifiers of a node that are taken.
#[derive(Clone, Debug)]
pub(super) struct Names {
    dialect: Dialect,
    taken: FxHashSet<String>,
    /// By wish: how many were given for it.
    given: FxHashMap<String, usize>,
}

impl Names {
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, taken: FxHashSet::default(), given: FxHashMap::default() }
    }

    /// The identifier for a wish: the same if it is one and free, else something like it.
    pub fn claim(&mut self, wish: &str) -> String {
        let base = identifier(wish);
        let given = self.given.entry(base.clone()).or_default();
        loop {
            *given += 1;
            let name = if *given == 1 { base.clone() } else { format!("{base}_{given}") };
            if !self.dialect.reserves(&name) && self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The text with every run of other characters as one underscore.
pub(super) fn identifier(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut gap = false;
    for one in text.chars() {
        if one.is_ascii_alphanumeric() || one == '_' {
            if std::mem::take(&mut gap) && !name.is_empty() {
                name.push('_');
            }
            name.push(one);
        } else {
            gap = true;
        }
    }
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_can_stay_stays() {
        let mut names = Names::new(Dialect::JKind);
        assert_eq!(names.claim("speed_1"), "speed_1");
        assert_eq!(names.claim("msg.buff[0]"), "msg_buff_0");
        assert_eq!(names.claim("2nd"), "_2nd");
        assert_eq!(names.claim("…"), "_");
    }

    #[test]
    fn no_name_is_given_twice() {
        let mut names = Names::new(Dialect::JKind);
        assert_eq!(names.claim("a.b"), "a_b");
        assert_eq!(names.claim("a_b"), "a_b_2");
        assert_eq!(names.claim("a_b_2"), "a_b_2_2");
        assert_eq!(names.claim("a[b]"), "a_b_3");
    }

    #[test]
    fn a_reserved_word_is_given_to_nobody() {
        assert_eq!(Names::new(Dialect::Kind2).claim("set"), "set_2");
        assert_eq!(Names::new(Dialect::JKind).claim("set"), "set");
    }
}
