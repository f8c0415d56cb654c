//! Runs tests of the function under test, with the trace and the evidence of each run.

use obligato_c_unit::effects::exact::ValueSuppressor;
use obligato_c_unit::interface::{Cell, Form, Interface, Pointee, PointerTarget};
use obligato_c_unit::measure::{Evidencer, RunWatcher, Watches};
use obligato_c_unit::run::{Runner, Written};
use obligato_c_unit::script::{Columns, Write};
use obligato_c_unit::{Layout, RunError, TestRun};
use obligato_concolic::{ConditionValue, Mark, Trace, TraceLimits, Tracer};
use obligato_criteria::Vectors;
use obligato_criteria::evidence::TestEvidence;
use obligato_execute::{Executable, Variables};
use obligato_model::{Criterion, Suite, TestCase, Watched};
use obligato_symbolic::{InputSource, InputVariables, splice};
use obligato_term::{Assignment, Term, Terms};

use crate::idle_writes::leave_out_writes;
use crate::request::{FunctionUnderTest, Request};

/// A traced run.
#[derive(Debug)]
pub struct TracedRun {
    /// The test.
    pub test: TestCase,
    /// Its inputs.
    pub assignment: Assignment,
    /// How it ran and ended.
    pub run: TestRun,
    /// Its evidence for the criteria.
    pub evidence: TestEvidence,
    /// Its path condition.
    pub trace: Trace,
}

/// The code of a function, decoded once with all watch points and once, for twin runs, with those of conditions.
#[derive(Debug)]
pub struct Prepared<'u> {
    watches: Watches,
    conditions: Watches,
    executable: Executable<'u>,
    forcing: Executable<'u>,
}

impl<'u> Prepared<'u> {
    /// Decodes the function of a request.
    pub fn new(request: &Request<'u>) -> Result<Self, RunError> {
        let unit = request.subject.unit;
        let boundaries = asks_for_boundaries(&request.criteria);
        let watches = Watches::new(unit.points(), boundaries);
        let conditions = Watches::new(&unit.conditions(), boundaries);
        let decode =
            |watches| unit.executable(watches, request.subject.options, Variables::InRegisters);
        let (executable, forcing) = (decode(&watches)?, decode(&conditions)?);
        Ok(Self { watches, conditions, executable, forcing })
    }
}

fn asks_for_boundaries(criteria: &[Criterion]) -> bool {
    criteria.iter().any(|criterion| criterion.needs_operands())
}

/// Runs tests and traces them; all traces share their terms.
pub struct TracedRunner<'p> {
    request: &'p Request<'p>,
    pub(crate) interface: &'p Interface,
    columns: Columns,
    /// The variables of the inputs.
    pub inputs: InputVariables,
    patience: Patience,
    /// The index of each input, by object and offset.
    runner: Runner<'p, Tracer<'p>, RunWatcher<'p, Evidencer<'p>>>,
    twins: Runner<'p, Tracer<'p>, ValueSuppressor<'p>>,
}

impl<'p> TracedRunner<'p> {
    /// A runner for a prepared function.
    pub fn new(request: &'p Request<'p>, prepared: &'p Prepared<'p>) -> Result<Self, RunError> {
        let FunctionUnderTest { unit, interface, mut options, .. } = request.subject;
        options.limits.steps = options.limits.steps.min(Patience::Short.operations());
        let (module, program) = (unit.module(), unit.program());
        let tracer = |watches| {
            Tracer::new(module, program, watches, options.signed_overflow, TraceLimits::default())
        };
        let mut own = tracer(&prepared.watches);
        let variables = unit.variables(interface);
        let layout = Layout::new(module, interface);
        let source = InputSource { module, layout: &layout, interface, variables: &variables };
        let inputs = InputVariables::new(&mut own.terms, source, request.subject.steps);
        let suite = Suite { inputs: variables.inputs, tests: Vec::new() };
        let columns = Columns::new(interface, &suite)?;
        let vectors = Vectors::needed_by(&request.criteria);
        let sink = Evidencer::new(program, &Watched::default(), vectors);
        let observer = RunWatcher::new(program, unit.folded(), &prepared.watches, sink);
        let runner = unit.runner(&prepared.executable, interface, options, own, observer)?;
        let suppressor = ValueSuppressor::new(program, &prepared.conditions);
        let twin = tracer(&prepared.conditions);
        let twins = unit.runner(&prepared.forcing, interface, options, twin, suppressor)?;
        let patience = Patience::Short;
        Ok(Self { request, interface, columns, inputs, patience, runner, twins })
    }

    /// How long runs may be at present.
    pub fn patience(&self) -> Patience {
        self.patience
    }

