//! Runs of one model compared: the reference, the exact evaluator and a lane of the simulator,
//! all variables of all calls and all checks at every step.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![allow(dead_code, reason = "each test uses a part of it")]

mod inputs;

use std::collections::{BTreeMap, HashMap};

use obligato_lustre::analysis::{self, Model, VariableId, analyse};
use obligato_lustre::lowering::{Lowered, Options, lower};
use obligato_lustre_syntax::{Diagnostic, parse};
use obligato_model::Value;
use obligato_transition_system::lanes;
use obligato_transition_system::{Check, CheckKind, Evaluator, NodeId, Simulator, TapId};

use crate::reference::{Evaluations, Reference, Step, Undefined, V, flatten};
pub use inputs::Inputs;

/// The lane that runs; the others stay at zero.
const LANE: usize = 5;

/// Parses, analyses and lowers.
pub fn load(
    name: &str,
    text: &[u8],
    main: Option<&str>,
) -> Result<(Model, Lowered), Vec<Diagnostic>> {
    let program = parse(text)?.program;
    let model = analyse(program, &analysis::Options { main })?;
    let lowered = lower(&model, name, text, &Options::default())?;
    Ok((model, lowered))
}

/// How a run went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The steps compared. Fewer than asked for if a number exceeded the size limit.
    pub steps: usize,
    /// The steps at which an assertion, a subrange or an index was violated.
    pub faulty: usize,
    /// The scalars compared.
    pub values: usize,
}

/// Takes so many steps on inputs drawn from `seed` and compares them all.
pub fn compare(name: &str, model: &Model, lowered: &Lowered, seed: u64, steps: usize) -> Run {
    let system = &lowered.system;
    let named = named_nodes(lowered);
    let observe = lowered.variables.iter().map(|variable| variable.node).collect();
    let options = lanes::LaneOptions { observe, ..lanes::LaneOptions::default() };
    let program = lanes::LaneProgram::new(system, &options).unwrap();
    let mut simulator = Simulator::<1>::new(&program);
    let mut evaluator = Evaluator::new(system);
    let mut reference = Reference::new(model, Undefined::Zero);
    let mut inputs = Inputs::new(system, seed);
    let mut run = Run::default();
    for step in 0..steps {
        let row = inputs.next(&evaluator);
        if evaluator.step(&row).is_err() {
            break;
        }
        for (index, value) in row.iter().enumerate() {
            simulator.set_input(index, LANE, value).unwrap();
        }
        simulator.step();
        let by_name = system.inputs.iter().map(|input| input.name.clone()).zip(row);
        let report = reference.step(by_name.collect::<BTreeMap<_, _>>());
        let where_ = || format!("{name}, seed {seed}, step {step}");
        let mut outputs = 0;
        for (path, variable, value) in reference.values() {
            let nodes =
                &named.get(path).unwrap_or_else(|| panic!("{}: {path}", where_()))[&variable];
            let mut scalars = Vec::new();
            flatten(value, &mut scalars);
            assert_eq!(scalars.len(), nodes.len(), "{}: {path}", where_());
            for (expected, node) in scalars.iter().zip(nodes) {
                let found = evaluator.value(*node).unwrap();
                let what = || format!("{}: {path}.{}", where_(), model.variable_name(variable));
                assert_eq!(scalar(found), *expected, "{}", what());
                assert_eq!(*found, simulator.value(*node, LANE).unwrap(), "{}, lanes", what());
                run.values += 1;
            }
            outputs += usize::from(model.main_node().outputs.contains(&variable));
        }
        assert!(outputs >= model.main_node().outputs.len(), "{}: outputs", where_());
        for check in &system.checks {
            let found = evaluator.value(check.node).unwrap();
            assert_eq!(*found, simulator.value(check.node, LANE).unwrap(), "{}", where_());
        }
        let faulty = compare_checks(&where_(), lowered, &evaluator, &report);
        if !faulty {
            compare_evaluations(&where_(), model, lowered, &evaluator, &reference.evaluations());
        }
        run.faulty += usize::from(faulty);
        run.steps += 1;
    }
    run
}

