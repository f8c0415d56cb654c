//! Watch points: where a run reports values, and where an observer may force them.
//!
//! A watch point is decoded into an instruction of its own beside the operation that it watches, so a run
//! pays for it only there. Functions are watched at their entry by a point before their first
//! operation, blocks likewise, and exits at the `Return`s.

use obligato_bytecode::{CodeId, Register};

/// A watch point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchPoint {
    /// In this function
    pub function: CodeId,
    /// at this operation,
    pub operation: u32,
    /// before or after it is executed,
    pub moment: Moment,
    /// report what this register holds.
    pub register: Option<Register>,
}

/// When a watch point reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// Whenever control reaches the operation.
    Before,
    /// When the operation has been executed. Operations that end a block report just before they leave it.
    After,
}

/// The position of a watch point in the list that a program was decoded with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WatchId(pub u32);

/// Receives watch points.
pub trait Observer {
    /// A watch point was reached, by the call at this depth (1 is the function that the run started with).
    /// `value` is what its register holds, 0 without one. Writing to it forces the register to that value.
    fn saw(&mut self, watch: WatchId, depth: u32, value: &mut u64);
}

/// Ignores watch points.
impl Observer for () {
    fn saw(&mut self, _: WatchId, _: u32, _: &mut u64) {}
}

impl<T: Observer + ?Sized> Observer for &mut T {
    fn saw(&mut self, watch: WatchId, depth: u32, value: &mut u64) {
        (**self).saw(watch, depth, value);
    }
}
