//! `volatile` cells: the environment may change them at any time, so each read is an input and each write an output.
//!
//! The reads of a step have the names of their cell and a number, `tick[0]`, `tick[1]`; what is written is `tick=[0]`. Cells
//! that share bytes, such as the bit-fields of a register, are read together.

use std::ops::Range;

use super::expand::Expanded;
use super::{Cell, Expander, Form, Interface, ObjectIndex, Origin, Pointee, PointerTarget};

/// A stretch of an object that the environment changes: so many of its reads in a step give values of their own, later ones the
/// last one again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolatileStretch {
    /// The name of its first cell.
    pub name: String,
    /// The object that it is in.
    pub object: ObjectIndex,
    /// In bytes from the start of the object.
    pub offset: u64,
    /// In bytes.
    pub size: u64,
    /// Per read, the object with what it gives; empty if the function does not read it.
    pub reads: Vec<ObjectIndex>,
    /// Per write, the object that keeps what is written; empty if the function does not write it.
    pub writes: Vec<ObjectIndex>,
}

impl VolatileStretch {
    /// Its bytes that an access to these bytes of the object touches.
    pub fn touched(&self, access: &Range<u64>) -> Range<u64> {
        let (start, end) = (self.offset, self.offset + self.size);
        let start = start.max(access.start);
        start..end.min(access.end).max(start)
    }
}

/// What a function does with the `volatile` cells of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accesses {
    pub read: bool,
    pub written: bool,
}

/// Takes the `volatile` cells out of what was expanded, and puts their reads among the inputs, where they were, and their
/// writes among the outputs. Those of objects that only the program reaches stay.
pub(super) fn take_volatile(
    expander: &mut Expander<'_>,
    interface: &mut Interface,
    found: Expanded,
    accesses: Accesses,
) -> Expanded {
    let first = interface.volatile.len();
    let mut ordered: Vec<&Cell> = cells_of(&found).map(|(cell, _)| cell).collect();
    ordered.sort_by_key(|cell| (cell.object, cell.offset));
    for cell in ordered {
        let bytes = bytes_of(cell);
        match interface.volatile[first..].last_mut() {
            Some(last) if last.object == cell.object && bytes.start < last.offset + last.size => {
                last.size = last.size.max(bytes.end - last.offset);
            }
            _ => interface.volatile.push(VolatileStretch {
                name: cell.name.clone(),
                object: cell.object,
                offset: bytes.start,
                size: bytes.end - bytes.start,
                reads: Vec::new(),
                writes: Vec::new(),
            }),
        }
    }
    let written: Vec<(ObjectIndex, u64)> = cells_of(&found)
        .filter(|(_, writable)| *writable && accesses.written)
        .map(|(cell, _)| (cell.object, bytes_of(cell).start))
        .collect();
    let calls = expander.settings.calls;
    for stretch in &mut interface.volatile[first..] {
        let (name, size) = (stretch.name.clone(), stretch.size);
        let mut fresh = |kind: &str, wanted: bool| -> Vec<ObjectIndex> {
            let numbers = 0..if wanted { calls } else { 0 };
            let name = |number| format!("{name}{kind}[{number}]");
            numbers.map(|at| expander.add_object(&name(at), size, Origin::Fresh)).collect()
        };
        let (start, end) = (stretch.offset, stretch.offset + stretch.size);
        let is_written = written
            .iter()
            .any(|(object, at)| *object == stretch.object && (start..end).contains(at));
        stretch.reads = fresh("", accesses.read);
        stretch.writes = fresh("=", is_written);
    }
    place_cells(interface, found, first)
}

/// Lists the cells of reads and writes; gives what is no `volatile` cell.
fn place_cells(interface: &mut Interface, expanded: Expanded, first: usize) -> Expanded {
    let Expanded { cells, writable, volatile } = expanded;
    let mut rest = Expanded::default();
    for ((cell, writable), volatile) in cells.into_iter().zip(writable).zip(volatile) {
        let start = bytes_of(&cell).start;
        let stretch = interface.volatile[first..].iter().find(|one| {
            one.object == cell.object && (one.offset..one.offset + one.size).contains(&start)
        });
        let (Some(stretch), true) = (stretch, volatile) else {
            rest.cells.push(cell);
            rest.writable.push(writable);
            rest.volatile.push(volatile);
            continue;
        };
        let offset = cell.offset - 8 * stretch.offset;
        let call = if leads_to_object(&cell.form) { "()" } else { "" };
        for (number, object) in stretch.reads.iter().enumerate() {
            let name = format!("{}{call}[{number}]", cell.name);
            rest.cells.push(Cell { name, object: *object, offset, ..cell.clone() });
            rest.writable.push(false);
            rest.volatile.push(true);
        }
        for (number, object) in stretch.writes.iter().enumerate() {
            let name = format!("{}=[{number}]", cell.name);
            let written = Cell { name, object: *object, offset, bound: None, ..cell.clone() };
            interface.outputs.push(written);
        }
    }
    rest
}

/// What such a pointer points to is named `head[0]`, so its reads are `head()[0]`. What a pointer to a function gives is
/// named `on_tick()[0]`, so its reads are `on_tick[0]`.
fn leads_to_object(form: &Form) -> bool {
    let Form::Pointer(targets) = form else { return false };
    let is_function = |target: &PointerTarget| matches!(target.to, Pointee::Function(_));
    !targets.iter().any(is_function)
}

fn cells_of(expanded: &Expanded) -> impl Iterator<Item = (&Cell, bool)> {
    let cells = expanded.cells.iter().zip(&expanded.writable).zip(&expanded.volatile);
    cells.filter(|(_, volatile)| **volatile).map(|((cell, writable), _)| (cell, *writable))
}

fn bytes_of(cell: &Cell) -> Range<u64> {
    cell.offset / 8..(cell.offset + u64::from(cell.form.bits())).div_ceil(8)
}

impl Interface {
    /// If the object keeps what is written to a `volatile` stretch: the position of the stretch, and which write of a step.
    pub fn write_of(&self, object: ObjectIndex) -> Option<(usize, u64)> {
        self.volatile.iter().enumerate().find_map(|(index, stretch)| {
            let write = stretch.writes.iter().position(|one| *one == object)?;
            Some((index, write as u64))
        })
    }

    /// The `volatile` stretch that the object gives a read of.
    pub fn stretch_of_read(&self, object: ObjectIndex) -> Option<&VolatileStretch> {
        self.volatile.iter().find(|stretch| stretch.reads.contains(&object))
    }

    /// The name that a range or a precondition may use for all reads of a `volatile` cell.
    pub fn name_of_all_reads<'a>(&self, cell: &'a Cell) -> Option<&'a str> {
        self.stretch_of_read(cell.object)?;
        let (name, _) = cell.name.rsplit_once('[')?;
        Some(name.strip_suffix("()").unwrap_or(name))
    }
}
