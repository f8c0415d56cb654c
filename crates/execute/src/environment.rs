//! The world outside: who answers calls of functions that are neither defined nor known.

use obligato_bytecode::CodeId;

use crate::finding::Kind;
use crate::memory::Memory;

/// A call that leaves the program.
#[derive(Clone, Copy, Debug)]
pub struct OutsideCall<'a> {
    /// Who is called.
    pub function: CodeId,
    /// Its name.
    pub name: &'a str,
    /// What it is given. A structure that is passed by value is the address of its copy.
    pub arguments: &'a [u64],
    /// How many registers the caller expects to be filled.
    pub results: u32,
}

/// Who answers.
pub trait Environment<M> {
    /// The results of a call, possibly written to memory as well; `Err` ends the run.
    fn call(&mut self, call: OutsideCall<'_>, memory: &mut Memory<M>) -> Result<Vec<u64>, Kind>;
}

/// Nobody answers: such a call ends the run.
impl<M> Environment<M> for () {
    fn call(&mut self, call: OutsideCall<'_>, _: &mut Memory<M>) -> Result<Vec<u64>, Kind> {
        Err(Kind::Unsupported { note: format!("call of the undefined function '{}'", call.name) })
    }
}

impl<M, T: Environment<M> + ?Sized> Environment<M> for &mut T {
    fn call(&mut self, call: OutsideCall<'_>, memory: &mut Memory<M>) -> Result<Vec<u64>, Kind> {
        (**self).call(call, memory)
    }
}
