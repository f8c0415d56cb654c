//! What can go wrong.

use std::io;
use std::path::PathBuf;

/// Why bitcode could not be taken in, or a copy not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The copy cannot be written.
    #[error("{}: cannot be written", path.display())]
    Write {
        /// The file.
        path: PathBuf,
    },
    /// LLVM does not accept it.
    #[error("not bitcode that LLVM 19 accepts: {0}")]
    Bitcode(String),
    /// It is for a machine that the executor does not stand for.
    #[error("the code is for a machine with other pointers than 64 bits, low byte first")]
    Machine,
    /// All globals together do not fit.
    #[error("the global {name} is too large: all objects together may take {limit} bytes")]
    TooLarge {
        /// The first that does not fit.
        name: String,
        /// How many bytes fit.
        limit: u64,
    },
    /// A global starts with something that has no value before the program is linked.
    #[error("the initial value of {name} is not supported: {why}")]
    Initializer {
        /// The global.
        name: String,
        /// What is not supported.
        why: String,
    },
    /// A register that no instruction writes, or a value that is no number.
    #[error("register {register} of {function} cannot be observed")]
    Unobservable {
        /// The function.
        function: String,
        /// The register.
        register: u32,
    },
}
