//! The report: the tables of the papers, one after the other, with what is needed to read them.

use std::fmt::Write as _;

use obligato_engines_lustre::Budget;
use obligato_model::Rational;

use crate::comparison::{Question, Side, SuiteComparison};
use crate::findings::{
    CaseFindings, Choice, CriterionFindings, Experiment, Settings, SuiteFindings, oracle_name,
};
use crate::number::{decimal, p_value, percent, points};
use crate::plot::{killed_name, size_name};
use crate::statistics::{Method, median, ratio};

/// The whole report.
pub fn markdown(experiment: &Experiment, comparisons: &[SuiteComparison]) -> String {
    let mut text = opening(&experiment.settings);
    write_section(&mut text, "Models", MODELS, &models(experiment));
    write_section(&mut text, "Percent of mutants killed", KILLED, &killed(experiment));
    for model in experiment.models() {
        let name = escaped(model);
        for (what, file) in
            [("killed", killed_name(model)), ("killed by size of suite", size_name(model))]
        {
            let _ = writeln!(text, "\n![{name}: {what}]({file})");
        }
    }
    write_section(&mut text, "Obligations and sizes of suites", SIZES, &sizes(experiment));
    for question in Question::ALL {
        let asked: Vec<&SuiteComparison> =
            comparisons.iter().filter(|one| one.question == question).collect();
        if !asked.is_empty() {
            let (title, intro) = words(question);
            write_section(&mut text, title, intro, &compared(&asked));
        }
    }
    text.push_str(&reading(&experiment.settings));
    text
}

fn opening(settings: &Settings) -> String {
    let Settings { criteria, oracles, mutants, reductions, seed, .. } = settings;
    let (pool, suites) = match settings.generation {
        None => ("reductions of each pool", String::new()),
        Some(budget) => {
            let budget = budget_in_words(budget);
            ("suites for each criterion", format!("| a suite is made within | {budget} |\n"))
        }
    };
    let equivalence = settings.equivalence.map_or_else(String::new, |budget| {
        format!("| mutants are proved equivalent within | {} |\n", budget_in_words(budget))
    });
    let criteria: Vec<String> = criteria.iter().map(|one| one.title()).collect();
    let oracles: Vec<String> = oracles.iter().map(oracle_name).collect();
    format!(
        "# Experiment\n\n\
         | setting | value |\n\
         | --- | --- |\n\
         | criteria | {} |\n\
         | oracles | {} |\n\
         | mutants of each model | at most {mutants} |\n\
         | {pool} | {reductions} |\n\
         {suites}{equivalence}| seed | {seed} |\n",
        criteria.join(", "),
        oracles.join(", "),
    )
}

fn budget_in_words(budget: Budget) -> String {
    match budget {
        Budget::Time(time) => format!("{} s", time.as_secs()),
        Budget::Work(units) => format!("{units} units of work"),
    }
}

const MODELS: &str = "\
What each model has, with every call expanded, the pool of tests that suites are chosen from, and how many
of the sampled mutants the whole pool kills: no suite of it can kill more.";

const KILLED: &str = "\
The median over the suites, and in brackets the least and the most. *Random* suites have as many tests as
those of the criterion they stand below.";

const SIZES: &str = "\
What a criterion asks, what the pool covers of it, and the median size of the suites that cover as much. The last column is what
random suites of that size cover, in percent of what the pool covers.";

fn reading(settings: &Settings) -> String {
    let reduced = if settings.generation.is_some() { FROM_SUITES } else { FROM_POOL };
    let equivalent = if settings.equivalence.is_some() { SET_APART } else { NOT_SET_APART };
    format!("\n## How to read this\n\n{reduced}{equivalent}{READING}")
}

const FROM_POOL: &str = "\
- *Reduced* suites cover what the pool covers of a criterion. They were made by taking tests of the pool at random and keeping those that
  add coverage.
";

const FROM_SUITES: &str = "\
- *Reduced* suites were made for their criterion, each by a campaign with a seed of its own, and then lost the tests that add no coverage to
  others, taken in random order. The *random* suite beside one has as many random tests of the same lengths; the pool is all of them.
";

