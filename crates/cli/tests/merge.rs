//! `--shard` and `obligato merge`: parts put together again are what one run gives.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::{Bench, cabin};

const GENERATE: &str =
    "generate cabin.lus --criterion decision,mcdc,bvc,omcdc --budget 300000 --quiet";

/// Per obligation, its id and how it ended.
fn verdicts(bench: &Bench, directory: &str) -> Vec<(String, String)> {
    let text = bench.read(&format!("{directory}/result.json"));
    let result: Value = serde_json::from_str(&text).unwrap();
    let word = |one: &Value, field: &str| one[field].as_str().unwrap().to_owned();
    let all = result["obligations"].as_array().unwrap().iter();
    all.map(|one| (word(one, "id"), word(one, "verdict"))).collect()
}

/// How many obligations a shard works on or has a verdict for.
fn open(bench: &Bench, directory: &str) -> usize {
    verdicts(bench, directory).iter().filter(|(_, verdict)| verdict == "unresolved").count()
}

#[test]
fn merged_shards_of_a_campaign_have_the_verdicts_of_one_run() {
    let bench = cabin();
    bench.succeed(&format!("{GENERATE} --tests cabin.csv --store whole"));
    for shard in 1..=3 {
        bench.succeed(&format!(
            "{GENERATE} --tests cabin.csv --shard {shard}/3 --store part{shard}"
        ));
    }
    let said = bench.succeed("merge part1 part2 part3 -o merged");
    assert!(said.starts_with("3 parts, "), "{said}");
    assert_eq!(verdicts(&bench, "merged"), verdicts(&bench, "whole"));
    // What is claimed of the merged suite is what measuring it shows.
    let measure = "measure cabin.lus --tests merged/suite.json --criterion decision,mcdc,bvc,omcdc";
    bench.succeed(&format!("{measure} --quiet --store again"));
    for ((id, merged), (_, again)) in
        verdicts(&bench, "merged").into_iter().zip(verdicts(&bench, "again"))
    {
        assert_eq!(merged == "covered", again == "covered", "{id}");
    }
    bench.succeed("gate --store merged --mcdc 100 --omcdc 100 --bvc 100 --allow uncoverable");
    assert!(bench.read("merged/proofs.json").contains("obligato-proofs"));
}

#[test]
fn a_shard_works_on_its_part_only_and_measures_all() {
    let bench = cabin();
    // Without given tests, and without what the others find by the way.
    let engine = "--engine complete";
    let mut left = Vec::new();
    for shard in 1..=2 {
        let said = bench.succeed(&format!(
            "generate cabin.lus --criterion mcdc --budget 300000 {engine} --shard {shard}/2 --store s{shard}"
        ));
        assert!(said.contains(&format!("Shard {shard}/2: ")), "{said}");
        left.push(open(&bench, &format!("s{shard}")));
    }
    assert!(
        left.iter().any(|open| *open > 0),
        "the shards did all the work of each other: {left:?}"
    );
    bench.succeed("merge s2 s1 -o merged");
    assert_eq!(open(&bench, "merged"), 0);
    let single = "generate cabin.lus --criterion mcdc --budget 300000 --store";
    bench.succeed(&format!("{single} one --shard 1/1"));
    bench.succeed(&format!("{single} plain"));
    bench.succeed("merge one -o merged_one");
    assert_eq!(bench.read("merged_one/result.json"), bench.read("plain/result.json"));
    assert_eq!(bench.read("merged_one/suite.json"), bench.read("plain/suite.json"));
    assert_eq!(bench.read("merged_one/details.json"), bench.read("plain/details.json"));
}

