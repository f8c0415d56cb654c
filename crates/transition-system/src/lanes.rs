//! The simulator: many runs of a system at once, one in each lane.
//!
//! A system is compiled once into a [`LaneProgram`]: dead terms are eliminated,
//! instructions are scheduled, and each sort has a register file of its own. A
//! [`Simulator`] runs it on `64 * W` lanes. A Boolean register is a bit per lane,
//! an integer a bit per lane for each binary digit that some lane needs, up to a
//! word, and a real a word over a denominator that all lanes share while they
//! can. A lane whose numbers outgrow this is *spilled*: the exact evaluator redoes
//! its step from its last state, and continues it for as long as needed.
//! Results are always exact; how long a step takes depends on how large its
//! integers are.
//!
//! Lanes differ in their inputs, in which taps are forced to what
//! ([`Simulator::force`]), and in whether they take part in a step. So one pass
//! runs many tests, or one test on many mutants: a mutant is
//! `ite(tap(false), mutated, original)` with the tap forced in its lane.
//!
//! Read `draft` for how terms become instructions, `schedule` and `allocate`
//! for where they run, `bools`, `planes`, `words` and `reals` for what they do.

mod allocate;
mod bools;
mod draft;
mod exact;
mod failures;
mod file;
mod instruction;
mod number;
mod planes;
mod program;
mod reals;
mod registers;
mod schedule;
mod simulator;
mod words;

/// How many words of lanes serve most systems best: Booleans gain from more, and
/// the registers of integers and reals still stay close.
pub const WORDS: usize = 4;

pub use bools::{Mask, contains, lanes};
pub use failures::FirstFailure;
pub use instruction::{
    Arithmetic, Bitwise, BoolOperation, Comparison, File, InstructionRun, Operands, Operation,
    RealOperation, WordOperation,
};
pub use program::{LaneOptions, LaneProgram, Reader, Taps};
pub use simulator::{Saved, Simulator, WordsView};

#[cfg(test)]
mod tests;
