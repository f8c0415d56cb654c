//! The verdicts on properties, as JSON.

use obligato_store::properties::{PropertyOutcome, StoredProperties, StoredProperty, print};

use super::{Decided, PropertyStatus, Proved};
use crate::TOOL;
use crate::error::Error;

impl Proved {
    /// The JSON document, with a line break at its end.
    pub fn to_json(&self) -> Result<String, Error> {
        let properties = self.decided.iter().map(|decided| {
            let Decided { property, status, violation } = decided;
            let outcome = match (status, violation) {
                (PropertyStatus::Valid(proof), _) => PropertyOutcome::Valid(proof),
                (PropertyStatus::Invalid(found), violation) => PropertyOutcome::Invalid {
                    test: violation.as_ref().map_or(&found.test, |record| &record.test),
                    shortest: found.is_shortest,
                    undefined: found
                        .undefined
                        .iter()
                        .map(|one| (one.name.as_str(), one.value.to_string()))
                        .collect(),
                },
                (PropertyStatus::Unknown(limit), _) => PropertyOutcome::Unknown(limit),
            };
            StoredProperty {
                name: &property.name,
                kind: property.kind,
                instance: &property.instance,
                span: property.span,
                outcome,
            }
        });
        Ok(print(&StoredProperties {
            tool: TOOL,
            model: &self.model.path,
            main: self.model.main(),
            signature: &self.signature,
            stopped: self.stopped,
            properties: properties.collect(),
        })?)
    }
}
