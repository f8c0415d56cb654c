//! Random automata run like a direct reading of what they mean, and models with blocks and
//! automata like what a person would write without.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use std::fmt::Write as _;

use obligato_lustre::lowering::Lowered;
use obligato_model::Value;
use obligato_transition_system::{Simulator, lanes};
use proptest::prelude::*;
use support::trace::{lowered, show};

/// What a state defines `x` as.
#[derive(Clone, Debug)]
enum Body {
    /// `x = init -> pre x + step`.
    Count(i64, i64),
    /// `x = last x + step`.
    Last(i64),
    /// `if a then x = i; fi`, in a frame.
    Partly,
    /// A call with memory.
    Call(i64),
    /// Nothing: the frame keeps it.
    Keep,
    Inner(Automaton),
}

#[derive(Clone, Debug)]
struct Arm {
    guard: usize,
    restart: bool,
    target: usize,
}

#[derive(Clone, Debug)]
struct State {
    body: Body,
    unless: Vec<Arm>,
    until: Vec<Arm>,
    // What it remembers since it was entered afresh: `pre x`, how often it called, `pre a` in its
    // weak and in its strong guards.
    x: Option<i64>,
    calls: i64,
    weak: Option<bool>,
    strong: Option<bool>,
}

#[derive(Clone, Debug)]
struct Automaton {
    states: Vec<State>,
    next: (usize, bool),
}

/// The guards; the last may use `x`, which strong transitions cannot.
const GUARDS: [&str; 6] = ["a", "not b", "i > 2", "last x > 4", "false -> pre a", "x > 6"];

struct Inputs {
    a: bool,
    b: bool,
    i: i64,
}

fn holds(guard: usize, inputs: &Inputs, last: i64, memory: Option<bool>, x: i64) -> bool {
    match guard {
        0 => inputs.a,
        1 => !inputs.b,
        2 => inputs.i > 2,
        3 => last > 4,
        4 => memory.unwrap_or(false),
        _ => x > 6,
    }
}

impl State {
    fn forget(&mut self) {
        (self.x, self.calls, self.weak) = (None, 0, None);
        if let Body::Inner(inner) = &mut self.body {
            inner.next = (0, false);
            for state in &mut inner.states {
                state.forget();
                state.strong = None;
            }
        }
    }

    fn strong(&mut self, inputs: &Inputs, last: i64, entered: (usize, bool)) -> (usize, bool) {
        if entered.1 {
            self.strong = None;
        }
        let memory = self.strong.replace(inputs.a);
        let arm = self.unless.iter().find(|arm| holds(arm.guard, inputs, last, memory, 0));
        arm.map_or(entered, |arm| (arm.target, arm.restart))
    }

    fn step(&mut self, position: usize, inputs: &Inputs, last: i64) -> (i64, (usize, bool)) {
        self.calls += 1;
        let x = match &mut self.body {
            Body::Count(init, step) => self.x.map_or(*init, |x| x + *step),
            Body::Last(step) => last + *step,
            Body::Partly if inputs.a => inputs.i,
            Body::Partly | Body::Keep => last,
            Body::Call(times) => *times * self.calls,
            Body::Inner(inner) => inner.step(inputs, last),
        };
        self.x = Some(x);
        let memory = self.weak.replace(inputs.a);
        let arm = self.until.iter().find(|arm| holds(arm.guard, inputs, last, memory, x));
        (x, arm.map_or((position, false), |arm| (arm.target, arm.restart)))
    }
}

impl Automaton {
    fn step(&mut self, inputs: &Inputs, last: i64) -> i64 {
        let entered = self.next;
        let (state, restart) = self.states[entered.0].strong(inputs, last, entered);
        if restart {
            // Strong guards have a memory of their own.
            self.states[state].forget();
        }
        let (x, next) = self.states[state].step(state, inputs, last);
        self.next = next;
        x
    }

