//! Which mutants of a model a suite kills.
//!
//! [`mutate`] is the walk: the model and the suite are read, mutants are [chosen], the model itself and
//! then its mutants run, survivors are searched for if that was asked for ([`killing`]), and [`storing`] keeps the verdicts.

use obligato_engines_lustre::mutants::{KillRequest, Survivors};
use obligato_lustre_replay::{Measurement, Meter, MutationExperiment, Watch};
use obligato_model::{Criterion, Limit, Proof, Strength, TestCase};
use obligato_store::Signature;

use crate::campaign::{MadeTest, Phase, PhaseReport, Stop, Watcher};
use crate::error::Error;
use crate::failures::FailedCheck;
use crate::language::Command;
use crate::measuring::{Exhausted, ModelSuite, measure_suite};
use crate::model::LoadedModel;
use crate::mutants::experiment;
use crate::observed::ObservedVariables;
use crate::progress::{OnProgress, Progress};
use crate::record::write_made;
use crate::refusal::refuse_mutants;
use crate::suite_writer::expect_writable;

mod chosen;
mod document;
mod killing;
mod request;
mod storing;

use chosen::Chosen;
use killing::Killed;
pub use obligato_lustre::mutation::MutationOperator;
pub use obligato_lustre_replay::{Kills, MutantStatus, Oracle, TestKills, Until};
pub use request::{KillOptions, MutateRequest};

/// The mutants of a model and whether tests kill them.
pub struct MutatedModel {
    /// The model.
    pub model: LoadedModel,
    /// The mutants that ran.
    pub mutants: Vec<RunMutant>,
    /// How many mutants the model has.
    pub made: usize,
    /// What the sample was drawn by.
    pub seed: u64,
    /// The names of what was compared.
    pub compared: Vec<String>,
    /// The given tests and then the new ones.
    pub tests: Vec<TestCase>,
    /// Which test killed which mutant, by their positions.
    pub kills: Kills,
    /// What came of searching for the survivors, if that was asked for.
    pub killing: Option<KillReport>,
    /// The checks of the model that the given tests failed.
    pub failures: Vec<FailedCheck>,
    /// The given tests of which only the first steps count.
    pub exhausted: Vec<Exhausted>,
    /// Where it was stored, and what there is to know of justifications, if it was.
    pub stored: Vec<String>,
}

/// A mutant that ran.
#[derive(Debug, Clone)]
pub struct RunMutant {
    /// Its stable name, which does not depend on who else was chosen.
    pub id: String,
    /// The node it is in.
    pub node: String,
    /// The kind of fault.
    pub operator: MutationOperator,
    /// The fault, with its place and its texts.
    pub fault: obligato_model::Mutant,
    /// What the tests did to it.
    pub status: MutantStatus,
    /// The proof that it is equivalent to the model, if it was searched for and there is one.
    pub proof: Option<Proof>,
    /// What stood in the way of a test and of a proof, if it was searched for.
    pub limit: Option<Limit>,
}

/// What came of searching for survivors.
#[derive(Debug, Clone)]
pub struct KillReport {
    /// How many tests were given; the new ones come after them.
    pub given: usize,
    /// The new tests.
    pub made: Vec<MadeTest>,
    /// What was done, in order.
    pub phases: Vec<PhaseReport>,
    /// Whether it was stopped early.
    pub stopped: bool,
}

