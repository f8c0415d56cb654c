//! What to watch for while a unit runs: points in its code, and what it means when one is passed.

use obligato_bytecode::{CodeId, Register};
use obligato_clang::{Function as SourceFunction, Label};
pub use obligato_execute::Moment;
use obligato_model::{
    ArmId, ConditionId, DecisionId, ExitId, FunctionId, Program, Signedness, StatementId, Type,
    Value,
};

use crate::mapping::{EvaluationSite, FunctionMap};
use crate::program::FunctionIds;

/// An operation whose execution means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The function it is in.
    pub function: CodeId,
    /// Its position in the code of the function.
    pub operation: u32,
    /// When to look. A call may never come back, so what begins with one has to be seen before.
    pub moment: Moment,
    /// What is to be read there.
    pub registers: Vec<Register>,
    /// What it means.
    pub meaning: Meaning,
}

/// What it means that a point is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A function is entered.
    Enter(FunctionId),
    /// It is left through here.
    Leave(ExitId),
    /// A statement is executed.
    Execute(StatementId),
    /// A `switch` chooses, by the register.
    Choose(Choice),
    /// A condition is evaluated: its value is in the first register, the operands of a comparison
    /// in the two others.
    Evaluate(ConditionId),
    /// A decision of which nothing is left but its value is passed.
    Pass(DecisionId),
}

/// Which arm a value leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    first: ArmId,
    /// Per label, the smallest value and how many follow it, cut to the width of the `switch`.
    ranges: Vec<(usize, u64, u64)>,
    otherwise: usize,
    mask: u64,
}

impl Choice {
    fn new(first: ArmId, labels: &[Label], width: u8) -> Self {
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let listed = labels.iter().enumerate();
        let ranges = listed.filter_map(|(index, label)| {
            let (low, high) = label.values?;
            Some((index, low_bits(low) & mask, low_bits(high.wrapping_sub(low))))
        });
        let default = labels.iter().position(|label| label.values.is_none());
        let otherwise = default.unwrap_or(labels.len());
        Self { first, ranges: ranges.collect(), otherwise, mask }
    }

    /// The arms that have values, in the order in which they are tried: each with its smallest value and how many follow
    /// that, both as words that wrap at the [mask](Self::mask).
    pub fn cases(&self) -> impl Iterator<Item = (ArmId, u64, u64)> + '_ {
        let first = self.first.index();
        self.ranges.iter().map(move |(index, low, more)| (ArmId::new(first + index), *low, *more))
    }

    /// The arm of all other values.
    pub fn otherwise(&self) -> ArmId {
        ArmId::new(self.first.index() + self.otherwise)
    }

    /// The bits that count.
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// The arm for a value.
    pub fn arm(&self, value: u64) -> ArmId {
        let fits =
            |&&(_, low, more): &&(usize, u64, u64)| (value.wrapping_sub(low) & self.mask) <= more;
        let index = self.ranges.iter().find(fits).map_or(self.otherwise, |(index, ..)| *index);
        ArmId::new(self.first.index() + index)
    }
}

/// The lowest bits of a number, as the machine has them.
fn low_bits(value: i128) -> u64 {
    value.cast_unsigned() as u64
}

/// A function in the source, in the code and among the ids of a program.
#[derive(Clone, Copy)]
pub struct MappedFunction<'a> {
    /// Its text.
    pub source: &'a SourceFunction,
    /// What the compiler has emitted for it.
    pub code: CodeId,
    /// From one to the other.
    pub map: &'a FunctionMap,
    /// What criteria know it by.
    pub ids: &'a FunctionIds,
}

/// The points of a function.
pub fn points_of(
    function: MappedFunction<'_>,
    module: &obligato_bytecode::Module,
    program: &Program,
) -> Vec<Point> {
    let MappedFunction { source, code, map, ids } = function;
    let mut points = Vec::new();
    let mut add = |operation, moment, registers, meaning| {
        points.push(Point { function: code, operation, moment, registers, meaning });
    };
    if let Some(function) = ids.function {
        add(0, Moment::Before, Vec::new(), Meaning::Enter(function));
    }
    for (operation, statement) in map.statements.iter().zip(&ids.statements) {
        if let (Some(operation), Some(statement)) = (operation, statement) {
            add(*operation, Moment::Before, Vec::new(), Meaning::Execute(*statement));
        }
    }
    for (decision, id) in map.decisions.iter().zip(&ids.decisions) {
        if decision.conditions.iter().any(|site| matches!(site, EvaluationSite::Missing(_))) {
            continue;
        }
        if let Some(anchor) = decision.anchor {
            add(anchor, Moment::Before, Vec::new(), Meaning::Pass(*id));
        }
        for (ordinal, site) in decision.conditions.iter().enumerate() {
            let EvaluationSite::At(evaluations) = site else { continue };
            let condition = program.condition_at(*id, ordinal);
            let compares = program.condition(condition).relation.is_some();
            for evaluation in evaluations {
                let mut registers = vec![evaluation.value];
                if let (true, Some((left, right))) = (compares, evaluation.operands) {
                    registers.extend([left, right]);
                }
                let meaning = Meaning::Evaluate(condition);
                add(evaluation.operation, Moment::After, registers, meaning);
            }
        }
    }
    let switches = source.switches.iter().zip(&map.switches).zip(&ids.first_arms);
    for ((switch, place), first) in switches {
        let Some((operation, on)) = place else { continue };
        let width = match &module.function(code).code[*operation as usize] {
            obligato_bytecode::Operation::Switch { width, .. } => *width,
            _ => 64,
        };
        let choice = Choice::new(*first, &switch.labels, width);
        add(*operation, Moment::Before, vec![*on], Meaning::Choose(choice));
    }
    for (operations, exit) in map.exits.iter().zip(&ids.exits) {
        for operation in operations {
            if let Some(exit) = exit {
                add(*operation, Moment::Before, Vec::new(), Meaning::Leave(*exit));
            }
        }
    }
    // What happens first at an operation is listed first: an entry, a statement, a value, a return.
    points.sort_by_key(|point| (point.operation, point.moment));
    points
}

/// The operand of a comparison that a register holds.
pub fn operand(kind: &Type, bits: u64) -> Option<Value> {
    match kind {
        Type::Machine(Signedness::Unsigned, _) => Some(Value::int(bits)),
        Type::Machine(Signedness::Signed, width @ 1..=64) => {
            let unused = 64 - width;
            Some(Value::int((bits << unused).cast_signed() >> unused))
        }
        Type::Float32 => Some(Value::Float32(bits as u32)),
        Type::Float64 => Some(Value::Float64(bits)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
