//! Which bytes of a global a function accesses, itself or through what it calls, as far as the code says.
//!
//! A peripheral has dozens of registers, and a function uses a few. An over-approximation: an address that goes anywhere but into an
//! access at a constant offset may lead to every byte.

use std::ops::Range;

use obligato_bytecode::{Address, Callee, Function, GlobalId, Module, Operation, Register};
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::{Addresses, global_at, offset_at};
use super::expand::Expanded;
use super::globals::GlobalUse;
use super::{Cell, ObjectIndex};
use crate::environment::{READ, WRITTEN};

/// The bytes of globals that a function accesses.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// By global, in bytes from its start.
    ranges: FxHashMap<GlobalId, Vec<Range<u64>>>,
    /// Globals of which any byte may be accessed.
    whole: FxHashSet<GlobalId>,
}

impl Touched {
    /// Those that functions which may be called access.
    pub(super) fn by(module: &Module, used: &GlobalUse) -> Self {
        let mut touched = Self::default();
        let functions = module.functions.iter().zip(&used.called);
        for (function, _) in functions.filter(|(_, called)| **called) {
            touched.scan(module, function);
        }
        // The tables of the driver are for the harness.
        let own = module.globals.iter().filter(|global| !global.name.starts_with("obligato_"));
        for global in own {
            for word in global.bytes.chunks_exact(8) {
                let word = word.try_into().map_or(0, u64::from_le_bytes);
                touched.whole.extend(global_at(module, Address(word)));
            }
        }
        touched
    }

    fn scan(&mut self, module: &Module, function: &Function) {
        let inside = Addresses::in_constants(function, |address| offset_at(module, address));
        if inside.is_empty() {
            return;
        }
        for operation in &function.code {
            match operation {
                Operation::Load { from, size, .. } => {
                    self.touch(inside.get(*from), Some(u64::from(*size)));
                }
                Operation::Store { to, from, size, .. } => {
                    self.touch(inside.get(*to), Some(u64::from(*size)));
                    self.touch(inside.get(*from), None);
                }
                Operation::Call { callee: Callee::Direct(called), .. }
                    if [READ, WRITTEN].contains(&module.function(*called).name.as_str()) =>
                {
                    let arguments = operation.reads(function);
                    let size =
                        |register: &Register| function.constants.get(register.0 as usize).copied();
                    let size = arguments.get(1).and_then(size);
                    self.touch(arguments.first().and_then(|first| inside.get(*first)), size);
                }
                _ => {
                    for register in operation.reads(function) {
                        self.touch(inside.get(register), None);
                    }
                }
            }
        }
    }

    /// Notes an access to so many bytes, or to any.
    fn touch(&mut self, place: Option<(GlobalId, u64)>, size: Option<u64>) {
        match (place, size) {
            (Some((global, offset)), Some(size)) => {
                let end = offset.saturating_add(size);
                self.ranges.entry(global).or_default().push(offset..end);
            }
            (Some((global, _)), None) => drop(self.whole.insert(global)),
            (None, _) => {}
        }
    }

    /// Keeps those of the cells of a global, and of what its pointers point to, that may be accessed.
    pub(super) fn keep(
        &self,
        expanded: Expanded,
        global: GlobalId,
        object: ObjectIndex,
    ) -> Expanded {
        if self.whole.contains(&global) {
            return expanded;
        }
        let none = Vec::new();
        let ranges = self.ranges.get(&global).unwrap_or(&none);
        let is_accessed = |cell: &Cell| {
            let end = cell.offset + u64::from(cell.form.bits());
            cell.object != object
                || ranges.iter().any(|range| cell.offset < 8 * range.end && 8 * range.start < end)
        };
        let Expanded { cells, writable, volatile } = expanded;
        let mut kept = Expanded::default();
        for ((cell, writable), volatile) in cells.into_iter().zip(writable).zip(volatile) {
            if is_accessed(&cell) {
                kept.cells.push(cell);
                kept.writable.push(writable);
                kept.volatile.push(volatile);
            }
        }
        kept
    }
}
