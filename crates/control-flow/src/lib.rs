//! Program analysis over the bytecode of C units: what every engine needs to know of control flow before it runs anything.
//!
//! A [`Cfg`] is a function as a [`Graph`] of its basic blocks. Analyses take a graph and give plain data: [`ReversePostorder`],
//! [`Dominators`], [`PostDominators`] with the region that a branch controls, [`Loops`], strongly connected [`Components`] and
//! [`Reachability`]. A [`CallGraph`] says whom the functions of a module call, [`may_return`] which never return. None of them recurses, so the depth of a
//! program does not matter; all are linear or nearly so in the graph and in what they return.
//!
//! Start reading at [`cfg`], then [`dominators`] and [`loops`].

pub mod call_graph;
pub mod cfg;
pub mod components;
mod depth_first;
pub mod dominators;
pub mod graph;
pub mod loops;
pub mod order;
pub mod post_dominators;
pub mod reachability;
#[cfg(test)]
mod reference;
pub mod returning;

pub use call_graph::{CallGraph, CallSite, CallTarget};
pub use cfg::Cfg;
pub use components::Components;
pub use dominators::Dominators;
pub use graph::Graph;
pub use loops::Loops;
pub use order::ReversePostorder;
pub use post_dominators::PostDominators;
pub use reachability::{Reachability, reachable_from};
pub use returning::may_return;
