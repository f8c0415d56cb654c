//! Elements of a program by their numbers in its document, from 1: `d1c2`.

use obligato_model::{ConditionId, DecisionId, Program};

use crate::error::quoted;

/// Takes `letter` and a number from the start of `text`: its position from 0, and
/// what is left. `None` if something else stands there.
pub fn take(letter: char, text: &str) -> Option<(usize, &str)> {
    let rest = text.strip_prefix(letter)?;
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = rest.split_at(length);
    // One spelling per number, so that what is read prints the same.
    if digits.starts_with('0') {
        return None;
    }
    Some((digits.parse::<usize>().ok()?.checked_sub(1)?, rest))
}

/// Takes the condition that `text` starts with, or says why there is none.
pub fn condition<'a>(text: &'a str, program: &Program) -> Result<(ConditionId, &'a str), String> {
    let numbers = take('d', text).and_then(|(decision, rest)| {
        let (condition, rest) = take('c', rest)?;
        Some((decision, condition, rest))
    });
    let (decision, condition, rest) = numbers.ok_or_else(|| no_condition(text))?;
    let found = program
        .decisions()
        .get(decision)
        .ok_or_else(|| out_of_range(text, "the program", program.decisions().len(), "decision"))?;
    let conditions = found.tree.conditions();
    if condition >= conditions {
        let whose = format!("decision {}", decision + 1);
        return Err(out_of_range(text, &whose, conditions, "condition"));
    }
    let condition = program.condition_at(DecisionId::new(decision), condition);
    Ok((condition, rest))
}

/// Why `text` is not the number of a condition.
pub fn no_condition(text: &str) -> String {
    format!("{} is no condition; one is written d1c2", quoted(text))
}

/// Why there is no such element: `whose` has only so many.
pub fn out_of_range(text: &str, whose: &str, count: usize, what: &str) -> String {
    let plural = match (count, what.ends_with("ch")) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{}: {whose} has {count} {what}{plural}", quoted(text))
}
