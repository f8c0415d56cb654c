//! Diagnostics, errors and warnings with their spans, as plain data.
//!
//! The command line renders them.

use crate::source::ByteSpan;

/// Does a diagnostic stop the model from being used?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Yes.
    Error,
    /// A warning: the text may not mean what its author thinks.
    Warning,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Is it an error?
    pub severity: Severity,
    /// Where it is.
    pub span: ByteSpan,
    /// What it is, complete in itself: what was expected and what was found.
    pub message: String,
    /// What could have stood there instead, each as the message words it.
    pub expected: Vec<String>,
    /// What may help.
    pub help: Option<String>,
    /// Other places that matter, each with what it has to do with the problem.
    pub related: Vec<(ByteSpan, String)>,
}

impl Diagnostic {
    /// An error.
    pub fn error(span: ByteSpan, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            span,
            message: message.into(),
            expected: Vec::new(),
            help: None,
            related: Vec::new(),
        }
    }

    /// A warning.
    pub fn warning(span: ByteSpan, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// An error: one of `expected` should stand where `found` does.
    pub fn expected(span: ByteSpan, expected: &[&str], found: &str) -> Self {
        let message = format!("expected {}, found {found}", alternatives(expected));
        let expected = expected.iter().map(ToString::to_string).collect();
        Self { expected, ..Self::error(span, message) }
    }

    /// With what may help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With another place that matters.
    #[must_use]
    pub fn with_related(mut self, span: ByteSpan, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }
}

/// `a`, `a or b`, `a, b or c`.
fn alternatives(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expectation_is_worded_as_a_sentence() {
        let span = ByteSpan::new(0, 1);
        for (expected, message) in [
            (&["';'"][..], "expected ';', found 'x'"),
            (&["','", "')'"], "expected ',' or ')', found 'x'"),
            (&["a", "b", "c"], "expected a, b or c, found 'x'"),
        ] {
            assert_eq!(Diagnostic::expected(span, expected, "'x'").message, message);
        }
    }
}
