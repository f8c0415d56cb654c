//! Trap properties against what measuring sees: the file that is written is read back, and a test
//! violates a property there exactly if it covers the obligation in the model.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use std::collections::HashMap;

use obligato_criteria::Vectors;
use obligato_engines_lustre::instrument::{
    InstrumentError, Instrumented, Request, instrument, refusal,
};
use obligato_engines_lustre::ledger::happened;
use obligato_engines_lustre::{Effect, Event, Events, Targets};
use obligato_lustre::flat::Dialect;
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::run::Runner;
use obligato_lustre_replay::{LANES, Measured, Measurement, Meter, Watch};
use obligato_model::criterion::ALL;
use obligato_model::{Criterion, Independence, Observability, TestCase, Value};
use obligato_transition_system::{LaneProgram, NodeId, Term, lanes, sort};
use support::explore::{Explored, explore};
use support::{Subject, models};

/// Small models of what matters here: pairs, delays, enumerations, subranges, assertions, calls.
const SMALL: [(&str, &str); 5] = [
    (
        "pairs",
        "node main(a, b, c: bool) returns (y: bool);
         let y = (a xor b) and (if c then a = b else not a); tel",
    ),
    (
        "delays",
        "node main(in1, in2, reset: bool) returns (out: bool);
         var v1, d1, d2: bool;
         let
           v1 = in1 and d2;
           d1 = false -> pre v1;
           d2 = true -> if reset then false else pre (in2 or d2);
           out = d1 and not reset;
         tel",
    ),
    (
        "sequence",
        "type mode = enum { idle, busy, done };
         node main(go, stop: bool; level: subrange [0, 4] of int) returns (m: mode; alarm: bool);
         var n: subrange [0, 5] of int;
         let
           assert go or not stop;
           m = idle -> if pre m = idle and go then busy
                       else if pre m = busy and (stop or pre n >= 3) then done
                       else if pre m = done and not go then idle else pre m;
           n = 0 -> if m = busy and pre n < 5 then pre n + 1 else 0;
           alarm = m = busy and level > 3 and n > 1;
         tel",
    ),
    (
        "calls twice",
        "node edge(x: bool) returns (up: bool);
         let up = x and not (true -> pre x); tel
         node main(a, b: bool) returns (out: bool);
         let out = edge(a) or edge(b and a => b); tel",
    ),
    (
        "two of each",
        "node main(obligation: bool; chosen: bool^2) returns (OBSERVED: bool);
         var first_step: bool^2;
         let
           first_step[i] = chosen[i] and obligation or false;
           OBSERVED = first_step[0] and not first_step[1] and true;
         tel",
    ),
];

fn subjects(most_nodes: usize) -> Vec<Subject> {
    let small = SMALL.iter().map(|(name, text)| Subject::new(name, text.as_bytes()).unwrap());
    small.chain(models(most_nodes)).collect()
}

/// What larger models are asked: every test runs once for every effect.
const LARGE: [Criterion; 2] =
    [Criterion::Mcdc(Independence::Masking), Criterion::Omcdc(Observability::Strict)];

fn supported() -> Vec<Criterion> {
    ALL.into_iter().filter(|criterion| refusal(*criterion).is_none()).collect()
}

fn write(
    subject: &Subject,
    criteria: &[Criterion],
    dialect: Dialect,
) -> Result<Instrumented, InstrumentError> {
    let outputs = subject.lowered.system.outputs.iter();
    let observed: Vec<(String, NodeId)> =
        outputs.map(|output| (output.name.clone(), output.node)).collect();
    instrument(&Request {
        lowered: &subject.lowered,
        main: "main",
        criteria,
        observed: &observed,
        dialect,
    })
}

fn read(name: &str, written: &Instrumented) -> Subject {
    Subject::new(name, written.text.as_bytes())
        .unwrap_or_else(|| panic!("{name} cannot be read back:\n{}", written.text))
}

