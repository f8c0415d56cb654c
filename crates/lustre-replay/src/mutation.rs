//! Runs a suite on many mutants at once: a test at a time, a mutant in each lane.
//!
//! Lane 0 runs the original, the others a mutant each, all with the same inputs. A mutant is
//!
//! - **executed** by a test if the changed expression is computed in some step;
//! - **weakly killed** if a variable that the changed equation defines differs in some step;
//! - **strongly killed** if something that the [`Oracle`] compares differs in some step;
//! - **faulted** if it divides by zero, leaves a subrange or an array, or exceeds the size limit of
//!   numbers where the original does not.
//!
//! A fault ends the mutant's run: it is there for everyone to see, so the mutant is
//! [killed](TestKills::killed), but what it would have shown in that step or later does not
//! count. A step in which the original violates an assertion, and all after it, are no test of
//! the model and do not count either. That a mutant violates a property or an assertion is no kill:
//! tests see values.
//!
//! Start reading at [`MutationExperiment::run`], then [`MutantRunner::run`]; what they give is in
//! [`kills`].

use obligato_lustre::lowering::MutantSystem;
use obligato_lustre_syntax::Diagnostic;
use obligato_model::TestCase;
use obligato_transition_system::lanes::{LaneOptions, Mask, Reader, Taps, WORDS, contains};
use obligato_transition_system::{CheckKind, Error, LaneProgram, NodeId, Simulator};

use crate::batch::{LANES, default_value};
use crate::measure::{and, not, or};

pub mod experiment;
pub mod kills;
pub mod oracle;

pub use experiment::{MutationExperiment, Until};
pub use kills::{Kills, MutantStatus, TestKills};
pub use oracle::{Compared, Oracle, UnknownName};

/// The number of mutants that run at once; the original has a lane too.
pub const MUTANTS: usize = LANES - 1;

/// Why a suite cannot be run on mutants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MutationError {
    /// The model cannot be simulated.
    #[error("the model cannot be simulated")]
    Model(Vec<Diagnostic>),
    /// The oracle names what is not there.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// The tests do not go with the model.
    #[error(transparent)]
    Run(#[from] Error),
}

/// Compiles a system with mutants to be run by a [`MutantRunner`].
pub fn compile<'s>(
    mutants: &'s MutantSystem,
    compared: &[Compared],
) -> Result<LaneProgram<'s>, Error> {
    let mut observe: Vec<NodeId> = Vec::new();
    for instance in mutants.sites.iter().flat_map(|site| &site.instances) {
        observe.extend(&instance.targets);
        observe.push(instance.active);
    }
    observe.extend(compared.iter().flat_map(|compared| [compared.node, compared.present]));
    LaneProgram::new(&mutants.lowered.system, &LaneOptions { taps: Taps::Force, observe })
}

/// Runs tests on mutants.
#[derive(Debug)]
pub struct MutantRunner<'p> {
    simulator: Simulator<'p, WORDS>,
    mutants: &'p MutantSystem,
    compared: Vec<Watched>,
    assertions: Vec<usize>,
    /// The checks whose failure ends a run.
    faults: Vec<usize>,
}

/// A node to compare with the original's where another says that it is there, in these lanes.
#[derive(Clone, Copy, Debug)]
struct Watched {
    node: NodeId,
    present: Reader,
    lanes: Mask<WORDS>,
}

/// The mutants that run at once.
struct Group {
    /// Their lanes.
    lanes: Mask<WORDS>,
    targets: Vec<Watched>,
}

/// The results of a group in one test, by lane.
#[derive(Clone, Copy, Debug, Default)]
struct GroupKills {
    executed: Mask<WORDS>,
    weak: Mask<WORDS>,
    strong: Mask<WORDS>,
    faulted: Mask<WORDS>,
}

impl<'p> MutantRunner<'p> {
    /// A runner; `program` was [compiled](compile) for these mutants and what is compared.
    pub fn new(
        program: &'p LaneProgram<'p>,
        mutants: &'p MutantSystem,
        compared: &[Compared],
    ) -> Result<Self, Error> {
        let checks = &mutants.lowered.system.checks;
        let of = |wanted: fn(CheckKind) -> bool| {
            let found = checks.iter().enumerate().filter(|(_, check)| wanted(check.kind));
            found.map(|(index, _)| index).collect()
        };
        let compared = compared.iter().map(|compared| {
            let (node, present) = (compared.node, program.reader(compared.present)?);
            Ok(Watched { node, present, lanes: [u64::MAX; WORDS] })
        });
        Ok(Self {
            simulator: Simulator::new(program),
            mutants,
            compared: compared.collect::<Result<_, Error>>()?,
            assertions: of(|kind| kind == CheckKind::Assertion),
            faults: of(|kind| !matches!(kind, CheckKind::Assertion | CheckKind::Property)),
        })
    }

