//! The propagation of one effect through one test: where its tag was lost, and what became of it.
//!
//! [`Unit::follow`] runs tests once more with a [`Follower`] each and says what came of them in names and places of the
//! user's files. Tags are never lost in arithmetic; a decision masks them, a value without them is written over them, or,
//! under the strict semantics, the value is the same on either path.

use obligato_bytecode::{Address, CodeId};
use obligato_execute::{Ending, StackEntry, Variables};
use obligato_model::{ConditionId, DecisionId, Observability, Position, Suite, TestId};

use super::flow::Flow;
use super::follower::{Follower, Holder, NotedLoss, OperationSite, Weight};
use super::run_tagged;
use crate::interface::Interface;
use crate::measure::Watches;
use crate::run::{Runner, TestRun};
use crate::script::{Columns, Write};
use crate::suite::{RunError, RunOptions};
use crate::unit::Unit;

mod names;

use names::Names;

/// A condition having a value in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The test.
    pub test: TestId,
    /// The condition.
    pub condition: ConditionId,
    /// The value.
    pub value: bool,
}

/// A place in a file of the user's.
pub type Location = (String, Position);

/// The propagation of an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// Where its tag was lost, with the first step in which it was, in order of time; empty if it is observed. Masking in its
    /// own decision is left out if it ever propagated out of the decision.
    pub stops: Vec<(usize, Loss)>,
    /// What became of it, if it is never observed.
    pub lost: Option<Lost>,
}

/// A loss of an effect's tag. Variables and locations are names and positions, or, while the test runs, holders and operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss<V = Option<String>, P = Option<Location>> {
    /// A condition of a decision has a value with which it masks the effect.
    Masked {
        /// The condition.
        by: ConditionId,
        /// Its value.
        value: bool,
    },
    /// Its carrier is overwritten by a value without the tag.
    Overwritten {
        /// What held it.
        variable: V,
        /// By which operation.
        at: P,
    },
    /// The test sets its carrier before the next step.
    Set {
        /// What held it.
        variable: V,
    },
    /// The value is the same on either path.
    Same {
        /// Of this variable; `None`: of an expression.
        variable: Option<V>,
        /// The decision between the paths.
        decision: Option<DecisionId>,
        /// The branch.
        at: P,
    },
    /// The value that carries it is not selected.
    NotTaken {
        /// The decision that chooses,
        decision: Option<DecisionId>,
        /// being so.
        value: bool,
        /// The choice.
        at: P,
    },
    /// Another path would have done something that no named variable shows: an operation that is not executed leaves no tag.
    NotDone {
        /// What.
        what: Undone,
        /// Where.
        at: P,
    },
}

/// An operation that another path would have executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undone {
    /// Called this function.
    Call(CodeId),
    /// Called a function through a pointer.
    CallThrough,
    /// Assigned to what a pointer points to or an index chooses, or a whole object.
    Assignment,
}

/// The fate of an effect that is never observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The test ends while these hold it; memory that the program allocated has no name.
    Held(Vec<Option<String>>),
    /// The test ended early, with the effect on its way.
    Ended(Ending),
    /// Nothing that has it is left.
    Stopped,
    /// These held it, and nothing observed is computed from them.
    Unused(Vec<String>),
    /// Nothing ever held it.
    Unconnected,
}

impl Unit {
    /// Follows effects through tests, under one of the tag semantics. The exact one compares whole runs and knows no way;
    /// asked for it, this follows the strict one. `None` if the condition never has the value in that test.
    pub fn follow(
        &self,
        interface: &Interface,
        suite: &Suite,
        effects: &[Effect],
        semantics: Observability,
        options: RunOptions,
    ) -> Result<Vec<Option<Trail>>, RunError> {
        let columns = Columns::new(interface, suite)?;
        let tagged = self.executable(&Watches::default(), options, Variables::InMemory)?;
        let mut runner = self.runner(&tagged, interface, options, self.flow(semantics), ())?;
        let followed = effects.iter().map(|effect| {
            let script = columns.script(interface, &suite.tests[effect.test.index()])?;
            Ok(self.follow_one(&mut runner, interface, &script, *effect))
        });
        followed.collect()
    }

    /// A flow of tags through runs.
    pub(crate) fn flow(&self, semantics: Observability) -> Flow<'_> {
        Flow::new(&self.loaded.module, &self.program, &self.folded, &self.points, semantics)
    }

    fn follow_one(
        &self,
        runner: &mut Runner<'_, Flow<'_>, ()>,
        interface: &Interface,
        script: &[Vec<Write>],
        effect: Effect,
    ) -> Option<Trail> {
        runner.shadow_mut().follow(effect.condition, effect.value);
        let (reached, run) = run_tagged(runner, interface, script);
        let follower = runner.shadow_mut().followed()?;
        follower.evaluated()?;
        if follower.carries(&runner.shadow().sets, reached) {
            return Some(Trail { stops: Vec::new(), lost: None });
        }
        let names = Names::new(self.module(), interface, runner.addresses());
        Some(After { unit: self, names, runner, follower: &follower }.trail(&run))
    }
}