fn measure(subject: &Subject, tests: &[TestCase]) -> Vec<Measured> {
    let watch = Watch {
        effects: vec![Observability::Strict, Observability::Tags],
        vectors: Vectors::Keep,
        ..Watch::outputs(&subject.lowered)
    };
    let measurement = Measurement::new(&subject.lowered, watch).unwrap();
    let compiled = measurement.compile().unwrap();
    let mut meter = Meter::new(&measurement, &compiled);
    tests.chunks(LANES).flat_map(|some| meter.measure(some).unwrap()).collect()
}

/// The test on what was written: enumerations may have other names there, and if there is an
/// input that chooses, its first value alone counts.
fn translated(
    test: &TestCase,
    from: &Lowered,
    to: &Lowered,
    choice: usize,
    most: usize,
) -> TestCase {
    let steps = test.steps.iter().enumerate().map(|(at, step)| {
        let values: Vec<Value> = step.iter().map(|value| value.clone().unwrap()).collect();
        let numbers = from.system.encode_inputs(&values).unwrap();
        let mut inputs: Vec<Option<Value>> = numbers
            .into_iter()
            .zip(&to.system.inputs)
            .map(|(value, input)| Some(sort::decode(&input.kind, value)))
            .collect();
        if inputs.len() < to.system.inputs.len() {
            inputs.push(Some(Value::int((choice + at - 1) % most + 1)));
        }
        inputs
    });
    TestCase { name: test.name.clone(), steps: steps.collect() }
}

/// By test, the positions of the properties that it violates with some choice.
fn violated(
    subject: &Subject,
    written: &Instrumented,
    copy: &Subject,
    tests: &[TestCase],
    dialect: Dialect,
) -> Vec<Vec<bool>> {
    let label = |property: &obligato_engines_lustre::instrument::Property| match dialect {
        Dialect::Kind2 => property.title.clone(),
        Dialect::JKind => property.name.clone(),
    };
    let positions: HashMap<String, usize> =
        written.properties.iter().enumerate().map(|(at, one)| (label(one), at)).collect();
    assert_eq!(positions.len(), written.properties.len(), "every property has its own name");
    let events = written.properties.iter().flat_map(|one| &one.events);
    let choices = events.filter(|event| Effect::of(event).is_some()).count().max(1);
    let runs: Vec<(usize, TestCase)> = (0..tests.len())
        .flat_map(|test| (1..=choices).map(move |choice| (test, choice)))
        .map(|(test, choice)| {
            let run = translated(&tests[test], &subject.lowered, &copy.lowered, choice, choices);
            (test, run)
        })
        .collect();
    let program = LaneProgram::new(&copy.lowered.system, &lanes::LaneOptions::default()).unwrap();
    let mut runner = Runner::new(&program, &[]);
    let mut violated = vec![vec![false; written.properties.len()]; tests.len()];
    for some in runs.chunks(LANES) {
        let batch: Vec<TestCase> = some.iter().map(|(_, run)| run.clone()).collect();
        for ((test, _), trace) in some.iter().zip(runner.run(&batch).unwrap()) {
            for failure in &trace.failures {
                let check = &copy.lowered.system.checks[failure.check];
                if let Some(property) = positions.get(&check.label) {
                    violated[*test][*property] = true;
                }
            }
        }
    }
    violated
}

#[test]
fn a_test_violates_a_property_exactly_if_it_covers_the_obligation() {
    let (mut compared, mut covered) = (0, 0);
    for subject in subjects(1_500) {
        let is_small = subject.lowered.system.graph.len() < 300;
        let (criteria, count) = if is_small { (supported(), 12) } else { (LARGE.to_vec(), 1) };
        let tests = subject.random_tests(count, 12, 5);
        let measured = measure(&subject, &tests);
        for dialect in [Dialect::Kind2, Dialect::JKind] {
            let written = match write(&subject, &criteria, dialect) {
                Ok(written) => written,
                Err(InstrumentError::UnsupportedByDialect(lacks)) => {
                    assert!(lacks.dialect == Dialect::JKind && lacks.what.contains("machine"));
                    continue;
                }
                Err(other) => panic!("{}: {other}", subject.name),
            };
            let copy = read(&subject.name, &written);
            let violated = violated(&subject, &written, &copy, &tests, dialect);
            for (test, violated) in measured.iter().zip(violated) {
                for (property, violated) in written.properties.iter().zip(violated) {
                    let program = &subject.lowered.program;
                    let saw = |event: &Event| happened(program, event, &test.evidence);
                    let expected = property.events.iter().any(saw);
                    let (name, title) = (&subject.name, &property.title);
                    assert_eq!(violated, expected, "{name}: {title} in {}", test.evidence.name);
                    compared += 1;
                    covered += usize::from(expected);
                }
            }
        }
    }
    assert!(covered * 10 > compared && covered * 10 < compared * 9, "{covered} of {compared}");
}

