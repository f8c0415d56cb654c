//! `obligato mutate`: sessions, what is compared, samples, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

mod support;

use support::{Bench, assert_golden, cabin};

/// The numbers in the row of a table.
#[track_caller]
fn row(text: &str, title: &str) -> Vec<usize> {
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(title)).unwrap();
    line.split_whitespace().skip(1).map(|cell| cell.parse().unwrap()).collect()
}

#[test]
fn a_session_prints_as_its_golden_files_say() {
    let bench = cabin();
    for (name, arguments) in [
        ("mutate.txt", "mutate cabin.lus --tests cabin.csv"),
        ("mutate_maximum.txt", "mutate cabin.lus --tests cabin.csv --oracle maximum --matrix"),
        ("mutate_sample.txt", "mutate cabin.lus --tests cabin.csv --count 30 --seed 2"),
    ] {
        assert_golden(name, &bench.succeed(arguments));
    }
}

#[test]
fn the_same_seed_gives_the_same_sample_and_another_one_another() {
    let bench = cabin();
    let with = |seed: u32| {
        bench
            .succeed(&format!("mutate cabin.lus --tests cabin.csv --count 20 --seed {seed} --list"))
    };
    assert_eq!(with(5), with(5));
    assert_ne!(with(5).replace("seed 5", "seed 6"), with(6));
    assert!(with(5).contains("a sample of 20 of 108 mutants (seed 5)"));
    assert_eq!(row(&with(5), "total")[0], 20);
}

#[test]
fn a_mutant_has_the_same_name_whoever_was_chosen_with_it() {
    let bench = cabin();
    let ids = |count: usize| {
        let text = bench
            .succeed(&format!("mutate cabin.lus --tests cabin.csv --count {count} --format json"));
        let start = |line: &str| line.split("\", \"fate\"").next().unwrap().to_owned();
        let lines = text.lines().filter(|line| line.contains("\"id\": ")).map(start);
        lines.collect::<Vec<String>>()
    };
    let (some, all) = (ids(15), ids(2000));
    assert_eq!((some.len(), all.len()), (15, 108));
    assert!(some.iter().all(|one| all.contains(one)));
}

#[test]
fn the_first_kill_and_the_whole_matrix_give_the_same_table() {
    let bench = cabin();
    let first = bench.succeed("mutate cabin.lus --tests cabin.csv --list");
    let whole = bench.succeed("mutate cabin.lus --tests cabin.csv --list --matrix");
    let (table, _) = first.split_once("\nNext: ").unwrap();
    assert!(whole.starts_with(table.trim_end()), "{whole}");
}

#[test]
fn more_is_killed_by_who_compares_more() {
    let bench = cabin();
    let killed = |oracle: &str| {
        let text = bench.succeed(&format!("mutate cabin.lus --tests cabin.csv --oracle {oracle}"));
        row(&text, "total")[1]
    };
    let [warning, outputs, steps, maximum] =
        ["warning", "outputs", "outputs,cabin/held.steps", "maximum"].map(killed);
    assert!(warning < outputs && outputs < steps && steps <= maximum);
    assert_eq!(killed("heating,warning"), outputs);
    assert_eq!(killed("all"), maximum);
}

#[test]
fn a_suite_without_tests_kills_nothing() {
    let bench = cabin();
    let suite = "{\"format\": \"obligato-suite\", \"version\": 1, \"inputs\": [{\"name\": \"on\", \"type\": \"bool\"}], \"tests\": []}";
    fs::write(bench.0.path().join("none.json"), suite).unwrap();
    let text = bench.succeed("mutate cabin.lus --main held --tests none.json --list");
    let [all, killed, faulted, survived, weakly, not_executed] = row(&text, "total")[..] else {
        panic!("{text}")
    };
    assert_eq!((killed, faulted, weakly), (0, 0, 0));
    assert!(all > 0 && survived == all && not_executed == all);
    assert!(text.contains(", 0 tests, 0 steps\n"), "{text}");
}

#[test]
fn faults_at_run_time_are_kills_and_counted_apart() {
    let model = "node main(a: bool) returns (o: int); var n: int;\n\
                 let n = if a then 2 else 4; o = 8 div n; tel\n";
    let bench = Bench::new(&[("m.lus", model), ("s.csv", "a\ntrue\n")]);
    let text = bench.succeed("mutate m.lus --tests s.csv");
    assert!(row(&text, "total")[2] > 0, "{text}");
    let json = bench.succeed("mutate m.lus --tests s.csv --format json");
    assert!(json.contains("\"fate\": \"faulted\", \"faulted\": [0]"), "{json}");
}

/// A model with a counter in its range, some mutants of which nobody can tell from it.
const LOCK: &str = "\
node lock(turn, shut: bool) returns (turns: subrange [0, 3] of int; open: bool);
var idle: bool;
let
  turns = 0 -> if shut then 0 else if turn and pre turns < 3 then pre turns + 1 else pre turns;
  idle = turn or (turn and shut);
  open = turns = 3 and idle;
tel
";

const ONE_TURN: &str = "turn,shut\n# one turn\nfalse,false\ntrue,false\n";

fn lock() -> Bench {
    Bench::new(&[("lock.lus", LOCK), ("one.csv", ONE_TURN)])
}

