//! Tag propagation through decisions: masking in the evaluation decides which tags pass.

use obligato_bytecode::{CodeId, Operation, Register};
use obligato_criteria::bvc;
use obligato_criteria::marking::Activation;
use obligato_execute::{Marked, Site};
use obligato_model::{BitSet, ConditionId, DecisionId, Observability};

use super::Flow;
use crate::effects::tags::{Tag, TagSet, TagSets};
use crate::watch::operand;

/// An evaluation of a decision in progress.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) activation: Activation<BitSet>,
    /// Per condition, its own tag.
    own: Vec<TagSet>,
    /// Per condition, its own tag and those of its operands.
    pub(super) tags: Vec<TagSet>,
}

impl Flow<'_> {
    /// The tags of a value in a register: of the outcome of a decision, those that the decision propagates.
    pub(super) fn tags_of(
        &mut self,
        function: CodeId,
        register: Register,
        marked: Marked<'_, TagSet>,
    ) -> TagSet {
        let Some(facts) = self.facts(function) else { return *marked.mark };
        let given = facts.given(register).to_vec();
        let outcome = facts.outcome(register);
        let mut tags = *marked.mark;
        if let Some(decision) = outcome {
            let passed = self.passed_on(decision);
            tags = self.finished(decision).unwrap_or_else(|| self.sets.unite(tags, passed));
        }
        let value = marked.value & 1 != 0;
        given.into_iter().fold(tags, |tags, condition| self.evaluate(condition, value, 0, tags))
    }

    /// The tags that a finished decision propagates, whichever of its conditions was evaluated last.
    pub(super) fn finished(&self, decision: DecisionId) -> Option<TagSet> {
        self.frames.last().and_then(|frame| frame.finished.get(&decision)).copied()
    }

    /// The tags that a decision propagates: of its finished evaluation, else of the one under way.
    pub(super) fn passed_on(&mut self, decision: DecisionId) -> TagSet {
        let Some(frame) = self.frames.last() else { return TagSet::EMPTY };
        match frame.running.get(&decision) {
            Some(running) => unmasked_tags(&mut self.sets, running),
            None => frame.finished.get(&decision).copied().unwrap_or_default(),
        }
    }

    /// Evaluates a condition; `from` are the tags of its operands.
    pub(super) fn evaluate(
        &mut self,
        condition: ConditionId,
        value: bool,
        boundaries: u8,
        from: TagSet,
    ) -> TagSet {
        let own = self.sets.single(Tag { condition, value, boundaries });
        let choosing = self.choosing(condition);
        let from = self.sets.unite(from, choosing);
        let tags = self.sets.unite(own, from);
        let home = self.program.condition(condition);
        let decision = home.decision;
        let Some(frame) = self.frames.last_mut() else { return tags };
        let mut begun = frame.running.remove(&decision);
        let fits = begun.take_if(|running| running.activation.expected() == home.ordinal);
        let mut running = fits.unwrap_or_else(|| {
            let marker = &self.markers[decision.index()];
            let none = vec![TagSet::EMPTY; marker.conditions()];
            Running { activation: marker.start(), own: none.clone(), tags: none }
        });
        let folded = self.folded.of(decision);
        let constant = |ordinal: usize| folded.and_then(|folded| folded[ordinal]);
        while running.activation.expected() != home.ordinal {
            let expected = running.activation.expected();
            let Some(value) = constant(expected) else {
                // It is read once more, and was evaluated when it was read first.
                if let (Some(begun), Some(frame)) = (begun, self.frames.last_mut()) {
                    frame.running.insert(decision, begun);
                }
                return tags;
            };
            self.mark(decision, &mut running, expected, value);
        }
        if let Some(follower) = &mut self.follower {
            follower.evaluate(condition, value, follower.carries(&self.sets, from));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.finished.remove(&decision);
        }
        running.own[home.ordinal] = own;
        running.tags[home.ordinal] = tags;
        let mut ending = self.mark(decision, &mut running, home.ordinal, value);
        while ending.outcome().is_none() {
            let expected = running.activation.expected();
            let Some(value) = constant(expected) else { break };
            ending = self.mark(decision, &mut running, expected, value);
        }
        let passed = ending.outcome().map(|_| unmasked_tags(&mut self.sets, &running));
        let Some(frame) = self.frames.last_mut() else { return tags };
        if let Some(passed) = passed {
            frame.finished.insert(decision, passed);
            for ordinal in running.activation.unmasked().iter() {
                self.decided = self.sets.unite(self.decided, running.own[ordinal]);
            }
        } else {
            frame.running.insert(decision, running);
        }
        tags
    }

    pub(super) fn boundaries_met(
        &self,
        condition: ConditionId,
        operands: &[Marked<'_, TagSet>],
    ) -> u8 {
        let relation = self.program.condition(condition).relation.as_ref();
        let (Some(relation), [left, right]) = (relation, operands) else { return 0 };
        let operands =
            operand(&relation.kind, left.value).zip(operand(&relation.kind, right.value));
        operands.map_or(0, |(left, right)| {
            let met = bvc::met(relation, &left, &right, &self.program.real_step);
            met.into_iter().fold(0, |mask, ordinal| mask | 1 << ordinal)
        })
    }

    /// A select propagates the tags of the selected value, and those of its test.
    pub(super) fn select(
        &mut self,
        site: Site<'_>,
        operands: &[Marked<'_, TagSet>],
        tags: &[TagSet],
    ) -> Vec<TagSet> {
        let ([test, then, otherwise], [of_test, of_then, of_otherwise]) = (operands, tags) else {
            return tags.to_vec();
        };
        let Operation::Select { test: register, .. } = site.operation else { return tags.to_vec() };
        // Of a condition that tests, only what its decision does not mask.
        let decision = self.facts(site.function).and_then(|facts| facts.decision(*register));
        let of_test = &decision.map_or(*of_test, |decision| self.passed_on(decision));
        let taken = if test.value & 1 != 0 { *of_then } else { *of_otherwise };
        let passes = self.semantics == Observability::Tags || then.value != otherwise.value;
        if passes { vec![taken, *of_test] } else { vec![taken] }
    }

    /// Per part of what is returned, the decision that it is the outcome of.
    pub(super) fn returned_outcomes(&self, function: CodeId) -> Vec<Option<DecisionId>> {
        let (Some(facts), Some(frame)) = (self.facts(function), self.frames.last()) else {
            return Vec::new();
        };
        debug_assert_eq!(frame.function, Some(function));
        let code = self.code(function);
        let behind = code.code[frame.block as usize..].iter();
        let mut returns = behind.filter_map(|operation| match operation {
            Operation::Return { from } => Some(from),
            _ => None,
        });
        let Some(from) = returns.next() else { return Vec::new() };
        code.lists[from.range()].iter().map(|register| facts.outcome(*register)).collect()
    }
}

/// The tags of the conditions that are not masked.
fn unmasked_tags(sets: &mut TagSets, running: &Running) -> TagSet {
    let unmasked = running.activation.unmasked();
    let tags = unmasked.iter().map(|ordinal| running.tags[ordinal]);
    tags.fold(TagSet::EMPTY, |all, tags| sets.unite(all, tags))
}
