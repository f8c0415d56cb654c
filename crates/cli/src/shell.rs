//! Words as a shell takes them, for commands that are ready to be typed.

use std::path::Path;

use clap::ValueEnum;

use crate::args::{ModelArgs, SubjectArgs, UnitArgs, format_word};

/// A model, at some place in it, as it was asked for.
pub fn model_words(model: &ModelArgs, place: &str) -> String {
    let main = model.main.iter().map(|main| format!(" --main {}", quote(main)));
    let inline = model.inline.then(|| " --inline".to_owned());
    let file = format!(" {}{place}", quote_path(&model.file));
    [file].into_iter().chain(main).chain(inline).collect()
}

/// A program, at some place in it, as it was asked for, without flags for clang.
pub fn subject_words(subject: &SubjectArgs, place: &str) -> String {
    let UnitArgs { function, logical_only, no_native, config, inputs, flags: _ } = &subject.unit;
    let function = function.iter().map(|name| format!(" --function {}", quote(name)));
    let switches = [(*logical_only, " --logical-only"), (*no_native, " --no-native")];
    let switches = switches.iter().filter(|(set, _)| *set).map(|(_, name)| (*name).to_owned());
    let config = config.iter().map(|file| format!(" --config {}", quote_path(file)));
    let inputs = inputs.words().into_iter().map(|word| format!(" {}", quote(&word)));
    let model = model_words(&subject.model, place);
    [model].into_iter().chain(function).chain(switches).chain(config).chain(inputs).collect()
}

/// The flags for clang, which come last.
pub fn flag_words(subject: &SubjectArgs) -> String {
    let flags = &subject.unit.flags;
    let dashes = (!flags.is_empty()).then(|| " --".to_owned());
    dashes.into_iter().chain(flags.iter().map(|flag| format!(" {}", quote(flag)))).collect()
}

/// A suite, if there is one, and what is observed, as they were asked for.
pub fn suite_words(
    tests: Option<&Path>,
    from: Option<impl ValueEnum>,
    observe: &[String],
) -> String {
    let tests = tests.map(|tests| format!(" --tests {}", quote_path(tests)));
    let from = from.map(|format| format!(" --from {}", format_word(&format)));
    let observe =
        (!observe.is_empty()).then(|| format!(" --observe {}", quote(&observe.join(","))));
    [tests, from, observe].into_iter().flatten().collect()
}

/// A word as a shell takes it.
pub fn quote(word: &str) -> String {
    quote_bytes(word.as_bytes())
}

/// A path as a shell takes it.
pub fn quote_path(path: &Path) -> String {
    quote_bytes(path.as_os_str().as_encoded_bytes())
}

/// A word as a shell takes it, on one line and without anything that a terminal obeys.
fn quote_bytes(word: &[u8]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_./:,=-+@%".contains(c);
    match str::from_utf8(word) {
        Ok(text) if !text.is_empty() && text.chars().all(plain) => text.to_owned(),
        Ok(text) if !text.contains(char::is_control) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        _ => quote_escaped(word),
    }
}

/// `$'…'`, which bash, zsh, ksh and POSIX since 2024 read: bytes that cannot be shown as octal
/// numbers.
fn quote_escaped(word: &[u8]) -> String {
    let mut quoted = "$'".to_owned();
    for chunk in word.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => quoted.push_str(r"\n"),
                '\t' => quoted.push_str(r"\t"),
                '\'' | '\\' => quoted.extend(['\\', character]),
                _ if character.is_control() => {
                    let mut bytes = [0; 4];
                    quoted += &octal(character.encode_utf8(&mut bytes).as_bytes());
                }
                _ => quoted.push(character),
            }
        }
        quoted += &octal(chunk.invalid());
    }
    quoted + "'"
}

fn octal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:03o}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_take_apart_are_quoted() {
        assert_eq!(quote("a/b.csv"), "a/b.csv");
        assert_eq!(quote("x && y"), "'x && y'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }

    #[test]
    fn what_a_terminal_would_obey_is_spelled_so_that_a_shell_takes_it_back() {
        assert_eq!(quote("a\nb"), r"$'a\nb'");
        assert_eq!(quote("it's \u{1b}[31m\\"), r"$'it\'s \033[31m\\'");
        assert_eq!(quote("\u{9b}1"), r"$'\302\2331'");
        assert_eq!(quote_bytes(b"a\xff'"), r"$'a\377\''");
    }
}
