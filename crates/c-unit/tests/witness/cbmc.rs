//! The MC/DC cases of CBMC's own tests: what they expect to be reached is what our plan asks for.
//!
//! A line of a `test.desc` names a vector: `MC/DC independence condition 'C && !D && …`. Of all tests with small values, the first
//! that shows a vector is kept for it. The kept ones cover the decision here and for clang, and none can be left out.
//!
//! Where the sources come from is said in `obligato_test_support::subjects`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use obligato_c_unit::{LoadOptions, RunOptions, Settings, Unit};
use obligato_clang::{Flags, Limits, Source};
use obligato_criteria::{judge, plan};
use obligato_model::{
    Criterion, DecisionId, Goal as Asked, Independence, Program, RecordedEvent, Verdict,
};
use obligato_test_support::subjects;

use crate::agreement::compare;
use crate::suite::{Rows, suite_for};

/// Per case: expected goals, and conditions of the decisions that they are about.
const CASES: &[(&str, usize, usize)] = &[
    ("mcdc1", 6, 5),
    ("mcdc2", 4, 3),
    ("mcdc3", 3, 2),
    ("mcdc4", 5, 4),
    ("mcdc5", 5, 4),
    // One condition each: CBMC calls its values "decision/condition".
    ("mcdc6", 2, 1),
    ("mcdc7", 4, 2),
    ("mcdc8", 4, 3),
    ("mcdc9", 5, 4),
    ("mcdc10", 4, 3),
    ("mcdc11", 6, 4),
    // Two of the six variables are never set. CBMC takes them for inputs; in C they have no value, and here they
    // are 0. So two of the three goals of their decision are out of reach.
    ("mcdc12", 9, 6),
    ("mcdc13", 4, 3),
    ("mcdc14", 2, 1),
];

/// What makes C of CBMC's words: an input is what a function outside gives.
const WORDS: &str = "
#define main subject
#define __CPROVER_bool _Bool
int given(void);
#define __CPROVER_input(name, variable) ((variable) = given())
";

/// Some cases compute with variables that they never set.
const SET: &str = "-ftrivial-auto-var-init=zero";

/// A line of expectations: conditions, as CBMC writes them, with their values.
struct Goal {
    line: u32,
    values: BTreeMap<String, bool>,
}

fn read_goals(description: &str) -> Vec<Goal> {
    let mut goals: Vec<Goal> = Vec::new();
    for line in description.lines() {
        let line = line.replace('\\', "");
        let Some((place, rest)) = line.split_once("condition '") else { continue };
        let (vector, verdict) = rest.split_once(".*").unwrap();
        let number = place.split_once(" line ").unwrap().1.split(' ').next().unwrap();
        let values = if place.ends_with("decision/") {
            // Where the value is not written, one line is for false and the next for true.
            let said = ["false", "true"].iter().position(|value| verdict.contains(value));
            let value = said.unwrap_or(goals.len() % 2) == 1;
            BTreeMap::from([(plain(vector), value)])
        } else {
            vector.split(" && ").map(read_literal).collect()
        };
        goals.push(Goal { line: number.parse().unwrap(), values });
    }
    goals
}

fn read_literal(text: &str) -> (String, bool) {
    match text.strip_prefix('!') {
        Some(denied) => (plain(denied), false),
        None => (plain(text), true),
    }
}

/// A condition without what CBMC adds to it.
fn plain(text: &str) -> String {
    let text = text.replace(" != FALSE", "").replace("(unsigned int)", "");
    text.chars().filter(|one| !" ()".contains(*one)).collect()
}

/// All tests with small values for so many inputs.
fn small_tests(inputs: usize) -> Rows {
    let values: &[i32] = if inputs <= 2 { &[-1, 0, 1, 4, 7, 2501] } else { &[0, 1] };
    let mut rows: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for input in 0..inputs {
        let longer = rows.iter().flat_map(|row| {
            values.iter().map(move |value| {
                let given = (format!("given()[{input}]"), value.to_string());
                row.iter().cloned().chain([given]).collect()
            })
        });
        rows = longer.collect();
    }
    rows.into_iter().map(|row| vec![row]).collect()
}

/// What a test made of each decision: conditions with their values.
type Seen = BTreeMap<DecisionId, BTreeMap<String, bool>>;

fn spelled(text: &str) -> String {
    text.split_whitespace().collect()
}

fn see(unit: &Unit, rows: &Rows) -> Vec<Seen> {
    let interface = unit.interface("subject").unwrap();
    let suite = suite_for(unit, &interface, rows);
    let (recording, _) = unit.record(&interface, &suite, RunOptions::default()).unwrap();
    let seen = recording.tests.iter().map(|test| {
        let mut seen = Seen::new();
        for event in &test.events {
            if let RecordedEvent::Evaluated(evaluation) = event {
                let condition = unit.program().condition(evaluation.condition);
                let decision = seen.entry(condition.decision).or_default();
                decision.insert(spelled(&condition.text), evaluation.value);
            }
        }
        seen
    });
    seen.collect()
}

