//! The stubs of a run: calls that leave the unit get the results that a test gives.

use obligato_bytecode::Address;
use obligato_execute::{Environment, FindingKind, Memory, OutsideCall};

use crate::driver::OUTSIDE;
use crate::environment::{READ, WRITTEN};
use crate::interface::{Interface, ObjectIndex};
use crate::layout::Layout;
use crate::layout::take_bits;
use crate::outside_writes::{EffectsOfStep, StubCall, apply_effects};
use crate::volatile::{Accessed, VolatileAccess, VolatileAccesses};

/// The most calls of stubs that are recorded in a test.
const MOST_CALLS: usize = 100_000;

/// The stubs: calls that leave the unit get the results that a test gives.
#[derive(Debug)]
pub(super) struct Stubs<'u> {
    pub(super) interface: &'u Interface,
    /// Per stub, its index in the interface and how often it was called in this step.
    pub(super) outside: Vec<(Option<usize>, u64)>,
    pub(super) layout: Layout,
    pub(super) names: Vec<String>,
    pub(super) volatile: VolatileAccesses,
    pub(super) noted: StubCalls,
    pub(super) effects: Vec<EffectsOfStep>,
}

/// The calls of stubs, step by step.
#[derive(Debug, Default)]
pub(super) struct StubCalls {
    pub(super) steps: Vec<Vec<u32>>,
    count: usize,
}

impl StubCalls {
    fn note(&mut self, stub: usize) {
        if let Some(step) = self.steps.last_mut().filter(|_| self.count < MOST_CALLS) {
            step.push(stub as u32);
            self.count += 1;
        }
    }
}

impl Stubs<'_> {
    pub(super) fn begin_step(&mut self) {
        self.noted.steps.push(Vec::new());
        self.effects.push(EffectsOfStep::default());
        for (_, calls) in &mut self.outside {
            *calls = 0;
        }
        self.volatile.begin_step();
    }

    /// What a call was given, or what was written, is there only if there was such a call or write.
    pub(super) fn took_place(&self, object: ObjectIndex) -> bool {
        if let Some((stretch, write)) = self.interface.write_of(object) {
            return self.volatile.took_place(stretch, write);
        }
        let Some((name, call)) = self.interface.call_of(object) else { return true };
        let number = self.names.iter().position(|known| known == name);
        number.is_some_and(|number| call < self.outside[number].1)
    }

    fn follow<M: Clone + Default>(
        &mut self,
        access: VolatileAccess,
        address: u64,
        size: u64,
        memory: &mut Memory<M>,
    ) -> Result<(), FindingKind> {
        let accessed = Accessed { address: Address(address), size };
        self.volatile.follow(access, accessed, self.interface, &self.layout, memory)
    }

    fn answer<M: Clone + Default>(
        &mut self,
        arguments: &[u64],
        memory: &mut Memory<M>,
    ) -> Result<(), FindingKind> {
        let &[id, count, given, _, result] = arguments else { return Err(unanswered(OUTSIDE)) };
        let Some((place, calls)) = self.outside.get_mut(id as usize) else {
            return Err(unanswered(OUTSIDE));
        };
        let call = *calls as usize;
        *calls += 1;
        let Some(place) = *place else { return Err(unanswered(&self.names[id as usize])) };
        let outside = &self.interface.outside[place];
        self.noted.note(place);
        if let Some(kept) = outside.given.get(call) {
            for (index, object) in kept.iter().enumerate().take(count as usize) {
                let pointer = memory.read(Address(given).advanced(8 * index as u64), 8)?;
                let from = Address(take_bits(pointer, 0, 64) as u64);
                let size = self.interface.objects[object.0].size;
                let bytes = memory.read(from, size)?.to_vec();
                let marks = memory.marks(from, size)?.to_vec();
                memory.write(self.layout.objects[object.0], &bytes)?;
                memory.marks_mut(self.layout.objects[object.0], size)?.clone_from_slice(&marks);
            }
        }
        let made = StubCall { outside: place as u32, call: call as u64, arguments: Address(given) };
        if let Some(done) = self.effects.last_mut() {
            apply_effects(&outside.effects, made, &self.layout, memory, done);
        }
        if let Some(object) = outside.results.get(call).or(outside.results.last()) {
            let size = self.interface.objects[object.0].size;
            let from = self.layout.objects[object.0];
            let bytes = memory.read(from, size)?.to_vec();
            let marks = memory.marks(from, size)?.to_vec();
            memory.write(Address(result), &bytes)?;
            memory.marks_mut(Address(result), size)?.clone_from_slice(&marks);
        }
        Ok(())
    }
}

impl<M: Clone + Default> Environment<M> for Stubs<'_> {
    fn call(
        &mut self,
        call: OutsideCall<'_>,
        memory: &mut Memory<M>,
    ) -> Result<Vec<u64>, FindingKind> {
        match (call.name, call.arguments) {
            (OUTSIDE, arguments) => self.answer(arguments, memory)?,
            (READ, &[address, size]) => {
                self.follow(VolatileAccess::Read, address, size, memory)?;
            }
            (WRITTEN, &[address, size]) => {
                self.follow(VolatileAccess::Written, address, size, memory)?;
            }
            (name, _) => return Err(unanswered(name)),
        }
        Ok(vec![0; call.results as usize])
    }
}

fn unanswered(name: &str) -> FindingKind {
    FindingKind::Unsupported { note: format!("a call of '{name}', which is defined nowhere") }
}
