//! C units from files: loaded as the arguments ask, their suites read, what tests show judged.
//!
//! [`elsewhere`] takes what clang measured; [`refusal`] puts what is wrong into words, [`ending`] how tests ended early, [`keeping`] keeps them, [`agreement`] whether the machine does the
//! same, [`expected`] whether outputs are as a suite has them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use obligato_c_unit::interface::{OF_FILE, Origin};
use obligato_c_unit::{
    Ending, FindingKind, GapReason, Interface, LoadOptions, RunOptions, TestRun, Unit, settings,
};
use obligato_campaign::judging::StoppedRun;
use obligato_campaign::{self as campaign, Conclusions, Gaps, Knowledge, assess};
use obligato_clang::{BooleanOperators, Flags, HeaderSearch, Limits, Source};
use obligato_criteria::{Evidence, Vectors, plan};
use obligato_model::{
    Assessment, Criterion, DecisionId, Position, Step, Suite, TestCase, Unsupported,
};
use obligato_store::evidence::SourceDigest;
use obligato_store::{Signature, SuiteFile, llvm_cov, suite};

use crate::config::Configuration;
use crate::error::Error;
use crate::evidence::{SubjectFacts, data_model, named};
use crate::fingerprints::Codes;
use crate::subject::SubjectOptions;

mod agreement;
mod elsewhere;
mod ending;
mod expected;
mod keeping;
mod refusal;
mod source_text;
mod subject;
mod widening;

pub(crate) use agreement::NativeComparison;
pub use agreement::{Agreement, Cause, Doubts};
pub use ending::{Ended, Endings};
pub use refusal::{refuse_clang, refuse_native, refuse_run};
pub use subject::{UnitSubject, UnitSubjectTests};
pub(crate) use widening::Size;

pub use elsewhere::{MeasuredElsewhere, Unmeasured};
use refusal::{refuse, refuse_file};

/// A C unit ready to be run.
pub struct LoadedUnit {
    /// The name of the file, as it was given.
    pub path: String,
    /// The unit.
    pub unit: Unit,
    options: RunOptions,
    settings: obligato_c_unit::Settings,
    /// The flags of the compiler.
    flags: Vec<String>,
    /// The directory that names of files are relative to.
    directory: PathBuf,
    /// The file of settings, if there is one.
    config: Option<PathBuf>,
    /// What it says of inputs, or that it says nothing.
    settings_read: SourceDigest,
}

impl LoadedUnit {
    /// Reads, compiles and maps the file that the arguments name.
    pub fn load(asked: &SubjectOptions, observe: &[String]) -> Result<Self, Error> {
        let file = asked.file.clone();
        refuse_model_flags(asked)?;
        let flags = Flags::new(&asked.unit.flags).map_err(refuse_clang)?;
        let directory = PathBuf::from(".");
        let source = Source { file, directory, flags, limits: Limits::default() };
        Self::load_source(&source, asked, observe)
    }

    /// The same, for a file with flags of its own.
    pub fn load_source(
        source: &Source,
        asked: &SubjectOptions,
        observe: &[String],
    ) -> Result<Self, Error> {
        let logical_only = asked.unit.logical_only;
        let operators =
            if logical_only { BooleanOperators::Logical } else { BooleanOperators::All };
        let function = asked.unit.function.clone();
        let file = source.directory.join(&source.file);
        let Configuration { mut settings, options } = Configuration::find(&asked.unit, &file)?;
        let observe: Vec<&str> = observe.iter().map(|name| without_moment(name)).collect();
        if observe == ["outputs"] {
            settings.observed.clear();
        } else if !observe.is_empty() {
            settings.observed = observe.into_iter().map(str::to_owned).collect();
        }
        let loading = LoadOptions { function, operators, settings: settings.clone() };
        let unit = Unit::load(source, loading).map_err(|error| refuse_file(&source.file, error))?;
        Ok(Self {
            path: source.file.display().to_string(),
            unit,
            options,
            settings,
            flags: source.flags.for_original(),
            directory: source.directory.clone(),
            config: Configuration::file(&asked.unit, &file),
            settings_read: Configuration::digest(&Configuration::place(&asked.unit, &file)),
        })
    }

