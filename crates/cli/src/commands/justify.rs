//! `obligato justify`: a person's reason for leaving obligations uncovered. `obligato::justify` does the work.

use std::io::Write as _;

use obligato::justifications::{Entry, JustificationStanding};
use obligato::justify::{
    JustifiedObligation, JustifyRequest, ListedJustification, justify, list_justifications,
};
use obligato_model::Verdict;

use crate::args::JustifyArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, FAINT, GOOD, Output, printable};
use crate::shell::quote_path;

/// Writes justifications, or lists them.
pub fn run(arguments: &JustifyArgs, output: &mut Output) -> Result<Exit, CliError> {
    if arguments.list {
        let known = list_justifications(&arguments.store, arguments.justifications.as_deref())?;
        return write_list(&known, output).map(|()| Exit::Success);
    }
    let justified = justify(&request(arguments))?;
    for one in &justified.entries {
        write_entry(one, output)?;
    }
    justified.notes.iter().try_for_each(|note| output.remark(format_args!("{note}")))?;
    let file = printable(&justified.file.display().to_string());
    output.remark(format_args!("Written: {file}"))?;
    let named = match &arguments.justifications {
        Some(path) => format!(" --justifications {}", quote_path(path)),
        None => String::new(),
    };
    output.remark(format_args!("Next: obligato justify --list{named}   (all of them)"))?;
    Ok(Exit::Success)
}

fn request(arguments: &JustifyArgs) -> JustifyRequest {
    JustifyRequest {
        ids: arguments.ids.clone(),
        reason: arguments.reason.clone().unwrap_or_default(),
        author: arguments.author.clone().unwrap_or_default(),
        date: arguments.date.clone(),
        store: arguments.store.clone(),
        justifications: arguments.justifications.clone(),
    }
}

fn write_entry(one: &JustifiedObligation, out: &mut Output) -> Result<(), CliError> {
    let JustifiedObligation { entry, obligation } = one;
    let (style, word) = match obligation.verdict {
        Verdict::Unresolved(_) | Verdict::Justified(_) => (GOOD, "justified"),
        Verdict::Uncoverable(_) => (GOOD, "reviewed"),
        Verdict::Covered { .. } => (BAD, "not needed"),
    };
    let place = format!("{}:{}", obligation.file, obligation.span.start);
    writeln!(
        out,
        "{style}{word}{style:#}  {}  {}",
        printable(&place),
        printable(&obligation.text)
    )?;
    let Entry { reason, author, date, .. } = entry;
    writeln!(out, "    {}", printable(&format!("{reason} ({author}, {date})")))?;
    writeln!(out, "    {FAINT}{}{FAINT:#}", printable(&entry.id))?;
    Ok(())
}

/// All justifications, with how they stand to the result.
fn write_list(known: &[ListedJustification], out: &mut Output) -> Result<(), CliError> {
    if known.is_empty() {
        return out.remark(format_args!("There are no justifications"));
    }
    for ListedJustification { entry, standing } in known {
        let style = match standing {
            JustificationStanding::Counts | JustificationStanding::Reviewed => GOOD,
            JustificationStanding::Elsewhere => FAINT,
            _ => BAD,
        };
        let Entry { id, reason, author, date, .. } = entry;
        writeln!(out, "{style}{:9}{style:#}  {}", standing.word(), printable(id))?;
        writeln!(out, "           {}", printable(&format!("{reason} ({author}, {date})")))?;
    }
    Ok(())
}
