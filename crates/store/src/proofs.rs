//! Proofs: `obligato-proofs` documents, certificates with what they are said to settle.
//!
//! A certificate is about a circuit that is made again from the model, the criteria and what is observed, or
//! the properties; so a document says these. The certificate itself is text that only those who have the
//! circuit can read; here it is a list of lines.

use std::path::Path;

use obligato_model::Criterion;

use crate::document;
use crate::error::{StoreError, quoted};
use crate::file;
use crate::json::Json;
use crate::json::print::{Fields, lines, quote, row};
use crate::result::{read_criteria, read_names};
use crate::source::Source;

/// What a proofs document calls itself.
pub const FORMAT: &str = "obligato-proofs";

/// Proofs about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProofs {
    /// What wrote it: `obligato 0.1.0`.
    pub tool: String,
    /// The main node.
    pub main: String,
    /// Were intermediate variables replaced by their definitions?
    pub inline: bool,
    /// The criteria whose obligations were asked for; none where properties were.
    pub criteria: Vec<Criterion>,
    /// The variables to which effects were followed.
    pub observed: Vec<String>,
    /// The properties that were asked for; none where obligations were.
    pub properties: Vec<String>,
    /// The keys of obligations, or the properties, that the proofs together settle.
    pub settles: Vec<String>,
    /// The proofs.
    pub proofs: Vec<StoredProof>,
}

/// A proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProof {
    /// The kind of system that it is about.
    pub system: String,
    /// The events that never happen in it, by their positions among all that was asked for.
    pub events: Vec<usize>,
    /// The certificate: lines of text.
    pub certificate: String,
}

/// Prints a proofs document. Refuses what [`parse`] would refuse.
pub fn print(document: &StoredProofs) -> Result<String, StoreError> {
    let names = |names: &[String]| lines(2, names.iter().map(|name| quote(name)));
    let proofs = document.proofs.iter().map(print_proof).collect::<Result<Vec<_>, _>>()?;
    let criteria = document.criteria.iter().map(|criterion| quote(&criterion.to_string()));
    Ok(document::start(FORMAT)
        .with_line(2, "tool", quote(&document.tool))
        .with_line(2, "main", quote(&document.main))
        .with_line(2, "inline", document.inline)
        .with_line(2, "criteria", row(criteria))
        .with_line(2, "observed", names(&document.observed))
        .with_line(2, "properties", names(&document.properties))
        .with_line(2, "settles", names(&document.settles))
        .with_line(2, "proofs", lines(2, proofs))
        .close_line())
}

fn print_proof(proof: &StoredProof) -> Result<String, StoreError> {
    let StoredProof { system, events, certificate } = proof;
    let Some(text) = certificate.strip_suffix('\n').filter(|text| !text.contains('\r')) else {
        return Err(StoreError::unwritable("a certificate is whole lines of text"));
    };
    Ok(Fields::new()
        .with_text("system", system)
        .with("events", row(events))
        .with_line(5, "certificate", lines(5, text.split('\n').map(quote)))
        .close())
}

/// Reads a proofs document.
pub fn parse(bytes: &[u8]) -> Result<StoredProofs, StoreError> {
    let source = Source::of(bytes)?;
    let known = &[
        "format",
        "version",
        "tool",
        "main",
        "inline",
        "criteria",
        "observed",
        "properties",
        "settles",
        "proofs",
    ];
    let root = document::open(source, FORMAT, known)?;
    let names = |field, what| read_names(what, root.need(field)?.items()?);
    let proofs = root.need("proofs")?.items()?;
    Ok(StoredProofs {
        tool: root.need("tool")?.owned_string()?,
        main: root.need("main")?.owned_string()?,
        inline: root.need("inline")?.boolean()?,
        criteria: read_criteria(root.need("criteria")?)?,
        observed: names("observed", "observed variable")?,
        properties: names("properties", "property")?,
        settles: names("settles", "settled obligation")?,
        proofs: proofs.into_iter().map(read_proof).collect::<Result<_, _>>()?,
    })
}

fn read_proof(json: Json<'_>) -> Result<StoredProof, StoreError> {
    let object = json.object(&["system", "events", "certificate"])?;
    let mut certificate = String::new();
    for line in object.need("certificate")?.items()? {
        let text = line.string()?;
        if text.contains(['\n', '\r']) {
            return Err(line.invalid(format!("{} is more than a line", quoted(&text))));
        }
        certificate += &text;
        certificate.push('\n');
    }
    if certificate.is_empty() {
        return Err(json.invalid("this certificate has no lines"));
    }
    let events = object.need("events")?.items()?;
    Ok(StoredProof {
        system: object.need("system")?.owned_string()?,
        events: events.into_iter().map(Json::whole).collect::<Result<_, _>>()?,
        certificate,
    })
}

/// Loads a proofs document.
pub fn load(path: &Path) -> Result<StoredProofs, StoreError> {
    parse(&file::read(path)?).map_err(|error| error.in_file(path))
}

/// Saves a proofs document.
pub fn save(path: &Path, proofs: &StoredProofs) -> Result<(), StoreError> {
    let text = print(proofs).map_err(|error| error.in_file(path))?;
    file::write(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{assert_complaints, assert_truncation_is_noticed};

    const DOCUMENT: &str = r#"{
  "format": "obligato-proofs",
  "version": 1,
  "tool": "obligato 0.1.0",
  "main": "brake",
  "inline": false,
  "criteria": ["mcdc"],
  "observed": [
    "stop"
  ],
  "properties": [],
  "settles": [
    "mcdc@brake.lus#brake/decision-1f213b1c.1/c1=T"
  ],
  "proofs": [
    {"system": "shared", "events": [0, 12],
     "certificate": [
       "obligato-proof 1",
       "bad 1 \"x\"",
       "end"
     ]}
  ]
}
"#;

    #[test]
    fn a_document_is_read_and_printed_as_it_stands() {
        let read = parse(DOCUMENT.as_bytes()).unwrap();
        assert_eq!(read.proofs[0].certificate, "obligato-proof 1\nbad 1 \"x\"\nend\n");
        assert_eq!(read.proofs[0].events, [0, 12]);
        assert_eq!(print(&read).unwrap(), DOCUMENT);
        assert_truncation_is_noticed(parse, DOCUMENT);
    }

    #[test]
    fn damaged_documents_say_what_is_wrong() {
        let two_lines = DOCUMENT.replace("\"end\"", "\"en\\rd\"");
        let (before, rest) = DOCUMENT.split_once("\"certificate\": [").unwrap();
        let empty = format!("{before}\"certificate\": [{}", &rest[rest.find(']').unwrap()..]);
        assert_complaints(
            parse,
            &[
                (&two_lines, "in:20:8: 'en\\rd' is more than a line"),
                (&empty, "in:16:5: this certificate has no lines"),
            ],
        );
    }

    #[test]
    fn what_is_no_list_of_lines_is_not_written() {
        let mut proofs = parse(DOCUMENT.as_bytes()).unwrap();
        proofs.proofs[0].certificate = "end".to_owned();
        assert!(print(&proofs).is_err());
    }
}
