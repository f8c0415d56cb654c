//! Golden files: what a test saw when somebody last read the difference.

use std::path::Path;
use std::{env, fs};

/// Are golden files to be rewritten? `make bless` asks for it.
pub fn is_blessing() -> bool {
    env::var_os("BLESS").is_some()
}

/// Compares with a golden file, or rewrites it.
#[track_caller]
pub fn assert_golden(path: &Path, actual: &str) {
    if is_blessing() {
        let directory = path.parent().expect("a golden file is in a directory");
        fs::create_dir_all(directory).expect("the directory of a golden file can be made");
        fs::write(path, actual).expect("a golden file can be written");
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected != actual {
        let pairs = (1..).zip(expected.lines().zip(actual.lines()));
        let first = pairs.into_iter().find(|(_, (expected, actual))| expected != actual);
        let place = first.map_or_else(String::new, |(line, (expected, actual))| {
            format!("\nline {line}\n- {expected}\n+ {actual}")
        });
        let path = path.display();
        panic!("{path} differs; run 'make bless CRATE=…' and read the difference{place}\n{actual}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScratchFile;

    #[test]
    fn the_same_text_passes() {
        let file = ScratchFile::new("golden.txt", "one\ntwo\n");
        assert_golden(file.path(), "one\ntwo\n");
    }

    #[test]
    #[should_panic(expected = "line 2\n- two\n+ three")]
    fn another_text_fails_with_its_first_difference() {
        let file = ScratchFile::new("golden.txt", "one\ntwo\n");
        assert_golden(file.path(), "one\nthree\n");
    }

    #[test]
    #[should_panic(expected = "differs")]
    fn a_missing_file_fails() {
        let file = ScratchFile::new("golden.txt", "");
        assert_golden(&file.directory().join("absent.txt"), "one\n");
    }
}
