//! The environment: answers calls of functions that have neither a body nor a model.

use obligato_bytecode::CodeId;

use crate::finding::FindingKind;
use crate::memory::Memory;

/// A call that leaves the program.
#[derive(Clone, Copy, Debug)]
pub struct OutsideCall<'a> {
    /// The callee.
    pub function: CodeId,
    /// Its name.
    pub name: &'a str,
    /// The arguments. A structure that is passed by value is the address of its copy.
    pub arguments: &'a [u64],
    /// The number of registers that the result takes.
    pub results: u32,
}

/// Answers calls that leave the program.
pub trait Environment<M> {
    /// The results of a call, possibly written to memory as well; `Err` ends the run.
    fn call(
        &mut self,
        call: OutsideCall<'_>,
        memory: &mut Memory<M>,
    ) -> Result<Vec<u64>, FindingKind>;
}

/// Answers no call: each ends the run.
impl<M> Environment<M> for () {
    fn call(&mut self, call: OutsideCall<'_>, _: &mut Memory<M>) -> Result<Vec<u64>, FindingKind> {
        Err(FindingKind::Unsupported {
            note: format!("call of the undefined function '{}'", call.name),
        })
    }
}

impl<M, T: Environment<M> + ?Sized> Environment<M> for &mut T {
    fn call(
        &mut self,
        call: OutsideCall<'_>,
        memory: &mut Memory<M>,
    ) -> Result<Vec<u64>, FindingKind> {
        (**self).call(call, memory)
    }
}
