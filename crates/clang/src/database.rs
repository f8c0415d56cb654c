//! Compilation databases: `compile_commands.json` as build systems write it.
//!
//! Each entry says where the compiler ran, on which file, and with which arguments, either as a list or as one line for a
//! shell. Entries that are not for us are named, with the reason, and the others are used.

use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use serde::Deserialize;

use crate::process::file_error;
use crate::{ClangError, Flags, Limits, Source};

/// What a compilation database says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Database {
    /// The C files, in order.
    pub sources: Vec<Source>,
    /// The files that are left out, each with the reason.
    pub left_out: Vec<(PathBuf, String)>,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// A larger file is no compilation database.
const LARGEST: u64 = 256 << 20;

/// Programs that stand before the compiler.
const LAUNCHERS: &[&str] = &["ccache", "sccache", "distcc", "icecc", "time"];

impl Database {
    /// Reads a compilation database.
    pub fn read(file: &Path, limits: Limits) -> Result<Self, ClangError> {
        let size = fs::metadata(file).map_err(|error| file_error(file, &error))?.len();
        if size > LARGEST {
            let reason = format!("it has {size} bytes, more than the {LARGEST} that are read");
            return Err(ClangError::File { file: file.to_owned(), reason });
        }
        let text = fs::read(file).map_err(|error| file_error(file, &error))?;
        let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|error| {
            let reason = format!("this is no compilation database: {error}");
            ClangError::File { file: file.to_owned(), reason }
        })?;
        let root = file.parent().unwrap_or(Path::new(""));
        let mut database = Self::default();
        let mut known = FxHashSet::default();
        for entry in entries {
            let name = entry.file.clone();
            match source(entry, root, limits) {
                Ok(source) if known.insert(source.directory.join(&source.file)) => {
                    database.sources.push(source);
                }
                Ok(_) => {
                    let reason = "it is compiled more than once; the first time counts".to_owned();
                    database.left_out.push((name, reason));
                }
                Err(reason) => database.left_out.push((name, reason)),
            }
        }
        Ok(database)
    }
}

/// The file of an entry with its flags, or why it cannot be used.
fn source(entry: Entry, root: &Path, limits: Limits) -> Result<Source, String> {
    let Entry { directory, file, arguments, command } = entry;
    if file.extension().is_none_or(|extension| extension != "c") {
        return Err("it is not C".to_owned());
    }
    let words = match (arguments, command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => split_words(&command)?,
        (None, None) => return Err("its entry has neither arguments nor a command".to_owned()),
    };
    let directory = root.join(directory);
    let path = directory.join(&file);
    let is_launcher = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or(word);
        LAUNCHERS.contains(&name)
    };
    let mut words = words.into_iter().skip_while(|word| is_launcher(word));
    if words.next().is_none() {
        return Err("its entry has no compiler".to_owned());
    }
    let is_other = |word: &String| word != "--" && directory.join(word) != path;
    let flags: Vec<String> = words.filter(is_other).collect();
    let flags = Flags::new(&flags).map_err(|error| error.to_string())?;
    Ok(Source { file, directory, flags, limits })
}

/// Splits a line into words as a shell does: blanks, quotes, backslashes.
fn split_words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_ascii_whitespace() => words.extend(word.take()),
            (None | Some('"'), '\\') => {
                let next = rest.next().ok_or("its command ends with a backslash")?;
                let word = word.get_or_insert_default();
                // Between double quotes a backslash only protects what is special there.
                if quote.is_some() && !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    if quote.is_some() {
        return Err("its command has a quote that does not end".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Database, ClangError> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("compile_commands.json");
        fs::write(&file, text).unwrap();
        Database::read(&file, Limits::default())
    }

    #[test]
    fn a_line_is_split_as_a_shell_does() {
        let line = r#"cc -DA="a b" '-DB="c"' -DC=\"d\ e\" "f\g" ''"#;
        let words = split_words(line).unwrap();
        assert_eq!(words, ["cc", "-DA=a b", "-DB=\"c\"", "-DC=\"d e\"", "f\\g", ""]);
        assert!(split_words("cc 'a").is_err());
        assert!(split_words("cc a\\").is_err());
    }

    #[test]
    fn entries_become_files_with_the_flags_that_matter() {
        let database = read(
            r#"[{"directory": "/w", "file": "a.c", "command": "ccache gcc -O2 -DX=1 -c a.c -o a.o"},
                {"directory": "/w", "file": "b.c", "arguments": ["cc", "-I", "inc", "/w/b.c"], "output": "b"}]"#,
        )
        .unwrap();
        let flags: Vec<_> =
            database.sources.iter().map(|source| source.flags.for_original()).collect();
        assert_eq!(flags, [vec!["-DX=1"], vec!["-I", "inc"]]);
        assert_eq!(database.left_out, []);
    }

    #[test]
    fn what_cannot_be_used_is_named_with_the_reason() {
        let database = read(
            r#"[{"directory": "/w", "file": "a.cpp", "command": "g++ a.cpp"},
                {"directory": "/w", "file": "b.c"},
                {"directory": "/w", "file": "c.c", "command": "cc 'c.c"},
                {"directory": "/w", "file": "d.c", "command": "cc d.c e.c"},
                {"directory": "/w", "file": "f.c", "command": "cc f.c"},
                {"directory": "/w", "file": "f.c", "command": "cc -DTWICE f.c"},
                {"directory": "/w", "file": "g.c", "arguments": []}]"#,
        )
        .unwrap();
        assert_eq!(database.sources.len(), 1);
        let reasons: Vec<String> = database
            .left_out
            .iter()
            .map(|(file, reason)| format!("{}: {reason}", file.display()))
            .collect();
        assert_eq!(
            reasons,
            [
                "a.cpp: it is not C",
                "b.c: its entry has neither arguments nor a command",
                "c.c: its command has a quote that does not end",
                "d.c: `e.c` is no flag: give the flags of one file, each as an argument of its own",
                "f.c: it is compiled more than once; the first time counts",
                "g.c: its entry has no compiler",
            ]
        );
    }

    #[test]
    fn what_is_no_database_is_refused_with_its_place() {
        for text in ["", "{", "[{\"file\": 3}]", "{\"directory\": \"x\"}"] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains("this is no compilation database: "), "{message}");
            assert!(message.contains(" line "), "{message}");
        }
    }
}
