//! What `obligato doctor` knows: what is needed, how to look for it, how to say it.
//!
//! Start with [`needs`], a plain table. [`probe`] looks for each entry on a [`machine`], which tests
//! replace by a made-up one; [`report`] turns the findings into text or JSON.

pub mod machine;
mod needs;
mod probe;
pub mod report;
mod version;

pub use machine::ThisMachine;
pub use probe::examine;

#[cfg(test)]
mod tests;
