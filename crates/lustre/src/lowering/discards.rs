//! What is not evaluated in a step, because its value is discarded.
//!
//! A clock says when an expression has a value. Of what has one, `->` discards the side that it does not take, `when`
//! what it does not sample, a conditional call its arguments and what restarts it while it is not made, and its first values otherwise.
//! No evidence comes from there. What is stored is not discarded, also where the result is: the operands of `pre`,
//! `fby`, `current` and the arguments of calls that are made. Both arms of `if` are evaluated.

use obligato_transition_system::NodeId;

use super::lowered::InstanceId;
use super::machine::{ContextId, Machine, Outcome};
use crate::analysis::{ClockId, VariableId, Wanted};
use obligato_lustre_syntax::ast::ExprId;

obligato_model::typed_ids! {
    /// A reason why an expression may not be evaluated although its clock holds.
    DiscardId,
}

/// Why an expression may not be evaluated. It is evaluated where what is around it is, and this holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Discard {
    /// A side of `->`, or the first value of `fby`.
    Instant { around: Option<DiscardId>, instance: InstanceId, clock: ClockId, side: Side },
    /// What `when` samples, or an arm of `merge`: where the variable has the value.
    Sampled {
        around: Option<DiscardId>,
        instance: InstanceId,
        variable: VariableId,
        wanted: Wanted,
    },
    /// What a call gives: where the called node takes it.
    Given { instance: InstanceId, variable: VariableId },
    /// What restarts a call: where the call is made.
    Restart { context: ContextId, call: ExprId },
    /// The first value of a call that is not made at the first instant of a clock.
    Default { context: ContextId, call: ExprId, clock: ClockId },
}

impl Discard {
    fn around(self) -> Option<DiscardId> {
        match self {
            Self::Instant { around, .. } | Self::Sampled { around, .. } => around,
            Self::Given { .. } | Self::Restart { .. } | Self::Default { .. } => None,
        }
    }
}

/// A side of `->`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    First,
    Later,
}

impl Machine<'_> {
    pub fn discard(&mut self, discard: Discard) -> DiscardId {
        self.discards.push(discard);
        DiscardId::new(self.discards.len() - 1)
    }

    /// Is an expression evaluated in a step in which its clock holds? All variables are lowered.
    pub fn is_evaluated(&mut self, discarded: Option<DiscardId>) -> Outcome<NodeId> {
        // From the outermost on, each once.
        let mut chain = Vec::new();
        let mut at = discarded;
        while let Some(id) = at.filter(|id| !self.evaluated.contains_key(id)) {
            chain.push(id);
            at = self.discards[id.index()].around();
        }
        let mut evaluated = at.map_or(self.always, |known| self.evaluated[&known]);
        for id in chain.into_iter().rev() {
            let here = self.evaluated_here(self.discards[id.index()])?;
            evaluated = self.and(evaluated, here);
            self.evaluated.insert(id, evaluated);
        }
        Ok(evaluated)
    }

    fn evaluated_here(&mut self, discard: Discard) -> Outcome<NodeId> {
        Ok(match discard {
            Discard::Instant { instance, clock, side, .. } => {
                let first = self.first(instance, clock);
                if side == Side::First { first } else { self.not(first) }
            }
            Discard::Sampled { instance, variable, wanted, .. } => {
                let node = self.lowered(instance, variable).leaves[0];
                self.has(node, wanted)
            }
            Discard::Given { instance, variable } => {
                self.demand_activity(instance, self.model.clocks.of_variable(variable))?
            }
            Discard::Restart { context, call } => {
                self.instances[self.calls[&(context, call)].index()].active
            }
            Discard::Default { context, call, clock } => {
                let first = self.first(self.instance_of(context), clock);
                let made = self.instances[self.calls[&(context, call)].index()].active;
                let idle = self.not(made);
                self.and(first, idle)
            }
        })
    }
}
