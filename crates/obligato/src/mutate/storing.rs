//! What came of mutants as a stored result: every mutant is an obligation.

use std::collections::HashMap;
use std::path::Path;

use obligato_campaign::{Conclusion, Conclusions, Knowledge, assess};
use obligato_criteria::{Evidence, Vectors, plan};
use obligato_lustre_replay::{Measurement, Meter, Watch};
use obligato_model::{Assessment, BitSet, Criterion, Goal, Strength};
use obligato_store::details::{SourceFile, TestDetails};
use obligato_store::file::Draft;
use obligato_store::generation::StoredPhase;
use obligato_store::result::StoredShard;

use super::{Chosen, MutateRequest, MutatedModel};
use crate::campaign::Stop;
use crate::campaign::stored_phase;
use crate::conclusion::{self, JudgedSuite, conclude};
use crate::error::Error;
use crate::evidence::SubjectFacts;
use crate::expectations::Expectations;
use crate::fingerprints::{Codes, fingerprint_of_file};
use crate::judging::JudgingOptions;
use crate::measuring::{ModelSuite, measure_suite};
use crate::model::{LoadedModel, codes};
use crate::observed::ObservedVariables;
use crate::progress::OnProgress;
use crate::record::keep_suite;
use crate::storage;
use crate::subject::SubjectKind;

const CRITERION: Criterion = Criterion::Mutation(Strength::Strong);

/// What is stored.
pub struct Storing<'a> {
    pub mutated: &'a MutatedModel,
    pub chosen: &'a Chosen,
    pub observed: &'a ObservedVariables,
}

impl Storing<'_> {
    /// Stores suite and result with what stands behind it, and says where, and what there is to know of justifications.
    pub fn store(
        &self,
        request: &MutateRequest,
        directory: &Path,
        on_progress: OnProgress<'_>,
    ) -> Result<Vec<String>, Error> {
        let MutatedModel { model, tests, compared, .. } = self.mutated;
        let signature = self.observed.signature(&model.lowered.interface);
        let suite = ModelSuite::made("the suite", tests.clone(), signature);
        let evidence = self.evidence(&suite, on_progress)?;
        let assessment = self.assess(request, &evidence)?;
        let program = &self.chosen.program;
        let judging = JudgingOptions {
            store: Some(directory.to_owned()),
            ..JudgingOptions::new([CRITERION])
        };
        let (details, phases) = self.making();
        let background = Background { model, suite: &suite };
        let expectations = Expectations::default();
        let concluded = conclude(
            JudgedSuite {
                command: "mutate",
                name: &model.path,
                kind: SubjectKind::Model,
                program,
                judging: &judging,
                evidence: &evidence,
                assessment: &assessment,
                observed: compared.clone(),
                shard: self.shard(request),
                expectations: &expectations,
                details,
                phases,
            },
            &background,
        )?;
        let stored = concluded.store(&background, None)?;
        let mut remarks = concluded.notes;
        remarks.extend(stored);
        Ok(remarks)
    }

    /// What became of every mutant that was asked for, whoever runs it.
    fn assess(&self, request: &MutateRequest, evidence: &Evidence) -> Result<Assessment, Error> {
        let program = &self.chosen.program;
        let mut plan = plan(program, &[CRITERION]);
        let asked = |at: usize| self.chosen.sample.contains(&at);
        plan.obligations
            .retain(|one| matches!(one.goal, Goal::Kill(mutant) if asked(mutant.index())));
        let run: HashMap<usize, usize> =
            self.chosen.positions.iter().enumerate().map(|(index, at)| (*at, index)).collect();
        let conclusions = Conclusions::on(&plan, |one| match one.goal {
            Goal::Kill(mutant) => self.conclusion(*run.get(&mutant.index())?),
            _ => None,
        });
        let knowledge = Knowledge { conclusions, shard: request.shard, ..Knowledge::default() };
        assess(program, plan, evidence, &knowledge)
            .map_err(|error| Error::Internal(error.to_string()))
    }

    /// Which shard it is, and what it has in common with the others.
    fn shard(&self, request: &MutateRequest) -> Option<StoredShard> {
        let MutatedModel { model, tests, killing, .. } = self.mutated;
        let given = killing.as_ref().map_or(tests.len(), |killing| killing.given);
        let budget = request.kill.as_ref().map_or("0".into(), |kill| kill.budget.to_string());
        Some(StoredShard {
            number: request.shard?,
            command: "mutate".to_owned(),
            program: fingerprint_of_file(model.file.bytes()),
            seed: request.seed,
            budget,
            given,
        })
    }

    /// What the tests have shown of the model, for its truth tables, and which mutants they kill.
    fn evidence(&self, suite: &ModelSuite, on_progress: OnProgress<'_>) -> Result<Evidence, Error> {
        let MutatedModel { model, kills, .. } = self.mutated;
        let detailed = suite.len() <= storage::MOST_DETAILED;
        let vectors = if detailed { Vectors::Keep } else { Vectors::Drop };
        let nodes = self.observed.nodes().to_vec();
        let watch = Watch { vectors, ..Watch::for_criteria(&[CRITERION], nodes) };
        let measurement = Measurement::new(&model.lowered, watch)?;
        let compiled = measurement.compile()?;
        let meter = Meter::new(&measurement, &compiled);
        let mut evidence =
            measure_suite(model, suite, meter, &Stop::never(), on_progress)?.evidence;
        let killed = kills.tests.iter().map(|test| {
            let mut killed = BitSet::empty(self.chosen.program.mutants().len());
            test.killed().iter().for_each(|at| killed.insert(self.chosen.positions[at]));
            killed
        });
        evidence.add_kills(Strength::Strong, killed);
        Ok(evidence)
    }

    /// Where each test comes from, and what was done to make those that are new.
    fn making(&self) -> (Vec<TestDetails>, Vec<StoredPhase>) {
        let MutatedModel { killing, tests, .. } = self.mutated;
        let mut about = vec![TestDetails::default(); tests.len()];
        let mut phases = Vec::new();
        if let Some(killing) = killing {
            for (test, made) in about[killing.given..].iter_mut().zip(&killing.made) {
                test.phase = Some(made.phase.name().to_owned());
            }
            phases.extend(killing.phases.iter().map(stored_phase));
        }
        (about, phases)
    }

    /// What the search for survivors concluded of the mutant that was run at this place.
    fn conclusion(&self, index: usize) -> Option<Conclusion> {
        let mutant = &self.mutated.mutants[index];
        let proof = mutant.proof.clone().map(Conclusion::Refuted);
        proof.or_else(|| mutant.limit.clone().map(Conclusion::Open))
    }
}

/// What is known of a model whose mutants were run.
struct Background<'a> {
    model: &'a LoadedModel,
    suite: &'a ModelSuite,
}

impl conclusion::Background for Background<'_> {
    fn codes(&self) -> Codes {
        codes(self.model)
    }

    fn sources(&self) -> Vec<SourceFile> {
        self.model.sources()
    }

    fn facts(&self) -> SubjectFacts {
        self.model.facts()
    }

    fn lost_effects(&self) -> Result<HashMap<usize, Vec<String>>, Error> {
        Ok(HashMap::new())
    }

    fn draft_tests(&self, path: &Path) -> Result<Option<Draft>, Error> {
        keep_suite(path, self.model, self.suite).map(Some)
    }
}
