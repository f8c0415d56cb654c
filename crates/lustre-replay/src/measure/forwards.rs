//! The two passes over a batch: forwards through its steps, and back again for effects.
//!
//! Going back needs the readings of every step. Tests may be long, so only the rows of one
//! segment of steps are held; the states before the others are kept, and their rows are
//! computed again.

use obligato_criteria::Vectors;
use obligato_model::{BitSet, ConditionId};
use obligato_transition_system::Error;
use obligato_transition_system::lanes::{Saved, WORDS, contains, lanes};
use rustc_hash::FxHashMap;

use super::flow::Seen;
use super::marking::{LaneMarker, add, and, not, or};
use super::readings::read_row;
use super::tally::{LaneTally, add_by_value};
use super::{Lanes, Meter, Site};
use crate::batch::{Batch, LANES};
use crate::failure::Failures;

/// The most bytes of rows kept, unless one row is larger.
const SEGMENT_BYTES: usize = 64 << 20;

/// In which lanes a boundary of a condition was met in a step.
pub type Met = FxHashMap<(usize, ConditionId, usize), Lanes>;

/// The results of the forward pass that the backward pass needs.
pub struct ForwardRun {
    /// By step: the lanes in which it counts.
    pub counted: Vec<Lanes>,
    pub failures: Failures,
    /// By lane.
    pub exhausted: Vec<Option<usize>>,
    /// Kept only for effects of boundaries under the exact semantics.
    pub boundaries: Met,
    /// How many steps a segment has.
    segment: usize,
    /// The states before each segment.
    checkpoints: Vec<Saved<WORDS>>,
    /// The rows of the last segment.
    rows: Vec<Vec<Lanes>>,
}

impl ForwardRun {
    /// The rows of all steps, if they are held.
    pub fn all_rows(&self) -> Option<&[Vec<Lanes>]> {
        (self.checkpoints.len() == 1).then_some(&self.rows)
    }
}

