//! Fingerprints of functions: one changes whenever the code that a decision of the function depends on does, and not with its layout.
//!
//! It covers the preprocessed tokens of the function and of all functions and objects of the unit that it mentions, directly or through others: macros, callees,
//! initialisers. Comments, white space and names of locals are no part of it, nor are definitions of types, apart from the values of enumerators.

use std::collections::BTreeSet;

use crate::Unit;

impl Unit {
    /// The fingerprint of a function with a body, in 16 hexadecimal digits.
    pub fn fingerprint_of(&self, function: &str) -> Option<String> {
        let codes = &self.syntax.codes;
        let own = codes.get(function)?;
        let mut seen = BTreeSet::from([function]);
        let mut open: Vec<&str> = own.mentions.iter().map(String::as_str).collect();
        while let Some(name) = open.pop() {
            let Some(code) = codes.get(name) else { continue };
            if seen.insert(name) {
                open.extend(code.mentions.iter().map(String::as_str));
            }
        }
        seen.remove(function);
        // Fowler–Noll–Vo 1a over 64 bits, as the codes themselves: stable across platforms and releases.
        let mut hash = own.hash;
        let mut add = |bytes: &[u8]| {
            for byte in bytes.iter().chain(&[0xff]) {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        };
        for name in seen {
            add(name.as_bytes());
            add(&codes[name].hash.to_be_bytes());
        }
        Some(format!("{hash:016x}"))
    }
}
