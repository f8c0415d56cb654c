//! The next useful command, ready to be typed.

use std::path::Path;

use obligato_store::StoredResult;

use crate::args::JudgeArgs;
use crate::output::printable;

/// What to do after reading the result.
pub fn command(arguments: &JudgeArgs, result: &StoredResult) -> String {
    let open = result.criteria.iter().any(|criterion| result.tally(*criterion).unresolved > 0);
    let (flag, why) = if open && !arguments.table {
        ("--table", "the evaluations each decision had")
    } else if !arguments.list {
        ("--list", "every obligation with its tests")
    } else {
        ("--format json", "the same for programs")
    };
    format!("Next: {} {flag}   ({why})", printable(&again(arguments)))
}

/// The command that was given, without what only changes the output.
fn again(arguments: &JudgeArgs) -> String {
    let mut words = vec!["obligato judge".to_owned()];
    let path = |path: &Path| quote(&path.display().to_string());
    words.extend(arguments.file.as_deref().map(path));
    for decision in &arguments.decision {
        words.extend(["--decision".to_owned(), quote(decision)]);
    }
    for (flag, given) in [("--recording", &arguments.recording), ("--tests", &arguments.tests)] {
        if let Some(given) = given {
            words.extend([flag.to_owned(), path(given)]);
        }
    }
    if let Some(criteria) = arguments.unusual_criteria() {
        words.extend(["--criterion".to_owned(), criteria]);
    }
    words.join(" ")
}

/// A word as a shell takes it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_./:,=-+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_take_apart_are_quoted() {
        assert_eq!(quote("a/b.csv"), "a/b.csv");
        assert_eq!(quote("x && y"), "'x && y'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }
}
