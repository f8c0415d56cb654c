//! The hooks through which tag propagation reports to a follower, if it has one.

use obligato_bytecode::{Address, Callee, Intrinsic, Operation};
use obligato_criteria::marking::Ending;
use obligato_execute::{Marked, Memory, Site};
use obligato_model::{ConditionId, DecisionId};

use super::Flow;
use super::decisions::Running;
use super::scopes::{Extent, NO_BRANCH, Scope};
use crate::effects::follower::{ByteRange, Follower, OperationSite, Weight};
use crate::effects::tags::TagSet;
use crate::effects::trail::{Loss, Undone};

impl Flow<'_> {
    /// Follows a tag from the next test on.
    pub fn follow(&mut self, condition: ConditionId, value: bool) {
        let home = self.program.condition(condition);
        self.follower = Some(Box::new(Follower::new(condition, home, value)));
    }

    /// Ends following; gives the follower.
    pub fn followed(&mut self) -> Option<Follower> {
        self.follower.take().map(|follower| *follower)
    }

    /// Is control dependent on the tag?
    pub fn is_decided_by(&self, follower: &Follower) -> bool {
        self.scopes.iter().any(|scope| follower.carries(&self.sets, scope.tags))
    }

    /// Marks a condition of a decision; the follower wants to know who masks the tag.
    pub(super) fn mark(
        &mut self,
        decision: DecisionId,
        running: &mut Running,
        ordinal: usize,
        value: bool,
    ) -> Ending {
        let marker = &self.markers[decision.index()];
        let Some(follower) = &mut self.follower else {
            return marker.mark(&mut running.activation, ordinal, value);
        };
        let sets = &self.sets;
        let has_it = |ordinal: &usize| follower.carries(sets, running.tags[*ordinal]);
        let mut before: Vec<usize> = running.activation.unmasked().iter().filter(has_it).collect();
        before.extend(Some(ordinal).filter(has_it));
        before.sort_unstable();
        before.dedup();
        let ending = marker.mark(&mut running.activation, ordinal, value);
        let has_it = |ordinal: &usize| follower.carries(sets, running.tags[*ordinal]);
        let stays = running.activation.unmasked().iter().any(|ordinal| has_it(&ordinal));
        if !before.is_empty() && !stays {
            let by = self.program.condition_at(decision, ordinal);
            follower.masked(decision, &before, Loss::Masked { by, value });
        }
        if stays && ending.outcome().is_some() {
            follower.passed_on(decision);
        }
        ending
    }

    /// A value with these tags is about to be stored.
    pub(super) fn follow_store(
        &mut self,
        site: Site<'_>,
        place: ByteRange,
        tags: TagSet,
        memory: &Memory<TagSet>,
    ) {
        let Some(follower) = &mut self.follower else { return };
        if follower.carries(&self.sets, tags) {
            return follower.hold(place);
        }
        let marks = memory.marks(Address(place.0), place.1).unwrap_or(&[]);
        if follower.any(&self.sets, marks) {
            let weight = follower.lose(place);
            // At the join the variable gets it again.
            let mut deciding = self.scopes.iter();
            if !deciding.any(|scope| follower.carries(&self.sets, scope.tags)) {
                let (variable, at) = (follower.holder(place.0), operation_site(site));
                follower.note(weight, Loss::Overwritten { variable, at });
            }
        }
    }

    /// Bytes with these marks were loaded.
    pub(super) fn follow_load(&mut self, place: ByteRange, bytes: &[TagSet]) {
        if let Some(follower) = &mut self.follower
            && follower.any(&self.sets, bytes)
        {
            follower.read(place);
        }
    }

    /// A choice between two values has been made of these tags.
    pub(super) fn follow_select(
        &mut self,
        site: Site<'_>,
        operands: &[Marked<'_, TagSet>],
        tags: &[TagSet],
        chosen: &[TagSet],
    ) {
        let Some(follower) = &mut self.follower else { return };
        let ([test, ..], [of_test, ..]) = (operands, tags) else { return };
        if !follower.any(&self.sets, tags) || follower.any(&self.sets, chosen) {
            return;
        }
        let same = follower.carries(&self.sets, *of_test);
        let at = operation_site(site);
        let decision = self.decision_at(at);
        let loss = if same {
            Loss::Same { variable: None, decision, at }
        } else {
            Loss::NotTaken { decision, value: test.value & 1 != 0, at }
        };
        if let Some(follower) = &mut self.follower {
            follower.note(Weight::OnlyCarrier, loss);
        }
    }

    /// The join of a branch is reached: of these places, some have got its tags and some have not.
    pub(super) fn follow_close(
        &mut self,
        scope: &Scope,
        extent: Extent,
        got: &[ByteRange],
        others: &[ByteRange],
        memory: &Memory<TagSet>,
    ) {
        let Some(follower) = &mut self.follower else { return };
        if !follower.carries(&self.sets, scope.tags) {
            return;
        }
        let function = self.frames.get(scope.frame.wrapping_sub(1)).and_then(|it| it.function);
        for place in got {
            follower.hold(*place);
        }
        let Some(function) = function.filter(|_| scope.branch != NO_BRANCH) else { return };
        let at = OperationSite { function, operation: scope.branch };
        follower.met(at);
        let ends_here = extent == Extent::Assigned && scope.join.is_some() && got.is_empty();
        let weight = if ends_here { Weight::OnlyCarrier } else { Weight::Propagated };
        let decision = self.decision_at(at);
        let Some(follower) = &mut self.follower else { return };
        for place in others {
            let marks = memory.marks(Address(place.0), place.1).unwrap_or(&[]);
            if !follower.any(&self.sets, marks) {
                let variable = Some(follower.holder(place.0));
                follower.note(weight, Loss::Same { variable, decision, at });
            }
        }
        if extent == Extent::Assigned {
            self.follow_undone(scope, at);
        }
    }

    /// Notes the operations of paths not taken that no named variable shows.
    fn follow_undone(&mut self, scope: &Scope, branch: OperationSite) {
        let OperationSite { function, operation } = branch;
        let code = self.code(function);
        let Some(facts) = self.facts[function.index()].as_ref() else { return };
        let Some(follower) = &mut self.follower else { return };
        for block in facts.controlled_by(operation) {
            if follower.was_entered(scope.frame, branch, block.start) {
                continue;
            }
            let named = |at: u32| scope.assigned.iter().any(|one| one.operation == at);
            for at in block {
                let what = match &code.code[at as usize] {
                    Operation::Call { callee: Callee::Direct(callee), .. } => Undone::Call(*callee),
                    Operation::Call { callee: Callee::Through(_), .. } => Undone::CallThrough,
                    Operation::Store { .. } if !named(at) => Undone::Assignment,
                    Operation::Intrinsic {
                        op: Intrinsic::CopyMemory | Intrinsic::MoveMemory | Intrinsic::FillMemory,
                        ..
                    } => Undone::Assignment,
                    _ => continue,
                };
                let at = OperationSite { function, operation: at };
                follower.note(Weight::Propagated, Loss::NotDone { what, at });
            }
        }
    }

    /// A phi has given a register these tags at the join of branches with those tags.
    pub(super) fn follow_merge(&mut self, met: TagSet, tags: TagSet) {
        let Some(follower) = &self.follower else { return };
        let stops = follower.carries(&self.sets, met) && !follower.carries(&self.sets, tags);
        let (true, Some(at)) = (stops, follower.behind()) else { return };
        let loss = Loss::Same { variable: None, decision: self.decision_at(at), at };
        if let Some(follower) = &mut self.follower {
            follower.note(Weight::OnlyCarrier, loss);
        }
    }

    /// Inputs of a test carry no tags.
    pub fn set(&mut self, start: Address, marks: &mut [TagSet]) {
        if let Some(follower) = &mut self.follower
            && follower.any(&self.sets, marks)
        {
            let weight = follower.lose((start.0, marks.len() as u64));
            let variable = follower.holder(start.0);
            follower.note(weight, Loss::Set { variable });
        }
        marks.fill(TagSet::EMPTY);
    }

    /// The decision that a branch or a select tests.
    fn decision_at(&self, site: OperationSite) -> Option<DecisionId> {
        let facts = self.facts(site.function)?;
        match self.code(site.function).code[site.operation as usize] {
            Operation::Branch { test, .. } | Operation::Select { test, .. } => facts.decision(test),
            _ => None,
        }
    }
}

/// The site of an operation.
pub(super) fn operation_site(site: Site<'_>) -> OperationSite {
    OperationSite { function: site.function, operation: site.index }
}