const NOT_SET_APART: &str = "\
- Mutants that nobody can kill are not set apart. They lower all percentages alike, so compare those with each other and with the
  whole pool rather than with 100.
";

const SET_APART: &str = "\
- Mutants that are proved to be equivalent to the model, under what the oracle compares, do not count. A mutant that no test of the pool
  kills and that was not proved so may still be one.
";

const READING: &str = "\
- U and p are of the two-sided Mann-Whitney test, the last p of the two-sided permutation test of means. Both are exact for the
  values at hand, ties included, unless a number of splits is given; those were drawn at random.
- The suites of a model come from one pool, so a small p says that they differ there; it says nothing of other models or pools.
- Every suite is in `suites.csv`, every comparison in `comparisons.csv`, what is known of models and criteria in
  `models.csv` and `coverage.csv`.
";

fn words(question: Question) -> (&'static str, &'static str) {
    match question {
        Question::Criteria => ("One criterion against another", "The same model and oracle."),
        Question::Random => (
            "A criterion against chance",
            "The same model and oracle; random suites have as many tests.",
        ),
        Question::Oracles => ("One oracle against another", "The same suites."),
        Question::Structures => (
            "Inlined against written",
            "Suites for the obligations of each structure, run on the mutants of each.",
        ),
    }
}

/// A table of texts.
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

fn write_section(text: &mut String, title: &str, intro: &str, table: &Table) {
    let Table { header, rows } = table;
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let _ = write!(text, "\n## {title}\n\n{intro}\n\n{}", row(header));
    let _ = writeln!(text, "|{}", " --- |".repeat(header.len()));
    text.extend(rows.iter().map(|cells| row(cells)));
}

fn headed(words: &[&str], more: impl Iterator<Item = String>) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).chain(more).collect()
}

fn models(experiment: &Experiment) -> Table {
    let sets_apart = experiment.settings.equivalence.is_some();
    let oracles = experiment.settings.oracles.iter();
    let header = headed(
        &[
            "model",
            "structure",
            "inputs",
            "outputs",
            "variables",
            "latches",
            "decisions",
            "conditions",
            "tests",
            "steps",
            "mutants",
        ],
        oracles.flat_map(|oracle| {
            let name = oracle_name(oracle);
            let equivalent = sets_apart.then(|| format!("equivalent, {name}"));
            [format!("killed, {name}")].into_iter().chain(equivalent)
        }),
    );
    let row = |case: &CaseFindings| {
        let CaseFindings { size, tests, steps, mutants, possible, .. } = case;
        let mut row = vec![escaped(&case.name), case.structure.name().to_owned()];
        let sizes = [size.inputs, size.outputs, size.variables, size.latches];
        let counts = [size.decisions, size.conditions];
        row.extend(sizes.iter().chain(&counts).map(ToString::to_string));
        row.push(match case.dropped {
            0 => tests.to_string(),
            dropped => format!("{tests} (and {dropped} that violate an assertion)"),
        });
        row.extend([steps.to_string(), format!("{mutants} of {possible}")]);
        for (oracle, killed) in case.killed.iter().enumerate() {
            row.push(share(*killed, case.scored(oracle)));
            row.extend(sets_apart.then(|| case.equivalent[oracle].to_string()));
        }
        row
    };
    Table { header, rows: experiment.cases.iter().map(row).collect() }
}

/// As table IV of Whalen et al.: a column for each model.
fn killed(experiment: &Experiment) -> Table {
    let models = experiment.models();
    let header =
        headed(&["structure", "suites", "oracle"], models.iter().map(|model| escaped(model)));
    let mut structures: Vec<_> = experiment.cases.iter().map(|case| case.structure).collect();
    structures.sort_unstable();
    structures.dedup();
    let mut rows = Vec::new();
    for structure in structures {
        let cases: Vec<Option<&CaseFindings>> = models
            .iter()
            .map(|model| experiment.cases_of(model).find(|case| case.structure == structure))
            .collect();
        for (place, criterion) in experiment.settings.criteria.iter().enumerate() {
            for choice in Choice::ALL {
                for (oracle, named) in experiment.settings.oracles.iter().enumerate() {
                    let suites = match choice {
                        Choice::Reduced => criterion.to_string(),
                        Choice::Random => format!("random, as many as {criterion}"),
                    };
                    let mut row = vec![structure.name().to_owned(), suites, oracle_name(named)];
                    row.extend(cases.iter().map(|case| {
                        case.map_or_else(String::new, |case| spread(case, place, choice, oracle))
                    }));
                    rows.push(row);
                }
            }
        }
    }
    Table { header, rows }
}

