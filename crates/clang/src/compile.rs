//! From text to bitcode and machine code.
//!
//! What is compiled is the text, perhaps with more text behind it that calls the unit's functions; never anything
//! in between, and nothing runs on the bitcode: passes merge short-circuit conditions and lose what
//! MC/DC is about.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{Job, file_error};
use crate::source::CLANG;
use crate::{ClangError, Text};

/// How bitcode is made: unoptimised, with places, and with no pass on it; for a shared library, since a copy of it becomes one.
const BITCODE: &[&str] = &[
    "-O0",
    "-g",
    "-fPIC",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-O0-optnone",
    "-emit-llvm",
    "-c",
];

/// A compiler for machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// clang 19.
    Clang,
    /// The machine's gcc.
    Gcc,
}

impl Compiler {
    fn program(self) -> &'static str {
        match self {
            Self::Clang => CLANG,
            Self::Gcc => "gcc",
        }
    }
}

impl Text {
    /// Writes the text, with `added` behind it, to a file that a compiler takes for preprocessed C.
    pub fn write(&self, added: &str, file: &Path) -> Result<(), ClangError> {
        let mut bytes = self.bytes().to_vec();
        if !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(added.as_bytes());
        fs::write(file, bytes).map_err(|error| file_error(file, &error))
    }

    /// Compiles the text, with `added` behind it, to bitcode in a directory of the caller; answers with its file.
    pub fn compile(&self, added: &str, directory: &Path) -> Result<PathBuf, ClangError> {
        let text = directory.join("unit.i");
        let bitcode = directory.join("unit.bc");
        self.write(added, &text)?;
        let mut arguments: Vec<String> = BITCODE.iter().map(|&flag| flag.to_owned()).collect();
        arguments.extend(["-x", "cpp-output", "unit.i", "-o", "unit.bc"].map(str::to_owned));
        self.run(Compiler::Clang, arguments, directory)?;
        Ok(bitcode)
    }

    /// Builds files in `directory` (preprocessed text, C, bitcode, objects) into a program or, with `-c`, an object,
    /// with the flags of the unit and these.
    pub fn build(
        &self,
        compiler: Compiler,
        flags: &[&str],
        inputs: &[&str],
        output: &str,
        directory: &Path,
    ) -> Result<PathBuf, ClangError> {
        let mut arguments: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        arguments.extend(inputs.iter().map(|&input| input.to_owned()));
        arguments.extend(["-o", output, "-lm"].map(str::to_owned));
        self.run(compiler, arguments, directory)?;
        Ok(directory.join(output))
    }

    fn run(
        &self,
        compiler: Compiler,
        arguments: Vec<String>,
        directory: &Path,
    ) -> Result<(), ClangError> {
        let mut all = vec!["-w".to_owned()];
        if compiler == Compiler::Clang {
            all.push("-fno-crash-diagnostics".to_owned());
        }
        all.extend(self.source().flags.for_text());
        all.extend(arguments);
        let subject = &self.source().file;
        let job = Job { program: compiler.program(), arguments: all, directory, subject };
        // The file itself compiles, or there would be no text: what fails here is ours.
        match job.succeed(self.source().limits) {
            Err(ClangError::Rejected(message)) => Err(ClangError::Internal(format!(
                "{}: what is compiled in its place is refused:\n{message}",
                subject.display()
            ))),
            other => other.map(|_| ()),
        }
    }
}
