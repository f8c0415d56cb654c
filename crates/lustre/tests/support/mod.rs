//! What the tests share: the models and golden files of the syntax tests, random programs, runs.
#![allow(dead_code, unused_imports)]

pub mod generator;
pub mod inputs;
#[path = "../../../lustre-syntax/tests/support/mod.rs"]
mod syntax;
pub mod trace;

pub use syntax::{assert_golden, assert_round_trip, crate_directory, models, render};
