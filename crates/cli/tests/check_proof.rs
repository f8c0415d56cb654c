//! `obligato check-proof`: proofs that hold, that do not, and that claim too much.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use serde_json::Value;

mod support;

use support::Bench;

/// Counts to 3 and starts again, and hands a token around, so that some of what is asked for never
/// happens.
const RING: &str = "\
node ring(go: bool) returns (n: int; high, odd, both: bool);
var a, b, c: bool;
let
  a = true -> pre c;
  b = false -> pre a;
  c = false -> pre b;
  both = (a and b) or go;
  n = 0 -> if go then (if pre n >= 3 then 0 else pre n + 1) else pre n;
  high = n > 3 and go;
  odd = (n = 1 or n = 3) and not high;
  check \"bounded\" n <= 3;
  check \"natural\" n >= 0;
tel
";

fn ring() -> Bench {
    Bench::new(&[("ring.lus", RING)])
}

/// A model with proofs of what is uncoverable in its store.
fn generated() -> Bench {
    let bench = ring();
    bench.succeed("generate ring.lus --criterion mcdc,omcdc --budget 3000000");
    bench
}

fn document(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(name)).unwrap()
}

#[test]
fn what_is_proved_uncoverable_can_be_checked_by_another_solver() {
    let bench = generated();
    let stored = document(&bench, ".obligato/proofs.json");
    assert!(!stored["settles"].as_array().unwrap().is_empty(), "{stored}");
    let text = bench.succeed("check-proof ring.lus .obligato/proofs.json");
    assert!(text.contains("\nholds    shared, ") && !text.contains("refused"), "{text}");
    let claims = stored["settles"].as_array().unwrap().len();
    assert!(text.contains(&format!("\n{claims} of {claims} claims confirmed\n")), "{text}");
}

#[test]
fn that_mutants_are_equivalent_can_be_checked_beside_the_rest() {
    let bench = ring();
    bench.succeed("generate ring.lus --criterion mcdc,mutation --budget 3000000");
    let stored = document(&bench, ".obligato/proofs.json");
    let settles = stored["settles"].as_array().unwrap();
    let of = |criterion: &str| {
        settles.iter().filter(|key| key.as_str().unwrap().starts_with(criterion)).count()
    };
    assert!(of("mutation@") > 0 && of("mcdc@") > 0, "{settles:?}");
    let text = bench.succeed("check-proof ring.lus .obligato/proofs.json");
    assert!(text.contains("\nholds    lockstep, ") && !text.contains("refused"), "{text}");
    let claims = settles.len();
    assert!(text.contains(&format!("\n{claims} of {claims} claims confirmed\n")), "{text}");
    // Of another model nothing is confirmed, though it differs only in a number.
    fs::write(bench.0.path().join("ring.lus"), RING.replace(">= 3", ">= 2")).unwrap();
    let output = bench.output("check-proof ring.lus .obligato/proofs.json");
    assert_eq!(output.status.code(), Some(4));
}

#[test]
fn proofs_of_properties_can_be_checked_too() {
    let bench = ring();
    let text = bench.succeed("prove ring.lus --budget 3000000 -o p.json");
    assert!(text.contains("\nWritten: p.json\n"), "{text}");
    assert_eq!(document(&bench, "p.json")["settles"].as_array().unwrap().len(), 2);
    let text = bench.succeed("check-proof ring.lus p.json");
    assert!(text.ends_with("\n2 of 2 claims confirmed\n"), "{text}");
}

/// Two counters without bounds, one twice as fast.
const RACE: &str = "\
node race(go: bool) returns (slow, fast: int);
let
  slow = 0 -> if go then pre slow + 1 else pre slow;
  fast = 0 -> if go then pre fast + 2 else pre fast;
  check \"behind\" slow <= fast;
tel
";

#[test]
fn an_invariant_over_numbers_of_any_size_is_checked_and_its_checker_named() {
    if std::process::Command::new("z3").arg("--version").output().is_err() {
        return println!("skipped: there is no z3 in PATH");
    }
    let bench = Bench::new(&[("race.lus", RACE)]);
    let text = bench.succeed("prove race.lus --budget 1000000 -o p.json");
    assert!(text.contains("\n1 valid, 0 invalid, 0 unknown\n"), "{text}");
    let text = bench.succeed("check-proof race.lus p.json");
    let by =
        |solver: &str| text.contains(&format!("\nholds    shared, 1 event, checked by {solver}\n"));
    assert!(by("cvc5") || by("z3") && text.contains("\n         z3 found it too; "), "{text}");
    assert!(text.ends_with("\n1 of 1 claims confirmed\n"), "{text}");
    // The same invariant of another model is none.
    fs::write(bench.0.path().join("race.lus"), RACE.replace("pre fast + 2", "pre fast - 2"))
        .unwrap();
    let text = bench.run("check-proof race.lus p.json", 4);
    assert!(text.contains("what it calls an invariant is not confirmed to be"), "{text}");
    assert!(text.contains("\n  not confirmed: behind\n"), "{text}");
}

#[test]
fn a_proof_about_another_model_is_refused() {
    let bench = generated();
    let other = RING.replace("pre n >= 3", "pre n >= 5");
    fs::write(bench.0.path().join("ring.lus"), other).unwrap();
    let text = bench.run("check-proof ring.lus .obligato/proofs.json", 4);
    assert!(text.contains("\nrefused  shared, "), "{text}");
    assert!(text.contains("not confirmed: mcdc@ring.lus#ring/"), "{text}");
}

