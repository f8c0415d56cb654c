//! The worked example of You et al., "Efficient Observability-based Test Generation by Dynamic
//! Symbolic Execution", section III-C: tag `in2_true` goes from `in2` to `v2`, `v4` and `out`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use obligato_engines_lustre::incremental::{Arrival, Incremental, Propagation, PropagationLimits};
use obligato_engines_lustre::shared_query::SharedQuery;
use obligato_engines_lustre::{Event, Events, Targets};
use obligato_lustre::lowering::Lowered;
use obligato_model::{ConditionId, Observability};
use obligato_prove::{Invariant, Run, Start};
use obligato_solver::Stop;
use obligato_transition_system::Term;
use support::Subject;

const EXAMPLE: &str = "node example(in1, in2, in3: bool) returns (out: bool);
var v1, v2, v3, v4: bool;
let
  v1 = (false -> (pre in1));
  v2 = (in2 and v1);
  v3 = (false -> (pre v2));
  v4 = (if in3 then v2 else v3);
  out = (false -> (pre v4));
tel";

/// What the paper calls a delay variable: the variable that a latch takes over.
fn delayed(lowered: &Lowered, targets: &Targets, asked: &SharedQuery, prophecy: usize) -> String {
    let prophecy = &targets.prophecies[asked.query.prophecy_positions[prophecy]];
    let latch = targets.system.inputs[prophecy.input].name.clone();
    let named = lowered.system.latches.iter().find(|held| latch.starts_with(&held.name)).unwrap();
    // What `pre` is applied to is a decision of one condition, so it has a tap.
    let mut next = named.next;
    while let Term::Tap(_, of) = lowered.system.graph.term(next) {
        next = of;
    }
    let of = lowered.variables.iter().find(|variable| variable.node == next);
    of.map_or_else(|| named.name.clone(), |variable| variable.name.clone())
}

#[test]
fn the_tag_of_in2_takes_the_way_that_the_paper_shows() {
    let subject = Subject::new("example", EXAMPLE.as_bytes()).unwrap();
    let lowered = &subject.lowered;
    let in2 = lowered.program.conditions().iter().position(|one| one.text == "in2").unwrap();
    let mut events = Events::default();
    events.intern(Event::Observed(Observability::Strict, ConditionId::new(in2), true));
    let asked = SharedQuery::new(lowered, &subject.observed(), &events).unwrap();
    let targets = Targets::new(lowered, &subject.observed(), &events).unwrap();
    // The paper's own algorithm: one step at a time, nothing else.
    let effort = PropagationLimits { look_ahead: 0, backtracks: 0, conflicts: 1000 };
    let incremental = Incremental::new(&asked.query, effort, &Stop::never());
    let names = |at: &Propagation| -> Vec<String> {
        at.locations.iter().map(|prophecy| delayed(lowered, &targets, &asked, *prophecy)).collect()
    };

    // Iteration 1: a step that makes v1 true, then in2 true: v2 is the first location.
    let input = |values: [bool; 3]| {
        let values = values.map(obligato_model::Value::Bool);
        let unseen = vec![obligato_model::Value::Bool(false); targets.prophecies.len()];
        let bits = asked.query.encoding.input_bits(&[values.to_vec(), unseen].concat()).unwrap();
        bits.into_iter().map(|bit| bit.unwrap_or(false)).collect::<Vec<bool>>()
    };
    let tag = asked.query.lits[0];
    let start = incremental.start(tag);
    let prepared = incremental.propagate(&start, input([true, false, false]));
    assert_eq!(names(&prepared), Vec::<String>::new());
    let first = incremental.propagate(&prepared, input([false, true, false]));
    assert_eq!(names(&first), ["v2"]);

    // Iteration 2: with in3 false the tag goes on to v4. Iteration 3: out is seen.
    let second = incremental.propagate(&first, input([false, false, false]));
    assert_eq!(names(&second), ["v4"]);
    let visited = second.visited.iter().enumerate().filter(|(_, visited)| **visited);
    let mut visited: Vec<String> =
        visited.map(|(prophecy, _)| delayed(lowered, &targets, &asked, prophecy)).collect();
    visited.sort();
    assert_eq!(visited, ["v2", "v4"]);

    // From there the engine needs the one step that the paper needs, four in all.
    let mut incremental = Incremental::new(&asked.query, effort, &Stop::never());
    let shows = |run: &Run| {
        let measured = subject.measure(&[asked.query.test(run)]);
        let seen = measured[0].evidence.observed(Observability::Strict).unwrap();
        seen.conditions[1].contains(in2)
    };
    let Arrival::Arrived(run) = incremental.generate(second) else { panic!("it does not arrive") };
    assert_eq!(run.steps.len(), 4);
    assert!(shows(&run));
    // By itself it may take the step that goes to v4 at once, and is then one step shorter.
    let caught = incremental.start_after(tag, prepared.test.clone(), prepared.state.clone());
    let Arrival::Arrived(run) = incremental.generate(caught) else { panic!("it does not arrive") };
    assert!((3..=4).contains(&run.steps.len()), "{}", run.steps.len());
    assert!(shows(&run));
}

#[test]
fn a_search_from_the_initial_state_finds_the_shortest_test_which_skips_v2() {
    let subject = Subject::new("example", EXAMPLE.as_bytes()).unwrap();
    let program = &subject.lowered.program;
    let in2 = program.conditions().iter().position(|one| one.text == "in2").unwrap();
    let mut events = Events::default();
    events.intern(Event::Observed(Observability::Strict, ConditionId::new(in2), true));
    let asked = SharedQuery::new(&subject.lowered, &subject.observed(), &events).unwrap();
    let mut search = asked.query.search(Start::Initial, &Invariant::new(), &Stop::never());
    search.add_target(asked.query.lits[0]);
    let obligato_prove::bmc::BmcOutcome::Found(found) = search.next(10, 100_000) else {
        panic!("nothing found")
    };
    // With in3 true in the second step the effect is in v4 already.
    assert_eq!(found.run.steps.len(), 3);
}
