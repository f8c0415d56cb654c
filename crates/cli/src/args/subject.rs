//! The arguments that say which program is meant: a Lustre model or a C file.

use std::path::{Path, PathBuf};

use clap::{Arg, Args};

use super::{ModelArgs, UnitArgs};

/// A program, for the commands that take either kind.
#[derive(Debug, Clone, Args)]
pub struct SubjectArgs {
    /// The file, and how a model is read.
    #[command(flatten)]
    pub model: ModelArgs,
    /// How a C file is read.
    #[command(flatten)]
    pub unit: UnitArgs,
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

impl SubjectArgs {
    /// The language of the file.
    pub fn language(&self) -> Language {
        Language::of(&self.model.file)
    }

    /// The same of another file.
    pub fn with_file(&self, file: PathBuf) -> Self {
        let mut other = self.clone();
        other.model.file = file;
        other
    }

    /// The positional argument names a file of either language.
    pub(super) fn ask_for_either(file: Arg) -> Arg {
        file.value_name("FILE").help("The Lustre model (.lus) or the C file (.c)")
    }
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
