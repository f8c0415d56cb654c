//! Files that exist as long as a test needs them.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A file in a temporary directory of its own; both go when it is dropped.
pub struct ScratchFile {
    directory: TempDir,
    path: PathBuf,
}

impl ScratchFile {
    /// A file with this name and text.
    pub fn new(name: &str, text: &str) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let path = directory.path().join(name);
        fs::write(&path, text).expect("a temporary file can be written");
        Self { directory, path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory it is in.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }
}
