//! What a suite covers of a C function and of all that it calls.

use std::io::Write as _;

use obligato_store::StoredResult;
use obligato_unit::RunOptions;

use super::Measured;
use crate::args::MeasureArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::measuring::criteria;
use crate::output::{Output, Verbosity};
use crate::unit::{Endings, LoadedUnit, observed, refuse_run};
use crate::verdicts::{Subject, TOOL, storage};

/// Measures, compares with machine code, reports.
pub fn measure(arguments: &MeasureArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(&arguments.verdicts)?;
    let loaded = LoadedUnit::load(&arguments.subject, &arguments.observe)?;
    let interface = loaded.interface(&arguments.subject)?;
    let mut suite = loaded.read_suite(&arguments.tests, arguments.from, &interface)?.suite;
    let tables = arguments.verdicts.table;
    let options = RunOptions { tables, ..RunOptions::default() };
    let doubted = loaded.compare_natively(&arguments.subject, &interface, &mut suite, options)?;

    let unit = &loaded.unit;
    let shown = unit.measure(&interface, &suite, &criteria, options).map_err(refuse_run)?;
    let assessment = loaded.judge(&criteria, &shown.evidence)?;
    let result = StoredResult::new(TOOL, &criteria, &assessment, unit.program())?;
    let measured = Measured {
        name: &loaded.path,
        subject: Subject::Unit,
        program: unit.program(),
        evidence: &shown.evidence,
        result: result.observing(observed(&interface)),
        remarks: loaded.remarks(),
    };
    let endings = Endings::new(&loaded, &suite, &shown.runs);
    let write_tests = |path: &std::path::Path| {
        storage::write_tests(path, &suite.inputs, suite.tests.iter().map(Ok)).map(Some)
    };
    let say_more = |words: &mut Output| {
        if !(endings.is_empty() && doubted.is_empty()) && words.verbosity() == Verbosity::Normal {
            writeln!(words)?;
        }
        endings.write(words)?;
        doubted.write(words)
    };
    measured.report(arguments, output, write_tests, say_more)?;
    Ok(if doubted.is_empty() { Exit::Success } else { Exit::ToolError })
}
