//! Directed random exploration, as a campaign uses it.

mod support;

use obligato_criteria::{Evidence, Vectors, judge, plan};
use obligato_engines_lustre::explore::{Exploration, ExplorationEnd, Explorer, PreparedModel};
use obligato_engines_lustre::ledger::{Ledger, Standing};
use obligato_engines_lustre::{EventId, event::Event};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{LANES, Measured, Measurement, Meter, Watch};
use obligato_model::{Criterion, Independence, Observability, TestCase, Value, Verdict, Watched};
use obligato_solver::Stop;
use obligato_transition_system::CheckKind;
use support::{model, public_model};

const MCDC: Criterion = Criterion::Mcdc(Independence::Masking);
const STRICT: Criterion = Criterion::Omcdc(Observability::Strict);

/// What exploring gave.
struct Explored {
    done: Exploration,
    tests: Vec<(TestCase, Vec<EventId>)>,
    /// By obligation: is it covered, as the ledger has it?
    covered: Vec<bool>,
    events: Vec<Event>,
    /// Ways to different states.
    states: Vec<usize>,
}

fn watch(lowered: &Lowered, criterion: Criterion) -> Watch {
    let effects = match criterion {
        Criterion::Omcdc(semantics) | Criterion::Obvc(semantics) => vec![semantics],
        _ => Vec::new(),
    };
    Watch { effects, vectors: Vectors::needed_by(&[criterion]), ..Watch::outputs(lowered) }
}

fn explore(lowered: &Lowered, criterion: Criterion, steps: usize, stop: &Stop) -> Explored {
    let plan = plan(&lowered.program, &[criterion]);
    let measurement = Measurement::new(lowered, watch(lowered, criterion)).expect("sound");
    let compiled = measurement.compile().expect("sound");
    let prepared = PreparedModel::new(lowered).expect("sound");
    let mut explorer = Explorer::new(&prepared, Meter::new(&measurement, &compiled), 7);
    let mut ledger = Ledger::new(&lowered.program, &plan);
    let mut tests = Vec::new();
    let keep = |_: &Ledger<'_>, test, events| tests.push((test, events));
    let done = explorer.explore(&mut ledger, steps, stop, keep).expect("sound");
    let is_covered = |at| ledger.standing(at) == Standing::Covered;
    Explored {
        done,
        tests,
        covered: (0..plan.obligations.len()).map(is_covered).collect(),
        events: ledger.events().all().to_vec(),
        states: explorer.states().iter().map(|prefix| prefix.steps().len()).collect(),
    }
}

/// Measures tests by themselves.
fn measure(lowered: &Lowered, criterion: Criterion, tests: &[TestCase]) -> Vec<Measured> {
    let measurement = Measurement::new(lowered, watch(lowered, criterion)).expect("sound");
    let compiled = measurement.compile().expect("sound");
    let mut meter = Meter::new(&measurement, &compiled);
    tests.chunks(LANES).flat_map(|some| meter.measure(some).expect("sound")).collect()
}

/// The obligations that the tests cover when measured by themselves.
fn judged(lowered: &Lowered, criterion: Criterion, tests: &[TestCase]) -> Vec<bool> {
    let Watch { effects, vectors, .. } = watch(lowered, criterion);
    let watched = Watched { effects, kills: Vec::new() };
    let mut evidence = Evidence::new(&lowered.program, watched, vectors);
    for measured in measure(lowered, criterion, tests) {
        let violates = measured
            .failures
            .iter()
            .any(|failure| lowered.system.checks[failure.check].kind == CheckKind::Assertion);
        assert!(!violates, "a test that was kept violates an assertion");
        evidence.add(measured.evidence);
    }
    let plan = plan(&lowered.program, &[criterion]);
    let assessment = judge(&lowered.program, plan, &evidence).expect("sound");
    let is_covered = |verdict: &Verdict| matches!(verdict, Verdict::Covered { .. });
    assessment.verdicts.iter().map(is_covered).collect()
}