/// When a test is over in which an effect was followed and not seen.
struct After<'a, 'r, 'f> {
    unit: &'a Unit,
    names: Names<'a>,
    runner: &'a Runner<'r, Flow<'f>, ()>,
    follower: &'a Follower,
}

impl After<'_, '_, '_> {
    fn trail(&self, run: &TestRun) -> Trail {
        let plain = self.stops_of(Weight::OnlyCarrier);
        if let Some(ending) = self.early_ending(run) {
            return Trail { stops: plain, lost: Some(Lost::Ended(ending)) };
        }
        let held = self.held();
        if !held.is_empty() {
            return Trail { stops: plain, lost: Some(Lost::Held(held)) };
        }
        if !plain.is_empty() {
            return Trail { stops: plain, lost: Some(Lost::Stopped) };
        }
        if !self.follower.left() {
            let stops = self.stops_of(Weight::MaskedInDecision);
            if !stops.is_empty() {
                return Trail { stops, lost: Some(Lost::Stopped) };
            }
        }
        let (stops, unused) = (self.stops_of(Weight::Propagated), self.unused());
        let lost = match (unused.is_empty(), stops.is_empty()) {
            (false, _) => Lost::Unused(unused),
            (true, false) => Lost::Stopped,
            (true, true) => Lost::Unconnected,
        };
        Trail { stops, lost: Some(lost) }
    }

    /// How the test ended, if it did so early and the effect was on its way, or had only just begun.
    fn early_ending(&self, run: &TestRun) -> Option<Ending> {
        let ending = run.ending.clone()?;
        let begun = self.follower.evaluated() >= Some(run.steps.len());
        let deciding = self.runner.shadow().is_decided_by(self.follower);
        let mut holders = self.follower.holders().iter();
        let mut held = || holders.any(|(_, (start, size))| self.has_it(Address(*start), *size));
        (begun || deciding || held()).then_some(ending)
    }

    fn stops_of(&self, weight: Weight) -> Vec<(usize, Loss)> {
        let stops = self.follower.stops().iter().filter(|stop| stop.weight == weight);
        stops.filter_map(|stop| Some((stop.step, self.located(stop)?))).collect()
    }

    /// A loss in names and places of the user's. Memory that the compiler uses for itself is none of his.
    fn located(&self, stop: &NotedLoss) -> Option<Loss> {
        let of_compiler =
            |holder: Holder| matches!(holder, Holder::Local(..)) && self.names.of(holder).is_none();
        Some(match stop.loss {
            Loss::Masked { by, value } => Loss::Masked { by, value },
            Loss::Overwritten { variable, .. } if of_compiler(variable) => return None,
            Loss::Overwritten { variable, at } => {
                Loss::Overwritten { variable: self.names.of(variable), at: self.location(at) }
            }
            Loss::Set { variable } => Loss::Set { variable: self.names.of(variable) },
            Loss::Same { variable: Some(variable), .. } if of_compiler(variable) => return None,
            Loss::Same { variable, decision, at } => {
                let variable = variable.map(|variable| self.names.of(variable));
                Loss::Same { variable, decision, at: self.location(at) }
            }
            Loss::NotTaken { decision, value, at } => {
                Loss::NotTaken { decision, value, at: self.location(at) }
            }
            Loss::NotDone { what, at } => Loss::NotDone { what, at: self.location(at) },
        })
    }

    fn location(&self, site: OperationSite) -> Option<Location> {
        let OperationSite { function, operation } = site;
        let position = self.unit.module().function(function).places[operation as usize];
        self.unit.locate(&StackEntry { function, operation, position })
    }

    /// What holds it now that outlasts the test, each name once. Memory that the program allocated has none.
    fn held(&self) -> Vec<Option<String>> {
        let mut places: Vec<(Address, u64)> = self.names.places();
        let allocated = self.follower.holders().iter();
        places.extend(allocated.filter_map(|(holder, (_, size))| match holder {
            Holder::Lasting(address) if self.names.of(*holder).is_none() => Some((*address, *size)),
            _ => None,
        }));
        let mut names = Vec::new();
        for (start, size) in places {
            for byte in 0..size {
                let address = start.advanced(byte);
                if self.has_it(address, 1) {
                    let name = self.names.of(Holder::Lasting(address));
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
            }
        }
        names
    }

    /// The names of what held it.
    fn unused(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.follower.holders().iter().filter_map(|(holder, _)| self.names.of(*holder))
        {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn has_it(&self, start: Address, size: u64) -> bool {
        let marks = self.runner.memory().marks(start, size).unwrap_or(&[]);
        self.follower.any(&self.runner.shadow().sets, marks)
    }
}
