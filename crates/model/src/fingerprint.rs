//! Fingerprints of source text that survive reformatting.

use std::fmt;

/// A short hash of a source text, blind to white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u32);

impl Fingerprint {
    /// The fingerprint of `text` with all its white space removed.
    ///
    /// Fowler–Noll–Vo 1a over 64 bits, folded to 32: stable across platforms and
    /// releases, which a hasher of the standard library does not promise.
    /// Two texts of one function that collide only share an ordinal sequence.
    pub fn of(text: &str) -> Self {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Self((hash ^ (hash >> 32)) as u32)
    }

    /// As a number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reformatting_keeps_the_fingerprint_and_an_edit_changes_it() {
        assert_eq!(Fingerprint::of("a && (b||c)"), Fingerprint::of("a\n  && ( b || c )"));
        assert_ne!(Fingerprint::of("a && b"), Fingerprint::of("a || b"));
    }

    #[test]
    fn the_fingerprint_never_changes_between_releases() {
        assert_eq!(Fingerprint::of("a && (b || c)").to_string(), "e4c7e2aa");
    }
}