#[test]
fn proofs_of_shards_are_checked_together() {
    let model = "node m(a, b: bool; n: int) returns (o: bool; c: int);\nlet\n  c = 0 -> if a then 1 else pre c;\n  \
                 o = (c > 1 and b) or (a and (b or not b and n > 3));\ntel\n";
    let bench = Bench::new(&[("m.lus", model)]);
    let generate = "generate m.lus --criterion mcdc,decision --budget 500000 --quiet --store";
    bench.succeed(&format!("{generate} whole"));
    for shard in 1..=2 {
        bench.succeed(&format!("{generate} p{shard} --shard {shard}/2"));
    }
    bench.succeed("merge p1 p2 -o merged");
    assert_eq!(verdicts(&bench, "merged"), verdicts(&bench, "whole"));
    let proved = verdicts(&bench, "merged");
    assert!(proved.iter().any(|(_, verdict)| verdict == "uncoverable"), "{proved:?}");
    bench.succeed("check-proof m.lus merged/proofs.json");
}

#[test]
fn mutants_among_other_obligations_are_divided_too() {
    let bench = cabin();
    let generate = "generate cabin.lus --criterion decision,mutation,mutation:weak --mutants 120 \
                    --seed 5 --budget 3000000 --quiet --engine complete,prove";
    bench.succeed(&format!("{generate} --store whole"));
    let mut left = Vec::new();
    for shard in 1..=2 {
        bench.succeed(&format!("{generate} --shard {shard}/2 --store k{shard}"));
        let text = bench.read(&format!("k{shard}/result.json"));
        left.push(text.matches("left to another shard").count());
    }
    assert!(left.iter().all(|left| *left > 0), "{left:?}");
    bench.succeed("merge k1 k2 -o merged");
    assert_eq!(verdicts(&bench, "merged"), verdicts(&bench, "whole"));
    let proved = verdicts(&bench, "merged");
    assert!(
        proved
            .iter()
            .any(|(id, verdict)| { id.starts_with("mutation") && verdict == "uncoverable" })
    );
    bench.succeed("check-proof cabin.lus merged/proofs.json");
}

#[test]
fn merged_shards_of_mutants_are_the_result_of_one_run_byte_by_byte() {
    let bench = cabin();
    let mutate = "mutate cabin.lus --tests cabin.csv --count 60 --seed 3 --quiet";
    bench.succeed(&format!("{mutate} --store whole"));
    for shard in 1..=3 {
        bench.succeed(&format!("{mutate} --shard {shard}/3 --store m{shard}"));
    }
    bench.succeed("merge m1 m2 m3 -o merged");
    assert_eq!(bench.read("merged/result.json"), bench.read("whole/result.json"));
    assert_eq!(bench.read("merged/suite.json"), bench.read("whole/suite.json"));
    assert_eq!(bench.read("merged/details.json"), bench.read("whole/details.json"));
    bench.run("gate --store merged --mutation 100", 3);
    bench.succeed("gate --store merged --mutation 50");
    // More shards than mutants: some have nothing to do.
    for shard in 1..=4 {
        let few = "mutate cabin.lus --tests cabin.csv --count 2 --quiet";
        bench.succeed(&format!("{few} --shard {shard}/4 --store f{shard}"));
    }
    bench.succeed("merge f1 f2 f3 f4 -o few");
    assert_eq!(verdicts(&bench, "few").len(), 2);
}

fn json(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(name)).unwrap()
}

/// What details say of the program, whoever made which tests: sources, decisions and conditions, and of tables the rows.
fn about_the_program(details: &Value) -> Value {
    let decisions = details["decisions"].as_array().unwrap().iter().map(|one| {
        let mut one = one.clone();
        for row in one["rows"].as_array_mut().unwrap() {
            row.as_object_mut().unwrap().retain(|field, _| field != "more" && field != "tests");
        }
        one
    });
    let decisions: Vec<Value> = decisions.collect();
    let of = |field: &str| details[field].clone();
    let obligations = details["obligations"].as_array().unwrap().iter().map(|one| {
        let mut one = one.clone();
        let has_since = one.as_object_mut().unwrap().remove("since").is_some();
        one["since"] = Value::Bool(has_since);
        one
    });
    let obligations: Vec<Value> = obligations.collect();
    serde_json::json!([
        of("subject"),
        of("kind"),
        of("command"),
        of("sources"),
        decisions,
        obligations
    ])
}

