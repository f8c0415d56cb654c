//! Files: read whole up to a limit, written so that a half-written one is never
//! seen.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::{Place, StoreError};
use crate::source::LARGEST;

/// The bytes of the file at `path`; at most 1 GiB.
pub fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    read_up_to(path, LARGEST)
}

fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large from one that just
    // fits, and holds for pipes, which have no length.
    let outcome = File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    outcome.map_err(|source| io_error(path, "read", source))?;
    if bytes.len() as u64 > limit {
        let place = Place::default();
        return Err(StoreError::TooLarge { place }.in_file(path));
    }
    Ok(bytes)
}

/// Puts `bytes` into the file at `path` in one step: into a new file beside it,
/// which then takes its name. On failure `path` is as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    // A link stays a link, and the file it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    replace(&target, bytes).map_err(|source| io_error(path, "write", source))
}

fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = beside(target);
    let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.flush())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, target));
    if written.is_err() {
        // The first error is the one to report; a leftover that cannot be removed
        // adds nothing to it.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A new name in the same directory, hence the same file system, where a rename
/// is one step. Neither another process nor another thread comes up with it.
fn beside(path: &Path) -> PathBuf {
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.{count}.partial", std::process::id()));
    path.with_file_name(name)
}

fn io_error(path: &Path, action: &'static str, source: io::Error) -> StoreError {
    let place = Place { path: Some(path.to_owned()), ..Place::default() };
    StoreError::Io { place, action, source }
}

#[cfg(test)]
mod tests;
