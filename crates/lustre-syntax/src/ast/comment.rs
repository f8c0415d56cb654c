//! Comments, kept with the declaration or equation they stand before.
//!
//! No comment is lost: one inside an equation moves in front of it, one where nothing can
//! carry it moves on to the next thing that can.

use super::pool::List;

/// A comment as written, with its marks: `-- text`, `/* text */`, `(* text *)`. An empty one
/// is an empty line between two comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment(pub Box<str>);

/// Comments and blank lines around a part of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trivia {
    /// Is there an empty line before it?
    pub blank_before: bool,
    /// The comments before it.
    pub leading: List<Comment>,
    /// The comment after it on the same line, if any; a list of one.
    pub trailing: List<Comment>,
}