#[test]
fn every_survivor_is_killed_or_proved_equivalent() {
    let bench = lock();
    let text = bench.succeed("mutate lock.lus --tests one.csv --kill --budget 3000000 -o more.csv");
    let [all, killed, _, survived, .., equivalent] = row(&text, "total")[..] else {
        panic!("{text}")
    };
    assert_eq!((survived, killed + equivalent), (0, all), "{text}");
    assert!(equivalent > 0 && text.contains("\nEquivalent:\n"), "{text}");
    let score = format!("\nScore: {killed} of {killed}, 100.0 %; {equivalent} more are equivalent");
    assert!(text.contains(&score), "{text}");
    assert!(text.contains("\nWritten: more.csv, with the outputs of the model\n"), "{text}");

    // The new tests are fine by themselves, and kill as many with the given one.
    bench.succeed("run lock.lus --tests more.csv --quiet --fail-on-fault");
    bench.succeed("run lock.lus --tests one.csv -o given.csv");
    let (given, more) = (bench.read("given.csv"), bench.read("more.csv"));
    let (_, rows) = more.split_once('\n').unwrap();
    fs::write(bench.0.path().join("both.csv"), format!("{given}\n{rows}")).unwrap();
    let again = bench.succeed("mutate lock.lus --tests both.csv");
    assert_eq!(row(&again, "total")[1], killed, "{again}");
}

#[test]
fn killing_needs_no_suite() {
    let text = lock().succeed("mutate lock.lus --kill --budget 3000000 --quiet");
    assert_eq!(row(&text, "total")[3], 0, "{text}");
}

#[test]
fn the_same_work_kills_by_the_same_tests() {
    let bench = lock();
    let run = |threads: u32| {
        let kill = "mutate lock.lus --tests one.csv --kill --budget 300000 --list -o k.csv";
        let text = bench.succeed(&format!("{kill} --threads {threads}"));
        (text, bench.read("k.csv"))
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn json_says_how_a_mutant_was_proved_equivalent() {
    let text =
        lock().succeed("mutate lock.lus --tests one.csv --kill --budget 3000000 --format json");
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["given"], 1);
    assert!(document["tests"].as_array().unwrap().len() > 1);
    let mutants = document["mutants"].as_array().unwrap();
    let equivalent: Vec<_> = mutants.iter().filter(|one| one["fate"] == "equivalent").collect();
    assert!(!equivalent.is_empty());
    assert!(equivalent.iter().all(|one| one["method"].is_string() && one["strong"].is_null()));
}

#[test]
fn survivors_of_a_hunt_say_what_stood_in_the_way() {
    let text = cabin().succeed("mutate cabin.lus --tests cabin.csv --kill --budget 0");
    assert!(text.contains("executed, without a difference; work bound of 0 reached"), "{text}");
    assert!(text.contains("\nNo new test\n"), "{text}");
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let bench = cabin();
    for (arguments, expected) in [
        ("--oracle lokced", "cabin.lus: there is no variable 'lokced' to observe; there are cold,"),
        ("--count 0", "invalid value '0' for '--count <N>'"),
        ("--inline", "mutants are faults in the text of a model, and an inlined model has none; "),
        ("--main nix", "cabin.lus"),
        ("--budget 10s", "missing --kill; "),
        ("-o new.csv", "missing --kill; "),
        ("--kill -o new.txt", "'new.txt' does not say what kind of suite to write; "),
    ] {
        let said = bench.complaint(&format!("mutate cabin.lus --tests cabin.csv {arguments}"));
        assert!(said.starts_with(&format!("obligato: error: {expected}")), "{said}");
    }
    let model = "node main(a: bool^2) returns (o: bool^2); let o = a; tel\n";
    let bench = Bench::new(&[("m.lus", model), ("s.csv", "a[0],a[1]\nT,F\n")]);
    let said = bench.complaint("mutate m.lus --tests s.csv");
    assert!(said.contains("m.lus: node main has no mutants; only equations"), "{said}");
}

#[test]
fn the_way_around_inlining_works() {
    let bench = cabin();
    let inlined = bench.succeed("fmt cabin.lus --inline");
    fs::write(bench.0.path().join("inlined.lus"), inlined).unwrap();
    let text = bench.succeed("mutate inlined.lus --main cabin --tests cabin.csv");
    assert!(text.contains("\n  inlined.lus:"), "{text}");
}

#[test]
fn a_test_that_violates_an_assertion_is_none_of_the_model() {
    let model = "node main(a, b: bool) returns (o: bool);\n\
                 let\n  assert a or b;\n  o = a and b;\ntel\n";
    let suite = "a,b\n# fine\nT,F\n\n# outside\nT,T\nF,F\n";
    let bench = Bench::new(&[("m.lus", model), ("s.csv", suite)]);
    let said = bench.complaint("mutate m.lus --tests s.csv");
    let expected = "obligato: error: m.lus:3:10: test 'outside' of s.csv violates an assertion at \
                    step 1, in main: ";
    assert!(said.starts_with(expected), "{said}");
    assert!(said.contains("\n    assert a or b;\n           ^\n"), "{said}");
}

#[test]
fn what_blocks_and_automata_add_has_no_name_to_compare() {
    let model = "node main(a, b: bool) returns (o: bool);\n\
                 let\n  automaton Switch\n\
                 state Off: unless if a resume On; let o = b; tel\n\
                 state On: let o = not b; tel\ntel\n";
    let bench = Bench::new(&[("m.lus", model), ("s.csv", "a,b\nF,T\nT,T\nF,F\n")]);
    let json = bench.succeed("mutate m.lus --tests s.csv --oracle maximum --format json");
    let (compared, _) = json.split_once("\"made\"").unwrap();
    assert!(compared.contains("\"o\""), "{compared}");
    // Every name is one that the text could have.
    let plain =
        |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || "_./#\"".contains(c));
    let (_, names) = compared.split_once("\"compared\": [").unwrap();
    let names = names.split([',', ']']).map(str::trim);
    assert!(names.clone().all(plain), "{compared}");
}
