//! Verdicts that an assessor can rely on: what obligato says of C functions is held against brute force.
//!
//! Each function is compiled twice. Obligato reads the plain text. The oracle runs an instrumented twin natively on every input of a small
//! domain, from every state that calls leave behind, with every value of volatile reads and every result and effect of functions outside. Then:
//! whatever is `uncoverable` never happened; whatever is `covered` did, if the domain is complete; and each condition has its obligations.
//!
//! [`cases`] reads the corpus, [`grow`] writes random functions, [`marked`] makes the two texts, [`oracle`] runs the twin, [`verdicts`] compares. Where CBMC is
//! installed, [`cbmc`] holds refutations against it.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `TRUST_CASES=volatile` | only the cases of the corpus whose names contain the word |
//! | `TRUST_PROGRAMS=20000` | so many random functions |
//! | `TRUST_SEED=7` | others than those of the usual seed |
//! | `TRUST_CBMC=1000` | so many random functions are held against CBMC |
//! | `TRUST_FROM=123` | from the function with this number on: one alone with `TRUST_PROGRAMS=1` |
//! | `TRUST_SHOW=1` | prints the text of each random function before it is judged |

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use obligato_test_support::{crate_directory, is_installed};

use cases::{Case, Expectation};
use grow::Grown;
use verdicts::Asked;

mod cases;
mod cbmc;
mod grow;
mod marked;
mod oracle;
mod tree;
mod verdicts;

/// What the engines may spend on a function: enough for small ones.
const WORK: u64 = 20_000;
/// So many random functions are run by one oracle.
const BATCH: usize = 25;
/// So many of the limits that stood in the way are printed.
const MOST_LIMITS: usize = 12;
/// So many functions are worked on at once.
const THREADS: usize = 2;

/// A number from the environment.
fn number(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |text| text.parse().unwrap())
}

