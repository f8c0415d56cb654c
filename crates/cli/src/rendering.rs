//! What the library found, in words for a terminal.

pub mod expectations;
pub mod interface;
pub mod lists;
pub mod model;
pub mod unit;
