//! Explanations in words.

use std::io::{self, Write};

use obligato::explain::{ConditionExplained, Explanation, Half, Row, Shown};
use obligato_model::{Criterion, Independence};

use crate::output::{BAD, FAINT, GOOD, abridged, printable};

/// A table with more columns does not fit on a screen.
const MOST_CONDITIONS: usize = 16;
/// So many characters of a source text are written.
const WIDEST: usize = 160;
/// So many rows, pairs of rows, and names of tests are written; JSON has all.
const MOST_WRITTEN: usize = 64;
const MOST_TWINS: usize = 4;
const MOST_TESTS: usize = 8;

/// All explanations; `measured` if there is a suite.
pub fn write(all: &[Explanation], measured: bool, out: &mut dyn Write) -> io::Result<()> {
    for (index, explanation) in all.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let Explanation { file, span, text, instance, .. } = explanation;
        let text = abridged(text, WIDEST);
        let heading = format!("{file}:{}, in {instance}: {text}", span.start);
        writeln!(out, "{}", printable(&heading))?;
        write_rows(explanation, measured, out)?;
        for (number, condition) in (1..).zip(&explanation.conditions) {
            write_condition(number, condition, explanation, measured, out)?;
        }
    }
    Ok(())
}

fn write_rows(explanation: &Explanation, measured: bool, out: &mut dyn Write) -> io::Result<()> {
    let Explanation { rows, conditions, complete, .. } = explanation;
    if conditions.len() > MOST_CONDITIONS {
        return writeln!(out, "  {} conditions, too many for a table", conditions.len());
    }
    if !complete {
        let executed = if measured { "only those executed are listed" } else { "none is listed" };
        writeln!(out, "  too many rows to list all of them; {executed}")?;
    }
    let heads: String = (1..=conditions.len()).map(|number| format!("c{number:<3}")).collect();
    if !rows.is_empty() {
        writeln!(out, "  row  {heads}outcome  tests")?;
    }
    for (number, row) in (1..).zip(rows).take(MOST_WRITTEN) {
        let outcome = if row.evaluation.outcome { 'T' } else { 'F' };
        write!(out, "  {number:3}  {}{outcome:7}  ", cells(row))?;
        if row.tests.is_empty() {
            writeln!(out, "{BAD}missing{BAD:#}")?;
        } else {
            writeln!(out, "{}", names(&row.tests))?;
        }
    }
    if rows.len() > MOST_WRITTEN {
        writeln!(out, "  … and {} more; --format json lists all", rows.len() - MOST_WRITTEN)?;
    }
    Ok(())
}

/// The values of a row, with a mark on those that decide.
fn cells(row: &Row) -> String {
    let vector = row.evaluation.vector();
    let cell = |(at, letter)| {
        let mark = if row.deciding.contains(at) { '*' } else { ' ' };
        format!("{letter}{mark}  ")
    };
    vector.chars().enumerate().map(cell).collect()
}

fn write_condition(
    number: usize,
    condition: &ConditionExplained,
    explanation: &Explanation,
    measured: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "\n  c{number}  {}", printable(&abridged(&condition.text, WIDEST)))?;
    if let Some(value) = condition.constant {
        writeln!(out, "      {FAINT}is always {value}{FAINT:#}")?;
    }
    for half in &condition.halves {
        write_half(half, explanation, measured, out)?;
    }
    for (criterion, shown) in &condition.pairs {
        write_pair(*criterion, shown, condition, out)?;
    }
    Ok(())
}

fn write_half(
    half: &Half,
    explanation: &Explanation,
    measured: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let value = if half.value { "true" } else { "false" };
    write!(out, "      {value:5}  ")?;
    if half.rows.is_empty() && half.tests.is_empty() {
        let never = if explanation.complete { "never decides" } else { "decides in no row listed" };
        return writeln!(out, "{FAINT}{never}{FAINT:#}");
    }
    if !half.rows.is_empty() {
        let rows: Vec<String> = half.rows.iter().map(ToString::to_string).collect();
        let (shown, more) = rows.split_at(rows.len().min(MOST_TESTS));
        let word = if rows.len() == 1 { "row" } else { "rows" };
        let more = if more.is_empty() { "" } else { ", …" };
        write!(out, "decides in {word} {}{more}: ", shown.join(", "))?;
    }
    if half.tests.is_empty() {
        return writeln!(out, "{BAD}missing{BAD:#}");
    }
    writeln!(out, "{}", names(&half.tests))?;
    match &half.observed {
        None => writeln!(
            out,
            "             {FAINT}not known whether the effect reaches an observed variable: these tests ran elsewhere{FAINT:#}"
        ),
        Some(observed) if measured && observed.is_empty() => {
            writeln!(
                out,
                "             {BAD}the effect never reaches an observed variable{BAD:#}"
            )?;
            let mut losses = half.losses.iter();
            losses.try_for_each(|loss| writeln!(out, "             {}", printable(loss)))
        }
        Some(observed) => writeln!(
            out,
            "             {FAINT}the effect reaches an observed variable in{FAINT:#} {}",
            names(observed)
        ),
    }
}

fn write_pair(
    criterion: Criterion,
    shown: &Shown,
    condition: &ConditionExplained,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = criterion.title();
    match shown {
        Shown::By(with_true, with_false) => {
            let pair = format!("true in {with_true}, false in {with_false}");
            writeln!(out, "      {GOOD}shown{GOOD:#}  {title}: {}", printable(&pair))
        }
        Shown::Not => {
            let needs = match criterion {
                Criterion::Mcdc(Independence::UniqueCause) => needed(&condition.twins),
                _ => String::new(),
            };
            writeln!(out, "      {BAD}open{BAD:#}   {title}{needs}")
        }
    }
}

/// The pairs of rows of which one is needed.
fn needed(twins: &[(usize, usize)]) -> String {
    match twins {
        [] => String::new(),
        [(first, second)] => format!(", needs rows {first} and {second}"),
        _ => {
            let pairs = twins.iter().take(MOST_TWINS).map(|(one, other)| format!("{one}-{other}"));
            let more = if twins.len() > MOST_TWINS { ", …" } else { "" };
            format!(", needs rows {}{more}", pairs.collect::<Vec<_>>().join(" or "))
        }
    }
}

/// The names of tests, not too many of them.
fn names(tests: &[String]) -> String {
    let (some, more) = tests.split_at(tests.len().min(MOST_TESTS));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    printable(&some.join(", ")) + &more
}
