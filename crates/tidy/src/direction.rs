//! Which of our crates may use which: only those listed above it, and never the forbidden ones.
//!
//! Tests count too: a dev-dependency on a crate further down would make the order a fiction.

use std::fs;
use std::path::Path;

use crate::workspace::{Member, Workspace};

/// A dependency that would be wrong even where the order allows it.
struct Forbidden {
    from: &'static str,
    to: &'static str,
    why: &'static str,
}

const JUDGES: &str = "what judges or shows results must not depend on what finds them";
const FRONT_ENDS: &str = "a front end says what a program means, not how its queries are solved";

const FORBIDDEN: &[Forbidden] = &[
    Forbidden { from: "criteria", to: "solver", why: JUDGES },
    Forbidden { from: "report", to: "solver", why: JUDGES },
    Forbidden { from: "lustre-replay", to: "solver", why: JUDGES },
    Forbidden { from: "lustre", to: "solver", why: FRONT_ENDS },
    Forbidden { from: "clang", to: "solver", why: FRONT_ENDS },
    Forbidden { from: "llvm", to: "solver", why: FRONT_ENDS },
    Forbidden { from: "c-unit", to: "solver", why: FRONT_ENDS },
    Forbidden { from: "decisions-file", to: "solver", why: FRONT_ENDS },
];

/// What the command line may use: the library, with the vocabulary and the stored documents that its requests and answers are made of.
/// Whatever else it needs, the library names.
const BELOW_TOP: [&str; 4] = ["obligato", "model", "store", "test-support"];

/// The crate of the vocabulary, which uses nothing of ours.
const VOCABULARY: &str = "model";
/// The crate that nothing may use.
const TOP: &str = "cli";

/// Finds dependencies between our crates that point the wrong way.
pub fn check_direction(root: &Path) -> Vec<String> {
    match Workspace::read(root) {
        Ok(workspace) => {
            let members = workspace.members.iter().enumerate();
            members.flat_map(|(place, member)| check_member(&workspace, place, member)).collect()
        }
        Err(problem) => vec![problem],
    }
}

fn check_member(workspace: &Workspace, place: usize, member: &Member) -> Vec<String> {
    let uses = member.dependencies.iter().filter_map(|package| workspace.place_of(package));
    uses.filter_map(|used| objection(workspace, place, used))
        .map(|why| format!("crates/{}: {why}", member.name))
        .collect()
}

/// Why the member at `place` may not use the member at `used`, if it may not.
fn objection(workspace: &Workspace, place: usize, used: usize) -> Option<String> {
    let from = workspace.members[place].name.as_str();
    let to = workspace.members[used].name.as_str();
    let forbidden = FORBIDDEN.iter().find(|rule| rule.from == from && rule.to == to);
    if from == VOCABULARY {
        Some(format!("must use nothing of ours, but uses {to}"))
    } else if to == TOP {
        Some(format!("must not use {to}; nothing may"))
    } else if from == TOP && !BELOW_TOP.contains(&to) {
        Some(format!("must not use {to}: the command line reaches it through obligato"))
    } else if let Some(rule) = forbidden {
        Some(format!("must not use {to}: {}", rule.why))
    } else if used >= place {
        Some(format!("uses {to}, which is not above it in the members of Cargo.toml"))
    } else {
        None
    }
}

/// Finds directories in `crates/` that are no members, and so escape every other check.
pub fn check_members(root: &Path) -> Vec<String> {
    let workspace = match Workspace::read(root) {
        Ok(workspace) => workspace,
        Err(problem) => return vec![problem],
    };
    let entries = match fs::read_dir(root.join("crates")) {
        Ok(entries) => entries,
        Err(error) => return vec![format!("crates: {error}")],
    };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("Cargo.toml").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names.retain(|name| !workspace.members.iter().any(|member| member.name == *name));
    names.iter().map(|name| format!("crates/{name}: not a member of the workspace")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    const ON_MODEL: &str = "[dependencies]\nobligato-model = { path = \"../model\" }";
    const ON_SOLVE: &str = "[dependencies]\nobligato-solver.workspace = true";

    #[test]
    fn dependencies_on_crates_above_are_fine() {
        let tree = FakeTree::workspace(&[("model", ""), ("criteria", ON_MODEL), ("cli", ON_MODEL)]);
        assert_eq!(check_direction(tree.root()), [""; 0]);
    }

    #[test]
    fn a_dependency_on_a_crate_below_is_found() {
        let dev = "[dev-dependencies]\nobligato-solver.workspace = true";
        for dependency in [ON_SOLVE, dev] {
            let tree = FakeTree::workspace(&[("expr", dependency), ("solver", "")]);
            let expected =
                "crates/expr: uses solver, which is not above it in the members of Cargo.toml";
            assert_eq!(check_direction(tree.root()), [expected]);
        }
    }

    #[test]
    fn a_forbidden_dependency_is_found_even_where_the_order_allows_it() {
        for rule in FORBIDDEN {
            let tree = FakeTree::workspace(&[("solver", ""), (rule.from, ON_SOLVE)]);
            let expected = format!("crates/{}: must not use solver: {}", rule.from, rule.why);
            assert_eq!(check_direction(tree.root()), [expected]);
        }
    }

    #[test]
    fn a_vocabulary_that_uses_anything_of_ours_is_found() {
        let tree = FakeTree::workspace(&[("solver", ""), ("model", ON_SOLVE)]);
        let expected = "crates/model: must use nothing of ours, but uses solver";
        assert_eq!(check_direction(tree.root()), [expected]);
    }

    #[test]
    fn a_dependency_on_the_command_line_is_found() {
        let on_cli = "[dependencies]\nobligato-cli.workspace = true";
        let tree = FakeTree::workspace(&[("cli", ""), ("report", on_cli)]);
        assert_eq!(check_direction(tree.root()), ["crates/report: must not use cli; nothing may"]);
    }

    #[test]
    fn a_command_line_that_reaches_around_the_library_is_found() {
        let tree = FakeTree::workspace(&[("solver", ""), ("cli", ON_SOLVE)]);
        let expected =
            "crates/cli: must not use solver: the command line reaches it through obligato";
        assert_eq!(check_direction(tree.root()), [expected]);
    }

    #[test]
    fn a_crate_that_is_no_member_is_found() {
        let tree = FakeTree::workspace(&[("model", "")]);
        assert_eq!(check_members(tree.root()), [""; 0]);
        fs::create_dir(tree.root().join("crates/stray")).unwrap();
        fs::write(tree.root().join("crates/stray/Cargo.toml"), "").unwrap();
        assert_eq!(check_members(tree.root()), ["crates/stray: not a member of the workspace"]);
    }
}
