//! Printing JSON for people and for `diff`: one item of a list per line, the
//! fields of an item on that line.

use std::fmt::{Display, Write};

/// A string with its quotes and escapes.
pub fn quote(text: &str) -> String {
    serde_json::to_string(text).expect("invariant: every string can be written as JSON")
}

/// An object that is being printed.
pub struct Fields(String);

impl Fields {
    /// An object without fields.
    pub fn new() -> Self {
        Self("{".to_owned())
    }

    /// Adds a field whose value is already JSON.
    pub fn with(mut self, name: &str, json: impl Display) -> Self {
        if self.0.len() > 1 {
            self.0.push_str(", ");
        }
        write!(self.0, "{}: {json}", quote(name)).expect("invariant: a string takes all text");
        self
    }

    /// Adds a field with a string.
    pub fn with_text(self, name: &str, text: impl Display) -> Self {
        self.with(name, quote(&text.to_string()))
    }

    /// Adds a field on a line of its own, `indent` deep.
    pub fn with_line(mut self, indent: usize, name: &str, json: impl Display) -> Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        let quoted = quote(name);
        write!(self.0, "\n{:indent$}{quoted}: {json}", "")
            .expect("invariant: a string takes all text");
        self
    }

    /// The object on one line.
    pub fn close(mut self) -> String {
        self.0.push('}');
        self.0
    }

    /// What is printed so far, for the rest to be printed elsewhere.
    pub fn leave_open(self) -> String {
        self.0
    }

    /// The object with its closing brace on a line of its own.
    pub fn close_line(mut self) -> String {
        self.0.push_str("\n}\n");
        self.0
    }
}

/// An array on one line.
pub fn row(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// An array with an item per line, its brackets `indent` deep.
pub fn lines(indent: usize, items: impl IntoIterator<Item = String>) -> String {
    let mut text = "[".to_owned();
    for item in items {
        let comma = if text.len() > 1 { "," } else { "" };
        let deeper = indent + 2;
        write!(text, "{comma}\n{:deeper$}{item}", "").expect("invariant: a string takes all text");
    }
    if text.len() > 1 {
        write!(text, "\n{:indent$}", "").expect("invariant: a string takes all text");
    }
    text.push(']');
    text
}
