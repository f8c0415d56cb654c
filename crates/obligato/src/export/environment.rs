//! What tests say of the environment, as far as a test program can make it happen.
//!
//! A `volatile` object that gives one value in a step is set before it. What changes while the function runs, memory at fixed addresses and
//! allocations that fail are beyond a test program: tests that need them are named with the reason.

use obligato_c_unit::callbacks::is_callback;
use obligato_c_unit::environment::is_register;
use obligato_c_unit::interface::{Cell, Form, ObjectIndex, Origin, Pointee, VolatileStretch};
use obligato_c_unit::script::{Content, Write};
use obligato_c_unit::weak::is_weak_stand_in;
use obligato_c_unit::{Interface, TestRun};

use super::places::is_hidden;

/// The environment of a function under test.
pub struct Environment<'a> {
    interface: &'a Interface,
    /// The functions that allocate memory.
    allocators: &'a [String],
}

/// What becomes of a write to an input.
pub enum Exported<'a> {
    /// It is one like any other.
    Plain(&'a Cell),
    /// It is one to this cell, which is volatile.
    Volatile(Cell),
    /// There is nothing to set.
    Nothing,
}

impl<'a> Environment<'a> {
    /// Of a function.
    pub fn new(interface: &'a Interface, allocators: &'a [String]) -> Self {
        Self { interface, allocators }
    }

    /// Why no test program can repeat a run, if none can.
    pub fn obstacle(&self, script: &[Vec<Write>], run: &TestRun) -> Option<String> {
        let register =
            self.interface.objects.iter().find(
                |object| matches!(&object.origin, Origin::Global(symbol) if is_register(symbol)),
            );
        if let Some(register) = register {
            return Some(format!(
                "it may access memory at the address {}, which a test program does not have",
                register.name
            ));
        }
        if let Some(weak) = self.interface.inputs.iter().find(|cell| is_weak(cell)) {
            return Some(format!(
                "what the weak '{}' is linked to is settled before a test program runs",
                weak.name
            ));
        }
        let steps = script.iter().enumerate();
        steps.filter(|(step, _)| *step < run.reads.len()).find_map(|(step, writes)| {
            let changing = self.interface.volatile.iter().zip(&run.reads[step]).find_map(
                |(stretch, reads)| {
                    let name = &stretch.name;
                    if *reads == 0 {
                        None
                    } else if self.is_out_of_reach(stretch) {
                        Some(format!("the volatile '{name}' is a variable inside of a function"))
                    } else if stretch.writes.is_empty() && holds_still(stretch, *reads, writes) {
                        None
                    } else {
                        Some(format!("the volatile '{name}' changes while the function runs"))
                    }
                },
            );
            let callback = || self.made_callback(step, writes, run);
            changing.or_else(|| self.failed_allocation(step, writes, run)).or_else(callback)
        })
    }

    /// Stubs of test programs do not call back.
    fn made_callback(&self, step: usize, writes: &[Write], run: &TestRun) -> Option<String> {
        let calls = run.calls.get(step)?;
        let outside = self.interface.outside.iter().enumerate();
        let mut asking = outside.filter(|(_, one)| is_callback(&one.name));
        asking.find_map(|(place, one)| {
            let count = calls.iter().filter(|call| **call as usize == place).count();
            let used = &one.results[..count.min(one.results.len())];
            let calls_back = writes.iter().any(|write| {
                let is_count = write.offset == 0 && used.contains(&write.object);
                is_count && !matches!(write.content, Content::Bits { value: 0, .. })
            });
            calls_back.then(|| {
                format!("{} calls back in it, which stubs of test programs do not", one.label)
            })
        })
    }

    fn failed_allocation(&self, step: usize, writes: &[Write], run: &TestRun) -> Option<String> {
        let calls = run.calls.get(step)?;
        let outside = self.interface.outside.iter().enumerate();
        let mut allocators = outside.filter(|(_, one)| self.allocators.contains(&one.name));
        allocators.find_map(|(place, one)| {
            let count = calls.iter().filter(|call| **call as usize == place).count();
            let used = &one.results[..count.min(one.results.len())];
            let fails = writes.iter().any(|write| {
                used.contains(&write.object)
                    && matches!(write.content, Content::Bits { value, .. } if value != 0)
            });
            fails.then(|| {
                format!("{} fails in it, which a test program cannot bring about", one.name)
            })
        })
    }

    fn is_out_of_reach(&self, stretch: &VolatileStretch) -> bool {
        let origin = &self.interface.objects[stretch.object.0].origin;
        matches!(origin, Origin::Global(symbol) if is_hidden(symbol))
    }

    /// What a test program does for a write to this input.
    pub fn exported(&self, cell: &'a Cell) -> Exported<'a> {
        let mut outside = self.interface.outside.iter();
        let allocates = |name: &String| self.allocators.contains(name);
        let is_asked = |name: &String| allocates(name) || is_callback(name);
        if outside.any(|one| is_asked(&one.name) && one.results.contains(&cell.object)) {
            return Exported::Nothing;
        }
        let Some(stretch) = self.interface.stretch_of_read(cell.object) else {
            return Exported::Plain(cell);
        };
        // Reads that a run makes all give what the first one does.
        if stretch.reads.first() != Some(&cell.object) || self.is_out_of_reach(stretch) {
            return Exported::Nothing;
        }
        let name = self.interface.name_of_all_reads(cell).unwrap_or(&cell.name).to_owned();
        let offset = cell.offset + 8 * stretch.offset;
        Exported::Volatile(Cell { name, object: stretch.object, offset, ..cell.clone() })
    }
}

/// Does an input say what a weak function is linked to?
fn is_weak(cell: &Cell) -> bool {
    let Form::Pointer(targets) = &cell.form else { return cell.name.starts_with('&') };
    targets.iter().any(|one| matches!(&one.to, Pointee::Function(name) if is_weak_stand_in(name)))
}

/// Do so many reads of a step all give the same?
fn holds_still(stretch: &VolatileStretch, reads: u64, writes: &[Write]) -> bool {
    let of = |object: &ObjectIndex| -> Vec<(u64, Content)> {
        let own = writes.iter().filter(|write| write.object == *object);
        own.map(|write| (write.offset, write.content.clone())).collect()
    };
    let used = &stretch.reads[..stretch.reads.len().min(reads as usize)];
    used.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]))
}
