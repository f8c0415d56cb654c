//! The table of objects: maps the number in a pointer to the bytes.
//!
//! A number is a slot of the table and a generation. A slot is used again, by the next generation, so
//! that the table stays small; a number never is, so that a dangling pointer never points to
//! another object. When a slot has seen all its generations it is given up.

use obligato_bytecode::{Address, ObjectId};

use crate::finding::{ExecutionLimit, FindingKind};

/// The bits of a number that say the slot; the others say the generation.
const SLOT_BITS: u32 = 22;
const SLOT_MASK: u32 = (1 << SLOT_BITS) - 1;
const GENERATION: u32 = 1 << SLOT_BITS;
/// A number that is never given, since its slot is not used.
const NOBODY: u32 = u32::MAX;

/// How long an object exists, and who may change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lifetime {
    /// Until the function that reserved it returns.
    Reserved,
    /// Until the program frees it.
    Heap,
    /// Made by whoever prepares the run.
    Given,
    /// Always; written to in this run.
    Global,
    /// Always; as it was at the start.
    UntouchedGlobal,
    /// Always, and never written.
    Constant,
    /// A function: its bytes cannot be read.
    Code,
}

/// An object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    /// The number of the object that exists now, or [`NOBODY`].
    number: u32,
    /// The number of the next object in this slot.
    next: u32,
    pub(crate) size: u32,
    pub(crate) start: u32,
    pub(crate) lifetime: Lifetime,
}

impl Object {
    /// The offset of an address, if it is not before its object; else a number larger than any object.
    #[inline(always)]
    pub(crate) fn offset(address: Address) -> u32 {
        (address.0 as u32).wrapping_sub(Address::BASE)
    }

    /// Do `size` bytes from this address on lie inside?
    #[inline(always)]
    pub(crate) fn holds(&self, address: Address, size: u64) -> bool {
        u64::from(Self::offset(address)).saturating_add(size) <= u64::from(self.size)
    }
}

/// All objects; ended ones stay until their slot is used again.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) objects: Vec<Object>,
    /// Slots that can be used again, apart by lifetime, so that a slot says how its earlier objects ended.
    free_reserved: Vec<u32>,
    free_lasting: Vec<u32>,
    /// How many of the objects are there from the start.
    fixed: usize,
}

impl Default for Table {
    fn default() -> Self {
        // Slot 0 belongs to the null pointer: no number of it is ever given.
        let nothing =
            Object { number: NOBODY, next: 0, size: 0, start: 0, lifetime: Lifetime::Code };
        let (free_reserved, free_lasting) = (Vec::new(), Vec::new());
        Self { objects: vec![nothing], free_reserved, free_lasting, fixed: 1 }
    }
}

impl Table {
    /// The slot that an address names.
    #[inline(always)]
    pub(crate) fn slot(address: Address) -> u32 {
        address.object().0 & SLOT_MASK
    }

    /// The object that an address belongs to, if it exists.
    #[inline(always)]
    pub(crate) fn object(&self, address: Address) -> Option<&Object> {
        let ObjectId(number) = address.object();
        self.objects.get((number & SLOT_MASK) as usize).filter(|object| object.number == number)
    }

    /// How the object that an address belonged to ended, if there was one.
    pub(crate) fn past(&self, address: Address) -> Option<Lifetime> {
        let ObjectId(number) = address.object();
        let object = self.objects.get((number & SLOT_MASK) as usize)?;
        (number < object.next).then_some(object.lifetime)
    }

    /// Adds an object that is there from the start.
    pub(crate) fn push(&mut self, start: u32, size: u32, lifetime: Lifetime) {
        let number = self.objects.len() as u32;
        let next = number | GENERATION;
        self.objects.push(Object { number, next, size, start, lifetime });
    }

    /// Says that all that is there from the start has been added.
    pub(crate) fn keep(&mut self) {
        self.fixed = self.objects.len();
    }

    /// Drops all objects added since.
    pub(crate) fn reset(&mut self) {
        self.objects.truncate(self.fixed);
        self.free_reserved.clear();
        self.free_lasting.clear();
    }

    /// Adds an object.
    #[inline]
    pub(crate) fn enter(
        &mut self,
        start: u32,
        size: u32,
        lifetime: Lifetime,
    ) -> Result<(u32, Address), Box<FindingKind>> {
        let free = match lifetime {
            Lifetime::Reserved => &mut self.free_reserved,
            _ => &mut self.free_lasting,
        };
        let slot = if let Some(slot) = free.pop() {
            let object = &mut self.objects[slot as usize];
            object.number = object.next;
            object.next = object.number.saturating_add(GENERATION);
            (object.size, object.start, object.lifetime) = (size, start, lifetime);
            slot
        } else {
            let slot = self.objects.len() as u32;
            if slot >= SLOT_MASK {
                return Err(Box::new(FindingKind::Limit(ExecutionLimit::Objects)));
            }
            self.push(start, size, lifetime);
            slot
        };
        Ok((slot, Address::new(ObjectId(self.objects[slot as usize].number), 0)))
    }

    /// Ends an object: its number is never given again.
    #[inline]
    pub(crate) fn leave(&mut self, slot: u32) {
        let object = &mut self.objects[slot as usize];
        let free = match object.lifetime {
            Lifetime::Reserved => &mut self.free_reserved,
            _ => &mut self.free_lasting,
        };
        (object.number, object.size, object.start) = (NOBODY, 0, 0);
        if object.next != NOBODY {
            free.push(slot);
        }
    }
}
