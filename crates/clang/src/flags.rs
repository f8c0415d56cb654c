//! The flags of a compilation, and which of them each step takes.
//!
//! A build's flags ask for more than we want: output files, optimisation, warnings as errors. What the text and
//! its meaning depend on is kept: what the preprocessor sees, the dialect, the target, the layout of types. What
//! only the preprocessor takes is left out once the text is preprocessed, or `-include` would act twice.

use crate::ClangError;

/// The flags of a compilation that matter here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    kept: Vec<(Reach, Vec<String>)>,
}

/// Which steps a flag is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Preprocessing.
    Preprocessor,
    /// Preprocessing, parsing and compiling.
    All,
    /// None of ours.
    Nothing,
}

/// Flags of which the value may be the next argument.
const WITH_VALUE: &[(&str, Reach)] = &[
    ("-D", Reach::Preprocessor),
    ("-U", Reach::Preprocessor),
    ("-I", Reach::Preprocessor),
    ("-include", Reach::Preprocessor),
    ("-imacros", Reach::Preprocessor),
    ("-isystem", Reach::Preprocessor),
    ("-iquote", Reach::Preprocessor),
    ("-idirafter", Reach::Preprocessor),
    ("-iprefix", Reach::Preprocessor),
    ("-iwithprefix", Reach::Preprocessor),
    ("-iwithprefixbefore", Reach::Preprocessor),
    ("-isysroot", Reach::Preprocessor),
    ("--sysroot", Reach::Preprocessor),
    ("-Xpreprocessor", Reach::Preprocessor),
    ("-target", Reach::All),
    ("-Xclang", Reach::All),
    ("-o", Reach::Nothing),
    ("-x", Reach::Nothing),
    ("-MF", Reach::Nothing),
    ("-MT", Reach::Nothing),
    ("-MQ", Reach::Nothing),
    ("-MJ", Reach::Nothing),
    ("-L", Reach::Nothing),
    ("-l", Reach::Nothing),
    ("-T", Reach::Nothing),
    ("-z", Reach::Nothing),
    ("-u", Reach::Nothing),
    ("-Xlinker", Reach::Nothing),
    ("-Xassembler", Reach::Nothing),
    ("-mllvm", Reach::Nothing),
    ("--param", Reach::Nothing),
    ("-aux-info", Reach::Nothing),
];

/// How flags begin that say nothing about what a program means, or that we set ourselves.
const IGNORED: &[&str] = &[
    "-O",
    "-g",
    "-M",
    "-W",
    "-w",
    "-save-temps",
    "--save-temps",
    "-pipe",
    "-v",
    "-###",
    "-c",
    "-S",
    "-E",
    "-P",
    "-emit-llvm",
    "-fsyntax-only",
    "-flto",
    "-fprofile",
    "-fcoverage",
    "--coverage",
    "-ftest-coverage",
    "-fsanitize",
    "-fno-sanitize",
    "-fcolor",
    "-fno-color",
    "-fdiagnostics",
    "-fno-diagnostics",
    "-fplugin",
    "-fcrash",
    "-ftime",
    "-fdebug",
    "-fmax-errors",
    "-ferror-limit",
    "-fmessage-length",
    "-pedantic",
    "--pedantic",
    "-rdynamic",
    "-shared",
    "-static",
    "-s",
    "-pie",
    "-no-pie",
    "-fuse-ld",
    "-fdump",
    "-fstack-usage",
    "-fsave-optimization-record",
    "-fopenmp",
];

/// Exceptions to that.
const KEPT: &[(&str, Reach)] = &[
    // It would write dependency files into the user's build.
    ("-Wp,-M", Reach::Nothing),
    ("-Wp,", Reach::Preprocessor),
    // They make errors of what the file relies on warnings again.
    ("-Wno-", Reach::All),
];

