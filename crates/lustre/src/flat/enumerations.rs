//! Enumerations: numbers in the system, names at its ports.

use std::fmt::Write as _;

use obligato_model::Type;

/// The enumerations of inputs and outputs.
#[derive(Debug, Default)]
pub(super) struct EnumTypes<'s> {
    pub all: Vec<EnumType<'s>>,
}

/// One of them.
#[derive(Debug)]
pub(super) struct EnumType<'s> {
    /// The names that the model gives.
    pub symbols: &'s [String],
    /// What it is called in the file.
    pub name: String,
    /// What the values are called there.
    pub values: Vec<String>,
}

impl EnumTypes<'_> {
    /// The type with these names.
    pub fn find(&self, symbols: &[String]) -> Option<&EnumType<'_>> {
        self.all.iter().find(|one| one.symbols == symbols)
    }

    /// The enumeration that a type is.
    pub fn of(&self, kind: &Type) -> Option<&EnumType<'_>> {
        match kind {
            Type::Enumeration(symbols) => self.find(symbols),
            _ => None,
        }
    }

    /// A type as it is declared.
    pub fn text(&self, kind: &Type) -> String {
        match (self.of(kind), kind) {
            (Some(one), _) => one.name.clone(),
            (None, Type::Subrange(..)) => format!("{kind} of int"),
            (None, _) => kind.to_string(),
        }
    }
}

/// `if … then … else if …` over values; each gives its test and its result.
pub(super) fn choose(
    values: &[String],
    mut case: impl FnMut(usize, &str) -> (String, String),
) -> String {
    let mut text = String::new();
    for (position, value) in values.iter().enumerate() {
        let (holds, result) = case(position, value);
        if position + 1 < values.len() {
            let _ = write!(text, "if {holds} then {result} else ");
        } else {
            text.push_str(&result);
        }
    }
    text
}
