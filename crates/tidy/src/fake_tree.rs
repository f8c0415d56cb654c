//! Tiny made-up source trees for the checks' own tests.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A source tree that is deleted at the end of the test.
pub struct FakeTree(TempDir);

impl FakeTree {
    /// A tree of the given paths and texts.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(directory)
    }

    /// A workspace whose members are `(name, dependency lines)` in this order, all with the
    /// package names ours have.
    pub fn workspace(members: &[(&str, &str)]) -> Self {
        let mut root = String::from("[workspace]\nmembers = [\n");
        let mut files = Vec::new();
        for (name, dependencies) in members {
            writeln!(root, "    \"crates/{name}\",").unwrap();
            let package =
                if *name == "obligato" { "obligato" } else { &format!("obligato-{name}") };
            let manifest = format!("[package]\nname = \"{package}\"\n\n{dependencies}\n");
            files.push((format!("crates/{name}/Cargo.toml"), manifest));
        }
        root += "]\n[workspace.dependencies]\nshort = { package = \"clap\", version = \"4\" }\n";
        files.push(("Cargo.toml".to_owned(), root));
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        Self::new(&files)
    }

    /// Where the tree is.
    pub fn root(&self) -> &Path {
        self.0.path()
    }
}
