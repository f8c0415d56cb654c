//! The mutants that are run, with their names and texts.

use obligato_lustre::mutation::Mutant;
use obligato_lustre_replay::Kills;
use obligato_model::{Program, Strength};

use super::{MutateRequest, RunMutant};
use crate::error::Error;
use crate::model::LoadedModel;
use crate::mutants::Mutants;

/// Mutants to run.
pub struct Chosen {
    /// As they are made.
    pub mutants: Vec<Mutant>,
    /// How many the model has.
    pub made: usize,
    /// The model with all its mutants.
    pub program: Program,
    /// The positions of those that were asked for, whatever shard they are in.
    pub sample: Vec<usize>,
    /// The positions of those to run.
    pub positions: Vec<usize>,
    /// Their stable names.
    ids: Vec<String>,
}

impl Chosen {
    /// All mutants of a model, or a sample of them.
    pub fn new(loaded: &LoadedModel, request: &MutateRequest) -> Result<Self, Error> {
        let mutants = Mutants::new(loaded, &request.subject)?;
        let keys = mutants.keys(Strength::Strong);
        let sample = mutants.sample(request.count, request.seed);
        let is_here = |at: &usize| request.shard.is_none_or(|shard| shard.holds(&keys[*at]));
        let positions: Vec<usize> = sample.iter().copied().filter(is_here).collect();
        let ids = positions.iter().map(|at| keys[*at].to_string()).collect();
        let (run, made) = (mutants.at(&positions), mutants.all.len());
        Ok(Self { mutants: run, made, program: mutants.program, sample, positions, ids })
    }

    /// Each of them with what tests did to it.
    pub fn run_mutants(&self, kills: &Kills) -> Vec<RunMutant> {
        let mutants = self.mutants.iter().zip(&self.ids).zip(&self.positions).enumerate();
        let listed = mutants.map(|(index, ((mutant, id), at))| {
            let fault = self.program.mutants()[*at].clone();
            RunMutant {
                id: id.clone(),
                node: self.program.function(fault.function).name.clone(),
                operator: mutant.operator,
                fault,
                status: kills.status(index),
                proof: None,
                limit: None,
            }
        });
        listed.collect()
    }
}
