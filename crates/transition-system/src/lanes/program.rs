//! A system compiled for the lanes: dead terms gone, instructions in the order
//! to run them, a slot for every register.

use obligato_model::Value;
use rustc_hash::FxHashMap;

use super::allocate::Slots;
use super::draft::{Drafts, Literal, file_of};
use super::instruction::{File, InstructionRun, Operands};
use super::schedule::schedule;
use crate::error::Error;
use crate::sort::Sort;
use crate::system::System;
use crate::term::NodeId;

/// What the taps of a system are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Taps {
    /// Nothing: they cost nothing and cannot be read.
    #[default]
    Ignore,
    /// To be read.
    Observe,
    /// To be read and forced.
    Force,
}

/// What a program is compiled for.
#[derive(Clone, Debug, Default)]
pub struct LaneOptions {
    /// What the taps are for.
    pub taps: Taps,
    /// Nodes to be read besides inputs, latches, next values, outputs and checks.
    pub observe: Vec<NodeId>,
}

/// A compiled system.
#[derive(Debug)]
pub struct LaneProgram<'s> {
    system: &'s System,
    runs: Vec<InstructionRun>,
    operands: Vec<Operands>,
    sizes: [usize; 3],
    pub(super) constants: Vec<(RegisterSlot, Value)>,
    pub(super) inputs: Vec<RegisterSlot>,
    pub(super) current: Vec<RegisterSlot>,
    pub(super) next: Vec<RegisterSlot>,
    pub(super) forcings: Vec<Option<ForcingSlots>>,
    pub(super) observed: Vec<Observed>,
    /// The position of each check among the observed.
    pub(super) checks: Vec<u32>,
    by_node: FxHashMap<NodeId, u32>,
    /// What the exact evaluator has to compute, in order.
    pub(super) live: Vec<NodeId>,
    /// Is there a constant that no lane can hold?
    pub(super) outsized: bool,
}

/// A register that keeps its slot, and the sort of what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RegisterSlot {
    pub sort: Sort,
    pub slot: u32,
}

/// Where a tap is forced.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForcingSlots {
    pub mask: u32,
    pub value: RegisterSlot,
}

/// Where a node is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observed {
    pub node: NodeId,
    pub place: RegisterSlot,
    pub inverted: bool,
}

/// Where an observed Boolean is read.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    pub(super) slot: u32,
    pub(super) inverted: bool,
}

impl<'s> LaneProgram<'s> {
    /// Compiles a system.
    pub fn new(system: &'s System, options: &LaneOptions) -> Result<Self, Error> {
        system.validate()?;
        for node in &options.observe {
            system.graph.check(*node)?;
        }
        let observed = nodes_to_observe(system, options);
        let live = system.graph.reachable(observed.iter().copied());
        let mut drafts = Drafts::new(&system.graph, &live, options.taps);
        let mut layout = Layout::new(system, &mut drafts);
        let order = schedule(&drafts);
        layout.keep_observed(&observed, &drafts);
        Ok(layout.finish(system, &order, &observed, &drafts, &live))
    }

    /// The system it was compiled from.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// Instructions that do the same, in the order to run them.
    pub fn runs(&self) -> &[InstructionRun] {
        &self.runs
    }

    /// The operands that the runs refer to.
    pub fn operands(&self) -> &[Operands] {
        &self.operands
    }

    /// How many registers of a file it needs.
    pub fn registers(&self, file: File) -> usize {
        self.sizes[file as usize]
    }

    /// The file and slot of each input.
    pub fn input_slots(&self) -> impl Iterator<Item = (File, u32)> + '_ {
        self.inputs.iter().map(|place| (file_of(place.sort), place.slot))
    }

    /// The file and slots of each latch: what it holds, and what it will hold.
    pub fn latch_slots(&self) -> impl Iterator<Item = (File, u32, u32)> + '_ {
        let latches = self.current.iter().zip(&self.next);
        latches.map(|(current, next)| (file_of(current.sort), current.slot, next.slot))
    }

    /// The file, slot and value of each register that never changes.
    pub fn constant_slots(&self) -> impl Iterator<Item = (File, u32, &Value)> + '_ {
        self.constants.iter().map(|(place, value)| (file_of(place.sort), place.slot, value))
    }

    /// Where an observed Boolean is read, found once for many steps.
    pub fn reader(&self, node: NodeId) -> Result<Reader, Error> {
        let Observed { place, inverted, .. } = self.observed[self.position(node)?];
        match place.sort {
            Sort::Bool => Ok(Reader { slot: place.slot, inverted }),
            found => Err(Error::WrongOperand { operation: "reading Booleans".into(), found }),
        }
    }

    /// Where a node is read, as a position among the observed.
    pub(super) fn position(&self, node: NodeId) -> Result<usize, Error> {
        self.by_node.get(&node).map(|at| *at as usize).ok_or(Error::NotObserved(node))
    }
}

