//! Version numbers: finding one in what a tool prints, and judging it.

use std::fmt;

/// Which versions will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Whatever is installed.
    Any,
    /// Exactly this major version.
    Major(u32),
    /// This major and minor version or a later one.
    AtLeast(u32, u32),
}

impl Wanted {
    /// Whether `version` will do. An unknown version does only where any does.
    pub fn accepts(self, version: Option<&str>) -> bool {
        let parsed = version.map(major_minor);
        match (self, parsed) {
            (Self::Any, _) => true,
            (Self::Major(wanted), Some((major, _))) => major == wanted,
            (Self::AtLeast(major, minor), Some(found)) => found >= (major, minor),
            (_, None) => false,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => write!(formatter, "any"),
            Self::Major(major) => write!(formatter, "{major}"),
            Self::AtLeast(major, minor) => write!(formatter, "{major}.{minor} or newer"),
        }
    }
}

fn major_minor(version: &str) -> (u32, u32) {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// The first dotted number that does not belong to a word: in "Z3 version 4.8.12" it is 4.8.12.
pub fn find_version(text: &str) -> Option<String> {
    let is_number = |character: char| character.is_ascii_digit() || character == '.';
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.');
    text.split(|character| !is_word(character))
        .filter(|word| word.starts_with(|first: char| first.is_ascii_digit()))
        .map(|word| word.split(|character| !is_number(character)).next().unwrap_or_default())
        .map(|number| number.trim_end_matches('.'))
        .find(|number| number.contains('.'))
        .map(ToOwned::to_owned)
}

/// The version in a library's file name: `libzstd.so.1.5.4` says 1.5.4.
pub fn version_of_library(file_name: &str) -> Option<String> {
    let (_, version) = file_name.split_once(".so.")?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_print() {
        let printed = [
            ("Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64-pc-linux-gnu", "19.1.7"),
            ("Z3 version 4.8.12 - 64 bit", "4.8.12"),
            ("cc (Debian 12.2.0-14+deb12u1) 12.2.0", "12.2.0"),
            ("Ubuntu clang version 19.1.1.", "19.1.1"),
            ("#define Z3_MAJOR_VERSION 4\n#define Z3_FULL_VERSION \"4.8.12.0\"", "4.8.12.0"),
            ("Apple clang 16.0.0git", "16.0.0"),
        ];
        for (text, version) in printed {
            assert_eq!(find_version(text).as_deref(), Some(version), "{text}");
        }
        assert_eq!(find_version("no version of x3.5 here, 64 bit"), None);
    }

    #[test]
    fn a_major_version_is_exact_and_a_minimum_is_open_above() {
        assert!(Wanted::Major(19).accepts(Some("19.1.7")));
        assert!(!Wanted::Major(19).accepts(Some("20.1.0")));
        assert!(!Wanted::Major(19).accepts(Some("14.0.6")));
        assert!(Wanted::AtLeast(4, 8).accepts(Some("4.8.12")));
        assert!(Wanted::AtLeast(4, 8).accepts(Some("5.0")));
        assert!(!Wanted::AtLeast(4, 8).accepts(Some("4.7.9")));
    }

    #[test]
    fn an_unknown_version_does_only_where_any_does() {
        assert!(Wanted::Any.accepts(None));
        assert!(!Wanted::Major(19).accepts(None));
        assert!(!Wanted::AtLeast(4, 8).accepts(None));
    }
}
