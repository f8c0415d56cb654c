//! The semantics of observability side by side.

use std::io::{self, Write};

use obligato_model::{Criterion, Observability};
use obligato_store::StoredResult;
use obligato_store::result::{SemanticsComparison, comparisons};

const OF_TAGS: &str = "What strict tags let pass, tags let pass.";
const OF_EXACT: &str = "\
Tags and the exact semantics imply each other neither way: effects that tags let pass may cancel
out, and a run with the condition stuck may differ although no tag gets through.";

/// A table per criterion that was held against several semantics: how many obligations each
/// covers, and how many of them another does not.
pub fn write(result: &StoredResult, out: &mut dyn Write) -> io::Result<()> {
    let comparisons = comparisons(result);
    for name in ["omcdc", "obvc"] {
        let of_name: Vec<&SemanticsComparison> =
            comparisons.iter().filter(|one| one.first.name() == name).collect();
        if !of_name.is_empty() {
            write_table(result, &of_name, out)?;
        }
    }
    let is_exact =
        |one: &SemanticsComparison| one.second.variant() == Some(Observability::Exact.name());
    match comparisons.as_slice() {
        [] => Ok(()),
        some if some.iter().any(is_exact) => writeln!(out, "{OF_EXACT}"),
        _ => writeln!(out, "{OF_TAGS}"),
    }
}

fn write_table(
    result: &StoredResult,
    comparisons: &[&SemanticsComparison],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut semantics: Vec<Criterion> =
        comparisons.iter().flat_map(|one| [one.first, one.second]).collect();
    semantics.sort_unstable();
    semantics.dedup();
    let name = semantics[0].name();
    write!(out, "\n{name:6}  covered")?;
    for other in &semantics {
        write!(out, "  {:>10}", format!("not {}", variant(*other)))?;
    }
    writeln!(out)?;
    for one in &semantics {
        write!(out, "{:6}  {:7}", variant(*one), result.tally(*one).covered)?;
        for other in &semantics {
            match covered_without(comparisons, *one, *other) {
                Some(count) => write!(out, "  {count:10}")?,
                None => write!(out, "  {:>10}", "-")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn variant(criterion: Criterion) -> &'static str {
    criterion.variant().unwrap_or_default()
}

/// How many obligations are covered under one semantics and not under another.
fn covered_without(
    comparisons: &[&SemanticsComparison],
    one: Criterion,
    other: Criterion,
) -> Option<usize> {
    comparisons.iter().find_map(|found| match (found.first, found.second) {
        pair if pair == (one, other) => Some(found.first_only),
        pair if pair == (other, one) => Some(found.second_only),
        _ => None,
    })
}
