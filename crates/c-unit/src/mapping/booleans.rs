//! The Booleans that a function computes, by the positions of the values whose truth they are.
//!
//! Unoptimised code turns every value that is tested into a single bit: a comparison is one
//! already, of anything else `x != 0` is taken, and a `_Bool` is cut to its lowest bit. The place of that last
//! operation depends on where the test stands (for the last operand of `&&` it is the operator's), but the
//! operations before it have the places of the value. So each bit is known by all places on
//! the way back from it to the value itself.

use obligato_bytecode::{
    Cast, Comparison, FloatComparison, Function, Intrinsic, Operation, Register, Target,
};
use obligato_model::Position;

use super::Evaluation;

/// A register that holds a single bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boolean {
    /// The operation that defines it; of a merge of several blocks, the first that reads it.
    pub operation: u32,
    /// The register.
    pub register: Register,
    /// The places of the operation and of what its value passed through unchanged.
    pub places: Vec<Position>,
    /// The registers that its value passed through unchanged, up to a merge of blocks.
    pub sources: Vec<Register>,
    /// The places behind a merge of blocks: of one of the values that may have come out of it.
    pub merged: Vec<Position>,
}

/// All Booleans of a function.
#[derive(Clone, Debug)]
pub struct Booleans {
    /// In the order of the code, without those below.
    pub all: Vec<Boolean>,
    /// Constants that branches test, in the order of the code.
    pub known: Vec<KnownBranch>,
    by_place: Vec<(Position, usize)>,
}

/// A branch on a constant. The executor has a copy of it in a register of the branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBranch {
    /// The copy.
    pub operation: u32,
    /// The register.
    pub register: Register,
    /// The constant.
    pub value: bool,
    /// The targets of the branch, which comes next.
    pub targets: [Target; 2],
}

impl KnownBranch {
    /// The copy as the evaluation of a condition.
    pub fn evaluation(&self) -> Evaluation {
        Evaluation { operation: self.operation, value: self.register, operands: None }
    }
}

/// The largest number of operations in a definition chain that is followed.
const LONGEST_CHAIN: usize = 64;

impl Booleans {
    /// Those of a function.
    pub fn new(function: &Function) -> Self {
        let writers = Writers::new(function);
        let known = known_branches(function);
        let mut all: Vec<Boolean> = Vec::new();
        let others = |(register, _): &(Register, u32)| {
            known.iter().all(|branch| branch.register != *register)
        };
        for (register, reader) in bits(function).into_iter().filter(others) {
            let Some(operation) = writers.last_or(register, reader) else { continue };
            let mut boolean = Boolean {
                operation,
                register,
                places: Vec::new(),
                sources: Vec::new(),
                merged: Vec::new(),
            };
            boolean.trace_back(function, &writers);
            all.push(boolean);
        }
        all.sort_unstable_by_key(|boolean| (boolean.operation, boolean.register));
        let mut by_place = Vec::new();
        for (index, boolean) in all.iter().enumerate() {
            by_place.extend(boolean.places.iter().map(|place| (*place, index)));
        }
        by_place.sort_unstable();
        Self { all, known, by_place }
    }

    /// Those that are known by a place, in the order of the code.
    pub fn at(&self, place: Position) -> impl Iterator<Item = &Boolean> {
        let first = self.by_place.partition_point(|(position, _)| *position < place);
        let here = self.by_place[first..].iter().take_while(move |(known, _)| *known == place);
        here.map(|(_, index)| &self.all[*index])
    }
}

impl Boolean {
    fn trace_back(&mut self, function: &Function, writers: &Writers) {
        let mut todo = vec![(self.register, false)];
        let mut looked_at = 0;
        while let Some((register, behind_merge)) = todo.pop() {
            if !behind_merge {
                self.sources.push(register);
            }
            for &writer in writers.of(register) {
                looked_at += 1;
                if looked_at > LONGEST_CHAIN {
                    return;
                }
                let operation = &function.code[writer as usize];
                let merged = merged_from(function, operation, register);
                // What the compiler answers itself, as `__builtin_constant_p`, is a copy of a constant that nothing is merged with.
                let answered = merged
                    .is_some_and(|source| (source.0 as usize) < function.constants.len())
                    && writers.of(register).len() == 1;
                if let Some(source) = merged.filter(|_| !answered) {
                    todo.push((source, true));
                    continue;
                }
                if is_extended_bit(operation) {
                    // The truth of another Boolean, which is known by its own places.
                    self.places.truncate(1);
                    continue;
                }
                if let Some(place) = function.places[writer as usize] {
                    let places = if behind_merge { &mut self.merged } else { &mut self.places };
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
                if let Some(source) = tested(function, operation) {
                    todo.push((source, behind_merge));
                }
            }
        }
    }
}

fn is_extended_bit(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Cast {
            op: Cast::ExtendUnsigned { from: 1, .. } | Cast::ExtendSigned { from: 1, .. },
            ..
        }
    )
}

