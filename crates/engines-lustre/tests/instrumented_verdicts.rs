//! The file that is written for other model checkers, decided by our own: a property of it is valid exactly
//! if its obligation is uncoverable.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod support;

use std::collections::HashMap;

use obligato_criteria::plan;
use obligato_engines_lustre::instrument::{self, instrument};
use obligato_engines_lustre::properties::{PropertyStatus, properties, prove};
use obligato_engines_lustre::{
    Budget, Demand, Event, Ledger, ModelUnderTest, Phase, Request, Status, run,
};
use obligato_lustre::flat::Dialect;
use obligato_model::Criterion;
use obligato_solver::Stop;
use support::judged::judged;
use support::{Subject, small_models};

/// By event, the name of the verdict that a campaign gives its obligation.
fn verdicts(subject: &Subject, criteria: &[Criterion]) -> HashMap<Event, &'static str> {
    let request = Request {
        subject: ModelUnderTest { lowered: &subject.lowered, observed: subject.observed() },
        criteria: criteria.to_vec(),
        given: Vec::new(),
        phases: Phase::OF_MODELS.to_vec(),
        budget: Budget::Work(1_000_000),
        seed: 3,
        threads: 2,
        shard: None,
    };
    let outcome = run(&request, &Stop::never(), &mut |_: &Status| {}).unwrap();
    let program = &subject.lowered.program;
    let ledger = Ledger::new(program, &plan(program, criteria));
    let mut verdicts = HashMap::new();
    for (index, verdict) in judged(&request, &outcome).assessment.verdicts.iter().enumerate() {
        if let Demand::Alternatives(ways) = ledger.demand(index)
            && let [way] = ways.as_slice()
            && let [event] = way.as_slice()
        {
            verdicts.insert(ledger.events().get(*event).clone(), verdict.name());
        }
    }
    verdicts
}

#[test]
fn proving_the_emitted_file_agrees_with_the_verdicts_of_a_campaign() {
    let criteria: Vec<Criterion> =
        ["decision", "omcdc", "omcdc:tags"].map(|name| name.parse().unwrap()).to_vec();
    let (mut valid, mut invalid) = (0, 0);
    for subject in small_models() {
        let verdicts = verdicts(&subject, &criteria);
        let outputs = subject.lowered.system.outputs.iter();
        let observed: Vec<_> = outputs.map(|one| (one.name.clone(), one.node)).collect();
        let written = instrument(&instrument::Request {
            lowered: &subject.lowered,
            main: "main",
            criteria: &criteria,
            observed: &observed,
            dialect: Dialect::Kind2,
        });
        let written = written.unwrap();
        let copy = Subject::new(&subject.name, written.text.as_bytes()).unwrap();
        let checks = properties(&copy.lowered);
        let budget = Budget::Work(1_000_000);
        let stop = Stop::never();
        let decided = prove(&copy.lowered, &checks, budget, 2, &stop, &mut |_: &Status| {});
        let decided = decided.unwrap();
        assert_eq!(decided.verdicts.len(), written.properties.len(), "{}", subject.name);
        for (property, decided) in written.properties.iter().zip(&decided.verdicts) {
            let [event] = property.events.as_slice() else { continue };
            let Some(verdict) = verdicts.get(event) else { continue };
            let expected = match &decided.status {
                PropertyStatus::Valid(_) => "uncoverable",
                PropertyStatus::Invalid(_) => "covered",
                PropertyStatus::Unknown(_) => "unresolved",
            };
            assert_eq!(*verdict, expected, "{}: {}", subject.name, property.title);
            valid += usize::from(expected == "uncoverable");
            invalid += usize::from(expected == "covered");
        }
    }
    assert!(valid > 20 && invalid > 100, "{valid} valid, {invalid} invalid");
}