    /// Lets runs be so long.
    pub fn set_patience(&mut self, patience: Patience) {
        self.patience = patience;
        let mut limits = self.request.subject.options.limits;
        limits.steps = limits.steps.min(patience.operations());
        self.runner.set_limits(limits);
        self.twins.set_limits(limits);
    }

    /// Lets tests have so many steps.
    pub fn allow_steps(&mut self, steps: usize) {
        let FunctionUnderTest { unit, interface, .. } = self.request.subject;
        let (module, variables) = (unit.module(), unit.variables(interface));
        let layout = Layout::new(module, interface);
        let terms = &mut self.runner.shadow_mut().terms;
        let source = InputSource { module, layout: &layout, interface, variables: &variables };
        self.inputs.extend_to(terms, source, steps);
    }

    /// All terms.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.runner.shadow_mut().terms
    }

    /// The test of some inputs.
    pub fn test(&self, assignment: &Assignment, name: &str) -> TestCase {
        self.inputs.test(self.interface, assignment, name)
    }

    /// The inputs of a test; `None` if it leaves some open.
    pub fn assignment(&self, test: &TestCase) -> Option<Assignment> {
        self.inputs.assignment(self.interface, test)
    }

    /// Are there pointers in unions, which lie over other inputs?
    pub fn has_union_pointers(&self) -> bool {
        self.interface.inputs.iter().any(Cell::lies_over_others)
    }

    /// Zero for every scalar, and for every pointer its first target that is not null.
    pub fn default_inputs(&self, unions: UnionPointers) -> Assignment {
        let mut assignment = Assignment::default();
        for step in 0..self.inputs.steps() {
            for (input, cell) in self.inputs.step(step).iter().zip(&self.interface.inputs) {
                let Form::Pointer(targets) = &cell.form else { continue };
                if unions == UnionPointers::Unset && cell.lies_over_others() {
                    continue;
                }
                let points = |target: &PointerTarget| {
                    matches!(target.to, Pointee::Object(_) | Pointee::Function(_))
                };
                let new = targets.iter().position(points);
                if let (Some(variable), Some(new)) = (input.variable, new) {
                    assignment.set(variable, new as u128);
                }
            }
        }
        assignment
    }

    /// The same inputs, where functions outside write all that they may; `None` if they may write nothing.
    pub fn with_all_writes(&self, mut assignment: Assignment) -> Option<Assignment> {
        let mut any = false;
        for step in 0..self.inputs.steps() {
            for given in self.inputs.step(step).iter().filter_map(|input| input.given) {
                assignment.set(given.variable, 1);
                any = true;
            }
        }
        any.then_some(assignment)
    }

    /// Runs a test of so many steps on an assignment, and traces it.
    pub fn run(
        &mut self,
        assignment: Assignment,
        steps: usize,
        name: &str,
    ) -> Result<TracedRun, RunError> {
        let mut test = self.test(&assignment, name);
        test.steps.truncate(steps);
        let script = self.columns.script(self.interface, &test)?;
        let observer = self.runner.observer_mut();
        observer.begin();
        observer.sink.begin(name);
        self.runner.shadow_mut().begin(None);
        let inputs = &self.inputs;
        let run = self.runner.run_marked(
            &script,
            |tracer, write, mut written| mark(tracer, inputs, write, &mut written),
            |runner, _| runner.shadow_mut().begin_step(),
        );
        let trace = self.runner.shadow_mut().finish();
        let mut evidence = self.runner.observer_mut().sink.finish()?;
        leave_out_writes(&mut test, self.interface, &run);
        if self.request.criteria.iter().any(|one| one.observability().is_some()) {
            evidence = self.measure(&test)?;
        }
        Ok(TracedRun { test, assignment, run, evidence, trace })
    }

    /// What a test shows by all criteria, effects included.
    fn measure(&self, test: &TestCase) -> Result<TestEvidence, RunError> {
        let FunctionUnderTest { unit, interface, options, .. } = self.request.subject;
        let inputs = unit.variables(interface).inputs;
        let suite = Suite { inputs, tests: vec![test.clone()] };
        let measured = unit.measure(interface, &suite, &self.request.criteria, options)?;
        let evidence = measured.evidence.tests().first().cloned();
        Ok(evidence.expect("invariant: one test gives the evidence of one"))
    }

    /// Runs the same inputs twice, as they are and as a twin run in which a condition's value is suppressed. Gives both path
    /// conditions and, per output, the bit that it differs; `None` if one of the runs ends early.
    pub fn twins(
        &mut self,
        assignment: &Assignment,
        suppressed: ConditionValue,
    ) -> Result<Option<Twins>, RunError> {
        let test = self.test(assignment, "twin");
        let script = self.columns.script(self.interface, &test)?;
        let (inputs, interface) = (&self.inputs, self.interface);
        let observer = self.runner.observer_mut();
        observer.begin();
        observer.sink.begin("twin");
        self.runner.shadow_mut().begin(None);
        let mut seen: Vec<Option<Term>> = Vec::new();
        let own = self.runner.run_marked(
            &script,
            |tracer, write, mut written| mark(tracer, inputs, write, &mut written),
            |runner, visible| {
                seen.extend(outputs(runner, interface, visible));
                runner.shadow_mut().begin_step();
            },
        );
        let original = self.runner.shadow_mut().finish();
        self.runner.observer_mut().sink.finish()?;
        let twin = self.twins.shadow_mut();
        std::mem::swap(&mut twin.terms, &mut self.runner.shadow_mut().terms);
        twin.begin(Some(suppressed));
        self.twins.observer_mut().suppress(suppressed.condition, suppressed.value);
        let mut seen_of_twin: Vec<Option<Term>> = Vec::new();
        let other = self.twins.run_marked(
            &script,
            |tracer, write, mut written| mark(tracer, inputs, write, &mut written),
            |runner, visible| {
                seen_of_twin.extend(outputs(runner, interface, visible));
                runner.shadow_mut().begin_step();
            },
        );
        let of_twin = self.twins.shadow_mut().finish();
        let twin = self.twins.shadow_mut();
        std::mem::swap(&mut twin.terms, &mut self.runner.shadow_mut().terms);
        if own.ending.is_some() || other.ending.is_some() {
            return Ok(None);
        }
        let terms = &mut self.runner.shadow_mut().terms;
        let mut differences = Vec::new();
        for (one, other) in seen.into_iter().zip(seen_of_twin) {
            let (Some(one), Some(other)) = (one, other) else { continue };
            let same = terms.equal(one, other);
            if terms.as_constant(same) != Some(1) {
                differences.push(terms.not(same));
            }
        }
        let paths = original.forks.iter().chain(&of_twin.forks).map(|fork| fork.holds);
        Ok(Some(Twins { paths: paths.collect(), differences }))
    }
}

