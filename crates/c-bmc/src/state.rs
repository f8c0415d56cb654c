//! Symbolic states: each stands for all inputs that satisfy its guard.

use std::collections::BTreeSet;
use std::rc::Rc;

use obligato_bytecode::CodeId;
use obligato_model::Bound;
use obligato_term::{Term, Terms};

use crate::flow::UnwoundBlock;
use crate::guard::Guard;
use crate::memory::Memory;

/// The part of a state that a function shares with its callees.
#[derive(Clone, Debug)]
pub(crate) struct SharedState {
    /// Which inputs reach the state.
    pub(crate) guard: Guard,
    pub(crate) memory: Memory,
    /// Per stub, how often it was called in this step, and per volatile stretch, how often it was read and written, as words of 32 bits.
    pub(crate) calls: Vec<Term>,
    /// The objects that a caller may let overlap and that some path to here has written.
    pub(crate) written: Rc<BTreeSet<u32>>,
    /// The objects that stubs were given, directly or through pointers in them: they may keep the addresses.
    pub(crate) given_away: Rc<BTreeSet<u32>>,
    /// The bounds beyond which some path to here has written through a pointer that may point to any object a caller knows.
    pub(crate) wild_writes: Rc<BTreeSet<Bound>>,
}

impl SharedState {
    /// Notes that a stub may know the address of an object from now on.
    pub(crate) fn note_given_away(&mut self, object: u32) {
        if !self.given_away.contains(&object) {
            Rc::make_mut(&mut self.given_away).insert(object);
        }
    }

    /// Notes a write through a pointer that leads beyond a bound.
    pub(crate) fn note_wild_write(&mut self, bound: &Bound) {
        self.memory.touch();
        if !self.wild_writes.contains(bound) {
            Rc::make_mut(&mut self.wild_writes).insert(bound.clone());
        }
    }

    /// Notes that an object which a caller may let overlap is written.
    pub(crate) fn note_write(&mut self, object: u32) {
        self.memory.touch();
        if !self.written.contains(&object) {
            Rc::make_mut(&mut self.written).insert(object);
        }
    }

    /// Joins two states with exclusive guards. Gives the bit that holds in the first.
    pub(crate) fn join(self, other: &Self, terms: &mut Terms) -> (Self, Term) {
        let (guard, test) = self.guard.join(&other.guard, terms);
        let memory = self.memory.choose(terms, test, &other.memory);
        let calls = self.calls.iter().zip(&other.calls);
        let calls = calls.map(|(one, two)| terms.choose(test, *one, *two)).collect();
        let written = union(self.written, &other.written);
        let given_away = union(self.given_away, &other.given_away);
        let wild_writes = union(self.wild_writes, &other.wild_writes);
        (Self { guard, memory, calls, written, given_away, wild_writes }, test)
    }
}

/// The union of two sets, which mostly are the same.
fn union<T: Clone + Ord>(one: Rc<BTreeSet<T>>, other: &Rc<BTreeSet<T>>) -> Rc<BTreeSet<T>> {
    if Rc::ptr_eq(&one, other) || one.is_superset(other) {
        one
    } else {
        Rc::new(one.union(other).cloned().collect())
    }
}

/// A call of a function: what stays the same while it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) code: CodeId,
    /// No two calls have the same.
    pub(crate) number: u32,
    pub(crate) depth: u32,
    /// Is the running block, or a call that led here, in a loop?
    pub(crate) in_loop: bool,
}

/// A symbolic state at a basic block of a function.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) shared: SharedState,
    pub(crate) registers: Vec<Option<Term>>,
    pub(crate) block_instance: UnwoundBlock,
    /// The stack objects of the function.
    pub(crate) reserved: Vec<u32>,
    /// The address of its unnamed arguments.
    pub(crate) unnamed: u64,
}

impl State {
    /// Joins two states at the same block.
    pub(crate) fn join(self, other: Self, terms: &mut Terms) -> Self {
        let (shared, test) = self.shared.join(&other.shared, terms);
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
        Self {
            shared,
            registers,
            block_instance: self.block_instance,
            reserved,
            unnamed: self.unnamed,
        }
    }
}
