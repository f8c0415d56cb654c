//! The mutants that are run, with their names and texts.

use std::collections::BTreeMap;

use obligato_criteria::plan;
use obligato_lustre::mutation::{self, Mutant, sample_positions};
use obligato_model::{Criterion, Function, Program, Strength};

use crate::args::MutateArgs;
use crate::error::CliError;
use crate::key_path::key_path;
use crate::model::LoadedModel;

/// Mutants to run.
pub struct Chosen {
    /// As they are made.
    pub mutants: Vec<Mutant>,
    /// As they are shown.
    pub listed: Vec<Listed>,
    /// How many the model has.
    pub made: usize,
}

/// A mutant as it is shown.
pub struct Listed {
    /// Its stable name, which does not depend on who else was chosen.
    pub id: String,
    /// The node it is in.
    pub node: String,
    /// The fault.
    pub fault: obligato_model::Mutant,
}

impl Chosen {
    /// All mutants of a model, or a sample of them.
    pub fn new(loaded: &LoadedModel, arguments: &MutateArgs) -> Result<Self, CliError> {
        let all = mutation::mutants(&loaded.model);
        if all.is_empty() {
            return Err(CliError::Input {
                message: format!("{}: node {} has no mutants", loaded.path, loaded.main()),
                way_out: "only equations that compute scalars have some".to_owned(),
            });
        }
        let outline = outline(loaded, &all, &key_path(&arguments.model.file));
        // The keys of obligations are made to last.
        let keys = plan(&outline, &[Criterion::Mutation(Strength::Strong)]).obligations;
        let positions = sample_positions(&all, arguments.count(), arguments.seed);
        let listed = positions.iter().map(|at| {
            let fault = outline.mutants()[*at].clone();
            let node = outline.function(fault.function).name.clone();
            Listed { id: keys[*at].key.to_string(), node, fault }
        });
        let listed = listed.collect();
        let mutants = positions.iter().map(|at| all[*at].clone()).collect();
        Ok(Self { mutants, listed, made: all.len() })
    }

    /// Are there more than were chosen?
    pub fn is_sample(&self) -> bool {
        self.mutants.len() < self.made
    }
}

/// The nodes of the model, each as a function with its mutants: a mutant changes every call of
/// its node.
fn outline(loaded: &LoadedModel, mutants: &[Mutant], path: &str) -> Program {
    let LoadedModel { file, model, .. } = loaded;
    let source = file.source();
    let mut outline = Program::default();
    let path = outline.add_file(path);
    let mut functions = BTreeMap::new();
    for mutant in mutants {
        let function = *functions.entry(mutant.node).or_insert_with(|| {
            let node = model.node(mutant.node);
            let (name, span) = (model.text(node.name.symbol).to_owned(), source.span(node.span));
            outline.add_function(Function { name, file: path, span, entered: false })
        });
        outline.add_mutant(mutant.listed(model, file.bytes(), &source, function));
    }
    outline
}
