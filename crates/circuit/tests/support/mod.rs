//! What the tests of the encoding share.

pub mod follow;
pub mod systems;
