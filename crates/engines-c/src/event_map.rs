//! Maps events to the basic blocks in which they can happen.

use obligato_c_unit::watch::{Meaning, Point};
use obligato_campaign::Event;
use obligato_concolic::CodeLocation;
use obligato_concolic::search::{BlockId, Graph};
use obligato_model::{ConditionId, Program};

/// Per kind of event, the basic blocks in which it can happen.
#[derive(Clone, Debug)]
pub struct EventMap {
    functions: Vec<Vec<BlockId>>,
    exits: Vec<Vec<BlockId>>,
    statements: Vec<Vec<BlockId>>,
    decisions: Vec<Vec<BlockId>>,
    switches: Vec<BlockId>,
}

impl EventMap {
    /// The map of a unit, from its watch points.
    pub fn new(program: &Program, graph: &Graph, points: &[Point]) -> Self {
        let mut map = Self {
            functions: Vec::new(),
            exits: Vec::new(),
            statements: Vec::new(),
            decisions: vec![Vec::new(); program.decisions().len()],
            switches: Vec::new(),
        };
        for point in points {
            let location = CodeLocation { function: point.function, operation: point.operation };
            let Some(block) = graph.block_of(location) else { continue };
            match &point.meaning {
                Meaning::Enter(function) => note(&mut map.functions, function.index(), block),
                Meaning::Leave(exit) => note(&mut map.exits, exit.index(), block),
                Meaning::Execute(statement) => note(&mut map.statements, statement.index(), block),
                Meaning::Choose(_) => map.switches.push(block),
                Meaning::Evaluate(condition) => {
                    let decision = program.condition(*condition).decision;
                    note(&mut map.decisions, decision.index(), block);
                }
                Meaning::Pass(decision) => note(&mut map.decisions, decision.index(), block),
            }
        }
        map
    }

    /// The blocks in which an event can happen; none if the code has no watch point for it.
    pub fn blocks(&self, program: &Program, event: &Event) -> &[BlockId] {
        let of_condition = |condition: ConditionId| {
            at(&self.decisions, program.condition(condition).decision.index())
        };
        match event {
            Event::Entered(function) => at(&self.functions, function.index()),
            Event::Left(exit) => at(&self.exits, exit.index()),
            Event::Executed(statement) => at(&self.statements, statement.index()),
            Event::Chosen(_) => &self.switches,
            Event::Outcome(decision, _) | Event::Vector(decision, _) => {
                at(&self.decisions, decision.index())
            }
            Event::Taken(condition, _)
            | Event::Shown { condition, .. }
            | Event::Boundary(condition, _)
            | Event::Observed(_, condition, _)
            | Event::ObservedBoundary(_, condition, _) => of_condition(*condition),
            Event::Killed(..) | Event::Violated(_) => &[],
        }
    }
}

fn note(lists: &mut Vec<Vec<BlockId>>, index: usize, block: BlockId) {
    if index >= lists.len() {
        lists.resize(index + 1, Vec::new());
    }
    lists[index].push(block);
}

fn at(lists: &[Vec<BlockId>], index: usize) -> &[BlockId] {
    lists.get(index).map_or(&[], Vec::as_slice)
}
