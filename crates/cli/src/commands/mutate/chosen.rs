//! The mutants that are run, with their names and texts.

use obligato_lustre::mutation::Mutant;
use obligato_model::{Program, Strength};

use crate::args::MutateArgs;
use crate::error::CliError;
use obligato::model::LoadedModel;
use obligato::mutants::Mutants;

/// Mutants to run.
pub struct Chosen {
    /// As they are made.
    pub mutants: Vec<Mutant>,
    /// As they are shown.
    pub listed: Vec<Listed>,
    /// How many the model has.
    pub made: usize,
    /// The model with all its mutants, and the positions of those that were asked for, whatever shard they are in.
    pub program: Program,
    pub sample: Vec<usize>,
    /// The positions of those to run.
    pub positions: Vec<usize>,
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
        let mutants = Mutants::new(loaded, &arguments.model.options())?;
        let keys = mutants.keys(Strength::Strong);
        let sample = mutants.sample(arguments.count(), arguments.seed);
        let is_here = |at: &usize| arguments.shard.is_none_or(|shard| shard.holds(&keys[*at]));
        let positions: Vec<usize> = sample.iter().copied().filter(is_here).collect();
        let listed = positions.iter().map(|at| {
            let fault = mutants.program.mutants()[*at].clone();
            let node = mutants.program.function(fault.function).name.clone();
            Listed { id: keys[*at].to_string(), node, fault }
        });
        let (listed, made) = (listed.collect(), mutants.all.len());
        let run = mutants.at(&positions);
        Ok(Self { mutants: run, listed, made, program: mutants.program, sample, positions })
    }

    /// Are there more than were chosen?
    pub fn is_sample(&self) -> bool {
        self.mutants.len() < self.made
    }
}
