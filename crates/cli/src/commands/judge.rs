//! `obligato judge`: what a suite covers, measured by replaying decisions written as text or from
//! a recording made elsewhere.
//!
//! `obligato::judge` does the work; [`verdicts`](crate::verdicts) puts the result into words.

use obligato::Error;
use obligato::judge::{JudgeRequest, JudgeSubject, judge};

use crate::args::{Format, JudgeArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::Output;
use crate::shell::{quote, quote_path};
use crate::verdicts::{Judged, next};

/// Judges, stores, reports.
pub fn run(arguments: &JudgeArgs, output: &mut Output) -> Result<Exit, CliError> {
    let judgement = judge(&request(arguments)?, &stop_on_signals()?)?;
    if arguments.verdicts.format == Format::Json {
        output.write_text(&judgement.document)?;
        let mut words = output.beside();
        judgement.notes.iter().try_for_each(|note| words.remark(format_args!("{note}")))?;
        words.finish()?;
        return Ok(Exit::Success);
    }
    judgement.notes.iter().try_for_each(|note| output.remark(format_args!("{note}")))?;
    let judged = Judged {
        name: &judgement.name,
        subject: judgement.kind,
        program: &judgement.program,
        evidence: &judgement.evidence,
        result: &judgement.result,
    };
    judged.write(&arguments.verdicts, output)?;
    output.remark(format_args!(""))?;
    if let Some(stored) = &judgement.stored {
        output.remark(format_args!("{stored}"))?;
    }
    let next = next::command(&again(arguments), &arguments.verdicts, "", &judgement.result);
    output.remark(format_args!("{next}"))?;
    Ok(Exit::Success)
}

fn request(arguments: &JudgeArgs) -> Result<JudgeRequest, CliError> {
    let JudgeArgs { file, decision, tests, recording, verdicts } = arguments;
    let subject = match (file, tests) {
        (Some(file), _) => JudgeSubject::of_file(file, tests.as_deref(), recording.as_deref())?,
        (None, Some(tests)) => {
            JudgeSubject::Decisions { texts: decision.clone(), tests: tests.clone() }
        }
        (None, None) => {
            let what = "judge without a suite and a recording".to_owned();
            return Err(CliError::from(Error::Internal(what)));
        }
    };
    Ok(JudgeRequest { subject, judging: verdicts.judging(verdicts.criteria()) })
}

/// The command that was given, up to the arguments of verdicts.
fn again(arguments: &JudgeArgs) -> String {
    let mut words = vec!["obligato judge".to_owned()];
    words.extend(arguments.file.as_deref().map(quote_path));
    for decision in &arguments.decision {
        words.extend(["--decision".to_owned(), quote(decision)]);
    }
    for (flag, given) in [("--recording", &arguments.recording), ("--tests", &arguments.tests)] {
        if let Some(given) = given {
            words.extend([flag.to_owned(), quote_path(given)]);
        }
    }
    words.join(" ")
}
