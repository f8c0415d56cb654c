//! What the environment of a unit changes: `volatile` objects, memory at fixed addresses, the heap.
//!
//! The bitcode is [redirected](obligato_llvm::redirect) once, before the executor, the formula and the native builds see it: hooks stand beside
//! `volatile` accesses, a register is a global of the driver, and an allocator asks like a stub whether it fails. So all of them
//! follow the same code.

use std::fmt::Write;

use obligato_clang::{CType, FixedAddress, Syntax, Text, TypeId, Variable};
use obligato_llvm::{Redirection, Region};

use crate::driver::{Driver, OUTSIDE};
use crate::interface::{has_volatile, named_locals, symbol_of};
use crate::settings::{Allocation, Settings, State};
use crate::weak;

/// The function that stands before each `volatile` read: it takes the address and the number of bytes.
pub const READ: &str = "obligato_volatile_read";
/// The function that stands behind each `volatile` write.
pub const WRITTEN: &str = "obligato_volatile_written";
/// The word in the source.
const VOLATILE: &[u8] = b"volatile";
/// What the names of functions start with that allocate memory, or do not.
const ALLOCATE: &str = "obligato_allocate_";
/// What the symbols of registers start with.
const REGISTER: &str = "obligato_register_";

/// The functions that allocate memory, and how each is declared and called.
const ALLOCATORS: &[(&str, &str, &str)] = &[
    ("malloc", "unsigned long a", "a"),
    ("calloc", "unsigned long a, unsigned long b", "a, b"),
    ("realloc", "void *a, unsigned long b", "a, b"),
];

/// Memory at a fixed address, such as the registers of a peripheral.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its first address.
    pub start: u64,
    /// In bytes.
    pub size: u64,
    /// What lies in it, in the order of the addresses.
    pub parts: Vec<RegisterPart>,
}

/// An object in a register, or several behind each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterPart {
    /// In bytes from the start.
    pub offset: u64,
    /// The type of each.
    pub kind: TypeId,
    /// The size of each in bytes.
    pub size: u64,
    /// How many there are.
    pub count: u64,
    /// Is it `volatile`?
    pub volatile: bool,
}

impl Register {
    /// As tests name it: its address.
    pub fn name(&self) -> String {
        format!("{:#x}", self.start)
    }

    /// The global in its place.
    pub fn symbol(&self) -> String {
        format!("{REGISTER}{:x}", self.start)
    }
}

/// The registers that a unit makes pointers to. Addresses that overlap are one register.
pub fn registers(unit: &Syntax, settings: &Settings) -> Vec<Register> {
    let mut addresses: Vec<&FixedAddress> = unit.addresses.iter().collect();
    // The largest of those that start together says the most; what is volatile for someone is.
    addresses.sort_by_key(|one| (one.address, std::cmp::Reverse(one.size), !one.volatile));
    let mut registers: Vec<Register> = Vec::new();
    for (index, one) in addresses.iter().enumerate() {
        let next = addresses[index..].iter().find(|next| next.address > one.address);
        let room = next.map_or(u64::MAX, |next| next.address - one.address);
        let part = part_of(unit, settings, one, room);
        let size = part.size.saturating_mul(part.count);
        match registers.last_mut().filter(|last| one.address - last.start < last.size) {
            Some(last) => {
                let offset = one.address - last.start;
                if offset + size > last.size {
                    last.size = offset + size;
                    last.parts.push(RegisterPart { offset, ..part });
                }
            }
            None => registers.push(Register { start: one.address, size, parts: vec![part] }),
        }
    }
    registers
}

/// Behind a pointer to a number that is kept there may be more of them, up to the next address that the unit names.
fn part_of(unit: &Syntax, settings: &Settings, one: &FixedAddress, room: u64) -> RegisterPart {
    let is_single = one.accessed || matches!(unit.types.get(one.kind), CType::Record { .. });
    let count = if is_single { 1 } else { settings.elements.min(room / one.size).max(1) };
    RegisterPart { offset: 0, kind: one.kind, size: one.size, count, volatile: one.volatile }
}

