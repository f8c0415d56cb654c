//! How much a run may take before it is ended.

/// The limits of a run. Each that is hit becomes a finding that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many operations are executed.
    pub steps: u64,
    /// How many calls are open at the same time.
    pub depth: u32,
    /// How many bytes all objects together have, the printed text included.
    pub memory: u64,
    /// How many objects exist at the same time.
    pub objects: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 100_000_000, depth: 10_000, memory: 256 << 20, objects: 1 << 20 }
    }
}
