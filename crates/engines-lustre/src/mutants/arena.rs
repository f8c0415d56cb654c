//! What solvers are asked about mutants: a system with the model and some mutants, as a circuit.
//!
//! A question depends on the model, the mutants, and what tells them apart, and on nothing that happened
//! before; so whoever has these can put it again, and check what was proved of it.

use obligato_lustre::lowering::{MutantSystem, lower_mutants};
use obligato_lustre::mutation::Mutant;
use obligato_lustre_replay::mutation::Compared;
use obligato_lustre_replay::{Experiment, MutationError};
use obligato_model::Strength;
use obligato_prove::Invariant;
use obligato_prove::certificate::{Bad, Certificate, fingerprint};
use obligato_transition_system::{NodeId, System};

use super::HuntError;
use crate::campaign::CampaignError;
use crate::proofs;
use crate::question::Question;
use crate::targets::{self, Lockstep, Monitored};

/// A model, mutants of it, and what it takes to kill one.
#[derive(Clone, Copy, Debug)]
pub struct Arena<'a> {
    /// The model, its mutants, and what tells them apart.
    pub experiment: Experiment<'a>,
    /// When one counts as killed.
    pub strength: Strength,
}

/// A system with a Boolean for each of some mutants, to be reached or refuted.
#[derive(Debug)]
pub struct Contest {
    /// The system.
    pub system: System,
    /// The Booleans.
    pub nodes: Vec<NodeId>,
    /// The same as a circuit.
    pub question: Question,
}

impl Arena<'_> {
    /// Does each of these mutants, by position, ever stray from the model?
    pub fn lockstep(&self, mutants: &[usize]) -> Result<Contest, HuntError> {
        let (lowered, compared) = self.lower(mutants)?;
        let Lockstep { system, strays } =
            targets::lockstep(&lowered, self.strength, &compared).map_err(CampaignError::from)?;
        Contest::new(system, strays, &lowered)
    }

    /// Is this mutant ever killed?
    pub fn product(&self, mutant: usize) -> Result<Contest, HuntError> {
        let (lowered, compared) = self.lower(&[mutant])?;
        let Monitored { system, happened } =
            targets::kill(&lowered, 0, self.strength, &compared).map_err(CampaignError::from)?;
        Contest::new(system, vec![happened], &lowered)
    }

    fn lower(&self, mutants: &[usize]) -> Result<(MutantSystem, Vec<Compared>), HuntError> {
        let Experiment { model, path, bytes, options, mutants: all, oracle } = self.experiment;
        let mutants: Vec<Mutant> = mutants.iter().map(|mutant| all[*mutant].clone()).collect();
        let lowered = lower_mutants(model, path, bytes, &options, &mutants);
        let lowered = lowered.map_err(MutationError::Model)?;
        let compared = oracle.compared(&lowered).map_err(MutationError::from)?;
        Ok((lowered, compared))
    }
}

impl Contest {
    fn new(system: System, nodes: Vec<NodeId>, lowered: &MutantSystem) -> Result<Self, HuntError> {
        let inputs = lowered.lowered.system.inputs.len();
        let question = Question::new(&system, &nodes, &[], inputs).map_err(CampaignError::from)?;
        Ok(Self { system, nodes, question })
    }

    /// The certificate that the Booleans at these positions never hold, as text.
    pub fn certify(&self, places: &[usize], invariant: &Invariant) -> String {
        let bad = |place: &usize| Bad {
            name: format!("mutant {place}"),
            lit: self.question.lits[*place],
        };
        let certificate = Certificate {
            circuit: fingerprint(&self.question.encoding.circuit),
            bads: places.iter().map(bad).collect(),
            invariant: invariant.clone(),
        };
        proofs::print(&certificate, &self.question, &self.system)
    }
}
