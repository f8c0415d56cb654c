//! The evaluations of a batch, tallied in masks, a bit per test.
//!
//! Evidence of single tests is made from it. A search for few events in many tests reads
//! the masks themselves, which costs far less.

use obligato_criteria::bvc::MOST_BOUNDARIES;
use obligato_criteria::evidence::{DecisionEvidence, TestEvidence};
use obligato_model::{
    BitSet, ConditionId, DecisionId, Evaluation, Observability, Program, StatementId, Watched,
};
use obligato_transition_system::lanes::{Mask, WORDS, contains};
use rustc_hash::FxHashMap;

use super::marking::{add, and, not};

type Lanes = Mask<WORDS>;

/// By the value of a condition, or the outcome of a decision: false, then true.
type ByValue = [Lanes; 2];

/// The tally of a batch.
#[derive(Clone, Debug)]
pub struct LaneTally {
    /// By statement: the lanes that executed it.
    pub executed: Vec<Lanes>,
    /// By decision.
    pub decisions: Vec<DecisionTally>,
    /// By condition.
    pub conditions: Vec<ConditionTally>,
    /// By semantics, then by condition: the lanes in which its effects are observed.
    pub observed: Vec<(Observability, Vec<EffectTally>)>,
    /// By check of the system: the lanes that failed it.
    pub failed: Vec<Lanes>,
}

/// What was seen of one decision.
#[derive(Clone, Debug, Default)]
pub struct DecisionTally {
    /// The lanes that evaluated it.
    pub reached: Lanes,
    /// By outcome.
    pub outcomes: ByValue,
    /// By the conditions that were true: the lanes with this evaluation.
    pub vectors: FxHashMap<BitSet, Lanes>,
}

/// What was seen of one condition.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConditionTally {
    /// By value.
    pub taken: ByValue,
    /// By outcome of the decision, then by value: unmasked.
    pub shown: [ByValue; 2],
    /// By boundary.
    pub boundaries: [Lanes; MOST_BOUNDARIES],
}

/// The lanes in which effects of one condition are observed.
#[derive(Clone, Copy, Debug, Default)]
pub struct EffectTally {
    /// By value.
    pub values: ByValue,
    /// By boundary.
    pub boundaries: [Lanes; MOST_BOUNDARIES],
}

impl LaneTally {
    /// An empty tally.
    pub fn new(program: &Program, watched: &Watched) -> Self {
        let conditions = program.conditions().len();
        let effects =
            |semantics: &Observability| (*semantics, vec![EffectTally::default(); conditions]);
        Self {
            executed: vec![[0; WORDS]; program.statements().len()],
            decisions: vec![DecisionTally::default(); program.decisions().len()],
            conditions: vec![ConditionTally::default(); conditions],
            observed: watched.effects.iter().map(effects).collect(),
            failed: Vec::new(),
        }
    }

    /// What the test in a lane has shown.
    pub fn evidence(
        &self,
        program: &Program,
        watched: &Watched,
        lane: usize,
        name: &str,
    ) -> TestEvidence {
        let mut test = TestEvidence::empty(program, watched, name);
        for (statement, executed) in self.executed.iter().enumerate() {
            if contains(executed, lane) {
                test.executed.insert(StatementId::new(statement).index());
            }
        }
        for (index, decision) in self.decisions.iter().enumerate() {
            if contains(&decision.reached, lane) {
                let id = DecisionId::new(index);
                test.decisions.push((id, self.decision(program, id, lane)));
            }
        }
        let boundary = |met: &[Lanes; MOST_BOUNDARIES], insert: &mut dyn FnMut(usize)| {
            let met = met.iter().enumerate().filter(|(_, met)| contains(met, lane));
            met.for_each(|(ordinal, _)| insert(ordinal));
        };
        for (index, condition) in self.conditions.iter().enumerate() {
            let id = ConditionId::new(index);
            boundary(&condition.boundaries, &mut |at| test.boundaries.insert(id, at));
        }
        for ((_, effects), (_, observed)) in self.observed.iter().zip(&mut test.observed) {
            for (index, effect) in effects.iter().enumerate() {
                for value in 0..2 {
                    if contains(&effect.values[value], lane) {
                        observed.conditions[value].insert(index);
                    }
                }
                let id = ConditionId::new(index);
                boundary(&effect.boundaries, &mut |at| observed.boundaries.insert(id, at));
            }
        }
        test
    }

    fn decision(&self, program: &Program, id: DecisionId, lane: usize) -> DecisionEvidence {
        let decision = program.decision(id);
        let count = decision.tree.conditions();
        let tally = &self.decisions[id.index()];
        let empty = || BitSet::empty(count);
        let mut evidence = DecisionEvidence {
            outcomes: tally.outcomes.map(|lanes| contains(&lanes, lane)),
            taken: [empty(), empty()],
            shown: [[empty(), empty()], [empty(), empty()]],
            vectors: Vec::new(),
        };
        let first = decision.first_condition.index();
        for (ordinal, condition) in self.conditions[first..first + count].iter().enumerate() {
            for value in 0..2 {
                if contains(&condition.taken[value], lane) {
                    evidence.taken[value].insert(ordinal);
                }
                for outcome in 0..2 {
                    if contains(&condition.shown[outcome][value], lane) {
                        evidence.shown[outcome][value].insert(ordinal);
                    }
                }
            }
        }
        let own = tally.vectors.iter().filter(|(_, lanes)| contains(lanes, lane));
        evidence.vectors = own.map(|(values, _)| evaluation(program, id, values)).collect();
        evidence.vectors.sort_unstable();
        evidence
    }
}

fn evaluation(program: &Program, id: DecisionId, values: &BitSet) -> Evaluation {
    let tree = &program.decision(id).tree;
    let values: Vec<bool> = (0..tree.conditions()).map(|at| values.contains(at)).collect();
    tree.evaluate(&values)
}

/// Adds lanes to a pair, by value.
pub fn add_by_value(to: &mut ByValue, value: Lanes, lanes: Lanes) {
    add(&mut to[0], and(lanes, not(value)));
    add(&mut to[1], and(lanes, value));
}
