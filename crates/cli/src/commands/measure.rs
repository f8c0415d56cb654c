//! `obligato measure`: what a suite covers of a program.
//!
//! [`model`] and [`unit`] are the walks: the program and the suite are read, the suite is measured, the
//! criteria judge what it has shown. What comes then is the same for both: the result is kept and
//! put into words by [`verdicts`](crate::verdicts).

use std::collections::{HashMap, HashSet};
use std::path::Path;

use obligato_criteria::Evidence;
use obligato_model::{Assessment, Criterion, Limit, Program, Span, Verdict};
use obligato_store::StoredResult;
use obligato_store::details::{SourceFile, TestDetails};
use obligato_store::file::Draft;

use crate::args::{Format, Language, MeasureArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use crate::shell::{flag_words, subject_words, suite_words};
use crate::verdicts::{Judged, Subject, next};
use obligato::Error;
use obligato::details::Basis;
use obligato::storage;

mod model;
mod unit;

/// Measures, judges, stores, reports.
pub fn run(arguments: &MeasureArgs, output: &mut Output) -> Result<Exit, CliError> {
    match arguments.subject.language() {
        Language::C => unit::measure(arguments, output),
        Language::Lustre | Language::Commands => model::measure(arguments, output),
    }
}

/// What measuring gave, whatever the language.
struct Measured<'a> {
    /// The file, as the user named it.
    name: &'a str,
    subject: Subject,
    program: &'a Program,
    evidence: &'a Evidence,
    assessment: Assessment,
    result: StoredResult,
    /// The files of the program.
    sources: Vec<SourceFile>,
    /// Per test, how it ended.
    tests: Vec<TestDetails>,
    /// By obligation, where an effect got lost.
    lost: HashMap<usize, Vec<String>>,
    /// What is to be known of the program.
    remarks: Vec<String>,
}

impl Measured<'_> {
    /// Stores and reports. `say_more` says what else tests did.
    fn report(
        &self,
        arguments: &MeasureArgs,
        output: &mut Output,
        write_tests: impl FnOnce(&Path) -> Result<Option<Draft>, Error>,
        say_more: impl Fn(&mut Output) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let Self { name, subject, program, evidence, result, .. } = self;
        let document = obligato_store::result::print(result)?;
        let directory = arguments.verdicts.store();
        let stored = directory
            .map(|directory| {
                let details = self.basis().print(result)?;
                let documents = storage::Documents {
                    result: &document,
                    details: Some(&details),
                    ..Default::default()
                };
                storage::store(directory, &documents, write_tests).map_err(CliError::from)
            })
            .transpose()?;
        if arguments.verdicts.format == Format::Json {
            output.write_text(&document)?;
            let mut words = output.beside();
            self.write_remarks(&mut words)?;
            say_more(&mut words)?;
            return words.finish();
        }
        self.write_remarks(output)?;
        let judged = Judged { name, subject: *subject, program, evidence, result };
        judged.write(&arguments.verdicts, output)?;
        say_more(output)?;
        output.remark(format_args!(""))?;
        if let Some(stored) = stored {
            output.remark(format_args!("{stored}"))?;
        }
        output.remark(format_args!("{}", next_command(arguments, result, program)))
    }

    /// What stands behind the verdicts.
    fn basis(&self) -> Basis<'_> {
        Basis {
            name: self.name,
            subject: self.subject,
            command: "measure",
            program: self.program,
            evidence: self.evidence,
            assessment: &self.assessment,
            sources: self.sources.clone(),
            tests: self.tests.clone(),
            phases: Vec::new(),
            lost: self.lost.clone(),
        }
    }

    fn write_remarks(&self, output: &mut Output) -> Result<(), CliError> {
        self.remarks.iter().try_for_each(|remark| output.remark(format_args!("{remark}")))
    }
}

/// What to do next: to look at the first decision that lacks something, if one does.
fn next_command(arguments: &MeasureArgs, result: &StoredResult, program: &Program) -> String {
    let decisions = program.decisions().iter().map(|decision| decision.span);
    let conditions = program.conditions().iter().map(|condition| condition.span);
    let spans: HashSet<Span> = decisions.chain(conditions).collect();
    let open = result.obligations.iter().find(|one| {
        matches!(&one.verdict, Verdict::Unresolved(limit) if !matches!(limit, Limit::Unsupported(_)))
            && one.criterion != Criterion::Statement
            && spans.contains(&one.span)
    });
    let MeasureArgs { subject, tests, from, observe, verdicts, .. } = arguments;
    let suite = suite_words(Some(tests), *from, observe);
    let Some(open) = open else {
        let again = format!("obligato measure{}{suite}", subject_words(subject, ""));
        return next::command(&again, verdicts, &flag_words(subject), result);
    };
    let place = format!(":{}", open.span.start.line);
    let (words, last) = (subject_words(subject, &place), flag_words(subject));
    format!("Next: obligato explain{words}{suite}{last}   (a decision that lacks something)")
}
