//! The conditions of events: per step, one bit made of the visits of watch points.

use std::collections::BTreeMap;

use obligato_c_unit::record::Folded;
use obligato_c_unit::watch::{Choice, Meaning};
use obligato_campaign::Event;
use obligato_criteria::bvc;
use obligato_model::{ArmId, ConditionId, DecisionId, Program};
use obligato_term::{BinaryOp, Term, Terms};
use rustc_hash::FxHashMap;

use crate::boundary::meets;
use crate::decision::DecisionTerms;
use crate::engine::Engine;
use crate::points::PointVisit;

/// Per step, the bit that an event happens.
pub(crate) type BySteps = BTreeMap<u32, Term>;

/// The visits of watch points, from which the terms of events are made.
#[derive(Debug, Default)]
pub(crate) struct EventTerms {
    /// Per point, the indices of its visits.
    by_point: Vec<Vec<usize>>,
    /// Per decision its evaluations; `None` if they cannot be distinguished.
    evaluations: FxHashMap<DecisionId, Option<Vec<Evaluation>>>,
}

/// One evaluation of a decision.
#[derive(Debug)]
struct Evaluation {
    step: u32,
    decision_terms: DecisionTerms,
}

impl EventTerms {
    pub(crate) fn new(engine: &Engine<'_>) -> Self {
        let mut by_point = vec![Vec::new(); engine.points.all.len()];
        for (index, visit) in engine.visits.iter().enumerate() {
            by_point[visit.point].push(index);
        }
        Self { by_point, evaluations: FxHashMap::default() }
    }

    /// The bit of an event, per step. `None` if the code has no point for it.
    pub(crate) fn event(
        &mut self,
        engine: &mut Engine<'_>,
        program: &Program,
        folded: &Folded,
        event: &Event,
    ) -> Option<BySteps> {
        match event {
            Event::Entered(function) => {
                self.passed(engine, |meaning| *meaning == Meaning::Enter(*function))
            }
            Event::Left(exit) => self.passed(engine, |meaning| *meaning == Meaning::Leave(*exit)),
            Event::Executed(statement) => {
                self.passed(engine, |meaning| *meaning == Meaning::Execute(*statement))
            }
            Event::Chosen(arm) => self.chosen(engine, program, *arm),
            Event::Outcome(decision, value) => {
                self.of_evaluations(engine, program, folded, *decision, |_, decision_terms| {
                    decision_terms.outcome(*value)
                })
            }
            Event::Taken(condition, value) => {
                let home = program.condition(*condition);
                self.of_evaluations(engine, program, folded, home.decision, |_, decision_terms| {
                    decision_terms.taken(home.ordinal, *value)
                })
            }
            Event::Shown { condition, value, outcome } => {
                let home = program.condition(*condition);
                self.of_evaluations(
                    engine,
                    program,
                    folded,
                    home.decision,
                    |terms, decision_terms| {
                        decision_terms.shown(terms, home.ordinal, *value, *outcome)
                    },
                )
            }
            Event::Vector(decision, vector) => {
                self.of_evaluations(engine, program, folded, *decision, |terms, decision_terms| {
                    let mut all = decision_terms.outcome(vector.outcome);
                    for ordinal in 0..vector.conditions() {
                        let here = if let Some(value) = vector.value(ordinal) {
                            decision_terms.taken(ordinal, value)
                        } else {
                            let (no, yes) = (
                                decision_terms.taken(ordinal, false),
                                decision_terms.taken(ordinal, true),
                            );
                            let either = terms.or(no, yes);
                            terms.not(either)
                        };
                        all = terms.and(all, here);
                    }
                    all
                })
            }
            Event::Boundary(condition, ordinal) => {
                self.boundary(engine, program, folded, *condition, *ordinal)
            }
            Event::Observed(..)
            | Event::ObservedBoundary(..)
            | Event::Killed(..)
            | Event::Violated(_) => None,
        }
    }