/// What a merge of blocks copies into a register.
fn merged_from(function: &Function, operation: &Operation, register: Register) -> Option<Register> {
    match operation {
        Operation::Move { from, .. } => Some(*from),
        Operation::Moves { to, from } => {
            let position = function.lists[to.range()].iter().position(|target| *target == register);
            position.map(|position| function.lists[from.range()][position])
        }
        _ => None,
    }
}

/// The value that an operation takes the truth of, or passes on without changing its truth.
fn tested(function: &Function, operation: &Operation) -> Option<Register> {
    let zero = |register: Register| function.constants.get(register.0 as usize) == Some(&0);
    match operation {
        Operation::Compare { op: Comparison::NotEqual, left, right, .. }
        | Operation::WideCompare { op: Comparison::NotEqual, left, right, .. }
            if zero(*right) =>
        {
            Some(*left)
        }
        Operation::FloatCompare { op, left, right, .. } if *op == DIFFERS && zero(*right) => {
            Some(*left)
        }
        // An array that is a member is tested by its address.
        Operation::Offset { base, .. } => Some(*base),
        // A `_Bool` in memory is 0 or 1.
        Operation::Cast {
            op:
                Cast::Truncate { to: 1, .. }
                | Cast::ExtendUnsigned { .. }
                | Cast::ExtendSigned { .. }
                | Cast::SingleToDouble,
            from,
            ..
        } => Some(*from),
        _ => None,
    }
}

/// How C asks whether a float is not zero.
const DIFFERS: FloatComparison =
    FloatComparison { less: true, equal: false, greater: true, unordered: true };

fn known_branches(function: &Function) -> Vec<KnownBranch> {
    let pairs = function.code.windows(2).zip(0..);
    let known = pairs.filter_map(|(pair, operation)| match pair {
        [Operation::Move { to, from }, Operation::Branch { test, then, otherwise }]
            if to == test =>
        {
            let value = *function.constants.get(from.0 as usize)? != 0;
            Some(KnownBranch { operation, register: *to, value, targets: [*then, *otherwise] })
        }
        _ => None,
    });
    known.collect()
}

/// The registers that hold a bit, each once, with an operation that reads it as one or gives it.
fn bits(function: &Function) -> Vec<(Register, u32)> {
    let mut bits: Vec<(Register, u32)> = Vec::new();
    for (at, operation) in function.code.iter().enumerate() {
        let at = at as u32;
        match operation {
            Operation::Compare { to, .. }
            | Operation::WideCompare { to, .. }
            | Operation::FloatCompare { to, .. }
            | Operation::Cast { op: Cast::Truncate { to: 1, .. }, to, .. }
            | Operation::Intrinsic { op: Intrinsic::IsClass { .. }, to, .. } => {
                bits.push((*to, at));
            }
            Operation::Branch { test, .. } | Operation::Select { test, .. } => {
                bits.push((*test, at));
            }
            Operation::Binary { width: 1, left, right, .. } => {
                bits.extend([(*left, at), (*right, at)]);
            }
            Operation::Cast {
                op: Cast::ExtendUnsigned { from: 1, .. } | Cast::ExtendSigned { from: 1, .. },
                from,
                ..
            } => bits.push((*from, at)),
            _ => {}
        }
    }
    bits.retain(|(register, _)| register.0 as usize >= function.constants.len());
    bits.sort_unstable();
    bits.dedup_by_key(|(register, _)| *register);
    bits
}

/// The operations that write each register: one, or a copy for each block that a merge joins.
#[derive(Clone, Debug)]
struct Writers {
    first: Vec<u32>,
    operations: Vec<u32>,
}

impl Writers {
    fn new(function: &Function) -> Self {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (at, operation) in function.code.iter().enumerate() {
            let written = operation.writes(function);
            pairs.extend(written.into_iter().map(|to| (to.0, at as u32)));
        }
        pairs.sort_unstable();
        let registers = function.registers as usize;
        let mut first = Vec::with_capacity(registers + 1);
        for register in 0..=registers {
            first.push(pairs.partition_point(|(written, _)| (*written as usize) < register) as u32);
        }
        Self { first, operations: pairs.into_iter().map(|(_, at)| at).collect() }
    }

    fn of(&self, register: Register) -> &[u32] {
        let at = register.0 as usize;
        match (self.first.get(at), self.first.get(at + 1)) {
            (Some(&first), Some(&last)) => &self.operations[first as usize..last as usize],
            _ => &[],
        }
    }

    /// The only operation that writes a register; `reader` if there are several. None for a parameter.
    fn last_or(&self, register: Register, reader: u32) -> Option<u32> {
        match self.of(register) {
            [] => None,
            [only] => Some(*only),
            _ => Some(reader),
        }
    }
}