/// Is a global of this name memory at a fixed address?
pub fn is_register(symbol: &str) -> bool {
    symbol.starts_with(REGISTER)
}

/// Does a function of this name stand in for one that allocates memory?
pub fn is_allocator(name: &str) -> bool {
    name.starts_with(ALLOCATE)
}

/// The name in the source of a function: one that stands in for an allocator has that allocator's name.
pub fn name_of_allocator(name: &str) -> &str {
    name.strip_prefix(ALLOCATE).unwrap_or(name)
}

/// Writes what the driver needs: the memory of registers, and functions that allocate or fail.
pub(crate) fn write_environment(
    driver: &mut Driver,
    unit: &Syntax,
    settings: &Settings,
    left_out: &[String],
) {
    let changes = |one: &Variable| settings.state == State::Free && !one.constant;
    let is_local = |one: &&Variable| {
        one.function.is_some() && (changes(one) || has_volatile(&unit.types, one))
    };
    driver.locals = unit.variables.iter().filter(is_local).map(symbol_of).collect();
    driver.registers = registers(unit, settings);
    for register in &driver.registers {
        let symbol = register.symbol();
        let alignment = 1_u64 << register.start.trailing_zeros().min(6);
        let size = register.size;
        let _ = writeln!(
            driver.text,
            "unsigned char {symbol}[{size}] __attribute__((aligned({alignment})));"
        );
        driver.globals.push(symbol);
    }
    if settings.allocation == Allocation::Succeeds {
        return;
    }
    for (name, declared, given) in ALLOCATORS {
        let stand_in = format!("{ALLOCATE}{name}");
        let is_used =
            unit.callables.iter().any(|one| one.name == *name && one.used && !one.defined);
        if !is_used || left_out.contains(&stand_in) {
            continue;
        }
        driver.note(&stand_in);
        let number = driver.outside.len() + driver.allocators.len();
        let _ = writeln!(
            driver.text,
            "void *{stand_in}({declared}) {{ unsigned char fails = 0; {OUTSIDE}({number}, 0, 0, 0, &fails); \
             return fails ? (void *)0 : {name}({given}); }}"
        );
        driver.allocators.push((*name).to_owned());
    }
}

/// What is redirected in the bitcode of a unit with its driver.
pub(crate) fn redirection(
    driver: &Driver,
    text: &Text,
    unit: &Syntax,
    settings: &Settings,
) -> Redirection {
    // A text without the word has no such access, and most have none: their bitcode stays as it is.
    let mentions = text.bytes().windows(VOLATILE.len()).any(|window| window == VOLATILE);
    let is_followed = mentions && settings.has_volatile_inputs();
    let hook = |name: &str| is_followed.then(|| name.to_owned());
    let is_elsewhere = |one: &Variable| one.function.is_none() && (!one.defined || one.weak);
    let changing = unit.variables.iter();
    let changing = changing.filter(|one| one.constant && (one.volatile || is_elsewhere(one)));
    Redirection {
        read: hook(READ),
        written: hook(WRITTEN),
        regions: driver
            .registers
            .iter()
            .map(|one| Region { start: one.start, size: one.size, global: one.symbol() })
            .collect(),
        functions: driver
            .allocators
            .iter()
            .map(|name| (name.clone(), format!("{ALLOCATE}{name}")))
            .collect(),
        linked: driver.weak.iter().map(|one| (one.name.clone(), one.pointer())).collect(),
        links: weak::links(),
        changing: changing.map(symbol_of).collect(),
        named: named_locals(&unit.variables),
        exported: if is_followed || settings.state == State::Free {
            driver.locals.clone()
        } else {
            Vec::new()
        },
        // The driver calls them, so that each test starts with what they do.
        without_constructors: unit.callables.iter().any(|one| one.constructor),
        own: vec!["obligato_".to_owned()],
    }
}
