//! Refutations held against CBMC: a text with an assertion per refuted obligation, none of which may fail.
//!
//! CBMC shares neither front end nor solver with obligato. It looks at a few calls and rounds of loops only, so that what it
//! does not find proves nothing; what it finds contradicts a proof.

use std::path::Path;
use std::process::Command;

use obligato::Stop;
use obligato::instrument::{CBMC_ARGUMENTS, InstrumentRequest, ModelChecker, instrument};
use obligato::subject::SubjectOptions;
use obligato_model::Criterion;

/// CBMC may take so many seconds for a function.
const SECONDS: &str = "20";
/// What `timeout` exits with when they are over.
const OUT_OF_TIME: i32 = 124;

/// Cases that mean something else to CBMC: every enumeration is an `int`, and the absolute value of the smallest number is that number.
pub const OTHER_MEANING: [&str; 3] = [
    "types/unsigned_enumeration",
    "types/enumeration_that_indexes_a_table",
    "types/minimum_has_no_absolute_value",
];

/// What CBMC says of the assertions of a function.
#[derive(Default, Debug)]
pub struct Checked {
    /// The obligations whose assertions fail.
    pub failed: Vec<String>,
    /// The number of those that hold within its bounds.
    pub held: usize,
    /// Why there is no answer, if there is none: a construct that it does not know, the time.
    pub refusal: Option<String>,
}

/// Writes the assertions of a function and runs CBMC. With a store, only of what its result has proved uncoverable.
pub fn check(
    file: &Path,
    function: &str,
    criteria: &[Criterion],
    store: Option<&Path>,
) -> Result<Checked, String> {
    let output = file.with_extension("cbmc.c");
    let request = InstrumentRequest {
        subject: SubjectOptions::new(file).with_function(function),
        criteria: criteria.to_vec(),
        observe: Vec::new(),
        checker: ModelChecker::Cbmc,
        uncoverable: store.map(Path::to_owned),
        output: Some(output.clone()),
    };
    let written = instrument(&request, &Stop::never()).map_err(|error| error.to_string())?;
    if written.properties.is_empty() {
        return Ok(Checked::default());
    }
    let mut cbmc = Command::new("timeout");
    cbmc.args([SECONDS, "cbmc"]).args(CBMC_ARGUMENTS.split(' ')).arg(&output);
    let ran = cbmc.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut checked = Checked::default();
    let is_ours = |line: &str| {
        let about = line.split_once(' ').map_or("", |(_, rest)| rest);
        written.properties.iter().find(|one| about.contains(&one.name)).map(|one| one.name.clone())
    };
    for line in text.lines() {
        if let Some(line) = line.strip_suffix(": FAILURE") {
            checked.failed.extend(is_ours(line));
        } else if let Some(line) = line.strip_suffix(": SUCCESS") {
            checked.held += usize::from(is_ours(line).is_some());
        }
    }
    if ran.status.code() == Some(OUT_OF_TIME) {
        checked.refusal = Some(format!("not within {SECONDS} s"));
    } else if checked.failed.len() + checked.held == 0 {
        let errors = String::from_utf8_lossy(&ran.stderr);
        let why = text.lines().chain(errors.lines()).last().unwrap_or("nothing").to_owned();
        checked.refusal = Some(why);
    }
    Ok(checked)
}
