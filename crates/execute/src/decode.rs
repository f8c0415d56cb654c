//! Decodes operations into instructions, once for each program.

use obligato_bytecode::{Binary, Cast, Comparison, Function, List, Operation, Register, Target};

use crate::executable::{CallSite, Decoded, ExecutableOptions, SignedOverflow, Switch, Variables};
use crate::forwarding::{Role, forward};
use crate::instruction::{Instruction, NO_REGISTER, Orders};
use crate::integer::gap;
use crate::promotion::Promoted;
use crate::watch::{Moment, WatchPoint};

/// Decodes a function with its watch points, each with its number.
pub(crate) fn decode_function(
    function: &Function,
    mut watches: Vec<(u32, WatchPoint)>,
    options: ExecutableOptions,
) -> Decoded {
    let promoted = match options.variables {
        Variables::InRegisters => Promoted::find(function, &watches),
        Variables::InMemory => Promoted::none(function),
    };
    let (function, roles) = forward(function, &promoted, &watches);
    watches.sort_by_key(|(_, watch)| watch.operation);
    let mut decoder = Decoder {
        function: &function,
        options,
        roles: &roles,
        code: Vec::with_capacity(function.code.len() + watches.len()),
        origin: Vec::with_capacity(function.code.len() + watches.len()),
        calls: Vec::new(),
        switches: Vec::new(),
    };
    let positions = decoder.decode_all(&watches);
    let Decoder { code, origin, calls, switches, .. } = decoder;
    let in_place = function.code.iter().map(|operation| in_place(&function, operation)).collect();
    let mut result = Decoded { function, code, origin, calls, switches, in_place };
    result.set_targets(&positions);
    result.fuse_branches();
    result
}

/// The registers that an operation both reads and writes.
fn in_place(function: &Function, operation: &Operation) -> Vec<u32> {
    let mut both: Vec<u32> = operation.writes(function).iter().map(|one| one.0).collect();
    if !both.is_empty() {
        let read = operation.reads(function);
        both.retain(|register| read.iter().any(|one| one.0 == *register));
    }
    both
}

struct Decoder<'f> {
    function: &'f Function,
    options: ExecutableOptions,
    roles: &'f [Role],
    code: Vec<Instruction>,
    origin: Vec<u32>,
    calls: Vec<CallSite>,
    switches: Vec<Switch>,
}

