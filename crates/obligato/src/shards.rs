//! Shards of long work: what is left to others, and what is kept so that the parts can be put together again.

use obligato_model::{Limit, Verdict};
use obligato_store::file;
use obligato_store::result::StoredShard;

use crate::error::Error;
use crate::fingerprints::fingerprint_of_file;
use crate::generate::GenerateRequest;

/// Is it for another shard to say?
pub fn is_left(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unresolved(Limit::AnotherShard))
}

/// The shard that a request asks for; none if all is asked for.
pub fn of_request(request: &GenerateRequest, given: usize) -> Result<Option<StoredShard>, Error> {
    let Some(number) = request.shard else { return Ok(None) };
    let program = file::read(&request.subject.file)?;
    Ok(Some(StoredShard {
        number,
        command: "generate".to_owned(),
        program: fingerprint_of_file(&program),
        seed: request.seed,
        budget: request.budget.to_string(),
        given,
    }))
}