fn all_tests(explored: &Explored) -> Vec<TestCase> {
    explored.tests.iter().map(|(test, _)| test.clone()).collect()
}

/// Two keys, a timer of 12 steps, a lock behind it.
const TIMER: &str = "
    node n(arm, key: bool; level: int) returns (open: bool);
    var time: int; locked: bool;
    let
      time = 0 -> if arm then (if pre time < 12 then pre time + 1 else 12) else 0;
      locked = true -> pre locked and not (time = 12 and level = 4711);
      open = key and not locked;
    tel";

#[test]
fn a_timer_and_a_number_of_the_model_are_found() {
    let lowered = model(TIMER);
    for criterion in [MCDC, STRICT] {
        let explored = explore(&lowered, criterion, 3_000_000, &Stop::never());
        assert_eq!(explored.done.ended, ExplorationEnd::Complete, "{:?}", explored.done);
        assert!(explored.covered.iter().all(|covered| *covered));
    }
}

#[test]
fn what_the_ledger_has_seen_the_kept_tests_cover_when_judged() {
    let lowered = model(TIMER);
    for criterion in [
        MCDC,
        STRICT,
        Criterion::Omcdc(Observability::Exact),
        Criterion::Mcdc(Independence::UniqueCause),
        Criterion::Mcc,
        Criterion::Obvc(Observability::Strict),
    ] {
        let explored = explore(&lowered, criterion, 200_000, &Stop::never());
        assert!(!explored.tests.is_empty());
        assert_eq!(judged(&lowered, criterion, &all_tests(&explored)), explored.covered);
    }
}

#[test]
fn a_kept_test_cannot_be_cut_further() {
    let lowered = model(TIMER);
    for semantics in [Observability::Strict, Observability::Exact] {
        let explored = explore(&lowered, Criterion::Omcdc(semantics), 100_000, &Stop::never());
        for (test, events) in &explored.tests {
            assert!(!events.is_empty());
            let mut shorter = test.clone();
            shorter.steps.pop();
            let [whole, cut] =
                [test, &shorter].map(|test| seen(&lowered, semantics, test, &explored.events));
            assert!(events.iter().all(|event| whole[event.index()]));
            assert!(!events.iter().all(|event| cut[event.index()]));
        }
    }
}

/// By event: does a test show it, by its evidence?
fn seen(
    lowered: &Lowered,
    semantics: Observability,
    test: &TestCase,
    events: &[Event],
) -> Vec<bool> {
    let criterion = Criterion::Omcdc(semantics);
    let measured = measure(lowered, criterion, std::slice::from_ref(test));
    let observed = measured[0].evidence.observed(semantics).expect("it was watched for");
    let shows = |event: &Event| match event {
        Event::Observed(_, condition, value) => {
            observed.conditions[usize::from(*value)].contains(condition.index())
        }
        other => panic!("not an event of this criterion: {other:?}"),
    };
    events.iter().map(shows).collect()
}

#[test]
fn a_seed_gives_the_same_tests_again() {
    let lowered = model(TIMER);
    let [one, other] = [(); 2].map(|()| explore(&lowered, STRICT, 100_000, &Stop::never()));
    assert_eq!(one.tests, other.tests);
    assert_eq!((one.done, one.states), (other.done, other.states));
}

#[test]
fn tests_stay_legal_where_assertions_allow_little() {
    let keys: Vec<String> = (0..12).map(|key| format!("k{key}")).collect();
    let list = keys.join(", ");
    let text = format!(
        "node n({list}: bool) returns (y: bool);
         let assert #({list}); y = (k0 -> pre k1 and k2) or k3; tel"
    );
    let lowered = model(&text);
    let explored = explore(&lowered, MCDC, 100_000, &Stop::never());
    assert!(explored.covered.iter().all(|covered| *covered), "{:?}", explored.covered);
    assert!(!explored.done.is_starved(), "{:?}", explored.done);
    let is_pressed = |value: &&Option<Value>| **value == Some(Value::Bool(true));
    for (test, _) in &explored.tests {
        assert!(test.steps.iter().all(|step| step.iter().filter(is_pressed).count() <= 1));
    }
    assert_eq!(judged(&lowered, MCDC, &all_tests(&explored)), explored.covered);
}

