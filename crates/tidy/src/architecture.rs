//! ARCHITECTURE.md and docs/design.md name only paths that exist, so that they cannot quietly go stale.

use std::path::Path;

use crate::read;

/// Paths that a reader may be told of although they are not in the source tree.
const NOT_IN_THE_TREE: &[&str] = &[".obligato/"];

/// Finds paths named in ARCHITECTURE.md that do not exist.
pub fn check_architecture(root: &Path) -> Vec<String> {
    check_paths(root, "ARCHITECTURE.md")
}

/// Finds paths named in docs/design.md that do not exist.
pub fn check_design(root: &Path) -> Vec<String> {
    check_paths(root, "docs/design.md")
}

fn check_paths(root: &Path, document: &str) -> Vec<String> {
    let text = match read(root, document) {
        Ok(text) => text,
        Err(problem) => return vec![problem],
    };
    named_paths(&text)
        .into_iter()
        .filter(|(_, path)| !NOT_IN_THE_TREE.contains(path) && !root.join(path).exists())
        .map(|(line, path)| format!("{document}:{line}: '{path}' does not exist"))
        .collect()
}

/// What stands in backticks and looks like a path, with its line; fenced blocks are left out.
fn named_paths(text: &str) -> Vec<(usize, &str)> {
    let mut paths = Vec::new();
    let mut fenced = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            // Odd pieces are those between a pair of backticks.
            let quoted = line.split('`').skip(1).step_by(2);
            paths
                .extend(quoted.filter(|piece| looks_like_a_path(piece)).map(|path| (number, path)));
        }
    }
    paths
}

fn looks_like_a_path(piece: &str) -> bool {
    let has_ending = [".rs", ".md", ".toml"].iter().any(|ending| piece.ends_with(ending));
    let is_pattern = piece
        .contains(|character: char| character.is_whitespace() || "<>*?{}[]…".contains(character));
    let is_elsewhere = piece.starts_with(['/', '~', '-']) || piece.contains("://");
    (piece.contains('/') || has_ending) && !is_pattern && !is_elsewhere
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    #[test]
    fn a_path_that_exists_is_fine() {
        let text = "See `crates/model/src/lib.rs`, `crates/model/` and `README.md`.\n";
        let tree = FakeTree::new(&[
            ("ARCHITECTURE.md", text),
            ("crates/model/src/lib.rs", ""),
            ("README.md", ""),
        ]);
        assert_eq!(check_architecture(tree.root()), [""; 0]);
    }

    #[test]
    fn a_path_that_does_not_exist_is_found() {
        let text = "First.\n| `crates/gone` | `gone.rs` |\n";
        let tree = FakeTree::new(&[("ARCHITECTURE.md", text)]);
        let expected = [
            "ARCHITECTURE.md:2: 'crates/gone' does not exist",
            "ARCHITECTURE.md:2: 'gone.rs' does not exist",
        ];
        assert_eq!(check_architecture(tree.root()), expected);
    }

    #[test]
    fn a_missing_architecture_document_is_found() {
        let problems = check_architecture(FakeTree::new(&[]).root());
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("ARCHITECTURE.md: "), "{problems:?}");
    }

    #[test]
    fn what_is_no_path_of_ours_is_left_alone() {
        let text = "`model`, `a / b`, `x/<name>.rs`, `crates/*/src`, `/usr/lib`, `.obligato/`,\n\
                    `--out=a/b` and\n```\nno/such/path `no/such.rs`\n```\n";
        assert_eq!(check_architecture(FakeTree::new(&[("ARCHITECTURE.md", text)]).root()), [""; 0]);
    }
}
