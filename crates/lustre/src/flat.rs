//! A transition system as one flat Lustre node, for other model checkers.
//!
//! [`print_flat`] writes what a system does in one step as equations between scalars, so every
//! construct of the language is down to what Kind 2 and JKind both read: no calls, clocks,
//! records or arrays are left. Inputs and outputs keep their names and types as far as the
//! dialect has them; a node that a variable of the model names keeps that name; what is used
//! once is written where it is used.
//!
//! The node ends in *traps*: properties that say of a Boolean that it is never true. A property
//! that is valid is a proof of that, a counterexample is a run in which it is true.
//!
//! Values are those of simulation: a division by zero is 0, and a latch that nothing initialises
//! holds false or zero.
//!
//! Reading order: [`dialect`], [`names`], [`expressions`], then [`writer`].

use obligato_transition_system::{NodeId, System};

mod dialect;
mod enumerations;
mod expressions;
mod literals;
mod names;
mod naming;
mod uses;
mod writer;

pub use dialect::Dialect;

/// What to write.
#[derive(Clone, Debug)]
pub struct FlatNode<'s> {
    /// One step of the node.
    pub system: &'s System,
    /// What the node is called.
    pub name: &'s str,
    /// Lines of comment at the top.
    pub preamble: Vec<String>,
    /// What nodes of the graph are called; of several names the first counts.
    pub labels: Vec<(NodeId, String)>,
    /// The properties.
    pub traps: Vec<Trap>,
}

/// The property that something never happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// What its variable is to be called.
    pub name: String,
    /// Its full name, of any characters.
    pub title: String,
    /// Lines of comment below the title.
    pub remarks: Vec<String>,
    /// The Boolean that is said to be never true.
    pub event: NodeId,
}

/// A node that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flat {
    /// The file.
    pub text: String,
    /// The variable of each trap.
    pub properties: Vec<String>,
    /// Inputs and outputs that have another name there: the name here, and there.
    pub renamed: Vec<(String, String)>,
}

/// A construct that the dialect lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedByDialect {
    /// What it is.
    pub what: String,
    /// The dialect that lacks it.
    pub dialect: Dialect,
}

/// Writes a system as a Lustre file with one node.
pub fn print_flat(node: &FlatNode<'_>, dialect: Dialect) -> Result<Flat, UnsupportedByDialect> {
    Ok(writer::Writer::new(node, dialect)?.write())
}

#[cfg(test)]
mod tests;
