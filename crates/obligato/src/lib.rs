//! Turns coverage obligations into tests or proofs.
