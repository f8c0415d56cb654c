//! Programs that papers have, and larger ones of their kind: everything that is asked is answered, and every test does what it is for.

mod support;

use obligato_c_bmc::{EventAnswer, MergeLimits, Merged};
use obligato_c_unit::{LoadOptions, Settings, Unit};
use obligato_clang::{Flags, Limits as Reading, Source};
use obligato_model::Criterion;
use obligato_test_support::{crate_directory, subjects};
use support::{PLAIN, events, load, shown};

fn corpus(name: &str) -> String {
    let path = crate_directory().join("tests/corpus").join(name);
    std::fs::read_to_string(path).expect("in the corpus")
}

/// Asks for all events: how many have a test, and how many never happen. None may be left.
fn resolve(unit: &Unit, function: &str, steps: usize) -> (usize, usize) {
    let interface = unit.interface(function).expect("an interface");
    let plain = PLAIN.iter().copied().filter(|one| *one != Criterion::Mcc);
    let criteria: Vec<Criterion> = plain.collect();
    let events = events(unit, &criteria);
    let mut merged =
        Merged::build(unit, &interface, steps, &MergeLimits::default()).expect("a formula");
    let (mut tests, mut shows, mut never) = (Vec::new(), Vec::new(), 0);
    for event in events {
        match merged.find(&event) {
            EventAnswer::Test(test) => {
                tests.push(test);
                shows.push(event);
            }
            EventAnswer::Infeasible(_) | EventAnswer::NotWithinBounds(_) => never += 1,
            EventAnswer::Unknown(reason) => panic!("{event:?}: {reason}; {:?}", merged.cuts()),
        }
    }
    for (test, event) in tests.iter().zip(&shows) {
        let again = shown(unit, &interface, vec![test.clone()], PLAIN, std::slice::from_ref(event));
        assert!(again[0], "{event:?} by {test:?}");
    }
    (shows.len(), never)
}

fn resolve_corpus(name: &str, steps: usize) -> (usize, usize) {
    resolve(&load(&corpus(name), Settings::default()), "f", steps)
}

#[test]
fn triangle_and_next_date_are_resolved() {
    let (covered, never) = resolve_corpus("triangle.c", 1);
    assert!(covered > 60 && never > 0, "{covered} {never}");
    let (covered, never) = resolve_corpus("nextdate.c", 1);
    assert!(covered > 60 && never > 0, "{covered} {never}");
}

#[test]
fn a_controller_of_twelve_states_is_resolved_over_twelve_steps() {
    let (covered, never) = resolve_corpus("controller.c", 12);
    assert!(covered > 150, "{covered} {never}");
}

#[test]
fn decisions_of_ten_and_of_forty_conditions_are_resolved() {
    let (covered, _) = resolve_corpus("ten.c", 1);
    assert!(covered > 40, "{covered}");
    let (covered, _) = resolve_corpus("forty.c", 1);
    assert!(covered > 100, "{covered}");
}

#[test]
fn a_sort_is_resolved() {
    let settings = Settings { elements: 6, ..Settings::default() };
    resolve(&load(&corpus("bubble.c"), settings), "f", 1);
}

#[test]
fn collision_avoidance_is_resolved() {
    const TCAS: &str = "cbmc-6.6.0/regression/cbmc/return9/tcas_v23_523.c";
    if !subjects::are_fetched(TCAS) {
        return;
    }
    let root = subjects::root();
    let source = Source {
        file: root.join(TCAS),
        directory: root,
        flags: Flags::new(&["-std=gnu89".to_owned()]).expect("a flag"),
        limits: Reading::default(),
    };
    let function = Some("alt_sep_test".to_owned());
    let unit =
        Unit::load(&source, LoadOptions { function, ..LoadOptions::default() }).expect("a unit");
    let (covered, never) = resolve(&unit, "alt_sep_test", 1);
    assert!(covered > 50, "{covered} {never}");
}