/// Compares the reference and the exact evaluator on the same inputs with other values for what nothing defines: what is not
/// listed as undefined must not depend on it.
pub fn compare_undefined(name: &str, model: &Model, lowered: &Lowered, seed: u64, steps: usize) {
    let system = &lowered.system;
    let named = named_nodes(lowered);
    let mut state = system.initial_state();
    for latch in system.unguarded() {
        assert!(system.is_undefined(latch), "{name}: {}", system.latches[latch].name);
        state[latch] = match &state[latch] {
            Value::Bool(_) => Value::Bool(true),
            Value::Real(_) => Value::Real(obligato_model::Rational::from(1)),
            _ => Value::int(1),
        };
    }
    let mut evaluator = Evaluator::from_state(system, state).unwrap();
    let mut reference = Reference::new(model, Undefined::Other);
    let mut inputs = Inputs::new(system, seed);
    for step in 0..steps {
        let row = inputs.next(&evaluator);
        if evaluator.step(&row).is_err() {
            break;
        }
        let by_name = system.inputs.iter().map(|input| input.name.clone()).zip(row);
        let report = reference.step(by_name.collect::<BTreeMap<_, _>>());
        let at = format!("{name}, seed {seed}, step {step}, undefined values");
        for (path, variable, value) in reference.values() {
            let mut scalars = Vec::new();
            flatten(value, &mut scalars);
            for (expected, node) in scalars.iter().zip(&named[path][&variable]) {
                let found = scalar(evaluator.value(*node).unwrap());
                assert_eq!(found, *expected, "{at}: {path}.{}", model.variable_name(variable));
            }
        }
        if !compare_checks(&at, lowered, &evaluator, &report) {
            compare_evaluations(&at, model, lowered, &evaluator, &reference.evaluations());
        }
    }
}

/// The scalars of each variable of each call.
fn named_nodes(lowered: &Lowered) -> HashMap<&str, HashMap<VariableId, Vec<NodeId>>> {
    let mut named: HashMap<&str, HashMap<VariableId, Vec<NodeId>>> = HashMap::new();
    for variable in &lowered.variables {
        let path = lowered.instances[variable.instance.index()].path.as_str();
        named.entry(path).or_default().entry(variable.variable).or_default().push(variable.node);
    }
    named
}

/// A value of a sort as the reference has it.
fn scalar(value: &Value) -> V {
    match value {
        Value::Bool(value) => V::Bool(*value),
        Value::Int(value) => V::Int(value.clone()),
        Value::Real(value) => V::Real(value.clone()),
        other => panic!("{other} is no value of a sort"),
    }
}

/// Is this the bound of an input, which lowering states as an assertion?
fn is_bound(check: &Check) -> bool {
    check.kind == CheckKind::Assertion && check.label.contains("' stays in subrange ")
}

/// Does this hold a function without a body to being one? The reference knows no such thing; runs
/// computed by hand say what is claimed.
fn is_of_function(check: &Check) -> bool {
    check.kind == CheckKind::Assertion && check.label.starts_with("equal arguments of '")
}

