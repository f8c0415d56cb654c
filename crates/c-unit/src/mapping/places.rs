//! The operations of a function, by place.

use obligato_bytecode::Function;
use obligato_model::{Position, Span};

/// Operations sorted by their source position, then by their order in the code.
#[derive(Clone, Debug)]
pub struct Places(Vec<(Position, u32)>);

impl Places {
    /// Those of a function.
    pub fn new(function: &Function) -> Self {
        let placed = function.places.iter().enumerate();
        let mut all: Vec<(Position, u32)> =
            placed.filter_map(|(at, place)| Some(((*place)?, at as u32))).collect();
        all.sort_unstable();
        Self(all)
    }

    /// The operations at a place, in the order of the code.
    pub fn at(&self, place: Position) -> impl DoubleEndedIterator<Item = u32> + '_ {
        let first = self.0.partition_point(|(position, _)| *position < place);
        let here = self.0[first..].iter().take_while(move |(position, _)| *position == place);
        let here: Vec<u32> = here.map(|(_, at)| *at).collect();
        here.into_iter()
    }

    /// The operations within a stretch of the text, in the order of their places.
    pub fn within(&self, span: Span) -> &[(Position, u32)] {
        let first = self.0.partition_point(|(position, _)| *position < span.start);
        let last = self.0.partition_point(|(position, _)| *position < span.end);
        &self.0[first..last.max(first)]
    }
}
