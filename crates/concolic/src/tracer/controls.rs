//! The forks of control flow, and of runtime errors that ended a run.

use obligato_bytecode::{Address, Arm, ArmKey, Callee, Operation, Register};
use obligato_execute::{Around, Marked, Memory, Site};
use obligato_symbolic::{NO_OBJECT, undefined_behaviours};
use obligato_term::Term;

use super::{Mark, Tracer};
use crate::trace::{Alternative, CodeLocation, Continuation, ForkKind};

/// The arms of a `switch` with more keys than this are merged by target.
const MOST_KEYS: usize = 256;

/// A branch of a `switch`.
#[derive(Clone, Copy, Debug)]
struct SwitchBranch {
    /// One bit: does the value select it?
    condition: Term,
    target: u32,
    /// Did this run take it?
    taken: bool,
}

impl Tracer<'_> {
    /// Control went from the end of a block to the operation at `target`.
    pub(super) fn control(&mut self, site: Site<'_>, target: u32, around: &Around<'_, Mark>) {
        let location = CodeLocation { function: site.function, operation: site.index };
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
                self.set_alternative_target(holds, other.0);
                let target = Some(other.0);
                self.fork_two(location, ForkKind::Branch, holds, target, Continuation::Continues);
            }
            Operation::Switch { on, width, arms, otherwise } => {
                let tested = held(on);
                let Some(term) = *tested.mark else { return };
                let code = self.module.function(site.function);
                let word = self.terms.extract(term, 0, width);
                let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
                let value = tested.value & mask;
                let arms = &code.arms[arms.range()];
                let branches = self.arm_branches(word, value, arms, otherwise.0);
                self.fork_on_switch(location, branches, target);
            }
            Operation::JumpThrough { on, .. } => self.concretise(location, held(on)),
            _ => {}
        }
    }

    /// A branch on a condition that was evaluated in the same block: the fork of the condition has its alternative at `target`.
    fn set_alternative_target(&mut self, holds: Term, target: u32) {
        let Some(index) = self.known.get(&holds).copied() else { return };
        let (stack, location) = (self.frames.last().map(|frame| frame.stack), self.location());
        let fork = &mut self.trace.forks[index];
        let here = Some(fork.stack) == stack && fork.location == location;
        if let (true, ForkKind::Condition(_), [alternative]) =
            (here, fork.kind, &mut fork.alternatives[..])
        {
            alternative.target = alternative.target.or(Some(target));
        }
    }

    /// The branches of a `switch` on a word that has this value.
    fn arm_branches(
        &mut self,
        word: Term,
        value: u64,
        arms: &[Arm],
        otherwise: u32,
    ) -> Vec<SwitchBranch> {
        let width = self.terms.width(word);
        let mut branches: Vec<SwitchBranch> = Vec::new();
        for arm in arms {
            let ArmKey(key) = arm.key;
            let key_term = self.terms.constant(key.into(), width);
            let condition = self.terms.equal(word, key_term);
            branches.push(SwitchBranch { condition, target: arm.to.0, taken: key == value });
        }
        let keys: Vec<Term> = branches.iter().map(|branch| branch.condition).collect();
        let any = self.terms.any(keys);
        let condition = self.terms.not(any);
        let taken = branches.iter().all(|branch| !branch.taken);
        branches.push(SwitchBranch { condition, target: otherwise, taken });
        if arms.len() > MOST_KEYS { self.merge_by_target(branches) } else { branches }
    }

    /// The fork of a `switch` that went to `target`.
    fn fork_on_switch(&mut self, location: CodeLocation, branches: Vec<SwitchBranch>, target: u32) {
        let Some(taken) = branches.iter().find(|branch| branch.taken) else { return };
        debug_assert_eq!(taken.target, target, "a known arm");
        let holds = taken.condition;
        let alternatives = branches.into_iter().filter(|branch| !branch.taken).map(|branch| {
            let SwitchBranch { condition, target, .. } = branch;
            let continuation = Continuation::Continues;
            Alternative { term: condition, target: Some(target), continuation }
        });
        let alternatives = alternatives.collect();
        self.fork(location, ForkKind::Branch, holds, alternatives);
    }

    /// One branch for each target.
    fn merge_by_target(&mut self, branches: Vec<SwitchBranch>) -> Vec<SwitchBranch> {
        let mut merged: Vec<SwitchBranch> = Vec::new();
        for branch in branches {
            match merged.iter_mut().find(|known| known.target == branch.target) {
                Some(known) => {
                    known.condition = self.terms.or(known.condition, branch.condition);
                    known.taken |= branch.taken;
                }
                None => merged.push(branch),
            }
        }
        merged
    }

    /// The run ended with a runtime error at this operation: adds the fork whose alternative is to continue.
    pub(super) fn fail(
        &mut self,
        site: Site<'_>,
        operands: &[Marked<'_, Mark>],
        memory: &Memory<Mark>,
    ) {
        let location = CodeLocation { function: site.function, operation: site.index };
        if operands.iter().all(|operand| operand.mark.is_none()) {
            return;
        }
        match *site.operation {
            Operation::Load { size, .. } => {
                self.fail_access(location, operands[0], size.into(), memory);
            }
            Operation::Store { to, size, .. } => {
                let function = self.module.function(site.function);
                let read = site.operation.reads(function);
                let pointer = read.iter().position(|register| *register == to);
                if let Some(pointer) = pointer {
                    self.fail_access(location, operands[pointer], size.into(), memory);
                }
            }
            // A call through a pointer to no function fails whatever its arguments are, which are read after it.
            Operation::Call { callee: Callee::Through(_), .. } => {
                self.concretise(location, operands[0]);
            }
            Operation::Call { .. } | Operation::Intrinsic { .. } => {
                for operand in operands {
                    self.concretise(location, *operand);
                }
            }
            _ => self.fail_check(location, site, operands),
        }
    }

    fn fail_access(
        &mut self,
        location: CodeLocation,
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
            // All numbers that are no address are one path.
            None if at.object().0 >= NO_OBJECT => {
                let number = self.terms.extract(term, 32, 32);
                let first = self.terms.constant(NO_OBJECT.into(), 32);
                self.terms.at_most(first, number)
            }
            _ => same,
        };
        self.fork(location, ForkKind::Access, holds, Vec::new());
    }

    /// Adds the fork of an undefined computation. The concrete values tell which undefined behaviour it was.
    fn fail_check(
        &mut self,
        location: CodeLocation,
        site: Site<'_>,
        operands: &[Marked<'_, Mark>],
    ) {
        let words: Vec<Term> = operands.iter().map(|operand| self.register(*operand)).collect();
        let constant = |tracer: &mut Self, value: u64| tracer.terms.constant(value.into(), 64);
        let values: Vec<Term> =
            operands.iter().map(|operand| constant(self, operand.value)).collect();
        let overflow = self.checks_overflow();
        let could = undefined_behaviours(&mut self.terms, site.operation, &words, overflow);
        let did = undefined_behaviours(&mut self.terms, site.operation, &values, overflow);
        let happened = did.into_iter().find(|(_, holds)| self.terms.as_constant(*holds) == Some(1));
        for (kind, undefined) in could {
            if happened.is_some_and(|(known, _)| known == kind) {
                let continuation = Continuation::Continues;
                return self.fork_two(location, ForkKind::Check, undefined, None, continuation);
            }
        }
    }
}
