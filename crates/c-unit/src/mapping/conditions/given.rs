//! Conditions whose value comes from one of two arms, or from another decision.
//!
//! The compiler either merges the arms of a choice and tests the result, or it tests each arm by itself, and all
//! tests branch to the same two blocks. An arm that it folds becomes a branch on a constant.

use obligato_bytecode::{Cast, Operation, Register};
use obligato_clang::{Condition, Decision, Given};
use obligato_model::{Position, Span};

use super::super::booleans::{Boolean, KnownBranch};
use super::super::{Evaluation, EvaluationSite};
use super::{Mapper, without_merged};

/// Why a choice with such an arm cannot be measured: `c ? a && b : d` as a whole has a value nowhere.
const DECIDING_ARM: &str = "one of its arms is a decision, which goes on by itself; \
                                       assign the choice to a variable and test that";

/// The arms of a choice that are tested one by one.
#[derive(Default)]
struct Arms<'b> {
    values: Vec<&'b Boolean>,
    /// The number of arms that the compiler has folded.
    known: usize,
}

impl Mapper<'_> {
    pub(super) fn find_given(&self, decision: &Decision, condition: &Condition) -> EvaluationSite {
        let mut arms = Arms::default();
        if let Err(why) = self.gather(&condition.given, condition, &mut arms) {
            let code = self.places.within(decision.stretch.span);
            return if code.is_empty() {
                EvaluationSite::Dead
            } else {
                EvaluationSite::Missing(why)
            };
        }
        if let ([only], 0) = (arms.values.as_slice(), arms.known) {
            return EvaluationSite::At(vec![self.evaluation(only, condition)]);
        }
        match self.meet(condition, &arms) {
            Some(known) => {
                let values = arms.values.iter().map(|arm| self.evaluation(arm, condition));
                EvaluationSite::At(values.chain(known).collect())
            }
            None => {
                EvaluationSite::Missing("its arms do not lead to the same two places".to_owned())
            }
        }
    }

    fn gather<'b>(
        &'b self,
        given: &Given,
        around: &Condition,
        arms: &mut Arms<'b>,
    ) -> Result<(), String> {
        let (span, position) = (around.stretch.span, around.position);
        match given {
            Given::Constant(_) => arms.known += 1,
            Given::Value(place) => {
                let here = without_merged(self.booleans.at(*place).collect());
                match here.as_slice() {
                    [only] => arms.values.push(only),
                    [] => return Err("no operation gives the value of one of its arms".to_owned()),
                    several => return Err(Self::ambiguous(several)),
                }
            }
            Given::Outcome(place) => {
                let outcome = self.tests_merged(*place, given)?;
                let outcome = outcome.or_else(|| self.outcome_at(*place));
                // To a `_Bool` it would have been assigned at its place.
                let elsewhere = || (*place != position).then(|| self.only_outcome_in(span))?;
                let outcome = outcome.or_else(elsewhere);
                arms.values.push(outcome.ok_or("nothing makes a number of its value")?);
            }
            Given::Decision(_) => return Err(DECIDING_ARM.to_owned()),
            Given::Choice { start, test, arms: choice } => {
                if let Some(merged) = self.tests_merged(*start, given)? {
                    arms.values.push(merged);
                    return Ok(());
                }
                let Some(choice) = choice else {
                    return Err("nothing tests what it is merged to".to_owned());
                };
                let [then, otherwise] = &**choice;
                if *test != Some(false) {
                    self.gather(then, around, arms)?;
                }
                if *test != Some(true) {
                    self.gather(otherwise, around, arms)?;
                }
            }
            Given::TooDeep => return Err("choices stand in each other too deep".to_owned()),
        }
        Ok(())
    }

    /// The truth value of the merged arms of a choice, if they are merged.
    fn tests_merged(&self, start: Position, choice: &Given) -> Result<Option<&Boolean>, String> {
        let mut merged: Vec<Register> = Vec::new();
        // Only between constants the compiler selects; other selections at this place belong to what is tested.
        let selects = matches!(choice, Given::Choice { arms: Some(arms), .. }
            if arms.iter().all(|arm| arm.constant().is_some()));
        for at in self.places.at(start) {
            match &self.done.code[at as usize] {
                Operation::Move { to, .. } => merged.push(*to),
                Operation::Moves { to, .. } => merged.extend(&self.done.lists[to.range()]),
                Operation::Select { to, .. } if selects => merged = vec![*to],
                _ => {}
            }
        }
        let tests = self.booleans.all.iter();
        let tests: Vec<&Boolean> =
            tests.filter(|one| one.sources.iter().any(|source| merged.contains(source))).collect();
        match tests.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            several => Err(Self::ambiguous(several)),
        }
    }

    /// The Boolean that a decision at this place becomes a number from.
    fn outcome_at(&self, place: Position) -> Option<&Boolean> {
        let outcome = self.places.at(place).rev().find_map(|at| self.number_from(at))?;
        self.booleans.all.iter().find(|one| one.register == outcome)
    }

    /// The same for a stretch of text in which only one becomes a number: `s = (_Bool)x`.
    fn only_outcome_in(&self, span: Span) -> Option<&Boolean> {
        let mut numbers =
            self.places.within(span).iter().filter_map(|(_, at)| self.number_from(*at));
        let (outcome, None) = (numbers.next()?, numbers.next()) else { return None };
        self.booleans.all.iter().find(|one| one.register == outcome)
    }

    /// The Boolean that an operation makes a number of.
    fn number_from(&self, at: u32) -> Option<Register> {
        match &self.done.code[at as usize] {
            Operation::Cast { op: Cast::ExtendUnsigned { from: 1, .. }, from, .. } => Some(*from),
            _ => None,
        }
    }

    /// The branches for the folded arms, if all arms branch to the same two blocks.
    fn meet(&self, condition: &Condition, arms: &Arms<'_>) -> Option<Vec<Evaluation>> {
        let leads_to = match arms.values.first() {
            Some(first) => self.tested_by(first).1?,
            // `c ? -1 : 2`: they come directly behind `c`.
            None => self.known_behind(condition)?,
        };
        let same = |arm: &&Boolean| self.tested_by(arm).1 == Some(leads_to);
        let known: Vec<Evaluation> = self
            .booleans
            .known
            .iter()
            .filter(|branch| self.ways(branch) == leads_to)
            .map(KnownBranch::evaluation)
            .collect();
        (arms.values.iter().all(same) && known.len() == arms.known).then_some(known)
    }

    /// Where the branches on constants go on that the tests of a choice lead to at once.
    fn known_behind(&self, condition: &Condition) -> Option<[u32; 2]> {
        let span = condition.stretch.span;
        let inside = |one: &&Boolean| one.places.iter().any(|place| super::contains(span, *place));
        let tests = self.booleans.all.iter().filter(inside);
        let ways: Vec<u32> = tests.filter_map(|test| self.tested_by(test).1).flatten().collect();
        let mut known = self.booleans.known.iter();
        known.find(|branch| ways.contains(&branch.operation)).map(|branch| self.ways(branch))
    }

    fn ways(&self, branch: &KnownBranch) -> [u32; 2] {
        branch.targets.map(|to| self.behind_merge(to.0))
    }
}
