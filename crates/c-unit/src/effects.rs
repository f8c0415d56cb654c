//! Observability: does the effect of a condition reach something that is observed?
//!
//! [`exact`] runs twins in which the condition never has its value. [`flow`] propagates tags through one
//! run, under the two tag semantics; what it needs to know of the code beforehand is in [`facts`], and
//! [`tags`] keeps its sets. A [`trail`] says where one of them got lost.

use obligato_criteria::evidence::TestEvidence;
use obligato_model::Observability;

use crate::interface::Interface;
use crate::run::{Runner, TestRun, Written};
use crate::script::Write;

pub mod exact;
pub mod facts;
pub mod flow;
pub mod follower;
pub mod tags;
pub mod trail;

use flow::Flow;
use tags::TagSet;

/// Runs a test once more with tags, and adds to its evidence whose effects reached an output.
pub fn add_tagged_effects(
    runner: &mut Runner<'_, Flow<'_>, ()>,
    interface: &Interface,
    script: &[Vec<Write>],
    semantics: Observability,
    evidence: &mut TestEvidence,
) {
    let (reached, _) = run_tagged(runner, interface, script);
    let mut all = evidence.observed.iter_mut();
    let Some((_, observed)) = all.find(|(watched, _)| *watched == semantics) else { return };
    for tag in runner.shadow_mut().sets.tags(reached) {
        observed.conditions[usize::from(tag.value)].insert(tag.condition.index());
        for boundary in (0..8).filter(|bit| tag.boundaries >> bit & 1 == 1) {
            observed.boundaries.insert(tag.condition, boundary);
        }
    }
}

/// Runs a test with tags; gives those of conditions that decided which reached an output.
fn run_tagged(
    runner: &mut Runner<'_, Flow<'_>, ()>,
    interface: &Interface,
    script: &[Vec<Write>],
) -> (TagSet, TestRun) {
    runner.shadow_mut().begin();
    let mut reached = TagSet::EMPTY;
    let set = |flow: &mut Flow<'_>, write: &Write, written: Written<'_, TagSet>| {
        let whole = write.whole_bytes();
        flow.set(written.start.advanced(whole.start as u64), &mut written.marks[whole]);
    };
    let run = runner.run_marked(script, set, |runner, visible| {
        for cell in &interface.outputs {
            for mark in runner.marks_of(cell, visible).to_vec() {
                reached = runner.shadow_mut().sets.unite(reached, mark);
            }
        }
        runner.shadow_mut().begin_step();
    });
    let flow = runner.shadow_mut();
    let observed_outside = flow.observed_outside();
    let reached = flow.sets.unite(reached, observed_outside);
    (flow.decided(reached), run)
}
