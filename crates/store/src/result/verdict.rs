//! Verdicts in a result document: the fields `verdict`, and those that go with it.

use std::collections::HashSet;

use obligato_model::{
    Assumption, Bound, Justification, Limit, Method, Pair, Proof, Shortfall, Spent, TestId,
    TooMany, Unsupported, Verdict,
};

use super::bound;
use crate::error::{StoreError, quoted};
use crate::json::print::{Fields, quote, row};
use crate::json::words::Words;
use crate::json::{Json, Object};

/// The fields every obligation has.
const EVERY: [&str; 7] = ["id", "criterion", "file", "function", "span", "text", "verdict"];

/// The fields of obligations, whatever the verdict.
pub const FIELDS: [&str; 26] = [
    "id",
    "criterion",
    "file",
    "function",
    "span",
    "text",
    "verdict",
    "tests",
    "pair",
    "ends_in",
    "method",
    "depth",
    "assumptions",
    "reason",
    "author",
    "date",
    "limit",
    "shortfall",
    "bound",
    "bounds",
    "value",
    "seconds",
    "construct",
    "what",
    "why",
    "review",
];

const SHORTFALLS: Words<Shortfall> = Words {
    what: "shortfall",
    all: &[
        ("never-reached", Shortfall::NeverReached),
        ("never-so", Shortfall::NeverWithValue),
        ("never-finished", Shortfall::NeverFinished),
        ("always-masked", Shortfall::AlwaysMasked),
        ("no-partner", Shortfall::NoPartner),
        ("never-observed", Shortfall::NeverObserved),
        ("survived", Shortfall::Survived),
    ],
};

/// Reads the verdict of an obligation; its other fields are left alone.
pub fn read(object: &Object<'_>) -> Result<Verdict, StoreError> {
    let field = object.need("verdict")?;
    let name = field.string()?;
    match name.as_ref() {
        "covered" => {
            only(object, &EVERY, &["tests", "pair", "ends_in"], "a covered obligation")?;
            let tests = object.need("tests")?.items()?;
            Ok(Verdict::Covered {
                tests: tests.into_iter().map(read_test).collect::<Result<_, _>>()?,
                pair: object.get("pair").map(read_pair).transpose()?,
            })
        }
        "uncoverable" => {
            let every = [&EVERY[..], &["review"]].concat();
            read_proof(object, &every).map(claim_of)
        }
        "justified" => {
            only(object, &EVERY, &["reason", "author", "date"], "a justified obligation")?;
            Ok(Verdict::Justified(Justification {
                reason: object.need("reason")?.owned_string()?,
                author: object.need("author")?.owned_string()?,
                date: object.need("date")?.owned_string()?,
            }))
        }
        "unresolved" => read_limit(object, &EVERY).map(Verdict::Unresolved),
        _ => Err(field.invalid(format!(
            "no verdict is called {}; there are covered, uncoverable, justified, unresolved",
            quoted(&name)
        ))),
    }
}

/// Reads what a person says who has reviewed a proof.
pub fn read_review(object: &Object<'_>) -> Result<Option<Justification>, StoreError> {
    let Some(json) = object.get("review") else { return Ok(None) };
    let object = json.object(&["reason", "author", "date"])?;
    Ok(Some(Justification {
        reason: object.need("reason")?.owned_string()?,
        author: object.need("author")?.owned_string()?,
        date: object.need("date")?.owned_string()?,
    }))
}

/// Prints that.
pub fn print_review(fields: Fields, review: &Justification) -> Fields {
    let review = Fields::new()
        .with_text("reason", &review.reason)
        .with_text("author", &review.author)
        .with_text("date", &review.date);
    fields.with("review", review.close())
}

/// What a stored proof claims. Earlier versions listed bounds among the assumptions of proofs; a bound proves nothing beyond itself.
fn claim_of(proof: Proof) -> Verdict {
    let bounds: Vec<Bound> = proof.assumptions.iter().filter_map(Assumption::as_bound).collect();
    if bounds.is_empty() {
        Verdict::Uncoverable(proof)
    } else {
        Verdict::Unresolved(Limit::NotWithinBounds(bounds))
    }
}