fn compare_checks(at: &str, lowered: &Lowered, evaluator: &Evaluator<'_>, step: &Step) -> bool {
    let holds = |check: &Check| *evaluator.value(check.node).unwrap() == Value::Bool(true);
    let mut claims: BTreeMap<&str, Vec<(CheckKind, bool)>> = BTreeMap::new();
    let mut fails: HashMap<CheckKind, bool> = HashMap::new();
    for check in &lowered.system.checks {
        let path = &lowered.instances[lowered.origins[check.origin as usize].instance.index()].path;
        match check.kind {
            CheckKind::Assertion if is_of_function(check) => {}
            CheckKind::Assertion | CheckKind::Property if !is_bound(check) => {
                claims.entry(path).or_default().push((check.kind, holds(check)));
            }
            kind => *fails.entry(kind).or_default() |= !holds(check),
        }
    }
    for (path, expected) in &step.checks {
        let found = claims.remove(path.as_str()).unwrap_or_default();
        assert_eq!(found, *expected, "{at}: checks of {path}");
    }
    // A call that was never made so far has no frame; what it claims holds.
    for (path, found) in claims {
        assert!(found.iter().all(|(_, holds)| *holds), "{at}: checks of {path}");
    }
    let fails = |kind| fails.get(&kind).copied().unwrap_or_default();
    assert_eq!(fails(CheckKind::Subrange), step.left_subrange, "{at}: subranges");
    assert_eq!(fails(CheckKind::Index), step.left_array, "{at}: indices");
    // The reference takes all of an array for undefined if an element is, and all that a clock
    // decides if the clock is; lowering tells scalars apart.
    assert!(!fails(CheckKind::DivisionByZero) || step.divided_by_zero, "{at}: divisions");
    let refused = |(kind, holds): &(CheckKind, bool)| *kind == CheckKind::Assertion && !holds;
    step.left_subrange || step.left_array || step.checks.values().flatten().any(refused)
}

/// What is evaluated in a step, with the values of its conditions, and what is discarded.
fn compare_evaluations(
    at: &str,
    model: &Model,
    lowered: &Lowered,
    evaluator: &Evaluator<'_>,
    expected: &Evaluations,
) {
    let holds = |node: NodeId| *evaluator.value(node).unwrap() == Value::Bool(true);
    let mut positions = vec![0; lowered.instances.len()];
    for (decision, site) in lowered.program.decisions().iter().zip(&lowered.decisions) {
        let instance = &lowered.instances[decision.function.index()];
        let position = positions[decision.function.index()];
        positions[decision.function.index()] += 1;
        let active = site.occurrences.iter().filter(|one| holds(one.active));
        let tap = |tap: &Option<TapId>| holds(lowered.system.graph.tap_node(tap.unwrap()));
        let mut found: Vec<Vec<bool>> =
            active.map(|one| one.taps.iter().map(tap).collect()).collect();
        found.sort_unstable();
        let known = expected.get(&(instance.path.clone(), position));
        let text = || {
            let node = model.text(model.node(instance.node).name.symbol);
            format!("{at}: {} of {node}, {}", decision.text, instance.path)
        };
        assert_eq!(found, known.cloned().unwrap_or_default(), "{}", text());
    }
}

/// Compares two lowerings of what should be one model: the interface, the decisions, and the
/// outputs and checks of a run.
pub fn compare_lowered(name: &str, one: &Lowered, other: &Lowered, steps: usize) {
    assert_eq!(one.interface, other.interface, "{name}");
    let decisions = |lowered: &Lowered| {
        let all = lowered.program.decisions().iter();
        all.map(|decision| (decision.tree.clone(), decision.role)).collect::<Vec<_>>()
    };
    assert_eq!(decisions(one), decisions(other), "{name}");
    let paths = |lowered: &Lowered| {
        lowered.instances.iter().map(|instance| instance.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(paths(one), paths(other), "{name}");
    let kinds = |lowered: &Lowered| {
        lowered.system.checks.iter().map(|check| check.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(one), kinds(other), "{name}");
    let mut inputs = Inputs::new(&one.system, name.len() as u64);
    let mut runs = [one, other].map(|lowered| Evaluator::new(&lowered.system));
    for step in 0..steps {
        let row = inputs.next(&runs[0]);
        if runs.iter_mut().any(|run| run.step(&row).is_err()) {
            return;
        }
        for output in 0..one.system.outputs.len() {
            assert_eq!(runs[0].output(output), runs[1].output(output), "{name}, step {step}");
        }
        for (check, same) in one.system.checks.iter().zip(&other.system.checks) {
            let (found, again) = (runs[0].value(check.node), runs[1].value(same.node));
            assert_eq!(found, again, "{name}, step {step}: {}", check.label);
        }
    }
}
