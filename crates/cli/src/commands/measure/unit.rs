//! What a suite covers of a C function and of all that it calls.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;

use obligato_criteria::{Evidence, Vectors};
use obligato_model::{
    Assessment, Condition, Criterion, Goal, Limit, Observability, Program, Verdict,
};
use obligato_store::StoredResult;

use super::Measured;
use crate::args::{MeasureArgs, MeasuredFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::measuring::criteria;
use crate::output::{Output, Verbosity};
use crate::unit::{Endings, LoadedUnit, refuse_run};
use crate::verdicts::details::sources;
use crate::verdicts::{Subject, TOOL, vectors};

/// Measures, compares with machine code, reports.
pub fn measure(arguments: &MeasureArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(&arguments.verdicts)?;
    let loaded = LoadedUnit::load(&arguments.subject, &arguments.observe)?;
    if arguments.from == Some(MeasuredFormat::LlvmCov) {
        return measure_elsewhere(arguments, &loaded, &criteria, output);
    }
    let format = arguments.from.map(MeasuredFormat::of_suite).transpose()?;
    let interface = loaded.interface(&arguments.subject)?;
    let mut suite = loaded.read_suite(&arguments.tests, format, &interface)?.suite;
    let tables = vectors(&arguments.verdicts, &criteria, suite.tests.len()) == Vectors::Keep;
    let options = loaded.options(tables);
    let agreement = loaded.compare_natively(&arguments.subject, &interface, &mut suite, options)?;

    let unit = &loaded.unit;
    let shown = unit.measure(&interface, &suite, &criteria, options).map_err(refuse_run)?;
    let assessment = loaded.judge(&criteria, &shown.evidence, &shown.runs)?;
    let result = StoredResult::new(TOOL, &criteria, &assessment, unit.program())?;
    let measured = Measured {
        name: &loaded.path,
        subject: Subject::Unit,
        program: unit.program(),
        evidence: &shown.evidence,
        lost: unobserved(unit.program(), &assessment, &shown.evidence),
        assessment,
        result: result.observing(LoadedUnit::observed(&interface)),
        sources: sources(unit.program(), Path::new("")),
        tests: shown.runs.iter().map(|run| loaded.test_details(run)).collect(),
        remarks: loaded.remarks(),
    };
    let endings = Endings::new(&loaded, &suite, &shown.runs);
    let write_tests =
        |path: &Path| loaded.keep_suite(path, &interface, &suite, &shown.runs).map(Some);
    let say_more = |words: &mut Output| {
        if words.verbosity() == Verbosity::Normal {
            writeln!(words)?;
        }
        endings.write(words)?;
        agreement.write(words)
    };
    measured.report(arguments, output, write_tests, say_more)?;
    Ok(if agreement.is_full() { Exit::Success } else { Exit::ToolError })
}

/// By obligation, the first test in which a condition decides and nothing that is observed shows it. Whole runs are compared, so
/// no operator is to blame.
fn unobserved(
    program: &Program,
    assessment: &Assessment,
    evidence: &Evidence,
) -> HashMap<usize, Vec<String>> {
    let judged = assessment.plan.obligations.iter().zip(&assessment.verdicts).enumerate();
    let lost = judged.filter_map(|(at, (one, verdict))| {
        let Criterion::Omcdc(semantics) = one.criterion else { return None };
        let Goal::Independence(id, value) = one.goal else { return None };
        if !matches!(verdict, Verdict::Unresolved(Limit::Suite(_))) {
            return None;
        }
        let Condition { decision, ordinal, .. } = *program.condition(id);
        let mut seen = evidence.of_decision(decision);
        let (test, _) = seen.find(|(_, seen)| seen.showed_at_all(ordinal, value))?;
        let name = &evidence.tests()[test.index()].name;
        let why = match semantics {
            Observability::Exact => "with the condition turned, everything observed stays the same",
            Observability::Strict | Observability::Tags => {
                "its tag reaches nothing that is observed"
            }
        };
        Some((at, vec![format!("{name}: {why}")]))
    });
    lost.collect()
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
    let measured = Measured {
        name: &loaded.path,
        subject: Subject::Unit,
        program,
        evidence: &shown.evidence,
        result: StoredResult::new(TOOL, criteria, &assessment, program)?,
        assessment,
        sources: sources(program, Path::new("")),
        tests: Vec::new(),
        lost: HashMap::new(),
        remarks: loaded.remarks(),
    };
    measured.report(arguments, output, |_| Ok(None), |_| Ok(()))?;
    Ok(Exit::Success)
}
