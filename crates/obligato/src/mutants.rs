//! The mutants of a model, with their names, and those of them that are run.

use std::collections::BTreeMap;

use obligato_criteria::plan;
use obligato_lustre::lowering;
use obligato_lustre::mutation::{self, Mutant, sample_positions};
use obligato_lustre_replay::{MutationExperiment, Oracle};
use obligato_model::{Criterion, Function, Key, Program, Strength};

use crate::error::Error;
use crate::key_path::key_path;
use crate::model::LoadedModel;
use crate::shell::quote_path;
use crate::subject::SubjectOptions;

/// All mutants of a model.
pub struct Mutants {
    /// As they are made, in the order of the text.
    pub all: Vec<Mutant>,
    /// The model, with its nodes as further functions that have the mutants, in the same order: a mutant
    /// changes every call of its node.
    pub program: Program,
}

impl Mutants {
    /// Those of a model that is not inlined. An inlined one has copies of what is written once, so a fault
    /// in one of them is no fault that a person could make in the file, nor could it be shown there.
    pub fn new(loaded: &LoadedModel, asked: &SubjectOptions) -> Result<Self, Error> {
        if asked.model.inline {
            let file = quote_path(&asked.file);
            return Err(Error::Input {
                message: "mutants are faults in the text of a model, and an inlined model has none"
                    .into(),
                way_out: format!(
                    "give it one, 'obligato fmt {file} --inline > inlined.lus', and mutate that"
                ),
            });
        }
        let all = mutation::mutants(&loaded.model);
        if all.is_empty() {
            return Err(Error::Input {
                message: format!("{}: node {} has no mutants", loaded.path, loaded.main()),
                way_out: "only equations that compute scalars have some".to_owned(),
            });
        }
        let program = with_mutants(loaded, &all, &key_path(&asked.file));
        Ok(Self { all, program })
    }

    /// The positions of so many, or of all if there are no more.
    pub fn sample(&self, count: usize, seed: u64) -> Vec<usize> {
        sample_positions(&self.all, count, seed)
    }

    /// These of them, as they are made.
    pub fn at(&self, positions: &[usize]) -> Vec<Mutant> {
        positions.iter().map(|at| self.all[*at].clone()).collect()
    }

    /// Their stable names, made to last: they do not depend on who else is chosen.
    pub fn keys(&self, strength: Strength) -> Vec<Key> {
        let plan = plan(&self.program, &[Criterion::Mutation(strength)]);
        plan.obligations.into_iter().map(|obligation| obligation.key).collect()
    }
}

/// Mutants of a model, and what tells them from it.
pub fn experiment<'a>(
    loaded: &'a LoadedModel,
    mutants: &'a [Mutant],
    oracle: &'a Oracle,
) -> MutationExperiment<'a> {
    MutationExperiment {
        model: &loaded.model,
        path: &loaded.path,
        bytes: loaded.file.bytes(),
        options: lowering::Options::default(),
        mutants,
        oracle,
    }
}

fn with_mutants(loaded: &LoadedModel, mutants: &[Mutant], path: &str) -> Program {
    let LoadedModel { file, model, .. } = loaded;
    let source = file.source();
    let mut program = loaded.lowered.program.clone();
    let path = program.add_file(path);
    let mut functions = BTreeMap::new();
    for mutant in mutants {
        let function = *functions.entry(mutant.node).or_insert_with(|| {
            let node = model.node(mutant.node);
            let (name, span) = (model.text(node.name.symbol).to_owned(), source.span(node.span));
            program.add_function(Function { name, file: path, span, entered: false })
        });
        program.add_mutant(mutant.listed(model, file.bytes(), &source, function));
    }
    program
}
