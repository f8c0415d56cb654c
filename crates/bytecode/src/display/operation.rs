//! One operation as text.

use crate::{
    Address, Argument, Callee, Cast, FloatComparison, FloatWidth, Function, Intrinsic, List,
    Module, Operation, Overflow, Register, StopKind,
};

impl Module {
    /// An operation of a function as text.
    pub fn operation_text(&self, function: &Function, operation: &Operation) -> String {
        let texts = Texts { module: self, function };
        texts.control(operation).unwrap_or_else(|| texts.computation(operation))
    }
}

/// What is needed to name registers and callees.
struct Texts<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl Texts<'_> {
    /// What computes a value or touches memory.
    fn computation(&self, operation: &Operation) -> String {
        let show = |register: &Register| self.register(*register);
        match operation {
            Operation::Move { to, from } => format!("{} = {}", show(to), show(from)),
            Operation::Moves { to, from } => {
                format!("{} = {}", self.registers(*to), self.registers(*from))
            }
            Operation::Binary { op, overflow, width, to, left, right }
            | Operation::WideBinary { op, overflow, width, to, left, right } => {
                let flags = flags(*overflow);
                format!("{} = {op:?}.i{width}{flags} {}, {}", show(to), show(left), show(right))
            }
            Operation::Unary { op, width, to, from } => {
                format!("{} = {op:?}.i{width} {}", show(to), show(from))
            }
            Operation::Compare { op, width, to, left, right }
            | Operation::WideCompare { op, width, to, left, right } => {
                format!("{} = {op:?}.i{width} {}, {}", show(to), show(left), show(right))
            }
            Operation::FloatBinary { op, width, to, left, right } => {
                let width = float(*width);
                format!("{} = {op:?}.{width} {}, {}", show(to), show(left), show(right))
            }
            Operation::FloatUnary { op, width, to, from } => {
                format!("{} = {op:?}.{} {}", show(to), float(*width), show(from))
            }
            Operation::FloatMultiplyAdd { fused, width, to, left, right, addend } => {
                let name = if *fused { "FusedMultiplyAdd" } else { "MultiplyAdd" };
                let (to, width) = (show(to), float(*width));
                format!("{to} = {name}.{width} {}, {}, {}", show(left), show(right), show(addend))
            }
            Operation::FloatCompare { op, width, to, left, right } => {
                let (op, width) = (orders(*op), float(*width));
                format!("{} = {op}.{width} {}, {}", show(to), show(left), show(right))
            }
            Operation::Cast { op, to, from } => {
                format!("{} = {} {}", show(to), cast(*op), show(from))
            }
            Operation::Select { to, test, then, otherwise } => {
                let (test, then, otherwise) = (show(test), show(then), show(otherwise));
                format!("{} = {test} ? {then} : {otherwise}", show(to))
            }
            Operation::Reserve { to, count, size, alignment } => {
                format!("{} = Reserve {} × {size} aligned to {alignment}", show(to), show(count))
            }
            Operation::Load { to, from, size, bits, alignment, volatile } => {
                let volatile = if *volatile { " volatile" } else { "" };
                let access = format!("i{bits} of {size} bytes aligned to {alignment}");
                format!("{} = Load{volatile} {}, {access}", show(to), show(from))
            }
            Operation::Store { to, from, size, alignment, volatile } => {
                let volatile = if *volatile { " volatile" } else { "" };
                let access = format!("{size} bytes aligned to {alignment}");
                format!("Store{volatile} {} to {}, {access}", show(from), show(to))
            }
            Operation::Offset { to, base, offset, inside } => {
                let inside = if *inside { " inside" } else { "" };
                format!("{} = Offset{inside} {} by {offset}", show(to), show(base))
            }
            Operation::Index { to, base, index, width, scale, inside } => {
                let inside = if *inside { " inside" } else { "" };
                let index = format!("{}.i{width} × {scale}", show(index));
                format!("{} = Index{inside} {} by {index}", show(to), show(base))
            }
            Operation::Call { to, results, callee, arguments } => {
                let callee = match callee {
                    Callee::Direct(id) => self.module.function(*id).name.clone(),
                    Callee::Through(register) => format!("*{}", show(register)),
                };
                let arguments = self.arguments(*arguments);
                format!("{}Call {callee}({arguments})", self.results(*to, *results))
            }
            Operation::Intrinsic { op, to, arguments } => {
                let arguments = self.arguments(*arguments);
                format!("{}{}({arguments})", self.results(*to, op.results()), intrinsic(*op))
            }
            other => format!("{other:?}"),
        }
    }

    /// What says where to go on, if this is it.
    fn control(&self, operation: &Operation) -> Option<String> {
        Some(match operation {
            Operation::Jump { to } => format!("Jump {}", to.0),
            Operation::Branch { test, then, otherwise } => {
                format!("Branch {} ? {} : {}", self.register(*test), then.0, otherwise.0)
            }
            Operation::Switch { on, width, arms, otherwise } => {
                let (on, arms) = (self.register(*on), self.arms(*arms));
                format!("Switch.i{width} {on} [{arms}] else {}", otherwise.0)
            }
            Operation::JumpThrough { on, arms } => {
                format!("JumpThrough {} [{}]", self.register(*on), self.arms(*arms))
            }
            Operation::Return { from } => {
                format!("Return {}", self.registers(*from)).trim_end().to_owned()
            }
            Operation::Stop(StopKind::Unreachable) => "Unreachable".to_owned(),
            Operation::Stop(StopKind::Trap) => "Trap".to_owned(),
            Operation::Unsupported { note, .. } => {
                format!("Unsupported: {}", self.function.notes[*note as usize])
            }
            _ => return None,
        })
    }

    fn register(&self, register: Register) -> String {
        match self.function.constants.get(register.0 as usize) {
            Some(value) => self.constant(*value),
            None => format!("r{}", register.0),
        }
    }

    /// A number, or the object that it is the address of.
    fn constant(&self, value: u64) -> String {
        let address = Address(value);
        let object = (address.object().0 as usize).wrapping_sub(1);
        let globals = self.module.globals.len();
        let name = match self.module.globals.get(object) {
            Some(global) => Some(&global.name),
            None => self.module.functions.get(object.wrapping_sub(globals)).map(|code| &code.name),
        };
        match (name, address.offset()) {
            (Some(name), 0) => format!("&{name}"),
            (Some(name), offset) if offset.unsigned_abs() < 1 << 20 => format!("&{name}{offset:+}"),
            _ if value > 0xFFFF_FFFF => format!("#{value:#x}"),
            _ => format!("#{value}"),
        }
    }

    fn registers(&self, list: List) -> String {
        let registers = self.function.lists[list.range()].iter();
        registers.map(|register| self.register(*register)).collect::<Vec<_>>().join(", ")
    }

    fn results(&self, first: Register, count: u32) -> String {
        match count {
            0 => String::new(),
            1 => format!("{} = ", self.register(first)),
            _ => format!("r{}..r{} = ", first.0, first.0 + count - 1),
        }
    }

    fn arguments(&self, list: List) -> String {
        let arguments = self.function.arguments[list.range()].iter();
        let texts = arguments.map(|argument| match argument {
            Argument::Value(register) => self.register(*register),
            Argument::Copy { from, size, alignment } => {
                format!("copy of {size} bytes aligned to {alignment} at {}", self.register(*from))
            }
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    fn arms(&self, list: List) -> String {
        let arms = self.function.arms[list.range()].iter();
        arms.map(|arm| format!("{}: {}", self.constant(arm.key.0), arm.to.0))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

fn flags(overflow: Overflow) -> String {
    let signed = if overflow.signed { ".nsw" } else { "" };
    let unsigned = if overflow.unsigned { ".nuw" } else { "" };
    format!("{signed}{unsigned}")
}

fn float(width: FloatWidth) -> &'static str {
    match width {
        FloatWidth::Single => "f32",
        FloatWidth::Double => "f64",
    }
}

fn orders(op: FloatComparison) -> String {
    let parts = [(op.less, '<'), (op.equal, '='), (op.greater, '>'), (op.unordered, '?')];
    let listed: String = parts.iter().filter(|(on, _)| *on).map(|(_, sign)| sign).collect();
    format!("Is[{listed}]")
}

fn cast(op: Cast) -> String {
    match op {
        Cast::Truncate { from, to } => format!("Truncate.i{from}.i{to}"),
        Cast::ExtendUnsigned { from, to } => format!("ExtendUnsigned.i{from}.i{to}"),
        Cast::ExtendSigned { from, to } => format!("ExtendSigned.i{from}.i{to}"),
        Cast::FloatToUnsigned { from, to } => format!("FloatToUnsigned.{}.i{to}", float(from)),
        Cast::FloatToSigned { from, to } => format!("FloatToSigned.{}.i{to}", float(from)),
        Cast::UnsignedToFloat { from, to } => format!("UnsignedToFloat.i{from}.{}", float(to)),
        Cast::SignedToFloat { from, to } => format!("SignedToFloat.i{from}.{}", float(to)),
        Cast::SingleToDouble => "SingleToDouble".to_owned(),
        Cast::DoubleToSingle => "DoubleToSingle".to_owned(),
        Cast::PointerToInteger { to } => format!("PointerToInteger.i{to}"),
        Cast::IntegerToPointer { from } => format!("IntegerToPointer.i{from}"),
    }
}

fn intrinsic(op: Intrinsic) -> String {
    match op {
        Intrinsic::Overflowing { op, signed, width } => {
            let sign = if signed { "signed" } else { "unsigned" };
            format!("Overflowing{op:?}.{sign}.i{width}")
        }
        Intrinsic::FunnelShift { left, width } => {
            format!("FunnelShift{}.i{width}", if left { "Left" } else { "Right" })
        }
        Intrinsic::IsClass { mask, width } => format!("IsClass.{mask:#x}.{}", float(width)),
        plain => format!("{plain:?}"),
    }
}
