//! Runtime errors that tests of a C function run into: what the machine says of them.

use obligato_c_unit::{Confirmation, Ending, Finding, Interface, NativeBuild, NativeOptions};
use obligato_engines_c::RuntimeError;
use obligato_model::{Suite, TestId};
use obligato_store::details::{CallerDetails, ErrorDetails};

use crate::campaign::Stop;
use crate::error::Error;
use crate::text::counted;
use crate::unit::{Agreement, LoadedUnit, refuse_native, refuse_run};

/// A runtime error, and who has seen it besides the executor.
#[derive(Debug)]
pub struct ConfirmedError {
    /// The test, and what happens in it.
    pub error: RuntimeError,
    /// Who has seen it; none if nobody was asked.
    pub confirmation: Option<Confirmation>,
    /// What happens, where, and what a caller has to pass for it to happen.
    pub details: ErrorDetails,
}

/// The runtime errors that machine code shows too, and what is to be said of the others.
pub(super) struct ConfirmedErrors {
    pub errors: Vec<ConfirmedError>,
    pub notes: Vec<String>,
    /// Whether the tests with these errors come out the same.
    pub agreement: Agreement,
}

/// Runtime errors have to show as machine code too; where they do not, they are left out and a note says so.
pub(super) fn confirm_errors(
    loaded: &LoadedUnit,
    build: Option<&NativeBuild>,
    interface: &Interface,
    errors: &[RuntimeError],
) -> Result<ConfirmedErrors, Error> {
    let inputs = loaded.unit.variables(interface).inputs;
    let tests = errors.iter().map(|found| found.test.clone()).collect();
    let mut suite = Suite { inputs, tests };
    let compared =
        loaded.compare_each(build, interface, &suite, loaded.options(false), &Stop::never())?;
    let is_kept = |at: usize| !compared.refused.contains(&TestId::new(at));
    let numbered = errors.iter().enumerate();
    let kept: Vec<&RuntimeError> =
        numbered.filter(|(at, _)| is_kept(*at)).map(|(_, found)| found).collect();
    let trapped = compared.trapped.iter().enumerate();
    let trapped: Vec<bool> =
        trapped.filter(|(at, _)| is_kept(*at)).map(|(_, trapped)| *trapped).collect();
    suite.tests = kept.iter().map(|found| found.test.clone()).collect();
    let mut notes = Vec::new();
    if kept.len() < errors.len() {
        let lost = counted(errors.len() - kept.len(), "runtime error");
        notes.push(format!(
            "{lost} that the executor found did not come out as machine code, and is not listed"
        ));
    }
    let mut seen = Vec::new();
    if build.is_some() && !suite.tests.is_empty() {
        let findings: Vec<&Finding> = kept.iter().map(|found| &found.finding).collect();
        let limit = NativeOptions::default().milliseconds;
        let confirmed =
            loaded.unit.confirm_runtime_errors(interface, &suite, &findings, &trapped, limit);
        seen = confirmed.map_err(refuse_native)?;
    }
    let mut seen = seen.into_iter();
    let confirm = |found: &RuntimeError| {
        Ok(ConfirmedError {
            error: found.clone(),
            confirmation: seen.next(),
            details: details_of(loaded, interface, found)?,
        })
    };
    let errors = kept.into_iter().map(confirm).collect::<Result<_, Error>>()?;
    Ok(ConfirmedErrors { errors, notes, agreement: compared.agreement })
}

fn details_of(
    loaded: &LoadedUnit,
    interface: &Interface,
    found: &RuntimeError,
) -> Result<ErrorDetails, Error> {
    let RuntimeError { test, finding } = found;
    let choices = loaded.unit.caller_choices(interface, test, finding, loaded.options(false));
    let callers = choices.map_err(refuse_run)?.into_iter().map(|choice| CallerDetails {
        passes: choice.to_string(),
        ruled_out_by: choice.ruled_out_by(),
    });
    let place = loaded.unit.place_of(finding);
    let function = loaded.unit.function_of(finding).unwrap_or(&interface.function);
    Ok(ErrorDetails {
        file: place.as_ref().map_or_else(|| loaded.path.clone(), |(file, _)| file.clone()),
        function: function.to_owned(),
        at: place.map(|(_, at)| at),
        text: loaded.describe(&Ending::Finding(Box::new(finding.clone()))),
        callers: callers.collect(),
    })
}
