//! Which registers an operation reads and writes, in one place for all who ask.

use crate::{Argument, Callee, Cast, Function, Intrinsic, Operation, Register};

/// What happens to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Its value is used.
    Read,
    /// It gets a value.
    Written,
}

/// How many registers an integer takes.
pub const fn registers_of_width(width: u8) -> u32 {
    if width > 64 { 2 } else { 1 }
}

impl Operation {
    /// Shows every register that stands in the operation itself, with how many neighbours from it on
    /// are meant. Those in its lists and arguments are not among them.
    pub fn visit_registers(&mut self, mut visit: impl FnMut(Access, &mut Register, u32)) {
        use Access::{Read, Written};
        match self {
            Self::Move { to, from }
            | Self::Unary { to, from, .. }
            | Self::FloatUnary { to, from, .. }
            | Self::Load { to, from, .. } => {
                visit(Read, from, 1);
                visit(Written, to, 1);
            }
            Self::Binary { to, left, right, .. }
            | Self::Compare { to, left, right, .. }
            | Self::FloatBinary { to, left, right, .. }
            | Self::FloatCompare { to, left, right, .. } => {
                visit(Read, left, 1);
                visit(Read, right, 1);
                visit(Written, to, 1);
            }
            Self::WideBinary { to, left, right, .. } => {
                visit(Read, left, 2);
                visit(Read, right, 2);
                visit(Written, to, 2);
            }
            Self::WideCompare { to, left, right, .. } => {
                visit(Read, left, 2);
                visit(Read, right, 2);
                visit(Written, to, 1);
            }
            Self::FloatMultiplyAdd { to, left, right, addend, .. } => {
                visit(Read, left, 1);
                visit(Read, right, 1);
                visit(Read, addend, 1);
                visit(Written, to, 1);
            }
            Self::Cast { op, to, from } => {
                let (taken, given) = op.registers();
                visit(Read, from, taken);
                visit(Written, to, given);
            }
            Self::Select { to, test, then, otherwise } => {
                visit(Read, test, 1);
                visit(Read, then, 1);
                visit(Read, otherwise, 1);
                visit(Written, to, 1);
            }
            Self::Reserve { to, count, .. } => {
                visit(Read, count, 1);
                visit(Written, to, 1);
            }
            Self::Store { to, from, .. } => {
                visit(Read, from, 1);
                visit(Read, to, 1);
            }
            Self::Offset { to, base, .. } => {
                visit(Read, base, 1);
                visit(Written, to, 1);
            }
            Self::Index { to, base, index, .. } => {
                visit(Read, base, 1);
                visit(Read, index, 1);
                visit(Written, to, 1);
            }
            Self::Call { to, results, callee, .. } => {
                if let Callee::Through(register) = callee {
                    visit(Read, register, 1);
                }
                visit(Written, to, *results);
            }
            Self::Intrinsic { op, to, .. } => visit(Written, to, op.results()),
            Self::Branch { test, .. } => visit(Read, test, 1),
            Self::Switch { on, .. } | Self::JumpThrough { on, .. } => visit(Read, on, 1),
            Self::Moves { .. }
            | Self::Jump { .. }
            | Self::Return { .. }
            | Self::Stop(_)
            | Self::Unsupported { .. } => {}
        }
    }

    /// All registers that an operation of this function reads, those in its lists and arguments included.
    pub fn reads(&self, function: &Function) -> Vec<Register> {
        let mut registers = self.standing(Access::Read);
        match self {
            Self::Moves { from, .. } | Self::Return { from } => {
                registers.extend(&function.lists[from.range()]);
            }
            Self::Call { arguments, .. } | Self::Intrinsic { arguments, .. } => {
                let arguments = function.arguments[arguments.range()].iter();
                registers.extend(arguments.map(|argument| match *argument {
                    Argument::Value(register) | Argument::Copy { from: register, .. } => register,
                }));
            }
            _ => {}
        }
        registers
    }

    /// All registers that an operation of this function writes.
    pub fn writes(&self, function: &Function) -> Vec<Register> {
        match self {
            Self::Moves { to, .. } => function.lists[to.range()].to_vec(),
            _ => self.standing(Access::Written),
        }
    }

    /// The registers of one kind that stand in the operation itself, each neighbour by itself.
    fn standing(&self, wanted: Access) -> Vec<Register> {
        let mut registers = Vec::new();
        self.clone().visit_registers(|access, first, count| {
            if access == wanted {
                registers.extend((first.0..first.0 + count).map(Register));
            }
        });
        registers
    }

    /// May it be the last of a block: does nothing behind it run next?
    pub fn leaves(&self) -> bool {
        self.goes_on() || matches!(self, Self::Stop(_) | Self::Unsupported { .. })
    }

    /// Does it say where to go on?
    pub fn goes_on(&self) -> bool {
        matches!(
            self,
            Self::Jump { .. }
                | Self::Branch { .. }
                | Self::Switch { .. }
                | Self::JumpThrough { .. }
                | Self::Return { .. }
        )
    }
}

impl Cast {
    /// How many registers it takes and gives.
    pub fn registers(self) -> (u32, u32) {
        match self {
            Self::Truncate { from, to }
            | Self::ExtendUnsigned { from, to }
            | Self::ExtendSigned { from, to } => (registers_of_width(from), registers_of_width(to)),
            Self::FloatToUnsigned { to, .. }
            | Self::FloatToSigned { to, .. }
            | Self::PointerToInteger { to } => (1, registers_of_width(to)),
            Self::UnsignedToFloat { from, .. }
            | Self::SignedToFloat { from, .. }
            | Self::IntegerToPointer { from } => (registers_of_width(from), 1),
            Self::SingleToDouble | Self::DoubleToSingle => (1, 1),
        }
    }
}

impl Intrinsic {
    /// How many registers its results take.
    pub fn results(self) -> u32 {
        match self {
            Self::CopyMemory
            | Self::MoveMemory
            | Self::FillMemory
            | Self::StartArguments
            | Self::EndArguments
            | Self::CopyArguments
            | Self::RestoreStack => 0,
            Self::Overflowing { width, .. } => registers_of_width(width) + 1,
            Self::FunnelShift { .. } | Self::IsClass { .. } | Self::SaveStack => 1,
        }
    }

    /// How many arguments it takes, each a [`Value`](crate::Argument::Value).
    pub fn arguments(self) -> u32 {
        match self {
            Self::SaveStack => 0,
            Self::StartArguments
            | Self::EndArguments
            | Self::IsClass { .. }
            | Self::RestoreStack => 1,
            Self::CopyArguments => 2,
            Self::Overflowing { width, .. } => 2 * registers_of_width(width),
            Self::CopyMemory | Self::MoveMemory | Self::FillMemory | Self::FunnelShift { .. } => 3,
        }
    }
}
