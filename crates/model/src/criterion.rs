//! The criteria a suite can be held against, and their variants.
//!
//! A criterion is written `name` or `name:variant`, as in `mcdc:unique-cause`;
//! the first variant listed is the default and is left out when printed.

use std::fmt;
use std::str::FromStr;

use crate::ElementKind;

/// A coverage criterion with its variant chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Criterion {
    /// Each statement is executed.
    Statement,
    /// Each outcome of each control decision and each `switch` arm is taken.
    Branch,
    /// Each function is entered and left through each of its returns.
    EntryExit,
    /// Each decision comes out both ways.
    Decision,
    /// Each condition takes both values.
    Condition,
    /// Decision and condition coverage together.
    Cdc,
    /// Each evaluation vector a decision can have occurs.
    Mcc,
    /// Each condition is shown to decide its decision's outcome.
    Mcdc(Independence),
    /// Each boundary of each relational condition is met.
    Bvc,
    /// MC/DC with the effect reaching an observed output.
    Omcdc(Observability),
    /// Boundary values with the effect reaching an observed output.
    Obvc(Observability),
    /// Each mutant is told from the original.
    Mutation(Strength),
}

/// How MC/DC's independent effect is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Independence {
    /// Two evaluations in which the condition is unmasked, with opposite values and outcomes.
    Masking,
    /// The same, and no other condition differs between the two.
    UniqueCause,
}

/// What "the effect reaches an output" means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Observability {
    /// Tags that pass an `if` only when its arms differ (You et al., incremental OMC/DC, table I).
    Strict,
    /// Tags as first defined (Whalen et al., Observable MC/DC, table II).
    Tags,
    /// Forcing the condition changes an observed value (ibid., section II).
    Exact,
}

/// When a mutant counts as killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// An observed output differs.
    Strong,
    /// The state differs right after the mutated statement.
    Weak,
}

/// Every criterion with every variant, in the order reports use.
pub const ALL: [Criterion; 18] = [
    Criterion::Statement,
    Criterion::Branch,
    Criterion::EntryExit,
    Criterion::Decision,
    Criterion::Condition,
    Criterion::Cdc,
    Criterion::Mcc,
    Criterion::Mcdc(Independence::Masking),
    Criterion::Mcdc(Independence::UniqueCause),
    Criterion::Bvc,
    Criterion::Omcdc(Observability::Strict),
    Criterion::Omcdc(Observability::Tags),
    Criterion::Omcdc(Observability::Exact),
    Criterion::Obvc(Observability::Strict),
    Criterion::Obvc(Observability::Tags),
    Criterion::Obvc(Observability::Exact),
    Criterion::Mutation(Strength::Strong),
    Criterion::Mutation(Strength::Weak),
];