    /// The bit that a point with such a meaning is visited.
    fn passed(&self, engine: &mut Engine<'_>, is: impl Fn(&Meaning) -> bool) -> Option<BySteps> {
        let points = points_that(engine, is);
        if points.is_empty() {
            return None;
        }
        let mut result = BySteps::new();
        for at in points.iter().flat_map(|point| &self.by_point[*point]) {
            let PointVisit { step, guard, .. } = engine.visits[*at];
            add(&mut engine.terms, &mut result, step, guard);
        }
        Some(result)
    }

    fn chosen(&self, engine: &mut Engine<'_>, program: &Program, arm: ArmId) -> Option<BySteps> {
        let arms = program.switches()[program.arms()[arm.index()].switch].arms.clone();
        let is_here = |choice: &Choice| arms.contains(&choice.otherwise().index());
        let points = points_that(
            engine,
            |meaning| matches!(meaning, Meaning::Choose(choice) if is_here(choice)),
        );
        if points.is_empty() {
            return None;
        }
        let mut result = BySteps::new();
        for point in points {
            let Meaning::Choose(choice) = engine.points.all[point].meaning.clone() else {
                continue;
            };
            for at in &self.by_point[point] {
                let visit = engine.visits[*at].clone();
                let Some(value) = visit.values.first() else { continue };
                let taken = arm_of(&mut engine.terms, &choice, *value, arm);
                let here = engine.terms.and(visit.guard, taken);
                add(&mut engine.terms, &mut result, visit.step, here);
            }
        }
        Some(result)
    }

    fn boundary(
        &mut self,
        engine: &mut Engine<'_>,
        program: &Program,
        folded: &Folded,
        condition: ConditionId,
        ordinal: usize,
    ) -> Option<BySteps> {
        let home = program.condition(condition);
        let relation = home.relation.as_ref()?;
        let boundary = *bvc::boundaries_of(program, condition).get(ordinal)?;
        let values = folded.of(home.decision);
        if values.is_some_and(|values| values[home.ordinal].is_some()) {
            // The operands of a folded condition are constants.
            let (left, right) = (relation.left.as_ref()?, relation.right.as_ref()?);
            let met = bvc::met(relation, left, right, &program.real_step).contains(&ordinal);
            return self.of_evaluations(
                engine,
                program,
                folded,
                home.decision,
                |terms, decision_terms| {
                    let taken =
                        [false, true].map(|value| decision_terms.taken(home.ordinal, value));
                    if met { terms.or(taken[0], taken[1]) } else { terms.bit(false) }
                },
            );
        }
        let points = points_that(engine, |meaning| *meaning == Meaning::Evaluate(condition));
        if points.is_empty() {
            return None;
        }
        let mut result = BySteps::new();
        for at in points.iter().flat_map(|point| &self.by_point[*point]) {
            let visit = engine.visits[*at].clone();
            let &[_, left, right] = visit.values.as_slice() else { return None };
            let met = meets(&mut engine.terms, relation, boundary, left, right)?;
            let here = engine.terms.and(visit.guard, met);
            add(&mut engine.terms, &mut result, visit.step, here);
        }
        Some(result)
    }

    /// The bit that some evaluation of a decision satisfies `does`.
    fn of_evaluations(
        &mut self,
        engine: &mut Engine<'_>,
        program: &Program,
        folded: &Folded,
        decision: DecisionId,
        does: impl Fn(&mut Terms, &DecisionTerms) -> Term,
    ) -> Option<BySteps> {
        if !self.evaluations.contains_key(&decision) {
            let found = self.evaluations_of(engine, program, folded, decision);
            self.evaluations.insert(decision, found);
        }
        let evaluations = self.evaluations.get(&decision)?.as_ref()?;
        let mut result = BySteps::new();
        for evaluation in evaluations {
            let here = does(&mut engine.terms, &evaluation.decision_terms);
            add(&mut engine.terms, &mut result, evaluation.step, here);
        }
        Some(result)
    }

