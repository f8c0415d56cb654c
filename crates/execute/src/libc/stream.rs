//! The standard streams. A program never dereferences the pointers to them: here each points to itself.

use obligato_bytecode::{Address, Global, GlobalId, Module};
use obligato_c_library::STREAMS;

use super::host::Host;
use crate::finding::{AccessKind, ExecutionLimit, FindingKind};
use crate::machine::{Run, spend};
use crate::shadow::Shadow;

/// A stream that a program can print to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// `stdout`
    Output,
    /// `stderr`
    Errors,
    /// Any other, of which nobody sees what is written.
    File,
}

/// The addresses of `stdout` and `stderr`, if the program names them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Streams {
    output: Option<Address>,
    errors: Option<Address>,
}

impl Streams {
    pub(crate) fn of(module: &Module) -> Self {
        let stream = |name: &str| {
            let global = module.global_named(name)?;
            is_stream(module.global(global)).then(|| Module::address_of_global(global))
        };
        Self { output: stream("stdout"), errors: stream("stderr") }
    }

    /// The standard stream that a pointer stands for.
    fn standard(&self, pointer: Option<Address>) -> Option<Stream> {
        if pointer == self.output {
            Some(Stream::Output)
        } else if pointer == self.errors {
            Some(Stream::Errors)
        } else {
            None
        }
    }
}

/// The size of a `FILE`.
const FILE: u64 = 216;

/// The initial contents of a global.
pub fn initial_bytes(module: &Module, id: GlobalId) -> Vec<u8> {
    let global = module.global(id);
    if is_stream(global) {
        return Module::address_of_global(id).0.to_le_bytes().to_vec();
    }
    global.bytes.clone()
}

fn is_stream(global: &Global) -> bool {
    STREAMS.contains(&global.name.as_str()) && !global.defined && global.bytes.len() == 8
}

impl<S: Shadow> Host<'_, S> {
    /// The stream that a pointer stands for: a standard one, or a `FILE` that the caller or a function outside has opened.
    pub(super) fn stream(&self, pointer: u64) -> Run<Stream> {
        let address = Address(pointer);
        if let Some(standard) = self.library.streams.standard(Some(address)) {
            return Ok(standard);
        }
        self.memory.bytes(address, 1, AccessKind::Write)?;
        if self.memory.size_of_object(address) == Some(FILE) {
            return Ok(Stream::File);
        }
        Err(FindingKind::Unsupported { note: "writing to a file".to_owned() }.into())
    }

    /// Prints bytes to a stream.
    pub(super) fn print(&mut self, stream: Stream, text: &[u8]) -> Run<()> {
        spend(self.steps, text.len() as u64)?;
        let printed = match stream {
            Stream::Output => &mut self.library.output,
            Stream::Errors => &mut self.library.errors,
            Stream::File => return Ok(()),
        };
        if (printed.len() + text.len()) as u64 > self.most_bytes {
            return Err(FindingKind::Limit(ExecutionLimit::Memory).into());
        }
        printed.extend_from_slice(text);
        Ok(())
    }
}
