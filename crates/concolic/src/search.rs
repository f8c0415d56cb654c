//! Which path to try next (Su et al., Automated Coverage-Driven Test Data Generation Using Dynamic Symbolic Execution, section III).
//!
//! Every run adds its path to a [`Tree`] of all paths seen, and everything that could have gone otherwise to the
//! [`Pool`]. From there candidates are taken in the order of a [`Strategy`], without those that can lead to nothing that is still
//! wanted: the [`Graph`] of the unit's blocks says what can be reached from where.
//!
//! Strategies know nothing of criteria: all they are told is which blocks are [wanted](Goals) and which candidates
//! show something new by themselves.
//!
//! Start reading at [`pool`], then [`strategy`].

pub mod fitness;
pub mod goals;
pub mod graph;
pub mod pool;
pub mod strategy;
pub mod tree;

pub use goals::Goals;
pub use graph::{BlockId, Graph};
pub use pool::{Candidate, Filtering, Path, Pool, Relevance, Turn};
pub use strategy::Strategy;
pub use tree::Tree;
