//! A copy of the bitcode that says what it computes.

use std::fs;
use std::path::Path;

use obligato_bytecode::{CodeId, Register};
use rustc_hash::FxHashMap;

use crate::ir::{Bitcode, Block, Builder, Instruction, Opcode};
use crate::symbols::functions;
use crate::{Error, Origins};

/// A value to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The function.
    pub function: CodeId,
    /// The register that holds the value in the executor.
    pub register: Register,
    /// The number to report it under.
    pub id: u32,
}

/// Writes a copy of a bitcode file in which `void obligato_saw(unsigned id, unsigned long value)` is called whenever
/// one of the registers gets its value, in the order in which the executor writes them. Values narrower than 64 bits are
/// extended with zeros; floats are reported by their bits. `origins` come from loading the same file. Variables are zero until they are
/// written, as they are for the executor: what C leaves indeterminate would be what calls before have left.
pub fn observe(
    source: &Path,
    origins: &Origins,
    observations: &[Observation],
    target: &Path,
) -> Result<(), Error> {
    let read = |error| Error::Read { path: source.to_owned(), source: error };
    let bitcode = Bitcode::parse(&fs::read(source).map_err(read)?)?;
    let mut wanted: FxHashMap<usize, Vec<&Observation>> = FxHashMap::default();
    for observation in observations {
        wanted.entry(observation.function.index()).or_default().push(observation);
    }
    let builder = Builder::new(&bitcode, c"obligato_saw");
    for (index, function) in functions(&bitcode).enumerate() {
        let instructions: Vec<Instruction<'_>> = function
            .blocks()
            .flat_map(Block::instructions)
            .filter(|instruction| !instruction.is_debug_record())
            .collect();
        for reserved in instructions.iter().filter(|one| one.opcode() == Opcode::LLVMAlloca) {
            builder.fill_behind(*reserved, bitcode.layout().size(reserved.allocated()));
        }
        let Some(wanted) = wanted.get(&index) else { continue };
        // Each call is put directly behind its instruction, so the last one is put there first.
        for observation in wanted.iter().rev() {
            let origin = origins.of(observation.function, observation.register);
            let called = origin.is_some_and(|origin| {
                let instruction = instructions.get(origin.instruction as usize);
                instruction.is_some_and(|instruction| {
                    builder.call_behind(*instruction, origin.part, observation.id)
                })
            });
            if !called {
                let (function, register) = (function.name(), observation.register.0);
                return Err(Error::Unobservable { function, register });
            }
        }
    }
    bitcode.write(target)
}