#[test]
fn a_model_that_no_test_can_go_on_in_is_said_to_starve() {
    let lowered = model(
        "node n(a: bool) returns (y: bool);
         let assert true -> false; y = a or (false -> pre a and not a); tel",
    );
    let explored = explore(&lowered, MCDC, 50_000, &Stop::never());
    assert!(explored.done.is_starved(), "{:?}", explored.done);
    assert!(explored.tests.iter().all(|(test, _)| test.steps.len() == 1));
}

#[test]
fn exploring_ends_where_no_step_is_legal_that_chance_draws() {
    let lowered = model(
        "node n(a, b: int) returns (y: bool);
         let assert a * a = 61 * b * b + 1 and a > 1; y = a > b and b > 0; tel",
    );
    let explored = explore(&lowered, MCDC, usize::MAX, &Stop::never());
    assert_eq!((explored.done.ended, explored.done.steps), (ExplorationEnd::NoProgress, 0));
    let explored = explore(&lowered, MCDC, 20_000, &Stop::never());
    assert_eq!((explored.done.ended, explored.done.steps), (ExplorationEnd::BudgetSpent, 0));
}

#[test]
fn a_test_with_a_fault_is_kept_only_for_what_no_other_shows() {
    let lowered = model(
        "node n(a, b: bool; d: subrange [0, 3] of int) returns (y: bool);
         let y = a and b and (12 div d) < 100; tel",
    );
    let explored = explore(&lowered, MCDC, 50_000, &Stop::never());
    assert!(!explored.tests.is_empty());
    for measured in measure(&lowered, MCDC, &all_tests(&explored)) {
        assert_eq!(measured.failures, []);
    }
}

#[test]
fn exploring_ends_when_told_or_when_its_steps_are_spent() {
    let lowered = model("node n(a: int) returns (y: bool); let y = a * a = 123456789; tel");
    let stop = Stop::never();
    let spent = explore(&lowered, MCDC, 10_000, &stop).done;
    assert_eq!(spent.ended, ExplorationEnd::BudgetSpent);
    // The round that reaches the limit is finished.
    assert!((10_000..40_000).contains(&spent.steps), "{spent:?}");
    assert_eq!(explore(&lowered, MCDC, usize::MAX, &stop).done.ended, ExplorationEnd::NoProgress);
    stop.request();
    let stopped = explore(&lowered, MCDC, 10_000, &stop).done;
    assert_eq!((stopped.ended, stopped.tests), (ExplorationEnd::Stopped, 0));
}

#[test]
fn ways_to_every_state_of_a_counter_are_found() {
    let lowered = model(
        "node n(up: bool) returns (y: bool); var c: int;
         let
           c = 0 -> if up and pre c < 6 then pre c + 1 else pre c;
           y = false -> pre c = 1 or pre c = 2 or pre c = 3 or pre c = 4 or pre c = 5 or pre c = 6;
         tel",
    );
    let explored = explore(&lowered, MCDC, 400_000, &Stop::never());
    assert_eq!(explored.states.len(), 7);
    assert!(explored.states.contains(&0));
    assert!(explored.states.iter().any(|steps| *steps >= 7));
}

#[test]
fn public_models_are_explored_and_judged_alike() {
    for path in ["kind2/microwave.lus", "jkind/mode_logic.kind.lus"] {
        let Some(lowered) = public_model(path) else { continue };
        let explored = explore(&lowered, STRICT, 60_000, &Stop::never());
        assert_eq!(judged(&lowered, STRICT, &all_tests(&explored)), explored.covered, "{path}");
        assert!(explored.covered.iter().filter(|covered| **covered).count() > 10, "{path}");
    }
}
