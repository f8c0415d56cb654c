//! Shards of long work: what is left to others, and what is kept so that the parts can be put together again.

use obligato_model::{Assessment, Limit, Shard, Verdict};
use obligato_store::result::StoredShard;

use crate::fingerprints::fingerprint_of_file;

/// Is it for another shard to say?
pub fn is_left(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unresolved(Limit::AnotherShard))
}

/// The verdict on what is left to others.
pub fn left() -> Verdict {
    Verdict::Unresolved(Limit::AnotherShard)
}

/// Says of what is open and belongs to others that it does.
pub fn leave_to_others(shard: Shard, assessment: &mut Assessment) {
    let obligations = assessment.plan.obligations.iter();
    for (obligation, verdict) in obligations.zip(&mut assessment.verdicts) {
        if matches!(verdict, Verdict::Unresolved(_)) && !shard.holds(&obligation.key) {
            *verdict = left();
        }
    }
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
