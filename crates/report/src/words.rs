//! Verdicts and numbers in words, the same in every format.

use std::fmt::Write;

use obligato_model::{Limit, Proof, TestId, Verdict};
use obligato_store::result::Expectation;
use obligato_store::{StoredObligation, StoredResult};

/// Why an obligation ended as it did; nothing for one that tests cover.
pub fn reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Covered { .. } => None,
        Verdict::Uncoverable(proof) => Some(method(proof)),
        Verdict::Justified(one) => Some(format!("{} ({}, {})", one.reason, one.author, one.date)),
        Verdict::Unresolved(limit) => Some(limit.to_string()),
    }
}

/// The same of an obligation, with the review of a proof; of one that is covered only by tests that end with a runtime
/// error, which that is.
pub fn reason_of(one: &StoredObligation) -> Option<String> {
    if let Some(error) = &one.ends_in {
        return Some(format!("only by a test that ends in {error}"));
    }
    let reason = reason(&one.verdict)?;
    let Some(review) = &one.review else { return Some(reason) };
    Some(format!("{reason}; reviewed: {} ({}, {})", review.reason, review.author, review.date))
}

/// The tests that fail, in words; nothing if none does.
pub fn failing(result: &StoredResult) -> Option<String> {
    let failed: Vec<&str> = result.failed_tests().collect();
    let names = match failed.as_slice() {
        [] => return None,
        names if names.len() <= MOST_NAMED => names.join(", "),
        names => {
            format!("{} and {} more", names[..MOST_NAMED].join(", "), names.len() - MOST_NAMED)
        }
    };
    let is_failed = |test: &TestId| {
        let outcome = result.outcomes.get(test.index());
        outcome.is_some_and(|one| one.expectation == Expectation::Failed)
    };
    let counted_all = result.obligations.iter().any(|one| match &one.verdict {
        Verdict::Covered { tests, .. } => tests.iter().any(is_failed),
        _ => false,
    });
    let fails = if failed.len() == 1 { "fails" } else { "fail" };
    let count = counted(result.tests.len(), "test");
    let counts = if counted_all {
        "what failing tests execute counts, by --count-failing"
    } else {
        "what failing tests execute does not count"
    };
    Some(format!("{} of {count} {fails} ({names}); {counts}", failed.len()))
}

/// So many failing tests are named.
const MOST_NAMED: usize = 5;

/// How something was proved, and what was assumed.
pub fn method(proof: &Proof) -> String {
    let words: Vec<String> = proof.assumptions.iter().map(ToString::to_string).collect();
    let assumptions = words.join("; ");
    if proof.assumptions.is_empty() {
        proof.method.to_string()
    } else {
        format!("{}, assuming: {assumptions}", proof.method)
    }
}

/// Is it open only because nobody looked further than the suite?
pub fn is_of_the_suite(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unresolved(Limit::Suite(_)))
}

/// A share in percent with one digit, rounded down: all but one is not all.
pub fn percent(part: usize, whole: usize) -> String {
    match (part * 1000).checked_div(whole) {
        Some(permille) => format!("{}.{}", permille / 10, permille % 10),
        None => "–".to_owned(),
    }
}

/// Words on one line, with single blanks.
pub fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text inside of an address (RFC 3986): all bytes are escaped that could mean something there, but for those in `kept`.
pub fn in_address(text: &str, kept: &str) -> String {
    let mut safe = String::new();
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if plain || kept.as_bytes().contains(&byte) {
            safe.push(char::from(byte));
        } else {
            write!(safe, "%{byte:02X}").expect("invariant: a string takes all text");
        }
    }
    safe
}

/// A count with its noun.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// What a suite that was made from a program is for, and what its recorded outputs are.
pub const PURPOSE: &str = "A suite made from a program closes structural gaps after requirements-based testing; it \
                           does not replace it. Outputs that are recorded with tests are a characterisation of what the \
                           program does, to be reviewed against its requirements; they are not expected results.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_one_is_not_all() {
        assert_eq!(percent(9_999, 10_000), "99.9");
        assert_eq!(percent(3, 3), "100.0");
        assert_eq!(percent(0, 0), "–");
    }
}
