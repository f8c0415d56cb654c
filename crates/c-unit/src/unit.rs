//! A C unit: loaded once, then run, measured and compared with machine code as often as is liked.

use std::path::PathBuf;

use obligato_bytecode::{CodeId, Module};
use obligato_clang::{BooleanOperators, ClangError, Source, Syntax, Text};
use obligato_execute::{Finding, StackEntry};
use obligato_llvm::Loaded;
use obligato_model::{Position, Program, Span, Value};

use crate::driver::{Driver, is_of_driver, name_of_call};
use crate::environment::redirection;
use crate::gaps::{Gap, find_gaps};
use crate::interface::{Interface, build_interface, uses_of_globals};
use crate::loaded_code::{check_signed_shifts, mark_stubs, refuse_variable_arguments};
use crate::mapping::FunctionMap;
use crate::precondition::{self, Misread};
use crate::program::{FunctionIds, Locate, build_program};
use crate::record::Folded;
use crate::run::Observed;
use crate::script::value_of;
use crate::sequence::{Misfit, Sequence};
use crate::settings::Settings;
use crate::watch::{MappedFunction, Point, points_of};

mod compile;

use compile::{
    Compiled, compile_unit, declared_by_system, functions_to_call, no_function, require_callable,
    require_function,
};

/// How a unit is loaded.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The function under test; the program has it and what it may call. All functions if there is none.
    pub function: Option<String>,
    /// Which operators join conditions.
    pub operators: BooleanOperators,
    /// What its inputs are.
    pub settings: Settings,
}