fn only(
    object: &Object<'_>,
    every: &[&str],
    fields: &[&str],
    whose: &str,
) -> Result<(), StoreError> {
    object.only(&[every, fields].concat(), whose)
}

fn read_test(json: Json<'_>) -> Result<TestId, StoreError> {
    Ok(TestId::new(json.whole::<u32>()? as usize))
}

fn read_pair(json: Json<'_>) -> Result<Pair, StoreError> {
    match json.items()?.as_slice() {
        [with_true, with_false] => {
            Ok(Pair { with_true: read_test(*with_true)?, with_false: read_test(*with_false)? })
        }
        _ => Err(json.invalid("a pair is two tests: the one with true, the one with false")),
    }
}

/// Reads how something was proved, beside the fields that every such object has.
pub fn read_proof(object: &Object<'_>, every: &[&str]) -> Result<Proof, StoreError> {
    let field = object.need("method")?;
    let name = field.string()?;
    let method = match name.as_ref() {
        "constant" => Method::Constant,
        "out-of-range" => Method::OutOfRange,
        "induction" => Method::Induction(object.need("depth")?.whole()?),
        "invariant" => Method::Invariant,
        "exploration" => Method::Exploration,
        _ => {
            return Err(field.invalid(format!(
                "no method is called {}; there are constant, out-of-range, induction, invariant, exploration",
                quoted(&name)
            )));
        }
    };
    let fields: &[&str] = match method {
        Method::Induction(_) => &["method", "assumptions", "depth"],
        _ => &["method", "assumptions"],
    };
    only(object, every, fields, &format!("an obligation uncoverable by {name}"))?;
    let assumptions = object.list("assumptions")?;
    let read = |one: Json<'_>| Ok(Assumption::read(&one.string()?));
    let assumptions = assumptions.into_iter().map(read).collect::<Result<_, StoreError>>()?;
    Ok(Proof { method, assumptions })
}

/// Reads what stood in the way, beside the fields that every such object has.
pub fn read_limit(object: &Object<'_>, every: &[&str]) -> Result<Limit, StoreError> {
    let field = object.need("limit")?;
    let name = field.string()?;
    let text = |name: &str| object.need(name)?.owned_string();
    let (limit, fields): (Limit, &[&str]) = match name.as_ref() {
        "suite" => {
            (Limit::Suite(SHORTFALLS.read(object.need("shortfall")?)?), &["limit", "shortfall"])
        }
        "bound" => {
            let value = object.need("value")?.whole()?;
            (Limit::Spent(Spent::read(&text("bound")?, value)), &["limit", "bound", "value"])
        }
        "time" => {
            let seconds = object.need("seconds")?.whole()?;
            (Limit::Spent(Spent::Seconds(seconds)), &["limit", "seconds"])
        }
        "unsupported" => {
            (Limit::Unsupported(Unsupported::read(&text("construct")?)), &["limit", "construct"])
        }
        "too-many" => (Limit::TooMany(TooMany::read(&text("what")?)), &["limit", "what"]),
        "undecided" => (Limit::undecided(&text("why")?), &["limit", "why"]),
        "not-within-bounds" => {
            let bounds = bound::read(object.need("bounds")?)?;
            (Limit::NotWithinBounds(bounds), &["limit", "bounds"])
        }
        _ => {
            return Err(field.invalid(format!(
                "no limit is called {}; there are suite, bound, time, unsupported, too-many, undecided, \
                 not-within-bounds",
                quoted(&name)
            )));
        }
    };
    only(object, every, fields, &format!("an obligation unresolved for the limit {name}"))?;
    Ok(limit)
}

/// Adds a verdict and what goes with it.
pub fn print(fields: Fields, verdict: &Verdict) -> Fields {
    let fields = fields.with_text("verdict", verdict.name());
    match verdict {
        Verdict::Covered { tests, pair } => {
            let fields = fields.with("tests", row(tests.iter().map(|test| test.index())));
            match pair {
                None => fields,
                Some(pair) => {
                    let pair = [pair.with_true, pair.with_false].map(TestId::index);
                    fields.with("pair", row(pair))
                }
            }
        }
        Verdict::Uncoverable(proof) => print_proof(fields, proof),
        Verdict::Justified(justification) => fields
            .with_text("reason", &justification.reason)
            .with_text("author", &justification.author)
            .with_text("date", &justification.date),
        Verdict::Unresolved(limit) => print_limit(fields, limit),
    }
}

