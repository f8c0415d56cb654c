//! Systems for single events, helped by what is known of others.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use obligato_circuit::Lit;
use obligato_engines_lustre::monitor::{Decided, Known, decide};
use obligato_engines_lustre::shared_query::SharedQuery;
use obligato_engines_lustre::{Effect, Event, Events};
use obligato_model::{ConditionId, Observability};
use obligato_prove::Invariant;
use obligato_solver::Stop;
use support::Subject;

/// A token goes round three places, so that it is never in two, and no effect of `x` is ever seen.
const RING: &str = "node ring(x: bool) returns (out: bool);
var first, second, third: bool;
let
  first = true -> pre third;
  second = false -> pre first;
  third = false -> pre second;
  out = x and first and second;
tel";

#[test]
fn what_is_known_helps_although_its_proof_does_not_fit_into_the_system() {
    let subject = Subject::new("ring.lus", RING.as_bytes()).unwrap();
    let mut events = Events::default();
    let event = Event::Observed(Observability::Strict, ConditionId::new(0), true);
    events.intern(event.clone());
    let asked = SharedQuery::new(&subject.lowered, &subject.observed(), &events).unwrap();
    let latches: Vec<Lit> =
        asked.query.encoding.circuit.latches().iter().map(|latch| Lit::of(latch.gate)).collect();
    let effect = Effect::of(&event).unwrap();
    let monitored = effect.monitor(&subject.lowered, &subject.observed()).unwrap();
    // That two places never hold the token together proves itself only with the other two pairs; the other claims
    // are wrong.
    for (index, first) in latches.iter().enumerate() {
        for second in &latches[..index] {
            for (first, second) in
                [(*first, *second), (!*first, *second), (*first, !*second), (!*first, !*second)]
            {
                let invariant = Invariant { clauses: vec![vec![first, second]], k: 1 };
                let known = Known { query: &asked.query, invariant: &invariant };
                let inputs = subject.lowered.system.inputs.len();
                let decided = decide(&monitored, inputs, known, 10_000, &Stop::never());
                let decided = decided.unwrap().decided;
                assert!(matches!(decided, Decided::Never(_)), "{decided:?} with {invariant:?}");
            }
        }
    }
}
