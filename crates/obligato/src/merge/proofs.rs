//! The proofs of all parts as one file.

use obligato_store::StoredResult;
use obligato_store::proofs::StoredProofs;

use super::Part;
use crate::TOOL;
use crate::error::Error;

/// The proofs of all parts that have some. Each is about events by their positions among all that the criteria ask for, which are the
/// same in all parts.
pub fn join(parts: &[Part], result: &StoredResult) -> Result<Option<StoredProofs>, Error> {
    let mut all = parts.iter().filter_map(|part| Some((part, part.proofs.as_ref()?)));
    let Some((first, start)) = all.next() else { return Ok(None) };
    let mut joined = StoredProofs { tool: TOOL.to_owned(), ..start.clone() };
    for (part, proofs) in all {
        let asked = |one: &StoredProofs| {
            (one.main.clone(), one.inline, one.criteria.clone(), one.observed.clone())
        };
        if asked(proofs) != asked(start) {
            return Err(Error::Input {
                message: format!(
                    "the proofs in {} and {} are about different questions",
                    first.name(),
                    part.name()
                ),
                way_out: "generate all parts with the same arguments".to_owned(),
            });
        }
        for settled in &proofs.settles {
            if !joined.settles.contains(settled) {
                joined.settles.push(settled.clone());
            }
        }
        for proof in &proofs.proofs {
            if !joined.proofs.contains(proof) {
                joined.proofs.push(proof.clone());
            }
        }
    }
    // In the order of the result, as one run would have it.
    let place = |id: &String| result.obligations.iter().position(|one| one.id == *id);
    joined.settles.sort_by_key(place);
    Ok(Some(joined))
}
