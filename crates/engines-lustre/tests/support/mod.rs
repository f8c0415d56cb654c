//! Models, their events, and runs of the systems made for events.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::print_stdout, reason = "a skipped test says so")]

use obligato_criteria::{Vectors, bvc, mcc};
use obligato_engines_lustre::{Event, Events, Targets};
use obligato_lustre::analysis::{self, Model, analyse};
use obligato_lustre::lowering::{Lowered, Options, lower};
use obligato_lustre_replay::random::random_test;
use obligato_lustre_replay::{LANES, Measured, Measurement, Meter, Watch};
use obligato_lustre_syntax::parse;
use obligato_model::{
    ConditionId, DecisionId, Observability, Random, StatementId, TestCase, Value,
};
use obligato_transition_system::{CheckKind, Evaluator, NodeId, System};

pub mod explore;
pub mod judged;

/// A model with its text and what that means.
pub struct Subject {
    pub name: String,
    pub text: Vec<u8>,
    pub model: Model,
    pub lowered: Lowered,
}

impl Subject {
    /// A model from its text, if it is one.
    pub fn new(name: &str, text: &[u8]) -> Option<Self> {
        let model = analyse(parse(text).ok()?.program, &analysis::Options::default()).ok()?;
        let lowered = lower(&model, name, text, &Options::default()).ok()?;
        Some(Self { name: name.to_owned(), text: text.to_vec(), model, lowered })
    }

    /// The nodes of the outputs.
    pub fn observed(&self) -> Vec<NodeId> {
        self.lowered.system.outputs.iter().map(|output| output.node).collect()
    }

    /// Random tests, fewer of a larger model.
    pub fn some_tests(&self, seed: u64) -> Vec<TestCase> {
        let count = if self.lowered.system.graph.len() < 300 { 20 } else { 3 };
        self.random_tests(count, 8, seed)
    }

    /// Random tests of several lengths; some may violate assertions.
    pub fn random_tests(&self, count: usize, steps: usize, seed: u64) -> Vec<TestCase> {
        let mut random = Random::new(seed);
        let inputs = &self.lowered.interface.inputs;
        let mut test = |index| {
            let steps = steps - index % steps.min(4);
            random_test(TestCase::default_name(index), inputs, steps, &mut random)
        };
        (0..count).map(&mut test).collect()
    }

    /// Measures tests with everything watched for.
    pub fn measure(&self, tests: &[TestCase]) -> Vec<Measured> {
        let watch = Watch {
            effects: vec![Observability::Strict, Observability::Tags, Observability::Exact],
            vectors: Vectors::Keep,
            boundaries: true,
            ..Watch::outputs(&self.lowered)
        };
        let measurement = Measurement::new(&self.lowered, watch).expect("it can be measured");
        let compiled = measurement.compile().expect("the system is sound");
        let mut meter = Meter::new(&measurement, &compiled);
        tests.chunks(LANES).flat_map(|some| meter.measure(some).expect("the tests fit")).collect()
    }

    /// Everything that can happen to decisions, asked for by a criterion or not.
    pub fn events(&self) -> Events {
        let program = &self.lowered.program;
        let mut events = Events::default();
        for statement in (0..program.statements().len()).map(StatementId::new) {
            events.intern(Event::Executed(statement));
        }
        for decision in (0..program.decisions().len()).map(DecisionId::new) {
            let tree = &program.decision(decision).tree;
            events.intern(Event::Outcome(decision, false));
            events.intern(Event::Outcome(decision, true));
            if tree.conditions() <= 5 {
                for vector in mcc::list(tree) {
                    events.intern(Event::Vector(decision, vector.into()));
                }
            }
        }
        for condition in (0..program.conditions().len()).map(ConditionId::new) {
            for value in [false, true] {
                events.intern(Event::Taken(condition, value));
                for outcome in [false, true] {
                    events.intern(Event::Shown { condition, value, outcome });
                }
            }
            for boundary in 0..bvc::boundaries_of(program, condition).len() {
                events.intern(Event::Boundary(condition, boundary));
            }
            for semantics in [Observability::Strict, Observability::Tags, Observability::Exact] {
                for value in [false, true] {
                    events.intern(Event::Observed(semantics, condition, value));
                }
                for boundary in 0..bvc::boundaries_of(program, condition).len() {
                    events.intern(Event::ObservedBoundary(semantics, condition, boundary));
                }
            }
        }
        events
    }
}

