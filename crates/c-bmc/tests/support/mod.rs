//! Units from text, and what all their tests together show.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;

use obligato_c_bmc::{Found, Limits, Merged};
use obligato_c_unit::settings::Range;
use obligato_c_unit::{Interface, Options, RunOptions, Settings, Unit};
use obligato_campaign::{Event, Ledger, happened};
use obligato_clang::{Flags, Limits as Reading, Source};
use obligato_model::{
    Criterion, Independence, Integer, Observability, Step, Suite, TestCase, Type, Value,
};

pub const CRITERIA: [Criterion; 10] = [
    Criterion::Statement,
    Criterion::Branch,
    Criterion::EntryExit,
    Criterion::Decision,
    Criterion::Condition,
    Criterion::Mcc,
    Criterion::Mcdc(Independence::Masking),
    Criterion::Bvc,
    Criterion::Omcdc(Observability::Exact),
    Criterion::Obvc(Observability::Exact),
];

/// Those that are not asked for by twins, which are runs of their own.
pub const PLAIN: &[Criterion] = CRITERIA.split_at(8).0;

/// Reads a unit; the function under test is `f`.
pub fn load(text: &str, settings: Settings) -> Unit {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("unit.c");
    std::fs::write(&file, text).expect("written");
    let source = Source {
        file,
        directory: directory.path().to_owned(),
        flags: Flags::new(&[]).expect("no flags"),
        limits: Reading::default(),
    };
    let options = Options { function: Some("f".to_owned()), settings, ..Options::default() };
    Unit::load(&source, options).expect("a unit")
}

/// Settings in which these inputs have ranges.
pub fn ranges(list: &[(&str, i64, i64)]) -> Settings {
    let range = |low: i64, high: i64| Range { low: Integer::from(low), high: Integer::from(high) };
    let ranges: BTreeMap<String, Range> =
        list.iter().map(|(name, low, high)| ((*name).to_owned(), range(*low, *high))).collect();
    Settings { ranges, ..Settings::default() }
}

/// All events that criteria ask for.
pub fn events(unit: &Unit, criteria: &[Criterion]) -> Vec<Event> {
    let plan = obligato_criteria::plan(unit.program(), criteria);
    Ledger::new(unit.program(), &plan).events().all().to_vec()
}

/// Whether each event happens in some of the tests.
pub fn shown(
    unit: &Unit,
    interface: &Interface,
    tests: Vec<TestCase>,
    criteria: &[Criterion],
    events: &[Event],
) -> Vec<bool> {
    let suite = Suite { inputs: unit.variables(interface).inputs, tests };
    // Tests that never end are of no use here.
    let limits = obligato_execute::Limits { steps: 200_000, ..Default::default() };
    let options = RunOptions { limits, ..RunOptions::default() };
    let measured = unit.measure(interface, &suite, criteria, options).expect("measured");
    let program = unit.program();
    let any =
        |event: &Event| measured.evidence.tests().iter().any(|test| happened(program, event, test));
    events.iter().map(any).collect()
}

fn values(kind: &Type) -> Vec<Value> {
    match kind {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Enumeration(names) => names.iter().cloned().map(Value::Symbol).collect(),
        kind => {
            let (mut next, last) = kind.bounds().expect("a small type");
            let mut all = Vec::new();
            while next <= last {
                all.push(Value::Int(next.clone()));
                next += Integer::ONE;
                assert!(all.len() <= 256, "a small type");
            }
            all
        }
    }
}

/// Every test of so many steps.
pub fn all_tests(unit: &Unit, interface: &Interface, steps: usize) -> Vec<TestCase> {
    let columns: Vec<Vec<Value>> =
        unit.variables(interface).inputs.iter().map(|input| values(&input.kind)).collect();
    let mut rows: Vec<Step> = vec![Vec::new()];
    for column in &columns {
        let longer = rows.iter().flat_map(|row| {
            column.iter().map(move |value| {
                let mut row = row.clone();
                row.push(Some(value.clone()));
                row
            })
        });
        rows = longer.collect();
    }
    let mut tests: Vec<Vec<Step>> = vec![Vec::new()];
    for _ in 0..steps {
        let longer = tests.iter().flat_map(|test| {
            rows.iter().map(move |row| {
                let mut test = test.clone();
                test.push(row.clone());
                test
            })
        });
        tests = longer.collect();
    }
    assert!(tests.len() <= 20_000, "{} tests", tests.len());
    let named = tests.into_iter().enumerate();
    named.map(|(index, steps)| TestCase { name: TestCase::default_name(index), steps }).collect()
}

/// Holds every answer against all tests there are. Gives how many events there are, and how many never happen.
pub fn check(text: &str, settings: Settings, steps: usize) -> (usize, usize) {
    check_for(&CRITERIA, text, settings, steps)
}

/// The same for some criteria.
pub fn check_for(
    criteria: &[Criterion],
    text: &str,
    settings: Settings,
    steps: usize,
) -> (usize, usize) {
    let unit = load(text, settings);
    let interface = unit.interface("f").expect("an interface");
    let events = events(&unit, criteria);
    let truth = shown(&unit, &interface, all_tests(&unit, &interface, steps), criteria, &events);
    // Loops of these functions come round less often, and twins that never end are cut early.
    let limits = Limits { rounds: 12, ..Limits::default() };
    let mut merged = Merged::build(&unit, &interface, steps, &limits).expect("a formula");
    let mut never = 0;
    for (event, happens) in events.iter().zip(truth) {
        match merged.find(event) {
            Found::Test(found) => {
                let again = shown(
                    &unit,
                    &interface,
                    vec![found.clone()],
                    criteria,
                    std::slice::from_ref(event),
                );
                assert!(again[0], "{event:?} by {found:?} in\n{text}");
                assert!(happens, "{event:?} by {found:?} in\n{text}");
            }
            Found::Never(proof) => {
                assert!(!happens, "{event:?}: {proof:?} in\n{text}");
                never += 1;
            }
            // Two runs that both end in a fault are not told apart, nor is what is folded turned around.
            Found::Unknown(reason)
                if matches!(event, Event::Observed(..) | Event::ObservedBoundary(..))
                    && (reason.contains("end in a fault") || reason.contains("folded")) => {}
            // Dead code that the compiler has left out.
            Found::Unknown(reason) if reason.contains("in the code") => {
                assert!(!happens, "{event:?}: {reason} in\n{text}");
            }
            Found::Unknown(reason) => panic!("{event:?}: {reason}; {:?} in\n{text}", merged.cuts()),
        }
    }
    (events.len(), never)
}
