//! Compiles a unit with its driver, and refuses functions that it cannot call.

use std::path::{Path, PathBuf};

use obligato_clang::{Callable, ClangError, Parameter, Source, Syntax, Text};
use obligato_model::{Position, Span};

use super::LoadError;
use crate::driver::{Driver, write_driver};
use crate::settings::Settings;

/// A unit with its driver, compiled.
pub(super) struct Compiled {
    pub(super) driver: Driver,
    pub(super) bitcode: PathBuf,
    /// What the driver cannot be written for.
    pub(super) left_out: Vec<String>,
}

/// So many times the driver is written again without what the compiler does not take. Each time all of it is found that
/// the compiler names before it gives up.
const MOST_ATTEMPTS: usize = 16;

/// Compiles a unit with its driver. A function with a type that only itself can name, as in `f(struct { int x; } p)`, is
/// left out of the driver, not the whole file.
pub(super) fn compile_unit(
    text: &Text,
    syntax: &Syntax,
    called: &[String],
    settings: &Settings,
    directory: &Path,
) -> Result<Compiled, ClangError> {
    let own_lines = text.bytes().split_inclusive(|byte| *byte == b'\n').count();
    let mut left_out: Vec<String> = Vec::new();
    let mut last = String::new();
    for _ in 0..MOST_ATTEMPTS {
        let driver =
            write_driver(syntax, called, obligato_execute::is_modelled, settings, &left_out);
        match text.compile(&driver.text, directory) {
            Ok(bitcode) => return Ok(Compiled { driver, bitcode, left_out }),
            Err(ClangError::Internal(message)) => {
                let refused = driver.named_in(&refused_lines(&message, own_lines));
                if refused.is_empty() {
                    return Err(ClangError::Internal(message));
                }
                left_out.extend(refused);
                last = message;
            }
            Err(other) => return Err(other),
        }
    }
    let first = last.lines().find(|line| line.contains("error:")).unwrap_or_default();
    Err(ClangError::Internal(format!("the driver is refused again and again: {first}")))
}

/// The lines behind the unit's own, from 0, in which a compiler finds errors.
fn refused_lines(message: &str, own_lines: usize) -> Vec<usize> {
    let line_of = |line: &str| {
        let (number, rest) = line.strip_prefix("unit.i:")?.split_once(':')?;
        let is_error = rest.contains(": error:") || rest.contains(": fatal error:");
        let number: usize = number.parse().ok().filter(|_| is_error)?;
        number.checked_sub(own_lines + 1)
    };
    message.lines().filter_map(line_of).collect()
}

pub(super) fn require_callable(
    source: &Source,
    syntax: &Syntax,
    name: &str,
    left_out: &[String],
) -> Result<(), LoadError> {
    if !left_out.iter().any(|one| one == name) {
        return Ok(());
    }
    let (file, function) = (source.file.clone(), name.to_owned());
    let callable = syntax.callables.iter().find(|one| one.name == name);
    let parameters = callable.map(|one| one.parameters.as_slice()).unwrap_or_default();
    Err(match parameters.iter().find(|one| one.variable) {
        Some(Parameter { name: parameter, .. }) => {
            LoadError::VariableArrays { file, name: function, parameter: parameter.clone() }
        }
        None => LoadError::NotCallable { file, name: function },
    })
}

/// The functions without a definition that headers of the system declare.
pub(super) fn declared_by_system(text: &Text, driver: &Driver) -> Vec<String> {
    let is_system = |callable: &&Callable| {
        let start = callable.position;
        let end = Position { column: start.column + 1, ..start };
        let location = text.locate(Span { start, end });
        location
            .is_some_and(|location| text.files()[location.file].name.starts_with(SYSTEM_HEADERS))
    };
    driver.outside.iter().filter(is_system).map(|callable| callable.name.clone()).collect()
}

/// Where headers of the system lie.
const SYSTEM_HEADERS: &str = "/usr/";

/// Those that are defined in the file itself; in a header only the one under test.
pub(super) fn functions_to_call(
    text: &Text,
    syntax: &Syntax,
    under_test: Option<&str>,
) -> Vec<String> {
    let file = &text.source().file;
    let is_here = |span: Span| {
        let location = text.locate(span);
        location.is_none_or(|location| text.files()[location.file].name == file.to_string_lossy())
    };
    let functions = syntax.functions.iter();
    let wanted = functions
        .filter(|one| is_here(one.span) || under_test.is_some_and(|name| one.name == name));
    wanted.map(|one| one.name.clone()).collect()
}

pub(super) fn require_function(
    source: &Source,
    name: &str,
    known: &[String],
) -> Result<(), LoadError> {
    let found = known.iter().any(|one| one == name);
    if found { Ok(()) } else { Err(no_function(source, name, known)) }
}

/// At most so many functions are listed in a message.
const MOST_LISTED: usize = 10;

pub(super) fn no_function(source: &Source, name: &str, known: &[String]) -> LoadError {
    let mut listed: Vec<String> =
        known.iter().take(MOST_LISTED).map(|name| format!("'{name}'")).collect();
    if known.len() > MOST_LISTED {
        listed.push(format!("and {} more", known.len() - MOST_LISTED));
    }
    let known = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
    LoadError::NoFunction { file: source.file.clone(), name: name.to_owned(), known }
}
