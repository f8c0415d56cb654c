//! Implicit flows: operations between a branch and its immediate post-dominator are control-dependent on the branch.

use std::iter;
use std::rc::Rc;

use obligato_bytecode::{Address, Register};
use obligato_execute::{Memory, Site};
use obligato_model::{ConditionId, DecisionId, Observability, Program};
use rustc_hash::FxHashMap;

use super::Flow;
use crate::effects::facts::{Assignment, MemoryVariable};
use crate::effects::tags::TagSet;

/// The branch of a scope that a call through a pointer opens: there is none.
pub(super) const NO_BRANCH: u32 = u32::MAX;

/// The path from a branch to its immediate post-dominator.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) frame: usize,
    pub(super) branch: u32,
    /// Where the immediate post-dominator starts.
    pub(super) join: Option<u32>,
    pub(super) tags: TagSet,
    /// The decision whose outcome or condition the branch tests.
    decision: Option<DecisionId>,
    /// The decision, while it is not finished: the branch is one between its conditions.
    pub(super) within: Option<DecisionId>,
    pub(super) assigned: Rc<[Assignment]>,
    /// The writes, with the value before as far as it is known.
    pub(super) written: FxHashMap<(u64, u64), Option<u64>>,
    /// The assignments of the branch's function that were executed.
    pub(super) executed: Vec<u32>,
}

/// The variables that get the tags of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Those that were written.
    Written,
    /// Those, and the ones that another path assigns.
    Assigned,
}

