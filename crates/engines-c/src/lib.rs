//! A test or a proof for every obligation of a C function.
//!
//! [`campaign::run`] measures the given tests first. Then concolic search traces runs ([`traced_runner`]), adds the unexplored
//! branches of each to the pool of `obligato_concolic::search`, and solves for and runs candidate after candidate, until no
//! goal is open, the pool is empty, or the budget is spent. Coverage is claimed only from the evidence of a run; exhaustive
//! exploration of paths refutes within all bounds, and only if no value was concretised and no limit was met; proofs come from
//! the formula of all paths and from the transition system of the function.
//!
//! Start reading at [`campaign`], then [`relevance`]. [`instrument`] hands obligations to another model checker.

pub mod call_proofs;
mod call_targets;
pub mod campaign;
pub mod event_map;
pub mod findings;
mod idle_writes;
pub mod instrument;
pub mod relevance;
pub mod request;
pub mod traced_runner;
pub mod twins;

pub use campaign::run;
pub use findings::{
    FunctionError, FunctionFindings, Outcome, ProgressPoint, RuntimeError, Statistics,
};
pub use request::{FunctionUnderTest, Request};