/// Does a property of what was written ever fail?
fn is_ever_violated(copy: &Subject, all: &Explored, name: &str) -> bool {
    let variables = &copy.lowered.variables;
    let node = variables.iter().find(|one| one.name == name).unwrap().node;
    match copy.lowered.system.graph.term(node) {
        Term::Unary(_, event) => all.is_ever(event),
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn a_property_is_valid_exactly_if_no_test_covers_the_obligation() {
    let (mut valid, mut invalid) = (0, 0);
    // All choices in all states are many: `sequence` is left to the random tests.
    for (name, text) in SMALL.into_iter().filter(|(name, _)| *name != "sequence") {
        let subject = Subject::new(name, text.as_bytes()).unwrap();
        let written = write(&subject, &LARGE, Dialect::JKind).unwrap();
        let copy = read(name, &written);
        let all = explore(&copy.lowered.system, 20_000, 20_000).unwrap();
        let observed = subject.observed();
        for property in &written.properties {
            let mut coverable = false;
            for event in &property.events {
                let (system, node) = if let Some(effect) = Effect::of(event) {
                    let monitored = effect.monitor(&subject.lowered, &observed).unwrap();
                    (monitored.system, monitored.happened)
                } else {
                    let mut events = Events::default();
                    let id = events.intern(event.clone());
                    let targets = Targets::new(&subject.lowered, &observed, &events).unwrap();
                    let node = targets.node(id).unwrap();
                    (targets.system, node)
                };
                coverable |= explore(&system, 20_000, 20_000).unwrap().is_ever(node);
            }
            let found = is_ever_violated(&copy, &all, &property.name);
            assert_eq!(found, coverable, "{name}: {}", property.title);
            *(if found { &mut invalid } else { &mut valid }) += 1;
        }
    }
    assert!(valid > 10 && invalid > 50, "{valid} valid, {invalid} invalid");
}

#[test]
fn a_half_that_needs_its_partner_is_a_property_for_each_outcome() {
    let subject =
        Subject::new("m.lus", b"node main(a, b: bool) returns (y: bool); let y = a xor b; tel");
    let subject = subject.unwrap();
    let written = instrument(&Request {
        lowered: &subject.lowered,
        main: "main",
        criteria: &[Criterion::Mcdc(Independence::Masking)],
        observed: &[],
        dialect: Dialect::JKind,
    })
    .unwrap();
    let names: Vec<&str> = written.properties.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names.len(), 8, "{names:?}");
    let [first, ..] = &written.properties[..] else { panic!("no properties") };
    assert!(first.name.ends_with("_1_c1_T_outcome_T"), "{}", first.name);
    assert!(first.title.starts_with("mcdc@m.lus#main/decision-"), "{}", first.title);
    let partner = first.remarks.last().unwrap();
    assert!(partner.ends_with("/c1=F/outcome=F"), "{partner}");
}

#[test]
fn what_compares_two_models_is_refused_with_the_reason() {
    let (_, text) = SMALL[0];
    let subject = Subject::new("m.lus", text.as_bytes()).unwrap();
    for criterion in ALL.into_iter().filter(|one| !supported().contains(one)) {
        let written = instrument(&Request {
            lowered: &subject.lowered,
            main: "main",
            criteria: &[criterion],
            observed: &[],
            dialect: Dialect::Kind2,
        });
        let refused = written.unwrap_err().to_string();
        assert!(
            refused.starts_with(&format!("{criterion} has no trap properties: it")),
            "{refused}"
        );
    }
}
