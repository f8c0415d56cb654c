//! Whether a stored result is good enough.

mod requirement;

pub use requirement::{Allowed, Percent, Requirement};
