//! A stop ends work that has no answer before its end: with the error that says so, and with nothing stored.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use obligato::explain::{DecisionPlace, ExplainRequest, explain};
use obligato::judge::{JudgeRequest, JudgeSubject, judge};
use obligato::judging::JudgingOptions;
use obligato::measure::{MeasureRequest, measure};
use obligato::progress::{Progress, ignore};
use obligato::subject::SubjectOptions;
use obligato::{Criterion, Error, Stop};
use tempfile::TempDir;

const MODEL: &str = "node both(a, b: bool) returns (c: bool);\nlet c = a and b; tel";
const FUNCTION: &str = "int both(int a, int b)\n{\n    return a && b;\n}\n";
const SLOW_FUNCTION: &str = "int both(int a, int b)\n{\n    volatile int i;\n    \
    for (i = 0; i < 3000000; i++)\n        ;\n    return a && b;\n}\n";

/// A directory with files in it.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        std::fs::write(directory.path().join(name), text).expect("a file");
    }
    directory
}

/// A suite of so many tests for two inputs.
fn suite(tests: usize) -> String {
    (0..tests)
        .fold("a,b\n".to_owned(), |text, test| text + &format!("\n# t{test}\n1,{}\n", test % 2))
}

fn judging(store: PathBuf) -> JudgingOptions {
    let criterion: Criterion = "mcdc".parse().expect("a criterion");
    JudgingOptions { store: Some(store), ..JudgingOptions::new([criterion]) }
}

fn measuring(directory: &Path, subject: &str) -> MeasureRequest {
    MeasureRequest {
        subject: SubjectOptions::new(directory.join(subject)),
        tests: directory.join("suite.csv"),
        format: None,
        observe: Vec::new(),
        judging: judging(directory.join("store")),
    }
}

fn requested() -> Stop {
    let stop = Stop::never();
    stop.request();
    stop
}

fn is_stopped<T>(outcome: &Result<T, Error>) -> bool {
    matches!(outcome, Err(Error::Stopped))
}

#[test]
fn nothing_begins_once_a_stop_is_requested() {
    let files = [("m.lus", MODEL), ("f.c", FUNCTION), ("suite.csv", &suite(2))];
    let directory = directory(&files);
    let path = directory.path();
    for subject in ["m.lus", "f.c"] {
        let request = measuring(path, subject);
        assert!(is_stopped(&measure(&request, &requested(), &mut ignore)), "{subject}");
        let request = ExplainRequest {
            subject: request.subject,
            place: DecisionPlace { line: 2, column: None },
            instance: None,
            tests: Some(request.tests),
            format: None,
            observe: Vec::new(),
        };
        assert!(is_stopped(&explain(&request, &requested(), &mut ignore)), "{subject}");
    }
    let texts = vec!["a && b".to_owned()];
    let subject = JudgeSubject::Decisions { texts, tests: path.join("suite.csv") };
    let request = JudgeRequest { subject, judging: judging(path.join("store")) };
    assert!(is_stopped(&judge(&request, &requested())));
    assert!(!path.join("store").exists());
}

#[test]
fn a_stop_during_the_replay_of_a_model_ends_it_after_the_batch() {
    let directory = directory(&[("m.lus", MODEL), ("suite.csv", &suite(5000))]);
    let request = measuring(directory.path(), "m.lus");
    let (stop, mut batches) = (Stop::never(), 0);
    let measured = measure(&request, &stop, &mut |progress| {
        if let Progress::Measured { .. } = progress {
            batches += 1;
            stop.request();
        }
    });
    assert!(is_stopped(&measured));
    assert_eq!(batches, 1);
    assert!(!directory.path().join("store").exists());
}

#[test]
fn a_stop_during_the_runs_of_a_function_ends_them_after_the_test() {
    // All of them would take minutes.
    let directory = directory(&[("f.c", SLOW_FUNCTION), ("suite.csv", &suite(4000))]);
    let mut request = measuring(directory.path(), "f.c");
    request.subject.unit.no_native = true;
    let (stop, begin) = (Stop::never(), Instant::now());
    let asking = stop.clone();
    let asker = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(1500));
        asking.request();
    });
    assert!(is_stopped(&measure(&request, &stop, &mut ignore)));
    assert!(begin.elapsed() < Duration::from_secs(40), "{:?}", begin.elapsed());
    asker.join().expect("it only sleeps");
    assert!(!directory.path().join("store").exists());
}

#[test]
fn a_deadline_ends_a_judgement_between_tests() {
    let directory = directory(&[("suite.csv", &suite(200_000))]);
    let path = directory.path();
    let texts = vec!["a && b".to_owned()];
    let subject = JudgeSubject::Decisions { texts, tests: path.join("suite.csv") };
    let request = JudgeRequest { subject, judging: judging(path.join("store")) };
    let stop = Stop::never().by(Instant::now() + Duration::from_millis(5));
    assert!(is_stopped(&judge(&request, &stop)));
    assert!(!path.join("store").exists());
}
