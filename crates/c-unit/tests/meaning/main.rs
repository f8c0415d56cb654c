//! Conditions have the values that the source gives them: random C is compared with an interpreter of its text. The map between
//! conditions and code is what every other witness relies on, machine code among them, so only the source can tell that it is wrong.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::{env, fs};

use obligato_c_unit::{GapReason, Interface, LoadOptions, RunOptions, Unit};
use obligato_clang::{Flags, Limits, Source};
use obligato_criteria::{judge, plan};
use obligato_model::{
    Criterion, Goal, Observability, Program, Random, RecordedEvent, RecordedTest, Span, Suite,
    TestCase, Value, Verdict,
};

mod expression;
mod function;

use expression::VARIABLES;
use function::{CONTEXTS, Context, Function, ONCE, Part};

/// A file of random functions.
struct Grown {
    functions: Vec<Function>,
    text: String,
    unit: Unit,
    /// The conditions by where they stand.
    conditions: HashMap<Part, Vec<usize>>,
    /// The decisions that are said to be left out.
    missing: BTreeSet<usize>,
}

impl Grown {
    fn new(seed: u64, contexts: &[Context]) -> Self {
        let mut random = Random::new(seed);
        let mut functions: Vec<Function> =
            (0..40).map(|index| Function::grow(&mut random, index, contexts)).collect();
        let mut text = "static int same(int x) { return x; }\n".to_owned();
        for function in &mut functions {
            function.write(&mut text);
        }
        let unit = load(&text);
        let mut conditions: HashMap<Part, Vec<usize>> = HashMap::new();
        for (index, condition) in unit.program().conditions().iter().enumerate() {
            conditions.entry(part(condition.span)).or_default().push(index);
        }
        let missing = missing(&unit, &conditions);
        Self { functions, text, unit, conditions, missing }
    }

    fn line(&self, number: u32) -> &str {
        self.text.lines().nth(number as usize - 1).unwrap().trim()
    }

    /// What the source says of one run.
    fn expected(&self, function: &Function, values: &[i64; 4]) -> ByDecision {
        let noted = function.run(values);
        let noted = noted.iter().flat_map(|(part, truth)| {
            let here = self.conditions.get(part).into_iter().flatten();
            here.map(|condition| (*condition, *truth))
        });
        by_decision(self.unit.program(), noted)
    }

    /// What the code did.
    fn seen(&self, test: &RecordedTest) -> ByDecision {
        let evaluated = test.events.iter().filter_map(|event| match event {
            RecordedEvent::Evaluated(one) => Some((one.condition.index(), one.value)),
            _ => None,
        });
        by_decision(self.unit.program(), evaluated)
    }

    /// Of what the compiler has folded altogether it is only known that it is passed, not how often.
    fn agree(&self, seen: &[(usize, bool)], expected: &[(usize, bool)]) -> bool {
        let conditions = self.unit.program().conditions();
        if !expected.iter().all(|(condition, _)| conditions[*condition].constant.is_some()) {
            return seen == expected;
        }
        let set = |all: &[(usize, bool)]| all.iter().copied().collect::<BTreeSet<_>>();
        set(seen) == set(expected)
    }
}

fn load(text: &str) -> Unit {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("f.c"), text).unwrap();
    let source = Source {
        file: "f.c".into(),
        directory: directory.path().to_owned(),
        flags: Flags::new(&["-w".to_owned()]).unwrap(),
        limits: Limits::default(),
    };
    Unit::load(&source, LoadOptions::default()).unwrap()
}

fn missing(unit: &Unit, conditions: &HashMap<Part, Vec<usize>>) -> BTreeSet<usize> {
    let mut missing = BTreeSet::new();
    for gap in unit.gaps() {
        match &gap.reason {
            GapReason::Unmapped(_) => {
                let here = conditions[&part(gap.span)].iter();
                missing.extend(here.map(|one| unit.program().conditions()[*one].decision.index()));
            }
            GapReason::Dead => {}
            _ => panic!("{gap}"),
        }
    }
    missing
}

fn part(span: Span) -> Part {
    (span.start.line, span.start.column, span.end.column)
}

/// Per decision, its conditions as they were evaluated.
type ByDecision = BTreeMap<usize, Vec<(usize, bool)>>;

fn by_decision(program: &Program, all: impl Iterator<Item = (usize, bool)>) -> ByDecision {
    let mut found = ByDecision::new();
    for (condition, value) in all {
        let decision = program.conditions()[condition].decision.index();
        found.entry(decision).or_default().push((condition, value));
    }
    found
}

fn tests(random: &mut Random, count: usize) -> Vec<[i64; 4]> {
    (0..count).map(|_| [(); 4].map(|()| [0, 0, 1, 2, 3][random.below(5)])).collect()
}

