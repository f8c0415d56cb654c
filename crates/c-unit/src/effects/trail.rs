//! The way of one effect through one test: what let its tag down, and what became of it.
//!
//! [`Unit::follow`] runs tests once more with a [`Follower`] each and says what came of them in names and places of the
//! user's files. Tags are never lost in arithmetic; a decision masks them, a value without them is written over them, or,
//! under the strict semantics, the value is the same whichever way is taken.

use obligato_bytecode::{Address, CodeId};
use obligato_execute::{Ending, Place, Variables};
use obligato_model::{ConditionId, DecisionId, Observability, Position, Suite, TestId};

use super::flow::Flow;
use super::follower::{Follower, Holder, Spot, Stop, Weight};
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

/// The way of an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// What let it down, with the first step in which it did, in order of time; nothing if it is seen. What its own
    /// decision masks is no part of it if it ever got out of the decision.
    pub stops: Vec<(usize, Loss)>,
    /// What became of it, if it is never seen.
    pub lost: Option<Lost>,
}

/// What lets an effect down. Variables and places are names and positions, or, while the test runs, what stands for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss<V = Option<String>, P = Option<Location>> {
    /// A condition of a decision has a value with which it masks the effect.
    Masked {
        /// The condition.
        by: ConditionId,
        /// Its value.
        value: bool,
    },
    /// What held it is overwritten by something without it.
    Overwritten {
        /// What held it.
        variable: V,
        /// By which operation.
        at: P,
    },
    /// The test sets what held it before its next step.
    Set {
        /// What held it.
        variable: V,
    },
    /// Whichever way is taken, the value is the same.
    Same {
        /// Of this variable; `None`: of an expression.
        variable: Option<V>,
        /// The decision between the ways.
        decision: Option<DecisionId>,
        /// The branch.
        at: P,
    },
    /// The value that held it is not the one that is chosen.
    NotTaken {
        /// The decision that chooses,
        decision: Option<DecisionId>,
        /// being so.
        value: bool,
        /// The choice.
        at: P,
    },
    /// Another way would have done something that no variable with a name shows: what is not done leaves no tag.
    NotDone {
        /// What.
        what: Undone,
        /// Where.
        at: P,
    },
}

/// What another way would have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undone {
    /// Called this function.
    Call(CodeId),
    /// Called a function through a pointer.
    CallThrough,
    /// Assigned to what a pointer points to or an index chooses, or a whole object.
    Assignment,
}

/// What became of an effect that is never seen.
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
        let mut runner = self.runner(&tagged, interface, options, (self.flow(semantics), ()))?;
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
        let plain = self.stops_of(Weight::Plain);
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
            let stops = self.stops_of(Weight::Inside);
            if !stops.is_empty() {
                return Trail { stops, lost: Some(Lost::Stopped) };
            }
        }
        let (stops, unused) = (self.stops_of(Weight::Aside), self.unused());
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
    fn located(&self, stop: &Stop) -> Option<Loss> {
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

    fn location(&self, (function, operation): Spot) -> Option<Location> {
        let position = self.unit.module().function(function).places[operation as usize];
        self.unit.locate(&Place { function, operation, position })
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