    fn text(&self, name: &str, out: &mut String) {
        let _ = writeln!(out, "automaton {name}");
        for (position, state) in self.states.iter().enumerate() {
            let _ = writeln!(out, "state S{position}:");
            arms("unless", &state.unless, out);
            *out += "let\n";
            match &state.body {
                Body::Count(init, step) => {
                    let _ = writeln!(out, "x = {init} -> pre x + {step};");
                }
                Body::Last(step) => {
                    let _ = writeln!(out, "x = last x + {step};");
                }
                Body::Partly => *out += "if a then x = i; fi\n",
                Body::Call(times) => {
                    let _ = writeln!(out, "x = {times} * count();");
                }
                Body::Keep => {}
                Body::Inner(inner) => inner.text("Inner", out),
            }
            *out += "tel\n";
            arms("until", &state.until, out);
        }
        *out += "returns x;\n";
    }
}

fn arms(word: &str, arms: &[Arm], out: &mut String) {
    for (position, arm) in arms.iter().enumerate() {
        let entry = if arm.restart { "restart" } else { "resume" };
        let keyword = if position == 0 { format!("{word} if") } else { "elsif".to_owned() };
        let _ = writeln!(out, "{keyword} {} {entry} S{}", GUARDS[arm.guard], arm.target);
    }
    if !arms.is_empty() {
        *out += "end;\n";
    }
}

fn arm(states: usize, guards: usize) -> impl Strategy<Value = Arm> {
    (0..guards, any::<bool>(), 0..states).prop_map(|(guard, restart, target)| Arm {
        guard,
        restart,
        target,
    })
}

fn automaton(body: BoxedStrategy<Body>) -> impl Strategy<Value = Automaton> {
    (1usize..4).prop_flat_map(move |count| {
        let state = (
            body.clone(),
            prop::collection::vec(arm(count, GUARDS.len() - 1), 0..3),
            prop::collection::vec(arm(count, GUARDS.len()), 0..3),
        );
        let state = state.prop_map(|(body, unless, until)| State {
            body,
            unless,
            until,
            x: None,
            calls: 0,
            weak: None,
            strong: None,
        });
        prop::collection::vec(state, count)
            .prop_map(|states| Automaton { states, next: (0, false) })
    })
}

fn simple() -> BoxedStrategy<Body> {
    prop_oneof![
        (-3i64..4, -3i64..4).prop_map(|(init, step)| Body::Count(init, step)),
        (-3i64..4).prop_map(Body::Last),
        Just(Body::Partly),
        (1i64..4).prop_map(Body::Call),
        Just(Body::Keep),
    ]
    .boxed()
}

fn nested() -> BoxedStrategy<Body> {
    prop_oneof![2 => simple(), 1 => automaton(simple()).prop_map(Body::Inner)].boxed()
}

/// Runs a model in lanes, one per list of rows, and gives the first output of every step.
fn simulate(model: &Lowered, runs: &[Vec<Vec<Value>>]) -> Vec<Vec<String>> {
    let options = lanes::LaneOptions::default();
    let program = lanes::LaneProgram::new(&model.system, &options).unwrap();
    let mut simulator = Simulator::<1>::new(&program);
    let mut results = vec![Vec::new(); runs.len()];
    for step in 0..runs[0].len() {
        for (lane, run) in runs.iter().enumerate() {
            for (input, value) in run[step].iter().enumerate() {
                simulator.set_input(input, lane, value).unwrap();
            }
        }
        simulator.step();
        for (lane, result) in results.iter_mut().enumerate() {
            let outputs = &model.system.outputs;
            let values = outputs.iter().map(|out| show(&simulator.value(out.node, lane).unwrap()));
            result.push(values.collect::<Vec<_>>().join(" "));
        }
    }
    results
}

type Row = (bool, bool, i64);

fn rows() -> impl Strategy<Value = Vec<Vec<Row>>> {
    let row = (any::<bool>(), any::<bool>(), 0i64..6);
    prop::collection::vec(prop::collection::vec(row, 20), 16)
}

fn values(runs: &[Vec<Row>]) -> Vec<Vec<Vec<Value>>> {
    let row = |(a, b, i): &Row| vec![Value::Bool(*a), Value::Bool(*b), Value::int(*i)];
    runs.iter().map(|run| run.iter().map(row).collect()).collect()
}

