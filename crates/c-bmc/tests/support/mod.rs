//! Units from text, and what all their tests together show.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;

use obligato_c_bmc::{EventAnswer, MergeLimits, Merged};
use obligato_c_unit::settings::Range;
use obligato_c_unit::{Interface, LoadOptions, RunOptions, Settings, Unit};
use obligato_campaign::{Event, Ledger, happened};
use obligato_clang::{Flags, Limits as Reading, Source};
use obligato_model::{Criterion, Independence, Integer, Observability, Suite, TestCase, Undecided};
use obligato_test_support::ScratchFile;

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
    let file = ScratchFile::new("unit.c", text);
    let source = Source {
        file: file.path().to_owned(),
        directory: file.directory().to_owned(),
        flags: Flags::new(&[]).expect("no flags"),
        limits: Reading::default(),
    };
    let options =
        LoadOptions { function: Some("f".to_owned()), settings, ..LoadOptions::default() };
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
    let limits = obligato_execute::ExecutionLimits { steps: 200_000, ..Default::default() };
    let options = RunOptions { limits, ..RunOptions::default() };
    let measured = unit.measure(interface, &suite, criteria, options).expect("measured");
    let program = unit.program();
    let any =
        |event: &Event| measured.evidence.tests().iter().any(|test| happened(program, event, test));
    events.iter().map(any).collect()
}

/// Every test of so many steps.
pub fn all_tests(unit: &Unit, interface: &Interface, steps: usize) -> Vec<TestCase> {
    obligato_test_support::all_tests(&unit.variables(interface).inputs, steps)
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
    // Loops of these functions have fewer iterations, and twins that never end are cut early.
    let limits = MergeLimits { unwinding: 12, ..MergeLimits::default() };
    let mut merged = Merged::build(&unit, &interface, steps, &limits).expect("a formula");
    let mut never = 0;
    for (event, happens) in events.iter().zip(truth) {
        match merged.find(event) {
            EventAnswer::Test(found) => {
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
            EventAnswer::Infeasible(proof) => {
                assert!(!happens, "{event:?}: {proof:?} in\n{text}");
                never += 1;
            }
            EventAnswer::NotWithinBounds(bounds) => {
                assert!(!happens, "{event:?}: within {bounds:?} in\n{text}");
                never += 1;
            }
            // Two runs that both end in a runtime error are not told apart, and what is folded is not negated.
            EventAnswer::Unknown(reason)
                if matches!(event, Event::Observed(..) | Event::ObservedBoundary(..))
                    && matches!(reason, Undecided::EffectCutOff | Undecided::PartlyFolded) => {}
            // Dead code that the compiler has left out.
            EventAnswer::Unknown(reason @ Undecided::Unobservable) => {
                assert!(!happens, "{event:?}: {reason} in\n{text}");
            }
            EventAnswer::Unknown(reason) => {
                panic!("{event:?}: {reason}; {:?} in\n{text}", merged.cuts())
            }
        }
    }
    (events.len(), never)
}
