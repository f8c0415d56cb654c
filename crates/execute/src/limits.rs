//! The limits of a run.

/// The limits of a run. Each that is hit becomes a finding that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecutionLimits {
    /// The number of executed operations.
    pub steps: u64,
    /// The number of open calls.
    pub depth: u32,
    /// The bytes of all objects, printed text included.
    pub memory: u64,
    /// The number of objects that exist at the same time.
    pub objects: u32,
}

impl Default for ExecutionLimits {
    fn default() -> Self {
        Self { steps: 100_000_000, depth: 10_000, memory: 256 << 20, objects: 1 << 20 }
    }
}
