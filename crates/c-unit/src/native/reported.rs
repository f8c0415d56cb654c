//! What the probed build has reported, as evidence: a native run is the last word on what a program can do.
//!
//! Calls are not reported, so a sequence of values is taken apart by decision: within one evaluation conditions come in the
//! order of the source. What a recursive function does inside of a decision may be cut in the wrong place then; it is asked only of
//! tests on which executor and machine do not agree, to withdraw refutations and never to count coverage.

use std::collections::BTreeSet;

use obligato_criteria::{Collector, Evidence, Vectors};
use obligato_model::{ConditionEvaluation, ConditionId, RecordedEvent, Watched};

use super::Sequence;
use crate::record::Recorder;
use crate::unit::Unit;
use crate::watch::Meaning;

impl Unit {
    /// The evaluations of decisions in what native runs have reported, each as a test of its own.
    pub fn reported_evidence<'s>(
        &self,
        reported: impl IntoIterator<Item = &'s Sequence>,
    ) -> Evidence {
        let mut evaluations: BTreeSet<Vec<(usize, bool)>> = BTreeSet::new();
        for sequence in reported {
            self.take_apart(sequence, &mut evaluations);
        }
        let watched = Watched::default();
        let mut evidence = Evidence::new(&self.program, watched.clone(), Vectors::Keep);
        for evaluation in evaluations {
            let mut collector = Collector::new(&self.program, &watched, Vectors::Keep);
            collector.begin("native run");
            let is_whole = evaluation.iter().all(|&(condition, value)| {
                let condition = ConditionId::new(condition);
                let evaluated = ConditionEvaluation { condition, value, operands: None };
                collector.take(&RecordedEvent::Evaluated(evaluated)).is_ok()
            });
            if let Some(shown) = is_whole.then(|| collector.finish().ok()).flatten() {
                evidence.add(shown);
            }
        }
        evidence
    }

    /// Adds the evaluations in a sequence, with the conditions that the compiler has folded.
    fn take_apart(&self, sequence: &Sequence, evaluations: &mut BTreeSet<Vec<(usize, bool)>>) {
        let mut running: Vec<Vec<(usize, bool)>> = vec![Vec::new(); self.program.decisions().len()];
        let mut recorder = Recorder::new(&self.program, &self.folded);
        recorder.begin();
        for &(condition, value) in sequence {
            let id = ConditionId::new(condition as usize);
            recorder.pass(&Meaning::Evaluate(id), value, &[], |event| {
                let RecordedEvent::Evaluated(ConditionEvaluation { condition, value, .. }) = event
                else {
                    return;
                };
                let decision = self.program.condition(condition).decision;
                let running = &mut running[decision.index()];
                if running.last().is_some_and(|(last, _)| *last >= condition.index()) {
                    evaluations.insert(std::mem::take(running));
                }
                running.push((condition.index(), value));
            });
        }
        evaluations.extend(running.into_iter().filter(|evaluation| !evaluation.is_empty()));
    }
}
