//! The language of a file, and which commands read it: the one place that refuses a file for its language.

use std::path::Path;

use crate::error::Error;
use crate::missing::no_file;
use crate::text::printable;

/// The language of a file, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileLanguage {
    /// `.c`, `.h`, or `.i`, which is preprocessed.
    C,
    /// C as well: a `.json` file that lists files with their flags.
    Commands,
    /// `.lus`.
    Lustre,
    /// Everything else.
    Unknown,
}

impl FileLanguage {
    /// The language of a file.
    pub fn of(file: &Path) -> Self {
        let extension = file.extension().unwrap_or_default().to_str().unwrap_or_default();
        match extension {
            "c" | "h" | "i" => Self::C,
            "json" => Self::Commands,
            _ if extension.eq_ignore_ascii_case("lus") => Self::Lustre,
            _ => Self::Unknown,
        }
    }

    /// What such a file is.
    fn words(self) -> &'static str {
        match self {
            Self::C => "a C file",
            Self::Commands => "a list of C files",
            Self::Lustre => "a Lustre model",
            Self::Unknown => "neither a Lustre model (.lus) nor a C file (.c, .h, .i)",
        }
    }
}

/// What a program is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Check,
    CheckProof,
    CompareStrategies,
    Experiment,
    Explain,
    Export,
    Fmt,
    Generate,
    Instrument,
    Measure,
    Mutate,
    Project,
    Prove,
    Reduce,
    Run,
}

impl Command {
    fn word(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::CheckProof => "check-proof",
            Self::CompareStrategies => "experiment --paper caut",
            Self::Experiment => "experiment",
            Self::Explain => "explain",
            Self::Export => "export",
            Self::Fmt => "fmt",
            Self::Generate | Self::Project => "generate",
            Self::Instrument => "instrument",
            Self::Measure => "measure",
            Self::Mutate => "mutate",
            Self::Prove => "prove",
            Self::Reduce => "reduce",
            Self::Run => "run",
        }
    }

    /// What it reads.
    fn takes(self) -> &'static str {
        match self {
            Self::Check => "Lustre models (.lus), C files and a compile_commands.json",
            Self::CompareStrategies => "C files (.c, .h, .i)",
            Self::Project => "the compile_commands.json of a project",
            Self::Experiment | Self::Fmt | Self::Mutate | Self::Prove => "Lustre models (.lus)",
            _ => "Lustre models (.lus) and C files (.c, .h, .i)",
        }
    }

    /// What to do instead with a file of a language; `None` if it is taken.
    fn way_out(self, language: FileLanguage) -> Option<&'static str> {
        use FileLanguage::{C, Commands, Lustre, Unknown};
        match (self, language) {
            (_, Unknown) => Some("the name of a model ends in .lus, that of a C file in .c"),
            (Self::CompareStrategies, Lustre) => {
                Some("without --paper the criteria are compared for models")
            }
            (Self::Project, Lustre | C) => Some("generate for the file by itself"),
            (Self::Check, _) | (_, Lustre) | (Self::Project, Commands) => None,
            (Self::Experiment, C | Commands) => {
                Some("--paper caut compares the search strategies for C files")
            }
            (Self::Fmt, C | Commands) => Some("clang-format lays out C files"),
            (Self::Mutate, C | Commands) => Some(
                "'generate' makes tests of C functions, and --criterion omcdc asks of them that effects are seen",
            ),
            (Self::Prove, C | Commands) => Some(
                "'generate' proves of C functions what no test can cover, and 'instrument' writes them for CBMC",
            ),
            (Self::Generate, Commands) => Some("name a C file of it, or generate for the project"),
            (_, Commands) => Some("name one C file of it, and --function"),
            (_, C) => None,
        }
    }

    /// The language of a file that is read for this; the error that it is none that this reads.
    pub(crate) fn expect_language(self, file: &Path) -> Result<FileLanguage, Error> {
        let language = FileLanguage::of(file);
        let Some(way_out) = self.way_out(language) else { return Ok(language) };
        if language == FileLanguage::Unknown && !file.exists() {
            return Err(no_file(file));
        }
        let path = printable(&file.display().to_string());
        Err(Error::Input {
            message: format!(
                "'{}' takes {}, and {path} is {}",
                self.word(),
                self.takes(),
                language.words()
            ),
            way_out: way_out.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(command: Command, file: &str) -> Option<String> {
        command.expect_language(Path::new(file)).err().map(|error| error.to_string())
    }

    #[test]
    fn a_command_refuses_what_it_does_not_read_and_says_what_does() {
        let fmt = refusal(Command::Fmt, "limiter.c").unwrap();
        let expected = "'fmt' takes Lustre models (.lus), and limiter.c is a C file; \
                        clang-format lays out C files";
        assert_eq!(fmt, expected);
        let measure = refusal(Command::Measure, "compile_commands.json").unwrap();
        assert!(measure.ends_with("is a list of C files; name one C file of it, and --function"));
        assert_eq!(refusal(Command::Check, "compile_commands.json"), None);
        assert_eq!(refusal(Command::Reduce, "limiter.c"), None);
        assert_eq!(refusal(Command::Fmt, "limiter.LUS"), None);
    }

    #[test]
    fn a_file_of_no_known_language_is_not_called_a_model() {
        let said = refusal(Command::Run, "Cargo.toml").unwrap();
        assert!(
            said.contains("Cargo.toml is neither a Lustre model (.lus) nor a C file"),
            "{said}"
        );
        let said = refusal(Command::Instrument, "nofile.xyz").unwrap();
        assert!(said.contains("nofile.xyz: there is no such file"), "{said}");
    }
}