/// Does work for all starts of batches below an end, several at once, and gives what came of it in their order.
fn in_batches<T: Send>(
    range: Range<usize>,
    batch: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(range.start), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let first = next.fetch_add(batch, Ordering::Relaxed);
                    if first >= range.end {
                        return;
                    }
                    let result = work(first);
                    done.lock().unwrap().push((first, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(first, _)| *first);
    done.into_iter().map(|(_, result)| result).collect()
}

#[test]
fn verdicts_for_the_corpus_are_those_of_brute_force() {
    if !is_installed("cc") {
        return;
    }
    let chosen = env::var("TRUST_CASES").unwrap_or_default();
    let mut cases = cases::read(&crate_directory().join("tests/trust/corpus"));
    cases.retain(|case| case.name.contains(&chosen));
    assert!(!cases.is_empty(), "no case is called '{chosen}'");
    let mut problems = String::new();
    for judged in in_batches(0..cases.len(), 1, |at| judge(&cases[at])) {
        println!("{}", judged.line);
        problems.push_str(&judged.problems);
    }
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn verdicts_for_random_functions_are_those_of_brute_force() {
    if !is_installed("cc") {
        return;
    }
    let (count, seed) = (number("TRUST_PROGRAMS", 200) as usize, number("TRUST_SEED", 1));
    let from = number("TRUST_FROM", 0) as usize;
    let batch = |first: usize| judge_batch(seed, first..(first + BATCH).min(from + count));
    let mut all = Tally::default();
    for tally in in_batches(from..from + count, BATCH, batch) {
        all.wrong.push_str(&tally.wrong);
        all.refused.push_str(&tally.refused);
        all.covered += tally.covered;
        all.uncoverable += tally.uncoverable;
        all.missed += tally.missed;
        all.unproved += tally.unproved;
        for (limit, count) in tally.limits {
            *all.limits.entry(limit).or_default() += count;
        }
    }
    let mut limits: Vec<(usize, String)> =
        all.limits.iter().map(|(limit, count)| (*count, limit.clone())).collect();
    limits.sort_unstable();
    for (count, limit) in limits.iter().rev().take(MOST_LIMITS) {
        println!("{count} missed: {limit}");
    }
    println!(
        "{count} functions: {} covered, {} uncoverable, {} missed, {} unproved\n{}",
        all.covered, all.uncoverable, all.missed, all.unproved, all.refused
    );
    assert!(all.wrong.is_empty(), "{}", all.wrong);
    // What never claims anything is never wrong.
    let claims = all.covered > 10 * count && all.uncoverable > count;
    assert!(claims || count < BATCH, "{} covered, {} uncoverable", all.covered, all.uncoverable);
    assert!(all.refused.is_empty(), "{}", all.refused);
}

#[test]
fn no_refutation_for_the_corpus_fails_as_an_assertion_of_cbmc() {
    if !is_installed("cbmc") || !is_installed("timeout") {
        eprintln!("skipped: cbmc is not installed");
        return;
    }
    let chosen = env::var("TRUST_CASES").unwrap_or_default();
    let mut cases = cases::read(&crate_directory().join("tests/trust/corpus"));
    cases.retain(|case| case.name.contains(&chosen));
    cases.retain(|case| !cbmc::OTHER_MEANING.contains(&case.name.as_str()));
    let checked = in_batches(0..cases.len(), 1, |at| {
        (cases[at].name.clone(), cross_check(&cases[at].driven.marked.plain, "f"))
    });
    println!("{}", report_checked(checked));
}

#[test]
fn no_refutation_for_random_functions_fails_as_an_assertion_of_cbmc() {
    if !is_installed("cbmc") || !is_installed("timeout") {
        eprintln!("skipped: cbmc is not installed");
        return;
    }
    let (count, seed) = (number("TRUST_CBMC", 40) as usize, number("TRUST_SEED", 1));
    let from = number("TRUST_FROM", 0) as usize;
    let checked = in_batches(from..from + count, 1, |at| {
        let grown = Grown::new(seed, at, 0);
        let name = format!("TRUST_SEED={seed} TRUST_FROM={at}");
        (name, cross_check(&grown.driven.marked.plain, &grown.function))
    });
    println!("{}", report_checked(checked));
}

#[test]
fn cbmc_finds_a_failure_for_what_is_covered() {
    if !is_installed("cbmc") || !is_installed("timeout") {
        eprintln!("skipped: cbmc is not installed");
        return;
    }
    let text = "static int n;\nint f(int *p, int up) {\n\
                    if (up && n < 3) n++;\n\
                    if (p && *p > 4 && *p < 4) return 1;\n\
                    return n > 3 ? 2 : n == 2;\n}\n";
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join(verdicts::UNIT);
    std::fs::write(&file, text).unwrap();
    let checked = cbmc::check(&file, "f", &verdicts::CRITERIA, None).unwrap();
    let fails = |what: &str| checked.failed.iter().any(|key| key.contains(what));
    // Both values of `n == 2`, which takes three calls; never `n > 3`, and never `*p < 4` behind `*p > 4`.
    assert!(checked.held >= 4 && checked.failed.len() >= 14, "{checked:?}");
    assert!(fails("condition@"), "{checked:?}");
}

/// Generates for a function, and holds what is refuted against CBMC.
fn cross_check(text: &str, function: &str) -> Result<cbmc::Checked, String> {
    let directory = tempfile::tempdir().unwrap();
    let asked = Asked { work: WORK, native: false, stored: true };
    verdicts::verdicts(text, function, directory.path(), asked)?;
    let file = directory.path().join(verdicts::UNIT);
    let store = directory.path().join(verdicts::STORE);
    cbmc::check(&file, function, &verdicts::CRITERIA, Some(&store))
}

/// Fails if an assertion did, or if CBMC said next to nothing. Gives what CBMC said, for people.
fn report_checked(checked: Vec<(String, Result<cbmc::Checked, String>)>) -> String {
    let (mut failed, mut said, mut held, mut answered) = (String::new(), String::new(), 0, 0);
    let count = checked.len();
    for (name, checked) in checked {
        // A function that is refused claims nothing.
        let Ok(checked) = checked else { continue };
        if let Some(why) = &checked.refusal {
            let _ = writeln!(said, "{name}: no answer: {why}");
        }
        answered += usize::from(checked.refusal.is_none());
        held += checked.held;
        for key in checked.failed {
            let _ = writeln!(failed, "{name}: fails: {key}");
        }
    }
    let _ = write!(said, "{held} refutations of {answered} functions hold");
    assert!(failed.is_empty(), "{failed}");
    assert!(
        10 * answered >= 8 * count && (2 * held > count || count < 20),
        "{answered} of {count}, {held}"
    );
    said
}

/// What came of a case: a line for the table, and what is not as expected.
struct Judged {
    line: String,
    problems: String,
}

fn judge(case: &Case) -> Judged {
    let directory = tempfile::tempdir().unwrap();
    let observed = oracle::observe(std::slice::from_ref(&case.driven), directory.path());
    let marked = &case.driven.marked;
    let asked = Asked { work: WORK, native: true, stored: false };
    let mut problems = String::new();
    let generated = match verdicts::verdicts(&marked.plain, "f", directory.path(), asked) {
        Ok(generated) => generated,
        Err(error) => {
            let line = format!("{}: refused: {error}", case.name);
            // A refusal claims nothing.
            if case.expectation != Expectation::Sound {
                problems.clone_from(&line);
            }
            return Judged { line, problems };
        }
    };
    let compared = verdicts::compare(&generated, marked, &observed[0]);
    let (missed, unproved): (&[String], &[String]) = match case.expectation {
        Expectation::Exact => (&compared.missed, &compared.unproved),
        Expectation::Covered => (&compared.missed, &[]),
        Expectation::Sound => (&[], &[]),
    };
    for (what, list) in [("wrong", &*compared.wrong), ("missed", missed), ("unproved", unproved)] {
        for one in list {
            let _ = writeln!(problems, "{}: {what}: {one}", case.name);
        }
    }
    let line = format!(
        "{} ({:?}): {} covered, {} uncoverable, {} missed, {} unproved, {} wrong{}",
        case.name,
        case.expectation,
        compared.covered,
        compared.uncoverable,
        compared.missed.len(),
        compared.unproved.len(),
        compared.wrong.len(),
        if observed[0].complete { "" } else { " (partial domain)" }
    );
    Judged { line, problems }
}

/// What came of random functions.
#[derive(Default)]
struct Tally {
    wrong: String,
    refused: String,
    covered: usize,
    uncoverable: usize,
    missed: usize,
    unproved: usize,
    /// How often each limit stood in the way of what happens.
    limits: BTreeMap<String, usize>,
}

impl Tally {
    fn note_limits(&mut self, missed: &[String]) {
        for one in missed {
            let limit = one.rsplit_once(" (").map_or("", |(_, limit)| limit.trim_end_matches(')'));
            *self.limits.entry(limit.to_owned()).or_default() += 1;
        }
    }
}

#[expect(clippy::print_stdout, reason = "a person has asked for the texts")]
fn judge_batch(seed: u64, numbers: Range<usize>) -> Tally {
    let mut grown: Vec<Grown> = Vec::new();
    for number in numbers.clone() {
        let first = grown.last().map_or(0, Grown::last);
        grown.push(Grown::new(seed, number, first));
    }
    let directory = tempfile::tempdir().unwrap();
    let (driven, rest): (Vec<_>, Vec<_>) =
        grown.into_iter().map(|one| (one.driven, (one.function, one.complete))).unzip();
    let mut observed = oracle::observe(&driven, directory.path());
    let mut tally = Tally::default();
    for ((number, (function, complete)), (one, seen)) in
        numbers.zip(rest).zip(driven.iter().zip(&mut observed))
    {
        seen.complete &= complete;
        let name = format!("TRUST_SEED={seed} TRUST_FROM={number}");
        // Machine code takes most of the time.
        let asked = Asked { work: WORK, native: number % 8 == 0, stored: false };
        let plain = &one.marked.plain;
        if env::var_os("TRUST_SHOW").is_some() {
            println!("{name}:\n{plain}");
        }
        match verdicts::verdicts(plain, &function, directory.path(), asked) {
            Ok(generated) => {
                let compared = verdicts::compare(&generated, &one.marked, seen);
                for wrong in &compared.wrong {
                    let _ = writeln!(tally.wrong, "{name}: {wrong}");
                }
                if !compared.wrong.is_empty() {
                    let _ = writeln!(tally.wrong, "{plain}");
                }
                tally.covered += compared.covered;
                tally.uncoverable += compared.uncoverable;
                tally.missed += compared.missed.len();
                tally.note_limits(&compared.missed);
                tally.unproved += compared.unproved.len();
            }
            Err(error) => {
                let _ = writeln!(tally.refused, "{name}: refused: {error}\n{plain}");
            }
        }
    }
    tally
}
