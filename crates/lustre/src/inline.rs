//! The inlined structure of a model: intermediate Boolean variables are replaced by their
//! definitions, which makes fewer and bigger decisions.
//!
//! The papers on observable MC/DC generate every system in two structures, "inlined (complex
//! Boolean conditions) and non-inlined (intermediate variables used to factor expressions)",
//! because MC/DC of the one asks much more than of the other. [`inline()`] makes the first of
//! the second: from an analysed model a syntax tree that is analysed, lowered and printed
//! like any other, and computes the same outputs, properties and state.
//!
//! What is replaced, in the equations of the same node, is every reference to a variable that
//!
//! - is Boolean, local, and the only target of its equation. Outputs stay: what reaches them
//!   is seen, and a node that is called needs them;
//! - is defined without memory, calls and clocks: by what other variables are at the same
//!   instant. Copying the rest would multiply latches and instances of nodes, and with them
//!   the obligations. An inlined model has the latches and instances of the original, and
//!   what the papers' translators write in this structure, such as the microwave that comes
//!   with Kind 2, keeps just these variables;
//! - is defined by reading something: a name for a constant is not intermediate.
//!
//! Where the reference stands does not matter. `pre x` becomes `pre (a and b)`, which is the
//! same stream, as the papers' translators write it too; an argument `f(x)` becomes
//! `f(a and b)`. Both are places of decisions. As no definition that is copied has memory,
//! causality alone makes replacing end. What is claimed or assumed (asserts, properties,
//! contracts) is not structure under test and stays.
//!
//! Blocks and automata are rewritten before, and what they become stays as it is, and keeps what it
//! names.
//!
//! A variable that nothing names any longer goes, with its declaration, its equation and the
//! comments there. One that an assert, a property, a clock or a pragma names stays, as does one
//! that was never read: its decisions are nowhere else.
//!
//! Copies stand where they were copied from, so that a condition is found where it is written;
//! but the whole of a decision stands where it is decided. [`SyntaxTree::is_rewritten`] tells
//! which expressions are not what the file says at their place.
//!
//! Replacing may double the size with every variable, so there is a limit: a variable whose
//! replacement would lead beyond it stays as written, and [`Inlined`] counts it. Variables are
//! tried in the order of causes, inputs first.
//!
//! Reading order: [`choose`], [`rewrite`], [`rebuild`].

use crate::analysis::Model;
use obligato_lustre_syntax::ast::SyntaxTree;

mod choose;
mod rebuild;
mod rewrite;

use choose::Choice;
use rewrite::rewrite;

/// Options of the inlining.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The most expressions of the inlined model, unless the original has more. The
    /// default is far above the size that people can review.
    pub most_exprs: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { most_exprs: 1 << 18 }
    }
}

/// An inlined model.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// Its syntax tree.
    pub program: SyntaxTree,
    /// The number of intermediate variables that are read.
    pub found: usize,
    /// How many of them were replaced by their definitions.
    pub replaced: usize,
    /// How many of those were removed.
    pub removed: usize,
}

/// Inlines the intermediate Boolean variables of a model.
pub fn inline(model: &Model, options: &Options) -> Inlined {
    let choice = Choice::new(model, options.most_exprs);
    let rewritten = rewrite(model, &choice);
    let program = rebuild::rebuild(model, &choice, rewritten);
    Inlined {
        program,
        found: choice.found,
        replaced: choice.definitions.iter().flatten().count(),
        removed: choice.removed.iter().filter(|removed| **removed).count(),
    }
}

#[cfg(test)]
mod tests;
