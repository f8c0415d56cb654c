//! Directories to write into. Files are written by `obligato_store::file`, beside and then renamed.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::Error;

/// Makes the directory `path` unless it is there.
pub fn ensure_directory(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => Error::Input {
            message: format!("'{}' is not a directory", path.display()),
            way_out: "name a directory to write into".to_owned(),
        },
        _ => Error::MakeDirectory { path: path.to_owned(), source },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Blame;

    #[test]
    fn a_file_where_a_directory_should_be_is_an_input_error() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("below")] {
            assert_eq!(ensure_directory(&path).unwrap_err().blame(), Blame::Input);
        }
    }
}
