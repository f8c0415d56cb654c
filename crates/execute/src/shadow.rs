//! Shadow values: a mark beside every value.
//!
//! A [`Shadow`] keeps a mark beside every register and every byte of memory: a set of tags that says
//! which conditions a value comes from, or the symbolic term that stands for it. The machine moves marks
//! wherever it moves values unchanged, that is through moves, arguments, results and copies of memory, and lets the
//! shadow add to them; for the mark of everything that is computed it asks. `()` is the shadow of a run
//! without one: its marks have no size and nothing is asked, so the compiler leaves nothing of it.

use obligato_bytecode::{CodeId, Operation};

use crate::memory::Memory;
use crate::watch::WatchId;

/// A value with its mark.
#[derive(Clone, Copy, Debug)]
pub struct Marked<'a, M> {
    /// The value.
    pub value: u64,
    /// Its mark.
    pub mark: &'a M,
}

/// An operation that is being executed.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The function.
    pub function: CodeId,
    /// The index of the operation in its code.
    pub index: u32,
    /// The operation.
    pub operation: &'a Operation,
    /// The index of the result, if it has several.
    pub part: usize,
}

/// What surrounds an operation: the registers of the running function, and memory.
#[derive(Debug)]
pub struct Around<'a, M> {
    /// What the registers hold.
    pub registers: &'a [u64],
    /// Their marks.
    pub marks: &'a mut [M],
    /// The memory.
    pub memory: &'a mut Memory<M>,
}

/// Computes shadow values. Every hook is called when its operation has been executed.
pub trait Shadow {
    /// A mark; the default is that of constants and of fresh memory.
    type Mark: Clone + Default;
    /// Are hooks called? With `false` none ever is.
    const ACTIVE: bool = true;
    /// Is the code behind functions of the standard library entered where there is some? It shows what their results depend on.
    const FOLLOWS: bool = false;

    /// The mark of a part of a computed value; `operands` are the registers that the operation reads, in its order.
    fn compute(
        &mut self,
        site: Site<'_>,
        operands: &[Marked<'_, Self::Mark>],
        result: u64,
    ) -> Self::Mark;

    /// The mark of a loaded value, from those of its bytes and of the pointer. The bytes are in the memory, with
    /// all others that another pointer would have led to.
    fn load(
        &mut self,
        site: Site<'_>,
        pointer: Marked<'_, Self::Mark>,
        bytes: &[Self::Mark],
        memory: &Memory<Self::Mark>,
        result: u64,
    ) -> Self::Mark;

    /// So many bytes are about to be written: the memory is as it was before.
    fn storing(&mut self, _: Marked<'_, Self::Mark>, _: u64, _: &Memory<Self::Mark>) {}

    /// Writes the marks of the bytes of a stored value.
    fn store(
        &mut self,
        site: Site<'_>,
        pointer: Marked<'_, Self::Mark>,
        value: Marked<'_, Self::Mark>,
        memory: &mut Memory<Self::Mark>,
    );

    /// Writes the marks of the bytes of a word that goes to memory without a store.
    fn spread(&mut self, word: &Self::Mark, bytes: &mut [Self::Mark]) {
        bytes.fill(word.clone());
    }

    /// The mark of a value of which only the lowest bits are kept, all but `gap` of 64.
    fn cut(&mut self, mark: &Self::Mark, _gap: u8) -> Self::Mark {
        mark.clone()
    }

    /// A watch point was reached; `value` is what its register held before whoever watches may have forced it.
    /// Its mark may be changed.
    fn watched(&mut self, _: WatchId, _value: u64, _mark: &mut Self::Mark) {}

    /// Whole stretches of memory were copied or filled, as these operands say.
    fn swept(&mut self, _: Site<'_>, _: &[Marked<'_, Self::Mark>]) {}

    /// This pointer said which function is called.
    fn called_through(&mut self, _: Marked<'_, Self::Mark>) {}

    /// The operation ended the run with a finding.
    fn failed(&mut self, _: Site<'_>, _: &[Marked<'_, Self::Mark>], _: &Memory<Self::Mark>) {}

    /// A value was moved unchanged, with its marks: between registers, or between bytes of memory.
    fn moved(&mut self, marks: &mut [Self::Mark]);

    /// Control went from the end of a block to the operation at `target`. The operation at `site` says which
    /// register decided, if one did.
    fn branch(&mut self, site: Site<'_>, target: u32, around: Around<'_, Self::Mark>);

    /// A defined function is entered; `arguments` are in its parameters.
    fn enter(&mut self, callee: CodeId, arguments: &[Marked<'_, Self::Mark>]);

    /// The running function returns these; their marks may be changed, and those in memory.
    fn leave(
        &mut self,
        function: CodeId,
        results: &mut [Self::Mark],
        memory: &mut Memory<Self::Mark>,
    );

    /// A stub was called; the mark is that of all its results.
    fn outside(
        &mut self,
        callee: CodeId,
        arguments: &[Marked<'_, Self::Mark>],
        results: &[u64],
    ) -> Self::Mark;

    /// A function of the standard library is called that the executor computes by itself.
    fn computed(&mut self, _: CodeId) {}

    /// A function of the standard library adds a mark to another.
    fn unite(&mut self, into: &mut Self::Mark, from: &Self::Mark);
}

impl Shadow for () {
    type Mark = ();
    const ACTIVE: bool = false;

    fn compute(&mut self, _: Site<'_>, _: &[Marked<'_, ()>], _: u64) {}
    fn load(&mut self, _: Site<'_>, _: Marked<'_, ()>, _: &[()], _: &Memory<()>, _: u64) {}
    fn store(&mut self, _: Site<'_>, _: Marked<'_, ()>, _: Marked<'_, ()>, _: &mut Memory<()>) {}
    fn moved(&mut self, _: &mut [()]) {}
    fn branch(&mut self, _: Site<'_>, _: u32, _: Around<'_, ()>) {}
    fn enter(&mut self, _: CodeId, _: &[Marked<'_, ()>]) {}
    fn leave(&mut self, _: CodeId, _: &mut [()], _: &mut Memory<()>) {}
    fn outside(&mut self, _: CodeId, _: &[Marked<'_, ()>], _: &[u64]) {}
    fn unite(&mut self, (): &mut (), (): &()) {}
}
