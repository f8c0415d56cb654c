//! The mutants that ran, as JSON.

use obligato_store::mutants::{Fate, StoredMutant, StoredMutants, print};

use super::{MutantStatus, MutatedModel, RunMutant, TestKills};
use crate::TOOL;

impl MutatedModel {
    /// The JSON document, with a line break at its end. Which tests kill a mutant is known only if all of them
    /// ran on it.
    pub fn to_json(&self) -> String {
        print(&StoredMutants {
            tool: TOOL.to_owned(),
            model: self.model.path.clone(),
            main: self.model.main().to_owned(),
            compared: self.compared.clone(),
            made: self.made,
            seed: self.seed,
            given: self.killing.as_ref().map(|killing| killing.given),
            tests: self.tests.iter().map(|test| test.name.clone()).collect(),
            mutants: (0..self.mutants.len()).map(|mutant| self.stored(mutant)).collect(),
        })
    }

    fn stored(&self, mutant: usize) -> StoredMutant {
        let RunMutant { id, node, fault, status, proof, limit, .. } = &self.mutants[mutant];
        let tests_where = |told: fn(&TestKills, usize) -> bool| {
            let tests = self.kills.tests.iter().enumerate();
            tests.filter(|(_, test)| told(test, mutant)).map(|(index, _)| index).collect()
        };
        StoredMutant {
            id: id.clone(),
            node: node.clone(),
            operator: fault.operator.clone(),
            span: fault.span,
            original: fault.original.clone(),
            replacement: fault.replacement.clone(),
            fate: proof.as_ref().map_or(fate(*status), |_| Fate::Equivalent),
            proof: proof.clone(),
            limit: limit.clone(),
            strong: tests_where(|test, mutant| test.strong.contains(mutant)),
            faulted: tests_where(|test, mutant| test.faulted.contains(mutant)),
            weak: tests_where(|test, mutant| test.weak.contains(mutant)),
        }
    }
}

fn fate(status: MutantStatus) -> Fate {
    match status {
        MutantStatus::Killed => Fate::Killed,
        MutantStatus::Faulted => Fate::Faulted,
        MutantStatus::WeaklyKilled => Fate::WeaklyKilled,
        MutantStatus::Unnoticed => Fate::Unnoticed,
        MutantStatus::NotExecuted => Fate::NotExecuted,
    }
}
