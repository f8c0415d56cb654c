//! Errors of this tool in several functions, each cause once.

use std::io::Write as _;

use crate::error::CliError;
use crate::output::{BAD, Output, counted, printable};

/// Names each error of this tool once, with the functions in which it occurs.
pub fn write_tool_errors(
    functions: &[(String, Vec<String>)],
    output: &mut Output,
) -> Result<(), CliError> {
    let causes = causes(functions);
    if causes.is_empty() {
        return Ok(());
    }
    let what = "machine code does something else than the executor; what depends on it is not \
                counted; please report it";
    writeln!(output, "{BAD}These are faults of obligato{BAD:#}: {what}:")?;
    for (cause, functions) in causes {
        let more = match functions.len() {
            1 => String::new(),
            all => format!(" and {}", counted(all - 1, "other function")),
        };
        writeln!(output, "  {}: in {}{more}", printable(cause), printable(functions[0]))?;
    }
    Ok(())
}

/// Each cause with its functions, in the order of the functions.
fn causes(functions: &[(String, Vec<String>)]) -> Vec<(&str, Vec<&str>)> {
    let mut causes: Vec<(&str, Vec<&str>)> = Vec::new();
    for (function, errors) in functions {
        for error in errors {
            // The name of the test comes first, and is another one in each function.
            let cause = error.split_once(": ").map_or(error.as_str(), |(_, cause)| cause);
            match causes.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, functions)) => functions.push(function),
                None => causes.push((cause, vec![function])),
            }
        }
    }
    causes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_in_several_functions_is_named_once() {
        let of = |function: &str, errors: &[&str]| {
            (function.to_owned(), errors.iter().map(|error| (*error).to_owned()).collect())
        };
        let found = [
            of("f", &["g1: step 1: 'return' is 1, natively 2"]),
            of("g", &[]),
            of("h", &["g7: step 1: 'return' is 1, natively 2", "g2: it ends"]),
        ];
        let step = "step 1: 'return' is 1, natively 2";
        assert_eq!(causes(&found), [(step, vec!["f", "h"]), ("it ends", vec!["h"])]);
    }
}
