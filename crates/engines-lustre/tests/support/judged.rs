//! The verdicts on what a campaign came to: its tests are replayed by themselves and judged with what it concluded.

use obligato_campaign::{Knowledge, assess};
use obligato_criteria::{Evidence, plan};
use obligato_engines_lustre::{Outcome, Request};
use obligato_lustre_replay::{LANES, Measurement, Meter, Watch};
use obligato_model::{Assessment, TestCase};

/// Verdicts, and the evidence that they rest on.
pub struct Judged {
    pub assessment: Assessment,
    pub evidence: Evidence,
}

/// Judges the given tests of a campaign and then the new ones.
pub fn judged(request: &Request<'_>, outcome: &Outcome<'_>) -> Judged {
    let lowered = request.subject.lowered;
    let watch = Watch::for_criteria(&request.criteria, request.subject.observed.clone());
    let measurement = Measurement::new(lowered, watch).expect("it can be measured");
    let compiled = measurement.compile().expect("the system is sound");
    let mut meter = Meter::new(&measurement, &compiled);
    let program = &lowered.program;
    let vectors = measurement.watch().vectors;
    let mut evidence = Evidence::new(program, measurement.watched().clone(), vectors);
    let made = outcome.tests.iter().map(|made| made.test.clone());
    let tests: Vec<TestCase> = request.given.iter().cloned().chain(made).collect();
    for measured in tests.chunks(LANES).flat_map(|some| meter.measure(some).expect("they fit")) {
        evidence.add(measured.evidence);
    }
    let conclusions = outcome.conclusions();
    let knowledge = Knowledge { conclusions, shard: request.shard, ..Knowledge::default() };
    let plan = plan(program, &request.criteria);
    let assessment = assess(program, plan, &evidence, &knowledge).expect("no contradiction");
    Judged { assessment, evidence }
}
