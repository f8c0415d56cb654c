//! Files: read whole up to a limit, written so that a half-written one is never
//! seen.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
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
    write_together(&[(path, bytes)])
}

/// Writes several files so that they change together, as far as a file system
/// allows: all are written whole beside their targets before the first takes its
/// name.
pub fn write_together(files: &[(&Path, &[u8])]) -> Result<(), StoreError> {
    let mut drafts = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let mut draft = Draft::create(path)?;
        draft.write(bytes)?;
        drafts.push(draft);
    }
    replace_together(drafts)
}

/// Lets every draft take the name of its target, once all of them are whole.
pub fn replace_together(mut drafts: Vec<Draft>) -> Result<(), StoreError> {
    drafts.iter_mut().try_for_each(Draft::complete)?;
    drafts.into_iter().try_for_each(Draft::rename)
}

/// A file being written beside its target, for texts that are made piece by piece.
/// Unless it takes its target's name it is removed again.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    target: PathBuf,
    beside: PathBuf,
    file: BufWriter<File>,
}

impl Draft {
    /// An empty draft of the file at `path`.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        // A link stays a link, and the file it leads to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let beside = beside(&target);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&beside)
            .map_err(|source| io_error(path, "write", source))?;
        let file = BufWriter::new(file);
        Ok(Self { path: path.to_owned(), target, beside, file })
    }

    /// Adds `bytes` at its end.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| self.error(source))
    }

    /// Hands everything to the disk. A target that no file can replace is found now,
    /// before another draft has taken its name.
    fn complete(&mut self) -> Result<(), StoreError> {
        let completed = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        completed.map_err(|source| self.error(source))?;
        if self.target.is_dir() {
            return Err(self.error(io::ErrorKind::IsADirectory.into()));
        }
        Ok(())
    }

    fn rename(self) -> Result<(), StoreError> {
        fs::rename(&self.beside, &self.target).map_err(|source| self.error(source))
    }

    fn error(&self, source: io::Error) -> StoreError {
        io_error(&self.path, "write", source)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After the rename there is nothing left to remove; a leftover that cannot be
        // removed adds nothing to the error that left it.
        let _ = fs::remove_file(&self.beside);
    }
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