/// Why there is no unit.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// clang does not take it.
    #[error(transparent)]
    Clang(#[from] ClangError),
    /// Its bitcode cannot be read.
    #[error(transparent)]
    Bitcode(#[from] obligato_llvm::Error),
    /// There is no such function.
    #[error("{} defines no function '{name}'; it defines {known}", file.display())]
    NoFunction {
        /// The file.
        file: PathBuf,
        /// The function.
        name: String,
        /// Those that it has.
        known: String,
    },
    /// Only the function itself can name its types.
    #[error("{}: '{name}' cannot be called by tests: only itself can name its types", file.display())]
    NotCallable {
        /// The file.
        file: PathBuf,
        /// The function.
        name: String,
    },
    /// A parameter is an array with elements of a size that is known only when the function runs.
    #[error("{}: '{name}' cannot be called by tests: how long the arrays behind '{parameter}' are is known only when it runs", file.display())]
    VariableArrays {
        /// The file.
        file: PathBuf,
        /// The function.
        name: String,
        /// The parameter.
        parameter: String,
    },
    /// Something that is said of its inputs cannot be read.
    #[error("the precondition `{text}` of {function} cannot be read, column {}: {reason}", at + 1)]
    Precondition {
        /// The function.
        function: String,
        /// What is said.
        text: String,
        /// Where, from 0, in characters.
        at: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A function cannot be called before a step.
    #[error("'{name}' in {} cannot be part of the call sequence: {reason}", file.display())]
    Sequence {
        /// The file.
        file: PathBuf,
        /// The function.
        name: String,
        /// Why not.
        reason: Misfit,
    },
    /// There is no room for temporary files.
    #[error("cannot make a directory for temporary files: {0}")]
    Directory(std::io::Error),
}

/// What texts with atomic objects or operations mention. Headers of the C library have other names with these beginnings.
const ATOMIC: [&str; 13] = [
    "_Atomic",
    "__c11_atomic_",
    "__atomic_load",
    "__atomic_store",
    "__atomic_exchange",
    "__atomic_compare",
    "__atomic_fetch",
    "__atomic_add",
    "__atomic_test",
    "__sync_fetch",
    "__sync_bool",
    "__sync_val",
    "__sync_lock",
];

/// A C unit.
#[derive(Debug)]
pub struct Unit {
    pub(crate) text: Text,
    pub(crate) syntax: Syntax,
    pub(crate) driver: Driver,
    pub(crate) loaded: Loaded,
    pub(crate) program: Program,
    /// The ids of what the functions of the syntax say.
    pub(crate) ids: Vec<FunctionIds>,
    pub(crate) folded: Folded,
    pub(crate) points: Vec<Point>,
    pub(crate) settings: Settings,
    /// Does the bitcode ask its environment, which the text does not?
    pub(crate) redirected: bool,
    /// Holds the text and the bitcode, for builds.
    pub(crate) directory: tempfile::TempDir,
    gaps: Vec<Gap>,
}

impl Unit {
    /// Reads, compiles and maps a C file.
    pub fn load(source: &Source, options: LoadOptions) -> Result<Self, LoadError> {
        let text = Text::read(source)?;
        let syntax = Syntax::parse(&text, options.operators)?;
        let called = functions_to_call(&text, &syntax, options.function.as_deref());
        let directory = tempfile::tempdir().map_err(LoadError::Directory)?;
        let sequence = Sequence::of(&syntax, &options.settings);
        if let Some((name, reason)) = sequence.misfit(&syntax) {
            return Err(LoadError::Sequence { file: source.file.clone(), name, reason });
        }
        let compiled = compile_unit(&text, &syntax, &called, &options.settings, directory.path())?;
        let Compiled { mut driver, bitcode, left_out } = compiled;
        driver.standard = declared_by_system(&text, &driver);
        let redirection = redirection(&driver, &text, &syntax, &options.settings);
        let redirected =
            !redirection.is_empty() && obligato_llvm::redirect(&bitcode, &redirection, &bitcode)?;
        let mut loaded = obligato_llvm::load(&bitcode)?;
        mark_stubs(&mut loaded.module, &driver);
        if !source.flags.wraps() {
            check_signed_shifts(&syntax, &mut loaded.module);
        }
        if let Some(name) = &options.function {
            require_function(source, name, &called)?;
            require_callable(source, &syntax, name, &left_out)?;
        }
        refuse_variable_arguments(&mut loaded.module, options.function.as_deref(), &called);
        let codes = codes_of(&syntax, &loaded, options.function.as_deref());
        let functions = syntax.functions.iter().zip(&codes);
        let maps: Vec<Option<FunctionMap>> = functions
            .map(|(function, code)| {
                code.map(|code| FunctionMap::new(function, loaded.module.function(code)))
            })
            .collect();
        let (program, ids) = build_program(&syntax, &maps, &text);
        let points = all_points(&syntax, &loaded, &codes, &maps, &ids, &program);
        let gaps = find_gaps(&syntax, &maps, &left_out, &text);
        let folded = Folded::new(&program, &maps, &ids);
        let settings = options.settings;
        Ok(Self {
            text,
            syntax,
            driver,
            loaded,
            program,
            ids,
            folded,
            points,
            settings,
            redirected,
            directory,
            gaps,
        })
    }

    /// What criteria plan over.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The functions that tests can call.
    pub fn functions(&self) -> &[String] {
        &self.driver.functions
    }

    /// The files that it is made of, but for headers of the system, as the compiler names them.
    pub fn source_files(&self) -> impl Iterator<Item = &str> {
        let files = self.text.files().iter();
        files
            .filter(|file| !file.system && !file.name.starts_with('<'))
            .map(|file| file.name.as_str())
    }

    /// The compiler that read it, with its version.
    pub fn compiler(&self) -> &str {
        &self.syntax.compiler
    }

    /// The machine that it is compiled for: a triple such as `x86_64-pc-linux-gnu`.
    pub fn target(&self) -> &str {
        &self.loaded.target
    }

    /// Does the text mention atomic objects or operations? Other threads may change such objects at any time.
    pub fn has_atomics(&self) -> bool {
        let text = self.text.bytes();
        let mentions =
            |word: &&str| text.windows(word.len()).any(|window| window == word.as_bytes());
        ATOMIC.iter().any(mentions)
    }

    /// What cannot be measured, and why.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// What tests of a function set and see.
    pub fn interface(&self, function: &str) -> Result<Interface, LoadError> {
        self.interface_within(function, &self.settings)
    }

    /// The same with other sizes of inputs than those that the unit was loaded with.
    pub fn interface_within(
        &self,
        function: &str,
        settings: &Settings,
    ) -> Result<Interface, LoadError> {
        require_function(self.text.source(), function, &self.driver.functions)?;
        let module = &self.loaded.module;
        let mut interface = build_interface(&self.syntax, module, function, &self.driver, settings)
            .ok_or_else(|| no_function(self.text.source(), function, &self.driver.functions))?;
        for text in self.settings.preconditions_of(function) {
            let read = precondition::parse(text, &interface.inputs);
            interface.preconditions.push(read.map_err(|Misread { at, reason }| {
                let at = text[..at].chars().count();
                let (function, text) = (function.to_owned(), text.clone());
                LoadError::Precondition { function, text, at, reason }
            })?);
        }
        Ok(interface)
    }

    /// The same as suites know it.
    pub fn variables(&self, interface: &Interface) -> obligato_model::SuiteInterface {
        interface.variables(&self.settings)
    }

    /// Where a run ended, in the user's files: the innermost place that is in one.
    pub fn place_of(&self, finding: &Finding) -> Option<(String, Position)> {
        finding.stack.iter().find_map(|place| self.locate(place))
    }

    /// The functions that were running when a run ended, innermost first, each with its place. The driver is not among them.
    pub fn stack_of(&self, finding: &Finding) -> Vec<(&str, Option<(String, Position)>)> {
        let name = |entry: &StackEntry| self.loaded.module.function(entry.function).name.as_str();
        let own = finding.stack.iter().filter(|place| !is_of_driver(name(place)));
        own.map(|place| (name(place), self.locate(place))).collect()
    }

    /// Where an operation is, in the user's files.
    pub(crate) fn locate(&self, entry: &StackEntry) -> Option<(String, Position)> {
        let start = entry.position?;
        let end = Position { column: start.column + 1, ..start };
        let location = self.text.locate(Span { start, end })?;
        Some((self.text.files()[location.file].name.clone(), location.span.start))
    }

    /// The function in which a run ended.
    pub fn function_of(&self, finding: &Finding) -> Option<&str> {
        self.stack_of(finding).first().map(|(name, _)| *name)
    }

    /// What the outputs of a function held after a step, as tests see it.
    pub fn values(&self, interface: &Interface, step: &[Observed]) -> Vec<Value> {
        let values = interface.outputs.iter().zip(step).map(|(cell, observed)| match observed {
            Observed::Held(held) => value_of(interface, cell, held),
            Observed::Nothing => Value::Symbol("nothing".to_owned()),
            Observed::Hidden => Value::Symbol("hidden".to_owned()),
        });
        values.collect()
    }

    /// Its code.
    pub fn module(&self) -> &Module {
        &self.loaded.module
    }

    /// The operations whose execution means something.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// What the compiler has folded.
    pub fn folded(&self) -> &Folded {
        &self.folded
    }

    /// What the user says about its inputs.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The text that goes behind the unit's own, and what it stands in for.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// The function of the driver that calls a function.
    pub fn call_of(&self, function: &str) -> Option<CodeId> {
        let number = self.driver.functions.iter().position(|name| name == function)?;
        self.loaded.module.function_named(&name_of_call(number))
    }
}

/// Per function of the syntax, its code, if it is emitted and the function under test may call it.
fn codes_of(syntax: &Syntax, loaded: &Loaded, under_test: Option<&str>) -> Vec<Option<CodeId>> {
    let module = &loaded.module;
    let reached = under_test
        .and_then(|name| module.function_named(name))
        .map(|code| uses_of_globals(module, code).called);
    let code_of = |function: &obligato_clang::Function| {
        let code = module.function_named(&function.name)?;
        let is_reached = reached.as_ref().is_none_or(|reached| reached[code.index()]);
        (module.function(code).is_defined() && is_reached).then_some(code)
    };
    syntax.functions.iter().map(code_of).collect()
}

fn all_points(
    syntax: &Syntax,
    loaded: &Loaded,
    codes: &[Option<CodeId>],
    maps: &[Option<FunctionMap>],
    ids: &[FunctionIds],
    program: &Program,
) -> Vec<Point> {
    let mut points = Vec::new();
    let functions = syntax.functions.iter().zip(codes).zip(maps).zip(ids);
    for (((source, code), map), ids) in functions {
        if let (Some(code), Some(map)) = (code, map) {
            let function = MappedFunction { source, code: *code, map, ids };
            points.extend(points_of(function, &loaded.module, program));
        }
    }
    points
}

impl Locate for Text {
    fn locate(&self, span: Span) -> (String, Span) {
        match Text::locate(self, span) {
            Some(location) => (self.files()[location.file].name.clone(), location.span),
            None => (self.source().file.to_string_lossy().into_owned(), span),
        }
    }
}
