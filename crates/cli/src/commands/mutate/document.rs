//! What came of all mutants, as JSON.

use obligato_lustre_replay::{MutantStatus, TestKills};
use obligato_store::mutants::{StoredMutant, StoredMutants};

use super::Outcome;
use crate::verdicts::TOOL;

/// The document.
pub fn print(outcome: &Outcome<'_>, seed: u64) -> String {
    let Outcome { loaded, chosen, compared, tests, kills, fates, hunted } = outcome;
    let mutants = chosen.listed.iter().zip(fates).enumerate().map(|(mutant, (listed, fate))| {
        let tests_where = |told: fn(&TestKills, usize) -> bool| {
            let tests = kills.tests.iter().enumerate();
            tests.filter(|(_, test)| told(test, mutant)).map(|(index, _)| index).collect()
        };
        StoredMutant {
            id: listed.id.clone(),
            node: listed.node.clone(),
            operator: listed.fault.operator.clone(),
            span: listed.fault.span,
            original: listed.fault.original.clone(),
            replacement: listed.fault.replacement.clone(),
            fate: outcome.proof(mutant).map_or(word(*fate), |_| "equivalent").to_owned(),
            proof: outcome.proof(mutant).cloned(),
            limit: hunted.as_ref().and_then(|hunted| hunted.limits[mutant].clone()),
            strong: tests_where(|test, mutant| test.strong.contains(mutant)),
            faulted: tests_where(|test, mutant| test.faulted.contains(mutant)),
            weak: tests_where(|test, mutant| test.weak.contains(mutant)),
        }
    });
    let document = StoredMutants {
        tool: TOOL.to_owned(),
        model: loaded.path.clone(),
        main: loaded.main().to_owned(),
        compared: compared.clone(),
        made: chosen.made,
        seed,
        given: hunted.as_ref().map(|hunted| hunted.given),
        tests: tests.iter().map(|test| test.name.clone()).collect(),
        mutants: mutants.collect(),
    };
    obligato_store::mutants::print(&document)
}

fn word(fate: MutantStatus) -> &'static str {
    match fate {
        MutantStatus::Killed => "killed",
        MutantStatus::Faulted => "faulted",
        MutantStatus::WeaklyKilled => "weakly-killed",
        MutantStatus::Unnoticed => "unnoticed",
        MutantStatus::NotExecuted => "not-executed",
    }
}
