//! That a result is a part of a whole: which shard of how many, and what all shards have to have in common.

use obligato_model::Shard;

use super::function;
use crate::error::StoreError;
use crate::json::Json;
use crate::json::print::Fields;

/// The fields of a shard.
const FIELDS: [&str; 6] = ["shard", "command", "program", "seed", "budget", "given"];

/// A part of a whole, and how the whole was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredShard {
    /// Which part.
    pub number: Shard,
    /// What made it: `generate` or `mutate`.
    pub command: String,
    /// The fingerprint of the whole file of the program.
    pub program: String,
    /// The seed.
    pub seed: u64,
    /// What each shard may spend, as it is written.
    pub budget: String,
    /// How many tests were given; they come first.
    pub given: usize,
}

/// A shard as JSON.
pub(super) fn print(shard: &StoredShard) -> String {
    Fields::new()
        .with_text("shard", shard.number)
        .with_text("command", &shard.command)
        .with_text("program", &shard.program)
        .with("seed", shard.seed)
        .with_text("budget", &shard.budget)
        .with("given", shard.given)
        .close()
}

/// Reads a shard of a result with so many tests.
pub(super) fn read(json: Json<'_>, tests: usize) -> Result<StoredShard, StoreError> {
    let object = json.object(&FIELDS)?;
    let shard = StoredShard {
        number: object.need("shard")?.parsed()?,
        command: object.need("command")?.owned_string()?,
        program: object.need("program")?.owned_string()?,
        seed: object.need("seed")?.whole()?,
        budget: object.need("budget")?.owned_string()?,
        given: object.need("given")?.whole::<u32>()? as usize,
    };
    check(&shard, tests).map_err(|reason| json.invalid(reason))?;
    Ok(shard)
}

/// Complains about a shard that cannot be one of a result with so many tests.
pub(super) fn check(shard: &StoredShard, tests: usize) -> Result<(), String> {
    function::check(&shard.program, 8)?;
    if shard.given > tests {
        return Err(format!("{} tests are given of {tests}", shard.given));
    }
    Ok(())
}