impl Decoder<'_> {
    /// Jump targets remain positions of operations. Returns the position of each operation in the
    /// decoded code, that of its first watch point if it has one.
    fn decode_all(&mut self, mut watches: &[(u32, WatchPoint)]) -> Vec<u32> {
        let mut positions = Vec::with_capacity(self.function.code.len());
        for (index, operation) in self.function.code.iter().enumerate() {
            let index = index as u32;
            positions.push(self.code.len() as u32);
            let here = watches.partition_point(|(_, watch)| watch.operation <= index);
            let (now, later) = watches.split_at(here);
            watches = later;
            self.decode_watches(index, now, Moment::Before);
            if operation.leaves() {
                self.decode_watches(index, now, Moment::After);
            }
            if let Some(instruction) = self.decode(index, operation) {
                self.push(index, instruction);
            }
            if !operation.leaves() {
                self.decode_watches(index, now, Moment::After);
            }
        }
        let last = (self.function.code.len() as u32).saturating_sub(1);
        positions.push(self.code.len() as u32);
        self.push(last, Instruction::Nowhere);
        positions
    }

    fn decode_watches(&mut self, index: u32, watches: &[(u32, WatchPoint)], moment: Moment) {
        for (watch, point) in watches.iter().filter(|(_, point)| point.moment == moment) {
            let register = point.register.map_or(NO_REGISTER, |register| register.0);
            self.push(index, Instruction::Watch { watch: *watch, register });
        }
    }

    fn push(&mut self, index: u32, instruction: Instruction) {
        self.code.push(instruction);
        self.origin.push(index);
    }

    /// `None` if the operation needs no instruction.
    fn decode(&mut self, index: u32, operation: &Operation) -> Option<Instruction> {
        let role = self.roles[index as usize];
        if role == Role::Idle {
            return None;
        }
        let rare = Instruction::Rare { operation: index };
        Some(match *operation {
            Operation::Move { to, from } => Instruction::Move { to: to.0, from: from.0 },
            Operation::Binary { op, overflow, width, to, left, right } => {
                let checked =
                    overflow.signed && self.options.signed_overflow == SignedOverflow::Found;
                binary(op, checked, gap(width), to.0, left.0, right.0)
            }
            Operation::Unary { op, width, to, from } => {
                Instruction::Unary { op, gap: gap(width), to: to.0, from: from.0 }
            }
            Operation::Compare { op, width, to, left, right } => {
                compare(op, gap(width), to.0, left.0, right.0)
            }
            Operation::FloatBinary { op, width, to, left, right } => {
                Instruction::FloatBinary { op, width, to: to.0, left: left.0, right: right.0 }
            }
            Operation::FloatUnary { op, width, to, from } => {
                Instruction::FloatUnary { op, width, to: to.0, from: from.0 }
            }
            Operation::FloatCompare { op, width, to, left, right } => {
                let op = Orders::new(op);
                Instruction::FloatCompare { op, width, to: to.0, left: left.0, right: right.0 }
            }
            Operation::Cast { op, to, from } => cast(op, to.0, from.0).unwrap_or(rare),
            Operation::Reserve { to, count, size, .. } => {
                Instruction::Reserve { to: to.0, count: count.0, size }
            }
            Operation::Load { to, from, .. } if role == Role::Variable => {
                Instruction::Move { to: to.0, from: from.0 }
            }
            Operation::Load { to, from, size, bits, .. } => load(size, bits, to.0, from.0),
            Operation::Store { to, from, size, .. } if role == Role::Variable => {
                Instruction::Cut { gap: 64 - 8 * size, to: to.0, from: from.0 }
            }
            Operation::Store { to, from, size, .. } => store(size, to.0, from.0),
            Operation::Offset { to, base, offset, .. } => match i32::try_from(offset) {
                Ok(offset) => Instruction::Offset { to: to.0, base: base.0, offset },
                Err(_) => rare,
            },
            Operation::Index { to, base, index, width, scale, .. } => match u16::try_from(scale) {
                Ok(scale) => {
                    let (to, base, index) = (to.0, base.0, index.0);
                    Instruction::Index { gap: gap(width), scale, to, base, index }
                }
                Err(_) => rare,
            },
            Operation::Call { to, results, callee, arguments } => {
                self.calls.push(CallSite { to: to.0, results, callee, arguments });
                Instruction::Call { site: self.calls.len() as u32 - 1 }
            }
            Operation::Jump { to } => Instruction::Jump { to: to.0 },
            Operation::Branch { test, then, otherwise } => {
                Instruction::Branch { test: test.0, then: then.0, otherwise: otherwise.0 }
            }
            Operation::Switch { on, arms, otherwise, .. } => self.switch(on, arms, otherwise),
            // A jump to no listed target ends at the instruction behind the code, which reports it.
            Operation::JumpThrough { on, arms } => {
                self.switch(on, arms, Target(self.function.code.len() as u32))
            }
            Operation::Return { from } => self.leave(from),
            Operation::Moves { .. }
            | Operation::WideBinary { .. }
            | Operation::WideCompare { .. }
            | Operation::FloatMultiplyAdd { .. }
            | Operation::Select { .. }
            | Operation::Intrinsic { .. }
            | Operation::Stop(_)
            | Operation::Unsupported { .. } => rare,
        })
    }

    fn switch(&mut self, on: Register, arms: List, otherwise: Target) -> Instruction {
        let arms = &self.function.arms[arms.range()];
        self.switches.push(Switch {
            keys: arms.iter().map(|arm| arm.key.0).collect(),
            targets: arms.iter().map(|arm| arm.to.0).collect(),
            otherwise: otherwise.0,
        });
        Instruction::Switch { on: on.0, arms: self.switches.len() as u32 - 1 }
    }

    fn leave(&self, from: List) -> Instruction {
        match self.function.lists[from.range()] {
            [] => Instruction::ReturnNone,
            [only] => Instruction::ReturnOne { from: only.0 },
            _ => Instruction::Return { first: from.first, length: from.length },
        }
    }
}

impl Decoded {
    /// Replaces positions of operations by positions of instructions.
    fn set_targets(&mut self, positions: &[u32]) {
        let place = |to: &mut u32| *to = positions[*to as usize];
        for instruction in &mut self.code {
            match instruction {
                Instruction::Jump { to } => place(to),
                Instruction::Branch { then, otherwise, .. } => {
                    place(then);
                    place(otherwise);
                }
                _ => {}
            }
        }
        for switch in &mut self.switches {
            switch.targets.iter_mut().for_each(place);
            place(&mut switch.otherwise);
        }
    }

    /// Fuses comparisons with the branches that test them, also across a watch point.
    fn fuse_branches(&mut self) {
        for at in 1..self.code.len() {
            if let Instruction::Branch { test, .. } = self.code[at] {
                let watched = at > 1 && matches!(self.code[at - 1], Instruction::Watch { .. });
                let before = if watched { at - 2 } else { at - 1 };
                self.code[before] = fused(self.code[before], test);
            }
        }
    }
}