    /// What is set of inputs.
    pub(crate) fn settings(&self) -> &obligato_c_unit::Settings {
        &self.settings
    }

    /// What results rely on; the function under test is for the caller to name.
    pub fn facts(&self) -> SubjectFacts {
        let sources: Vec<&str> = self.unit.source_files().collect();
        let here = |name: &Path| named(&self.directory.join(name));
        let absent = HeaderSearch::new(&self.flags).absent(&self.directory, &sources);
        SubjectFacts {
            function: None,
            flags: self.flags.clone(),
            compiler: Some(self.unit.compiler().to_owned()),
            target: Some(self.unit.target().to_owned()),
            data_model: Some(data_model(self.unit.target())),
            settings: self.config.as_deref().map(named),
            files: sources.iter().map(|name| here(Path::new(name))).collect(),
            absent: absent.iter().map(|name| here(name)).collect(),
            settings_read: Some(self.settings_read.clone()),
        }
    }

    /// By function, the fingerprint of its code with all that it depends on.
    pub fn codes(&self) -> Codes {
        let names = self.unit.program().functions().iter().map(|function| function.name.clone());
        names.filter_map(|name| Some((name.clone(), self.unit.fingerprint_of(&name)?))).collect()
    }

    /// How tests run; `tables` asks for whole evaluations.
    pub fn options(&self, tables: bool) -> RunOptions {
        RunOptions { tables, ..self.options }
    }

    /// What tests of the function under test set and see.
    pub fn interface(&self, asked: &SubjectOptions) -> Result<Interface, Error> {
        self.interface_within(asked, &self.settings)
    }

    /// The same with other sizes of inputs.
    pub(crate) fn interface_within(
        &self,
        asked: &SubjectOptions,
        settings: &obligato_c_unit::Settings,
    ) -> Result<Interface, Error> {
        let function = match (&asked.unit.function, self.unit.functions()) {
            (Some(named), _) => named,
            (None, [only]) => only,
            (None, []) => {
                return Err(Error::Input {
                    message: format!("{} defines no function", self.path),
                    way_out: "name a file that defines one".to_owned(),
                });
            }
            (None, several) => {
                return Err(Error::Input {
                    message: format!("{} defines {} functions", self.path, several.len()),
                    way_out: format!("choose one by --function: {}", listed(several)),
                });
            }
        };
        let interface = self.unit.interface_within(function, settings).map_err(refuse)?;
        self.check_settings(asked, &interface)?;
        Ok(interface)
    }

