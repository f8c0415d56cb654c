//! The operations that execute statements, returns and `switch`es.

use obligato_bytecode::{Function, Operation, Register};
use obligato_clang as syntax;
use obligato_model::{Position, Span};

use super::places::Places;

/// Per statement, the first operation of its own text, or else of a statement inside of it. (The text
/// of `if (1) f();` has no operation but those of `f();`.)
pub fn map_statements(
    said: &syntax::Function,
    done: &Function,
    places: &Places,
) -> Vec<Option<u32>> {
    let owners = owners(said, places);
    let mut first = vec![None; said.statements.len()];
    for (at, owner) in owners {
        let known: &mut Option<u32> = &mut first[owner];
        if !matches!(done.code[at as usize], Operation::Reserve { .. }) {
            *known = Some(known.map_or(at, |known| known.min(at)));
        }
    }
    // Statements are listed in the order of the text: what is inside comes behind.
    for index in (0..first.len()).rev() {
        if first[index].is_none() {
            let span = said.statements[index].stretch.span;
            let behind = said.statements[index + 1..].iter().zip(&first[index + 1..]);
            let inside = behind.take_while(|(other, _)| other.stretch.span.start < span.end);
            first[index] = inside.filter_map(|(_, at)| *at).min();
        }
    }
    first
}

/// Each operation with the innermost statement that its place is in.
fn owners(said: &syntax::Function, places: &Places) -> Vec<(u32, usize)> {
    let mut owners = Vec::new();
    let mut open: Vec<(Span, usize)> = Vec::new();
    let mut next = 0;
    let mut spans: Vec<(Span, usize)> = Vec::new();
    for (index, statement) in said.statements.iter().enumerate() {
        spans.push((statement.stretch.span, index));
    }
    spans.sort_by_key(|(span, index)| (span.start, std::cmp::Reverse(span.end), *index));
    for &(place, at) in places.within(said.span) {
        while next < spans.len() && spans[next].0.start <= place {
            open.push(spans[next]);
            next += 1;
        }
        while open.last().is_some_and(|(span, _)| span.end <= place) {
            open.pop();
        }
        if let Some((_, owner)) = open.last() {
            owners.push((at, *owner));
        }
    }
    owners
}

/// Per exit the operations that take it: at the keyword, or for the closing brace the jump to the function's end.
pub fn map_exits(said: &syntax::Function, done: &Function, places: &Places) -> Vec<Vec<u32>> {
    let leaves = |place: Position| -> Vec<u32> {
        places.at(place).filter(|at| ends_block(&done.code[*at as usize])).collect()
    };
    let mut exits = Vec::with_capacity(said.exits.len());
    for exit in &said.exits {
        let start = exit.stretch.span.start;
        let mut operations = leaves(start);
        // The only `return` may stand at the end of a statement that has a block behind it: the jump there and its end are one exit.
        let returns = |at: &u32| matches!(done.code[*at as usize], Operation::Return { .. });
        if operations.iter().any(returns) && start != said.end {
            operations.retain(returns);
        }
        if start == said.end {
            // The end of a function with several returns is shared; falling off goes there by a jump.
            let jump = |at: &u32| matches!(done.code[*at as usize], Operation::Jump { .. });
            if operations.iter().any(jump) {
                operations.retain(jump);
            } else if operations.iter().any(|at| is_shared(said, done, places, *at)) {
                operations.clear();
            }
        } else if operations.is_empty() {
            // Where a scope has something to undo, such as an array of variable length, the jump has no place; the value is stored at the keyword.
            operations.extend(places.at(start).next_back());
        }
        exits.push(operations);
    }
    exits
}

fn ends_block(operation: &Operation) -> bool {
    matches!(operation, Operation::Jump { .. } | Operation::Return { .. } | Operation::Stop(_))
}

/// Do `return`s jump to the block of this operation?
fn is_shared(said: &syntax::Function, done: &Function, places: &Places, at: u32) -> bool {
    let Some(block) = done.blocks.iter().find(|block| block.code.contains(&at)) else {
        return false;
    };
    let start = block.code.start;
    let returns = said.exits.iter().map(|exit| exit.stretch.span.start);
    returns
        .filter(|place| *place != said.end)
        .any(|place| places.at(place).any(|from| done.successors(from).contains(&start)))
}

/// Per `switch` the operation that chooses, and the register it chooses by.
pub fn map_switches(
    said: &syntax::Function,
    done: &Function,
    places: &Places,
) -> Vec<Option<(u32, Register)>> {
    let mut switches = Vec::with_capacity(said.switches.len());
    for switch in &said.switches {
        let mut here = places.at(switch.position);
        switches.push(here.find_map(|at| match &done.code[at as usize] {
            Operation::Switch { on, .. } => Some((at, *on)),
            _ => None,
        }));
    }
    switches
}
