//! From an analysed model to one step of a transition system.
//!
//! [`lower`] expands the main node and every call below it into a hash-consed graph of scalars.
//! Everything is computed on demand, variable by variable, because a call's outputs may depend
//! on different inputs at the same instant; a stack of [`machine`] tasks stands in for recursion,
//! so neither calls nor expressions can nest too deep.
//!
//! What the constructs become:
//!
//! - `pre e` is a latch per scalar and occurrence; `a -> b` is `if first then a else b`, with one
//!   `first` per instance and clock;
//! - a call under a condition keeps its state while the condition does not hold; `restart` makes
//!   its `first` true;
//! - records, tuples and arrays are their scalars side by side;
//! - every condition occurrence of every decision gets a tap.
//!
//! Reading order: [`lowered`], [`survey`], [`machine`], [`expressions`], [`state`], [`calls`].

use crate::analysis::{Extent, Model};
use obligato_lustre_syntax::diagnostic::Diagnostic;

mod calls;
mod checks;
mod contracts;
mod decisions;
mod discards;
mod expressions;
mod functions;
mod inputs;
mod kinds;
pub mod lowered;
mod machine;
mod mutants;
mod operators;
mod scalars;
mod shape;
mod state;
mod structures;
mod survey;
mod task;
mod variables;

pub use functions::{UnknownCall, UnknownFunction};
pub use lowered::{DecisionSite, Instance, InstanceId, Lowered, NamedNode, Occurrence, Origin};

use machine::Machine;
pub use mutants::{MutantSite, MutantSystem, SiteInstance, lower_mutants};
pub use scalars::Scalars;

/// Options of the lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The decisions to list.
    pub extent: Extent,
    /// The most instances.
    pub most_instances: usize,
    /// The most scalars of one variable, and the most cases of one quantifier.
    pub most_elements: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { extent: Extent::Equations, most_instances: 1 << 17, most_elements: 1 << 16 }
    }
}

/// Lowers a model. `bytes` is the text that was parsed, `path` its name in reports.
pub fn lower(
    model: &Model,
    path: &str,
    bytes: &[u8],
    options: &Options,
) -> Result<Lowered, Vec<Diagnostic>> {
    diagnose(|| {
        let mut machine = Machine::new(model, bytes, options);
        machine.lower_all()?;
        machine.check_divisions();
        Ok(machine.finish(path))
    })
}

fn diagnose<T>(steps: impl FnOnce() -> machine::Outcome<T>) -> Result<T, Vec<Diagnostic>> {
    steps().map_err(|diagnostic| vec![*diagnostic])
}
