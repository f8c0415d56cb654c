//! Stores that release 0.1.0 has written: every command that reads a store still opens them, and says of them what is in them.
//!
//! `stores/` has the two programs and a directory per store. The texts in them are those of that release; none of them is written anew.

use std::path::{Path, PathBuf};

use obligato::Stop;
use obligato::check_proof::{CheckProofRequest, check_proof};
use obligato::gate::{GateOutcome, GateRequest, Requirement, gate};
use obligato::generate::{GenerateRequest, Unobserved, generate};
use obligato::judging::JudgingOptions;
use obligato::justify::{JustifyRequest, justify};
use obligato::merge::{MergeRequest, merge};
use obligato::report::{ReportFile, ReportFormat, ReportRequest, report};
use obligato::subject::{SubjectOptions, UnitOptions};
use obligato_model::{Criterion, Tally, Verdict};
use obligato_store::StoredResult;
use tempfile::TempDir;

const STORES: [&str; 5] = ["counter", "latch", "mutate", "shard_1", "shard_2"];

const FORMATS: [ReportFormat; 7] = [
    ReportFormat::Html,
    ReportFormat::Lcov,
    ReportFormat::Cobertura,
    ReportFormat::Json,
    ReportFormat::Sarif,
    ReportFormat::Junit,
    ReportFormat::Markdown,
];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores").join(name)
}

/// A copy of a store, for what writes into it.
fn copy(name: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for entry in std::fs::read_dir(path(name)).expect("a store") {
        let entry = entry.expect("a file");
        std::fs::copy(entry.path(), directory.path().join(entry.file_name())).expect("a copy");
    }
    directory
}

fn result(store: &Path) -> StoredResult {
    obligato::storage::load(store).expect("a result")
}

fn tally(result: &StoredResult) -> Tally {
    let mut tally = Tally::default();
    result.obligations.iter().for_each(|one| tally.count(&one.verdict));
    tally
}

fn mcdc() -> Criterion {
    "mcdc".parse().expect("a criterion")
}

#[test]
fn each_is_shown_in_every_format() {
    for name in STORES {
        let output = tempfile::tempdir().expect("a directory");
        let files = FORMATS
            .map(|format| ReportFile { format, path: output.path().join(format!("{format:?}")) });
        let request = ReportRequest { store: path(name), files: files.to_vec() };
        let written =
            report(&request, &Stop::never()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(written.files.len(), files.len(), "{name}");
    }
}

#[test]
fn each_is_held_against_a_gate() {
    for name in STORES {
        let criterion = result(&path(name)).criteria[0];
        let request = GateRequest {
            store: path(name),
            require: vec![Requirement { criterion, percent: "1".parse().expect("a share") }],
            // The sources are not where this test runs.
            stale_ok: true,
            ..GateRequest::default()
        };
        let answer = gate(&request).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(answer.outcome, GateOutcome::Met, "{name}");
        assert_eq!(answer.tool, "obligato 0.1.0");
        assert!(answer.evidence.is_some(), "{name}");
    }
}

#[test]
fn two_shards_are_merged_to_what_the_whole_has() {
    let output = tempfile::tempdir().expect("a directory");
    let request = MergeRequest {
        parts: ["shard_1", "shard_2"].map(path).to_vec(),
        output: output.path().join("merged"),
    };
    let merged = merge(&request, &Stop::never()).expect("they belong together");
    assert_eq!(merged.without_details, None);
    assert_eq!(tally(&merged.result), tally(&result(&path("latch"))));
}

#[test]
fn reasons_are_given_for_what_is_in_each() {
    for name in STORES {
        let store = copy(name);
        let before = result(store.path());
        let open = |verdict: &Verdict| !matches!(verdict, Verdict::Covered { .. });
        let Some(one) = before.obligations.iter().find(|one| open(&one.verdict)) else { continue };
        let request = JustifyRequest {
            ids: vec![one.id.clone()],
            reason: "checked by hand".to_owned(),
            author: "Hooke".to_owned(),
            date: Some("2026-11-18".to_owned()),
            store: store.path().to_owned(),
            justifications: Some(store.path().join("reasons.toml")),
        };
        justify(&request).unwrap_or_else(|error| panic!("{name}: {error}"));
        let after = result(store.path());
        let changed = after.obligations.iter().find(|other| other.id == one.id).expect("the same");
        let is_justified = matches!(changed.verdict, Verdict::Justified(_));
        assert!(is_justified || changed.review.is_some(), "{name}: {changed:?}");
    }
}

#[test]
fn their_proofs_hold() {
    // Obligations are named with the file as it was given then. All other tests name their files from the root.
    std::env::set_current_dir(path("")).expect("a directory");
    for (name, program) in [("counter", "counter.c"), ("latch", "latch.lus")] {
        let proofs = path(name).join("proofs.json");
        let (model, unit) = (PathBuf::from(program), UnitOptions::default());
        let request = CheckProofRequest { model, unit, proofs };
        let checked = check_proof(&request, &Stop::never()).expect("they are read");
        assert!(!checked.proofs.is_empty(), "{name}");
        assert!(checked.is_confirmed(), "{name}: {checked:?}");
    }
}

#[test]
fn a_stored_suite_is_where_generating_goes_on() {
    for (name, program) in [("counter", "counter.c"), ("latch", "latch.lus")] {
        let request = GenerateRequest {
            tests: Some(path(name).join("suite.json")),
            ..GenerateRequest::new(
                SubjectOptions::new(path(program)),
                JudgingOptions::new([mcdc()]),
            )
        };
        let generation = generate(&request, &Stop::never(), &mut Unobserved).expect("it goes on");
        let obligato::generate::Generation::One(generated) = generation else { unreachable!() };
        assert_eq!(generated.made.len(), 0, "{name}: the suite has all tests that there are");
    }
}
