//! Native replay: the same source, compiled to machine code, runs on the same inputs and is compared with the executor.
//!
//! Two builds run. One is compiled from the source as it is, or from its bitcode where that asks its [environment](crate::environment); its
//! outputs and endings are compared. The other is a
//! copy of the bitcode that reports the value of every condition; the sequence of those has to be the executor's.
//! Neither depends on tests, so a [`NativeBuild`] can be made while tests are still searched for, and serves all suites.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use obligato_clang::Compiler;
use obligato_execute::{Ending, Observer, Variables, WatchId};
use obligato_llvm::Observation;
use obligato_model::Suite;

use crate::interface::Interface;
use crate::measure::Watches;
use crate::outside_writes::EffectsOfStep;
use crate::run::{Observed, TestRun};
use crate::script::{Write, value_of};
use crate::suite::{RunError, RunOptions, scripts};
use crate::unit::Unit;
use crate::watch::{Meaning, Point};

mod address_bits;
mod agreement;
mod protocol;
mod reported;
mod sanitizer;

pub use agreement::{Disagreement, is_address_of_executor, signal_of};
use protocol::Protocol;
pub use protocol::{NativeEnding, NativeRun};
pub use sanitizer::Confirmation;

/// The program that runs tests, compiled with this crate (`build.rs`) from `native/harness.c`.
const HARNESS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/harness"));

/// How native replay can fail.
#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    /// The suite does not run at all.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The machine's compiler fails on it.
    #[error("the native build failed: {0}")]
    Build(#[from] obligato_clang::ClangError),
    /// The bitcode cannot be copied.
    #[error(transparent)]
    Bitcode(#[from] obligato_llvm::Error),
    /// A file or a process.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
    /// The harness broke down.
    #[error("the native harness gave no sensible answer: {0}")]
    Harness(String),
}

/// What native replay showed.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Per test, what it did as machine code.
    pub runs: Vec<NativeRun>,
    /// Per test, where the two differ; empty if they agree.
    pub disagreements: Vec<Vec<Disagreement>>,
    /// Per test, the values of conditions that the probed build has reported, if they are not the executor's and the test does
    /// not end in undefined behaviour.
    pub reported: Vec<Option<Sequence>>,
}

/// How tests run as machine code.
#[derive(Clone, Copy, Debug)]
pub struct NativeOptions {
    /// Who compiles the text.
    pub compiler: Compiler,
    /// How long a test may take, in milliseconds.
    pub milliseconds: u64,
    /// Are the values of conditions compared as well?
    pub conditions: bool,
}

impl Default for NativeOptions {
    fn default() -> Self {
        Self { compiler: Compiler::Clang, milliseconds: 10_000, conditions: true }
    }
}

/// A test that runs as machine code: what it writes, and what functions outside did of it on the executor, which knows how large objects are.
#[derive(Clone, Copy, Debug)]
struct NativeTest<'t> {
    script: &'t [Vec<Write>],
    effects: &'t [EffectsOfStep],
    /// Did the executor stop it because it goes on for so long? Then it need not come to an end here either.
    is_endless: bool,
}

impl<'t> NativeTest<'t> {
    fn new(script: &'t [Vec<Write>], run: &'t TestRun) -> Self {
        Self { script, effects: &run.effects, is_endless: run.is_endless() }
    }
}

/// A unit as machine code, in the unit's own temporary directory.
#[derive(Clone, Debug)]
pub struct NativeBuild {
    harness: PathBuf,
    /// Compiled from the text as it is, or from the bitcode that asks its environment.
    plain: PathBuf,
    /// Reports the values of conditions, if they are compared.
    watched: Option<PathBuf>,
    milliseconds: u64,
}

impl Unit {
    /// Compiles the unit for native runs, both builds at once.
    pub fn build_natively(&self, native: NativeOptions) -> Result<NativeBuild, NativeError> {
        let harness = self.write_harness()?;
        let (plain, watched) = std::thread::scope(|scope| {
            let watched = native.conditions.then(|| scope.spawn(|| self.build_watched()));
            let plain = self.build_plain(native.compiler);
            let watched = watched.map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            (plain, watched)
        });
        let (plain, watched) = (plain?, watched.transpose()?);
        Ok(NativeBuild { harness, plain, watched, milliseconds: native.milliseconds })
    }

    /// Runs a suite natively and on the executor, and compares the two.
    pub fn replay_natively(
        &self,
        interface: &Interface,
        suite: &Suite,
        options: RunOptions,
        native: NativeOptions,
    ) -> Result<Replay, NativeError> {
        self.replay_on(&self.build_natively(native)?, interface, suite, options)
    }

