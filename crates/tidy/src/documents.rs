//! What README.md and CHANGELOG.md must say.

use std::path::Path;

use crate::read;

/// The commands that are all a new user needs.
const FIRST_COMMANDS: &[&str] = &["make demo", "make test"];

/// Finds first commands that README.md does not mention.
pub fn check_readme(root: &Path) -> Vec<String> {
    match read(root, "README.md") {
        Ok(text) => {
            let absent = FIRST_COMMANDS.iter().filter(|command| !text.contains(**command));
            absent.map(|command| format!("README.md: does not mention '{command}'")).collect()
        }
        Err(problem) => vec![problem],
    }
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
