//! Memory: objects of bytes, found in constant time from any pointer, with bounds and lifetimes.
//!
//! An [`Address`] names its object, so a load is: take the object's entry from the table, see that it is
//! still the object that the pointer means, see that the access is inside, read the bytes. Objects
//! lie in two [arenas](arena): those that end when functions return in
//! one, those that last in the other. Beside every byte lies a mark of the run's [shadow](crate::Shadow),
//! which costs nothing if there is none.

mod arena;
mod free;
mod object;

use obligato_bytecode::{Address, GlobalId, Module, ObjectId};

use crate::finding::{AccessKind, ExecutionLimit, FindingKind};
use crate::libc::initial_bytes;
use crate::limits::ExecutionLimits;
use arena::Arena;
use object::{Object, Table};

pub(crate) use object::Lifetime;

/// Places in arenas are 32 bits wide.
const MOST_BYTES: u64 = u32::MAX as u64;

/// Failures are rare and large; their callers are hot.
pub(crate) type Checked<T> = Result<T, Box<FindingKind>>;

/// The memory of a machine.
#[derive(Clone, Debug)]
pub struct Memory<M> {
    table: Table,
    passing: Arena<M>,
    lasting: Arena<M>,
    /// The slots of the objects that functions reserved, in order.
    reserved: Vec<u32>,
    /// The slots of the globals that were written to.
    written: Vec<u32>,
    /// The initial contents of the globals.
    image: Vec<u8>,
    globals: u32,
    limits: ExecutionLimits,
    live: u32,
}

/// The extent of stack memory at some moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    pub(crate) objects: u32,
    pub(crate) bytes: u32,
}

impl<M: Clone + Default> Memory<M> {
    /// The memory with which runs of a module start.
    pub(crate) fn new(module: &Module, limits: ExecutionLimits) -> Self {
        let mut memory = Self {
            table: Table::default(),
            passing: Arena::default(),
            lasting: Arena::default(),
            reserved: Vec::new(),
            written: Vec::new(),
            image: Vec::new(),
            globals: module.globals.len() as u32,
            limits,
            live: 0,
        };
        for (index, global) in module.globals.iter().enumerate() {
            let bytes = initial_bytes(module, GlobalId::new(index));
            let start = memory.lasting.push(bytes.len() as u32);
            memory.lasting.bytes[start as usize..][..bytes.len()].copy_from_slice(&bytes);
            let lifetime =
                if global.constant { Lifetime::Constant } else { Lifetime::UntouchedGlobal };
            memory.table.push(start, bytes.len() as u32, lifetime);
        }
        for _ in &module.functions {
            memory.table.push(0, 0, Lifetime::Code);
        }
        memory.image.clone_from(&memory.lasting.bytes);
        memory.table.keep();
        memory
    }

    /// Resets the memory to its start; only objects that were written are copied.
    pub(crate) fn reset(&mut self) {
        for slot in self.written.drain(..) {
            let object = &mut self.table.objects[slot as usize];
            if object.lifetime == Lifetime::Global {
                object.lifetime = Lifetime::UntouchedGlobal;
            }
            let bytes = object.start as usize..(object.start + object.size) as usize;
            self.lasting.bytes[bytes.clone()].copy_from_slice(&self.image[bytes.clone()]);
            self.lasting.marks[bytes].fill(M::default());
        }
        self.lasting.truncate(self.image.len() as u32);
        self.passing.truncate(0);
        self.reserved.clear();
        self.table.reset();
        self.live = 0;
    }

    /// Makes an object of zeros as `malloc` does: the program under test may free it.
    pub fn allocate_for_program(&mut self, size: u64) -> Result<Address, FindingKind> {
        self.create(size, Lifetime::Heap).map_err(|kind| *kind)
    }

    /// Makes an object of zeros that lasts until it is freed with [`free`](Self::free). The program under test
    /// cannot free it.
    pub fn allocate(&mut self, size: u64) -> Result<Address, FindingKind> {
        self.create(size, Lifetime::Given).map_err(|kind| *kind)
    }

    /// Ends an object made by [`allocate`](Self::allocate).
    pub fn free(&mut self, address: Address) -> Result<(), FindingKind> {
        self.release(address, Lifetime::Given).map_err(|kind| *kind)
    }

    /// The bytes at an address.
    pub fn read(&self, address: Address, size: u64) -> Result<&[u8], FindingKind> {
        self.bytes(address, size, AccessKind::Read).map_err(|kind| *kind)
    }