fn fused(compare: Instruction, test: u32) -> Instruction {
    match compare {
        Instruction::Equal { to, left, right } if to == test => {
            Instruction::EqualBranch { to, left, right }
        }
        Instruction::NotEqual { to, left, right } if to == test => {
            Instruction::NotEqualBranch { to, left, right }
        }
        Instruction::Less { to, left, right } if to == test => {
            Instruction::LessBranch { to, left, right }
        }
        Instruction::LessEqual { to, left, right } if to == test => {
            Instruction::LessEqualBranch { to, left, right }
        }
        Instruction::LessSigned { gap, to, left, right } if to == test => {
            Instruction::LessSignedBranch { gap, to, left, right }
        }
        Instruction::LessEqualSigned { gap, to, left, right } if to == test => {
            Instruction::LessEqualSignedBranch { gap, to, left, right }
        }
        other => other,
    }
}

fn binary(op: Binary, checked: bool, gap: u8, to: u32, left: u32, right: u32) -> Instruction {
    match (op, checked) {
        (Binary::Add, false) => Instruction::Add { gap, to, left, right },
        (Binary::Add, true) => Instruction::AddSigned { gap, to, left, right },
        (Binary::Subtract, false) => Instruction::Subtract { gap, to, left, right },
        (Binary::Subtract, true) => Instruction::SubtractSigned { gap, to, left, right },
        (Binary::Multiply, false) => Instruction::Multiply { gap, to, left, right },
        (Binary::Multiply, true) => Instruction::MultiplySigned { gap, to, left, right },
        (Binary::And, _) => Instruction::And { to, left, right },
        (Binary::Or, _) => Instruction::Or { to, left, right },
        (Binary::Xor, _) => Instruction::Xor { to, left, right },
        (Binary::ShiftLeft, true) => Instruction::ShiftLeftSigned { gap, to, left, right },
        (Binary::ShiftLeft | Binary::ShiftRightUnsigned | Binary::ShiftRightSigned, _) => {
            Instruction::Shift { op, gap, to, left, right }
        }
        _ => Instruction::Binary { op, gap, to, left, right },
    }
}

fn compare(op: Comparison, gap: u8, to: u32, left: u32, right: u32) -> Instruction {
    match op {
        Comparison::Equal => Instruction::Equal { to, left, right },
        Comparison::NotEqual => Instruction::NotEqual { to, left, right },
        Comparison::LessUnsigned => Instruction::Less { to, left, right },
        Comparison::LessEqualUnsigned => Instruction::LessEqual { to, left, right },
        Comparison::GreaterUnsigned => Instruction::Less { to, left: right, right: left },
        Comparison::GreaterEqualUnsigned => Instruction::LessEqual { to, left: right, right: left },
        Comparison::LessSigned => Instruction::LessSigned { gap, to, left, right },
        Comparison::LessEqualSigned => Instruction::LessEqualSigned { gap, to, left, right },
        Comparison::GreaterSigned => Instruction::LessSigned { gap, to, left: right, right: left },
        Comparison::GreaterEqualSigned => {
            Instruction::LessEqualSigned { gap, to, left: right, right: left }
        }
    }
}

/// Casts from one register to one; others are executed as rare operations.
fn cast(op: Cast, to: u32, from: u32) -> Option<Instruction> {
    match op {
        Cast::Truncate { to: width, .. }
        | Cast::PointerToInteger { to: width }
        | Cast::IntegerToPointer { from: width }
            if width <= 64 =>
        {
            Some(Instruction::Cut { gap: gap(width), to, from })
        }
        Cast::ExtendUnsigned { from: width, to: wider } if wider <= 64 => {
            Some(Instruction::Cut { gap: gap(width), to, from })
        }
        Cast::ExtendSigned { from: width, to: wider } if wider <= 64 => {
            let (from_gap, to_gap) = (gap(width), gap(wider));
            Some(Instruction::ExtendSigned { from_gap, to_gap, to, from })
        }
        _ if op.registers() == (1, 1) => Some(Instruction::Cast { op, to, from }),
        _ => None,
    }
}

fn load(size: u8, bits: u8, to: u32, from: u32) -> Instruction {
    match (size, bits) {
        (1, 8) => Instruction::Load1 { to, from },
        (2, 16) => Instruction::Load2 { to, from },
        (4, 32) => Instruction::Load4 { to, from },
        (8, 64) => Instruction::Load8 { to, from },
        _ => Instruction::LoadPart { size, gap: gap(bits), to, from },
    }
}

fn store(size: u8, to: u32, from: u32) -> Instruction {
    match size {
        1 => Instruction::Store1 { to, from },
        2 => Instruction::Store2 { to, from },
        4 => Instruction::Store4 { to, from },
        8 => Instruction::Store8 { to, from },
        _ => Instruction::StorePart { size, to, from },
    }
}
