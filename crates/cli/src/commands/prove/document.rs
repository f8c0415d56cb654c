//! What is known of properties, as JSON.

use obligato_engines_lustre::properties::PropertyStatus;
use obligato_store::properties::{
    Outcome, StoredProperties, StoredProperty, print as print_stored,
};

use super::{Decided, Report};
use crate::error::CliError;
use crate::verdicts::TOOL;

/// The document.
pub fn print(report: &Report<'_>) -> Result<String, CliError> {
    let properties = report.decided.iter().map(|decided| {
        let Decided { property, status, violation } = decided;
        let outcome = match (status, violation) {
            (PropertyStatus::Valid(proof), _) => Outcome::Valid(proof),
            (PropertyStatus::Invalid(found), violation) => Outcome::Invalid {
                test: violation.as_ref().map_or(&found.test, |record| &record.test),
                shortest: found.is_shortest,
            },
            (PropertyStatus::Unknown(limit), _) => Outcome::Unknown(limit),
        };
        StoredProperty {
            name: &property.name,
            kind: property.kind,
            instance: &property.instance,
            span: property.span,
            outcome,
        }
    });
    Ok(print_stored(&StoredProperties {
        tool: TOOL,
        model: &report.loaded.path,
        main: report.loaded.main(),
        signature: &report.signature,
        stopped: report.stopped,
        properties: properties.collect(),
    })?)
}
