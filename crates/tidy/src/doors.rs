//! Which of our crates may name which foreign crate.
//!
//! A foreign API that is named in one crate can be replaced there; one that is named everywhere
//! cannot. A foreign crate that is not in the table is a problem as well, so that each new one is
//! given its place here on purpose.

use std::path::Path;

use crate::workspace::Workspace;

/// For foreign crates that shape no interface: any crate of ours may name them.
const ANYWHERE: &[&str] = &["*"];

/// Each foreign crate, and those of ours that may name it.
const DOORS: &[(&str, &[&str])] = &[
    // The command line and the terminal.
    ("anstream", &["cli"]),
    ("anstyle", &["cli"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("signal-hook", &["cli"]),
    ("tracing-subscriber", &["cli"]),
    // Engines say what they ask and learn; the command line decides whether anybody reads it.
    ("tracing", &["bv-solver", "c-bmc", "engines-c", "engines-lustre", "prove"]),
    // Numbers: the others use the types of `model`.
    ("dashu-int", &["model"]),
    ("dashu-ratio", &["model"]),
    // File formats.
    ("serde_json", &["clang", "c-unit", "store", "report", "obligato", "cli"]),
    ("toml", &["obligato", "cli", "tidy"]),
    ("toml_edit", &["obligato"]),
    // SAT solving.
    ("batsat", &["reduce", "solver"]),
    ("rustsat", &["reduce", "solver"]),
    ("rustsat-batsat", &["reduce", "solver"]),
    ("rustsat-cadical", &["solver"]),
    // Bitcode.
    ("llvm-sys", &["llvm"]),
    // C files: libclang, and compilation databases above.
    ("clang-sys", &["clang"]),
    // Tokens of Lustre.
    ("logos", &["lustre-syntax"]),
    // Rust, for the rules about who makes verdicts.
    ("proc-macro2", &["tidy"]),
    ("syn", &["tidy"]),
    // Plumbing.
    ("rustc-hash", ANYWHERE),
    ("serde", ANYWHERE),
    ("thiserror", ANYWHERE),
    // For tests.
    ("proptest", ANYWHERE),
    ("tempfile", ANYWHERE),
];

/// Finds foreign crates that are named where they should not be.
pub fn check_doors(root: &Path) -> Vec<String> {
    let workspace = match Workspace::read(root) {
        Ok(workspace) => workspace,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    for member in &workspace.members {
        let foreign = member.dependencies.iter().filter(|name| workspace.place_of(name).is_none());
        let objections = foreign.filter_map(|name| objection(&member.name, name));
        problems.extend(objections.map(|why| format!("crates/{}: {why}", member.name)));
    }
    problems
}

fn objection(member: &str, foreign: &str) -> Option<String> {
    let door = DOORS.iter().find(|(name, _)| *name == foreign);
    match door {
        None => Some(format!(
            "uses {foreign}, which has no place yet in the table of crates/tidy/src/doors.rs"
        )),
        Some((_, allowed)) if *allowed == ANYWHERE || allowed.contains(&member) => None,
        Some((_, allowed)) => {
            Some(format!("must not name {foreign}; its door is {}", allowed.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    #[test]
    fn foreign_crates_behind_their_doors_are_fine() {
        let tree = FakeTree::workspace(&[
            ("model", "[dependencies]\ndashu-int = \"0.6\"\nserde = \"1\""),
            ("cli", "[dependencies]\nclap = \"4\"\n[dev-dependencies]\ntempfile = \"3\""),
        ]);
        assert_eq!(check_doors(tree.root()), [""; 0]);
    }

    #[test]
    fn a_foreign_crate_outside_its_door_is_found_under_any_name() {
        for dependency in ["clap = \"4\"", "short.workspace = true"] {
            let dependencies = format!("[dependencies]\n{dependency}");
            let tree = FakeTree::workspace(&[("report", &dependencies)]);
            let expected = "crates/report: must not name clap; its door is cli";
            assert_eq!(check_doors(tree.root()), [expected]);
        }
    }

    #[test]
    fn a_foreign_crate_without_a_place_is_found() {
        let tree = FakeTree::workspace(&[("exec", "[dependencies]\nleft-pad = \"1\"")]);
        let problems = check_doors(tree.root());
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("crates/exec: uses left-pad, which has no place"));
    }

    #[test]
    fn each_foreign_crate_has_one_row() {
        for (index, (name, _)) in DOORS.iter().enumerate() {
            assert!(!DOORS[..index].iter().any(|(earlier, _)| earlier == name), "{name}");
        }
    }
}