/// Adds how something was proved.
pub fn print_proof(fields: Fields, proof: &Proof) -> Fields {
    let fields = match proof.method {
        Method::Constant => fields.with_text("method", "constant"),
        Method::OutOfRange => fields.with_text("method", "out-of-range"),
        Method::Induction(depth) => fields.with_text("method", "induction").with("depth", depth),
        Method::Invariant => fields.with_text("method", "invariant"),
        Method::Exploration => fields.with_text("method", "exploration"),
    };
    if proof.assumptions.is_empty() {
        return fields;
    }
    fields.with("assumptions", row(proof.assumptions.iter().map(|one| quote(&one.to_string()))))
}

/// Adds what stood in the way.
pub fn print_limit(fields: Fields, limit: &Limit) -> Fields {
    match limit {
        Limit::Suite(shortfall) => {
            let word = SHORTFALLS.word(*shortfall);
            fields.with_text("limit", "suite").with_text("shortfall", word)
        }
        Limit::Spent(Spent::Seconds(seconds)) => {
            fields.with_text("limit", "time").with("seconds", seconds)
        }
        Limit::Spent(spent) => fields
            .with_text("limit", "bound")
            .with_text("bound", spent.name())
            .with("value", spent.value()),
        Limit::NotWithinBounds(bounds) => {
            fields.with_text("limit", "not-within-bounds").with("bounds", bound::print(bounds))
        }
        Limit::Unsupported(what) => {
            fields.with_text("limit", "unsupported").with_text("construct", what)
        }
        Limit::TooMany(what) => fields.with_text("limit", "too-many").with_text("what", what),
        Limit::Undecided(_) | Limit::AnotherShard | Limit::JustificationWithdrawn => {
            let words = limit.undecided_words().expect("invariant: it belongs to the undecided");
            fields.with_text("limit", "undecided").with_text("why", words)
        }
    }
}

/// Says what is wrong with a verdict over so many tests.
pub fn check(verdict: &Verdict, tests: usize) -> Result<(), String> {
    match verdict {
        Verdict::Covered { tests: by, pair } => {
            let mut seen = HashSet::new();
            let of_pair = pair.map(|pair| [pair.with_true, pair.with_false]);
            for test in by.iter().chain(of_pair.iter().flatten()).map(|test| test.index()) {
                if test >= tests {
                    return Err(format!(
                        "there is no test {test}; {tests} tests are listed, counted from 0"
                    ));
                }
            }
            if let Some(twice) = by.iter().find(|test| !seen.insert(test.index())) {
                return Err(format!("test {} is listed twice", twice.index()));
            }
            if by.is_empty() {
                return Err("it is covered, but by no test".to_owned());
            }
            // The other test of the pair shows the other half.
            if of_pair.is_some_and(|pair| !pair.iter().any(|test| by.contains(test))) {
                return Err("neither test of its pair is among its tests".to_owned());
            }
            Ok(())
        }
        Verdict::Justified(justification) => check_justification(justification),
        Verdict::Uncoverable(_) | Verdict::Unresolved(_) => Ok(()),
    }
}

/// Says what is wrong with a person's reason.
pub fn check_justification(justification: &Justification) -> Result<(), String> {
    let Justification { reason, author, date } = justification;
    if reason.trim().is_empty() || author.trim().is_empty() {
        return Err("a justification needs a reason and an author".to_owned());
    }
    if !is_date(date) {
        return Err(format!("{} is not a date; one is written YYYY-MM-DD", quoted(date)));
    }
    Ok(())
}

/// Is this `YYYY-MM-DD`, with a month and a day that there are?
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |text: &str, digits: usize| {
        let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| text.parse::<u32>().ok()).flatten()
    };
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let month = number(month, 2).is_some_and(|month| (1..=12).contains(&month));
    let day = number(day, 2).is_some_and(|day| (1..=31).contains(&day));
    number(year, 4).is_some() && month && day
}
