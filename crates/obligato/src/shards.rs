//! Shards of long work: what is left to others, and what is kept so that the parts can be put together again.

use obligato_model::{Limit, Shard, Verdict};
use obligato_store::file;
use obligato_store::result::StoredShard;

use crate::error::Error;
use crate::fingerprints::fingerprint_of_file;
use crate::generate::GenerateRequest;

/// Is it for another shard to say?
pub fn is_left(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unresolved(Limit::AnotherShard))
}

/// What all shards have in common, and which one this is.
pub fn stored(
    number: Shard,
    command: &str,
    program: &[u8],
    (seed, budget, given): (u64, String, usize),
) -> StoredShard {
    let program = fingerprint_of_file(program);
    StoredShard { number, command: command.to_owned(), program, seed, budget, given }
}

/// The shard that a request asks for; none if all is asked for.
pub fn of_request(request: &GenerateRequest, given: usize) -> Result<Option<StoredShard>, Error> {
    let Some(number) = request.shard else { return Ok(None) };
    let program = file::read(&request.subject.file)?;
    let common = (request.seed, request.budget.to_string(), given);
    Ok(Some(stored(number, "generate", &program, common)))
}
