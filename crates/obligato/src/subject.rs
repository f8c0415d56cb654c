//! Which program is meant, and how it is read.

use std::path::{Path, PathBuf};

mod inputs;

pub use inputs::{Elements, InputOptions, NamedRange, Overflow, Range, State};

/// A program in a file, of either language.
#[derive(Debug, Clone, Default)]
pub struct SubjectOptions {
    /// The file.
    pub file: PathBuf,
    /// How a Lustre model is read.
    pub model: ModelOptions,
    /// How a C file is read.
    pub unit: UnitOptions,
}

/// How a Lustre model is read.
#[derive(Debug, Clone, Default)]
pub struct ModelOptions {
    /// The node to test, in place of the one the file names.
    pub main: Option<String>,
    /// Whether intermediate Boolean variables are replaced by their definitions.
    pub inline: bool,
}

/// How a C file is read.
#[derive(Debug, Clone, Default)]
pub struct UnitOptions {
    /// The function under test; the only one of the file if none is named.
    pub function: Option<String>,
    /// Whether `&`, `|`, `^`, `==` and `!=` on Boolean operands are part of conditions, and do not join them.
    pub logical_only: bool,
    /// Whether tests run on the executor only, not as machine code too.
    pub no_native: bool,
    /// The configuration file; the `obligato.toml` beside the C file if none is named.
    pub config: Option<PathBuf>,
    /// What inputs there are.
    pub inputs: InputOptions,
    /// Flags for clang.
    pub flags: Vec<String>,
}

impl SubjectOptions {
    /// The program in a file, read as usual.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// The same, with another function under test.
    #[must_use]
    pub fn with_function(mut self, name: impl Into<String>) -> Self {
        self.unit.function = Some(name.into());
        self
    }

    /// The language of the file.
    pub fn language(&self) -> Language {
        Language::of(&self.file)
    }
}

/// The language of a file, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `.c`, `.h`, or `.i`, which is preprocessed.
    C,
    /// C as well: a `.json` file that lists files with their flags.
    Commands,
    /// Everything else: readers of models say what they do not take.
    Lustre,
}

impl Language {
    /// The language of a file.
    pub fn of(file: &Path) -> Self {
        let extension = file.extension().unwrap_or_default();
        match extension.to_str().unwrap_or_default() {
            "c" | "h" | "i" => Self::C,
            "json" => Self::Commands,
            _ => Self::Lustre,
        }
    }
}

/// What kind of thing is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubjectKind {
    /// Decisions written as text.
    Decisions,
    /// The outline of a program.
    Outline,
    /// A Lustre model.
    Model,
    /// A C function.
    Unit,
}