    /// The same, with a build that is there already.
    pub fn replay_on(
        &self,
        build: &NativeBuild,
        interface: &Interface,
        suite: &Suite,
        options: RunOptions,
    ) -> Result<Replay, NativeError> {
        let scripts = scripts(interface, suite).map_err(RunError::from)?;
        let (runs, sequences) = self.run_watching_conditions(interface, &scripts, options)?;
        let protocol =
            Protocol { interface, driver: &self.driver, milliseconds: build.milliseconds };
        let tests: Vec<NativeTest<'_>> =
            scripts.iter().zip(&runs).map(|(script, run)| NativeTest::new(script, run)).collect();
        let natives = self.run_harness(&build.harness, &build.plain, &protocol, &tests)?;
        let mut disagreements: Vec<Vec<Disagreement>> = Vec::with_capacity(runs.len());
        for (run, native) in runs.iter().zip(&natives) {
            disagreements.push(agreement::compare(&protocol, run, native));
        }
        let mut reported = vec![None; runs.len()];
        if let Some(watched) = &build.watched {
            let saying = self.run_harness(&build.harness, watched, &protocol, &tests)?;
            for (index, found) in disagreements.iter_mut().enumerate() {
                let (run, expected, said) = (&runs[index], &sequences[index], &saying[index]);
                let differs = agreement::compare_conditions(&self.program, run, expected, said);
                let is_defined = !matches!(run.ending, Some(Ending::Finding(_)));
                if differs.is_some() && is_defined {
                    reported[index] = Some(said.saw.clone());
                }
                found.extend(differs);
            }
        }
        Ok(Replay { runs: natives, disagreements, reported })
    }

    /// Runs on the executor and notes the values of conditions in their order.
    fn run_watching_conditions(
        &self,
        interface: &Interface,
        scripts: &[Vec<Vec<Write>>],
        options: RunOptions,
    ) -> Result<(Vec<TestRun>, Vec<Sequence>), RunError> {
        let conditions = self.conditions();
        let watches = Watches::new(&conditions, false);
        let executable = self.executable(&watches, options, Variables::InRegisters)?;
        let noted = Noted { points: &conditions, sequence: Vec::new() };
        let mut runner = self.runner(&executable, interface, options, (), noted)?;
        let mut runs = Vec::with_capacity(scripts.len());
        let mut sequences = Vec::with_capacity(scripts.len());
        for script in scripts {
            runs.push(runner.run(script));
            sequences.push(std::mem::take(&mut runner.observer_mut().sequence));
        }
        Ok((runs, sequences))
    }

