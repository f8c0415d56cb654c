//! The tables as CSV, one row per number that was measured.

use crate::Document;
use crate::comparison::{Side, SuiteComparison};
use crate::findings::{Choice, Experiment, oracle_name};
use crate::number::{decimal, percent};
use crate::statistics::Method;

/// `models.csv`, `coverage.csv`, `suites.csv` and `comparisons.csv`.
pub fn csv(experiment: &Experiment, comparisons: &[SuiteComparison]) -> [Document; 4] {
    let document = |name: &str, header: &str, rows: Vec<Vec<String>>| Document {
        name: name.to_owned(),
        text: format!("{header}\n{}", rows.iter().map(|row| line(row)).collect::<String>()),
    };
    [
        document("models.csv", MODELS, models(experiment)),
        document("coverage.csv", COVERAGE, coverage(experiment)),
        document("suites.csv", SUITES, suites(experiment)),
        document("comparisons.csv", COMPARISONS, compared(comparisons)),
    ]
}

const MODELS: &str = "model,structure,inputs,outputs,variables,latches,decisions,conditions,\
tests,steps,dropped,possible_mutants,mutants,oracle,killed,equivalent";
const COVERAGE: &str = "model,structure,criterion,obligations,covered,uncoverable,unresolved";
const SUITES: &str = "model,structure,criterion,choice,suite,tests,steps,covered,oracle,killed,\
mutants";
const COMPARISONS: &str = "question,model,first_structure,first_criterion,first_choice,\
first_oracle,first_median,second_structure,second_criterion,second_choice,second_oracle,\
second_median,difference,u,mann_whitney_p,permutation_p,permutation_by";

fn models(experiment: &Experiment) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for case in &experiment.cases {
        for (place, oracle) in experiment.settings.oracles.iter().enumerate() {
            let size = &case.size;
            let sizes = [size.inputs, size.outputs, size.variables, size.latches, size.decisions];
            let counts = [size.conditions, case.tests, case.steps, case.dropped, case.possible];
            let mut row = vec![case.name.clone(), case.structure.name().to_owned()];
            row.extend(sizes.iter().chain(&counts).map(ToString::to_string));
            row.extend([case.mutants.to_string(), oracle_name(oracle)]);
            row.extend([case.killed[place], case.equivalent[place]].map(|count| count.to_string()));
            rows.push(row);
        }
    }
    rows
}

fn coverage(experiment: &Experiment) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for case in &experiment.cases {
        for findings in &case.criteria {
            let tally = findings.obligations;
            let counts = [tally.total(), tally.covered, tally.uncoverable, tally.open()];
            let mut row = vec![case.name.clone(), case.structure.name().to_owned()];
            row.push(findings.criterion.to_string());
            row.extend(counts.map(|count| count.to_string()));
            rows.push(row);
        }
    }
    rows
}

fn suites(experiment: &Experiment) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for case in &experiment.cases {
        for findings in &case.criteria {
            for choice in Choice::ALL {
                for (number, suite) in (1_usize..).zip(findings.suites(choice)) {
                    for (place, oracle) in experiment.settings.oracles.iter().enumerate() {
                        let mut row = vec![case.name.clone(), case.structure.name().to_owned()];
                        row.extend([findings.criterion.to_string(), choice.name().to_owned()]);
                        let counts = [number, suite.tests, suite.steps, suite.covered];
                        row.extend(counts.map(|count| count.to_string()));
                        row.push(oracle_name(oracle));
                        let counts = [suite.killed[place], case.scored(place)];
                        row.extend(counts.map(|count| count.to_string()));
                        rows.push(row);
                    }
                }
            }
        }
    }
    rows
}

fn compared(comparisons: &[SuiteComparison]) -> Vec<Vec<String>> {
    let side = |side: &Side| {
        let names = [side.structure.name(), &side.criterion, side.choice.name(), &side.oracle];
        let median = percent(&side.killed.median());
        names.map(str::to_owned).into_iter().chain([median])
    };
    let row = |comparison: &SuiteComparison| {
        let SuiteComparison { question, model, first, second, ranks, means } = comparison;
        let mut row = vec![question.name().to_owned(), model.clone()];
        row.extend(side(first).chain(side(second)));
        row.extend([
            percent(&comparison.difference()),
            decimal(&ranks.u, 1),
            decimal(&ranks.p, 6),
            decimal(&means.p, 6),
            match means.by {
                Method::Exact => "all splits".to_owned(),
                Method::Tried(count) => format!("{count} splits"),
            },
        ]);
        row
    };
    comparisons.iter().map(row).collect()
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    format!("{}\n", cells.join(","))
}

/// A cell, in quotes if it has to be.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_break_a_row_is_quoted() {
        assert_eq!(quoted("a"), "a");
        assert_eq!(quoted("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
    }
}
