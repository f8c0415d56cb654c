//! What is left of what a compiler says.

use super::*;

fn error(line: usize, column: usize, message: &str) -> String {
    format!("a.c:{line}:{column}: error: {message}\n  {line} | text\n    | ^\n")
}

#[test]
fn few_errors_are_left_as_they_are() {
    let included = "In file included from a.c:1:\nIn file included from b.h:2:\n";
    let said = format!(
        "{included}{}a.c:1:2: note: for a reason\n  1 | text\n{}2 errors generated.\n",
        error(1, 1, "one"),
        error(2, 1, "two")
    );
    let expected = said.replace("2 errors generated.\n", "");
    assert_eq!(condensed(&said), expected.trim_end());
}

#[test]
fn the_same_is_told_once_for_each_line_and_counted() {
    let bytes: String = (1..=6).map(|column| error(1, column, "not text")).collect();
    let said = format!("{bytes}{}{}", error(1, 9, "another"), error(2, 1, "not text"));
    let expected = format!(
        "{}{}{}and 5 more errors",
        error(1, 1, "not text"),
        error(1, 9, "another"),
        error(2, 1, "not text")
    );
    assert_eq!(condensed(&said), expected);
}

#[test]
fn no_more_than_ten_are_shown_and_the_others_counted_as_far_as_they_are_known() {
    let many: String = (1..=12).map(|line| error(line, 1, "wrong")).collect();
    let found = condensed(&many);
    assert!(found.ends_with("\nand 2 more errors") && found.matches("wrong").count() == 10);
    let stopped =
        format!("{many}fatal error: too many errors emitted, stopping now [-ferror-limit=]\n");
    let found = condensed(&stopped);
    assert!(found.ends_with("\nand at least 2 more errors"), "{found}");
    assert!(!found.contains("stopping"), "{found}");
}

#[test]
fn what_is_without_end_is_cut() {
    let found = condensed(&error(1, 1, &"é".repeat(5000)));
    assert!(found.lines().all(|line| line.chars().count() <= WIDTH + 1), "{found}");
    assert!(found.starts_with("a.c:1:1: error: éé") && found.contains('…'), "{found}");
}

#[test]
fn anything_is_taken_for_a_complaint() {
    assert_eq!(condensed(""), "");
    assert_eq!(condensed("clang: error: no such flag\n"), "clang: error: no such flag");
    assert_eq!(condensed("killed\n\nkilled\n"), "killed\n\nkilled");
}
