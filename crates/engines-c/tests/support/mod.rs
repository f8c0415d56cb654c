//! Units from text, campaigns over them, and what all their tests together show.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use obligato_c_unit::settings::Range;
use obligato_c_unit::{Interface, LoadError, LoadOptions, RunOptions, Settings, Unit};
use obligato_campaign::{Budget, Demand, Phase, Standing, Status, happened};
use obligato_clang::{Flags, Limits as Reading, Source};
use obligato_concolic::search::{Filtering, Strategy};
use obligato_criteria::plan;
use obligato_engines_c::{FunctionUnderTest, Outcome, Request};
use obligato_model::{Criterion, Independence, Integer, Limit, Suite};
use obligato_solver::Stop;
use obligato_test_support::{ScratchFile, all_tests};

pub const MCDC: Criterion = Criterion::Mcdc(Independence::Masking);

/// Reads a unit; the function under test is `function`.
pub fn load(text: &str, function: &str, settings: Settings) -> Unit {
    load_file(ScratchFile::new("unit.c", text).path(), function, settings)
}

/// The same, if it can be read.
pub fn try_load(text: &str, function: &str, settings: Settings) -> Result<Unit, LoadError> {
    try_load_file(ScratchFile::new("unit.c", text).path(), function, settings)
}

/// Reads a unit from a file.
pub fn load_file(file: &Path, function: &str, settings: Settings) -> Unit {
    try_load_file(file, function, settings).expect("a unit")
}

fn try_load_file(file: &Path, function: &str, settings: Settings) -> Result<Unit, LoadError> {
    let source = Source {
        file: file.to_owned(),
        directory: file.parent().expect("a directory").to_owned(),
        flags: Flags::new(&[]).expect("no flags"),
        limits: Reading::default(),
    };
    let options =
        LoadOptions { function: Some(function.to_owned()), settings, ..LoadOptions::default() };
    Unit::load(&source, options)
}

/// Settings in which these inputs have ranges.
pub fn ranges(list: &[(&str, i64, i64)]) -> Settings {
    let range = |low: i64, high: i64| Range { low: Integer::from(low), high: Integer::from(high) };
    let ranges: BTreeMap<String, Range> =
        list.iter().map(|(name, low, high)| ((*name).to_owned(), range(*low, *high))).collect();
    Settings { ranges, ..Settings::default() }
}

/// A request for everything of a function, with the usual search.
pub fn request<'u>(
    unit: &'u Unit,
    interface: &'u Interface,
    criteria: &[Criterion],
) -> Request<'u> {
    let subject = FunctionUnderTest {
        unit,
        interface,
        steps: 1,
        most_steps: 1,
        options: RunOptions::default(),
        strategy: Strategy::default(),
        filtering: Filtering::On,
        levels: 3,
        most_conflicts: 200_000,
        may_yield: false,
    };
    Request {
        subject,
        criteria: criteria.to_vec(),
        given: Vec::new(),
        phases: Phase::OF_UNITS.to_vec(),
        budget: Budget::Work(2_000_000),
        seed: 1,
        threads: 1,
        shard: None,
    }
}

/// Runs a campaign.
pub fn run<'u>(request: &Request<'u>) -> Outcome<'u> {
    obligato_engines_c::run(request, &Stop::never(), &mut |_: &Status| {}).expect("a campaign")
}

/// How many obligations are covered, refuted, if only within bounds, and open.
pub fn tally(outcome: &Outcome<'_>) -> (usize, usize, usize) {
    let mut tally = (0, 0, 0);
    for index in 0..outcome.ledger.len() {
        match outcome.ledger.standing(index) {
            Standing::Covered => tally.0 += 1,
            Standing::Refuted(_) | Standing::NotWithinBounds(_) => tally.1 += 1,
            Standing::Settled => {}
            Standing::Open | Standing::Unsupported(_) => tally.2 += 1,
        }
    }
    tally
}

/// Runs a campaign and all tests there are: what it covers and refutes is what they show and do not show. Gives how many
/// obligations there are of both kinds.
pub fn check(text: &str, settings: Settings, criteria: &[Criterion]) -> (usize, usize) {
    let unit = load(text, "f", settings);
    let interface = unit.interface("f").expect("an interface");
    let outcome = run(&request(&unit, &interface, criteria));
    let variables = unit.variables(&interface);
    let tests = all_tests(&variables.inputs, 1);
    let suite = Suite { inputs: variables.inputs, tests };
    let measured =
        unit.measure(&interface, &suite, criteria, RunOptions::default()).expect("measured");
    let program = unit.program();
    let plan = plan(program, criteria);
    let (mut covered, mut refuted) = (0, 0);
    for (index, obligation) in plan.obligations.iter().enumerate() {
        let Demand::Alternatives(ways) = outcome.ledger.demand(index) else { continue };
        let seen = |event: &obligato_campaign::EventId| {
            let event = outcome.ledger.events().get(*event);
            measured.evidence.tests().iter().any(|test| happened(program, event, test))
        };
        let possible = ways.iter().any(|way| way.iter().all(seen));
        match outcome.ledger.standing(index) {
            Standing::Covered => {
                assert!(possible, "{} is covered by no test there is", obligation.text);
                covered += 1;
            }
            Standing::Refuted(_) | Standing::NotWithinBounds(_) => {
                assert!(!possible, "{} is covered by a test, yet refuted", obligation.text);
                refuted += 1;
            }
            standing => panic!("{}: {standing:?}, {:?}", obligation.text, outcome.limit),
        }
    }
    (covered, refuted)
}

/// A switch over so many states, each of which waits for its own number.
pub fn machine(states: usize) -> String {
    let mut text =
        "static int state;\nint f(unsigned char key) {\n    switch (state) {\n".to_owned();
    for state in 0..states {
        let (next, key) = ((state + 1) % states, (7 * state + 3) % 256);
        let _ = writeln!(
            text,
            "    case {state}: if (key == {key}) state = {next}; else if (key > 250) state = 0; break;"
        );
    }
    text + "    default: return -1;\n    }\n    return state;\n}\n"
}

/// What a campaign refuted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Refuted {
    /// How many obligations for every caller.
    pub proved: usize,
    /// The bounds of the others, in words.
    pub bounds: BTreeSet<String>,
}

/// What it is.
pub fn refuted(outcome: &Outcome<'_>) -> Refuted {
    let mut found = Refuted::default();
    for index in 0..outcome.ledger.len() {
        match outcome.ledger.standing(index) {
            Standing::Refuted(_) => found.proved += 1,
            Standing::NotWithinBounds(bounds) => {
                found.bounds.extend(bounds.iter().map(ToString::to_string));
            }
            Standing::Open => {
                if let Some(Limit::NotWithinBounds(bounds)) = outcome.ledger.obstacle(index) {
                    found.bounds.extend(bounds.iter().map(ToString::to_string));
                }
            }
            _ => {}
        }
    }
    found
}

/// What a campaign for `f` with tests of so many steps refutes.
pub fn refuted_of(text: &str, steps: usize) -> Refuted {
    let unit = load(text, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    let mut request = request(&unit, &interface, &[MCDC]);
    (request.subject.steps, request.budget) = (steps, Budget::Work(3_000));
    refuted(&run(&request))
}