    /// Writes bytes, also to constants: this is how runs are prepared.
    pub fn write(&mut self, address: Address, bytes: &[u8]) -> Result<(), FindingKind> {
        let slot =
            self.find(address, bytes.len() as u64, AccessKind::Write).map_err(|kind| *kind)?;
        self.note_written(slot);
        let (arena, start) = self.place_mut(slot, address);
        arena.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// The marks of the bytes at an address.
    pub fn marks(&self, address: Address, size: u64) -> Result<&[M], FindingKind> {
        let slot = self.find(address, size, AccessKind::Read).map_err(|kind| *kind)?;
        let (arena, start) = self.place(slot, address);
        Ok(&arena.marks[start..start + size as usize])
    }

    /// The marks of the bytes at an address, to change them.
    pub fn marks_mut(&mut self, address: Address, size: u64) -> Result<&mut [M], FindingKind> {
        let slot = self.find(address, size, AccessKind::Read).map_err(|kind| *kind)?;
        self.note_written(slot);
        let (arena, start) = self.place_mut(slot, address);
        Ok(&mut arena.marks[start..start + size as usize])
    }

    /// The size of the object that an address points into or to the end of, while the object exists.
    pub fn size_of_object(&self, address: Address) -> Option<u64> {
        let object = self.table.object(address)?;
        (object.lifetime != Lifetime::Code).then_some(u64::from(object.size))
    }

    /// Reads a number of `N` bytes.
    #[inline(always)]
    pub(crate) fn load<const N: usize>(&self, address: u64) -> Checked<u64> {
        let address = Address(address);
        let slot = self.find(address, N as u64, AccessKind::Read)?;
        let (arena, start) = self.place(slot, address);
        let mut word = [0; 8];
        word[..N].copy_from_slice(&arena.bytes[start..start + N]);
        Ok(u64::from_le_bytes(word))
    }

    /// Writes the lower `N` bytes of a number.
    #[inline(always)]
    pub(crate) fn store<const N: usize>(&mut self, address: u64, value: u64) -> Checked<()> {
        let address = Address(address);
        let slot = self.find_writable(address, N as u64)?;
        let (arena, start) = self.place_mut(slot, address);
        arena.bytes[start..start + N].copy_from_slice(&value.to_le_bytes()[..N]);
        Ok(())
    }

    /// The bytes at an address.
    pub(crate) fn bytes(&self, address: Address, size: u64, access: AccessKind) -> Checked<&[u8]> {
        let slot = self.find(address, size, access)?;
        let (arena, start) = self.place(slot, address);
        Ok(&arena.bytes[start..start + size as usize])
    }

    /// All bytes from an address to the end of its object.
    pub(crate) fn rest(&self, address: Address) -> Checked<&[u8]> {
        let slot = self.find(address, 0, AccessKind::Read)?;
        let (arena, start) = self.place(slot, address);
        let object = &self.table.objects[slot as usize];
        Ok(&arena.bytes[start..(object.start + object.size) as usize])
    }

    /// Reads a number of any size up to 8 bytes.
    pub(crate) fn load_part(&self, address: u64, size: u8) -> Checked<u64> {
        let bytes = self.bytes(Address(address), size.into(), AccessKind::Read)?;
        Ok(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
    }

    /// Writes the lower bytes of a number.
    pub(crate) fn store_part(&mut self, address: u64, value: u64, size: u8) -> Checked<()> {
        let (bytes, _) = self.bytes_mut(Address(address), size.into())?;
        bytes.copy_from_slice(&value.to_le_bytes()[..size as usize]);
        Ok(())
    }

    /// The bytes at an address and their marks, to be written by the program.
    pub(crate) fn bytes_mut(
        &mut self,
        address: Address,
        size: u64,
    ) -> Checked<(&mut [u8], &mut [M])> {
        let slot = self.find_writable(address, size)?;
        let (arena, start) = self.place_mut(slot, address);
        let range = start..start + size as usize;
        Ok((&mut arena.bytes[range.clone()], &mut arena.marks[range]))
    }

    /// Copies bytes with their marks, as if through a buffer.
    pub(crate) fn copy(&mut self, to: Address, from: Address, size: u64) -> Checked<()> {
        let source = self.find(from, size, AccessKind::Read)?;
        let target = self.find_writable(to, size)?;
        let passes = |slot: u32| self.table.objects[slot as usize].lifetime == Lifetime::Reserved;
        let (source_passes, target_passes) = (passes(source), passes(target));
        let (from, to) = (self.place(source, from).1, self.place(target, to).1);
        let size = size as usize;
        match (source_passes, target_passes) {
            (true, true) => self.passing.copy_within(from, to, size),
            (false, false) => self.lasting.copy_within(from, to, size),
            (true, false) => self.lasting.copy_from(&self.passing, from, to, size),
            (false, true) => self.passing.copy_from(&self.lasting, from, to, size),
        }
        Ok(())
    }

    /// Creates a stack object of the running function.
    pub(crate) fn reserve(&mut self, size: u64) -> Checked<Address> {
        self.admit(size)?;
        let start = self.passing.push(size as u32);
        let (slot, address) = self.table.enter(start, size as u32, Lifetime::Reserved)?;
        self.reserved.push(slot);
        Ok(address)
    }

    /// The extent of stack memory now.
    pub(crate) fn level(&self) -> Level {
        Level { objects: self.reserved.len() as u32, bytes: self.passing.bytes.len() as u32 }
    }

    /// Ends the stack objects reserved since.
    pub(crate) fn lower(&mut self, level: Level) {
        for slot in self.reserved.drain(level.objects as usize..) {
            self.table.leave(slot);
            self.live -= 1;
        }
        self.passing.truncate(level.bytes);
    }

    /// Makes an object that lasts until it is freed.
    pub(crate) fn create(&mut self, size: u64, lifetime: Lifetime) -> Checked<Address> {
        self.admit(size)?;
        let start = self.lasting.push(size as u32);
        let (_, address) = self.table.enter(start, size as u32, lifetime)?;
        Ok(address)
    }

    /// Ends an object of this kind; the address must be that of its start.
    pub(crate) fn release(&mut self, address: Address, lifetime: Lifetime) -> Checked<()> {
        let Some(object) = self.table.object(address) else {
            return Err(Box::new(match self.diagnose(address, 0, AccessKind::Free) {
                FindingKind::UseAfterFree { address, .. } => FindingKind::DoubleFree { address },
                _ => FindingKind::InvalidFree { address },
            }));
        };
        if object.lifetime != lifetime || address.offset() != 0 {
            return Err(Box::new(FindingKind::InvalidFree { address }));
        }
        self.lasting.recycle(object.start, object.size);
        self.table.leave(Table::slot(address));
        self.live -= 1;
        Ok(())
    }

    fn admit(&mut self, size: u64) -> Checked<()> {
        let used = self.passing.bytes.len() as u64 + self.lasting.bytes.len() as u64;
        if size > Address::LARGEST_OBJECT || used + size > self.limits.memory.min(MOST_BYTES) {
            return Err(Box::new(FindingKind::Limit(ExecutionLimit::Memory)));
        }
        if self.live >= self.limits.objects {
            return Err(Box::new(FindingKind::Limit(ExecutionLimit::Objects)));
        }
        self.live += 1;
        Ok(())
    }

    /// The slot of the object that holds `size` bytes from this address on.
    #[inline(always)]
    fn find(&self, address: Address, size: u64, access: AccessKind) -> Checked<u32> {
        match self.table.object(address) {
            Some(object) if object.holds(address, size) => Ok(Table::slot(address)),
            _ => Err(Box::new(self.diagnose(address, size, access))),
        }
    }

    /// The same, and the program may write there.
    #[inline(always)]
    fn find_writable(&mut self, address: Address, size: u64) -> Checked<u32> {
        let slot = self.find(address, size, AccessKind::Write)?;
        match self.table.objects[slot as usize].lifetime {
            Lifetime::Reserved | Lifetime::Heap => {}
            Lifetime::Constant => return Err(Box::new(FindingKind::ConstantWrite { address })),
            _ => self.note_written(slot),
        }
        Ok(slot)
    }

    fn note_written(&mut self, slot: u32) {
        let object = &mut self.table.objects[slot as usize];
        if slot <= self.globals && object.lifetime != Lifetime::Global {
            if object.lifetime == Lifetime::UntouchedGlobal {
                object.lifetime = Lifetime::Global;
            }
            self.written.push(slot);
        }
    }

    #[inline(always)]
    fn place(&self, slot: u32, address: Address) -> (&Arena<M>, usize) {
        let object = &self.table.objects[slot as usize];
        let arena =
            if object.lifetime == Lifetime::Reserved { &self.passing } else { &self.lasting };
        (arena, object.start as usize + Object::offset(address) as usize)
    }

    #[inline(always)]
    fn place_mut(&mut self, slot: u32, address: Address) -> (&mut Arena<M>, usize) {
        let object = &self.table.objects[slot as usize];
        let start = object.start as usize + Object::offset(address) as usize;
        let passing = object.lifetime == Lifetime::Reserved;
        (if passing { &mut self.passing } else { &mut self.lasting }, start)
    }

    /// The runtime error of an invalid access.
    #[cold]
    fn diagnose(&self, address: Address, size: u64, access: AccessKind) -> FindingKind {
        let ObjectId(number) = address.object();
        if address.is_near_null() {
            return FindingKind::NullDereference { access, address };
        }
        if number == 0 {
            return FindingKind::WildPointer { access, address };
        }
        match self.table.object(address) {
            Some(object) if object.lifetime == Lifetime::Code => {
                FindingKind::CodeAccess { access, address }
            }
            Some(object) => FindingKind::OutOfBounds {
                access,
                offset: address.offset(),
                size,
                object: u64::from(object.size),
            },
            None => match self.table.past(address) {
                Some(Lifetime::Reserved) => FindingKind::UseAfterReturn { access, address },
                Some(_) => FindingKind::UseAfterFree { access, address },
                None => FindingKind::WildPointer { access, address },
            },
        }
    }
}
