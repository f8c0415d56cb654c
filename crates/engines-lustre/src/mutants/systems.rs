//! Systems of the model and some mutants, as queries to solvers.
//!
//! A query depends on the model, the mutants and the oracle alone, so a proof checker can
//! build it again.

use obligato_lustre::lowering::{MutantSystem, lower_mutants};
use obligato_lustre::mutation::Mutant;
use obligato_lustre_replay::mutation::Compared;
use obligato_lustre_replay::{MutationError, MutationExperiment};
use obligato_model::Strength;
use obligato_prove::Invariant;
use obligato_prove::certificate::{Bad, Certificate, fingerprint};
use obligato_transition_system::{NodeId, System};

use super::KillError;
use crate::campaign::ModelError;
use crate::proofs;
use crate::query::Query;
use crate::targets::{self, Lockstep, Monitored};

/// A model, its mutants, and the strength of kills.
#[derive(Clone, Copy, Debug)]
pub struct MutantSystems<'a> {
    /// The model, its mutants, and what tells them apart.
    pub experiment: MutationExperiment<'a>,
    /// When one counts as killed.
    pub strength: Strength,
}

/// A system with a target for each of some mutants.
#[derive(Debug)]
pub struct MutantQuery {
    /// The system.
    pub system: System,
    /// The targets.
    pub nodes: Vec<NodeId>,
    /// The same as a circuit.
    pub query: Query,
}

impl MutantSystems<'_> {
    /// The lockstep system of these mutants, by position: does each ever diverge from the model?
    pub fn lockstep(&self, mutants: &[usize]) -> Result<MutantQuery, KillError> {
        let (lowered, compared) = self.lower(mutants)?;
        let Lockstep { system, divergences } =
            targets::lockstep(&lowered, self.strength, &compared).map_err(ModelError::from)?;
        MutantQuery::new(system, divergences, &lowered)
    }

    /// The product of a mutant and the model: is the mutant ever killed?
    pub fn product(&self, mutant: usize) -> Result<MutantQuery, KillError> {
        let (lowered, compared) = self.lower(&[mutant])?;
        let Monitored { system, happened } =
            targets::kill(&lowered, 0, self.strength, &compared).map_err(ModelError::from)?;
        MutantQuery::new(system, vec![happened], &lowered)
    }

    fn lower(&self, mutants: &[usize]) -> Result<(MutantSystem, Vec<Compared>), KillError> {
        let MutationExperiment { model, path, bytes, options, mutants: all, oracle } =
            self.experiment;
        let mutants: Vec<Mutant> = mutants.iter().map(|mutant| all[*mutant].clone()).collect();
        let lowered = lower_mutants(model, path, bytes, &options, &mutants);
        let lowered = lowered.map_err(MutationError::Model)?;
        let compared = oracle.compared(&lowered).map_err(MutationError::from)?;
        Ok((lowered, compared))
    }
}

impl MutantQuery {
    fn new(system: System, nodes: Vec<NodeId>, lowered: &MutantSystem) -> Result<Self, KillError> {
        let inputs = lowered.lowered.system.inputs.len();
        let query = Query::new(&system, &nodes, &[], inputs).map_err(ModelError::from)?;
        Ok(Self { system, nodes, query })
    }

    /// The certificate that the targets at these positions are unreachable, as text.
    pub fn certify(&self, places: &[usize], invariant: &Invariant) -> String {
        let bad =
            |place: &usize| Bad { name: format!("mutant {place}"), lit: self.query.lits[*place] };
        let certificate = Certificate {
            circuit: fingerprint(&self.query.encoding.circuit),
            bads: places.iter().map(bad).collect(),
            invariant: invariant.clone(),
        };
        proofs::print(&certificate, &self.query, &self.system)
    }
}
