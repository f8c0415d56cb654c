//! Tag propagation of one effect through one test: the nodes that carry its tag in each step, and where it
//! is masked.

use obligato_model::{ConditionId, Observability, TestCase};
use obligato_transition_system::lanes::{WORDS, contains};
use obligato_transition_system::{Error, NodeId, Simulator};

use super::flow::{Blocked, Flow, FlowNode};
use super::readings::read_row;
use super::{Compiled, Measurement};
use crate::batch::Batch;
use crate::failure::Failures;

/// The propagation of one effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// By step: the nodes that carry the tag, operands before results. A step that does not count,
    /// because the test violates an assertion, has none.
    pub steps: Vec<Vec<NodeId>>,
    /// The operators that masked it, step by step. Masking within its own decision is left
    /// out if the effect ever left the decision.
    pub stops: Vec<(usize, Vec<Masking>)>,
    /// The first step in which something observed carries it.
    pub seen_at: Option<usize>,
    /// Where it was lost, if it is never observed.
    pub lost: Option<Lost>,
}

/// Where an effect was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The test ends while these latches hold it, by index.
    Held(Vec<usize>),
    /// These operators were the last to mask it, in this step. A step in which the effect
    /// left its decision, or came from an earlier step, takes precedence over one in which the decision
    /// itself masked it.
    Masked {
        /// The step, counted from 0.
        step: usize,
        /// The operators, those nearest to an output first.
        at: Vec<Masking>,
    },
    /// Nothing observed ever depends on the condition.
    Unconnected,
}

/// An operator that masks an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masking {
    /// The operator.
    pub result: NodeId,
    /// Its operand that carries the tag.
    pub operand: NodeId,
    /// The Boolean whose value decides: the other operand, or the test of a choice. `None` if
    /// both arms of the choice are equal.
    pub by: Option<NodeId>,
}

impl Measurement<'_> {
    /// Follows the effects of a condition having a value through a test, under one of the tag
    /// semantics that are watched for. `None` if it never has that value, or the semantics is
    /// not watched for.
    pub fn trail(
        &self,
        compiled: &Compiled<'_>,
        semantics: Observability,
        test: &TestCase,
        condition: ConditionId,
        value: bool,
    ) -> Result<Option<Trail>, Error> {
        let mut flows = self.flows.iter();
        let Some((_, flow)) = flows.find(|(of, _)| *of == semantics) else { return Ok(None) };
        let home = self.lowered.program.condition(condition);
        let sites: Vec<_> = self.sites.iter().filter(|at| at.decision == home.decision).collect();
        let tests = std::slice::from_ref(test);
        let batch = Batch::new(tests);
        let mut simulator = Simulator::<WORDS>::new(&compiled.plain);
        let mut failures = Failures::new(&self.system);
        let (mut trail, mut row) = (Trail::default(), Vec::new());
        let occurrences = &self.lowered.site(home.decision).occurrences;
        let roots: Vec<FlowNode> = occurrences.iter().filter_map(|at| flow.node(at.root)).collect();
        let mut carrier = Carrier::new(flow);
        let mut connected = false;
        for step in 0..batch.steps() {
            batch.apply(step, &mut simulator)?;
            simulator.step();
            failures.record(step, &simulator)?;
            if contains(&failures.outside(), 0) || contains(&simulator.exhausted(), 0) {
                break;
            }
            read_row(&compiled.readers, &simulator, &mut row);
            let holds = |slot: u32| contains(&row[slot as usize], 0);
            let mut set = Vec::new();
            for site in &sites {
                let at = &site.conditions[home.ordinal];
                if holds(site.active) && holds(at.value) == value {
                    set.push(at.tap);
                }
            }
            carrier.happened |= !set.is_empty();
            connected |= set.iter().any(|tap| flow.node(*tap).is_some());
            let kept = carrier.held.contains(&true);
            carrier.step(flow, &set, holds);
            trail.steps.push(carrier.carrying(flow));
            if trail.seen_at.is_none() && carrier.is_seen(flow) {
                trail.seen_at = Some(step);
            }
            let out = kept || roots.iter().any(|root| carrier.carries[*root as usize]);
            carrier.note_loss(
                flow,
                step,
                if out { Way::Outside } else { Way::Inside },
                &self.readings,
            );
        }
        if !carrier.happened {
            return Ok(None);
        }
        if trail.seen_at.is_none() {
            trail.lost = Some(if connected { carrier.loss(flow, self) } else { Lost::Unconnected });
        }
        trail.stops = carrier.stops;
        Ok(Some(trail))
    }
}

/// How far an effect propagated in a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// Its own decision masked it.
    Inside,
    /// It left the decision.
    Outside,
}

/// The nodes that carry a tag.
struct Carrier {
    carries: Vec<bool>,
    held: Vec<bool>,
    blocked: Vec<Blocked>,
    /// The furthest it got in a step so far.
    furthest: Way,
    stops: Vec<(usize, Vec<Masking>)>,
    happened: bool,
}

impl Carrier {
    fn new(flow: &Flow) -> Self {
        Self {
            carries: vec![false; flow.len()],
            held: vec![false; flow.latches()],
            blocked: Vec::new(),
            furthest: Way::Inside,
            stops: Vec::new(),
            happened: false,
        }
    }

    fn step(&mut self, flow: &Flow, set: &[NodeId], holds: impl Fn(u32) -> bool) {
        self.blocked.clear();
        flow.step_on(&mut self.carries, &mut self.held, set, holds, &mut self.blocked);
    }

    fn carrying(&self, flow: &Flow) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = flow
            .nodes()
            .filter(|(_, at)| self.carries[*at as usize])
            .map(|(node, _)| node)
            .collect();
        nodes.sort_unstable();
        nodes
    }

    fn is_seen(&self, flow: &Flow) -> bool {
        flow.observed().iter().any(|at| self.carries[*at as usize])
    }

    /// Records what masked the tag in this step, if it propagated at least as far as in earlier steps.
    fn note_loss(&mut self, flow: &Flow, step: usize, way: Way, readings: &super::Readings) {
        let mut masks: Vec<Masking> = self
            .blocked
            .iter()
            .filter(|blocked| !self.carries[blocked.result as usize])
            .map(|blocked| Masking {
                result: flow.node_at(blocked.result),
                operand: flow.node_at(blocked.operand),
                by: (!blocked.equal_arms).then(|| readings.nodes()[blocked.slot as usize]),
            })
            .collect();
        masks.sort_unstable_by_key(|mask| std::cmp::Reverse(mask.result));
        if masks.is_empty() || way < self.furthest {
            return;
        }
        if way > self.furthest {
            self.furthest = way;
            self.stops.clear();
        }
        self.stops.push((step, masks));
    }

    fn loss(&self, flow: &Flow, measurement: &Measurement<'_>) -> Lost {
        let held: Vec<usize> = flow.latches_holding(&self.held, &measurement.system);
        match self.stops.last() {
            _ if !held.is_empty() => Lost::Held(held),
            Some((step, at)) => Lost::Masked { step: *step, at: at.clone() },
            None => Lost::Unconnected,
        }
    }
}
