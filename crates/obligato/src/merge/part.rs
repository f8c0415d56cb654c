//! One of the results that are merged, as it is stored.

use std::path::{Path, PathBuf};

use obligato_model::TestCase;
use obligato_store::file::Draft;
use obligato_store::proofs::StoredProofs;
use obligato_store::{Details, Signature, StoredResult, SuiteFile, details, proofs, suite};

use crate::error::Error;
use crate::storage;
use crate::text::printable;

/// A result with what is stored beside it.
pub struct Part {
    /// The directory.
    pub path: PathBuf,
    /// The verdicts.
    pub result: StoredResult,
    /// The tests, if they are stored.
    pub suite: Option<KeptSuite>,
    /// What stands behind the verdicts, if it is stored.
    pub details: Option<Details>,
    /// Why obligations are uncoverable, if it is stored.
    pub proofs: Option<StoredProofs>,
}

/// A suite with what was seen at its outputs, if that was kept.
pub struct KeptSuite {
    /// The inputs and outputs.
    pub signature: Signature,
    /// Each step has the inputs and then the outputs.
    pub tests: Vec<TestCase>,
}

impl Part {
    /// Reads what is stored in a directory.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let result = storage::load(path)?;
        let beside = |name: &str| Some(path.join(name)).filter(|path| path.exists());
        let suite = beside(storage::SUITE).map(|path| KeptSuite::load(&path)).transpose()?;
        let details = beside(storage::DETAILS).map(|path| details::load(&path)).transpose()?;
        let proofs = beside(storage::PROOFS).map(|path| proofs::load(&path)).transpose()?;
        if let Some(suite) = &suite
            && suite.tests.iter().map(|test| &test.name).ne(&result.tests)
        {
            return Err(Error::Input {
                message: format!("the suite in '{}' is not that of its result", path.display()),
                way_out: "measure or generate again".to_owned(),
            });
        }
        Ok(Self { path: path.to_owned(), result, suite, details, proofs })
    }

    /// For messages.
    pub fn name(&self) -> String {
        format!("'{}'", printable(&self.path.display().to_string()))
    }
}

impl KeptSuite {
    fn load(path: &Path) -> Result<Self, Error> {
        let file = SuiteFile::read(path)?;
        let signature = file.own_signature()?;
        let tests = file.tests_for(&signature, suite::Format::Json)?;
        let tests = tests.collect::<Result<_, _>>()?;
        Ok(Self { signature, tests })
    }

    /// The suite on its way into the file at `path`.
    pub fn write(&self, path: &Path) -> Result<Draft, Error> {
        if self.signature.outputs().is_empty() {
            let tests = self.tests.iter().map(Ok::<&TestCase, Error>);
            return storage::write_tests(path, self.signature.inputs(), tests);
        }
        storage::write_recorded(path, &self.signature, self.tests.iter().cloned().map(Ok))
    }
}