impl Criterion {
    /// The name without the variant.
    pub fn name(self) -> &'static str {
        match self {
            Self::Statement => "statement",
            Self::Branch => "branch",
            Self::EntryExit => "entry-exit",
            Self::Decision => "decision",
            Self::Condition => "condition",
            Self::Cdc => "cdc",
            Self::Mcc => "mcc",
            Self::Mcdc(_) => "mcdc",
            Self::Bvc => "bvc",
            Self::Omcdc(_) => "omcdc",
            Self::Obvc(_) => "obvc",
            Self::Mutation(_) => "mutation",
        }
    }

    /// The variant, for the criteria that have several.
    pub fn variant(self) -> Option<&'static str> {
        match self {
            Self::Mcdc(Independence::Masking) => Some("masking"),
            Self::Mcdc(Independence::UniqueCause) => Some("unique-cause"),
            Self::Omcdc(semantics) | Self::Obvc(semantics) => Some(semantics.name()),
            Self::Mutation(strength) => Some(strength.name()),
            Self::Statement
            | Self::Branch
            | Self::EntryExit
            | Self::Decision
            | Self::Condition
            | Self::Cdc
            | Self::Mcc
            | Self::Bvc => None,
        }
    }

    /// The kinds of elements that its goals are about: whoever records runs for it watches these.
    pub fn asks(self) -> &'static [ElementKind] {
        match self {
            Self::Statement => &[ElementKind::Statement],
            Self::Branch => &[ElementKind::Decision, ElementKind::Arm],
            Self::EntryExit => &[ElementKind::Function, ElementKind::Exit],
            Self::Decision | Self::Mcc => &[ElementKind::Decision],
            Self::Condition | Self::Bvc | Self::Omcdc(_) | Self::Obvc(_) => {
                &[ElementKind::Condition]
            }
            Self::Cdc => &[ElementKind::Decision, ElementKind::Condition],
            // The standard asks for entries and exits as well.
            Self::Mcdc(_) => &[ElementKind::Condition, ElementKind::Function, ElementKind::Exit],
            Self::Mutation(_) => &[ElementKind::Mutant],
        }
    }

    /// Under which semantics it follows effects to what is observed, if it does.
    pub fn observability(self) -> Option<Observability> {
        match self {
            Self::Omcdc(semantics) | Self::Obvc(semantics) => Some(semantics),
            _ => None,
        }
    }

    /// Does it ask how the operands of comparisons stand to each other?
    pub fn needs_operands(self) -> bool {
        matches!(self, Self::Bvc | Self::Obvc(_))
    }

    /// Does it ask of conditions that they decide, once with each value?
    pub fn asks_for_effects(self) -> bool {
        matches!(self, Self::Mcdc(_) | Self::Omcdc(_))
    }

    /// Does it compare whole evaluations of a decision?
    pub fn needs_vectors(self) -> bool {
        matches!(self, Self::Mcc | Self::Mcdc(Independence::UniqueCause))
    }

    /// Does it ask about mutants, which take runs of their own?
    pub fn is_mutation(self) -> bool {
        matches!(self, Self::Mutation(_))
    }

    fn is_default_variant(self) -> bool {
        ALL.iter().find(|other| other.name() == self.name()) == Some(&self)
    }

    /// The criterion in full, with the definition it uses: `mcdc (masking)`.
    pub fn title(self) -> String {
        match self.variant() {
            Some(variant) => format!("{} ({variant})", self.name()),
            None => self.name().to_owned(),
        }
    }
}

impl Observability {
    /// The name reports and recordings use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Tags => "tags",
            Self::Exact => "exact",
        }
    }
}

impl Strength {
    /// The name reports and recordings use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Weak => "weak",
        }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.variant() {
            Some(variant) if !self.is_default_variant() => write!(f, "{}:{variant}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

/// A text that names no criterion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no criterion is called '{0}'; there are {names}", names = names())]
pub struct UnknownCriterion(pub String);

fn names() -> String {
    ALL.map(|criterion| criterion.to_string()).join(", ")
}

impl FromStr for Criterion {
    type Err = UnknownCriterion;

    fn from_str(text: &str) -> Result<Self, UnknownCriterion> {
        ALL.into_iter()
            .find(|criterion| {
                let full =
                    criterion.variant().map(|variant| format!("{}:{variant}", criterion.name()));
                criterion.to_string() == text || full.as_deref() == Some(text)
            })
            .ok_or_else(|| UnknownCriterion(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_criterion_prints_as_it_is_read() {
        for criterion in ALL {
            assert_eq!(criterion.to_string().parse(), Ok(criterion));
        }
    }

    #[test]
    fn the_default_variant_may_be_spelled_out() {
        assert_eq!("mcdc:masking".parse(), Ok(Criterion::Mcdc(Independence::Masking)));
        assert_eq!("omcdc".parse(), Ok(Criterion::Omcdc(Observability::Strict)));
        assert_eq!("mutation".parse(), Ok(Criterion::Mutation(Strength::Strong)));
    }

    #[test]
    fn an_unknown_criterion_is_told_what_there_is() {
        let error = "mcdc:fast".parse::<Criterion>().unwrap_err();
        assert!(error.to_string().contains("mcdc:unique-cause"), "{error}");
    }
}