#[test]
fn a_proof_that_lost_what_it_rests_on_is_refused() {
    let bench = generated();
    let mut stored = document(&bench, ".obligato/proofs.json");
    for proof in stored["proofs"].as_array_mut().unwrap() {
        let lines = proof["certificate"].as_array_mut().unwrap();
        lines.retain(|line| !line.as_str().unwrap().starts_with("clause "));
    }
    fs::write(bench.0.path().join("damaged.json"), stored.to_string()).unwrap();
    let text = bench.run("check-proof ring.lus damaged.json --format json", 4);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert!(report["proofs"].as_array().unwrap().iter().any(|proof| proof["holds"] == false));
    assert!(!report["unconfirmed"].as_array().unwrap().is_empty(), "{report}");
}

#[test]
fn a_claim_that_no_proof_settles_is_not_confirmed() {
    let bench = generated();
    let mut stored = document(&bench, ".obligato/proofs.json");
    stored["settles"].as_array_mut().unwrap().push("mcdc@ring.lus#ring/nothing".into());
    fs::write(bench.0.path().join("more.json"), stored.to_string()).unwrap();
    let text = bench.run("check-proof ring.lus more.json", 4);
    assert!(text.contains("not confirmed: mcdc@ring.lus#ring/nothing\n"), "{text}");
}

#[test]
fn what_is_no_book_of_proofs_is_refused_in_words() {
    let bench = generated();
    let mut stored = document(&bench, ".obligato/proofs.json");
    stored["proofs"][0]["system"] = "crystal ball".into();
    fs::write(bench.0.path().join("magic.json"), stored.to_string()).unwrap();
    for (proofs, expected) in [
        ("magic.json", "magic.json: a proof is about a system called 'crystal ball'; "),
        (".obligato/suite.json", ".obligato/suite.json:2:13: expected an obligato-proofs document"),
        ("nowhere.json", "nowhere.json: there is no such file; "),
    ] {
        let said = bench.complaint(&format!("check-proof ring.lus {proofs}"));
        assert!(said.starts_with(&format!("obligato: error: {expected}")), "{said}");
    }
}

/// Its count stops at five, and a set-up call makes it ready.
const COUNTER: &str = "\
static int n, ready;
void start(void) { ready = 1; }
int count(int up)
{
    if (up && n < 5)
        n++;
    if (n > 5 && up)
        return 1;
    return ready ? n : -1;
}
";

#[test]
fn a_proof_over_any_number_of_calls_can_be_checked_by_another_solver() {
    let bench = Bench::new(&[("counter.c", COUNTER)]);
    bench.succeed("generate counter.c --function count --init start");
    let stored = document(&bench, ".obligato/proofs.json");
    let claims = stored["settles"].as_array().unwrap().len();
    assert!(claims > 2, "{stored}");
    let text = bench.succeed("check-proof counter.c .obligato/proofs.json --init start");
    assert!(text.contains("\nholds    calls, "), "{text}");
    assert!(text.contains(&format!("\n{claims} of {claims} claims confirmed\n")), "{text}");
    // Without the set-up call it is another system, and with another text too.
    let refused = bench.run("check-proof counter.c .obligato/proofs.json", 4);
    assert!(refused.contains("give those that the proof was made with"), "{refused}");
    bench.write("counter.c", &COUNTER.replace("n < 5", "n < 6"));
    bench.run("check-proof counter.c .obligato/proofs.json --init start", 4);
}

#[test]
fn what_holds_of_single_calls_is_confirmed_although_functions_outside_may_call_again() {
    let text = "void ext(void);\nstatic int s;\nvoid isr(void) { s = 2; }\n\
                int f(int x) {\n    ext();\n    s = 1;\n    if (s == 2 && x > 3) return 3;\n    return 0;\n}\n";
    let bench = Bench::new(&[("calls.c", text)]);
    bench.succeed("generate calls.c --function f --criterion condition --no-native");
    let settles = document(&bench, ".obligato/proofs.json")["settles"].as_array().unwrap().len();
    assert!(settles > 0);
    let text = bench.succeed("check-proof calls.c .obligato/proofs.json");
    let confirmed = format!("\n{settles} of {settles} claims confirmed\n");
    assert!(text.contains(&confirmed) && !text.contains("refused"), "{text}");
}

#[test]
fn proofs_are_stored_of_claims_only_and_a_file_without_claims_is_confirmed() {
    for text in [
        "static unsigned long last; unsigned long now(void);
        int f(void) { unsigned long t = now(); if (t - last > 1000) { last = t; return 1; } if (t < last) return 2; return 0; }",
        "void ext(void); static int busy;
        int f(void) { if (busy) return 1; busy = 1; ext(); busy = 0; return 0; }",
    ] {
        let bench = Bench::new(&[("f.c", text)]);
        bench.succeed("generate f.c --function f --criterion mcdc,branch --budget 20000");
        assert!(!bench.0.path().join(".obligato/proofs.json").exists(), "{text}");
    }
    let bench = generated();
    let mut stored = document(&bench, ".obligato/proofs.json");
    stored["settles"] = Vec::<Value>::new().into();
    bench.write("nothing.json", &stored.to_string());
    let text = bench.succeed("check-proof ring.lus nothing.json");
    assert!(text.contains("no claims"), "{text}");
}
