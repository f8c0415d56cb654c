//! The arguments that say which program is meant: a Lustre model or a C file.

use std::path::PathBuf;

use clap::{Arg, Args};
use obligato::subject::SubjectOptions;

pub use obligato::subject::FileLanguage;

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

impl SubjectArgs {
    /// The program, as the library is asked for it.
    pub fn options(&self) -> SubjectOptions {
        SubjectOptions { unit: self.unit.options(), ..self.model.options() }
    }

    /// The language of the file.
    pub fn language(&self) -> FileLanguage {
        FileLanguage::of(&self.model.file)
    }

    /// The same of another file.
    pub fn with_file(&self, file: PathBuf) -> Self {
        let mut other = self.clone();
        other.model.file = file;
        other
    }

    /// Options of C files are read, so that what refuses a file can say why, but not shown for a command that takes none.
    pub(super) fn hide_unit_options(option: Arg) -> Arg {
        let is_of_unit = option.get_help_heading().is_some_and(UnitArgs::has_heading);
        option.hide(is_of_unit)
    }

    /// The positional argument names a file of either language.
    pub(super) fn ask_for_either(file: Arg) -> Arg {
        file.value_name("FILE").help("The Lustre model (.lus) or the C file (.c)")
    }
}
