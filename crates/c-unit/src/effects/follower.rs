//! Follows one tag through a test: which bytes carry it, and where it is lost.
//!
//! A [`Flow`](super::flow::Flow) with a follower reports to it wherever tags reach memory or may get lost. Names and
//! positions in the source are resolved after the test, by [`super::trail`].

use std::collections::BTreeMap;

use obligato_bytecode::{Address, CodeId, ObjectId};
use obligato_model::{Condition, ConditionId, DecisionId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::tags::{TagSet, TagSets};
use super::trail::Loss;

/// The most losses, and the most variables that held the tag, that are kept of a test.
const MOST_KEPT: usize = 1000;

/// An operation of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OperationSite {
    /// The function.
    pub function: CodeId,
    /// The position of the operation in its code.
    pub operation: u32,
}

/// Bytes of memory: from where, and how many.
pub type ByteRange = (u64, u64);

/// A variable or memory that carries a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A variable of a function, by the `Reserve` that makes it.
    Local(CodeId, u32),
    /// Static or heap memory, from this address on.
    Lasting(Address),
}

/// How much a loss explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weight {
    /// The condition's own decision masked it.
    MaskedInDecision,
    /// The tag propagated elsewhere as well.
    Propagated,
    /// No other carrier of the tag is known.
    OnlyCarrier,
}

/// Was a byte read since it got the tag?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Unread,
    Read,
}

/// A loss of the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedLoss {
    /// The first step in which it happened.
    pub step: usize,
    /// How much it explains.
    pub weight: Weight,
    /// What.
    pub loss: Loss<Holder, OperationSite>,
}

/// Follows the tag of a condition with a value.
#[derive(Debug)]
pub struct Follower {
    condition: ConditionId,
    value: bool,
    decision: DecisionId,
    ordinal: usize,
    step: usize,
    /// The variables of running functions, by their objects.
    locals: FxHashMap<ObjectId, OperationSite>,
    /// The bytes that carry the tag, as far as they got it one by one.
    bytes: BTreeMap<u64, Use>,
    /// What is being copied or filled.
    swept: Option<(OperationSite, ByteRange)>,
    /// The branch whose immediate post-dominator was reached last.
    behind: Option<OperationSite>,
    /// Was the condition itself computed from something with the tag when it was evaluated last?
    arrived: bool,
    /// Did the tag ever propagate out of its decision?
    left: bool,
    evaluated: Option<usize>,
    /// How many blocks were entered.
    entered: u64,
    /// By call depth, function and start: when blocks were entered last.
    blocks: FxHashMap<(usize, CodeId, u32), u64>,
    /// By call depth and branch: when paths began that are control-dependent on the tag.
    controlled_paths: FxHashMap<(usize, u32), u64>,
    holders: Vec<(Holder, ByteRange)>,
    known_holders: FxHashSet<Holder>,
    stops: Vec<NotedLoss>,
    known_stops: FxHashSet<(Weight, Loss<Holder, OperationSite>)>,
}

impl Follower {
    /// Of a condition having a value, before the test begins.
    pub fn new(id: ConditionId, condition: &Condition, value: bool) -> Self {
        Self {
            condition: id,
            value,
            decision: condition.decision,
            ordinal: condition.ordinal,
            step: 0,
            locals: FxHashMap::default(),
            bytes: BTreeMap::new(),
            swept: None,
            behind: None,
            arrived: false,
            left: false,
            evaluated: None,
            entered: 0,
            blocks: FxHashMap::default(),
            controlled_paths: FxHashMap::default(),
            holders: Vec::new(),
            known_holders: FxHashSet::default(),
            stops: Vec::new(),
            known_stops: FxHashSet::default(),
        }
    }

    /// Is the tag in this set?
    pub fn carries(&self, sets: &TagSets, set: TagSet) -> bool {
        sets.has(set, self.condition, self.value)
    }

    /// Is it in one of these?
    pub fn any(&self, sets: &TagSets, marks: &[TagSet]) -> bool {
        marks.iter().any(|mark| self.carries(sets, *mark))
    }

    /// The last step in which the condition had the value.
    pub fn evaluated(&self) -> Option<usize> {
        self.evaluated
    }

    /// Did the tag ever propagate out of its decision?
    pub fn left(&self) -> bool {
        self.left
    }

    /// The losses of the tag, in order of time, each once.
    pub fn stops(&self) -> &[NotedLoss] {
        &self.stops
    }

    /// The carriers of the tag, in order of time, each once.
    pub fn holders(&self) -> &[(Holder, ByteRange)] {
        &self.holders
    }

    /// A step is over.
    pub(super) fn begin_step(&mut self) {
        self.step += 1;
    }

    /// A function made a variable.
    pub(super) fn reserved(&mut self, start: u64, operation_site: OperationSite) {
        self.locals.insert(Address(start).object(), operation_site);
    }

    /// A function returned: its variables are gone.
    pub(super) fn released(&mut self, starts: impl IntoIterator<Item = u64>) {
        for object in starts.into_iter().map(|start| Address(start).object()) {
            self.locals.remove(&object);
            let first = u64::from(object.0) << 32;
            self.forget((first, 1 << 32));
        }
    }

