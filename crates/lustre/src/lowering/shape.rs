//! Shapes: how the scalars of a value are arranged. Unlike a kind, a shape has all its sizes.

use rustc_hash::FxHashMap;

use obligato_transition_system::NodeId;

use crate::analysis::kind::RecordId;
use crate::analysis::{KindId, Model};

obligato_model::typed_ids! {
    /// A shape.
    ShapeId,
}

/// How the scalars of a value are arranged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// One scalar of a kind.
    Scalar(KindId),
    /// Elements of one shape, and their number.
    Array(ShapeId, usize),
    /// The fields of a record.
    Record(RecordId, Vec<ShapeId>),
    /// The parts of a tuple.
    Tuple(Vec<ShapeId>),
    /// Several streams side by side.
    List(Vec<ShapeId>),
}

/// A value: its scalars in order, and how they are arranged.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    pub shape: ShapeId,
    pub leaves: Vec<NodeId>,
}

/// All shapes, each kept once.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    all: Vec<Shape>,
    widths: Vec<usize>,
    index: FxHashMap<Shape, ShapeId>,
}

impl Shapes {
    /// The id of a shape, new or known.
    pub fn intern(&mut self, shape: Shape) -> ShapeId {
        if let Some(known) = self.index.get(&shape) {
            return *known;
        }
        let sum = |parts: &[ShapeId]| parts.iter().map(|part| self.width(*part)).sum();
        let width = match &shape {
            Shape::Scalar(_) => 1,
            Shape::Array(element, size) => self.width(*element).saturating_mul(*size),
            Shape::Record(_, parts) | Shape::Tuple(parts) | Shape::List(parts) => sum(parts),
        };
        let id = ShapeId::new(self.all.len());
        self.all.push(shape.clone());
        self.widths.push(width);
        self.index.insert(shape, id);
        id
    }

    /// A shape.
    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.all[id.index()]
    }

    /// How many scalars it has.
    pub fn width(&self, id: ShapeId) -> usize {
        self.widths[id.index()]
    }

    /// The part at a position: its shape and where its scalars start.
    pub fn part(&self, id: ShapeId, position: usize) -> (ShapeId, usize) {
        match self.get(id) {
            Shape::Scalar(_) => (id, 0),
            Shape::Array(element, _) => (*element, position * self.width(*element)),
            Shape::Record(_, parts) | Shape::Tuple(parts) | Shape::List(parts) => {
                let before = parts[..position].iter().map(|part| self.width(*part)).sum();
                (parts[position], before)
            }
        }
    }

    /// The names and kinds of the scalars of a variable, as a user writes them.
    pub fn leaves(&self, model: &Model, name: &str, id: ShapeId) -> Vec<(String, KindId)> {
        let mut found = Vec::new();
        let mut todo = vec![(name.to_owned(), id)];
        while let Some((name, id)) = todo.pop() {
            let start = todo.len();
            match self.get(id) {
                Shape::Scalar(kind) => found.push((name, *kind)),
                Shape::Array(element, size) => {
                    todo.extend((0..*size).map(|index| (format!("{name}[{index}]"), *element)));
                }
                Shape::Record(record, parts) => {
                    let fields = model.kinds.record(*record).fields.iter().zip(parts);
                    todo.extend(fields.map(|((field, _), part)| {
                        (format!("{name}.{}", model.text(field.symbol)), *part)
                    }));
                }
                Shape::Tuple(parts) | Shape::List(parts) => {
                    let parts = parts.iter().enumerate();
                    todo.extend(parts.map(|(index, part)| (format!("{name}.%{index}"), *part)));
                }
            }
            todo[start..].reverse();
        }
        found
    }
}
