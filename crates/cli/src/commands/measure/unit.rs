//! What a suite covers of a C function and of all that it calls.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;

use obligato_criteria::Vectors;
use obligato_model::Criterion;
use obligato_store::StoredResult;

use super::Measured;
use crate::args::{MeasureArgs, MeasuredFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, Verbosity};
use crate::rendering::unit::write_agreement;
use crate::rendering::unit::write_endings;
use crate::verdicts::criteria;
use crate::verdicts::{Subject, TOOL, complete, vectors};
use obligato::details::sources;
use obligato::lost::unit::{Tracer, losses};
use obligato::unit::{Endings, LoadedUnit, refuse_run};

/// Measures, compares with machine code, reports.
pub fn measure(arguments: &MeasureArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(&arguments.verdicts)?;
    let loaded = LoadedUnit::load(&arguments.subject.options(), &arguments.observe)?;
    if arguments.from == Some(MeasuredFormat::LlvmCov) {
        return measure_elsewhere(arguments, &loaded, &criteria, output);
    }
    let format = arguments.from.map(MeasuredFormat::of_suite).transpose()?;
    let interface = loaded.interface(&arguments.subject.options())?;
    let mut suite = loaded.read_suite(&arguments.tests, format, &interface)?.suite;
    let tables = vectors(&arguments.verdicts, &criteria, suite.tests.len()) == Vectors::Keep;
    let options = loaded.options(tables);
    let agreement =
        loaded.compare_natively(&arguments.subject.options(), &interface, &mut suite, options)?;

    let unit = &loaded.unit;
    let shown = unit.measure(&interface, &suite, &criteria, options).map_err(refuse_run)?;
    let assessment = loaded.judge(&criteria, &shown.evidence, &shown.runs)?;
    let result = StoredResult::new(TOOL, &criteria, &assessment, unit.program())?;
    let result = result.observing(LoadedUnit::observed(&interface));
    let (result, notes) = complete(result, unit.program(), &arguments.verdicts)?;
    let lost = match arguments.verdicts.store() {
        Some(_) => {
            let tracer = Tracer { loaded: &loaded, interface: &interface, suite: &suite };
            losses(&tracer, &assessment, &shown.evidence)?
        }
        None => HashMap::new(),
    };
    let measured = Measured {
        name: &loaded.path,
        subject: Subject::Unit,
        program: unit.program(),
        evidence: &shown.evidence,
        lost,
        assessment,
        result,
        sources: sources(unit.program(), Path::new("")),
        tests: shown.runs.iter().map(|run| loaded.test_details(run)).collect(),
        remarks: loaded.remarks().into_iter().chain(notes).collect(),
    };
    let endings = Endings::new(&loaded, &suite, &shown.runs);
    let write_tests =
        |path: &Path| loaded.keep_suite(path, &interface, &suite, &shown.runs).map(Some);
    let say_more = |words: &mut Output| {
        if words.verbosity() == Verbosity::Normal {
            writeln!(words)?;
        }
        write_endings(&endings, words)?;
        write_agreement(&agreement, words)
    };
    measured.report(arguments, output, write_tests, say_more)?;
    Ok(if agreement.is_full() { Exit::Success } else { Exit::ToolError })
}

/// Judges what clang measured of a suite that ran elsewhere.
fn measure_elsewhere(
    arguments: &MeasureArgs,
    loaded: &LoadedUnit,
    criteria: &[Criterion],
    output: &mut Output,
) -> Result<Exit, CliError> {
    let vectors = vectors(&arguments.verdicts, criteria, 0);
    let shown = loaded.measured_elsewhere(&arguments.tests, vectors)?;
    let program = loaded.unit.program();
    let mut assessment = loaded.judge(criteria, &shown.evidence, &[])?;
    shown.excuse(program, &mut assessment);
    let result = StoredResult::new(TOOL, criteria, &assessment, program)?;
    let (result, notes) = complete(result, program, &arguments.verdicts)?;
    let measured = Measured {
        name: &loaded.path,
        subject: Subject::Unit,
        program,
        evidence: &shown.evidence,
        result,
        assessment,
        sources: sources(program, Path::new("")),
        tests: Vec::new(),
        lost: HashMap::new(),
        remarks: loaded.remarks().into_iter().chain(notes).collect(),
    };
    measured.report(arguments, output, |_| Ok(None), |_| Ok(()))?;
    Ok(Exit::Success)
}