    /// Complains about settings of this function that cannot be meant. What only the file of settings says may be meant for
    /// another function.
    fn check_settings(&self, asked: &SubjectOptions, interface: &Interface) -> Result<(), Error> {
        let function = &interface.function;
        let refuse = |message: String| {
            let way_out =
                format!("'obligato check {} --function {function}' lists them", self.path);
            Err(Error::Input { message, way_out })
        };
        let flags = &asked.unit.inputs;
        let is_input = |name: &str| interface.inputs.iter().any(|cell| cell.name == name);
        // What a function outside is given, such as `fill(buffer)`, has a size as well.
        let is_given = |name: &str| {
            let mut given = interface.outside.iter().flat_map(|one| one.given.iter().flatten());
            given.any(|object| interface.objects[object.0].name == format!("{name}[0]"))
        };
        let ranges = flags.range.iter().map(|range| &range.name).filter(|name| !is_input(name));
        let elements = flags.elements.iter().filter_map(|elements| elements.pointer.as_ref());
        let mut elements = elements.filter(|name| !is_input(name) && !is_given(name));
        if let Some(name) = ranges.chain(&mut elements).next() {
            return refuse(format!("{function} has no input '{name}'"));
        }
        let is_global = |name: &str| {
            let name = name.strip_prefix(OF_FILE).unwrap_or(name);
            interface.objects.iter().any(|object| match &object.origin {
                Origin::Global(symbol) => symbol == name || symbol.ends_with(&format!(".{name}")),
                Origin::Fresh => false,
            })
        };
        if let Some(name) = flags.global.iter().find(|name| !is_global(name)) {
            return refuse(format!("there is no global '{name}' that {function} can read"));
        }
        let observed = &self.settings.observed;
        let is_output = |name: &str| interface.outputs.iter().any(|cell| cell.name == name);
        if let Some(name) = observed.iter().find(|name| !is_output(name)) {
            return refuse(format!("{function} has no output '{name}' to observe"));
        }
        for cell in &interface.inputs {
            let Some(settings::Range { low, high }) = self.settings.ranges.get(&cell.name) else {
                continue;
            };
            let kind = cell.form.kind();
            let bounds = kind.bounds();
            let fits = |end: &obligato_model::Integer| {
                bounds.as_ref().is_some_and(|(first, last)| first <= end && end <= last)
            };
            if !(fits(low) && fits(high)) {
                let name = &cell.name;
                return refuse(format!("{low}..{high} are no values of '{name}', which is {kind}"));
            }
        }
        Ok(())
    }

    /// Reads a suite for a function. Inputs that it has no column for are left open.
    pub fn read_suite(
        &self,
        path: &Path,
        format: Option<suite::Format>,
        interface: &Interface,
    ) -> Result<UnitSuite, Error> {
        let file = SuiteFile::read(path)?;
        let format = format.unwrap_or_else(|| file.format());
        let mut known = self.unit.variables(interface);
        if matches!(format, suite::Format::Csv | suite::Format::Json) {
            let named = file.inputs(suite::Columns::Infer)?;
            known.inputs.retain(|one| named.iter().any(|other| other.name == one.name));
            // A JSON suite lists the outputs that it has apart from its inputs.
            if format == suite::Format::Csv {
                known.outputs.retain(|one| named.iter().any(|other| other.name == one.name));
            }
        }
        let signature = Signature::new(&known);
        let mut tests: Vec<TestCase> = Vec::new();
        let mut expected = HashMap::new();
        for test in file.tests_for(&signature, format)? {
            let (test, steps) = signature.split(test?);
            expected.insert(test.name.clone(), steps);
            tests.push(test);
        }
        let suite = Suite { inputs: signature.inputs().to_vec(), tests };
        Ok(UnitSuite { suite, signature, expected })
    }

    /// Judges what a suite has shown, with what else is known of it. Of what cannot be measured it is said so, and of what comes
    /// after something that cannot be executed: whether the tests would do it is not known.
    pub fn judge(
        &self,
        criteria: &[Criterion],
        evidence: &Evidence,
        runs: &[TestRun],
        conclusions: Conclusions,
    ) -> Result<Assessment, Error> {
        let program = self.unit.program();
        let knowledge = Knowledge { conclusions, gaps: self.gaps(runs), ..Knowledge::default() };
        assess(program, plan(program, criteria), evidence, &knowledge)
            .map_err(|error| Error::Internal(error.to_string()))
    }

    /// What the code leaves out, and where these runs could not go on.
    pub(crate) fn gaps(&self, runs: &[TestRun]) -> Gaps {
        let regions = self.unit.gaps().iter().map(|gap| campaign::Gap {
            file: gap.file.clone(),
            span: gap.span,
            reason: reason_of(&gap.reason),
        });
        Gaps {
            regions: regions.collect(),
            decisions: self.unmapped_decisions(),
            stops: self.stops(runs),
        }
    }

