//! What is known of properties, as JSON.

use obligato_engines_lustre::properties::Fate;
use obligato_store::properties::{
    Outcome, StoredProperties, StoredProperty, print as print_stored,
};

use super::{Decided, Report};
use crate::error::CliError;
use crate::verdicts::TOOL;

/// The document.
pub fn print(report: &Report<'_>) -> Result<String, CliError> {
    let properties = report.decided.iter().map(|decided| {
        let Decided { property, fate, violation } = decided;
        let outcome = match (fate, violation) {
            (Fate::Valid(proof), _) => Outcome::Valid(proof),
            (Fate::Invalid(found), violation) => Outcome::Invalid {
                test: violation.as_ref().map_or(&found.test, |record| &record.test),
                shortest: found.is_shortest,
            },
            (Fate::Unknown(limit), _) => Outcome::Unknown(limit),
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
