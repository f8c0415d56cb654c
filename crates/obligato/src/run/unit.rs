//! A suite on a C function, test by test.

use std::collections::HashSet;

use obligato_c_unit::run::Observed;
use obligato_c_unit::{Class, Ending, Interface, TestRun};
use obligato_lustre_replay::Trace;
use obligato_model::{Position, Span, SuiteInterface, TestCase};
use obligato_store::Signature;
use obligato_store::run::{Findings, StoredFailure};

use super::{Prepared, PreparedRun, RanTest, RunRequest, RunSubject, UnitFindings};
use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::record::Record;
use crate::text::printable;
use crate::unit::{Agreement, Endings, LoadedUnit, UnitSuite, refuse_run};

/// A function, a suite, and what the function did in it.
pub struct UnitRun {
    loaded: LoadedUnit,
    interface: Interface,
    read: UnitSuite,
    /// The tests with the values that open inputs had.
    completed: Vec<TestCase>,
    runs: Vec<TestRun>,
    agreement: Agreement,
}

impl UnitRun {
    /// Runs the suite on the executor and as machine code.
    pub fn prepare(request: &RunRequest, stop: &Stop) -> Result<PreparedRun, Error> {
        refuse_shown(request)?;
        let loaded = LoadedUnit::load(&request.subject, &[])?;
        let interface = loaded.interface_for(&request.subject, &request.tests)?;
        let mut read = loaded.read_suite(&request.tests, request.format, &interface)?;
        let options = loaded.options(false);
        let agreement = loaded.compare_natively(
            &request.subject,
            &interface,
            &mut read.suite,
            options,
            stop,
        )?;
        unless_stopped(stop)?;
        let runs = loaded.unit.run(&interface, &read.suite, options).map_err(refuse_run)?;
        let completed = loaded.unit.complete(&interface, &read.suite, options);
        let completed = completed.map_err(refuse_run)?;

        let inputs = read.suite.inputs.clone();
        let SuiteInterface { outputs, .. } = loaded.unit.variables(&interface);
        let signature = Signature::new(&SuiteInterface { inputs, outputs });
        let subject = RunSubject::of_unit(&loaded.path, &interface.function, signature);
        let remarks = loaded.remarks().iter().map(|remark| printable(remark)).collect();
        let unit = Self { loaded, interface, read, completed, runs, agreement };
        Ok(PreparedRun { subject, remarks, program: Prepared::Unit(Box::new(unit)) })
    }

    /// Hands over the tests; answers with how they ended.
    pub fn run<E: From<Error>>(
        &self,
        signature: &Signature,
        take: &mut impl FnMut(RanTest) -> Result<(), E>,
    ) -> Result<UnitFindings, E> {
        let Self { loaded, interface, read, completed, runs, agreement } = self;
        for (test, run) in completed.iter().zip(runs) {
            let steps = loaded.found(interface, run);
            let trace = Trace { steps, failures: Vec::new(), exhausted: None };
            let found = Findings {
                failures: failure_of(loaded, run).into_iter().collect(),
                differences: read.differing(signature, &test.name, &trace.steps),
                exhausted: None,
            };
            let mut record = Record::of_completed(test.clone(), trace, signature);
            record.absent = absent(run, interface.outputs.len());
            take(RanTest { record, found })?;
        }
        Ok(UnitFindings {
            endings: Endings::new(loaded, &read.suite, runs),
            runtime_errors: runs.iter().filter(|run| ends_in_runtime_error(run)).count(),
            agreement: agreement.clone(),
        })
    }
}

/// Variables inside of a function cannot be shown.
fn refuse_shown(request: &RunRequest) -> Result<(), Error> {
    if request.show.is_empty() {
        return Ok(());
    }
    Err(Error::Input {
        message: "--show is for the variables of Lustre models".to_owned(),
        way_out: "of a C function its outputs are shown".to_owned(),
    })
}

/// The outputs that are nothing in all steps that came to their end, such as what was given to calls that never happened.
fn absent(run: &TestRun, outputs: usize) -> HashSet<usize> {
    let nowhere = |at: &usize| run.steps.iter().all(|step| step[*at] == Observed::Nothing);
    (0..outputs).filter(nowhere).collect()
}

/// Does the run end in a runtime error?
fn ends_in_runtime_error(run: &TestRun) -> bool {
    matches!(&run.ending, Some(Ending::Finding(finding)) if finding.kind.class() == Class::RuntimeError)
}

/// How a test ended, for the formats that list it.
fn failure_of(loaded: &LoadedUnit, run: &TestRun) -> Option<StoredFailure> {
    let ending = run.ending.as_ref()?;
    let (kind, instance, at) = match ending {
        Ending::Exit(_) => ("exit", String::new(), None),
        Ending::Finding(finding) => {
            let kind = match finding.kind.class() {
                Class::RuntimeError => "fault",
                Class::Unsupported => "unsupported",
                Class::Limit => "limit",
            };
            let at = loaded.unit.place_of(finding).map(|(_, at)| at);
            (kind, loaded.unit.function_of(finding).unwrap_or_default().to_owned(), at)
        }
    };
    let at = at.unwrap_or(Position { line: 1, column: 1 });
    let text = loaded.describe(ending);
    Some(StoredFailure {
        step: run.steps.len(),
        kind,
        instance,
        text,
        span: Span { start: at, end: at },
    })
}