impl Meter<'_> {
    /// Runs a batch and tallies it.
    pub(super) fn run_forwards(
        &mut self,
        batch: Batch<'_>,
        tally: &mut LaneTally,
    ) -> Result<ForwardRun, Error> {
        let row_bytes = size_of::<Lanes>() * self.readers.len().max(1);
        let mut run = ForwardRun {
            counted: Vec::new(),
            failures: Failures::new(self.simulator.program().system()),
            exhausted: vec![None; LANES],
            boundaries: Met::default(),
            segment: (SEGMENT_BYTES / row_bytes).max(1),
            checkpoints: Vec::new(),
            rows: Vec::new(),
        };
        let keeps_rows = !self.measurement.flows.is_empty() || self.stuck.is_some();
        let mut counter = Counter::default();
        let mut row = Vec::new();
        self.simulator.reset();
        for step in 0..batch.steps() {
            if keeps_rows && step % run.segment == 0 {
                run.checkpoints.push(self.simulator.save());
                run.rows.clear();
            }
            batch.apply_next(step, &mut self.simulator)?;
            self.simulator.step();
            run.failures.record(step, &self.simulator)?;
            let exhausted = self.simulator.exhausted();
            for lane in lanes(and(exhausted, batch.active(step))) {
                run.exhausted[lane].get_or_insert(step);
            }
            let ended = or(run.failures.outside(), exhausted);
            let live = and(batch.active(step), not(ended));
            run.counted.push(live);
            read_row(self.readers, &self.simulator, &mut row);
            self.count(&row, live, &mut counter, tally);
            if self.measurement.watch.boundaries && self.stuck.is_some() {
                self.note_boundaries(step, &row, live, &mut run.boundaries);
            }
            if keeps_rows {
                run.rows.push(std::mem::take(&mut row));
            }
        }
        Ok(run)
    }

    /// Tallies one step.
    fn count(&self, row: &[Lanes], live: Lanes, counter: &mut Counter, tally: &mut LaneTally) {
        let measurement = self.measurement;
        for (slot, executed) in measurement.statements.iter().zip(&mut tally.executed) {
            add(executed, and(row[*slot as usize], live));
        }
        for site in &measurement.sites {
            let active = and(row[site.active as usize], live);
            if active != [0; WORDS] {
                counter.count_site(measurement, site, row, active, tally);
            }
        }
    }

    fn note_boundaries(&self, step: usize, row: &[Lanes], live: Lanes, met: &mut Met) {
        let program = &self.measurement.lowered.program;
        for site in &self.measurement.sites {
            let active = and(row[site.active as usize], live);
            for (ordinal, condition) in site.conditions.iter().enumerate() {
                for (boundary, slot) in condition.boundaries.iter().enumerate() {
                    let lanes = and(row[*slot as usize], active);
                    if lanes != [0; WORDS] {
                        let id = program.condition_at(site.decision, ordinal);
                        add(met.entry((step, id, boundary)).or_default(), lanes);
                    }
                }
            }
        }
    }

    /// The backward pass: tallies observability under the tag semantics.
    pub(super) fn run_backwards(
        &mut self,
        batch: Batch<'_>,
        run: &ForwardRun,
        tally: &mut LaneTally,
    ) -> Result<(), Error> {
        let measurement = self.measurement;
        if measurement.flows.is_empty() {
            return Ok(());
        }
        let mut seen: Vec<Seen> = measurement.flows.iter().map(|(_, flow)| flow.start()).collect();
        let mut again = Vec::new();
        for (segment, checkpoint) in run.checkpoints.iter().enumerate().rev() {
            let start = segment * run.segment;
            let rows = if segment + 1 == run.checkpoints.len() {
                &run.rows
            } else {
                self.simulator.restore(checkpoint)?;
                again.clear();
                for step in start..start + run.segment {
                    batch.apply(step, &mut self.simulator)?;
                    self.simulator.step();
                    let mut row = Vec::new();
                    read_row(self.readers, &self.simulator, &mut row);
                    again.push(row);
                }
                &again
            };
            for (step, row) in rows.iter().enumerate().rev() {
                let live = run.counted[start + step];
                for ((semantics, flow), seen) in measurement.flows.iter().zip(&mut seen) {
                    flow.step_back(row, live, seen);
                    let mut of_semantics = tally.observed.iter_mut();
                    let Some((_, effects)) = of_semantics.find(|(of, _)| of == semantics) else {
                        continue;
                    };
                    for site in &measurement.sites {
                        let active = and(row[site.active as usize], live);
                        let first = measurement.lowered.program.condition_at(site.decision, 0);
                        for (ordinal, condition) in site.conditions.iter().enumerate() {
                            let Some(node) = flow.node(condition.tap) else { continue };
                            let out = and(seen.at(node), active);
                            let effect = &mut effects[first.index() + ordinal];
                            add_by_value(&mut effect.values, row[condition.value as usize], out);
                            for (slot, met) in
                                condition.boundaries.iter().zip(&mut effect.boundaries)
                            {
                                add(met, and(out, row[*slot as usize]));
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Room for counting one occurrence of a decision.
#[derive(Default)]
struct Counter {
    marker: LaneMarker,
    values: Vec<Lanes>,
    unmasked: Vec<Lanes>,
}

impl Counter {
    fn count_site(
        &mut self,
        measurement: &super::Measurement<'_>,
        site: &Site,
        row: &[Lanes],
        active: Lanes,
        tally: &mut LaneTally,
    ) {
        let decision = measurement.lowered.program.decision(site.decision);
        self.values.clear();
        self.values.extend(site.conditions.iter().map(|at| row[at.value as usize]));
        let outcome = self.marker.mark(&decision.tree, &self.values, &mut self.unmasked);
        let seen = &mut tally.decisions[site.decision.index()];
        add(&mut seen.reached, active);
        add_by_value(&mut seen.outcomes, outcome, active);
        if measurement.watch.vectors == Vectors::Keep {
            for lane in lanes(active) {
                let mut vector = BitSet::empty(self.values.len());
                for (ordinal, value) in self.values.iter().enumerate() {
                    if contains(value, lane) {
                        vector.insert(ordinal);
                    }
                }
                seen.vectors.entry(vector).or_default()[lane / 64] |= 1 << (lane % 64);
            }
        }
        let first = decision.first_condition.index();
        for (ordinal, condition) in site.conditions.iter().enumerate() {
            let value = self.values[ordinal];
            let unmasked = and(self.unmasked[ordinal], active);
            let counted = &mut tally.conditions[first + ordinal];
            add_by_value(&mut counted.taken, value, active);
            add_by_value(&mut counted.shown[0], value, and(unmasked, not(outcome)));
            add_by_value(&mut counted.shown[1], value, and(unmasked, outcome));
            for (slot, met) in condition.boundaries.iter().zip(&mut counted.boundaries) {
                add(met, and(row[*slot as usize], active));
            }
        }
    }
}
