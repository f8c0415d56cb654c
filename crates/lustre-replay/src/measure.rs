//! Measuring: a suite runs in lanes, and its evaluations become evidence.
//!
//! A [`Measurement`] is a model prepared for measuring: its system with the Booleans added that
//! measuring asks for ([`boundaries`], whether the arms of a choice differ) and the list of all that
//! is read at each step. A [`Meter`] runs batch after batch of tests through it:
//!
//! 1. forwards, adding up what decisions, conditions and boundaries showed ([`marking`],
//!    [`tally`]);
//! 2. backwards, for the tag semantics of observability ([`flow`]);
//! 3. once more per test with conditions stuck, for the exact semantics ([`stuck`]), as far as
//!    that can possibly show ([`possible`]).
//!
//! From the step on in which a test violates an assertion, nothing counts.

use obligato_criteria::Vectors;
use obligato_criteria::evidence::TestEvidence;
use obligato_lustre::lowering::{Lowered, Occurrence};
use obligato_model::{Criterion, DecisionId, Observability, TestCase, Watched};
use obligato_transition_system::lanes::{self, Mask, Reader, Taps, WORDS};
use obligato_transition_system::{Error, LaneProgram, NodeId, Simulator, System};

use crate::batch::Batch;
use crate::failure::Failure;

mod boundaries;
mod flow;
mod forwards;
mod marking;
mod possible;
mod propagation;
mod readings;
mod stuck;
mod tally;
mod trail;

pub use boundaries::boundary_nodes;
use flow::Flow;
pub(crate) use marking::{and, not, or};
use possible::Possible;
pub use propagation::{PassCondition, pass_conditions};
use readings::{Readings, Slot};
use stuck::StuckRunner;
pub use tally::{ConditionTally, DecisionTally, EffectTally, LaneTally};
pub use trail::{Lost, Masking, Trail};

/// What a measurement records.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The semantics under which effects are followed to what is observed.
    pub effects: Vec<Observability>,
    /// The scalars observed; usually the outputs.
    pub observed: Vec<NodeId>,
    /// Are effects of boundaries followed under the exact semantics too? They cost a run each.
    pub boundaries: bool,
    /// Are whole evaluations kept?
    pub vectors: Vectors,
}

impl Watch {
    /// What these criteria have to see, where this is observed.
    pub fn for_criteria(criteria: &[Criterion], observed: Vec<NodeId>) -> Self {
        let effects = criteria.iter().filter_map(|criterion| criterion.observability());
        let mut effects: Vec<Observability> = effects.collect();
        effects.sort_unstable();
        effects.dedup();
        let is_exact = |one: &Criterion| one.observability() == Some(Observability::Exact);
        let boundaries = criteria.iter().any(|one| one.needs_operands() && is_exact(one));
        Self { effects, observed, boundaries, vectors: Vectors::needed_by(criteria) }
    }

    /// Plain execution, with the outputs as what is observed.
    pub fn outputs(lowered: &Lowered) -> Self {
        Self {
            effects: Vec::new(),
            observed: lowered.system.outputs.iter().map(|output| output.node).collect(),
            boundaries: false,
            vectors: Vectors::Drop,
        }
    }
}

/// A model prepared for measuring.
#[derive(Debug)]
pub struct Measurement<'l> {
    lowered: &'l Lowered,
    watch: Watch,
    watched: Watched,
    /// The model's system, with what measuring reads added.
    system: System,
    readings: Readings,
    statements: Vec<Slot>,
    sites: Vec<Site>,
    flows: Vec<(Observability, Flow)>,
    /// Kept for the exact semantics.
    possible: Option<Possible>,
}

/// An occurrence of a decision, by slots.
#[derive(Clone, Debug)]
struct Site {
    decision: DecisionId,
    active: Slot,
    conditions: Vec<ConditionSite>,
}

/// A condition of it.
#[derive(Clone, Debug)]
struct ConditionSite {
    tap: NodeId,
    value: Slot,
    boundaries: Vec<Slot>,
}

/// The measurement of one test.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The evidence for the criteria.
    pub evidence: TestEvidence,
    /// The first failure of each check, in the order of steps.
    pub failures: Vec<Failure>,
    /// The step in which a number exceeded the size limit, if one did: the test ended there.
    pub exhausted: Option<usize>,
}

impl<'l> Measurement<'l> {
    /// Prepares a model.
    pub fn new(lowered: &'l Lowered, watch: Watch) -> Result<Self, Error> {
        let mut system = lowered.system.clone();
        let mut readings = Readings::default();
        let statements = lowered.statements.iter().map(|active| readings.slot(*active)).collect();
        let mut sites = Vec::new();
        for (index, site) in lowered.decisions.iter().enumerate() {
            for occurrence in &site.occurrences {
                let decision = DecisionId::new(index);
                sites.push(Site::new(lowered, decision, occurrence, &mut system, &mut readings)?);
            }
        }
        let mut flows = Vec::new();
        for &semantics in &watch.effects {
            if semantics != Observability::Exact {
                let flow = Flow::new(&mut system, &watch.observed, semantics, &mut readings)?;
                flows.push((semantics, flow));
            }
        }
        let exact = watch.effects.contains(&Observability::Exact);
        let possible = exact
            .then(|| Possible::new(&mut system, &watch.observed, &mut readings))
            .transpose()?;
        let watched = Watched { effects: watch.effects.clone(), kills: Vec::new() };
        Ok(Self { lowered, watch, watched, system, readings, statements, sites, flows, possible })
    }

