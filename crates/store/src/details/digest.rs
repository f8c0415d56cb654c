//! Which result details belong to.

use obligato_model::{TestId, Verdict};

use crate::StoredResult;

/// A short text that changes with the tests of a result, its obligations, and what the tests cover. That somebody
/// justified an obligation, or proved it uncoverable, leaves it the same.
///
/// Fowler–Noll–Vo 1a over 64 bits: stable across platforms and releases. It tells files of different runs apart,
/// and protects against nobody who means to deceive.
pub fn digest(result: &StoredResult) -> String {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    for test in &result.tests {
        hash.add(test);
    }
    for obligation in &result.obligations {
        hash.add(&obligation.id);
        if let Verdict::Covered { tests, .. } = &obligation.verdict {
            for test in tests.iter().copied().map(TestId::index) {
                hash.add(&test.to_string());
            }
        }
    }
    format!("{:016x}", hash.0)
}

struct Hash(u64);

impl Hash {
    /// Adds a text and where it ends: no text has the byte that is added then.
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