fn nodes_to_observe(system: &System, options: &LaneOptions) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = system.inputs.iter().map(|input| input.node).collect();
    nodes.extend(system.latches.iter().flat_map(|latch| [latch.node, latch.next]));
    nodes.extend(system.outputs.iter().map(|output| output.node));
    nodes.extend(system.checks.iter().map(|check| check.node));
    if options.taps != Taps::Ignore {
        nodes.extend(system.graph.taps());
    }
    nodes.extend(&options.observe);
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The slots that registers keep for good.
struct Layout {
    slots: Slots,
    inputs: Vec<RegisterSlot>,
    current: Vec<RegisterSlot>,
    next: Vec<RegisterSlot>,
}

impl Layout {
    /// Inputs, latches and their next values come first. A next value is computed
    /// right where it belongs, unless it is negated, not computed at all, or the
    /// next value of another latch too; then it is copied.
    fn new(system: &System, drafts: &mut Drafts) -> Self {
        let mut computed = vec![false; drafts.files.len()];
        for draft in &drafts.code {
            computed[draft.to as usize] = true;
        }
        let mut nexts = Vec::new();
        for latch in &system.latches {
            let Literal { register, inverted } = drafts.literal(latch.next);
            let direct = !inverted && std::mem::take(&mut computed[register as usize]);
            nexts.push(if direct {
                register
            } else {
                let own = drafts.register(file_of(system.graph.sort(latch.next)));
                drafts.copy(drafts.literal(latch.next), own);
                own
            });
        }
        let mut slots = Slots::new(drafts.files.len());
        let mut keep = |node: NodeId, register| RegisterSlot {
            sort: system.graph.sort(node),
            slot: slots.keep(register, &drafts.files),
        };
        let leaf = |node| drafts.literal(node).register;
        let inputs = system.inputs.iter().map(|input| keep(input.node, leaf(input.node))).collect();
        let current =
            system.latches.iter().map(|latch| keep(latch.node, leaf(latch.node))).collect();
        let next = system.latches.iter().zip(nexts);
        let next = next.map(|(latch, register)| keep(latch.next, register)).collect();
        Self { slots, inputs, current, next }
    }

    fn keep_observed(&mut self, observed: &[NodeId], drafts: &Drafts) {
        for (register, ..) in &drafts.constants {
            self.slots.keep(*register, &drafts.files);
        }
        for forcing in drafts.forcings.iter().flatten() {
            self.slots.keep(forcing.mask, &drafts.files);
            self.slots.keep(forcing.value, &drafts.files);
        }
        for node in observed {
            self.slots.keep(drafts.literal(*node).register, &drafts.files);
        }
    }

    fn finish<'s>(
        mut self,
        system: &'s System,
        order: &[super::draft::Draft],
        observed: &[NodeId],
        drafts: &Drafts,
        live: &[bool],
    ) -> LaneProgram<'s> {
        let graph = &system.graph;
        let (runs, operands) = self.slots.share(order, &drafts.files);
        let place = |node: NodeId, register| RegisterSlot {
            sort: graph.sort(node),
            slot: self.slots.slot(register),
        };
        let observe = |node: &NodeId| {
            let Literal { register, inverted } = drafts.literal(*node);
            Observed { node: *node, place: place(*node, register), inverted }
        };
        let forcing = |(tap, forcing): (usize, &Option<super::draft::Forcing>)| {
            forcing.map(|forcing| ForcingSlots {
                mask: self.slots.slot(forcing.mask),
                value: place(graph.taps()[tap], forcing.value),
            })
        };
        let constants = drafts.constants.iter().map(|(register, sort, value)| {
            (RegisterSlot { sort: *sort, slot: self.slots.slot(*register) }, value.clone())
        });
        let by_node: FxHashMap<NodeId, u32> =
            observed.iter().enumerate().map(|(at, node)| (*node, at as u32)).collect();
        LaneProgram {
            system,
            runs,
            operands,
            sizes: [File::Bool, File::Word, File::Real].map(|file| self.slots.size(file)),
            constants: constants.collect(),
            forcings: drafts.forcings.iter().enumerate().map(forcing).collect(),
            observed: observed.iter().map(observe).collect(),
            checks: system.checks.iter().map(|check| by_node[&check.node]).collect(),
            by_node,
            live: graph.nodes().filter(|node| live[node.index()]).collect(),
            outsized: drafts.outsized,
            inputs: self.inputs,
            current: self.current,
            next: self.next,
        }
    }
}
