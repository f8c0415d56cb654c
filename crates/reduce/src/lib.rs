//! Smaller suites with the same coverage.
//!
//! A [`Problem`] is what the tests of a suite show and what has to stay shown; it is made from
//! the [`Grounds`](obligato_criteria::Grounds) of what the suite covers, whatever program or
//! criterion they come from. Three algorithms solve it, one file each:
//!
//! - [`randomised`]: tests in random order, each kept if it adds something;
//! - [`greedy`]: always the test that adds most;
//! - [`exact`]: the fewest tests there can be, or bounds if the budget runs out.
//!
//! Each gives tests in the order of the suite. That they cover what they should is not for this
//! crate to claim: whoever reduces a suite replays what is left and judges it again.
//!
//! Start reading at [`problem`].

pub mod exact;
pub mod greedy;
pub mod problem;
mod progress;
pub mod randomised;

pub use exact::{Bounds, ExactBudget};
pub use problem::Problem;
