//! The tests whose expected outputs do not come out.

use std::io::Write as _;

use obligato::expectations::{FailedTest, FailingTests};

use super::lists::Listed;
use crate::error::CliError;
use crate::output::{BAD, Output, Verbosity, counted, printable};

/// Which tests fail, why, and whether they count.
pub fn write_failed(
    failed: &[FailedTest],
    counting: FailingTests,
    output: &mut Output,
) -> Result<(), CliError> {
    if failed.is_empty() {
        return Ok(());
    }
    if output.verbosity() == Verbosity::Normal {
        writeln!(output)?;
    }
    let count = failed.len();
    let fails = if count == 1 { "fails" } else { "fail" };
    let counts = match counting {
        FailingTests::Discount => {
            "what failing tests execute does not count (--count-failing counts it)"
        }
        FailingTests::Count => "what failing tests execute counts, by --count-failing",
    };
    writeln!(output, "{BAD}{} {fails}{BAD:#}; {counts}:", counted(count, "test"))?;
    let mut listed = Listed::new("'obligato run' shows them");
    for FailedTest { name, differences } in failed {
        let more = match differences.len() {
            0 | 1 => String::new(),
            several => format!(" and {} more", counted(several - 1, "difference")),
        };
        let first = differences.first().map_or_else(String::new, ToString::to_string);
        listed.push(|| printable(&format!("{name}, {first}{more}")));
    }
    listed.write(output)
}

/// Whether failing tests count, as an argument says it.
pub const fn counting(count_failing: bool) -> FailingTests {
    if count_failing { FailingTests::Count } else { FailingTests::Discount }
}
