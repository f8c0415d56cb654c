//! The standard streams. A program never dereferences the pointers to them: here each points to itself.

use obligato_bytecode::{Address, Global, GlobalId, Module};

use super::host::Host;
use crate::finding::{FindingKind, Limit};
use crate::machine::{Run, spend};
use crate::shadow::Shadow;

/// A stream that a program can print to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// `stdout`
    Output,
    /// `stderr`
    Errors,
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

    /// The stream that a pointer stands for.
    pub(super) fn at(&self, pointer: u64) -> Run<Stream> {
        let pointer = Some(Address(pointer));
        if pointer == self.output {
            Ok(Stream::Output)
        } else if pointer == self.errors {
            Ok(Stream::Errors)
        } else {
            Err(FindingKind::Unsupported { note: "writing to a file".to_owned() }.into())
        }
    }
}

/// The initial contents of a global.
pub(crate) fn initial_bytes(module: &Module, id: GlobalId) -> Vec<u8> {
    let global = module.global(id);
    if is_stream(global) {
        return Module::address_of_global(id).0.to_le_bytes().to_vec();
    }
    global.bytes.clone()
}

fn is_stream(global: &Global) -> bool {
    let named = matches!(global.name.as_str(), "stdin" | "stdout" | "stderr");
    named && !global.defined && global.bytes.len() == 8
}

impl<S: Shadow> Host<'_, S> {
    /// Prints bytes to a stream.
    pub(super) fn print(&mut self, stream: Stream, text: &[u8]) -> Run<()> {
        spend(self.steps, text.len() as u64)?;
        let printed = match stream {
            Stream::Output => &mut self.library.output,
            Stream::Errors => &mut self.library.errors,
        };
        if (printed.len() + text.len()) as u64 > self.most_bytes {
            return Err(FindingKind::Limit(Limit::Memory).into());
        }
        printed.extend_from_slice(text);
        Ok(())
    }
}
