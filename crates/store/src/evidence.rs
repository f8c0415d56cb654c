//! Evidence: `obligato-evidence` documents, what an assessor asks of a result: what was judged, how, by what, when.
//!
//! Date and machine differ from run to run, so they are kept apart from whatever is the same: a result and its details do not
//! know them.

use std::path::Path;

use crate::document;
use crate::error::StoreError;
use crate::file;
use crate::json::Json;
use crate::json::print::{Fields, lines, quote, row};
use crate::sha256;
use crate::source::Source;

/// What an evidence document calls itself.
pub const FORMAT: &str = "obligato-evidence";

/// What stands behind one result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredEvidence {
    /// What wrote it: `obligato 0.1.0`.
    pub tool: String,
    /// The build id of that program, which tells builds of one version apart; none where the system keeps none.
    pub build: Option<String>,
    /// The [`digest`](crate::details::digest) of the result that it belongs to.
    pub result: String,
    /// When, as `YYYY-MM-DDThh:mm:ssZ`.
    pub date: String,
    /// The machine: architecture and operating system.
    pub machine: String,
    /// The directory that file names are relative to.
    pub directory: String,
    /// The command line, word by word, without the name of the program; empty where a library was called.
    pub invocation: Vec<String>,
    /// What was judged, as the user named it.
    pub subject: String,
    /// The function under test, or the main node.
    pub function: Option<String>,
    /// The command that judged.
    pub command: String,
    /// The flags of the compiler.
    pub flags: Vec<String>,
    /// The compiler with its version, of C.
    pub compiler: Option<String>,
    /// What the code is compiled for, of C.
    pub target: Option<String>,
    /// Sizes and byte order that verdicts rely on, of C: `LP64, little-endian`.
    pub data_model: Option<String>,
    /// The file of settings, if there was one.
    pub settings: Option<SourceDigest>,
    /// The files that verdicts depend on: sources, and headers that are not the system's.
    pub sources: Vec<SourceDigest>,
    /// Files that would change what the sources mean if they appeared: headers that were looked for and not found. None where an earlier version
    /// wrote it.
    pub absent: Option<Vec<String>>,
    /// What was read of a file of settings, or that there was none, of C.
    pub settings_read: Vec<SourceDigest>,
}

/// A file, as it was when it was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDigest {
    /// Its name, relative to the directory.
    pub file: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

impl SourceDigest {
    /// The digest of a file as it is now; none if it cannot be read.
    pub fn of(name: &str) -> Option<Self> {
        Self::read(name, Path::new(name))
    }

    /// The digest of the file at a path, under its name.
    pub fn read(name: &str, path: &Path) -> Option<Self> {
        let bytes = path.is_file().then(|| file::read(path).ok()).flatten()?;
        Some(Self { file: name.to_owned(), sha256: sha256::digest(&bytes) })
    }
}

const KNOWN: &[&str] = &[
    "format",
    "version",
    "tool",
    "build",
    "result",
    "date",
    "machine",
    "directory",
    "invocation",
    "subject",
    "function",
    "command",
    "flags",
    "compiler",
    "target",
    "data_model",
    "settings",
    "sources",
    "absent",
    "settings_read",
];

/// Reads an evidence document.
pub fn parse(bytes: &[u8]) -> Result<StoredEvidence, StoreError> {
    let root = document::open(Source::of(bytes)?, FORMAT, KNOWN)?;
    let text = |name: &str| root.need(name)?.owned_string();
    let maybe = |name: &str| root.get(name).map(Json::owned_string).transpose();
    let words = |name: &str| {
        root.list(name)?.into_iter().map(Json::owned_string).collect::<Result<Vec<_>, _>>()
    };
    let sources = root.need("sources")?.items()?.into_iter().map(read_source);
    let read = root.list("settings_read")?.into_iter().map(read_source);
    Ok(StoredEvidence {
        tool: text("tool")?,
        build: maybe("build")?,
        result: text("result")?,
        date: text("date")?,
        machine: text("machine")?,
        directory: text("directory")?,
        invocation: words("invocation")?,
        subject: text("subject")?,
        function: maybe("function")?,
        command: text("command")?,
        flags: words("flags")?,
        compiler: maybe("compiler")?,
        target: maybe("target")?,
        data_model: maybe("data_model")?,
        settings: root.get("settings").map(read_source).transpose()?,
        sources: sources.collect::<Result<_, _>>()?,
        absent: root.get("absent").map(|_| words("absent")).transpose()?,
        settings_read: read.collect::<Result<_, _>>()?,
    })
}

