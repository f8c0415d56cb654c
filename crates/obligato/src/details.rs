//! What stands behind verdicts, kept beside them for reports: sources, truth tables, where effects got lost,
//! where tests come from.

use std::collections::HashMap;
use std::path::Path;

use obligato_criteria::truth_table::TruthTable;
use obligato_criteria::{Evidence, Grounds, Vectors, grounds};
use obligato_model::{Assessment, DecisionId, Element, Goal, Program, Span, TestId, Verdict};
use obligato_store::details::{
    ConditionDetails, DecisionDetails, Details, ErrorDetails, Listed, ObligationDetails,
    RowDetails, SourceFile, TestDetails, digest,
};
use obligato_store::generation::StoredPhase;
use obligato_store::{StoredResult, file};

use crate::TOOL;
use crate::error::Error;
use crate::subject::SubjectKind;

/// So many rows of a truth table are kept.
pub const MOST_ROWS: usize = 256;
/// So many tests of a row are kept.
pub const MOST_TESTS: usize = 16;

/// What is known where a suite is judged.
pub struct Basis<'a> {
    /// What was judged, as the user named it.
    pub name: &'a str,
    /// What kind of thing that is.
    pub subject: SubjectKind,
    /// The command that judges.
    pub command: &'static str,
    /// The program.
    pub program: &'a Program,
    /// What the tests have shown.
    pub evidence: &'a Evidence,
    /// The verdicts.
    pub assessment: &'a Assessment,
    /// The files, as far as they can be read.
    pub sources: Vec<SourceFile>,
    /// Per test, where it comes from and how it ended; empty if there is nothing to say.
    pub tests: Vec<TestDetails>,
    /// What was done to make tests.
    pub phases: Vec<StoredPhase>,
    /// The runtime errors that inputs run into.
    pub errors: Vec<ErrorDetails>,
    /// By obligation, where an effect got lost.
    pub lost: HashMap<usize, Vec<String>>,
}

impl Basis<'_> {
    /// The document that goes with this result.
    pub fn print(self, result: &StoredResult) -> Result<String, Error> {
        let mut tests = self.tests.clone();
        tests.resize(result.tests.len(), TestDetails::default());
        let details = Details {
            tool: TOOL.to_owned(),
            result: digest(result),
            subject: self.name.to_owned(),
            kind: self.subject,
            command: self.command.to_owned(),
            decisions: self.decisions(),
            obligations: self.obligations(),
            sources: self.sources,
            tests,
            phases: self.phases,
            errors: self.errors,
        };
        Ok(obligato_store::details::print(&details)?)
    }

    fn decisions(&self) -> Vec<DecisionDetails> {
        (0..self.program.decisions().len()).map(|at| self.decision(DecisionId::new(at))).collect()
    }

    fn decision(&self, id: DecisionId) -> DecisionDetails {
        let decision = self.program.decision(id);
        let function = self.program.function(decision.function);
        let conditions = self.program.conditions_of(id).iter().map(|condition| ConditionDetails {
            span: condition.span,
            text: condition.text.clone(),
            constant: condition.constant,
        });
        let (listed, rows) = self.rows(id);
        DecisionDetails {
            file: self.program.file(function.file).to_owned(),
            function: function.name.clone(),
            span: decision.span,
            text: decision.text.clone(),
            conditions: conditions.collect(),
            listed,
            rows,
        }
    }

    fn rows(&self, id: DecisionId) -> (Listed, Vec<RowDetails>) {
        if self.evidence.vectors == Vectors::Drop {
            return (Listed::None, Vec::new());
        }
        let TruthTable { complete, rows } = TruthTable::new(self.program, id, self.evidence);
        let listed = match (complete, rows.len() > MOST_ROWS) {
            (true, _) => Listed::All,
            (false, true) => Listed::Some,
            (false, false) => Listed::Executed,
        };
        let rows = rows.into_iter().take(MOST_ROWS).map(|row| RowDetails {
            values: row.evaluation.vector(),
            outcome: row.evaluation.outcome,
            deciding: row.deciding.iter().collect(),
            tests: row.tests.iter().take(MOST_TESTS).map(|test| test.index()).collect(),
            more: row.tests.len().saturating_sub(MOST_TESTS),
        });
        (listed, rows.collect())
    }

    fn obligations(&self) -> Vec<ObligationDetails> {
        let Self { program, assessment, evidence, .. } = self;
        let mut grounds = grounds(program, assessment, evidence).into_iter();
        let judged = assessment.plan.obligations.iter().zip(&assessment.verdicts).enumerate();
        let details = judged.map(|(at, (obligation, verdict))| {
            let covered = matches!(verdict, Verdict::Covered { .. });
            let grounds = covered.then(|| grounds.next()).flatten();
            ObligationDetails {
                since: grounds.and_then(|grounds| since(&grounds)).map(TestId::index),
                lost: self.lost.get(&at).cloned().unwrap_or_default(),
                ..about(program, &obligation.goal)
            }
        });
        details.collect()
    }
}

/// The first test with which one of the ways is complete.
fn since(grounds: &Grounds) -> Option<TestId> {
    let complete =
        |way: &Vec<Vec<TestId>>| way.iter().filter_map(|tests| tests.iter().min().copied()).max();
    grounds.ways.iter().filter_map(complete).min()
}

/// Which decision, condition and value a goal is about.
fn about(program: &Program, goal: &Goal) -> ObligationDetails {
    let element = goal.element();
    let condition = match element {
        Element::Condition(id) => Some(program.condition(id).ordinal),
        _ => None,
    };
    let operator = match element {
        Element::Mutant(id) => program.mutants().get(id.index()).map(|one| one.operator.clone()),
        _ => None,
    };
    ObligationDetails {
        decision: element.decision(program).map(DecisionId::index),
        condition,
        value: goal.value(),
        operator,
        ..ObligationDetails::default()
    }
}

/// A source text as it is kept.
pub fn source(file: &str, bytes: &[u8]) -> SourceFile {
    let lines = String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
    SourceFile { file: file.to_owned(), lines }
}

/// The files of a program that can be read from `directory`; the others are left out, and reports say so.
pub fn sources(program: &Program, directory: &Path) -> Vec<SourceFile> {
    let read = |name: &String| {
        let bytes = file::read(&directory.join(name)).ok()?;
        Some(source(name, &bytes))
    };
    program.files().iter().filter_map(read).collect()
}

/// Do the decisions of a program stand in the source where the program says, white space aside?
pub fn says_the_same(program: &Program, source: &SourceFile) -> bool {
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    program.decisions().iter().all(|decision| {
        let file = program.file(program.function(decision.function).file);
        file != source.file || squeezed(&text_at(source, decision.span)) == squeezed(&decision.text)
    })
}

fn text_at(source: &SourceFile, span: Span) -> String {
    let (first, last) = (span.start.line as usize, span.end.line as usize);
    let mut text = String::new();
    for number in first..=last.min(source.lines.len()) {
        let line = &source.lines[number - 1];
        let start = if number == first { span.start.column as usize - 1 } else { 0 };
        let end = if number == last { span.end.column as usize - 1 } else { usize::MAX };
        text.extend(line.chars().skip(start).take(end.saturating_sub(start)));
        text.push('\n');
    }
    text
}