    fn evaluations_of(
        &self,
        engine: &mut Engine<'_>,
        program: &Program,
        folded: &Folded,
        decision: DecisionId,
    ) -> Option<Vec<Evaluation>> {
        let is_of = |meaning: &Meaning| match meaning {
            Meaning::Evaluate(condition) => program.condition(*condition).decision == decision,
            Meaning::Pass(passed) => *passed == decision,
            _ => false,
        };
        let points = points_that(engine, is_of);
        // Conditions of one evaluation are evaluated in the same iteration of the same loops.
        let mut loops = points.iter().map(|point| {
            let point = &engine.points.all[*point];
            (point.function, point.operation)
        });
        let (function, first) = loops.next()?;
        let rest: Vec<u32> = loops.map(|(_, operation)| operation).collect();
        let flow = engine.flow(function);
        if rest.iter().any(|operation| flow.loops(*operation) != flow.loops(first)) {
            return None;
        }
        let mut groups: BTreeMap<(u32, u32, Vec<u32>), Vec<usize>> = BTreeMap::new();
        for at in points.iter().flat_map(|point| &self.by_point[*point]) {
            let PointVisit { step, frame, iterations, .. } = &engine.visits[*at];
            groups.entry((*step, *frame, iterations.clone())).or_default().push(*at);
        }
        let groups = groups.into_iter().map(|((step, ..), visits)| {
            let decision_terms = decision_terms(engine, program, folded, decision, &visits);
            Evaluation { step, decision_terms }
        });
        Some(groups.collect())
    }
}

/// The points with such a meaning, by index.
fn points_that(engine: &Engine<'_>, is: impl Fn(&Meaning) -> bool) -> Vec<usize> {
    let all = engine.points.all.iter().enumerate();
    all.filter(|(_, point)| is(&point.meaning)).map(|(index, _)| index).collect()
}

/// The terms of one evaluation, from the visits of its conditions.
fn decision_terms(
    engine: &mut Engine<'_>,
    program: &Program,
    folded: &Folded,
    decision: DecisionId,
    visits: &[usize],
) -> DecisionTerms {
    let tree = &program.decision(decision).tree;
    let never = engine.terms.bit(false);
    let mut conditions: Vec<Option<[Term; 2]>> = vec![None; tree.conditions()];
    let mut begun = never;
    for at in visits {
        let visit = engine.visits[*at].clone();
        begun = engine.terms.or(begun, visit.guard);
        let Meaning::Evaluate(condition) = engine.points.all[visit.point].meaning else {
            continue;
        };
        let Some(value) = visit.values.first() else { continue };
        let terms = &mut engine.terms;
        let value = terms.extract(*value, 0, 1);
        let negated = terms.not(value);
        let place = conditions[program.condition(condition).ordinal].get_or_insert([never; 2]);
        for (side, bit) in place.iter_mut().zip([negated, value]) {
            let here = terms.and(visit.guard, bit);
            *side = terms.or(*side, here);
        }
    }
    let none = vec![None; tree.conditions()];
    let values = folded.of(decision).unwrap_or(&none);
    let constants = program.constants_of(decision);
    DecisionTerms::new(&mut engine.terms, tree, &conditions, values, begun, &constants)
}

fn arm_of(terms: &mut Terms, choice: &Choice, value: Term, arm: ArmId) -> Term {
    let mask = terms.constant(choice.mask().into(), 64);
    let mut others = terms.bit(true);
    let mut taken = terms.bit(false);
    for (this, low, more) in choice.cases() {
        let low = terms.constant(low.into(), 64);
        let above = terms.binary(BinaryOp::Subtract, value, low);
        let above = terms.and(above, mask);
        let more = terms.constant(more.into(), 64);
        let fits = terms.at_most(above, more);
        if this == arm {
            let here = terms.and(others, fits);
            taken = terms.or(taken, here);
        }
        let misses = terms.not(fits);
        others = terms.and(others, misses);
    }
    if choice.otherwise() == arm { terms.or(taken, others) } else { taken }
}

fn add(terms: &mut Terms, result: &mut BySteps, step: u32, here: Term) {
    match result.get_mut(&step) {
        Some(any) => *any = terms.or(*any, here),
        None => {
            result.insert(step, here);
        }
    }
}
