//! Events and demands: what tests have to show for an obligation to be covered.
//!
//! An [`Event`] happens in a test or not, and one step of the test is enough to tell. An obligation is
//! covered if every event of one of its [alternatives](Demand::Alternatives) was seen, in whatever tests. Most
//! have one alternative with one event; a half of MC/DC below `xor`, `=` or the test of a choice needs its
//! partner, and so does everything by unique cause.
//!
//! The criteria remain the judges of what is covered. Events are for engines: each is
//! something to search for by itself, or to refute by itself.

use obligato_criteria::{bvc, mcc, mcdc};
use obligato_model::{
    ArmId, BitSet, Condition, ConditionId, Criterion, DecisionId, Evaluation, ExitId, FunctionId,
    Goal, Independence, MutantId, Obligation, Observability, Program, StatementId, Strength,
    Unsupported, typed_ids,
};
use rustc_hash::FxHashMap;

typed_ids! {
    /// An event among those of a plan.
    EventId,
}

/// Something that happens in a test.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The function is entered.
    Entered(FunctionId),
    /// A function is left through this return.
    Left(ExitId),
    /// The `switch` goes to this arm.
    Chosen(ArmId),
    /// The statement is executed, or the equation evaluated.
    Executed(StatementId),
    /// The decision comes out this way.
    Outcome(DecisionId, bool),
    /// The condition takes this value.
    Taken(ConditionId, bool),
    /// The condition has this value, is unmasked, and the decision comes out this way.
    Shown {
        /// The condition.
        condition: ConditionId,
        /// Its value.
        value: bool,
        /// The decision's.
        outcome: bool,
    },
    /// The decision is evaluated exactly so.
    Vector(DecisionId, Box<Evaluation>),
    /// The operands of the condition stand at this boundary of its list.
    Boundary(ConditionId, usize),
    /// The effect of the condition having this value reaches something observed.
    Observed(Observability, ConditionId, bool),
    /// The effect of the condition at this boundary does.
    ObservedBoundary(Observability, ConditionId, usize),
    /// The mutant is told from the original.
    Killed(Strength, MutantId),
    /// The check of the system at this position fails: a property is violated, say.
    Violated(usize),
}

impl Event {
    /// The function in which it happens; none if it is about the whole system.
    pub fn function(&self, program: &Program) -> Option<FunctionId> {
        let of_decision = |decision: DecisionId| program.decision(decision).function;
        let of_condition =
            |condition: ConditionId| of_decision(program.condition(condition).decision);
        Some(match self {
            Self::Entered(function) => *function,
            Self::Left(exit) => program.exits()[exit.index()].function,
            Self::Chosen(arm) => program.switches()[program.arms()[arm.index()].switch].function,
            Self::Executed(statement) => program.statements()[statement.index()].function,
            Self::Outcome(decision, _) | Self::Vector(decision, _) => of_decision(*decision),
            Self::Taken(condition, _)
            | Self::Shown { condition, .. }
            | Self::Boundary(condition, _)
            | Self::Observed(_, condition, _)
            | Self::ObservedBoundary(_, condition, _) => of_condition(*condition),
            Self::Killed(_, mutant) => program.mutants()[mutant.index()].function,
            Self::Violated(_) => return None,
        })
    }
}

/// What an obligation asks of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Nothing: the plan alone has its verdict.
    Settled,
    /// That all events of one of these alternatives are seen.
    Alternatives(Vec<Vec<EventId>>),
    /// Something that is not searched for, and why.
    Unsupported(Unsupported),
}

/// The events of a plan's obligations, each once.
#[derive(Clone, Debug, Default)]
pub struct Events {
    all: Vec<Event>,
    ids: FxHashMap<Event, EventId>,
    /// The decision asked about last, and its conditions whose unmasked value fixes the outcome: to compute them for each
    /// condition anew takes time that grows with the square of the decision.
    fixing: Option<(DecisionId, BitSet)>,
}

impl Events {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All of them, by id.
    pub fn all(&self) -> &[Event] {
        &self.all
    }

    /// The event with this id.
    pub fn get(&self, id: EventId) -> &Event {
        &self.all[id.index()]
    }

    /// The id of an event, if it is known.
    pub fn id(&self, event: &Event) -> Option<EventId> {
        self.ids.get(event).copied()
    }

    /// The id of an event, which is new or known.
    pub fn intern(&mut self, event: Event) -> EventId {
        if let Some(known) = self.ids.get(&event) {
            return *known;
        }
        let id = EventId::new(self.all.len());
        self.ids.insert(event.clone(), id);
        self.all.push(event);
        id
    }

