//! What each test is good for: how many obligations it covers, and how many only it does. The
//! whole matrix of tests and obligations is in the result, by obligation.

use std::io::{self, Write};

use obligato_model::Verdict;
use obligato_store::StoredResult;

use crate::output::{FAINT, printable};

/// One row per test, in the order of the suite.
pub fn write(result: &StoredResult, out: &mut dyn Write) -> io::Result<()> {
    let mut covers = vec![0_usize; result.tests.len()];
    let mut alone = covers.clone();
    for obligation in &result.obligations {
        let Verdict::Covered { tests, .. } = &obligation.verdict else { continue };
        for test in tests {
            covers[test.index()] += 1;
        }
        if let [only] = tests.as_slice() {
            alone[only.index()] += 1;
        }
    }
    let of = result.obligations.len();
    writeln!(out, "\nWhat each test covers, of {of} obligations, and what no other test covers:")?;
    writeln!(out, "  covers  only it  test")?;
    for ((name, covers), alone) in result.tests.iter().zip(covers).zip(alone) {
        let name = printable(name);
        if alone == 0 {
            writeln!(out, "  {covers:6}  {alone:7}  {FAINT}{name}{FAINT:#}")?;
        } else {
            writeln!(out, "  {covers:6}  {alone:7}  {name}")?;
        }
    }
    Ok(())
}
