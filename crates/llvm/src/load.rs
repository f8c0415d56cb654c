//! From a bitcode file to a module.

use std::fs;
use std::path::Path;

use obligato_bytecode::{CodeId, Module, Register};

use crate::Error;
use crate::constants::Constants;
use crate::ir::Bitcode;
use crate::lowering::lower;
use crate::parts::{PartTable, Unsupported};
use crate::symbols::Symbols;

/// What a bitcode file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The program.
    pub module: Module,
    /// Where its registers come from.
    pub origins: Origins,
    /// The machine that it is for: a triple such as `x86_64-pc-linux-gnu`.
    pub target: String,
}

/// Which instructions the registers of a module belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(Vec<Vec<Option<Origin>>>);

/// An instruction and one of the parts of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Its number in the function, from 0, debug records left out.
    pub instruction: u32,
    /// Which part of its value.
    pub part: u32,
}

impl Origins {
    /// The instruction whose value a register holds: none for constants, parameters, and what lies
    /// between the several operations of one instruction.
    pub fn of(&self, function: CodeId, register: Register) -> Option<Origin> {
        *self.0.get(function.index())?.get(register.0 as usize)?
    }
}

/// Reads a bitcode file.
pub fn load(path: &Path) -> Result<Loaded, Error> {
    let bytes = fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    load_bytes(&bytes)
}

/// Reads bitcode.
pub fn load_bytes(bytes: &[u8]) -> Result<Loaded, Error> {
    let mut bitcode = Bitcode::parse(bytes)?;
    bitcode.show_debug_records();
    let layout = bitcode.layout();
    if !layout.is_usual() {
        return Err(Error::Machine);
    }
    let mut parts = PartTable::new(layout);
    let (symbols, mut module) = Symbols::declare(&bitcode, &mut parts)?;
    let mut constants = Constants::new(layout, parts, symbols);
    initialize_globals(&mut constants, &mut module)?;
    let mut origins = Vec::with_capacity(module.functions.len());
    for (index, value) in constants.symbols.functions.clone().into_iter().enumerate() {
        if value.blocks().next().is_none() {
            origins.push(Vec::new());
            continue;
        }
        let declared = std::mem::take(&mut module.functions[index]);
        let (function, registers) = lower(&mut constants, value, declared);
        module.functions[index] = function;
        origins.push(registers);
    }
    let notes = module.functions.iter().flat_map(|function| &function.notes);
    module.has_hidden_accesses = bitcode.aliases().next().is_some()
        || bitcode.has_assembly()
        || notes.into_iter().any(|note| note.contains(ASSEMBLY));
    Ok(Loaded { module, origins: Origins(origins), target: bitcode.target() })
}

/// What notes on inline assembly start with.
const ASSEMBLY: &str = "inline assembly";

fn initialize_globals(constants: &mut Constants<'_>, module: &mut Module) -> Result<(), Error> {
    for (index, value) in constants.symbols.globals.clone().into_iter().enumerate() {
        let global = &mut module.globals[index];
        if let Some(initial) = value.initializer() {
            constants.write(initial, &mut global.bytes).map_err(|Unsupported(why)| {
                Error::Initializer { name: global.name.clone(), why }
            })?;
        }
    }
    Ok(())
}
