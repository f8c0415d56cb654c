//! Events as targets of the transition system of a C function.

use obligato_c_bmc::{CallSystem, CallTarget, Cut, Reason};
use obligato_c_unit::Unit;
use obligato_campaign::{Event, Events};
use obligato_concolic::CodeLocation;
use obligato_concolic::search::{Goals, Graph};
use obligato_execute::{Returns, returns};
use obligato_model::{Bound, NotFollowed, Observability};

use crate::event_map::EventMap;

/// Where events can happen in the code of a function.
#[derive(Clone, Copy, Debug)]
pub struct CallTargets<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// The control-flow graph of the function with all it calls.
    pub graph: &'a Graph,
    /// The basic blocks of events.
    pub map: &'a EventMap,
}

/// An event as a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventTarget {
    /// The target.
    pub target: CallTarget,
    /// Does the event happen where a run reaches the target? What tags do, the system does not say.
    pub is_exact: bool,
}

impl CallTargets<'_> {
    /// The target of an event; `None` if the system does not say when it happens.
    pub fn of(&self, system: &mut CallSystem<'_>, event: &Event) -> Option<EventTarget> {
        let blocks = self.map.blocks(self.unit.program(), event).to_vec();
        let goals = Goals::new(self.graph, blocks, false);
        let matters = |cut: &Cut| self.leads_to(&goals, cut);
        match event {
            // A condition that never shows in its decision propagates no tag.
            Event::Observed(semantics, condition, value) if *semantics != Observability::Exact => {
                let (condition, value) = (*condition, *value);
                let [one, other] = [true, false].map(|outcome| {
                    system.target(&Event::Shown { condition, value, outcome }, &matters)
                });
                let target = system.either(&one?, &other?);
                Some(EventTarget { target, is_exact: false })
            }
            Event::ObservedBoundary(semantics, condition, ordinal)
                if *semantics != Observability::Exact =>
            {
                let target = system.target(&Event::Boundary(*condition, *ordinal), &matters)?;
                Some(EventTarget { target, is_exact: false })
            }
            Event::Observed(..) | Event::ObservedBoundary(..) => None,
            event => Some(EventTarget { target: system.target(event, &matters)?, is_exact: true }),
        }
    }

    /// All events as targets, by position.
    pub fn all(&self, system: &mut CallSystem<'_>, events: &Events) -> Vec<Option<EventTarget>> {
        events.all().iter().map(|event| self.of(system, event)).collect()
    }

    /// Can a run reach one of the goals beyond this cut?
    pub fn leads_to(&self, goals: &Goals, cut: &Cut) -> bool {
        // A function that nobody here defines may call any other.
        let calls_others = match &cut.reason {
            Reason::Bound(bound) => matches!(bound, Bound::StubEffects(_) | Bound::OwnCallbacks),
            Reason::NotFollowed(why) => matches!(
                why,
                NotFollowed::StubArguments
                    | NotFollowed::UnconstrainedCall
                    | NotFollowed::FixedCall
            ),
        };
        if calls_others {
            return true;
        }
        let location = |(function, operation)| CodeLocation { function, operation };
        let Some(block) = self.graph.block_of(location((cut.function, cut.operation))) else {
            return true;
        };
        let callers = cut.callers.iter().map(|from| location(*from));
        // A `longjmp` may continue anywhere.
        let is_jump = |name: &str| returns(name) == Returns::Twice;
        let jumps = || self.unit.module().functions.iter().any(|one| is_jump(&one.name));
        goals.reachable(self.graph, block, callers) || jumps()
    }
}
