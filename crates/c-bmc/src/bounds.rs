//! The bounds of a formula: which choices of the tool about the surroundings of a function a refutation uses.
//!
//! Each bound has a literal, a variable of one bit. Where the literal holds, the formula is what the executor does. Where it does
//! not, either a value is unconstrained ([`Engine::within`]), or a path leaves what the formula describes ([`Engine::beyond`]). So
//! an event that is infeasible without a literal is infeasible beyond its bound too, and the literals in the unsat core of
//! a query are the bounds that its refutation uses.

use std::collections::{BTreeMap, BTreeSet};

use obligato_model::Bound;
use obligato_term::{Assignment, Node, Term, Terms};

use crate::access::AccessSite;
use crate::cut::{Cut, Reason};
use crate::engine::Engine;
use crate::pointer::Target;
use crate::state::SharedState;

/// The literals of bounds, and what stands for memory beyond them.
#[derive(Debug, Default)]
pub(crate) struct BoundLiterals {
    literals: BTreeMap<Bound, Term>,
    /// Objects without bytes that pointers beyond a bound point to, by number.
    opaque: BTreeMap<u32, Bound>,
    opaque_of: BTreeMap<Bound, u32>,
    /// Objects of the test whose size is a choice of the tool.
    pub(crate) extents: BTreeMap<u32, Bound>,
    /// Objects too large to have an unconstrained value for each word: every word read from them has one.
    pub(crate) unset: BTreeMap<u32, Bound>,
    /// Objects that a caller may let overlap.
    pub(crate) aliasable: BTreeMap<u32, Aliasable>,
    /// Global variables that somebody besides the unit may point to.
    pub(crate) known_globals: BTreeSet<u32>,
    /// Unconstrained values of memory beyond a bound: two reads of a place have the same one unless something was written in between.
    read: BTreeMap<(Bound, ReadPlace), Term>,
    /// Unconstrained values of the initial memory, so that a twin run has the same.
    initial: BTreeMap<(u32, usize), Term>,
}

impl BoundLiterals {
    /// All literals with their bounds.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Bound, Term)> {
        self.literals.iter().map(|(bound, literal)| (bound, *literal))
    }

    /// The literal of a bound that has one.
    pub(crate) fn known(&self, bound: &Bound) -> Option<Term> {
        self.literals.get(bound).copied()
    }

    /// The literal of a bound.
    pub(crate) fn literal(&mut self, terms: &mut Terms, bound: &Bound) -> Term {
        if let Some(known) = self.literals.get(bound) {
            return *known;
        }
        let literal = terms.variable(1);
        self.literals.insert(bound.clone(), literal);
        literal
    }

    /// The bound on the bytes that the formula describes of an object, if the tool chose their number.
    pub(crate) fn on_size(&self, object: u32) -> Option<Bound> {
        self.opaque.get(&object).or_else(|| self.extents.get(&object)).cloned()
    }

    /// The bound beyond which a pointer to this object leads.
    pub(crate) fn beyond(&self, object: u32) -> Option<&Bound> {
        self.opaque.get(&object)
    }
}

/// A place in the memory at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ReadPlace {
    pub(crate) object: u32,
    /// In bytes, a word of 64 bits.
    pub(crate) offset: Term,
    /// In bits.
    pub(crate) width: u8,
    /// Of the [memory](crate::memory::Memory::version).
    pub(crate) version: u32,
}

/// How a caller may come to let an object overlap with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aliasable {
    /// It gives the function a pointer to it.
    Pointed,
    /// It is a global variable.
    Global,
}

/// A place in the initial memory: the number of an object, and the offset in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InitialPlace {
    pub(crate) object: u32,
    pub(crate) offset: usize,
}

