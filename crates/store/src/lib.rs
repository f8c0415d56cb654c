//! Suites, programs, recordings and results as files.
//!
//! Formats, each a module with pure functions on text (`parse…`, `print…`)
//! and, on top of them, `load` and `save` for files. `docs/formats.md` describes
//! them to users. Every JSON document says its format and version first, and
//! that is checked first ([`document`]).
//!
//! Two promises hold throughout. What is printed reads back identically; what
//! cannot be held by a format is refused when printed, never bent. And whatever
//! bytes are read, the answer is a value or a [`StoreError`] with the line.
//!
//! Start reading at [`suite`]; `json` is how all formats read JSON with places.

pub mod check;
pub mod details;
pub mod document;
mod error;
pub mod evidence;
pub mod file;
pub mod generation;
mod json;
pub mod llvm_cov;
pub mod mutants;
mod number;
pub mod program;
pub mod proofs;
pub mod properties;
pub mod recording;
pub mod result;
pub mod run;
pub mod sha256;
mod source;
pub mod suite;
pub mod timeline;
mod value;
mod variables;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use details::Details;
pub use error::{Place, StoreError};
pub use result::{StoredObligation, StoredResult};
pub use suite::{Columns, Signature, SuiteFile};
pub use timeline::Timeline;
pub use value::{can_hold, text_of};
