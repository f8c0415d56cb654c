//! One tag on its way through a test: which bytes have it, and what lets it down.
//!
//! A [`Flow`](super::flow::Flow) that has a follower tells it wherever tags come into memory or could get lost; one
//! without does not ask. Names and places in the user's files are found when the test is over, by [`super::trail`].

use std::collections::BTreeMap;

use obligato_bytecode::{Address, CodeId, ObjectId};
use obligato_model::{Condition, ConditionId, DecisionId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::tags::{TagSet, TagSets};
use super::trail::Loss;

/// No more losses, and no more variables that held the tag, are kept of a test.
const MOST_KEPT: usize = 1000;

/// An operation of a function.
pub type Spot = (CodeId, u32);

/// Bytes of memory: from where, and how many.
pub type Stretch = (u64, u64);

/// What holds a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A variable of a function, by the `Reserve` that makes it.
    Local(CodeId, u32),
    /// Memory that outlasts calls, from this address on.
    Lasting(Address),
}

/// How much a loss explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weight {
    /// The decision of the condition masked it before it got out.
    Inside,
    /// It went on by another way.
    Aside,
    /// Nothing else is known to have kept it.
    Plain,
}

/// Was a byte read since it got the tag?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Unread,
    Read,
}

/// Something that let the tag down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The first step in which it did.
    pub step: usize,
    /// How much that explains.
    pub weight: Weight,
    /// What.
    pub loss: Loss<Holder, Spot>,
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
    locals: FxHashMap<ObjectId, (CodeId, u32)>,
    /// The bytes that have the tag, as far as they got it one by one.
    bytes: BTreeMap<u64, Use>,
    /// What is being copied or filled.
    swept: Option<(Spot, Stretch)>,
    /// The branch that decided what was done before ways met.
    behind: Option<Spot>,
    /// Was the condition itself computed from something with the tag when it was evaluated last?
    arrived: bool,
    /// Did the tag ever get out of its decision?
    left: bool,
    evaluated: Option<usize>,
    /// How many blocks were entered.
    entered: u64,
    /// By how many functions are running, function and start, when blocks were entered last.
    blocks: FxHashMap<(usize, CodeId, u32), u64>,
    /// By how many functions are running and branch, when ways began that the tag decided about.
    ways: FxHashMap<(usize, u32), u64>,
    holders: Vec<(Holder, Stretch)>,
    known_holders: FxHashSet<Holder>,
    stops: Vec<Stop>,
    known_stops: FxHashSet<(Weight, Loss<Holder, Spot>)>,
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
            ways: FxHashMap::default(),
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

    /// Did the tag ever get out of its decision?
    pub fn left(&self) -> bool {
        self.left
    }

    /// What let the tag down, in order of time, each once.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// What held the tag, and where, in order of time, each once.
    pub fn holders(&self) -> &[(Holder, Stretch)] {
        &self.holders
    }

    /// A step is over.
    pub(super) fn begin_step(&mut self) {
        self.step += 1;
    }

    /// A function made a variable.
    pub(super) fn reserved(&mut self, start: u64, spot: Spot) {
        self.locals.insert(Address(start).object(), spot);
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
        loss: Loss<Holder, Spot>,
    ) {
        let own = decision == self.decision && masked == [self.ordinal] && !self.arrived;
        self.note(if own { Weight::Inside } else { Weight::Plain }, loss);
    }

    /// These bytes have the tag now.
    pub(super) fn hold(&mut self, stretch: Stretch) {
        let (start, size) = stretch;
        for byte in 0..size {
            self.bytes.insert(start.wrapping_add(byte), Use::Unread);
        }
        let holder = self.holder(start);
        if self.holders.len() < MOST_KEPT && self.known_holders.insert(holder) {
            self.holders.push((holder, stretch));
        }
    }

    /// These bytes, which have the tag, were read.
    pub(super) fn read(&mut self, stretch: Stretch) {
        for (_, how) in self.bytes.range_mut(range(stretch)) {
            *how = Use::Read;
        }
    }

    /// These bytes, which had the tag, have it no longer; gives how much that explains.
    pub(super) fn lose(&mut self, stretch: Stretch) -> Weight {
        let uses: Vec<Use> = self.bytes.range(range(stretch)).map(|(_, how)| *how).collect();
        self.forget(stretch);
        let read = !uses.is_empty() && uses.iter().all(|how| *how == Use::Read);
        if read { Weight::Aside } else { Weight::Plain }
    }

    /// These bytes are copied or filled.
    pub(super) fn sweep(&mut self, spot: Spot, stretch: Stretch) {
        self.swept = Some((spot, stretch));
    }

    /// The bytes that were swept have these marks.
    pub(super) fn swept(&mut self, sets: &TagSets, marks: &[TagSet]) {
        let Some((spot, (start, _))) = self.swept.take() else { return };
        let carrying = |this: &Self, at: usize| this.carries(sets, marks[at]);
        let mut at = 0;
        while at < marks.len() {
            let now = carrying(self, at);
            let end = (at..marks.len()).find(|end| carrying(self, *end) != now);
            let end = end.unwrap_or(marks.len());
            let stretch = (start.wrapping_add(at as u64), (end - at) as u64);
            if now {
                self.hold(stretch);
            } else if let Some(first) = self.first_in(stretch) {
                let weight = self.lose(stretch);
                let variable = self.holder(first);
                self.note(weight, Loss::Overwritten { variable, at: spot });
            }
            at = end;
        }
    }

    /// A block of the innermost of so many functions is entered.
    pub(super) fn enter_block(&mut self, depth: usize, function: CodeId, start: u32) {
        self.entered += 1;
        self.blocks.insert((depth, function, start), self.entered);
    }

    /// A way begins behind a branch that the tag decided about.
    pub(super) fn begin_way(&mut self, depth: usize, branch: u32) {
        self.ways.insert((depth, branch), self.entered);
    }

    /// Was a block entered on the way that began behind a branch?
    pub(super) fn was_entered(&self, depth: usize, (function, branch): Spot, start: u32) -> bool {
        self.blocks.get(&(depth, function, start)) > self.ways.get(&(depth, branch))
    }

    /// The branch that decided what was done until ways met.
    pub(super) fn met(&mut self, branch: Spot) {
        self.behind = Some(branch);
    }

    /// The branch whose ways met last.
    pub(super) fn behind(&self) -> Option<Spot> {
        self.behind
    }

    /// Keeps a loss.
    pub(super) fn note(&mut self, weight: Weight, loss: Loss<Holder, Spot>) {
        if self.stops.len() < MOST_KEPT && self.known_stops.insert((weight, loss)) {
            self.stops.push(Stop { step: self.step, weight, loss });
        }
    }

    /// What lies at an address.
    pub(super) fn holder(&self, address: u64) -> Holder {
        match self.locals.get(&Address(address).object()) {
            Some((function, reserve)) => Holder::Local(*function, *reserve),
            None => Holder::Lasting(Address(address)),
        }
    }

    fn first_in(&self, stretch: Stretch) -> Option<u64> {
        self.bytes.range(range(stretch)).next().map(|(byte, _)| *byte)
    }

    fn forget(&mut self, stretch: Stretch) {
        let gone: Vec<u64> = self.bytes.range(range(stretch)).map(|(byte, _)| *byte).collect();
        for byte in gone {
            self.bytes.remove(&byte);
        }
    }
}

fn range((start, size): Stretch) -> std::ops::Range<u64> {
    start..start.saturating_add(size)
}