    /// The decisions with a condition that is not found in the code: nothing of them is measured.
    fn unmapped_decisions(&self) -> BTreeMap<DecisionId, Unsupported> {
        let program = self.unit.program();
        let mut decisions = BTreeMap::new();
        for gap in self.unit.gaps() {
            let GapReason::Unmapped(why) = &gap.reason else { continue };
            for condition in program.conditions().iter().filter(|one| one.span == gap.span) {
                let function = program.function(program.decision(condition.decision).function);
                if program.file(function.file) == gap.file {
                    let unmapped = Unsupported::NotInCompiledCode(why.clone());
                    decisions.entry(condition.decision).or_insert(unmapped);
                }
            }
        }
        decisions
    }

    /// Per function in which a test could not go on, the first place from which on it could not, and why.
    fn stops(&self, runs: &[TestRun]) -> Vec<StoppedRun> {
        let mut stops: BTreeMap<&str, (Position, &str)> = BTreeMap::new();
        for run in runs {
            let Some(Ending::Finding(finding)) = &run.ending else { continue };
            let FindingKind::Unsupported { note: what } = &finding.kind else { continue };
            for (function, place) in self.unit.stack_of(finding) {
                let Some((_, at)) = place else { continue };
                let first = stops.entry(function).or_insert((at, what));
                if at < first.0 {
                    *first = (at, what);
                }
            }
        }
        let stopped = |(function, (from, what)): (&str, (Position, &str))| StoppedRun {
            function: function.to_owned(),
            from,
            what: Unsupported::Construct(what.to_owned()),
        };
        stops.into_iter().map(stopped).collect()
    }

    /// What clang measured of a suite that ran elsewhere.
    pub fn measured_elsewhere(
        &self,
        path: &Path,
        vectors: Vectors,
    ) -> Result<MeasuredElsewhere, Error> {
        let files = llvm_cov::load(path)?;
        MeasuredElsewhere::new(self.unit.program(), &files, &self.path, vectors)
    }

    /// The names of the outputs that are observed.
    pub fn observed(interface: &Interface) -> Vec<String> {
        interface.outputs.iter().map(|output| output.name.clone()).collect()
    }

    /// What cannot be measured, a line each.
    pub fn remarks(&self) -> Vec<String> {
        self.unit.gaps().iter().map(|gap| format!("note: {gap}")).collect()
    }
}

/// A suite of tests of a function.
pub struct UnitSuite {
    /// The tests.
    pub suite: Suite,
    /// The columns that it has.
    pub signature: Signature,
    /// Per test by its name, and step, what is expected of the outputs among them.
    pub expected: HashMap<String, Vec<Step>>,
}

/// What is the matter with a region that has a gap.
fn reason_of(reason: &GapReason) -> campaign::GapReason {
    match reason {
        GapReason::Dead | GapReason::NotEmitted => campaign::GapReason::NoCode,
        GapReason::Unsupported(what) => {
            campaign::GapReason::Unsupported(Unsupported::Construct(what.clone()))
        }
        GapReason::Unmapped(why) => {
            campaign::GapReason::Unsupported(Unsupported::NotInCompiledCode(why.clone()))
        }
    }
}

/// The name of an output, whether or not it is told from an input of that name.
fn without_moment(name: &str) -> &str {
    name.strip_suffix(" (after)").unwrap_or(name)
}

fn refuse_model_flags(asked: &SubjectOptions) -> Result<(), Error> {
    let flag = if asked.model.inline {
        "--inline"
    } else if asked.model.main.is_some() {
        "--main"
    } else {
        return Ok(());
    };
    Err(Error::Input {
        message: format!("{flag} is for Lustre models"),
        way_out: "a function of a C file is chosen by --function".to_owned(),
    })
}

/// So many functions are named where there is no room for all.
const MOST_LISTED: usize = 16;

fn listed(names: &[String]) -> String {
    let more = if names.len() > MOST_LISTED { ", …" } else { "" };
    let first: Vec<&str> = names.iter().take(MOST_LISTED).map(String::as_str).collect();
    first.join(", ") + more
}
