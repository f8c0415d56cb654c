//! What a compiler says of a file that it refuses, made short enough to be read.
//!
//! A file of other bytes than text gives an error for each of them, on lines without end. The flags of the compiler cut the lines that it
//! quotes around their carets ([`WIDTH`]); here errors that say the same of one line are told once, and no more than a few.

use std::collections::HashSet;

/// Columns of a line that is quoted, and characters of a message.
pub const WIDTH: usize = 200;
/// So many errors are looked for, so that it can be said how many more there are.
pub const MOST_ERRORS: usize = 100;
/// So many are shown.
const MOST_SHOWN: usize = 10;
/// What a compiler says when it looks for no more.
const STOPPED: &str = "fatal error: too many errors emitted";
/// What a compiler says before what it is about.
const KINDS: [&str; 3] = [": fatal error: ", ": error: ", ": warning: "];

/// The first errors that say something else than those before them, and how many more there are.
pub fn condensed(said: &str) -> String {
    // A file that includes itself is told of once for each level.
    let mut lines: Vec<&str> = said.trim_end().lines().collect();
    lines.dedup();
    let mut told: HashSet<(&str, &str)> = HashSet::new();
    let mut text = String::new();
    let (mut shown, mut more, mut stopped) = (0, 0, false);
    for complaint in split(&lines) {
        let head = complaint.iter().find_map(|line| head(line));
        if complaint.first().is_some_and(|line| is_summary(line)) {
            stopped |= complaint[0].starts_with(STOPPED);
        } else if head.is_some_and(|head| !told.insert(head)) || shown == MOST_SHOWN {
            more += 1;
        } else {
            shown += usize::from(head.is_some());
            for line in complaint {
                push(&mut text, line);
            }
        }
    }
    let at_least = if stopped { "at least " } else { "" };
    match more {
        0 if stopped => text.push_str("and more errors\n"),
        0 => {}
        1 => push(&mut text, &format!("and {at_least}1 more error")),
        _ => push(&mut text, &format!("and {at_least}{more} more errors")),
    }
    text.truncate(text.trim_end().len());
    text
}

/// Lines that belong together: from where a complaint begins, with how the file came to be included, to where the next does.
fn split<'l>(lines: &'l [&'l str]) -> impl Iterator<Item = &'l [&'l str]> {
    lines.chunk_by(|line, next| {
        let begins = head(next).is_some() || is_inclusion(next);
        !is_summary(line) && !is_summary(next) && (!begins || is_inclusion(line))
    })
}

/// The file and the line that a complaint is about, and what it says, if one begins here. Quoted lines are indented.
fn head(line: &str) -> Option<(&str, &str)> {
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    let (place, message) = KINDS.iter().find_map(|kind| line.split_once(kind))?;
    Some((place.rsplit_once(':').map_or(place, |(line, _)| line), message))
}

fn is_inclusion(line: &str) -> bool {
    line.starts_with("In file included from ")
}

/// What comes at the end, and is said here in other words.
fn is_summary(line: &str) -> bool {
    line.starts_with(STOPPED) || line.ends_with(" generated.")
}

/// Adds a line, cut where it is too long.
fn push(text: &mut String, line: &str) {
    // What is quoted is cut by columns, and what it takes to show a column may be several characters.
    let most = if line.starts_with(char::is_whitespace) { 2 * WIDTH } else { WIDTH };
    match line.char_indices().nth(most) {
        Some((end, _)) => {
            text.push_str(&line[..end]);
            text.push('…');
        }
        None => text.push_str(line),
    }
    text.push('\n');
}

#[cfg(test)]
mod tests;