    /// The model.
    pub fn lowered(&self) -> &'l Lowered {
        self.lowered
    }

    /// What it watches for.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// The same, as evidence wants to know.
    pub fn watched(&self) -> &Watched {
        &self.watched
    }

    /// The programs of the lanes, which a [`Meter`] runs.
    pub fn compile(&self) -> Result<Compiled<'_>, Error> {
        let options =
            lanes::LaneOptions { taps: Taps::Observe, observe: self.readings.nodes().to_vec() };
        let plain = LaneProgram::new(&self.system, &options)?;
        let readers = self.readings.readers(&plain)?;
        let options =
            lanes::LaneOptions { taps: Taps::Force, observe: self.watch.observed.clone() };
        let exact = self.watch.effects.contains(&Observability::Exact);
        let forcing =
            exact.then(|| LaneProgram::new(&self.lowered.system, &options)).transpose()?;
        Ok(Compiled { plain, readers, forcing })
    }
}

impl Site {
    fn new(
        lowered: &Lowered,
        decision: DecisionId,
        occurrence: &Occurrence,
        system: &mut System,
        readings: &mut Readings,
    ) -> Result<Self, Error> {
        let program = &lowered.program;
        let mut conditions = Vec::new();
        for (ordinal, (tap, operands)) in
            occurrence.taps.iter().zip(&occurrence.operands).enumerate()
        {
            let condition = program.condition_at(decision, ordinal);
            let tap = tap.expect("invariant: every condition of a lowered decision has its tap");
            let tap = system.graph.tap_node(tap);
            let mut boundaries = Vec::new();
            if let Some((x, y)) = operands {
                let graph = &mut system.graph;
                for node in boundary_nodes(graph, program, condition, *x, *y)? {
                    boundaries.push(readings.slot(node));
                }
            }
            conditions.push(ConditionSite { tap, value: readings.slot(tap), boundaries });
        }
        Ok(Self { decision, active: readings.slot(occurrence.active), conditions })
    }
}

/// A measurement compiled for the lanes.
#[derive(Debug)]
pub struct Compiled<'m> {
    plain: LaneProgram<'m>,
    readers: Vec<Reader>,
    forcing: Option<LaneProgram<'m>>,
}

/// Runs tests and collects evidence.
#[derive(Debug)]
pub struct Meter<'m> {
    measurement: &'m Measurement<'m>,
    readers: &'m [Reader],
    simulator: Simulator<'m, WORDS>,
    stuck: Option<StuckRunner<'m>>,
}

impl<'m> Meter<'m> {
    /// A meter for a measurement.
    pub fn new(measurement: &'m Measurement<'m>, compiled: &'m Compiled<'m>) -> Self {
        let observed = &measurement.watch.observed;
        let stuck = compiled.forcing.as_ref().zip(measurement.possible.as_ref());
        let stuck = stuck.map(|(program, possible)| {
            StuckRunner::new(program, possible, measurement.lowered, observed)
        });
        Self {
            measurement,
            readers: &compiled.readers,
            simulator: Simulator::new(&compiled.plain),
            stuck,
        }
    }

    /// Tallies up to [`LANES`](crate::LANES) tests, a bit per test: everything but observability under
    /// the exact semantics, which costs runs of its own.
    pub fn tally(&mut self, tests: &[TestCase]) -> Result<LaneTally, Error> {
        let batch = Batch::new(tests);
        let measurement = self.measurement;
        let mut tally = LaneTally::new(&measurement.lowered.program, &measurement.watched);
        let run = self.run_forwards(batch, &mut tally)?;
        self.run_backwards(batch, &run, &mut tally)?;
        tally.failed = run.failures.into_checks();
        Ok(tally)
    }

    /// What it measures.
    pub fn measurement(&self) -> &'m Measurement<'m> {
        self.measurement
    }

    /// Measures up to [`LANES`](crate::LANES) tests.
    pub fn measure(&mut self, tests: &[TestCase]) -> Result<Vec<Measured>, Error> {
        let batch = Batch::new(tests);
        let program = &self.measurement.lowered.program;
        let watched = &self.measurement.watched;
        let mut tally = LaneTally::new(program, watched);
        let run = self.run_forwards(batch, &mut tally)?;
        self.run_backwards(batch, &run, &mut tally)?;
        let mut measured = Vec::new();
        for (lane, test) in batch.tests().iter().enumerate() {
            let mut evidence = tally.evidence(program, watched, lane, &test.name);
            if let Some(stuck) = &mut self.stuck {
                stuck.observe(program, test, lane, &run, &mut evidence)?;
            }
            measured.push(Measured {
                evidence,
                failures: Vec::new(),
                exhausted: run.exhausted[lane],
            });
        }
        for (measured, failures) in measured.iter_mut().zip(run.failures.into_lanes()) {
            measured.failures = failures;
        }
        Ok(measured)
    }
}

/// A mask per lane set.
type Lanes = Mask<WORDS>;
