//! From counts to evidence: the same as a [`Collector`](crate::Collector) finds, for those who run programs by the million.
//!
//! A collector is told of everything that happens, in order. An [`EvidenceTally`] wants far less. Of decisions in which each condition
//! is reached in one way only, it wants to know at the end of a test how often each condition had each value. The others
//! are [followed](EvidenceTally::evaluate), which is a look-up unless an evaluation takes a way that is new. Operands of comparisons
//! are not looked at, so what is said of boundaries is worth nothing.

use obligato_model::{BitSet, ConditionId, DecisionId, Program, Watched};

use crate::collector::{Contradiction, ContradictionReason};
use crate::evidence::{DecisionEvidence, TestEvidence};
use crate::paths::{Onwards, Paths};
use crate::tracker::{OutOfOrder, Vectors};
use crate::walk::Walk;

/// Adds up what tests show.
#[derive(Clone, Debug)]
pub struct EvidenceTally<'p> {
    program: &'p Program,
    watched: Watched,
    /// Per decision.
    walks: Vec<Walk>,
    forms: Vec<Form>,
    counted: Vec<bool>,
    /// Per condition, how often it was false and true: of decisions that are counted.
    counts: Vec<[u64; 2]>,
    reached: Vec<DecisionId>,
    is_reached: Vec<bool>,
    test: TestEvidence,
    wrong: Option<ContradictionReason>,
    evaluations: u64,
}

/// The evaluations of a decision.
#[derive(Clone, Debug)]
enum Form {
    /// Up to 64 conditions: a set of them is a word.
    Narrow(Box<Paths<u64>>),
    Wide(Box<Paths<BitSet>>),
}

/// Calls a method of the paths of a decision, whatever their sets are.
macro_rules! of_form {
    ($form:expr, $paths:ident => $call:expr) => {
        match $form {
            Form::Narrow($paths) => $call,
            Form::Wide($paths) => $call,
        }
    };
}

