//! Do parts belong together, and are they all there?

use obligato_store::result::StoredShard;

use super::Part;
use crate::error::Error;

/// Complains about the first thing that is not the same in all parts, and about shards that are missing.
pub fn check(parts: &[Part]) -> Result<(), Error> {
    let Some((first, others)) = parts.split_first() else { return Ok(()) };
    for other in others {
        check_questions(first, other)?;
        check_program(first, other)?;
    }
    check_shards(parts)
}

fn refuse(first: &Part, other: &Part, what: &str, way_out: &str) -> Error {
    let (first, other) = (first.name(), other.name());
    Error::Input {
        message: format!("{first} and {other} do not belong together: {what}"),
        way_out: way_out.to_owned(),
    }
}

/// The criteria, and what is observed.
fn check_questions(first: &Part, other: &Part) -> Result<(), Error> {
    let (one, two) = (&first.result, &other.result);
    if one.criteria != two.criteria {
        let words = |part: &Part| {
            let criteria = part.result.criteria.iter().map(ToString::to_string);
            criteria.collect::<Vec<_>>().join(", ")
        };
        let what = format!("one has {}, the other {}", words(first), words(other));
        return Err(refuse(first, other, &what, "use the same --criterion for all"));
    }
    if one.observed != two.observed {
        let what = "different variables are observed";
        return Err(refuse(first, other, what, "use the same --observe for all"));
    }
    Ok(())
}

/// The obligations, and the code they lie in.
fn check_program(first: &Part, other: &Part) -> Result<(), Error> {
    let (one, two) = (&first.result, &other.result);
    let way_out = "all parts have to be about the same program";
    for function in &one.functions {
        let same = two
            .functions
            .iter()
            .find(|known| known.function == function.function && known.file == function.file);
        if same.is_some_and(|same| same.fingerprint != function.fingerprint) {
            let what = format!("the code of {} in {} differs", function.function, function.file);
            return Err(refuse(first, other, &what, way_out));
        }
    }
    let ids =
        |part: &Part| part.result.obligations.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
    let (one, two) = (ids(first), ids(other));
    if one == two {
        return Ok(());
    }
    let only =
        |some: &[String], others: &[String]| some.iter().find(|id| !others.contains(id)).cloned();
    let what = match (only(&one, &two), only(&two, &one)) {
        (Some(id), _) => format!("only the first asks for {id}"),
        (None, Some(id)) => format!("only the second asks for {id}"),
        (None, None) => "they ask for the same in different orders".to_owned(),
    };
    Err(refuse(first, other, &what, way_out))
}

/// All are shards of one run, each once, or none is.
fn check_shards(parts: &[Part]) -> Result<(), Error> {
    let shards: Vec<(&Part, &StoredShard)> =
        parts.iter().filter_map(|part| Some((part, part.result.shard.as_ref()?))).collect();
    let Some((first, start)) = shards.first() else { return Ok(()) };
    if let Some(whole) = parts.iter().find(|part| part.result.shard.is_none()) {
        let what = format!("the first is shard {}, the second is no shard", start.number);
        return Err(refuse(first, whole, &what, "leave one of them out"));
    }
    for (other, shard) in &shards[1..] {
        let differences = [
            ("numbers of shards", start.number.count.to_string(), shard.number.count.to_string()),
            ("commands", start.command.clone(), shard.command.clone()),
            ("programs", start.program.clone(), shard.program.clone()),
            ("seeds", start.seed.to_string(), shard.seed.to_string()),
            ("budgets", start.budget.clone(), shard.budget.clone()),
            ("numbers of given tests", start.given.to_string(), shard.given.to_string()),
        ];
        if let Some((what, one, two)) = differences.iter().find(|(_, one, two)| one != two) {
            let what = format!("they have different {what}, {one} and {two}");
            return Err(refuse(first, other, &what, "run all shards with the same arguments"));
        }
        if let Some((twin, _)) = shards
            .iter()
            .find(|(part, known)| known.number == shard.number && !std::ptr::eq(*part, *other))
        {
            let what = format!("both are shard {}", shard.number);
            return Err(refuse(twin, other, &what, "leave one of them out"));
        }
    }
    let count = start.number.count;
    let is_there = |index: &u32| shards.iter().any(|(_, shard)| shard.number.index == *index);
    let missing: Vec<String> = (1..=count)
        .filter(|index| !is_there(index))
        .map(|index| format!("{index}/{count}"))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (shown, more) = missing.split_at(missing.len().min(10));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    Err(Error::Input {
        message: format!("of {count} shards, {}{more} are missing", shown.join(", ")),
        way_out: "run them, or wait until they are done".to_owned(),
    })
}
