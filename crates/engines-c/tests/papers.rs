//! The papers' own examples, with the results that the papers report.

mod support;

use obligato_c_unit::{Settings, Unit};
use obligato_campaign::Phase;
use obligato_concolic::search::{Filtering, Strategy};
use obligato_engines_c::Outcome;
use obligato_model::{Criterion, TestCase, Value};
use support::{MCDC, load, request, run, tally};

/// Figure 1 of Su et al.; the array has room for what `v[j + 1]` reads.
const BUBBLE: &str = "#define MAXLEN 6
void bubble(int v[MAXLEN], int n)
{
    int i, j, k;
    if (n >= MAXLEN)
        return;
    for (i = n; i > 1; --i)
        for (j = 1; j < i; ++j)
            if (v[j] > v[j + 1]) {
                k = v[j];
                v[j] = v[j + 1];
                v[j + 1] = k;
            }
}
";

fn bubble(unit: &Unit, strategy: Strategy, filtering: Filtering) -> (u64, (usize, usize, usize)) {
    let interface = unit.interface("bubble").expect("an interface");
    let numbers = [4, 0, 1, 8, 0, 2];
    let values = interface.inputs.iter().map(|cell| match cell.name.as_str() {
        "v" => Some(Value::Symbol("new".to_owned())),
        "n" => Some(Value::int(0)),
        element => {
            let index: usize = element[2..element.len() - 1].parse().expect("v[i]");
            Some(Value::int(numbers[index]))
        }
    });
    let given = TestCase { name: "start".to_owned(), steps: vec![values.collect()] };
    let mut asked = request(unit, &interface, &[Criterion::Branch]);
    (asked.given, asked.subject.strategy, asked.subject.filtering) =
        (vec![given], strategy, filtering);
    asked.phases.retain(|phase| *phase != Phase::Bmc);
    let outcome = run(&asked);
    (outcome.found.statistics.runs, tally(&outcome))
}

#[test]
fn bubble_has_all_branches_after_four_runs() {
    let settings = Settings { elements: 6, ..Settings::default() };
    let unit = load(BUBBLE, "bubble", settings);
    assert_eq!(bubble(&unit, Strategy::Pps, Filtering::On), (4, (8, 0, 0)));
}

#[test]
fn filtering_loses_nothing_and_saves_runs() {
    let settings = Settings { elements: 6, ..Settings::default() };
    let unit = load(BUBBLE, "bubble", settings);
    for (name, strategy) in Strategy::ALL {
        let (with, covered) = bubble(&unit, strategy, Filtering::On);
        let (without, all) = bubble(&unit, strategy, Filtering::Off);
        assert_eq!(covered, all, "{name}");
        assert!(with <= without, "{name}: {with} runs with, {without} without");
    }
}

fn resolved(outcome: &Outcome<'_>) -> (usize, usize) {
    let (covered, refuted, open) = tally(outcome);
    assert_eq!(open, 0, "{:?}", outcome.limit);
    (covered, refuted)
}

#[test]
fn boundaries_and_logic_of_the_samples_are_covered() {
    // Figures 5 and 8 of Pandita.
    let bvc = "int SampleBVC(int x) { if (x >= 10) return 1; return 0; }";
    let unit = load(bvc, "SampleBVC", Settings::default());
    let interface = unit.interface("SampleBVC").expect("an interface");
    assert_eq!(resolved(&run(&request(&unit, &interface, &[Criterion::Bvc]))), (4, 0));
    let logic = "#include <stdbool.h>
    int SampleLC(bool x, bool y, bool z) { if (x && (y || z)) return 1; return 0; }";
    let unit = load(logic, "SampleLC", Settings::default());
    let interface = unit.interface("SampleLC").expect("an interface");
    let (covered, refuted) = resolved(&run(&request(&unit, &interface, &[MCDC])));
    assert!(covered >= 6 && refuted == 0, "{covered} {refuted}");
}

#[test]
fn the_same_work_gives_the_same_tests() {
    let unit = load(BUBBLE, "bubble", Settings { elements: 6, ..Settings::default() });
    let interface = unit.interface("bubble").expect("an interface");
    let asked = request(&unit, &interface, &[MCDC, Criterion::Bvc]);
    assert_eq!(run(&asked).tests, run(&asked).tests);
}

#[test]
fn runtime_errors_are_found_beside_the_tests() {
    let text = "int f(int *p, int a, int b) { if (a > 3) return *p / b; return a + b; }";
    let unit = load(text, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    let outcome = run(&request(&unit, &interface, &[MCDC]));
    let found: Vec<String> =
        outcome.found.errors.iter().map(|error| error.finding.kind.to_string()).collect();
    for expected in ["division by zero", "null pointer", "overflow"] {
        assert!(found.iter().any(|kind| kind.contains(expected)), "{expected}: {found:?}");
    }
}
