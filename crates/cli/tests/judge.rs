//! `obligato judge` on the bundled examples, as a user runs it. What it prints is in `golden/`,
//! rewritten by `BLESS=1`.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use obligato_test_support::{crate_directory, repository};
use tempfile::TempDir;

/// A fresh directory with the examples in it, to run in.
fn examples() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let from = repository().join("examples");
    for path in ["", "door"] {
        fs::create_dir_all(directory.path().join(path)).unwrap();
        for entry in fs::read_dir(from.join(path)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                let to = directory.path().join(path).join(entry.file_name());
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
    directory
}

fn judge_in(directory: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obligato"));
    command.arg("judge").args(arguments.split_whitespace());
    command.env("NO_COLOR", "1").current_dir(directory).stdin(Stdio::null()).output().unwrap()
}

/// Judges in a fresh directory; gives what was printed after checking that all went well.
fn judge(arguments: &str) -> String {
    let output = judge_in(examples().path(), arguments);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn assert_golden(name: &str, arguments: &str) {
    let printed = format!("$ obligato judge {arguments}\n{}", judge(arguments));
    let path = crate_directory().join("tests/golden").join(name);
    obligato_test_support::assert_golden(&path, &printed);
}

#[test]
fn five_tests_give_full_mcdc_of_a_decision_of_three_conditions() {
    let arguments = "sample_lc.decisions --tests sample_lc.csv --table";
    assert_golden("sample_lc.txt", arguments);
}

#[test]
fn two_tests_give_both_outcomes_and_are_told_what_they_lack_for_mcdc() {
    let arguments = "sample_lc.decisions --tests sample_lc_short.csv --criterion decision,mcdc";
    assert_golden("sample_lc_short.txt", arguments);
}

#[test]
fn a_list_has_every_obligation_with_its_tests_and_its_pair_by_name() {
    let arguments = "sample_lc.decisions --tests sample_lc.csv --list \
                     --criterion mcdc,mcdc:unique-cause,mcc,statement";
    assert_golden("sample_lc_list.txt", arguments);
}

#[test]
fn four_tests_meet_all_boundaries_and_two_meet_half() {
    let full = "sample_bvc.decisions --tests sample_bvc.csv --criterion bvc";
    assert_golden("sample_bvc.txt", full);
    let half = "sample_bvc.decisions --tests sample_bvc_short.csv --criterion bvc";
    assert_golden("sample_bvc_short.txt", half);
}

#[test]
fn a_recording_is_judged_by_every_criterion() {
    let arguments = "door/program.json --recording door/recording.json --tests door/suite.csv \
                     --criterion all --table";
    assert_golden("door.txt", arguments);
}

#[test]
fn a_recorded_example_has_verdicts_of_each_kind() {
    let result =
        judge("door/program.json --recording door/recording.json --criterion all --format json");
    for verdict in ["covered", "uncoverable", "unresolved"] {
        assert!(result.contains(&format!("\"verdict\": \"{verdict}\"")), "{verdict}");
    }
    for method in ["constant", "out-of-range"] {
        assert!(result.contains(&format!("\"method\": \"{method}\"")), "{method}");
    }
}

#[test]
fn the_recorded_example_is_written_as_the_store_writes_it() {
    let read =
        |name: &str| fs::read(crate_directory().join("../../examples/door").join(name)).unwrap();
    let text = read("program.json");
    let program = obligato_store::program::parse(&text).unwrap();
    assert_eq!(obligato_store::program::print(&program).unwrap().as_bytes(), text);
    let text = read("recording.json");
    let recording = obligato_store::recording::parse(&text, &program).unwrap();
    assert_eq!(obligato_store::recording::print(&recording, &program).unwrap().as_bytes(), text);
}

#[test]
fn json_is_the_stored_result_and_nothing_else_and_two_runs_give_the_same_bytes() {
    let directory = examples();
    let arguments = "door/program.json --recording door/recording.json --tests door/suite.csv \
                     --criterion all --format json";
    let first = judge_in(directory.path(), arguments);
    let stored = fs::read(directory.path().join(".obligato/result.json")).unwrap();
    let suite = fs::read(directory.path().join(".obligato/suite.json")).unwrap();
    let details = fs::read(directory.path().join(".obligato/details.json")).unwrap();
    assert_eq!(first.stdout, stored);
    let json: serde_json::Value = serde_json::from_slice(&first.stdout).unwrap();
    assert_eq!(json["format"], "obligato-result");
    assert!(obligato_store::result::parse(&first.stdout).is_ok());
    assert_eq!(judge_in(directory.path(), arguments).stdout, stored);
    assert_eq!(fs::read(directory.path().join(".obligato/result.json")).unwrap(), stored);
    assert_eq!(fs::read(directory.path().join(".obligato/suite.json")).unwrap(), suite);
    assert_eq!(fs::read(directory.path().join(".obligato/details.json")).unwrap(), details);
    let names = fs::read_dir(directory.path().join(".obligato")).unwrap();
    assert_eq!(names.count(), 4, "nothing is left beside these and the evidence");
}

#[test]
fn the_stored_suite_can_be_judged_again_with_the_same_result() {
    let directory = examples();
    let json = "sample_bvc.decisions --criterion bvc --format json --no-store --tests";
    let csv = judge_in(directory.path(), &format!("{json} sample_bvc.csv"));
    judge_in(directory.path(), "sample_bvc.decisions --tests sample_bvc.csv");
    let again = judge_in(directory.path(), &format!("{json} .obligato/suite.json"));
    assert_eq!(csv.stdout, again.stdout);
}

#[test]
fn no_store_stores_nothing_and_store_names_the_directory() {
    let directory = examples();
    let arguments = "sample_lc.decisions --tests sample_lc.csv";
    judge_in(directory.path(), &format!("{arguments} --no-store"));
    assert!(!directory.path().join(".obligato").exists());
    let output = judge_in(directory.path(), &format!("{arguments} --store out/here"));
    assert!(directory.path().join("out/here/result.json").exists());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\nStored in out/here/result.json, with suite.json beside it\n"));
}

#[test]
fn a_criterion_with_nothing_to_cover_says_so_and_why() {
    let arguments = "sample_lc.decisions --tests sample_lc.csv --criterion all --no-store";
    assert_golden("nothing_to_cover.txt", arguments);
}

#[test]
fn what_nobody_watched_for_is_said_once_per_criterion() {
    let arguments = "door/program.json --recording door/recording.json --no-store \
                     --criterion omcdc:tags,obvc:tags,mutation:weak";
    assert_golden("not_watched.txt", arguments);
}

#[test]
fn the_next_command_stores_where_this_one_did() {
    let next = |flags: &str| {
        let text = judge(&format!("sample_lc.decisions --tests sample_lc.csv {flags}"));
        text.lines().last().unwrap().to_owned()
    };
    let plain = "Next: obligato judge sample_lc.decisions --tests sample_lc.csv";
    assert!(next("").starts_with(&format!("{plain} --list ")));
    assert!(next("--no-store").starts_with(&format!("{plain} --no-store --list ")));
    assert!(
        next("--store out/it's").starts_with(&format!("{plain} --store 'out/it'\\''s' --list "))
    );
}

#[test]
fn a_next_command_with_control_characters_in_it_can_be_pasted() {
    let directory = tempfile::tempdir().unwrap();
    let name = "a\u{1b}[31m\n'b\\.csv";
    fs::write(directory.path().join(name), "x\nT\n").unwrap();
    let judge = |program: &str| {
        let mut command = Command::new(program);
        command.env("NO_COLOR", "1").current_dir(directory.path()).stdin(Stdio::null());
        command
    };
    let tool = env!("CARGO_BIN_EXE_obligato");
    let arguments = ["judge", "--decision", "x", "--no-store", "--tests", name];
    let output = judge(tool).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains('\u{1b}'), "{text}");
    let next = text.lines().last().unwrap().strip_prefix("Next: obligato").unwrap();
    let (next, _) = next.split_once("   (").unwrap();
    let again = judge("bash").args(["-c", &format!("'{tool}'{next}")]).output().unwrap();
    assert!(again.status.success(), "{next}: {}", String::from_utf8_lossy(&again.stderr));
}

#[test]
fn an_obligation_has_one_key_however_its_file_is_named() {
    let directory = examples();
    let ids = |name: &str| {
        let arguments = format!("{name} --tests sample_lc.csv --no-store --format json");
        judge_in(directory.path(), &arguments).stdout
    };
    let plain = ids("sample_lc.decisions");
    let absolute = directory.path().canonicalize().unwrap().join("sample_lc.decisions");
    for name in ["./sample_lc.decisions", "door/../sample_lc.decisions", absolute.to_str().unwrap()]
    {
        assert_eq!(ids(name), plain, "{name}");
    }
}

#[test]
fn quiet_prints_only_the_table() {
    let text = judge("sample_lc.decisions --tests sample_lc_short.csv --quiet");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.starts_with("criterion "), "{text}");
}

#[test]
fn decisions_may_be_given_as_arguments_and_zeros_and_ones_be_booleans() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("s.csv"), "x,y,speed\n0,1,7\n\n1,1,3\n\n1,0,\n").unwrap();
    let arguments = "--tests s.csv --no-store --decision x&&y --decision !y||speed>=2.5";
    let output = judge_in(directory.path(), arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("<command line>: 2 decisions, 4 conditions, 3 tests\n"), "{text}");
    assert!(text.contains("<command line>:2:5"), "{text}");
    let next = "Next: obligato judge --decision 'x&&y' --decision '!y||speed>=2.5' --tests s.csv";
    assert!(text.contains(next), "{text}");
}
