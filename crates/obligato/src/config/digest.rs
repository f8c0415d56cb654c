//! What a file of settings says of inputs, as a digest: gates ask whether it still says so.

use std::path::Path;

use obligato_store::evidence::SourceDigest;
use obligato_store::sha256;

use super::Configuration;
use crate::evidence::named;

impl Configuration {
    /// The digest of what a file says of inputs. What it requires of results (`[gate]`) and how it is written do not count, and a file that is not there says nothing.
    pub fn digest(file: &Path) -> SourceDigest {
        Self::digest_at(&named(file), file)
    }

    /// The same of the file at a path, under its name.
    pub fn digest_at(name: &str, path: &Path) -> SourceDigest {
        let bytes = std::fs::read(path).unwrap_or_default();
        let said = std::str::from_utf8(&bytes).ok().and_then(said_of_inputs);
        let sha256 = sha256::digest(said.as_deref().unwrap_or(&bytes));
        SourceDigest { file: name.to_owned(), sha256 }
    }
}

/// The tables in an order of their own; none if it is no TOML.
fn said_of_inputs(text: &str) -> Option<Vec<u8>> {
    let mut document: toml::Table = toml::from_str(text).ok()?;
    document.remove("gate");
    let value = serde_json::to_value(document).ok()?;
    serde_json::to_vec(&value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_of_inputs_counts_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("obligato.toml");
        let digest = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Configuration::digest_at("obligato.toml", &path)
        };
        let none = Configuration::digest_at("obligato.toml", &directory.path().join("none.toml"));
        assert_eq!(digest("# nothing\n[gate.require]\nmcdc = 100\n"), none);
        let ranges = digest("[inputs.ranges]\nx = \"0..3\"\ny = \"1..2\"\n");
        assert_eq!(
            digest("[inputs]\nranges = { y = \"1..2\", x = \"0..3\" } # as before\n"),
            ranges
        );
        assert_ne!(digest("[inputs.ranges]\nx = \"0..4\"\ny = \"1..2\"\n"), ranges);
        assert_ne!(digest("[inputs.ranges"), none);
    }
}
