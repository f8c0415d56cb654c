//! Who makes verdicts: the criteria from evidence, the campaign from what engines conclude, stores from files. Everyone else
//! looks at them only.
//!
//! The check reads text, not types: it tells a pattern from an expression by what stands around it, as far as formatted
//! code needs that.

use std::path::Path;

use crate::sources::check_texts;

/// The verdicts that only some may make; a person's justification is made where justifications are applied.
const KINDS: [&str; 3] = ["Verdict::Covered", "Verdict::Uncoverable", "Verdict::Unresolved"];

/// Where they are made.
const MAKERS: [&str; 5] = [
    "crates/model/",
    "crates/criteria/",
    "crates/store/",
    "crates/campaign/src/judging",
    // This file has them as texts.
    "crates/tidy/",
];

/// Finds code outside of [`MAKERS`] that makes a verdict. Tests may.
pub fn check_verdicts(root: &Path) -> Vec<String> {
    check_texts(root, |path, text| {
        if MAKERS.iter().any(|maker| path.starts_with(maker)) || is_test(path) {
            return None;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or(text);
        let made = KINDS.iter().flat_map(|kind| code.match_indices(kind));
        let (at, kind) = made.filter(|(at, kind)| is_made(code, *at, kind)).min()?;
        let line = code[..at].lines().count();
        Some(format!("{path}:{line}: makes a {kind}; crates/campaign/src/judging.rs does that"))
    })
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/") || path.contains("/benches/")
}

/// Is the verdict named here made, and not matched on?
fn is_made(code: &str, at: usize, kind: &str) -> bool {
    let line = code[..at].rsplit('\n').next().unwrap_or("");
    let comment = line.trim_start().starts_with("//");
    !(comment || is_in_matches(&code[..at]) || is_pattern(&code[at + kind.len()..]))
}

/// Is it inside the brackets of a `matches!`?
fn is_in_matches(before: &str) -> bool {
    let mut depth = 0_i32;
    for (at, letter) in before.char_indices().rev() {
        match letter {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '(' if before[..at].ends_with("matches!") => return true,
            ';' | '{' if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// Does an arrow or an equals sign follow, on the level of the brackets that are still open, before anything that ends an
/// expression? An alternative or a guard may come between.
fn is_pattern(after: &str) -> bool {
    // The deepest level that was left, and whether a comma stands on it: a pattern's own commas are inside of its brackets.
    let (mut depth, mut lowest, mut comma) = (0_i32, 0_i32, false);
    for (at, letter) in after.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth < lowest {
                    (lowest, comma) = (depth, false);
                }
                if letter == '}' && depth < 0 {
                    return false;
                }
            }
            ';' if depth <= lowest => return false,
            ',' if depth == lowest => comma = true,
            '=' if depth == lowest && !comma => {
                let (before, rest) = (&after[..at], &after[at + 1..]);
                let compares = rest.starts_with('=') || before.ends_with(['=', '!', '<', '>']);
                if !compares {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    fn problems(path: &str, code: &str) -> Vec<String> {
        let text = format!("//! x\nfn f() {{\n    {code}\n}}\n");
        check_verdicts(FakeTree::new(&[(path, &text)]).root())
    }

    #[test]
    fn verdicts_may_be_looked_at_everywhere() {
        for code in [
            "match v { Verdict::Covered { .. } => 1, Verdict::Uncoverable(proof) => 2, _ => 3 }",
            "match v { (Verdict::Unresolved(_), Some(other)) => other, _ => 0 }",
            "match v { Verdict::Covered { .. } | Verdict::Uncoverable(_) => 1, _ => 2 }",
            "match v { Verdict::Unresolved(limit) if limit != other => 1, _ => 2 }",
            "let Verdict::Covered { tests, .. } = verdict else { continue };",
            "if let Verdict::Unresolved(Limit::Suite(_)) = verdict { }",
            "v.filter(|one| matches!(one, Verdict::Unresolved(_))).count();",
            "matches!((a, b), (Verdict::Covered { .. }, Verdict::Unresolved(_)));",
            "// Verdict::Covered { tests } is made elsewhere",
        ] {
            assert_eq!(problems("crates/cli/src/x.rs", code), [""; 0], "{code}");
        }
    }

    #[test]
    fn verdicts_are_made_in_one_place() {
        for code in [
            "*verdict = Verdict::Unresolved(limit);",
            "Verdict::Covered { tests, pair: None }",
            "proof.map(Verdict::Uncoverable)",
            "match x { A => Verdict::Uncoverable(proof), B => other }",
            "match x { A => Some(Verdict::Unresolved(limit.clone())), (B, c) => None }",
            "return Verdict::Covered { tests, pair };",
            "if a == Verdict::Unresolved(limit) { b = 1; }",
        ] {
            let found = problems("crates/cli/src/x.rs", code);
            assert_eq!(found.len(), 1, "{code}: {found:?}");
            assert!(found[0].starts_with("crates/cli/src/x.rs:3: makes a Verdict::"), "{found:?}");
            for maker in [
                "crates/criteria/src/x.rs",
                "crates/campaign/src/judging.rs",
                "crates/cli/src/x/tests.rs",
            ] {
                assert_eq!(problems(maker, code), [""; 0], "{maker}");
            }
        }
    }
}
