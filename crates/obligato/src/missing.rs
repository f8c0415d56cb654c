//! A file that is not there, and what may have been meant.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::error::Error;
use crate::nearest::nearest;
use crate::text::printable;

/// No more names of a directory are looked at.
const MOST_NAMES: usize = 10_000;

/// The error that there is no such file, with a way out.
pub fn no_file(path: &Path) -> Error {
    Error::Input {
        message: format!("{}: there is no such file", printable(&path.display().to_string())),
        way_out: way_out(path),
    }
}

/// The files of that directory whose names are nearest; else what could be given.
fn way_out(path: &Path) -> String {
    let parent = path.parent().unwrap_or(Path::new(""));
    let directory = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    if !directory.is_dir() {
        let directory = printable(&directory.display().to_string());
        return format!("'{directory}' is not a directory");
    }
    let stems = alike(directory, path.extension());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let near = nearest(&stem, stems.iter().map(String::as_str));
    let near = near.iter().map(|stem| {
        let mut found = parent.join(stem).into_os_string();
        if let Some(extension) = path.extension() {
            found.push(".");
            found.push(extension);
        }
        format!("'{}'", printable(&found.to_string_lossy()))
    });
    let near: Vec<String> = near.collect();
    if !near.is_empty() {
        return format!("did you mean {}?", near.join(" or "));
    }
    let is_program = ["c", "h", "lus"].iter().any(|one| path.extension() == Some(OsStr::new(one)));
    if is_program || path.ends_with("compile_commands.json") {
        "give the path of a C file, a Lustre model or a compile_commands.json".to_owned()
    } else {
        "give the path of a file that is there".to_owned()
    }
}

/// The names of files that end alike, without their ends, in order.
fn alike(directory: &Path, extension: Option<&OsStr>) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().take(MOST_NAMES);
    let paths = entries.map(|entry| entry.path());
    let files = paths.filter(|path| path.extension() == extension && path.is_file());
    let stems = files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    let mut stems: Vec<String> = stems.collect();
    stems.sort_unstable();
    stems
}
