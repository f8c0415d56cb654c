//! Obligations: what a criterion asks of a suite, one by one.

use std::fmt;

use crate::{Criterion, FunctionId, Goal, Span, Verdict};

/// The name of an obligation that survives unrelated edits.
///
/// It is made of the criterion, the file, the function or node, the kind and
/// text fingerprint of the element, its ordinal among the elements of that
/// function with the same fingerprint, and what is asked of it:
/// `mcdc@brake.c#apply/decision-e4c7e2aa.1/c2=T`. Code that moves, is
/// reformatted, or gains a neighbour keeps its keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// The key with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One thing a criterion asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Its stable name.
    pub key: Key,
    /// The criterion that asks.
    pub criterion: Criterion,
    /// What it asks.
    pub goal: Goal,
    /// The function it lies in, which also tells the file.
    pub function: FunctionId,
    /// Where in the source.
    pub span: Span,
    /// What it asks, for people.
    pub text: String,
    /// The verdict, where the plan alone already gives it: a constant
    /// condition, a boundary outside the type, vectors past counting.
    pub settled: Option<Verdict>,
}

/// All obligations of the chosen criteria, in a fixed order;
/// [`ObligationId`](crate::ObligationId) is a position in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The obligations.
    pub obligations: Vec<Obligation>,
}