/// The decision that a goal is about: the one on its line with its conditions.
fn decision_of(program: &Program, goal: &Goal) -> Option<DecisionId> {
    let mut all = (0..program.decisions().len()).map(DecisionId::new);
    all.find(|id| {
        let conditions = program.conditions_of(*id);
        program.decision(*id).span.start.line == goal.line
            && conditions.len() == goal.values.len()
            && conditions.iter().all(|one| goal.values.contains_key(&spelled(&one.text)))
    })
}

fn shows(seen: &BTreeMap<String, bool>, goal: &Goal) -> bool {
    seen.iter().all(|(condition, value)| goal.values[condition] == *value)
}

/// How many of the obligations about these decisions the tests cover, and how many there are.
fn covered(unit: &Unit, rows: &Rows, decisions: &[DecisionId]) -> (usize, usize) {
    let interface = unit.interface("subject").unwrap();
    let suite = suite_for(unit, &interface, rows);
    let criteria = [Criterion::Mcdc(Independence::UniqueCause)];
    let measured = unit.measure(&interface, &suite, &criteria, RunOptions::default()).unwrap();
    let plan = plan(unit.program(), &criteria);
    let assessment = judge(unit.program(), plan, &measured.evidence).unwrap();
    let mut counts = (0, 0);
    for (obligation, verdict) in assessment.plan.obligations.iter().zip(&assessment.verdicts) {
        let Asked::Independence(condition, _) = obligation.goal else { continue };
        if decisions.contains(&unit.program().condition(condition).decision) {
            counts.0 += usize::from(matches!(verdict, Verdict::Covered { .. }));
            counts.1 += 1;
        }
    }
    counts
}

fn examine(directory: &Path, header: &Path, (name, count, conditions): (&str, usize, usize)) {
    let place = directory.join(name);
    let flags = ["-include", header.to_str().unwrap(), SET].map(str::to_owned);
    let source = Source {
        file: "main.c".into(),
        directory: place.clone(),
        flags: Flags::new(&flags).unwrap(),
        limits: Limits::default(),
    };
    let settings = Settings { calls: 6, ..Settings::default() };
    let unit = Unit::load(&source, LoadOptions { settings, ..LoadOptions::default() }).unwrap();
    let program = unit.program();
    let goals = read_goals(&fs::read_to_string(place.join("test.desc")).unwrap());
    assert_eq!(goals.len(), count, "{name}");
    let decisions: Vec<DecisionId> =
        goals.iter().map(|goal| decision_of(program, goal).unwrap()).collect();
    let mut about = decisions.clone();
    about.dedup();
    let planned: usize = about.iter().map(|id| program.conditions_of(*id).len()).sum();
    assert_eq!(planned, conditions, "{name}");
    let text = fs::read_to_string(place.join("main.c")).unwrap();
    let tests = small_tests(text.matches("__CPROVER_input").count());
    let seen = see(&unit, &tests);
    let mut kept: Rows = Vec::new();
    let mut out_of_reach = 0;
    for (goal, decision) in goals.iter().zip(&decisions) {
        let mut fits = (0..tests.len())
            .filter(|test| seen[*test].get(decision).is_some_and(|seen| shows(seen, goal)));
        match fits.next() {
            Some(first) => kept.push(tests[first].clone()),
            None => out_of_reach += 1,
        }
    }
    assert_eq!(out_of_reach, if name == "mcdc12" { 2 } else { 0 }, "{name}");
    kept.sort();
    kept.dedup();
    let (reached, all) = covered(&unit, &kept, &about);
    assert_eq!(all, 2 * conditions, "{name}");
    assert_eq!(reached, if name == "mcdc12" { all - 4 } else { all }, "{name}: {kept:?}");
    for without in 0..kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(without);
        assert!(covered(&unit, &fewer, &about).0 < reached, "{name}: {:?}", kept[without]);
    }
    let comparison = compare(&source, &unit, "subject", &kept, &[SET]);
    assert!(comparison.problems.is_empty(), "{name}: {}", comparison.problems.join("\n"));
}

#[test]
fn the_goals_of_cbmc_are_those_of_our_plan() {
    const COVER: &str = "cbmc-6.6.0/regression/cbmc-cover";
    if !subjects::are_fetched(COVER) {
        return;
    }
    let directory = subjects::root().join(COVER);
    let scratch = tempfile::tempdir().unwrap();
    let header = scratch.path().join("words.h");
    fs::write(&header, WORDS).unwrap();
    for case in CASES {
        examine(&directory, &header, *case);
    }
}
