//! What README.md and CHANGELOG.md must say, and that links between documents lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use crate::read;

/// The commands that are all a new user needs.
const FIRST_COMMANDS: &[&str] = &["make demo", "make test"];

/// A README is read in five minutes; what is longer belongs into `docs/`.
const MOST_README_LINES: usize = 150;

/// Finds first commands that README.md does not mention, and a README.md that nobody reads to its end.
pub fn check_readme(root: &Path) -> Vec<String> {
    let text = match read(root, "README.md") {
        Ok(text) => text,
        Err(problem) => return vec![problem],
    };
    let absent = FIRST_COMMANDS.iter().filter(|command| !text.contains(**command));
    let mut problems: Vec<String> =
        absent.map(|command| format!("README.md: does not mention '{command}'")).collect();
    let lines = text.lines().count();
    if lines > MOST_README_LINES {
        problems.push(format!("README.md: {lines} lines; {MOST_README_LINES} is the most"));
    }
    problems
}

/// Finds links from one document to another that does not exist. Links to the web are not followed.
pub fn check_links(root: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    for document in documents(root) {
        let text = match read(root, &document) {
            Ok(text) => text,
            Err(problem) => return vec![problem],
        };
        let directory = document.parent().unwrap_or(Path::new(""));
        for (number, line) in (1..).zip(text.lines()) {
            for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let path = target.split('#').next().unwrap_or_default();
                let is_elsewhere = target.contains("://") || path.is_empty();
                if !is_elsewhere && !root.join(directory).join(path).exists() {
                    let document = document.display();
                    problems.push(format!("{document}:{number}: '{target}' does not exist"));
                }
            }
        }
    }
    problems
}

/// All documents for people, sorted.
fn documents(root: &Path) -> Vec<PathBuf> {
    let in_directory = |directory: &str| {
        let entries = fs::read_dir(root.join(directory)).into_iter().flatten();
        let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
        names.map(|name| Path::new(directory).join(name)).collect::<Vec<PathBuf>>()
    };
    let mut all: Vec<PathBuf> =
        ["", "docs", "examples"].into_iter().flat_map(in_directory).collect();
    all.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    all.sort();
    all
}

/// Checks that CHANGELOG.md has a heading for the next version or a released one.
pub fn check_changelog(root: &Path) -> Vec<String> {
    match read(root, "CHANGELOG.md") {
        Ok(text) if text.lines().any(is_version_heading) => Vec::new(),
        Ok(_) => vec!["CHANGELOG.md: no '## [Unreleased]' or '## [1.2.3]' heading".to_owned()],
        Err(problem) => vec![problem],
    }
}

fn is_version_heading(line: &str) -> bool {
    let name = line.strip_prefix("## [").and_then(|rest| rest.split_once(']'));
    name.is_some_and(|(name, _)| {
        name == "Unreleased" || name.starts_with(|first: char| first.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    #[test]
    fn a_readme_without_the_first_commands_is_found() {
        let check = |text| check_readme(FakeTree::new(&[("README.md", text)]).root());
        assert_eq!(check("Run `make demo`, then `make test`."), [""; 0]);
        assert_eq!(check("Run `make demo`."), ["README.md: does not mention 'make test'"]);
        assert_eq!(check("").len(), 2);
        let long = "make demo, make test\n".repeat(151);
        assert_eq!(check(&long), ["README.md: 151 lines; 150 is the most"]);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let tree = FakeTree::new(&[
            ("README.md", "[c](docs/c.md), [web](https://x.y/z), [here](#here)\n[gone](gone.md)\n"),
            ("docs/c.md", "[back](../README.md#top) and [lost](README.md)\n"),
        ]);
        let expected =
            ["README.md:2: 'gone.md' does not exist", "docs/c.md:1: 'README.md' does not exist"];
        assert_eq!(check_links(tree.root()), expected);
    }

    #[test]
    fn a_changelog_without_a_version_heading_is_found() {
        let check = |text| check_changelog(FakeTree::new(&[("CHANGELOG.md", text)]).root());
        assert_eq!(check("# Changelog\n\n## [Unreleased]\n"), [""; 0]);
        assert_eq!(check("# Changelog\n\n## [0.1.0] - 2030-01-31\n"), [""; 0]);
        for text in ["# Changelog\n", "## Unreleased\n", "## [Soon]\n", "x ## [Unreleased]\n"] {
            assert_eq!(check(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn missing_documents_are_found() {
        let tree = FakeTree::new(&[]);
        assert_eq!(check_readme(tree.root()).len(), 1);
        assert_eq!(check_changelog(tree.root()).len(), 1);
    }
}
