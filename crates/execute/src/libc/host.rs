//! The interface between models and the machine: memory, `errno` and output.

use obligato_bytecode::Address;

use super::Library;
use crate::finding::{AccessKind, FindingKind};
use crate::machine::{Run, spend};
use crate::memory::{Lifetime, Memory};
use crate::shadow::Shadow;

/// The parts of a machine that a model works on.
pub(crate) struct Host<'a, S: Shadow> {
    pub(super) memory: &'a mut Memory<S::Mark>,
    pub(super) shadow: &'a mut S,
    pub(super) library: &'a mut Library,
    pub(super) steps: &'a mut u64,
    pub(super) most_bytes: u64,
    /// The union of the marks of everything that the model read: what it writes and returns gets them.
    pub(super) touched: S::Mark,
}

impl<S: Shadow> Host<'_, S> {
    /// Notes that the model read something with this mark.
    pub(super) fn touch(&mut self, mark: &S::Mark) {
        self.shadow.unite(&mut self.touched, mark);
    }

    /// Notes that the model read these bytes.
    fn look(&mut self, at: u64, size: u64) -> Run<()> {
        spend(self.steps, size)?;
        if S::ACTIVE {
            for mark in self.memory.marks(Address(at), size)? {
                self.shadow.unite(&mut self.touched, mark);
            }
        }
        Ok(())
    }

    /// Bytes.
    pub(super) fn read(&mut self, at: u64, size: u64) -> Run<Vec<u8>> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let bytes = self.memory.bytes(Address(at), size, AccessKind::Read)?.to_vec();
        self.look(at, size)?;
        Ok(bytes)
    }

    /// The bytes before the first zero.
    pub(super) fn text(&mut self, at: u64) -> Run<Vec<u8>> {
        let (text, ended) = self.text_within(at, u64::MAX)?;
        if !ended {
            // Without a terminating zero, the program reads past the end of the object.
            self.memory.bytes(Address(at), text.len() as u64 + 1, AccessKind::Read)?;
        }
        Ok(text)
    }

    /// At most `limit` bytes before the first zero, and whether there is a zero within the limit.
    pub(super) fn text_within(&mut self, at: u64, limit: u64) -> Run<(Vec<u8>, bool)> {
        if limit == 0 {
            return Ok((Vec::new(), false));
        }
        let rest = self.memory.rest(Address(at))?;
        let rest = &rest[..rest.len().min(usize::try_from(limit).unwrap_or(usize::MAX))];
        let end = rest.iter().position(|byte| *byte == 0);
        let text = rest[..end.unwrap_or(rest.len())].to_vec();
        self.look(at, text.len() as u64 + u64::from(end.is_some()))?;
        Ok((text, end.is_some()))
    }

    /// The same; a program reads past the end of an object that ends before the zero and the limit.
    pub(super) fn text_up_to(&mut self, at: u64, limit: u64) -> Run<Vec<u8>> {
        let (text, ended) = self.text_within(at, limit)?;
        if !ended && (text.len() as u64) < limit {
            self.memory.bytes(Address(at), text.len() as u64 + 1, AccessKind::Read)?;
        }
        Ok(text)
    }

    /// Writes bytes, with the marks of everything that was read.
    pub(super) fn write(&mut self, at: u64, bytes: &[u8]) -> Run<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        spend(self.steps, bytes.len() as u64)?;
        let (target, marks) = self.memory.bytes_mut(Address(at), bytes.len() as u64)?;
        target.copy_from_slice(bytes);
        if S::ACTIVE {
            marks.fill(self.touched.clone());
            self.shadow.moved(marks);
        }
        Ok(())
    }

    /// Copies bytes with their marks.
    pub(super) fn copy(&mut self, to: u64, from: u64, size: u64) -> Run<()> {
        if size == 0 {
            return Ok(());
        }
        spend(self.steps, size)?;
        self.memory.copy(Address(to), Address(from), size)?;
        if S::ACTIVE {
            self.shadow.moved(self.memory.marks_mut(Address(to), size)?);
        }
        Ok(())
    }

    /// Copies bytes between places that must not overlap.
    pub(super) fn copy_apart(&mut self, to: u64, from: u64, size: u64) -> Run<()> {
        let apart = to.abs_diff(from);
        if apart != 0 && apart < size {
            return Err(FindingKind::OverlappingCopy { size }.into());
        }
        self.copy(to, from, size)
    }

    /// Allocates an object that the program may free; null if it is too large.
    pub(super) fn allocate(&mut self, size: u64) -> Run<u64> {
        if size > Address::LARGEST_OBJECT {
            return Ok(0);
        }
        spend(self.steps, size)?;
        Ok(self.memory.create(size, Lifetime::Heap)?.0)
    }

    /// Allocates an object that belongs to the library.
    pub(super) fn own_object(&mut self, bytes: &[u8]) -> Run<Address> {
        let address = self.memory.create(bytes.len() as u64, Lifetime::Given)?;
        self.memory.bytes_mut(address, bytes.len() as u64)?.0.copy_from_slice(bytes);
        Ok(address)
    }

    /// The address of `errno`.
    pub(super) fn errno(&mut self) -> Run<u64> {
        if let Some(address) = self.library.errno {
            return Ok(address.0);
        }
        let address = self.own_object(&[0; 4])?;
        self.library.errno = Some(address);
        Ok(address.0)
    }

    /// Sets `errno`.
    pub(super) fn set_errno(&mut self, number: i32) -> Run<()> {
        let at = self.errno()?;
        self.write(at, &number.to_le_bytes())
    }
}
