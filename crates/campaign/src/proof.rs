//! Proofs of campaigns as data.

/// A proof that some events never happen: a certificate, with what it takes to make the circuit again that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookedProof<S> {
    /// The system that it is about.
    pub system: S,
    /// The events, by their positions among those of the plan; or mutants, by theirs in the model.
    pub events: Vec<usize>,
    /// The certificate, as text.
    pub certificate: String,
}

/// A kind of system that proofs of a language are about.
pub trait NamedSystem: Copy {
    /// The name that files use.
    fn name(self) -> &'static str;

    /// The system with this name.
    fn named(name: &str) -> Option<Self>;
}
