//! Code that looks at verdicts, and code that makes them in every way that the check knows.

use super::*;
use crate::fake_tree::FakeTree;

fn problems_of(path: &str, text: &str) -> Vec<String> {
    check_verdicts(FakeTree::new(&[(path, text)]).root())
}

fn problems(path: &str, code: &str) -> Vec<String> {
    problems_of(path, &format!("//! x\nfn f() {{\n    {code}\n}}\n"))
}

#[test]
fn verdicts_may_be_looked_at_everywhere() {
    for code in [
        "match v { Verdict::Covered { .. } => 1, Verdict::Uncoverable(proof) => 2, _ => 3 };",
        "match v { (Verdict::Unresolved(_), Some(other)) => other, _ => 0 };",
        "match v { Verdict::Covered { .. } | Verdict::Uncoverable(_) => 1, _ => 2 };",
        "match v { Verdict::Unresolved(limit) if limit != other => 1, _ => 2 };",
        "let Verdict::Covered { tests, .. } = verdict else { return };",
        "if let Verdict::Unresolved(Limit::Suite(_)) = verdict { }",
        "v.filter(|one| matches!(one, Verdict::Unresolved(_) if one.is_new())).count();",
        "matches!((a, b), (Verdict::Covered { .. }, Verdict::Unresolved(_)));",
        "assert!(matches!(a, Verdict::Justified(_)), \"{}\", a.name());",
        "// Verdict::Covered { tests } is made elsewhere",
        "if let Verdict::Covered { tests, .. } = v { let mut tests = tests.clone(); tests.push(t); }",
        "Other::Covered { tests }; SurvivorVerdict::Uncoverable(proof);",
    ] {
        assert_eq!(problems("crates/cli/src/x.rs", code), [""; 0], "{code}");
    }
}

#[test]
fn verdicts_are_made_in_one_place() {
    for code in [
        "*verdict = Verdict::Unresolved(limit);",
        "Verdict::Covered { tests, pair: None };",
        "proof.map(Verdict::Uncoverable);",
        "match x { A => Verdict::Uncoverable(proof), B => other };",
        "match x { A => Some(Verdict::Unresolved(limit.clone())), (B, c) => None };",
        "return Verdict::Covered { tests, pair };",
        "if a == Verdict::Unresolved(limit) { b = 1; }",
        "if f(Verdict::Unresolved(x)) { g(); } y = 2;",
        "for v in [Verdict::Uncoverable(proof)] { g(v); } y = 2;",
        "one.verdict = obligato_model::Verdict::Justified(reason);",
        "vec![Verdict::Justified(reason); 3];",
        "some!(a => Verdict::Unresolved(limit));",
        "assert_eq!(a, Verdict::Unresolved(limit));",
        "if matches!(Verdict::Unresolved(a), b) { }",
    ] {
        let found = problems("crates/cli/src/x.rs", code);
        assert_eq!(found.len(), 1, "{code}: {found:?}");
        assert!(found[0].starts_with("crates/cli/src/x.rs:3: "), "{found:?}");
        assert!(found[0].contains(" Verdict::") || found[0].contains("a Verdict"), "{found:?}");
        for maker in [
            "crates/criteria/src/x.rs",
            "crates/campaign/src/judging.rs",
            "crates/cli/src/x/tests.rs",
        ] {
            assert_eq!(problems(maker, code), [""; 0], "{maker}");
        }
    }
}

#[test]
fn what_a_verdict_says_is_not_changed_where_it_is() {
    for code in [
        "if let Verdict::Unresolved(limit) = verdict { *limit = other; }",
        "if let Verdict::Unresolved(limit @ Limit::Suite(_)) = verdict && a { *limit = other; }",
        "if let Verdict::Covered { tests, .. } = verdict { tests.push(test); }",
        "let Verdict::Covered { pair: Some(pair), .. } = v else { return }; pair.with_true = t;",
        "match v { Verdict::Uncoverable(proof) => change(&mut proof.assumptions), _ => () }",
    ] {
        let found = problems("crates/cli/src/x.rs", code);
        assert_eq!(found.len(), 1, "{code}: {found:?}");
        assert!(found[0].contains("changes what a verdict says"), "{found:?}");
    }
}

#[test]
fn a_verdict_has_one_name() {
    for code in [
        "use obligato_model::Verdict as V;",
        "use obligato_model::{Limit, Verdict as V};",
        "use obligato_model::Verdict::*;",
        "use obligato_model::Verdict::{Covered, Unresolved};",
        "use obligato_model::Verdict::{self as V, Covered};",
        "type V = obligato_model::Verdict;",
    ] {
        assert_eq!(problems_of("crates/cli/src/x.rs", code).len(), 1, "{code}");
    }
    let usual = "use obligato_model::{Limit, Verdict};\ntype All = Vec<Verdict>;";
    assert_eq!(problems_of("crates/cli/src/x.rs", usual), [""; 0]);
}

#[test]
fn code_behind_the_declaration_of_tests_is_seen() {
    let made = "fn f() { g(Verdict::Unresolved(limit)); }";
    for text in [
        format!("#[cfg(test)]\nmod tests;\n{made}"),
        format!("#[cfg(test)]\nmod tests {{ fn g() {{}} }}\n{made}"),
        format!("#[cfg(unix)]\nmod inner {{ {made} }}"),
    ] {
        assert_eq!(problems_of("crates/cli/src/x.rs", &text).len(), 1, "{text}");
    }
    let inside = format!("fn g() {{}}\n#[cfg(test)]\nmod tests {{ {made} }}");
    assert_eq!(problems_of("crates/cli/src/x.rs", &inside), [""; 0]);
}

#[test]
fn only_the_campaign_asks_the_criteria_for_verdicts() {
    for code in [
        "use obligato_criteria::judge;",
        "use obligato_criteria::{Evidence, judge as decide, plan};",
        "use obligato_criteria::mutation::judge;",
        "fn f() { obligato_criteria::judge(program, plan, evidence); }",
        "use obligato_criteria as criteria; fn f() { criteria::mcdc::judge(a, b); }",
    ] {
        let found = problems_of("crates/obligato/src/x.rs", code);
        assert_eq!(found.len(), 1, "{code}");
        assert!(found[0].contains("judging::assess"), "{found:?}");
        assert_eq!(problems_of("crates/campaign/src/walk.rs", code), [""; 0], "{code}");
        assert_eq!(problems_of("crates/obligato/tests/x.rs", code), [""; 0], "{code}");
    }
    let own = "use crate::judge::judge;\nuse obligato_criteria::plan;\nfn f() { judge(); }";
    assert_eq!(problems_of("crates/obligato/src/x.rs", own), [""; 0]);
}

#[test]
fn the_campaign_gives_nobody_a_verdict_of_anything() {
    let path = "crates/campaign/src/judging.rs";
    for code in [
        "pub fn covered(tests: Vec<TestId>) -> Verdict { f(tests) }",
        "pub fn maybe(limit: Limit) -> Option<Verdict> { f(limit) }",
    ] {
        assert_eq!(problems_of(path, code).len(), 1, "{code}");
    }
    for code in [
        "fn covered(tests: Vec<TestId>) -> Verdict { f(tests) }",
        "pub fn merge(verdicts: &[&Verdict]) -> Option<Verdict> { f(verdicts) }",
        "pub fn assess(evidence: &Evidence) -> Assessment { f(evidence) }",
    ] {
        assert_eq!(problems_of(path, code), [""; 0], "{code}");
    }
}
