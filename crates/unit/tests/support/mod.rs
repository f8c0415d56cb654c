//! The corpus: C files that begin with a comment with their tests.

use std::path::{Path, PathBuf};

use obligato_clang::{Flags, Limits, Source};

mod suite;

pub use suite::{Rows, read_suite, suite_for};

pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

pub fn source(file: &str) -> Source {
    Source {
        file: file.into(),
        directory: corpus(),
        flags: Flags::new(&[]).unwrap(),
        limits: Limits::default(),
    }
}