/// The details of three shards, merged, and those of one run.
fn merged_details(bench: &Bench, generate: &str) {
    bench.succeed(&format!("{generate} --store whole"));
    for shard in 1..=3 {
        bench.succeed(&format!("{generate} --shard {shard}/3 --store d{shard}"));
    }
    let said = bench.succeed("merge d1 d2 d3 -o merged");
    assert!(!said.contains("note:"), "{said}");
    let (merged, whole) = (json(bench, "merged/details.json"), json(bench, "whole/details.json"));
    assert_eq!(about_the_program(&merged), about_the_program(&whole));
    // Every test of a row and every beginning is one that the merged suite has, and measuring that says the same.
    let tests = json(bench, "merged/result.json")["tests"].as_array().unwrap().len();
    assert_eq!(merged["tests"].as_array().unwrap().len(), tests);
    let said = bench.succeed("report --store merged --html r.html --json r.json");
    assert!(!said.contains("note:"), "{said}");
    assert!(bench.read("r.html").contains("<h2>Coverage over tests</h2>"));
}

/// Tables have the tests that measuring the merged suite shows, and everything is covered no later than is said.
#[track_caller]
fn assert_same_tables(merged: &Value, again: &Value) {
    assert_eq!(tables(merged), tables(again));
    let since = |details: &Value| {
        let obligations = details["obligations"].as_array().unwrap().clone();
        obligations.iter().map(|one| one["since"].as_u64()).collect::<Vec<_>>()
    };
    for (at, pair) in since(merged).into_iter().zip(since(again)).enumerate() {
        match pair {
            (Some(merged), Some(again)) => assert!(again <= merged, "obligation {at}"),
            (merged, again) => assert_eq!(merged, again, "obligation {at}"),
        }
    }
}

/// Per decision its rows with their tests.
fn tables(details: &Value) -> Vec<Value> {
    let decisions = details["decisions"].as_array().unwrap().iter();
    decisions.map(|one| one["rows"].clone()).collect()
}

#[test]
fn merged_details_of_a_model_are_those_of_one_run_up_to_the_choice_of_tests() {
    let bench = cabin();
    merged_details(&bench, &format!("{GENERATE} --tests cabin.csv"));
    let measure = "measure cabin.lus --tests merged/suite.json --criterion decision,mcdc,bvc,omcdc";
    bench.succeed(&format!("{measure} --quiet --store again"));
    let (merged, again) = (json(&bench, "merged/details.json"), json(&bench, "again/details.json"));
    assert_same_tables(&merged, &again);
    // Tests of all shards are told by what made them.
    let given = merged["tests"].as_array().unwrap().iter().take(2);
    assert!({ given }.all(|one| one.get("phase").is_none()));
    let made = merged["tests"].as_array().unwrap().iter().skip(2);
    assert!({ made }.all(|one| one["phase"].is_string()));
}

#[test]
fn merged_details_of_a_unit_are_those_of_one_run_up_to_the_choice_of_tests() {
    let path = support::root().join("crates/c-bmc/tests/corpus/triangle.c");
    let bench = Bench::new(&[("triangle.c", &std::fs::read_to_string(path).unwrap())]);
    merged_details(&bench, "generate triangle.c --criterion branch,mcdc --budget 300000 --quiet");
    let measure = "measure triangle.c --tests merged/suite.json --criterion branch,mcdc";
    bench.succeed(&format!("{measure} --quiet --store again"));
    let (merged, again) = (json(&bench, "merged/details.json"), json(&bench, "again/details.json"));
    assert_same_tables(&merged, &again);
}