    /// What an obligation of `program` asks for.
    pub fn demand(&mut self, program: &Program, obligation: &Obligation) -> Demand {
        if obligation.settled.is_some() {
            return Demand::Settled;
        }
        let event = match (obligation.criterion, &obligation.goal) {
            (_, Goal::Enter(function)) => Event::Entered(*function),
            (_, Goal::Leave(exit)) => Event::Left(*exit),
            (_, Goal::Switch(arm)) => Event::Chosen(*arm),
            (_, Goal::Execute(statement)) => Event::Executed(*statement),
            (_, Goal::Outcome(decision, value)) => Event::Outcome(*decision, *value),
            (_, Goal::Value(condition, value)) => Event::Taken(*condition, *value),
            (_, Goal::Vector(decision, vector)) => Event::Vector(*decision, vector.clone()),
            (Criterion::Omcdc(semantics), Goal::Independence(condition, value)) => {
                Event::Observed(semantics, *condition, *value)
            }
            (Criterion::Mcdc(independence), Goal::Independence(condition, value)) => {
                return match independence {
                    Independence::Masking => self.masking(program, *condition, *value),
                    Independence::UniqueCause => self.unique_cause(program, *condition),
                };
            }
            (criterion, Goal::Boundary(condition, boundary)) => {
                let ordinal = bvc::ordinal(program, *condition, *boundary);
                match criterion {
                    Criterion::Obvc(how) => Event::ObservedBoundary(how, *condition, ordinal),
                    _ => Event::Boundary(*condition, ordinal),
                }
            }
            (Criterion::Mutation(strength), Goal::Kill(mutant)) => Event::Killed(strength, *mutant),
            (criterion, _) => {
                return Demand::Unsupported(Unsupported::Construct(format!(
                    "{criterion} of {}",
                    obligation.text
                )));
            }
        };
        Demand::Alternatives(vec![vec![self.intern(event)]])
    }

    fn masking(&mut self, program: &Program, condition: ConditionId, value: bool) -> Demand {
        let Condition { decision, ordinal, .. } = *program.condition(condition);
        let alone = self.fixing_the_outcome(program, decision).contains(ordinal);
        let mut shown = |value, outcome| self.intern(Event::Shown { condition, value, outcome });
        Demand::Alternatives(
            [true, false]
                .map(|outcome| {
                    let half = shown(value, outcome);
                    if alone { vec![half] } else { vec![half, shown(!value, !outcome)] }
                })
                .into(),
        )
    }

    fn fixing_the_outcome(&mut self, program: &Program, decision: DecisionId) -> &BitSet {
        if self.fixing.as_ref().is_none_or(|(known, _)| *known != decision) {
            let tree = &program.decision(decision).tree;
            self.fixing = Some((decision, mcdc::fixing_the_outcome(tree)));
        }
        &self.fixing.as_ref().expect("invariant: just computed").1
    }

    fn unique_cause(&mut self, program: &Program, condition: ConditionId) -> Demand {
        let Condition { decision, ordinal, .. } = *program.condition(condition);
        let tree = &program.decision(decision).tree;
        if mcc::count(tree) > MOST_VECTORS {
            return Demand::Unsupported(Unsupported::UniqueCausePairs(tree.conditions() as u64));
        }
        let vectors = mcc::list(tree);
        let (with, without): (Vec<_>, Vec<_>) = vectors
            .into_iter()
            .filter(|one| one.value(ordinal).is_some())
            .partition(|one| one.value(ordinal) == Some(true));
        let mut alternatives = Vec::new();
        for one in &with {
            for other in without.iter().filter(|other| go_together(one, other, ordinal)) {
                let mut event = |vector: &Evaluation| {
                    self.intern(Event::Vector(decision, vector.clone().into()))
                };
                alternatives.push(vec![event(one), event(other)]);
            }
        }
        Demand::Alternatives(alternatives)
    }
}

/// Pairs of a decision's evaluations are listed for unique cause up to so many evaluations.
const MOST_VECTORS: u128 = 256;

/// Do these evaluations show the condition at `ordinal` by unique cause?
fn go_together(one: &Evaluation, other: &Evaluation, ordinal: usize) -> bool {
    let agree = |at: usize| match (one.value(at), other.value(at)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    one.outcome != other.outcome && (0..one.conditions()).all(|at| at == ordinal || agree(at))
}