impl<'p> EvidenceTally<'p> {
    /// For runs of `program`; `folded` gives the values of conditions that no code evaluates, if a decision has such.
    pub fn new<'f>(
        program: &'p Program,
        watched: &Watched,
        vectors: Vectors,
        folded: impl Fn(DecisionId) -> Option<&'f [Option<bool>]>,
    ) -> Self {
        let (mut forms, mut walks, mut counted) = (Vec::new(), Vec::new(), Vec::new());
        for (index, decision) in program.decisions().iter().enumerate() {
            let id = DecisionId::new(index);
            let constants = program.constants_of(id);
            let folded = folded(id).map(<[_]>::to_vec).unwrap_or_default();
            let tree = &decision.tree;
            let form = if tree.conditions() <= 64 {
                Form::Narrow(Box::new(Paths::new(tree, &constants, folded, vectors)))
            } else {
                Form::Wide(Box::new(Paths::new(tree, &constants, folded, vectors)))
            };
            walks.push(Walk::new(of_form!(&form, paths => paths.first())));
            counted.push(of_form!(&form, paths => paths.are_told_by_counts(&constants)));
            forms.push(form);
        }
        Self {
            program,
            watched: watched.clone(),
            walks,
            is_reached: vec![false; forms.len()],
            forms,
            counted,
            counts: vec![[0; 2]; program.conditions().len()],
            reached: Vec::new(),
            test: TestEvidence::empty(program, watched, ""),
            wrong: None,
            evaluations: 0,
        }
    }

    /// Is it enough to count the conditions of this decision?
    pub fn is_counted(&self, decision: DecisionId) -> bool {
        self.counted[decision.index()]
    }

    /// Begins a test.
    pub fn begin(&mut self, name: &str) {
        self.test = TestEvidence::empty(self.program, &self.watched, name);
    }

    /// What the test has shown so far beside decisions.
    pub fn test_mut(&mut self) -> &mut TestEvidence {
        &mut self.test
    }

    /// The condition at this place in a decision that is not counted was evaluated by a call at this depth.
    #[inline]
    pub fn evaluate(&mut self, decision: DecisionId, ordinal: u32, depth: u32, value: bool) {
        let walk = self.walks.get_mut(decision.index());
        if walk.is_none_or(|walk| !walk.follow(ordinal, depth, value)) {
            self.explore(decision, ordinal, depth, value);
        }
    }

    /// An evaluation begins, comes back or goes where none has been.
    #[cold]
    fn explore(&mut self, decision: DecisionId, ordinal: u32, depth: u32, value: bool) {
        let walk = &mut self.walks[decision.index()];
        let from = match walk.turn_to(ordinal, depth) {
            Ok(from) => from,
            Err(error) => return self.note_disorder(decision, ordinal as usize, error),
        };
        if let Some(place) = walk.known(from, value) {
            return walk.go(place, depth);
        }
        let form = &mut self.forms[decision.index()];
        let onwards = of_form!(form, paths => paths.extend(from, value));
        let place = walk.add(from, value, onwards);
        walk.go(place.unwrap_or(crate::walk::ROOT), depth);
        if onwards == Onwards::Ended
            && walk.is_idle()
            && of_form!(form, paths => paths.are_too_many())
        {
            walk.clear();
            of_form!(form, paths => paths.forget_places());
        }
        let condition = self.program.condition_at(decision, ordinal as usize);
        self.check_constant(condition, value);
        self.reach(decision);
    }

    fn reach(&mut self, decision: DecisionId) {
        if !std::mem::replace(&mut self.is_reached[decision.index()], true) {
            self.reached.push(decision);
        }
    }

    /// A condition of a decision that is counted was evaluated so often, to false and to true.
    pub fn count(&mut self, condition: ConditionId, [of_false, of_true]: [u64; 2]) {
        let counts = &mut self.counts[condition.index()];
        counts[0] = counts[0].saturating_add(of_false);
        counts[1] = counts[1].saturating_add(of_true);
        self.evaluations = self.evaluations.saturating_add(of_false).saturating_add(of_true);
        for (value, count) in [(false, of_false), (true, of_true)] {
            if count > 0 {
                self.check_constant(condition, value);
                self.reach(self.program.condition(condition).decision);
            }
        }
    }

    /// A decision of which everything is folded was passed.
    pub fn pass(&mut self, decision: DecisionId) {
        of_form!(&mut self.forms[decision.index()], paths => paths.pass());
        self.reach(decision);
    }

    fn check_constant(&mut self, condition: ConditionId, value: bool) {
        let home = self.program.condition(condition);
        if let Some(constant) = home.constant.filter(|constant| *constant != value) {
            let reason = ContradictionReason::NotConstant(home.text.clone(), constant);
            self.wrong.get_or_insert(reason);
        }
    }

    fn note_disorder(&mut self, decision: DecisionId, ordinal: usize, error: OutOfOrder) {
        let text = &self.program.decision(decision).text;
        self.wrong.get_or_insert_with(|| ContradictionReason::out_of_order(text, ordinal, error));
    }

    /// Ends the test.
    pub fn finish(&mut self) -> Result<TestEvidence, Contradiction> {
        self.reached.sort_unstable();
        for decision in std::mem::take(&mut self.reached) {
            self.is_reached[decision.index()] = false;
            let seen = self.finish_decision(decision);
            self.test.decisions.push((decision, seen));
        }
        let event = usize::try_from(std::mem::take(&mut self.evaluations)).unwrap_or(usize::MAX);
        let empty = TestEvidence::empty(self.program, &self.watched, "");
        let test = std::mem::replace(&mut self.test, empty);
        match self.wrong.take() {
            Some(reason) => Err(Contradiction { test: test.name, event, reason }),
            None => Ok(test),
        }
    }

    fn finish_decision(&mut self, decision: DecisionId) -> DecisionEvidence {
        let index = decision.index();
        if self.counted[index] {
            let first = self.program.condition_at(decision, 0).index();
            let conditions = self.program.decision(decision).tree.conditions();
            let counts = &mut self.counts[first..first + conditions];
            if counts.iter().any(|count| *count != [0, 0]) {
                let adopted = of_form!(&mut self.forms[index], paths => paths.adopt(counts));
                counts.fill([0, 0]);
                if let Err((ordinal, error)) = adopted {
                    self.note_disorder(decision, ordinal, error);
                }
            }
        }
        self.walks[index].clear();
        of_form!(&mut self.forms[index], paths => paths.finish())
    }
}