impl Flow<'_> {
    /// Opens the scope of a branch.
    pub(super) fn open(
        &mut self,
        site: Site<'_>,
        decision: Option<DecisionId>,
        tags: TagSet,
        memory: &mut Memory<TagSet>,
    ) {
        let frame = self.frames.len();
        let Some(facts) = self.facts(site.function) else { return };
        let join = facts.join_of(site.index);
        let running = |decision: &DecisionId| {
            self.frames.last().is_some_and(|frame| frame.running.contains_key(decision))
        };
        let within = decision.filter(running);
        if let (Some(decision), None) = (decision, within) {
            // The decision is finished and decides as a whole; between its conditions, and within them, is what they did.
            let program = self.program;
            let is_part = |scope: &Scope| {
                let mut around = conditions_around(program, scope.decision);
                let inside = around.any(|one| program.condition(one).decision == decision);
                scope.frame == frame && (scope.within == Some(decision) || inside)
            };
            while self.scopes.last().is_some_and(is_part) {
                self.close(memory, Extent::Written);
            }
        }
        // In a loop, a path passes its branch again before the join.
        let again =
            self.scopes.iter().position(|scope| scope.frame == frame && scope.branch == site.index);
        if let Some(again) = again {
            let tags = self.sets.unite(self.scopes[again].tags, tags);
            self.scopes[again].tags = tags;
            return;
        }
        if tags == TagSet::EMPTY {
            return;
        }
        let assigned = self.assigned_under(site);
        if let Some(follower) = &mut self.follower {
            follower.begin_controlled_path(frame, site.index);
        }
        self.scopes.push(Scope {
            frame,
            branch: site.index,
            join,
            tags,
            decision,
            within,
            assigned,
            written: FxHashMap::default(),
            executed: Vec::new(),
        });
    }

    /// Opens the scope of a call through a pointer: the callee is control-dependent on the tags of the pointer.
    pub(super) fn open_call(&mut self) {
        let tags = std::mem::take(&mut self.called);
        if tags != TagSet::EMPTY {
            self.scopes.push(Scope {
                frame: self.frames.len(),
                branch: NO_BRANCH,
                join: None,
                tags,
                decision: None,
                within: None,
                assigned: Rc::new([]),
                written: FxHashMap::default(),
                executed: Vec::new(),
            });
        }
    }

    /// The tags of what decides by which of its arms a condition like `c ? x : y` is evaluated: the arms are branches
    /// between that of `c` and its immediate post-dominator.
    pub(super) fn choosing(&mut self, condition: ConditionId) -> TagSet {
        let frame = self.frames.len();
        let scopes = self.scopes.iter().filter(|scope| scope.frame == frame);
        let inside = scopes.filter(|scope| {
            conditions_around(self.program, scope.decision).any(|one| one == condition)
        });
        inside.fold(TagSet::EMPTY, |all, scope| self.sets.unite(all, scope.tags))
    }

    fn assigned_under(&mut self, site: Site<'_>) -> Rc<[Assignment]> {
        let key = (site.function, site.index);
        if let Some(known) = self.assigned.get(&key) {
            return Rc::clone(known);
        }
        let facts = self.facts(site.function);
        let found = facts.map_or(Vec::new(), |facts| facts.assigned_under(site.index));
        let found: Rc<[Assignment]> = found.into();
        self.assigned.insert(key, Rc::clone(&found));
        found
    }

    /// The join of the innermost branch is reached: what was or could have been assigned gets its tags.
    pub(super) fn close(&mut self, memory: &mut Memory<TagSet>, extent: Extent) {
        let Some(scope) = self.scopes.pop() else { return };
        let mut places: Vec<(u64, u64)> = scope.written.keys().copied().collect();
        let mut otherwise: FxHashMap<(u64, u64), Vec<Option<u64>>> = FxHashMap::default();
        let assigned: &[Assignment] = match extent {
            Extent::Written => &[],
            Extent::Assigned => &scope.assigned,
        };
        for assignment in assigned {
            let Some(address) = self.address_of(assignment) else { continue };
            let place = (address, assignment.size);
            if !scope.executed.contains(&assignment.operation) {
                otherwise.entry(place).or_default().push(assignment.constant);
                places.push(place);
            }
        }
        places.sort_unstable();
        places.dedup();
        let (mut got, mut others) = (Vec::new(), Vec::new());
        for place in places {
            let now = read(memory, place.0, place.1);
            let differs = match (otherwise.get(&place), scope.written.get(&place)) {
                _ if self.semantics == Observability::Tags => true,
                (Some(others), _) => others.iter().any(|other| other.is_none() || *other != now),
                (None, Some(before)) => before.is_none() || *before != now,
                (None, None) => false,
            };
            if differs && let Ok(marks) = memory.marks_mut(Address(place.0), place.1) {
                for mark in marks {
                    *mark = self.sets.unite(*mark, scope.tags);
                }
            }
            if self.follower.is_some() {
                (if differs { &mut got } else { &mut others }).push(place);
            }
        }
        self.follow_close(&scope, extent, &got, &others, memory);
        if let Some(outer) = self.scopes.last_mut() {
            for (place, before) in scope.written {
                outer.written.entry(place).or_insert(before);
            }
            if outer.frame == scope.frame {
                outer.executed.extend(scope.executed);
            }
        }
    }

    /// What a phi at a join holds depends on the branches that are joined. The jump that comes there has copied values and
    /// marks already.
    pub(super) fn merge(&mut self, site: Site<'_>, met: TagSet, marks: &mut [TagSet]) {
        let Some(facts) = self.facts(site.function) else { return };
        let copies: Vec<(Register, bool, Option<DecisionId>)> = facts
            .copied_by(site.index)
            .iter()
            .map(|(to, from)| (*to, facts.is_same_on_all_paths(*to), facts.outcome(*from)))
            .collect();
        for (to, same, outcome) in copies {
            let mark = &mut marks[to.0 as usize];
            let passed = outcome.map_or(TagSet::EMPTY, |decision| self.passed_on(decision));
            let mut tags = self.sets.unite(*mark, passed);
            if !same || self.semantics == Observability::Tags {
                tags = self.sets.unite(tags, met);
            }
            self.follow_merge(met, tags);
            let facts = self.facts(site.function);
            let decision = facts.and_then(|facts| facts.outcome(to));
            *mark = decision.and_then(|decision| self.finished(decision)).unwrap_or(tags);
        }
    }

    fn address_of(&self, assignment: &Assignment) -> Option<u64> {
        let start = match assignment.variable {
            MemoryVariable::Local(reserve) => *self.frames.last()?.locals.get(&reserve)?,
            MemoryVariable::Global(address) => address,
        };
        Some(start.wrapping_add_signed(assignment.offset))
    }
}

fn read(memory: &Memory<TagSet>, address: u64, size: u64) -> Option<u64> {
    let bytes = memory.read(Address(address), size).ok()?;
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(word))
}

/// The conditions that a decision is a part of, the innermost first.
fn conditions_around(
    program: &Program,
    decision: Option<DecisionId>,
) -> impl Iterator<Item = ConditionId> {
    let outer = |one: DecisionId| program.decision(one).nested_in;
    let out = move |one: &ConditionId| outer(program.condition(*one).decision);
    iter::successors(decision.and_then(outer), out)
}