/// Runs a suite on mutants of a model, and searches for those that it does not kill if that is asked for.
///
/// `stop` ends that search; what was found until then counts.
///
/// ```
/// use obligato::campaign::{Status, Stop};
/// use obligato::mutate::{MutateRequest, mutate};
/// use obligato::progress::ignore;
/// use obligato::subject::SubjectOptions;
///
/// let directory = tempfile::tempdir()?;
/// let (model, tests) = (directory.path().join("both.lus"), directory.path().join("suite.csv"));
/// std::fs::write(&model, "node both(a, b: bool) returns (c: bool); let c = a and b; tel\n")?;
/// std::fs::write(&tests, "a,b\n1,1\n\n1,0\n")?;
/// let request = MutateRequest::new(SubjectOptions::new(&model), &tests, 100);
/// let mutated = mutate(&request, &Stop::never(), &mut |_: &Status| {}, &mut ignore)?;
/// let killed = mutated.mutants.iter().filter(|mutant| mutant.status.is_killed()).count();
/// assert!(killed > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mutate(
    request: &MutateRequest,
    stop: &Stop,
    watcher: &mut dyn Watcher,
    on_progress: OnProgress<'_>,
) -> Result<MutatedModel, Error> {
    request.subject.expect_language(Command::Mutate)?;
    let model = LoadedModel::load(&request.subject)?;
    let observed = ObservedVariables::new(&model, &request.oracle)?;
    let chosen = Chosen::new(&model, request)?;
    let suite = read_suite(request, &model, &observed)?;
    if let Some(path) = request.kill.as_ref().and_then(|kill| kill.output.as_ref()) {
        expect_writable(path, &Signature::new(&model.lowered.interface))?;
    }

    let original = run_original(&model, &suite, on_progress)?;
    let mut tests: Vec<TestCase> = suite.tests()?.collect::<Result<_, _>>()?;
    let given = tests.len();
    let oracle = Oracle::Names(observed.names());
    let experiment = experiment(&model, &chosen.mutants, &oracle);
    let mut run = |tests: &[TestCase]| {
        let on_test = &mut |done| on_progress(Progress::RunOnMutants { done, of: tests.len() });
        let kills = experiment.run(tests, request.until(), on_test);
        kills.map_err(|error| refuse_mutants(&error, &model))
    };
    let mut kills = run(&tests)?;
    let mut searched = None;
    if let Some(kill) = &request.kill {
        let killing = plan_killing(request, kill, &model, experiment, &kills, &tests);
        let found = killing::run(&killing, &model, stop, watcher)?;
        tests.extend(found.made.iter().map(|made| made.test.clone()));
        kills = run(&tests)?;
        found.check(&kills)?;
        if let Some(path) = &kill.output {
            write_made(path, &model.lowered, &found.made)?;
        }
        searched = Some(found);
    }

    let mut mutants = chosen.run_mutants(&kills);
    let killing = searched.map(|Killed { made, proofs, limits, phases, stopped }| {
        for (mutant, (proof, limit)) in mutants.iter_mut().zip(proofs.into_iter().zip(limits)) {
            (mutant.proof, mutant.limit) = (proof, limit);
        }
        KillReport { given, made, phases, stopped }
    });
    let mut mutated = MutatedModel {
        mutants,
        made: chosen.made,
        seed: request.seed,
        compared: observed.names(),
        tests,
        kills,
        killing,
        failures: original.failures,
        exhausted: original.exhausted,
        stored: Vec::new(),
        model,
    };
    if let Some(directory) = &request.store {
        let stored = storing::Storing { mutated: &mutated, chosen: &chosen, observed: &observed };
        mutated.stored = stored.store(request, directory, on_progress)?;
    }
    Ok(mutated)
}

fn read_suite(
    request: &MutateRequest,
    model: &LoadedModel,
    observed: &ObservedVariables,
) -> Result<ModelSuite, Error> {
    let signature = observed.signature(&model.lowered.interface);
    match &request.tests {
        Some(path) => ModelSuite::read(path, request.format, signature),
        None => Ok(ModelSuite::made("no suite", Vec::new(), signature)),
    }
}

/// What the given tests showed of the model itself.
struct Original {
    failures: Vec<FailedCheck>,
    exhausted: Vec<Exhausted>,
}

/// The model has to get through its own tests before mutants are held against it.
fn run_original(
    model: &LoadedModel,
    suite: &ModelSuite,
    on_progress: OnProgress<'_>,
) -> Result<Original, Error> {
    let measurement = Measurement::new(&model.lowered, Watch::outputs(&model.lowered))?;
    let compiled = measurement.compile()?;
    let meter = Meter::new(&measurement, &compiled);
    let measured = measure_suite(model, suite, meter, &Stop::never(), on_progress)?;
    let failures = measured.failures.describe(measured.evidence.tests().len());
    Ok(Original { failures, exhausted: measured.exhausted })
}

/// A search for the mutants that these tests do not kill.
fn plan_killing<'a>(
    request: &MutateRequest,
    kill: &KillOptions,
    model: &'a LoadedModel,
    experiment: MutationExperiment<'a>,
    kills: &Kills,
    tests: &[TestCase],
) -> KillRequest<'a> {
    let all = 0..experiment.mutants.len();
    KillRequest {
        subject: Survivors {
            experiment,
            lowered: &model.lowered,
            mutants: all.filter(|mutant| !kills.status(*mutant).is_killed()).collect(),
            strength: Strength::Strong,
        },
        criteria: vec![Criterion::Mutation(Strength::Strong)],
        given: tests.to_vec(),
        phases: Phase::OF_MODELS.to_vec(),
        budget: kill.budget,
        seed: request.seed,
        threads: kill.threads,
        shard: request.shard,
    }
}

impl MutatedModel {
    /// Has the model more mutants than ran?
    pub fn is_sample(&self) -> bool {
        self.mutants.len() < self.made
    }

    /// Those that are neither killed nor proved equivalent, by position.
    pub fn survivors(&self) -> impl Iterator<Item = usize> + '_ {
        let mutants = self.mutants.iter().enumerate();
        mutants.filter(|(_, one)| !one.status.is_killed() && one.proof.is_none()).map(|(at, _)| at)
    }
}
