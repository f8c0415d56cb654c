//! Plots as SVG: one file that needs nothing else, readable on light and dark.
//!
//! A picture is a row of panels, one for each structure and oracle, over a common scale
//! from 0 to 100 percent of mutants killed. [`killed`] shows every suite by criterion, [`size`] by its
//! number of tests (figure 1 of Whalen et al.).

use crate::Document;
use crate::findings::{CaseFindings, Choice, Experiment, oracle_name};
use crate::statistics::Sample;

mod killed;
mod panel;
mod size;

use panel::Picture;

/// Two plots for each model.
pub fn plots(experiment: &Experiment) -> Vec<Document> {
    let mut documents = Vec::new();
    for model in experiment.models() {
        documents
            .push(Document { name: killed_name(model), text: killed::plot(experiment, model) });
        documents.push(Document { name: size_name(model), text: size::plot(experiment, model) });
    }
    documents
}

/// The file with what suites kill.
pub fn killed_name(model: &str) -> String {
    format!("killed-{model}.svg")
}

/// The file with what suites kill by their size.
pub fn size_name(model: &str) -> String {
    format!("size-{model}.svg")
}

/// The suites of one criterion and choice in a panel.
struct Series<'e> {
    /// The place of the criterion, which has a colour.
    criterion: usize,
    name: String,
    choice: Choice,
    /// What each suite kills.
    killed: Sample,
    case: &'e CaseFindings,
}

/// For each structure and oracle of a model, a title and what there is to draw.
fn panels<'e>(experiment: &'e Experiment, model: &'e str) -> Vec<(String, Vec<Series<'e>>)> {
    let mut panels = Vec::new();
    for case in experiment.cases_of(model) {
        for (oracle, named) in experiment.settings.oracles.iter().enumerate() {
            let mut all = Vec::new();
            for (criterion, findings) in case.criteria.iter().enumerate() {
                for choice in Choice::ALL {
                    if let Ok(killed) = findings.killed(choice, oracle, case.scored(oracle)) {
                        let name = findings.criterion.to_string();
                        all.push(Series { criterion, name, choice, killed, case });
                    }
                }
            }
            panels.push((format!("{}, {}", case.structure.name(), oracle_name(named)), all));
        }
    }
    panels
}
