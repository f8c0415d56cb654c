//! Where the crate under test, the repository and the data beside it are.

use std::env;
use std::path::PathBuf;

/// The directory of the crate whose tests run. Asked for when they run, not when they are compiled: a build directory may
/// be shared by several clones.
pub fn crate_directory() -> PathBuf {
    env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the crate is").into()
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    crate_directory().join("../..")
}

/// A file or directory of the data that lies beside the repository and is read in place. It may be absent.
pub fn shared(path: &str) -> PathBuf {
    repository().join("../shared").join(path)
}