fn read_source(json: Json<'_>) -> Result<SourceDigest, StoreError> {
    let object = json.object(&["file", "sha256"])?;
    let digest = object.need("sha256")?;
    let sha256 = digest.owned_string()?;
    if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(digest.invalid("a SHA-256 has 64 hexadecimal digits"));
    }
    Ok(SourceDigest { file: object.need("file")?.owned_string()?, sha256 })
}

/// Loads an evidence document.
pub fn load(path: &Path) -> Result<StoredEvidence, StoreError> {
    parse(&file::read(path)?).map_err(|error| error.in_file(path))
}

/// Prints an evidence document.
pub fn print(evidence: &StoredEvidence) -> String {
    let words = |all: &[String]| row(all.iter().map(|word| quote(word)));
    let mut fields = document::start(FORMAT).with_line(2, "tool", quote(&evidence.tool));
    let maybe = |fields: Fields, name: &str, value: Option<&str>| match value {
        Some(value) => fields.with_line(2, name, quote(value)),
        None => fields,
    };
    fields = maybe(fields, "build", evidence.build.as_deref())
        .with_line(2, "result", quote(&evidence.result))
        .with_line(2, "date", quote(&evidence.date))
        .with_line(2, "machine", quote(&evidence.machine))
        .with_line(2, "directory", quote(&evidence.directory))
        .with_line(2, "invocation", words(&evidence.invocation))
        .with_line(2, "subject", quote(&evidence.subject));
    fields = maybe(fields, "function", evidence.function.as_deref())
        .with_line(2, "command", quote(&evidence.command))
        .with_line(2, "flags", words(&evidence.flags));
    fields = maybe(fields, "compiler", evidence.compiler.as_deref());
    fields = maybe(fields, "target", evidence.target.as_deref());
    fields = maybe(fields, "data_model", evidence.data_model.as_deref());
    if let Some(settings) = &evidence.settings {
        fields = fields.with_line(2, "settings", print_source(settings));
    }
    let digests = |all: &[SourceDigest]| lines(2, all.iter().map(print_source));
    fields = fields.with_line(2, "sources", digests(&evidence.sources));
    if let Some(absent) = &evidence.absent {
        fields = fields.with_line(2, "absent", words(absent));
    }
    if !evidence.settings_read.is_empty() {
        fields = fields.with_line(2, "settings_read", digests(&evidence.settings_read));
    }
    fields.close_line()
}

fn print_source(one: &SourceDigest) -> String {
    Fields::new().with_text("file", &one.file).with_text("sha256", &one.sha256).close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::documented;
    use crate::tests::{assert_truncation_is_noticed, complaint};

    #[test]
    fn the_example_of_the_documentation_is_read_and_printed_as_it_stands() {
        let text = documented("json evidence");
        let evidence = parse(text.as_bytes()).expect("a document");
        assert_eq!(print(&evidence), text);
        assert_truncation_is_noticed(parse, text);
    }

    #[test]
    fn a_document_of_an_earlier_version_does_not_say_what_was_looked_for() {
        let text = documented("json evidence");
        let (start, _) = text.split_once(",\n  \"absent\"").expect("the field");
        let evidence = parse(format!("{start}\n}}\n").as_bytes()).expect("a document");
        assert_eq!((evidence.absent, evidence.settings_read), (None, Vec::new()));
    }

    #[test]
    fn a_digest_of_another_length_is_refused_with_its_place() {
        let text = documented("json evidence").replacen("e3b0", "e3", 1);
        let found = complaint(parse(text.as_bytes()));
        assert!(found.contains("a SHA-256 has 64 hexadecimal digits"), "{found}");
    }
}
