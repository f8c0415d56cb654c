//! The range of each node over all steps of all runs.
//!
//! Abstract interpretation over intervals: the graph is scanned with a range for each latch until
//! a fixpoint. A range that keeps growing is widened to the next constant of the
//! system (Cousot and Cousot's widening, with thresholds), then to infinity; two further scans
//! narrow it. A saturating counter gets the range of its constants, because
//! an arm of a choice is evaluated under the test that selects it: see [`facts`].

use obligato_model::Value;
use obligato_transition_system::{CheckKind, Latch, NodeId, Sort, System, Term};
use rustc_hash::FxHashMap;

use crate::classes::Classes;
use crate::grid::Grid;
use crate::interval::Interval;

mod facts;
mod transfer;

use facts::Facts;

/// A range may grow so often before it is widened to the next threshold …
const GROWTHS_BEFORE_WIDENING: u32 = 2;
/// … and so often before it is widened to infinity.
const MOST_GROWTHS: u32 = 10;
/// After so many scans, all ranges that still grow are widened to infinity.
const MOST_SCANS: u32 = 60;
/// The number of narrowing scans.
const NARROWING_SCANS: u32 = 2;

/// A range for each node that is the [first](Classes::first) of its class.
#[derive(Clone, Debug)]
pub(crate) struct Ranges(Vec<Interval>);

impl Ranges {
    pub fn new(system: &System, classes: &Classes, grid: &Grid) -> Self {
        let mut analysis = Analysis::new(system, classes, grid);
        analysis.assume_assertions();
        analysis.grow();
        for _ in 0..NARROWING_SCANS {
            analysis.narrow();
        }
        analysis.scan();
        Self(analysis.ranges)
    }

    /// The range of a node that is the first of its class.
    pub fn of(&self, node: NodeId) -> Interval {
        self.0[node.index()]
    }
}

struct Analysis<'s> {
    system: &'s System,
    classes: &'s Classes,
    grid: &'s Grid,
    /// By node.
    ranges: Vec<Interval>,
    initial: Vec<Interval>,
    /// By latch.
    latches: Vec<Interval>,
    /// By input: its range under the assertions.
    assumed: FxHashMap<NodeId, Interval>,
}

impl<'s> Analysis<'s> {
    /// The ranges of sorts and types.
    fn new(system: &'s System, classes: &'s Classes, grid: &'s Grid) -> Self {
        let sort = |node| widest(system.graph.sort(node));
        let first = |(latch, value): (usize, &Value)| {
            let Latch { node, kind, .. } = &system.latches[latch];
            if system.is_undefined(latch) {
                // What simulations take may not be of the type.
                let of_type = Interval::of_type(kind).unwrap_or_else(|| sort(*node));
                of_type.join(grid.interval(value))
            } else {
                grid.interval(value)
            }
        };
        let mut analysis = Self {
            system,
            classes,
            grid,
            ranges: system.graph.nodes().map(sort).collect(),
            initial: system.initial_state().iter().enumerate().map(first).collect(),
            latches: system.latches.iter().map(|latch| sort(latch.node)).collect(),
            assumed: FxHashMap::default(),
        };
        analysis.scan();
        analysis
    }

    /// Restricts inputs by the assertions, which every run satisfies.
    fn assume_assertions(&mut self) {
        let checks = self.system.checks.iter();
        for check in checks.filter(|check| check.kind == CheckKind::Assertion) {
            let Some(facts) = Facts::of(self, check.node, true) else { continue };
            for (node, range) in facts.iter() {
                // Only an input can be kept in its range; of other nodes the assertion has to be left
                // as it is, to be checked.
                if !matches!(self.classes.term(node), Term::Input(_)) {
                    continue;
                }
                let known = self.assumed.get(&node).copied().unwrap_or(Interval::ALL);
                self.assumed.insert(node, known.meet(range).unwrap_or(known));
            }
        }
    }