impl Engine<'_> {
    /// A value within a bound; beyond it, it is unconstrained.
    pub(crate) fn within(&mut self, bound: &Bound, value: Term) -> Term {
        let fresh = self.unconstrained(bound, self.terms.width(value));
        let literal = self.bounds.literal(&mut self.terms, bound);
        self.terms.choose(literal, value, fresh)
    }

    /// The same for a value of the initial memory.
    pub(crate) fn within_initially(
        &mut self,
        bound: &Bound,
        value: Term,
        place: InitialPlace,
    ) -> Term {
        let key = (place.object, place.offset);
        let fresh = match self.bounds.initial.get(&key) {
            Some(known) => *known,
            None => self.unconstrained(bound, self.terms.width(value)),
        };
        self.bounds.initial.insert(key, fresh);
        let literal = self.bounds.literal(&mut self.terms, bound);
        self.terms.choose(literal, value, fresh)
    }

    /// The same for a value that is read from memory.
    pub(crate) fn within_at(&mut self, bound: &Bound, value: Term, place: ReadPlace) -> Term {
        let key = (bound.clone(), place);
        let fresh = match self.bounds.read.get(&key) {
            Some(known) => *known,
            None => self.unconstrained(bound, place.width),
        };
        self.bounds.read.insert(key, fresh);
        let literal = self.bounds.literal(&mut self.terms, bound);
        self.terms.choose(literal, value, fresh)
    }

    /// A pointer to a function that an input holds; beyond the bound its address is unconstrained. Whatever function it leads to does no
    /// more than a stub, if there is one.
    pub(crate) fn function_initially(
        &mut self,
        word: Term,
        place: InitialPlace,
        stub: Option<u32>,
    ) -> Term {
        let chosen = self.within_initially(&Bound::OwnCallbacks, word, place);
        let fresh = self.bounds.initial.get(&(place.object, place.offset)).copied();
        if let (Some(fresh), Some(object)) = (fresh, stub) {
            let (when, offset) = (self.terms.bit(true), self.terms.constant(0, 64));
            self.pointers.define(fresh, vec![Target { object, when, offset }]);
        }
        chosen
    }

    /// One bit that may hold beyond a bound and does not within it.
    pub(crate) fn only_beyond(&mut self, bound: &Bound) -> Term {
        let fresh = self.terms.variable(1);
        let literal = self.bounds.literal(&mut self.terms, bound);
        let outside = self.terms.not(literal);
        self.terms.and(outside, fresh)
    }

    /// The same assignment with all literals true, those too that are younger than it.
    pub(crate) fn within_bounds(&self, assignment: &Assignment) -> Assignment {
        let mut assignment = assignment.clone();
        for (_, literal) in self.bounds.all() {
            if let Node::Variable(variable) = self.terms.node(literal) {
                assignment.set(variable, 1);
            }
        }
        assignment
    }

    /// An unconstrained word. As a pointer it leads beyond the bound.
    pub(crate) fn unconstrained(&mut self, bound: &Bound, width: u8) -> Term {
        let fresh = self.terms.variable(width);
        if width == 64 {
            let object = self.opaque_object(bound);
            let when = self.terms.bit(true);
            self.pointers.define(fresh, vec![Target { object, when, offset: fresh }]);
        }
        fresh
    }

    /// An unconstrained word that was read beyond a bound. As a pointer it leads beyond the layout of addresses.
    pub(crate) fn unknown_word(&mut self, width: u8) -> Term {
        self.unconstrained(&Bound::AddressLayout, width)
    }

    /// The object without bytes that stands for everything beyond a bound.
    pub(crate) fn opaque_object(&mut self, bound: &Bound) -> u32 {
        if let Some(known) = self.bounds.opaque_of.get(bound) {
            return *known;
        }
        let number = self.next_object;
        self.next_object += 1;
        self.bounds.opaque.insert(number, bound.clone());
        self.bounds.opaque_of.insert(bound.clone(), number);
        number
    }

    /// Records that the inputs for which `when` holds go beyond a bound at an operation.
    pub(crate) fn beyond(
        &mut self,
        at: AccessSite,
        shared: &SharedState,
        bound: Bound,
        when: Term,
    ) {
        let guard = self.terms.and(shared.guard.term(), when);
        if self.terms.as_constant(guard) == Some(0) {
            return;
        }
        self.bounds.literal(&mut self.terms, &bound);
        self.cuts.push(Cut {
            reason: Reason::Bound(bound),
            function: at.frame.code,
            operation: at.operation,
            step: self.step,
            callers: self.open.clone(),
            guard,
        });
    }
}
