//! Where control went, and why a run could not go on.

use obligato_bytecode::{Address, ArmKey, Function, List, Operation, Register};
use obligato_execute::{Around, Marked, Memory, Site};
use obligato_term::Term;

use super::{Mark, Tracer};
use crate::trace::{ForkKind, Leads, Other, Place};

/// Arms of a `switch` with more keys than this are told apart by where they lead only.
const MOST_KEYS: u32 = 256;

impl Tracer<'_> {
    /// Control went from the end of a block to the operation at `target`.
    pub(super) fn control(&mut self, site: Site<'_>, target: u32, around: &Around<'_, Mark>) {
        let place = Place { function: site.function, operation: site.index };
        let held = |register: Register| {
            let at = register.0 as usize;
            Marked { value: around.registers[at], mark: &around.marks[at] }
        };
        match *site.operation {
            Operation::Branch { test, then, otherwise } => {
                let tested = held(test);
                let Some(term) = *tested.mark else { return };
                let bit = self.terms.extract(term, 0, 1);
                let (holds, other) = if tested.value & 1 == 1 {
                    (bit, otherwise)
                } else {
                    (self.terms.not(bit), then)
                };
                self.lead_on(holds, other.0);
                self.fork_two(place, ForkKind::Branch, holds, (Some(other.0), Leads::On));
            }
            Operation::Switch { on, width, arms, otherwise } => {
                let tested = held(on);
                let Some(term) = *tested.mark else { return };
                let code = self.module.function(site.function);
                let word = self.terms.extract(term, 0, width);
                let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
                let value = tested.value & mask;
                self.choose_arm(place, code, (word, value), arms, (target, otherwise.0));
            }
            Operation::JumpThrough { on, .. } => self.pin(place, held(on)),
            _ => {}
        }
    }

    /// A branch on a condition that was evaluated in the same block: its other value leads to `target`.
    fn lead_on(&mut self, holds: Term, target: u32) {
        let Some(index) = self.known.get(&holds).copied() else { return };
        let (stack, place) = (self.frames.last().map(|frame| frame.stack), self.place());
        let fork = &mut self.trace.forks[index];
        let here = Some(fork.stack) == stack && fork.place == place;
        if let (true, ForkKind::Condition(_), [other]) = (here, fork.kind, &mut fork.others[..]) {
            other.target = other.target.or(Some(target));
        }
    }

    /// A `switch` on a word that has this value went to `target`.
    fn choose_arm(
        &mut self,
        place: Place,
        function: &Function,
        (word, value): (Term, u64),
        arms: List,
        (target, otherwise): (u32, u32),
    ) {
        let width = self.terms.width(word);
        let mut ways: Vec<(Term, u32, bool)> = Vec::new();
        for arm in &function.arms[arms.range()] {
            let ArmKey(key) = arm.key;
            let key_term = self.terms.constant(key.into(), width);
            let meant = self.terms.equal(word, key_term);
            ways.push((meant, arm.to.0, key == value));
        }
        let none = {
            let keys: Vec<Term> = ways.iter().map(|(meant, ..)| *meant).collect();
            let any = self.terms.any(keys);
            self.terms.not(any)
        };
        let default_taken = ways.iter().all(|(_, _, taken)| !taken);
        ways.push((none, otherwise, default_taken));
        if arms.length > MOST_KEYS {
            ways = self.by_target(ways);
        }
        let Some(holds) = ways.iter().find(|(_, _, taken)| *taken).map(|(term, ..)| *term) else {
            return;
        };
        debug_assert!(ways.iter().any(|(_, to, taken)| *taken && *to == target), "a known arm");
        let others = ways.iter().filter(|(_, _, taken)| !taken).map(|(term, to, _)| Other {
            term: *term,
            target: Some(*to),
            leads: Leads::On,
        });
        let others = others.collect();
        self.fork(place, ForkKind::Branch, holds, others);
    }

    /// One way for each block that ways lead to.
    fn by_target(&mut self, ways: Vec<(Term, u32, bool)>) -> Vec<(Term, u32, bool)> {
        let mut joined: Vec<(Term, u32, bool)> = Vec::new();
        for (term, to, taken) in ways {
            match joined.iter_mut().find(|(_, known, _)| *known == to) {
                Some((known, _, was_taken)) => {
                    *known = self.terms.or(*known, term);
                    *was_taken |= taken;
                }
                None => joined.push((term, to, taken)),
            }
        }
        joined
    }

    /// The run ended at this operation: with other inputs it could have gone on.
    pub(super) fn fail(
        &mut self,
        site: Site<'_>,
        operands: &[Marked<'_, Mark>],
        memory: &Memory<Mark>,
    ) {
        let place = Place { function: site.function, operation: site.index };
        if operands.iter().all(|operand| operand.mark.is_none()) {
            return;
        }
        match *site.operation {
            Operation::Load { size, .. } => {
                self.fail_access(place, operands[0], size.into(), memory);
            }
            Operation::Store { to, size, .. } => {
                let function = self.module.function(site.function);
                let read = site.operation.reads(function);
                let pointer = read.iter().position(|register| *register == to);
                if let Some(pointer) = pointer {
                    self.fail_access(place, operands[pointer], size.into(), memory);
                }
            }
            Operation::Call { .. } | Operation::Intrinsic { .. } => {
                for operand in operands {
                    self.pin(place, *operand);
                }
            }
            _ => self.fail_check(place, site, operands),
        }
    }

    fn fail_access(
        &mut self,
        place: Place,
        pointer: Marked<'_, Mark>,
        size: u64,
        memory: &Memory<Mark>,
    ) {
        let Some(term) = *pointer.mark else { return };
        let at = Address(pointer.value);
        let extent = memory.size_of_object(at);
        let (inside, same) = self.inside(term, at, size, extent.unwrap_or(0));
        let holds = match extent {
            Some(extent) if extent >= size => {
                let outside = self.terms.not(inside);
                self.terms.and(same, outside)
            }
            _ => same,
        };
        self.fork(place, ForkKind::Access, holds, Vec::new());
    }

    /// Which of the ways to be undefined it was, the values of this run say.
    fn fail_check(&mut self, place: Place, site: Site<'_>, operands: &[Marked<'_, Mark>]) {
        let words: Vec<Term> = operands.iter().map(|operand| self.register(*operand)).collect();
        let constant = |tracer: &mut Self, value: u64| tracer.terms.constant(value.into(), 64);
        let values: Vec<Term> =
            operands.iter().map(|operand| constant(self, operand.value)).collect();
        let overflow = self.checks_overflow();
        let could = super::faults(&mut self.terms, site.operation, &words, overflow);
        let did = super::faults(&mut self.terms, site.operation, &values, overflow);
        let happened = did.into_iter().find(|(_, holds)| self.terms.as_constant(*holds) == Some(1));
        for (kind, fault) in could {
            if happened.is_some_and(|(known, _)| known == kind) {
                return self.fork_two(place, ForkKind::Check, fault, (None, Leads::On));
            }
        }
    }
}
