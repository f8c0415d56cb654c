//! Clocks: at which instants a stream is present.
//!
//! A clock is the base clock of its node, or another clock restricted to the instants at which a
//! variable has a value. [`check_clocks`](super::check_clocks) finds the clock of everything;
//! state advances only when its clock holds.

use rustc_hash::FxHashMap;

use super::kind::Kind;
use super::model::{Model, VariableId};
use obligato_lustre_syntax::ast::{Clock, ExprId, Name};
use obligato_lustre_syntax::typed_id;

typed_id! {
    /// A clock.
    ClockId
}

impl ClockId {
    /// The base clock of a node.
    pub fn base() -> Self {
        Self::new(0)
    }
}

/// The value that a clock asks of its variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// A Boolean.
    Bool(bool),
    /// A position in the enumeration.
    Position(u32),
}

/// A clock that restricts another to the instants at which a variable has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Restriction {
    /// The clock that is restricted.
    pub parent: ClockId,
    /// The variable.
    pub variable: VariableId,
    /// Its value.
    pub wanted: Wanted,
}

/// The clocks of a model. The tables by expression and variable are empty if all is on the base
/// clock.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    /// All clocks but the base clock, which comes before them.
    restrictions: Vec<Restriction>,
    index: FxHashMap<Restriction, ClockId>,
    pub(super) variables: Vec<ClockId>,
    pub(super) exprs: Vec<ClockId>,
    /// The base clocks of calls.
    pub(super) calls: FxHashMap<ExprId, ClockId>,
}

impl Clocks {
    /// The clock of an expression.
    pub fn of(&self, id: ExprId) -> ClockId {
        self.exprs.get(id.index()).copied().unwrap_or(ClockId::base())
    }

    /// Puts the expressions that were added since on a clock.
    pub(crate) fn extend(&mut self, exprs: usize, clock: ClockId) {
        if !self.exprs.is_empty() {
            self.exprs.resize(exprs, clock);
        }
    }

    /// The clock of a variable.
    pub fn of_variable(&self, id: VariableId) -> ClockId {
        self.variables.get(id.index()).copied().unwrap_or(ClockId::base())
    }

    /// The clock of the caller that is the base clock of the called node.
    pub fn of_call(&self, id: ExprId) -> ClockId {
        self.calls.get(&id).copied().unwrap_or(self.of(id))
    }

    /// What a clock restricts and how; `None` for the base clock.
    pub fn restriction(&self, clock: ClockId) -> Option<Restriction> {
        clock.index().checked_sub(1).map(|index| self.restrictions[index])
    }

    /// The restrictions that make a clock, innermost first.
    pub fn chain(&self, clock: ClockId) -> impl Iterator<Item = Restriction> + '_ {
        let next = |last: &Restriction| self.restriction(last.parent);
        std::iter::successors(self.restriction(clock), next)
    }

    /// The clock that restricts another, new or known.
    pub(super) fn restrict(&mut self, restriction: Restriction) -> ClockId {
        let next = ClockId::new(self.restrictions.len() + 1);
        let id = *self.index.entry(restriction).or_insert(next);
        if id == next {
            self.restrictions.push(restriction);
        }
        id
    }
}

impl Model {
    /// The value of a clock's variable that a branch of `merge` or a `when` names.
    pub fn wanted(&self, variable: VariableId, value: Name) -> Wanted {
        match self.kinds.get(self.variable(variable).kind) {
            Kind::Enumeration(id) => {
                let values = &self.kinds.enumeration(*id).values;
                let found = values.iter().position(|known| known.symbol == value.symbol);
                Wanted::Position(found.unwrap_or(0) as u32)
            }
            _ => Wanted::Bool(self.text(value.symbol) == "true"),
        }
    }

    /// The value that a clock as written asks of its variable.
    pub(crate) fn wanted_by(&self, clock: Clock, variable: VariableId) -> Wanted {
        match clock {
            Clock::Base | Clock::On(_) => Wanted::Bool(true),
            Clock::Not(_) => Wanted::Bool(false),
            Clock::Value { value, .. } => self.wanted(variable, value),
        }
    }

    /// How a message names a clock.
    pub(super) fn describe_clock(&self, clocks: &Clocks, clock: ClockId) -> String {
        let Some(restriction) = clocks.restriction(clock) else {
            return "the base clock".to_owned();
        };
        let name = self.variable_name(restriction.variable);
        let kind = self.kinds.get(self.variable(restriction.variable).kind);
        match (restriction.wanted, kind) {
            (Wanted::Position(position), Kind::Enumeration(id)) => {
                let value = self.kinds.enumeration(*id).values[position as usize];
                format!("'when {}({name})'", self.text(value.symbol))
            }
            (Wanted::Bool(false), _) => format!("'when not {name}'"),
            _ => format!("'when {name}'"),
        }
    }
}