const COUNT: &str = "node count() returns (n: int); let n = 1 -> pre n + 1; tel;\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn automata_run_as_they_read(automaton in automaton(nested()), runs in rows()) {
        let mut text = format!("{COUNT}node main(a, b: bool; i: int) returns (x: int);\n");
        text += "let frame (x) x = 2; let\n";
        automaton.text("Outer", &mut text);
        // A frame's variable that no state defines is still a variable of the frame.
        text += "tel tel;\n";
        let results = simulate(&lowered(&text), &values(&runs));
        for (run, result) in runs.iter().zip(results) {
            let mut copy = automaton.clone();
            let mut last = 2;
            for (step, ((a, b, i), found)) in run.iter().zip(result).enumerate() {
                last = copy.step(&Inputs { a: *a, b: *b, i: *i }, last);
                prop_assert_eq!(&found, &last.to_string(), "step {}\n{}", step, text);
            }
        }
    }

    #[test]
    fn models_run_like_those_written_without_blocks_and_automata(runs in rows()) {
        for (name, written, plain) in PAIRS {
            let head = format!("{COUNT}node main(a, b: bool; i: int) returns (x, y: int);\n");
            let one = simulate(&lowered(&format!("{head}{written}")), &values(&runs));
            let other = simulate(&lowered(&format!("{head}{plain}")), &values(&runs));
            prop_assert_eq!(one, other, "{}", name);
        }
    }
}

/// Models with blocks and automata, and the same written without.
const PAIRS: [(&str, &str, &str); 4] = [
    (
        "a chart with a timeout, as Stateflow has them",
        "let automaton Chart\n\
         initial state Off: unless a restart Heat let x = 0; y = last y; tel\n\
         state Heat: unless not a resume Off\n\
           var t: int;\n\
           let t = 1 -> pre t + 1; x = if t > 3 then 2 else 1; y = i + t; tel\n\
           until if t >= 5 and b restart Cool end\n\
         state Cool: let x = -1; y = last y - 1; tel until i = 0 restart Heat\n\
         returns x, y; tel;",
        "var s, e, n, t: int; r, fresh: bool;\n\
         let\n\
         e = 0 -> pre n;\n\
         s = if e = 0 and a then 1 else if e = 1 and not a then 0 else e;\n\
         r = (e = 0 and a) or (e <> s and s = 1) or (e = s and (false -> pre fresh));\n\
         fresh = (s = 1 and t >= 5 and b) or (s = 2 and i = 0);\n\
         t = if s = 1 then (if r then 1 else (1 -> pre t + 1)) else (1 -> pre t);\n\
         n = if s = 1 and t >= 5 and b then 2 else if s = 2 and i = 0 then 1 else s;\n\
         x = if s = 0 then 0 else if s = 1 then (if t > 3 then 2 else 1) else -1;\n\
         y = if s = 0 then pre y else if s = 1 then i + t else pre y - 1;\n\
         tel;",
    ),
    (
        "nested if blocks",
        "let if a then x = i; if b then y = 1; elsif i > 2 then y = x; else y = 3; fi\n\
         else y, x = (i, 7); fi tel;",
        "let x = if a then i else 7;\n\
         y = if a then (if b then 1 else if i > 2 then x else 3) else i; tel;",
    ),
    (
        "a frame",
        "let frame (x, y) x = 4; y = 5; let\n\
         if a then x = last x + i; elsif b then y = 0 -> pre x; x = 1; else y = i; fi\n\
         tel tel;",
        "let x = if a then (4 -> pre x) + i else if b then 1 else (4 -> pre x);\n\
         y = if a then (5 -> pre y) else if b then (0 -> pre x) else i; tel;",
    ),
    (
        "calls in branches run in every step",
        "let if a then x = count(); y = 0; else x = -count(); y = count(); fi tel;",
        "let x = if a then count() else -count(); y = if a then 0 else count(); tel;",
    ),
];
