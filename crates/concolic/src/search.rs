//! Path selection (Su et al., Automated Coverage-Driven Test Data Generation Using Dynamic Symbolic Execution, section III).
//!
//! Every run adds its path to the execution [`Tree`], and each of its unexplored branches to the [`Pool`] as a candidate. A
//! [`Strategy`] orders the candidates; the pool skips those whose suffix reaches no open goal, by reachability in the
//! interprocedural [`Graph`].
//!
//! Strategies know nothing of criteria: all they see is which blocks have open [goals](Goals) and which candidates
//! cover one by themselves.
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
pub use pool::{Candidate, CandidateTarget, Filtering, Path, Pool, Relevance};
pub use strategy::Strategy;
pub use tree::Tree;
