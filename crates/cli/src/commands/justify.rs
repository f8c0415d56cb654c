//! `obligato justify`: a person's reason for leaving obligations uncovered.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use obligato_model::Verdict;
use obligato_store::{StoredObligation, StoredResult, file};

use crate::args::JustifyArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, FAINT, GOOD, Output, printable};
use crate::shell::quote_path;
use obligato::Error;
use obligato::config::text_of;
use obligato::justifications::{Entry, Justifications, Standing, USUAL_FILE, is_date, put};
use obligato::nearest::nearest;
use obligato::storage;

/// Writes justifications, or lists them.
pub fn run(arguments: &JustifyArgs, output: &mut Output) -> Result<Exit, CliError> {
    let mut result = storage::load(&arguments.store)?;
    if arguments.list {
        let known = Justifications::load(arguments.justifications.as_deref())?;
        return list(&known, &result, output).map(|()| Exit::Success);
    }
    let entries = entries(arguments, &result)?;
    let path = arguments.justifications.clone().unwrap_or_else(|| PathBuf::from(USUAL_FILE));
    let before = if path.exists() { file::read(&path)? } else { Vec::new() };
    let mut text = text_of(&before).map_err(|error| error.in_file(&path))?.to_owned();
    // What is wrong with the file is said with its place, not that nothing can be put into it.
    Justifications::load(path.exists().then_some(path.as_path()))?;
    for (entry, _) in &entries {
        text = put(&text, entry).ok_or_else(|| {
            CliError::from(Error::Input {
                message: format!("'{}' is laid out in a way of its own", path.display()),
                way_out: format!("change its entry of '{}' by hand", entry.id),
            })
        })?;
    }
    file::write(&path, text.as_bytes())?;
    let known = Justifications::load(Some(&path))?;
    let notes = known.apply(&mut result);
    storage::save(&arguments.store, &result)?;
    for (entry, obligation) in &entries {
        write_entry(entry, obligation, output)?;
    }
    notes.iter().try_for_each(|note| output.remark(format_args!("{note}")))?;
    output.remark(format_args!("Written: {}", printable(&path.display().to_string())))?;
    let named = match &arguments.justifications {
        Some(path) => format!(" --justifications {}", quote_path(path)),
        None => String::new(),
    };
    output.remark(format_args!("Next: obligato justify --list{named}   (all of them)"))?;
    Ok(Exit::Success)
}

/// The entries that are asked for, each with its obligation.
fn entries(
    arguments: &JustifyArgs,
    result: &StoredResult,
) -> Result<Vec<(Entry, StoredObligation)>, CliError> {
    let said = |value: &Option<String>, flag: &str| {
        let value = value.clone().unwrap_or_default();
        let bare = value.trim().to_owned();
        if bare.is_empty() {
            return Err(CliError::from(Error::Input {
                message: format!("--{flag} is empty"),
                way_out: "an auditor will want to read it".to_owned(),
            }));
        }
        Ok(bare)
    };
    let reason = said(&arguments.reason, "reason")?;
    let author = said(&arguments.author, "author")?;
    let date = arguments.date.clone().unwrap_or_else(today);
    if !is_date(&date) {
        return Err(CliError::from(Error::Input {
            message: format!("--date: '{date}' is not a date"),
            way_out: "one is written YYYY-MM-DD".to_owned(),
        }));
    }
    let entry = |id: &String| {
        let known = result.obligations.iter().find(|one| one.id == *id);
        let obligation = known.ok_or_else(|| refuse_unknown(id, result))?;
        let fingerprint = result.fingerprint_of(obligation).map(str::to_owned);
        let (id, reason) = (id.clone(), reason.clone());
        let (author, date) = (author.clone(), date.clone());
        Ok((Entry { id, reason, author, date, fingerprint }, obligation.clone()))
    };
    arguments.ids.iter().map(entry).collect()
}

/// Says what there is instead.
fn refuse_unknown(id: &str, result: &StoredResult) -> CliError {
    let known = result.obligations.iter().map(|one| one.id.as_str());
    let near = nearest(id, known);
    let way_out = if near.is_empty() {
        "--list of 'obligato measure' prints those that there are".to_owned()
    } else {
        format!("the nearest are {}", near.join(", "))
    };
    CliError::from(Error::Input {
        message: format!("the stored result has no obligation '{id}'"),
        way_out,
    })
}

fn write_entry(
    entry: &Entry,
    obligation: &StoredObligation,
    out: &mut Output,
) -> Result<(), CliError> {
    let (style, word) = match obligation.verdict {
        Verdict::Unresolved(_) | Verdict::Justified(_) => (GOOD, "justified"),
        Verdict::Covered { .. } | Verdict::Uncoverable(_) => (BAD, "not needed"),
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
fn list(known: &Justifications, result: &StoredResult, out: &mut Output) -> Result<(), CliError> {
    if known.entries().is_empty() {
        return out.remark(format_args!("There are no justifications"));
    }
    for (entry, standing) in known.entries().iter().zip(known.standings(result)) {
        let style = match standing {
            Standing::Counts => GOOD,
            Standing::Elsewhere => FAINT,
            _ => BAD,
        };
        let Entry { id, reason, author, date, .. } = entry;
        writeln!(out, "{style}{:9}{style:#}  {}", standing.word(), printable(id))?;
        writeln!(out, "           {}", printable(&format!("{reason} ({author}, {date})")))?;
    }
    Ok(())
}

/// The day, by the clock of this machine, in Greenwich.
fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    civil_date(now.as_secs() / 86_400)
}

/// The day so many days after 1970-01-01. Years are counted from March, so that leap days come last.
fn civil_date(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970_over_leap_years() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_513, "2026-03-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(civil_date(days), expected);
        }
    }
}