/// What the first runs put into pointers that share their bytes with other members of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnionPointers {
    /// What the other members say.
    Unset,
    /// The address of an object: no number that a solver finds is one.
    Set,
}

/// A run and its twin, in which a condition's value is suppressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twins {
    /// Both path conditions.
    pub paths: Vec<Term>,
    /// Per output that may differ, the bit that it does.
    pub differences: Vec<Term>,
}

/// The outputs after a step, as words.
fn outputs<O: obligato_execute::Observer>(
    runner: &mut Runner<'_, Tracer<'_>, O>,
    interface: &Interface,
    visible: &[bool],
) -> Vec<Option<Term>> {
    let mut words = Vec::with_capacity(interface.outputs.len());
    for cell in &interface.outputs {
        let held: Vec<(Mark, u8)> = {
            let marks = runner.marks_of(cell, visible);
            let bytes = runner.bytes_of(cell, visible);
            marks.iter().copied().zip(bytes.iter().copied()).collect()
        };
        let terms = &mut runner.shadow_mut().terms;
        let mut word: Option<Term> = None;
        for (mark, byte) in held.into_iter().take(MOST_BYTES) {
            let byte = mark.unwrap_or_else(|| terms.constant(byte.into(), 8));
            word = Some(word.map_or(byte, |low| terms.concat(byte, low)));
        }
        words.push(word);
    }
    words
}

/// How long a traced run may be. An endless loop costs as much as the limit allows, again with each run into it, and most runs need
/// little: long ones wait until nothing else is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// At first.
    Short,
    /// When only long runs are left.
    Long,
}

impl Patience {
    fn operations(self) -> u64 {
        match self {
            Self::Short => 1 << 16,
            Self::Long => 1_000_000,
        }
    }
}

/// The bytes of the widest output.
const MOST_BYTES: usize = 16;

/// Marks the bytes of an input with the term of its variable.
fn mark(
    tracer: &mut Tracer<'_>,
    inputs: &InputVariables,
    write: &Write,
    written: &mut Written<'_, Mark>,
) {
    let Some(at) = write.input else { return };
    let Some(input) = inputs.step(written.step).get(at) else { return };
    let (terms, marks) = (&mut tracer.terms, &mut *written.marks);
    let before: Vec<Term> = marks
        .iter()
        .zip(written.before)
        .map(|(mark, byte)| mark.unwrap_or_else(|| terms.constant((*byte).into(), 8)))
        .collect();
    let bytes = splice(terms, write.offset, input.word, |_, at| before[at]);
    for ((mark, byte), before) in marks.iter_mut().zip(bytes).zip(before) {
        let byte = input.when.map_or(byte, |when| terms.choose(when, byte, before));
        *mark = terms.as_constant(byte).is_none().then_some(byte);
    }
}
