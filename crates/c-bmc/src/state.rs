//! What is known at a place of a run, for all inputs that lead there at once.

use obligato_bytecode::CodeId;
use obligato_term::{Term, Terms};

use crate::flow::Spot;
use crate::guard::Guard;
use crate::memory::Memory;

/// What a function shares with those that it calls.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// The inputs that lead here.
    pub(crate) guard: Guard,
    pub(crate) memory: Memory,
    /// Per function outside, how often it was called in this step, as words of 32 bits.
    pub(crate) calls: Vec<Term>,
}

impl World {
    /// Two ways that exclude each other become one. Gives the bit that says which was taken.
    pub(crate) fn join(self, other: &Self, terms: &mut Terms) -> (Self, Term) {
        let (guard, test) = self.guard.join(&other.guard, terms);
        let memory = self.memory.choose(terms, test, &other.memory);
        let calls = self.calls.iter().zip(&other.calls);
        let calls = calls.map(|(one, two)| terms.choose(test, *one, *two)).collect();
        (Self { guard, memory, calls }, test)
    }
}

/// A running function: what stays the same while it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) code: CodeId,
    /// No two calls have the same.
    pub(crate) number: u32,
    pub(crate) depth: u32,
}

/// A place of a running function, and all that holds there.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) registers: Vec<Option<Term>>,
    pub(crate) spot: Spot,
    /// The objects that the function has reserved.
    pub(crate) reserved: Vec<u32>,
    /// The address of its arguments that have no name.
    pub(crate) unnamed: u64,
}

impl State {
    /// Two ways to one place become one.
    pub(crate) fn join(self, other: Self, terms: &mut Terms) -> Self {
        let (world, test) = self.world.join(&other.world, terms);
        let both = self.registers.into_iter().zip(other.registers);
        let registers = both.map(|pair| match pair {
            (Some(one), Some(two)) => Some(terms.choose(test, one, two)),
            (one, two) => one.or(two),
        });
        let registers = registers.collect();
        let mut reserved = self.reserved;
        reserved.extend(other.reserved);
        reserved.sort_unstable();
        reserved.dedup();
        Self { world, registers, spot: self.spot, reserved, unnamed: self.unnamed }
    }
}