fn suite_of(unit: &Unit, interface: &Interface, tests: &[[i64; 4]]) -> Suite {
    let inputs = unit.variables(interface).inputs;
    let tests = tests.iter().enumerate().map(|(index, values)| {
        let value = |name: &str| {
            VARIABLES.iter().position(|one| *one == name).map(|at| Value::int(values[at]))
        };
        let step = inputs.iter().map(|input| value(&input.name)).collect();
        TestCase { name: TestCase::default_name(index), steps: vec![step] }
    });
    Suite { tests: tests.collect(), inputs: inputs.clone() }
}

/// How many files are made: more with `MEANING_SEEDS`.
fn seeds() -> u64 {
    env::var("MEANING_SEEDS").map_or(12, |count| count.parse().unwrap())
}

#[test]
fn conditions_have_the_values_that_the_source_gives_them() {
    let (mut compared, mut left_out) = (0, 0);
    let mut problems: BTreeSet<String> = BTreeSet::new();
    for seed in 0..seeds() {
        let grown = Grown::new(seed, CONTEXTS);
        let mut random = Random::for_purpose(seed, "tests");
        for function in &grown.functions {
            let interface = grown.unit.interface(&function.name).unwrap();
            let values = tests(&mut random, 12);
            let suite = suite_of(&grown.unit, &interface, &values);
            let options = RunOptions::default();
            let (recording, _) = grown.unit.record(&interface, &suite, options).unwrap();
            for (values, test) in values.iter().zip(&recording.tests) {
                let (expected, seen) = (grown.expected(function, values), grown.seen(test));
                let all: BTreeSet<&usize> = expected.keys().chain(seen.keys()).collect();
                for decision in all {
                    let said = &grown.unit.program().decisions()[*decision];
                    if said.text == function::GUARD {
                        continue;
                    }
                    if grown.missing.contains(decision) {
                        left_out += 1;
                        continue;
                    }
                    compared += 1;
                    let of = |all: &'_ ByDecision| all.get(decision).cloned().unwrap_or_default();
                    let (seen, expected) = (of(&seen), of(&expected));
                    if !grown.agree(&seen, &expected) {
                        let line = grown.line(said.span.start.line);
                        let text = &said.text;
                        problems.insert(format!(
                            "{values:?}, `{text}` in `{line}`: {seen:?}, not {expected:?}"
                        ));
                    }
                }
            }
        }
    }
    let listed: Vec<&str> = problems.iter().map(String::as_str).collect();
    assert!(listed.is_empty(), "{} of {compared}:\n{}", listed.len(), listed.join("\n"));
    assert!(compared > 30_000, "{compared} compared");
    assert!(left_out * 25 < compared, "{left_out} left out, {compared} compared");
}

/// The tests that show an effect of each condition, by its value.
fn effects(
    grown: &Grown,
    interface: &Interface,
    suite: &Suite,
    semantics: Observability,
) -> BTreeMap<(usize, bool), Vec<usize>> {
    let (unit, criteria) = (&grown.unit, [Criterion::Omcdc(semantics)]);
    let measured = unit.measure(interface, suite, &criteria, RunOptions::default()).unwrap();
    let plan = plan(unit.program(), &criteria);
    let judged = judge(unit.program(), plan, &measured.evidence).unwrap();
    let obligations = judged.plan.obligations.iter().zip(&judged.verdicts);
    let covered =
        obligations.filter_map(|(obligation, verdict)| match (&obligation.goal, verdict) {
            (Goal::Independence(condition, value), Verdict::Covered { tests, .. }) => {
                let tests = tests.iter().map(|test| test.index()).collect();
                Some(((condition.index(), *value), tests))
            }
            _ => None,
        });
    covered.collect()
}

/// What is evaluated once and negated there has only the effects that tags follow.
#[test]
fn tags_reach_whatever_a_condition_that_is_turned_around_changes() {
    let (mut compared, mut problems) = (0, BTreeSet::new());
    for seed in 1000..1000 + seeds() {
        let grown = Grown::new(seed, ONCE);
        let mut random = Random::for_purpose(seed, "tests");
        for function in &grown.functions {
            let interface = grown.unit.interface(&function.name).unwrap();
            let suite = suite_of(&grown.unit, &interface, &tests(&mut random, 12));
            let tags = effects(&grown, &interface, &suite, Observability::Tags);
            for ((condition, value), tests) in
                effects(&grown, &interface, &suite, Observability::Exact)
            {
                compared += tests.len();
                let tagged = tags.get(&(condition, value)).cloned().unwrap_or_default();
                if !tests.iter().all(|test| tagged.contains(test)) {
                    let condition = &grown.unit.program().conditions()[condition];
                    let line = grown.line(condition.span.start.line);
                    problems.insert(format!("`{}` being {value} in `{line}`", condition.text));
                }
            }
        }
    }
    let listed: Vec<&str> = problems.iter().map(String::as_str).collect();
    assert!(listed.is_empty(), "{} of {compared}:\n{}", listed.len(), listed.join("\n"));
    assert!(compared > 5_000, "{compared} compared");
}
