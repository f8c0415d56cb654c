//! A test or a proof for every obligation of a C function.
//!
//! [`campaign::run`] is the walk: what the given tests show is struck off; then runs are traced ([`bench`]), what could have
//! gone otherwise in them goes to the pool of `obligato-search`, and candidate after candidate is solved for and run, until
//! nothing is wanted any more, the pool is dry, or the budget is spent. A claim of coverage comes only from the evidence of a
//! run; that all paths were seen is a proof only if nothing was cut short on the way.
//!
//! Start reading at [`campaign`], then [`relevance`].

pub mod bench;
pub mod campaign;
pub mod findings;
pub mod map;
pub mod relevance;
pub mod request;
pub mod twins;

pub use campaign::run;
pub use findings::{FunctionError, FunctionFindings, Moment, Outcome, RuntimeError, Statistics};
pub use request::{FunctionUnderTest, Request};
