//! How Rust files open, how long they are, and how they are called.

use std::fs;
use std::path::{Path, PathBuf};

use crate::read;

/// Past this a file is split.
const MOST_LINES: usize = 700;
/// Files that may be longer, each with its reason in a comment.
const MAY_BE_LONGER: &[&str] = &[];
/// Names that say nothing of what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "helpers", "common", "manager"];

/// Finds Rust files that do not open with `//!`.
pub fn check_openings(root: &Path) -> Vec<String> {
    check_texts(root, |path, text| {
        let missing = !text.starts_with("//!");
        missing.then(|| format!("{path}: does not open with '//!' and what the file is"))
    })
}

/// Finds Rust files that are too long.
pub fn check_lengths(root: &Path) -> Vec<String> {
    check_texts(root, |path, text| {
        let lines = text.lines().count();
        let too_long = lines > MOST_LINES && !MAY_BE_LONGER.contains(&path);
        too_long.then(|| format!("{path}: {lines} lines; split it, {MOST_LINES} is the most"))
    })
}

/// Finds Rust files, and directories with Rust files, whose name says nothing.
pub fn check_names(root: &Path) -> Vec<String> {
    check_texts(root, |path, _| {
        let mut parts = path.split('/').map(|part| part.trim_end_matches(".rs"));
        let empty = parts.find(|part| EMPTY_NAMES.contains(part))?;
        Some(format!("{path}: '{empty}' does not say what is inside"))
    })
}

/// The problems that `check` finds in each Rust file under `crates/`, in the order of the paths.
pub(crate) fn check_texts(
    root: &Path,
    check: impl Fn(&str, &str) -> Option<String>,
) -> Vec<String> {
    let mut files = Vec::new();
    if let Err(problem) = collect_rust_files(root, Path::new("crates"), &mut files) {
        return vec![problem];
    }
    files.sort();
    let problems = files.iter().filter_map(|path| {
        read(root, path).map_or_else(Some, |text| check(&path.to_string_lossy(), &text))
    });
    problems.collect()
}

fn collect_rust_files(
    root: &Path,
    directory: &Path,
    files: &mut Vec<PathBuf>,
) -> Result<(), String> {
    let unreadable = |error| format!("{}: {error}", directory.display());
    for entry in fs::read_dir(root.join(directory)).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = directory.join(entry.file_name());
        if entry.path().is_dir() {
            if entry.file_name() != "target" {
                collect_rust_files(root, &path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    #[test]
    fn a_file_without_an_opening_is_found() {
        let tree = FakeTree::new(&[
            ("crates/a/src/good.rs", "//! Good.\n"),
            ("crates/a/src/bad.rs", "use std::fs;\n//! Too late.\n"),
            ("crates/a/tests/empty.rs", ""),
            ("crates/a/README.md", "no Rust"),
            ("crates/a/target/debug/made.rs", "made by a build"),
        ]);
        let problems = check_openings(tree.root());
        assert_eq!(problems.len(), 2);
        assert!(problems[0].starts_with("crates/a/src/bad.rs: does not open"));
        assert!(problems[1].starts_with("crates/a/tests/empty.rs: does not open"));
    }

    #[test]
    fn a_file_that_is_one_line_too_long_is_found() {
        let most = "//!\n".repeat(MOST_LINES);
        let more = "//!\n".repeat(MOST_LINES + 1);
        let tree = FakeTree::new(&[("crates/a/most.rs", &most), ("crates/a/more.rs", &more)]);
        let expected = "crates/a/more.rs: 701 lines; split it, 700 is the most";
        assert_eq!(check_lengths(tree.root()), [expected]);
    }

    #[test]
    fn a_name_that_says_nothing_is_found() {
        for name in EMPTY_NAMES {
            let file = format!("crates/a/src/{name}.rs");
            let inside = format!("crates/b/src/{name}/parse.rs");
            let tree =
                FakeTree::new(&[(&file, ""), (&inside, ""), ("crates/c/commonality.rs", "")]);
            let expected =
                [file, inside].map(|path| format!("{path}: '{name}' does not say what is inside"));
            assert_eq!(check_names(tree.root()), expected);
        }
    }

    #[test]
    fn a_tree_without_crates_is_a_problem_and_not_a_success() {
        let tree = FakeTree::new(&[]);
        for check in [check_openings, check_lengths, check_names] {
            assert_eq!(check(tree.root()).len(), 1);
        }
    }
}