#[test]
fn without_details_of_every_part_there_are_none_and_a_note_names_the_part() {
    let bench = cabin();
    for shard in 1..=2 {
        bench.succeed(&format!("{GENERATE} --shard {shard}/2 --store e{shard}"));
    }
    let stale = bench.read("e1/details.json").replace("\"result\": \"", "\"result\": \"0");
    bench.write("e2/details.json", &stale);
    let said = bench.succeed("merge e1 e2 -o merged");
    assert!(
        said.contains("note: without details: the details.json in 'e2' belongs to another"),
        "{said}"
    );
    std::fs::remove_file(bench.0.path().join("e1/details.json")).unwrap();
    let said = bench.succeed("merge e1 e2 -o merged");
    assert!(said.contains("note: without details: 'e1' has no details.json"), "{said}");
    assert!(!bench.files().iter().any(|file| file.ends_with("merged/details.json")));
}

#[test]
fn results_of_different_suites_are_put_together() {
    let bench = cabin();
    let suite = bench.read("cabin.csv");
    let header = suite.lines().next().unwrap().to_owned();
    let (first, second) = suite.split_once("\n\n").unwrap();
    std::fs::write(bench.0.path().join("one.csv"), format!("{first}\n")).unwrap();
    // The second suite has a test of the same name that does something else, and one that is the same.
    let renamed = second.replace("# too long", "# warm up");
    let again = first.split_once('\n').unwrap().1.replace("# warm up", "# again");
    std::fs::write(bench.0.path().join("two.csv"), format!("{header}\n{renamed}\n{again}\n"))
        .unwrap();
    for name in ["one", "two", "cabin"] {
        bench.succeed(&format!(
            "measure cabin.lus --tests {name}.csv --criterion mcdc --quiet --store {name}"
        ));
    }
    bench.succeed("merge one two -o merged");
    let result: Value = serde_json::from_str(&bench.read("merged/result.json")).unwrap();
    assert_eq!(result["tests"], serde_json::json!(["warm up", "warm up@2"]));
    assert_eq!(verdicts(&bench, "merged"), verdicts(&bench, "cabin"));
}

#[test]
fn parts_that_are_missing_or_do_not_belong_together_are_refused() {
    let bench = cabin();
    let generate = "generate cabin.lus --criterion mcdc --budget 20000 --quiet";
    for shard in 1..=3 {
        bench.succeed(&format!("{generate} --shard {shard}/3 --store s{shard}"));
    }
    bench.succeed(&format!("{generate} --seed 2 --shard 2/3 --store seed"));
    bench.succeed(&format!("{generate} --shard 2/4 --store four"));
    bench.succeed(&format!("{generate} --store whole"));
    bench.succeed(
        "generate cabin.lus --criterion decision --budget 20000 --quiet --shard 2/3 --store other",
    );
    bench.succeed(
        "generate cabin.lus --criterion mcdc --budget 10000 --quiet --shard 2/3 --store small",
    );
    let changed = bench.read("cabin.lus").replace("locked = ", "locked = false or ");
    std::fs::write(bench.0.path().join("cabin.lus"), changed).unwrap();
    bench.succeed(&format!("{generate} --shard 2/3 --store changed"));
    for (parts, expected) in [
        ("s1 s3", "of 3 shards, 2/3 are missing"),
        ("s1", "of 3 shards, 2/3, 3/3 are missing"),
        ("s1 s1 s2 s3", "both are shard 1/3"),
        ("s1 seed s3", "different seeds, 1 and 2"),
        ("s1 small s3", "different budgets, 20000 and 10000"),
        ("s1 four s3", "different numbers of shards, 3 and 4"),
        ("s1 whole s3", "the second is no shard"),
        ("s1 other s3", "one has mcdc, the other decision"),
        ("s1 changed s3", "the code of cabin in cabin.lus differs"),
        ("s1 nowhere", "there is no result in 'nowhere'"),
    ] {
        let said = bench.complaint(&format!("merge {parts} -o merged"));
        assert!(said.contains(expected), "{parts}: {said}");
    }
    for (arguments, expected) in [
        ("generate cabin.lus --shard 0/3", "a shard is written i/n"),
        ("mutate cabin.lus --tests cabin.csv --shard 1/3", "--store"),
        (
            "generate compile_commands.json --shard 1/3",
            "is not divided into shards; give functions to machines",
        ),
    ] {
        let said = bench.complaint(arguments);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
}