    fn grow(&mut self) {
        let thresholds = self.thresholds();
        let mut growths = vec![0; self.latches.len()];
        self.latches.clone_from(&self.initial);
        for scan in 0.. {
            self.scan();
            let mut stable = true;
            for latch in 0..self.latches.len() {
                let (old, new) = (self.latches[latch], self.stored(latch));
                if old.contains(new) {
                    continue;
                }
                stable = false;
                growths[latch] += 1;
                let sort = self.system.graph.sort(self.system.latches[latch].node);
                let joined = old.join(new);
                self.latches[latch] = match growths[latch] {
                    growths if growths > MOST_GROWTHS || scan >= MOST_SCANS => widest(sort),
                    growths if growths > GROWTHS_BEFORE_WIDENING => {
                        widen(old, joined, &thresholds, widest(sort))
                    }
                    _ => joined,
                };
            }
            if stable {
                return;
            }
        }
    }

    /// What a latch can hold from now on is what it holds first and what it is given: if the ranges
    /// hold in every step, so do these.
    fn narrow(&mut self) {
        self.scan();
        for latch in 0..self.latches.len() {
            let held = self.initial[latch].join(self.stored(latch));
            self.latches[latch] = self.latches[latch].meet(held).unwrap_or(held);
        }
    }

    /// The range of the next value of a latch.
    fn stored(&self, latch: usize) -> Interval {
        self.of(self.classes.first(self.system.latches[latch].next))
    }

    fn scan(&mut self) {
        for node in self.classes.nodes() {
            let range = self.range(node);
            let range = match self.assumed.get(&node) {
                Some(assumed) => range.meet(*assumed).unwrap_or(range),
                None => range,
            };
            self.ranges[node.index()] = range;
        }
    }

    fn range(&self, node: NodeId) -> Interval {
        match self.classes.term(node) {
            Term::Input(input) => {
                let kind = &self.system.inputs[input as usize].kind;
                Interval::of_type(kind).unwrap_or_else(|| widest(self.system.graph.sort(node)))
            }
            Term::Latch(latch) => self.latches[latch as usize],
            Term::Ite(test, first, second) => {
                // A Boolean has no range to speak of: it is enough to know an arm that is never taken.
                let arm = |value: bool, arm| match self.system.graph.sort(node) {
                    Sort::Bool => {
                        self.of(test).meet(Interval::of_bool(value)).map(|_| self.of(arm))
                    }
                    _ => Facts::of(self, test, value)?.refine(self, arm),
                };
                match (arm(true, first), arm(false, second)) {
                    (Some(first), Some(second)) => first.join(second),
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => self.of(first).join(self.of(second)),
                }
            }
            term => {
                let mut operands = [Interval::ALL; 2];
                for (operand, child) in operands.iter_mut().zip(term.children()) {
                    *operand = self.of(child);
                }
                self.transfer(term, operands)
            }
        }
    }

    fn of(&self, node: NodeId) -> Interval {
        self.ranges[node.index()]
    }

    /// The constants of the system and their neighbours, in order.
    fn thresholds(&self) -> Vec<i128> {
        let graph = &self.system.graph;
        let constants = graph.nodes().filter_map(|node| graph.as_constant(node));
        let units = constants.filter_map(|value| self.grid.units(value));
        let mut thresholds: Vec<i128> =
            units.flat_map(|units| [units - 1, units, units + 1]).collect();
        thresholds.extend([-1, 0, 1]);
        thresholds.sort_unstable();
        thresholds.dedup();
        thresholds
    }
}

/// Widens the ends that have grown to the next thresholds.
fn widen(old: Interval, grown: Interval, thresholds: &[i128], widest: Interval) -> Interval {
    let below =
        |low: i128| thresholds[..thresholds.partition_point(|at| *at <= low)].last().copied();
    let above = |high: i128| thresholds.get(thresholds.partition_point(|at| *at < high)).copied();
    let jumped = Interval {
        low: if grown.low == old.low { old.low } else { grown.low.and_then(below) },
        high: if grown.high == old.high { old.high } else { grown.high.and_then(above) },
    };
    jumped.meet(widest).unwrap_or(widest)
}

/// All values of a sort.
fn widest(sort: Sort) -> Interval {
    match sort {
        Sort::Bool => Interval::BOOL,
        Sort::Int | Sort::Real => Interval::ALL,
        Sort::Machine(machine) => transfer::of_machine(machine),
    }
}

#[cfg(test)]
mod tests;
