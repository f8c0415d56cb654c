//! Where the dialects of the two model checkers differ.
//!
//! Checked against their grammars: `Lustre.g4` of JKind, `lustreLexer.mll` and `lustreParser.mly`
//! of Kind 2. What is written here lies in what both read, but for what follows.

/// A model checker that reads Lustre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Kind 2: machine integers, titles of properties, many reserved words.
    Kind2,
    /// JKind: `floor`, no division by negative constants.
    JKind,
}

impl Dialect {
    /// As people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kind2 => "Kind 2",
            Self::JKind => "JKind",
        }
    }

    /// Does the language have machine integers?
    pub(super) fn has_machine_integers(self) -> bool {
        self == Self::Kind2
    }

    /// The conversion to the largest integer that is not above a real.
    pub(super) fn floor(self) -> &'static str {
        match self {
            Self::Kind2 => "int",
            Self::JKind => "floor",
        }
    }

    /// May a constant divisor of integers be negative?
    pub(super) fn divides_by_negatives(self) -> bool {
        self == Self::Kind2
    }

    /// The line that makes a variable a property. Kind 2 reports it by its title.
    pub(super) fn property(self, variable: &str, title: &str) -> String {
        match self {
            Self::Kind2 => format!("--%PROPERTY \"{}\" {variable};", plain(title)),
            Self::JKind => format!("--%PROPERTY {variable};"),
        }
    }

    /// Is the word no name there?
    pub(super) fn reserves(self, word: &str) -> bool {
        BOTH.binary_search(&word).is_ok()
            || match self {
                Self::Kind2 => KIND2.binary_search(&word).is_ok(),
                Self::JKind => false,
            }
    }
}

/// A text that can stand between quotes and on one line.
fn plain(text: &str) -> String {
    let odd = |one: char| matches!(one, '"' | '\\') || one.is_control();
    text.chars().map(|one| if odd(one) { '?' } else { one }).collect()
}

/// Words that are names in neither, or that are names there but not in other Lustre tools; sorted.
const BOTH: [&str; 49] = [
    "activate", "and", "assert", "bool", "condact", "const", "current", "div", "else", "enum",
    "every", "exists", "false", "fby", "floor", "forall", "function", "if", "int", "int16",
    "int32", "int64", "int8", "let", "lsh", "merge", "mod", "node", "not", "of", "or", "pre",
    "real", "restart", "returns", "rsh", "struct", "subrange", "tel", "then", "true", "type",
    "uint16", "uint32", "uint64", "uint8", "var", "when", "with",
];

/// Words that are no names in Kind 2 besides; sorted.
const KIND2: [&str; 46] = [
    "any",
    "assume",
    "assumption_vars",
    "at",
    "auto",
    "check",
    "choose",
    "con",
    "cond",
    "contract",
    "datatype",
    "decreases",
    "default",
    "elsif",
    "end",
    "ensure",
    "fi",
    "frame",
    "from",
    "guarantee",
    "history",
    "import",
    "imported",
    "in",
    "initial",
    "invariant",
    "last",
    "lemma",
    "map",
    "match",
    "mode",
    "noc",
    "opaque",
    "otherwise",
    "param",
    "provided",
    "reachable",
    "rec",
    "require",
    "set",
    "sint",
    "subtype",
    "transparent",
    "uint",
    "weakly",
    "within",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserved_words_are_sorted_so_that_they_are_found() {
        assert!(BOTH.is_sorted() && KIND2.is_sorted());
        assert!(Dialect::JKind.reserves("pre") && Dialect::Kind2.reserves("pre"));
        assert!(Dialect::Kind2.reserves("set") && !Dialect::JKind.reserves("set"));
    }

    #[test]
    fn a_title_stays_between_its_quotes() {
        let line = Dialect::Kind2.property("p", "a\"b\nc");
        assert_eq!(line, "--%PROPERTY \"a?b?c\" p;");
    }
}
