//! The mutants that are run, with their names and texts.

use obligato_lustre::mutation::Mutant;
use obligato_model::Strength;

use crate::args::MutateArgs;
use crate::error::CliError;
use crate::model::LoadedModel;
use crate::mutants::Mutants;

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
        let mutants = Mutants::new(loaded, &arguments.model)?;
        let keys = mutants.keys(Strength::Strong);
        let positions = mutants.sample(arguments.count(), arguments.seed);
        let listed = positions.iter().map(|at| {
            let fault = mutants.program.mutants()[*at].clone();
            let node = mutants.program.function(fault.function).name.clone();
            Listed { id: keys[*at].to_string(), node, fault }
        });
        let listed = listed.collect();
        Ok(Self { mutants: mutants.at(&positions), listed, made: mutants.all.len() })
    }

    /// Are there more than were chosen?
    pub fn is_sample(&self) -> bool {
        self.mutants.len() < self.made
    }
}
