//! What the papers ask: does it matter by which criterion a suite was made, what the oracle
//! compares, how the model is written?
//!
//! Each comparison is of what the suites of one side kill with what those of the other do, on one
//! model.

use obligato_model::Rational;

use crate::findings::{CaseFindings, Choice, Experiment, Structure, oracle_name};
use crate::statistics::{MannWhitney, Sample, Tested, mann_whitney, permutation};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// One criterion with another.
    Criteria,
    /// A criterion with random suites of the same size.
    Random,
    /// One oracle with another.
    Oracles,
    /// The inlined structure with the written one.
    Structures,
}

impl Question {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 4] = [Self::Criteria, Self::Random, Self::Oracles, Self::Structures];

    /// The word for it in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Criteria => "criteria",
            Self::Random => "random",
            Self::Oracles => "oracles",
            Self::Structures => "structures",
        }
    }
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// How the model is written.
    pub structure: Structure,
    /// The oracle.
    pub oracle: String,
    /// The criterion.
    pub criterion: String,
    /// How the suites were chosen.
    pub choice: Choice,
    /// What they kill.
    pub killed: Sample,
}

/// Two sides, and whether they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteComparison {
    /// What is compared.
    pub question: Question,
    /// The model.
    pub model: String,
    /// The side of which more is expected.
    pub first: Side,
    /// The other.
    pub second: Side,
    /// By ranks.
    pub ranks: MannWhitney,
    /// By means.
    pub means: Tested,
}

impl SuiteComparison {
    /// By how much the median of the first side is above that of the second.
    pub fn difference(&self) -> Rational {
        self.first.killed.median() - self.second.killed.median()
    }
}

/// All comparisons, question by question, and model by model.
pub fn comparisons(experiment: &Experiment) -> Vec<SuiteComparison> {
    let mut found = Vec::new();
    for question in Question::ALL {
        for model in experiment.models() {
            let cases: Vec<&CaseFindings> = experiment.cases_of(model).collect();
            for (first, second) in pairs(question, experiment, &cases) {
                let ranks = mann_whitney(&first.killed, &second.killed);
                let means = permutation(&first.killed, &second.killed, experiment.settings.seed);
                let model = model.to_owned();
                found.push(SuiteComparison { question, model, first, second, ranks, means });
            }
        }
    }
    found
}

/// The position of reductions among the findings.
#[derive(Clone, Copy)]
struct Position {
    case: usize,
    criterion: usize,
    oracle: usize,
}

/// What a question asks of the cases of one model.
fn pairs(
    question: Question,
    experiment: &Experiment,
    cases: &[&CaseFindings],
) -> Vec<(Side, Side)> {
    let (criteria, oracles) =
        (experiment.settings.criteria.len(), experiment.settings.oracles.len());
    let mut positions: Vec<Position> = Vec::new();
    for case in 0..cases.len() {
        for oracle in 0..oracles {
            let all = (0..criteria).map(|criterion| Position { case, criterion, oracle });
            positions.extend(all);
        }
    }
    let mut sides: Vec<((Position, Choice), (Position, Choice))> = Vec::new();
    for &first in &positions {
        // The later in each list is expected to be the better.
        let differs_as_asked = |second: &&Position| {
            let same_case = first.case == second.case;
            let same_criterion = first.criterion == second.criterion;
            let same_oracle = first.oracle == second.oracle;
            match question {
                Question::Criteria => {
                    first.criterion > second.criterion && same_case && same_oracle
                }
                Question::Oracles => first.oracle > second.oracle && same_case && same_criterion,
                Question::Structures => first.case > second.case && same_criterion && same_oracle,
                Question::Random => false,
            }
        };
        let others = positions.iter().filter(differs_as_asked);
        sides.extend(others.map(|other| ((first, Choice::Reduced), (*other, Choice::Reduced))));
        if question == Question::Random {
            sides.push(((first, Choice::Reduced), (first, Choice::Random)));
        }
    }
    let side = |(position, choice)| side(experiment, cases, position, choice);
    sides.into_iter().filter_map(|(first, second)| Some((side(first)?, side(second)?))).collect()
}

/// A side; `None` if there were no reductions.
fn side(
    experiment: &Experiment,
    cases: &[&CaseFindings],
    position: Position,
    choice: Choice,
) -> Option<Side> {
    let Position { case, criterion, oracle } = position;
    let case = cases[case];
    let findings = &case.criteria[criterion];
    Some(Side {
        structure: case.structure,
        oracle: oracle_name(&experiment.settings.oracles[oracle]),
        criterion: findings.criterion.to_string(),
        choice,
        killed: findings.killed(choice, oracle, case.scored(oracle)).ok()?,
    })
}
