//! Collects the diagnostics of the passes.

use obligato_lustre_syntax::diagnostic::{Diagnostic, Severity};

/// The diagnostics so far.
#[derive(Clone, Debug, Default)]
pub struct Report {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Report {
    /// Adds a diagnostic.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Error => self.errors.push(diagnostic),
            Severity::Warning => self.warnings.push(diagnostic),
        }
    }

    /// How many errors there are since the last pass ended.
    pub fn error_count(&self) -> usize {
        self.errors.len()
    }

    /// The end of a pass: the passes after it rely on what it found to be right.
    pub fn settle(&mut self) -> Result<(), Vec<Diagnostic>> {
        if self.errors.is_empty() {
            return Ok(());
        }
        let mut all = std::mem::take(&mut self.errors);
        all.append(&mut self.warnings);
        Err(sorted(all))
    }

    /// The warnings, in the order of the text.
    pub fn into_warnings(self) -> Vec<Diagnostic> {
        sorted(self.warnings)
    }
}

fn sorted(mut all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    all.sort_by_key(|diagnostic| diagnostic.span);
    // What a rewriting says twice is wrong once.
    all.dedup();
    all
}