    /// A condition is evaluated, from something with these tags.
    pub(super) fn evaluate(&mut self, condition: ConditionId, value: bool, arrived: bool) {
        if condition == self.condition {
            self.arrived = arrived;
            if value == self.value {
                self.evaluated = Some(self.step);
            }
        }
    }

    /// A decision is finished and passes the tag on.
    pub(super) fn passed_on(&mut self, decision: DecisionId) {
        self.left |= decision == self.decision;
    }

    /// With this value of a condition of a decision, these conditions are masked that had the tag, and no other
    /// has it.
    pub(super) fn masked(
        &mut self,
        decision: DecisionId,
        masked: &[usize],
        loss: Loss<Holder, OperationSite>,
    ) {
        let own = decision == self.decision && masked == [self.ordinal] && !self.arrived;
        self.note(if own { Weight::MaskedInDecision } else { Weight::OnlyCarrier }, loss);
    }

    /// These bytes carry the tag now.
    pub(super) fn hold(&mut self, bytes: ByteRange) {
        let (start, size) = bytes;
        for byte in 0..size {
            self.bytes.insert(start.wrapping_add(byte), Use::Unread);
        }
        let holder = self.holder(start);
        if self.holders.len() < MOST_KEPT && self.known_holders.insert(holder) {
            self.holders.push((holder, bytes));
        }
    }

    /// These bytes, which have the tag, were read.
    pub(super) fn read(&mut self, bytes: ByteRange) {
        for (_, how) in self.bytes.range_mut(range(bytes)) {
            *how = Use::Read;
        }
    }

    /// These bytes, which had the tag, have it no longer; gives how much that explains.
    pub(super) fn lose(&mut self, bytes: ByteRange) -> Weight {
        let uses: Vec<Use> = self.bytes.range(range(bytes)).map(|(_, how)| *how).collect();
        self.forget(bytes);
        let read = !uses.is_empty() && uses.iter().all(|how| *how == Use::Read);
        if read { Weight::Propagated } else { Weight::OnlyCarrier }
    }

    /// These bytes are copied or filled.
    pub(super) fn sweep(&mut self, operation_site: OperationSite, bytes: ByteRange) {
        self.swept = Some((operation_site, bytes));
    }

    /// The bytes that were swept have these marks.
    pub(super) fn swept(&mut self, sets: &TagSets, marks: &[TagSet]) {
        let Some((operation_site, (start, _))) = self.swept.take() else { return };
        let carrying = |this: &Self, at: usize| this.carries(sets, marks[at]);
        let mut at = 0;
        while at < marks.len() {
            let now = carrying(self, at);
            let end = (at..marks.len()).find(|end| carrying(self, *end) != now);
            let end = end.unwrap_or(marks.len());
            let bytes = (start.wrapping_add(at as u64), (end - at) as u64);
            if now {
                self.hold(bytes);
            } else if let Some(first) = self.first_in(bytes) {
                let weight = self.lose(bytes);
                let variable = self.holder(first);
                self.note(weight, Loss::Overwritten { variable, at: operation_site });
            }
            at = end;
        }
    }

    /// A block of the innermost of so many functions is entered.
    pub(super) fn enter_block(&mut self, depth: usize, function: CodeId, start: u32) {
        self.entered += 1;
        self.blocks.insert((depth, function, start), self.entered);
    }

    /// A path begins that is control-dependent on the tag, after a branch.
    pub(super) fn begin_controlled_path(&mut self, depth: usize, branch: u32) {
        self.controlled_paths.insert((depth, branch), self.entered);
    }

    /// Was a block entered on the path that began at a branch?
    pub(super) fn was_entered(&self, depth: usize, branch: OperationSite, start: u32) -> bool {
        let OperationSite { function, operation } = branch;
        self.blocks.get(&(depth, function, start)) > self.controlled_paths.get(&(depth, operation))
    }

    /// The immediate post-dominator of a branch is reached.
    pub(super) fn met(&mut self, branch: OperationSite) {
        self.behind = Some(branch);
    }

    /// The branch whose immediate post-dominator was reached last.
    pub(super) fn behind(&self) -> Option<OperationSite> {
        self.behind
    }

    /// Keeps a loss.
    pub(super) fn note(&mut self, weight: Weight, loss: Loss<Holder, OperationSite>) {
        if self.stops.len() < MOST_KEPT && self.known_stops.insert((weight, loss)) {
            self.stops.push(NotedLoss { step: self.step, weight, loss });
        }
    }

    /// What lies at an address.
    pub(super) fn holder(&self, address: u64) -> Holder {
        match self.locals.get(&Address(address).object()) {
            Some(reserve) => Holder::Local(reserve.function, reserve.operation),
            None => Holder::Lasting(Address(address)),
        }
    }

    fn first_in(&self, bytes: ByteRange) -> Option<u64> {
        self.bytes.range(range(bytes)).next().map(|(byte, _)| *byte)
    }

    fn forget(&mut self, bytes: ByteRange) {
        let gone: Vec<u64> = self.bytes.range(range(bytes)).map(|(byte, _)| *byte).collect();
        for byte in gone {
            self.bytes.remove(&byte);
        }
    }
}

fn range((start, size): ByteRange) -> std::ops::Range<u64> {
    start..start.saturating_add(size)
}