impl Flags {
    /// Sorts the flags of a compilation.
    pub fn new(arguments: &[String]) -> Result<Self, ClangError> {
        let mut kept = Vec::new();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if !argument.starts_with('-') || argument == "-" {
                return Err(ClangError::Input(format!(
                    "`{argument}` is no flag: give the flags of one file, each as an argument of its own"
                )));
            }
            let mut words = vec![argument.clone()];
            let mut reach = reach_of(argument);
            if let Some((_, with_value)) = WITH_VALUE.iter().find(|(name, _)| name == argument) {
                let value = rest.next().ok_or_else(|| {
                    ClangError::Input(format!("the flag `{argument}` needs a value behind it"))
                })?;
                if argument == "-x" && value != "c" {
                    let problem = format!("`-x {value}`: only C can be read");
                    return Err(ClangError::Input(problem));
                }
                words.push(value.clone());
                reach = *with_value;
            }
            if reach != Reach::Nothing {
                kept.push((reach, words));
            }
        }
        Ok(Self { kept })
    }

    /// For reading the original file.
    pub fn for_original(&self) -> Vec<String> {
        self.kept.iter().flat_map(|(_, words)| words.clone()).collect()
    }

    /// For reading preprocessed text.
    /// Is signed overflow defined, by wrapping around?
    pub fn wraps(&self) -> bool {
        let about = |flag: &&String| {
            matches!(
                flag.as_str(),
                "-fwrapv" | "-fno-wrapv" | "-fno-strict-overflow" | "-fstrict-overflow"
            )
        };
        let flags = self.for_text();
        let last = flags.iter().rev().find(about);
        last.is_some_and(|flag| flag == "-fwrapv" || flag == "-fno-strict-overflow")
    }

    pub(crate) fn for_text(&self) -> Vec<String> {
        let kept = self.kept.iter().filter(|(reach, _)| *reach == Reach::All);
        kept.flat_map(|(_, words)| words.clone()).collect()
    }
}

fn reach_of(argument: &str) -> Reach {
    if let Some((_, reach)) = KEPT.iter().find(|(start, _)| argument.starts_with(start)) {
        return *reach;
    }
    // Of flags that begin alike, the longest is meant: `-include` is not `-I`, and `-isystem` not `-i`.
    let named = WITH_VALUE.iter().filter(|(name, _)| argument.starts_with(name));
    if let Some((_, reach)) = named.max_by_key(|(name, _)| name.len()) {
        return *reach;
    }
    // `-std`, `-stdlib` begin as `-s` does, which stands alone.
    let ignored = |start: &&str| match *start {
        "-s" | "-v" | "-c" | "-S" | "-E" | "-P" | "-w" => argument == *start,
        start => argument.starts_with(start),
    };
    if IGNORED.iter().any(ignored) { Reach::Nothing } else { Reach::All }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(text: &str) -> Result<Flags, ClangError> {
        Flags::new(&text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn what_makes_the_text_is_not_given_to_those_who_read_it() {
        let flags = flags(
            "-std=gnu89 -DA=1 -D B -I. -include a.h -m32 -fpack-struct -Wno-error=implicit-int",
        );
        let flags = flags.unwrap();
        let text = ["-std=gnu89", "-m32", "-fpack-struct", "-Wno-error=implicit-int"];
        assert_eq!(flags.for_text(), text);
        assert_eq!(flags.for_original().len(), 10);
    }

    #[test]
    fn what_a_build_wants_besides_is_dropped() {
        let flags = flags(
            "-c -O2 -g3 -Wall -Werror -MD -MF a.d -o a.o -flto -fsanitize=address -s -pipe -lm -Wp,-MMD,a.d",
        );
        assert_eq!(flags.unwrap(), Flags::default());
    }

    #[test]
    fn files_other_languages_and_missing_values_are_refused() {
        for (text, problem) in [
            ("-O2 other.c", "`other.c` is no flag"),
            ("-x c++", "`-x c++`: only C can be read"),
            ("-DA -include", "the flag `-include` needs a value behind it"),
        ] {
            let message = flags(text).unwrap_err().to_string();
            assert!(message.starts_with(problem), "{text}: {message}");
        }
    }
}