/// Median, least and most of what suites kill.
fn spread(case: &CaseFindings, criterion: usize, choice: Choice, oracle: usize) -> String {
    match case.criteria[criterion].killed(choice, oracle, case.scored(oracle)) {
        Ok(sample) => {
            let (least, most) = sample.range();
            let [median, least, most] = [sample.median(), least, most].map(|one| percent(&one));
            format!("{median} ({least}–{most})")
        }
        Err(_) => String::new(),
    }
}

/// The median of what suites kill under the oracle at a place, in percent; empty without suites.
pub fn median_killed(
    case: &CaseFindings,
    findings: &CriterionFindings,
    choice: Choice,
    oracle: usize,
) -> String {
    let sample = findings.killed(choice, oracle, case.scored(oracle));
    sample.map_or_else(|_| String::new(), |sample| percent(&sample.median()))
}

/// The median number of tests of suites.
pub fn median_tests(findings: &CriterionFindings, choice: Choice) -> String {
    decimal(&middle(findings.suites(choice), |suite| suite.tests), 1)
}

fn middle(suites: &[SuiteFindings], count: fn(&SuiteFindings) -> usize) -> Rational {
    let counts: Vec<u64> = suites.iter().map(|suite| count(suite) as u64).collect();
    median(&counts)
}

/// As table VI of Whalen et al.
fn sizes(experiment: &Experiment) -> Table {
    let header = headed(
        &[
            "model",
            "structure",
            "criterion",
            "obligations",
            "covered",
            "tests",
            "steps",
            "random covers",
        ],
        std::iter::empty(),
    );
    let mut rows = Vec::new();
    for case in &experiment.cases {
        for CriterionFindings { criterion, obligations, reduced, random } in &case.criteria {
            let covered = middle(random, |suite| suite.covered);
            rows.push(vec![
                escaped(&case.name),
                case.structure.name().to_owned(),
                criterion.to_string(),
                obligations.total().to_string(),
                share(obligations.covered, obligations.total()),
                decimal(&middle(reduced, |suite| suite.tests), 1),
                decimal(&middle(reduced, |suite| suite.steps), 1),
                match obligations.covered as u64 {
                    0 => "–".to_owned(),
                    all => percent(&(covered * ratio(1, all))),
                },
            ]);
        }
    }
    Table { header, rows }
}

fn compared(comparisons: &[&SuiteComparison]) -> Table {
    let header = headed(
        &["model", "first", "second", "difference", "U", "p", "p of means"],
        std::iter::empty(),
    );
    let side = |side: &Side| {
        let Side { structure, oracle, criterion, choice, killed } = side;
        let suites = match choice {
            Choice::Reduced => criterion.clone(),
            Choice::Random => format!("random for {criterion}"),
        };
        format!("{suites}, {oracle}, {}: {}", structure.name(), percent(&killed.median()))
    };
    let row = |one: &&SuiteComparison| {
        vec![
            escaped(&one.model),
            side(&one.first),
            side(&one.second),
            points(&one.difference()),
            decimal(&one.ranks.u, 1),
            p_value(&one.ranks.p),
            match one.means.by {
                Method::Exact => p_value(&one.means.p),
                Method::Tried(count) => format!("{} ({count} splits)", p_value(&one.means.p)),
            },
        ]
    };
    Table { header, rows: comparisons.iter().map(row).collect() }
}

/// A count with what percentage it is.
fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => "–".to_owned(),
        _ => format!("{part} ({}%)", percent(&ratio(part as u64, whole as u64))),
    }
}

/// A name that may hold what means something in Markdown.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if "\\`*_{}[]<>()#+!|~".contains(character) {
            text.push('\\');
        }
        text.push(if character.is_control() { ' ' } else { character });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_break_the_table() {
        assert_eq!(escaped("a|b_c\nd"), "a\\|b\\_c d");
    }
}