/// Small models of what the public ones lack: several occurrences, equal arms, clocks, faults at run
/// time. Some have few states.
const SMALL: [(&str, &str); 9] = [
    (
        "arrays",
        "node main(x: int^3; on: bool) returns (some: bool; count: int);
         var high: bool^3;
         let
           high[i] = x[i] > 2 and (on or x[i] < 5);
           some = high[0] or high[1] xor high[2];
           count = (if some then 1 else 0) + (0 -> pre count);
         tel",
    ),
    (
        "equal arms",
        "node main(a, b, c: bool; n: int) returns (out: bool; sum: int);
         var held: bool;
         let
           held = (if a and b then n > 1 else n >= 2) -> (if a or not b then pre held else c);
           sum = if c xor held then 3 else if a then 3 else n;
           out = false -> pre (held and b);
         tel",
    ),
    (
        "divisions",
        "node main(x: int; y: subrange [0, 3] of int; a: bool) returns (q: int; r: bool);
         let
           assert y > 0 or a;
           q = if a then x else x div y;
           r = (if q > 2 then x mod (y + 1) else 0) = 1 -> pre r and q < 4;
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
        "sequence",
        "type mode = enum { idle, busy, done };
         node main(go, stop: bool; level: subrange [0, 4] of int) returns (m: mode; alarm: bool);
         var n: subrange [0, 5] of int;
         let
           m = idle -> if pre m = idle and go then busy
                       else if pre m = busy and (stop or pre n >= 3) then done
                       else if pre m = done and not go then idle else pre m;
           n = 0 -> if m = busy and pre n < 5 then pre n + 1 else 0;
           alarm = m = busy and level > 3 and n > 1;
         tel",
    ),
    (
        "clocks",
        "node inner(x: int; b: bool) returns (y: bool; n: int);
         let
           n = (if x > 2 or b then 1 else 0) + (0 -> pre n);
           y = (x > 2 and not b) -> x < 5 and pre y or n = 3;
         tel
         node main(c, b: bool; x: int) returns (out: bool; n, m: int);
         let
           out, n = condact(c, inner(x, b), false, 0);
           m = merge(c; (x + 1) when c; (if b xor x > 1 then 2 else 0) when not c);
         tel",
    ),
    (
        "faults",
        "node main(x, y: int; a: bool) returns (q: subrange [0, 9] of int; r: bool);
         let
           q = if a and x > 0 then x - 1 else y;
           r = x div (y - 2) > 1 or q < 3 and x mod 2 = 1;
         tel",
    ),
    (
        "too late",
        "node main(a, b: bool) returns (out: bool);
         var first, kept: bool;
         let
           first = true -> false;
           kept = (a or b) and first;
           out = (false -> pre kept) and first;
         tel",
    ),
    (
        "masked",
        "node main(a, b, slow: bool) returns (out: bool; seen: bool);
         var dead, late: bool;
         let
           dead = (a and not a) or b;
           late = false -> pre (if slow then b else late);
           out = late and (dead or a);
           seen = if current(b when slow) then out else (a => a and out);
         tel",
    ),
];

/// The small models.
pub fn small_models() -> Vec<Subject> {
    let model = |(name, text): &(&str, &str)| {
        Subject::new(name, text.as_bytes()).unwrap_or_else(|| panic!("{name} is no model"))
    };
    SMALL.iter().map(model).collect()
}

/// A model from its text.
pub fn model(text: &str) -> Lowered {
    let subject = Subject::new("m.lus", text.as_bytes());
    subject.unwrap_or_else(|| panic!("not a model: {text}")).lowered
}

/// A public model by its path in the collection; `None`, with a word about it, if that is not there.
pub fn public_model(path: &str) -> Option<Lowered> {
    let text = obligato_test_support::models::text(path)?;
    Subject::new(path, &text).map(|subject| subject.lowered)
}

/// The public models that load and are not too large; none if the collection is not there.
pub fn models(most_nodes: usize) -> Vec<Subject> {
    let load = |(name, text): (String, Vec<u8>)| {
        Subject::new(&name, &text).filter(|it| it.lowered.system.graph.len() <= most_nodes)
    };
    obligato_test_support::models::texts().into_iter().filter_map(load).collect()
}

/// Does a Boolean hold after a step?
pub fn holds(evaluator: &Evaluator<'_>, node: NodeId) -> bool {
    evaluator.value(node) == Some(&Value::Bool(true))
}

/// Do the last inputs satisfy all assertions?
pub fn is_inside(system: &System, evaluator: &Evaluator<'_>) -> bool {
    let mut checks = system.checks.iter();
    checks.all(|check| check.kind != CheckKind::Assertion || holds(evaluator, check.node))
}

/// The inputs of a step of a test.
fn values(step: &[Option<Value>]) -> Vec<Value> {
    step.iter().map(|value| value.clone().expect("random tests leave nothing open")).collect()
}

/// Does a Boolean hold in some step of a test that counts?
pub fn ever_holds(system: &System, node: NodeId, test: &TestCase) -> bool {
    let mut evaluator = Evaluator::new(system);
    for step in &test.steps {
        evaluator.step(&values(step)).expect("numbers stay small");
        if !is_inside(system, &evaluator) {
            return false;
        }
        if holds(&evaluator, node) {
            return true;
        }
    }
    false
}

/// By node of the grown system: does it hold in some step of a test that counts? Forwards for the
/// states, backwards for what is seen later.
pub fn ever_true(targets: &Targets, test: &TestCase) -> Vec<bool> {
    let system = &targets.system;
    let unseen = vec![Value::Bool(false); targets.prophecies.len()];
    let mut evaluator = Evaluator::new(system);
    let mut states = Vec::new();
    for step in &test.steps {
        let state = evaluator.state().to_vec();
        evaluator.step(&[values(step), unseen.clone()].concat()).expect("numbers stay small");
        if !is_inside(system, &evaluator) {
            break;
        }
        states.push(state);
    }
    let mut ever = vec![false; system.graph.len()];
    let mut later = unseen;
    for (state, step) in states.into_iter().zip(&test.steps).rev() {
        let mut evaluator = Evaluator::from_state(system, state).expect("a state of the system");
        evaluator.step(&[values(step), later.clone()].concat()).expect("it went well before");
        for (node, ever) in system.graph.nodes().zip(&mut ever) {
            *ever |= holds(&evaluator, node);
        }
        for prophecy in &targets.prophecies {
            later[prophecy.input - targets.model_inputs] =
                Value::Bool(holds(&evaluator, prophecy.seen));
        }
    }
    ever
}