    fn write_harness(&self) -> Result<PathBuf, NativeError> {
        let path = self.directory.path().join("harness");
        let written = std::fs::write(&path, HARNESS)
            .and_then(|()| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)));
        written.map_err(|error| system("writing the harness", error))?;
        Ok(path)
    }

    fn build_library(
        &self,
        compiler: Compiler,
        input: &str,
        output: &str,
    ) -> Result<PathBuf, NativeError> {
        // Symbols that cannot be stubbed may stay undefined until they are called (lazy binding). Objects of a test can be freed,
        // and uninitialised memory is zero, as in the executor.
        let mut flags = vec!["-shared", "-fPIC", "-O0", "-Wl,-Bsymbolic", "-Wl,-z,lazy"];
        // Allocations fail above the size that the executor has for objects.
        flags.extend(["-Wl,--wrap=free", "-Wl,--wrap=realloc"]);
        flags.extend(["-Wl,--wrap=malloc", "-Wl,--wrap=calloc", "-Wl,--wrap=memcmp"]);
        flags.extend(["-Wl,--wrap=qsort", "-Wl,--wrap=_exit", "-Wl,--wrap=_Exit"]);
        if Path::new(input).extension().is_some_and(|extension| extension == "i") {
            flags.push("-ftrivial-auto-var-init=zero");
        }
        let opaque: Vec<String> = self.driver.linker_flags().collect();
        flags.extend(opaque.iter().map(String::as_str));
        Ok(self.text.build(compiler, &flags, &[input], output, self.directory.path())?)
    }

    /// The text as it is, unless it asks its environment: then the bitcode that does.
    fn build_plain(&self, compiler: Compiler) -> Result<PathBuf, NativeError> {
        if !self.redirected {
            return self.build_library(compiler, "unit.i", "unit.so");
        }
        let directory = self.directory.path();
        let (bitcode, copy) = (directory.join("unit.bc"), directory.join("plain.bc"));
        obligato_llvm::observe(&bitcode, &self.loaded.origins, &[], &copy)?;
        self.build_library(Compiler::Clang, "plain.bc", "unit.so")
    }

    /// The copy of the bitcode that reports conditions.
    fn build_watched(&self) -> Result<PathBuf, NativeError> {
        let directory = self.directory.path();
        let mut observations = Vec::new();
        for point in self.conditions() {
            if let (Meaning::Evaluate(condition), Some(register)) =
                (&point.meaning, point.registers.first())
            {
                let (function, register) = (point.function, *register);
                observations.push(Observation { function, register, id: condition.index() as u32 });
            }
        }
        let bitcode = directory.join("unit.bc");
        let copy = directory.join("watched.bc");
        obligato_llvm::observe(&bitcode, &self.loaded.origins, &observations, &copy)?;
        self.build_library(Compiler::Clang, "watched.bc", "watched.so")
    }

    fn run_harness(
        &self,
        harness: &Path,
        library: &Path,
        protocol: &Protocol<'_>,
        tests: &[NativeTest<'_>],
    ) -> Result<Vec<NativeRun>, NativeError> {
        self.run_with(Command::new(harness), library, protocol, tests)
    }

    fn run_with(
        &self,
        mut command: Command,
        library: &Path,
        protocol: &Protocol<'_>,
        tests: &[NativeTest<'_>],
    ) -> Result<Vec<NativeRun>, NativeError> {
        let mut text = String::new();
        for test in tests {
            protocol.write_test(&mut text, *test);
        }
        let directory = self.directory.path();
        let (commands, answers) = (directory.join("commands"), directory.join("answers"));
        let file = |what: &str| {
            let what = what.to_owned();
            move |error| system(&what, error)
        };
        std::fs::write(&commands, text).map_err(file("writing commands"))?;
        command
            .arg(library)
            .stdin(File::open(&commands).map_err(file("reading commands"))?)
            .stdout(File::create(&answers).map_err(file("writing answers"))?)
            .stderr(Stdio::piped())
            .current_dir(directory);
        let ended = output_of(&mut command).map_err(file("running the harness"))?;
        if !ended.status.success() {
            let message = String::from_utf8_lossy(&ended.stderr).into_owned();
            return Err(NativeError::Harness(message));
        }
        let answers = std::fs::read(&answers).map_err(file("reading answers"))?;
        let scripts: Vec<&[Vec<Write>]> = tests.iter().map(|test| test.script).collect();
        let runs = protocol.read(&String::from_utf8_lossy(&answers), &scripts);
        runs.filter(|runs| runs.len() == tests.len())
            .ok_or_else(|| NativeError::Harness("its answers cannot be read".to_owned()))
    }
}

fn write_program(path: &Path, bytes: &[u8]) -> Result<(), NativeError> {
    let written = std::fs::write(path, bytes)
        .and_then(|()| std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)));
    written.map_err(|error| system("writing the harness", error))
}

/// Runs a program that was written a moment ago. A process that another thread is just starting holds all open files for an
/// instant, also the one that was written to, and then the machine calls it busy.
fn output_of(command: &mut Command) -> io::Result<Output> {
    let mut attempts = 0;
    loop {
        match command.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && attempts < 100 => {
                attempts += 1;
                std::thread::sleep(Duration::from_millis(2));
            }
            ended => return ended,
        }
    }
}

fn system(what: &str, source: io::Error) -> NativeError {
    NativeError::System { what: what.to_owned(), source }
}

/// Conditions by number, with their values, in order.
pub type Sequence = Vec<(u32, u64)>;

/// So many values of conditions are compared: the harness keeps no more of them (`MOST_EVENTS`).
const MOST_NOTED: usize = 2_000_000;

/// Notes the values of conditions.
#[derive(Debug)]
struct Noted<'u> {
    points: &'u [Point],
    sequence: Sequence,
}

impl Observer for Noted<'_> {
    fn saw(&mut self, watch: WatchId, _: u32, value: &mut u64) {
        if let Meaning::Evaluate(condition) = &self.points[watch.0 as usize].meaning
            && self.sequence.len() < MOST_NOTED
        {
            self.sequence.push((condition.index() as u32, *value));
        }
    }
}

/// The value of an output, as text.
fn shown(interface: &Interface, output: usize, observed: &Observed) -> String {
    match observed {
        Observed::Held(held) => value_of(interface, &interface.outputs[output], held).to_string(),
        Observed::Nothing => "nothing".to_owned(),
        Observed::Hidden => "hidden".to_owned(),
    }
}
