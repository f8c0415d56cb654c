//! Words as a shell takes them, for commands that are ready to be typed.

use std::path::Path;

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