    /// Runs the tests, one after the other, on all mutants.
    pub fn run(&mut self, tests: &[TestCase], until: Until) -> Result<Kills, Error> {
        let count = self.mutants.sites.len();
        let mut kills = Kills::new(tests.len(), count);
        for start in (0..count).step_by(MUTANTS) {
            let mut group = self.prepare(start..count.min(start + MUTANTS))?;
            for (test, case) in tests.iter().enumerate() {
                let found = self.run_test(&group, case)?;
                kills.tests[test].add(start, &found);
                if until == Until::FirstKill {
                    group.lanes = minus(group.lanes, or(found.strong, found.faulted));
                    if group.lanes == [0; WORDS] {
                        break;
                    }
                }
            }
        }
        Ok(kills)
    }

    /// Puts mutants into the lanes from 1 on.
    fn prepare(&mut self, mutants: std::ops::Range<usize>) -> Result<Group, Error> {
        self.simulator.release();
        let mut group = Group { lanes: [0; WORDS], targets: Vec::new() };
        let mut targets = std::collections::BTreeMap::<(NodeId, NodeId), Mask<WORDS>>::new();
        for (lane, site) in (1..).zip(&self.mutants.sites[mutants]) {
            let mut own = [0; WORDS];
            own[lane / 64] |= 1 << (lane % 64);
            group.lanes = or(group.lanes, own);
            for tap in &site.taps {
                self.simulator.force_bools(*tap, own, own)?;
            }
            for instance in &site.instances {
                for target in &instance.targets {
                    let lanes = targets.entry((*target, instance.active)).or_default();
                    *lanes = or(*lanes, own);
                }
            }
        }
        for ((node, active), lanes) in targets {
            let present = self.simulator.program().reader(active)?;
            group.targets.push(Watched { node, present, lanes });
        }
        Ok(group)
    }

    fn run_test(&mut self, group: &Group, test: &TestCase) -> Result<GroupKills, Error> {
        let mut found = GroupKills::default();
        self.simulator.reset();
        for step in &test.steps {
            self.set_inputs(step)?;
            self.simulator.step();
            let exhausted = self.simulator.exhausted();
            if contains(&exhausted, 0) || self.is_outside()? {
                break;
            }
            // Mutants that are killed already are done.
            let open = minus(group.lanes, found.strong);
            found.faulted = or(found.faulted, and(exhausted, open));
            for check in &self.faults {
                let failed = self.simulator.failed(*check)?;
                if !contains(&failed, 0) {
                    found.faulted = or(found.faulted, and(failed, open));
                }
            }
            self.compare(group, &mut found)?;
            // A killed mutant was executed, so nothing more can change.
            let done = or(and(found.strong, found.weak), found.faulted);
            if minus(group.lanes, done) == [0; WORDS] {
                break;
            }
        }
        Ok(found)
    }

    fn set_inputs(&mut self, step: &[Option<obligato_model::Value>]) -> Result<(), Error> {
        let inputs = &self.simulator.program().system().inputs;
        if step.len() != inputs.len() {
            let (expected, found) = (inputs.len(), step.len());
            return Err(Error::WrongCount { what: "the inputs", expected, found });
        }
        for (index, (value, input)) in step.iter().zip(inputs).enumerate() {
            match value {
                Some(value) => self.simulator.fill_input(index, value)?,
                None => self.simulator.fill_input(index, &default_value(&input.kind))?,
            }
        }
        Ok(())
    }

    /// Does the original violate an assertion?
    fn is_outside(&self) -> Result<bool, Error> {
        for check in &self.assertions {
            if contains(&self.simulator.failed(*check)?, 0) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Compares with the original in this step, in the lanes without a runtime error.
    fn compare(&self, group: &Group, found: &mut GroupKills) -> Result<(), Error> {
        let running = minus(group.lanes, found.faulted);
        for target in &group.targets {
            let present = self.simulator.read(target.present);
            if contains(&present, 0) {
                found.executed = or(found.executed, and(target.lanes, group.lanes));
            }
            let open = minus(and(running, target.lanes), found.weak);
            if open != [0; WORDS] {
                let differing = self.simulator.differing(target.node)?;
                found.weak = or(found.weak, and(and(differing, present), open));
            }
        }
        for compared in &self.compared {
            let open = minus(running, found.strong);
            if open != [0; WORDS] {
                let present = self.simulator.read(compared.present);
                let differing = self.simulator.differing(compared.node)?;
                found.strong = or(found.strong, and(and(differing, present), open));
            }
        }
        Ok(())
    }
}

/// Lanes of the first that are not of the second.
fn minus(a: Mask<WORDS>, b: Mask<WORDS>) -> Mask<WORDS> {
    and(a, not(b))
}
