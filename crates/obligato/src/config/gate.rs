//! The `[gate]` of `obligato.toml`: what a result has to come up to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use obligato_model::Criterion;
use obligato_store::{StoreError, file};
use serde::Deserialize;
use toml::Spanned;

use super::{Document, NAME, place_of, text_of};
use crate::error::Error;
use crate::gate::{Allowed, Percent};

/// What the file says of a gate.
#[derive(Debug, Default)]
pub struct GateSettings {
    /// How much is required of which criterion.
    pub require: BTreeMap<Criterion, Percent>,
    /// What counts besides what is covered, if the file says so.
    pub allow: Option<Vec<Allowed>>,
    /// Is nothing to be left unresolved?
    pub forbid_unresolved: bool,
    /// Does every proof need a person's review?
    pub require_review: bool,
    /// A result that may not be fallen behind.
    pub ratchet: Option<PathBuf>,
}

/// As it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Written {
    require: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    allow: Option<Vec<Allowed>>,
    forbid_unresolved: bool,
    require_review: bool,
    ratchet: Option<PathBuf>,
}

impl Written {
    /// Complains about what makes no sense, whoever reads the file.
    pub(super) fn check(&self, text: &str) -> Result<(), StoreError> {
        self.required(text).map(|_| ())
    }

    fn required(&self, text: &str) -> Result<BTreeMap<Criterion, Percent>, StoreError> {
        let invalid =
            |span, reason: String| StoreError::Invalid { place: place_of(text, span), reason };
        let mut required = BTreeMap::new();
        for (name, value) in &self.require {
            let criterion: Criterion =
                name.get_ref().parse().map_err(|error| invalid(name.span(), format!("{error}")))?;
            let written = match value.get_ref() {
                toml::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let percent =
                written.parse().map_err(|reason: String| invalid(value.span(), reason))?;
            required.insert(criterion, percent);
        }
        Ok(required)
    }
}

impl GateSettings {
    /// Reads the file that is named, or the usual one in this directory if it is there.
    pub fn find(named: Option<&Path>) -> Result<Self, Error> {
        let path = named.map_or_else(|| PathBuf::from(NAME), Path::to_owned);
        if named.is_none() && !path.is_file() {
            return Ok(Self::default());
        }
        let bytes = file::read(&path)?;
        let mut found = Self::read(&bytes).map_err(|error| error.in_file(&path))?;
        // What the file names lies beside it.
        let beside = |other: PathBuf| path.parent().unwrap_or(Path::new("")).join(other);
        found.ratchet = found.ratchet.map(beside);
        Ok(found)
    }

    fn read(bytes: &[u8]) -> Result<Self, StoreError> {
        let text = text_of(bytes)?;
        let Document { gate, .. } = Document::parse(text)?;
        let require = gate.required(text)?;
        let Written { allow, forbid_unresolved, require_review, ratchet, .. } = gate;
        Ok(Self { require, allow, forbid_unresolved, require_review, ratchet })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_is_read_and_what_makes_no_sense_is_refused_with_its_place() {
        let text = "[gate]\nallow = [\"justified\"]\nforbid-unresolved = true\n\
                    [gate.require]\nmcdc = 100\n\"mcdc:unique-cause\" = 99.5\nbranch = \"90%\"\n";
        let found = GateSettings::read(text.as_bytes()).unwrap();
        let percents: Vec<String> = found.require.values().map(ToString::to_string).collect();
        assert_eq!(percents, ["90", "100", "99.5"]);
        assert_eq!(found.allow, Some(vec![Allowed::Justified]));
        assert!(found.forbid_unresolved);
        for (text, expected) in [
            ("[gate]\nmcdc = 100\n", "2:1: unknown field `mcdc`"),
            ("[gate.require]\nmcd = 100\n", "2:1: no criterion is called 'mcd'"),
            ("[gate.require]\nmcdc = 101\n", "2:8: "),
            ("[gate.require]\nmcdc = nan\n", "2:8: "),
            ("[gate]\nallow = [\"tired\"]\n", "2:10: unknown variant `tired`"),
        ] {
            let error = GateSettings::read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
