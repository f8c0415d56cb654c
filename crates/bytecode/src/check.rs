//! The verifier: what everybody who runs a module relies on.
//!
//! A module that passes can be run without looking at numbers again: registers, tables and targets
//! are in range, blocks tile the code, and widths are those that the operations are for.

use std::fmt;

use crate::{
    Access, Address, Argument, Callee, Cast, Function, Intrinsic, List, Module, Operation,
    Register, Target,
};

/// What is wrong with a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// In which function or global.
    pub symbol: String,
    /// At which operation, if at one.
    pub operation: Option<u32>,
    /// What.
    pub problem: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.symbol)?;
        if let Some(operation) = self.operation {
            write!(out, ", operation {operation}")?;
        }
        write!(out, ": {}", self.problem)
    }
}

impl std::error::Error for Flaw {}

type Checked = Result<(), String>;

/// Checks a whole module.
pub fn check(module: &Module) -> Result<(), Flaw> {
    for global in &module.globals {
        let flaw = |problem: &str| {
            let problem = problem.to_owned();
            Flaw { symbol: global.name.clone(), operation: None, problem }
        };
        if !global.alignment.is_power_of_two() {
            return Err(flaw("the alignment is no power of two"));
        }
        if global.bytes.len() as u64 > Address::LARGEST_OBJECT {
            return Err(flaw("the object is too large"));
        }
    }
    for function in &module.functions {
        let flaw = |operation, problem| Flaw { symbol: function.name.clone(), operation, problem };
        check_frame(function).map_err(|problem| flaw(None, problem))?;
        for (at, operation) in function.code.iter().enumerate() {
            check_operation(module, function, operation)
                .map_err(|problem| flaw(Some(at as u32), problem))?;
        }
    }
    Ok(())
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(problem()) }
}

/// What concerns the function as a whole.
fn check_frame(function: &Function) -> Checked {
    if !function.is_defined() {
        return ensure(function.blocks.is_empty(), || "blocks without code".to_owned());
    }
    let first = function.constants.len() as u64 + u64::from(function.signature.parameters);
    ensure(first <= u64::from(function.registers), || "more parameters than registers".to_owned())?;
    ensure(function.places.len() == function.code.len(), || "not a place each".to_owned())?;
    let mut end = 0;
    for (number, block) in function.blocks.iter().enumerate() {
        let tiles = block.code.start == end && block.code.start < block.code.end;
        ensure(tiles && block.code.end as usize <= function.code.len(), || {
            format!("block {number} does not start where the one before it ends, or is empty")
        })?;
        end = block.code.end;
        let code = &function.code[block.code.start as usize..end as usize];
        let (last, others) = code.split_last().expect("invariant: checked not to be empty");
        ensure(last.leaves(), || format!("block {number} is not left at its end"))?;
        ensure(!others.iter().any(Operation::goes_on), || {
            format!("block {number} is left before its end")
        })?;
    }
    ensure(end as usize == function.code.len(), || "code behind the last block".to_owned())?;
    for local in &function.locals {
        let reserve = function.code.get(local.reserve as usize);
        ensure(matches!(reserve, Some(Operation::Reserve { .. })), || {
            format!("the local {} is nowhere reserved", local.name)
        })?;
    }
    Ok(())
}

fn check_operation(module: &Module, function: &Function, operation: &Operation) -> Checked {
    let mut registers = Ok(());
    operation.clone().visit_registers(|access, register, count| {
        if registers.is_ok() {
            registers = check_registers(function, *register, count);
        }
        if registers.is_ok() && access == Access::Written && count > 0 {
            registers = check_writable(function, *register);
        }
    });
    registers?;
    check_widths(operation)?;
    match operation {
        Operation::Moves { to, from } => {
            ensure(to.length == from.length, || "copies of other numbers".to_owned())?;
            check_list(function, *from)?;
            check_list(function, *to)?;
            let targets = function.lists[to.range()].iter();
            targets.copied().try_for_each(|register| check_writable(function, register))
        }
        Operation::Return { from } => {
            ensure(from.length == function.signature.results, || "other results".to_owned())?;
            check_list(function, *from)
        }
        Operation::Call { callee, arguments, .. } => {
            if let Callee::Direct(callee) = callee {
                ensure(callee.index() < module.functions.len(), || "no such function".to_owned())?;
            }
            check_arguments(function, *arguments)
        }
        Operation::Intrinsic { op, arguments, .. } => {
            ensure(arguments.length == op.arguments(), || "other arguments".to_owned())?;
            check_arguments(function, *arguments)
        }
        Operation::Jump { to } => check_target(function, *to),
        Operation::Branch { then, otherwise, .. } => {
            check_target(function, *then)?;
            check_target(function, *otherwise)
        }
        Operation::Switch { arms, otherwise, .. } => {
            check_target(function, *otherwise)?;
            check_arms(function, *arms)
        }
        Operation::JumpThrough { arms, .. } => check_arms(function, *arms),
        Operation::Unsupported { note, .. } => {
            ensure((*note as usize) < function.notes.len(), || "no such note".to_owned())
        }
        _ => Ok(()),
    }
}

fn check_registers(function: &Function, first: Register, count: u32) -> Checked {
    let end = u64::from(first.0) + u64::from(count);
    ensure(end <= u64::from(function.registers), || format!("no register {}", end - 1))
}

fn check_writable(function: &Function, register: Register) -> Checked {
    ensure(register.0 as usize >= function.constants.len(), || "writes to a constant".to_owned())
}

fn check_list(function: &Function, list: List) -> Checked {
    let registers = slice(&function.lists, list)?;
    registers.iter().try_for_each(|register| check_registers(function, *register, 1))
}

fn check_arguments(function: &Function, list: List) -> Checked {
    slice(&function.arguments, list)?.iter().try_for_each(|argument| match argument {
        Argument::Value(register) => check_registers(function, *register, 1),
        Argument::Copy { from, alignment, .. } => {
            check_alignment(*alignment)?;
            check_registers(function, *from, 1)
        }
    })
}

fn check_arms(function: &Function, list: List) -> Checked {
    let arms = slice(&function.arms, list)?;
    ensure(arms.is_sorted_by(|one, next| one.key < next.key), || "arms out of order".to_owned())?;
    arms.iter().try_for_each(|arm| check_target(function, arm.to))
}

fn slice<T>(table: &[T], list: List) -> Result<&[T], String> {
    let end = u64::from(list.first) + u64::from(list.length);
    ensure(end <= table.len() as u64, || "a list ends behind its table".to_owned())?;
    Ok(&table[list.range()])
}

fn check_target(function: &Function, to: Target) -> Checked {
    let found = function.blocks.binary_search_by_key(&to.0, |block| block.code.start);
    ensure(found.is_ok(), || format!("no block starts at {}", to.0))
}

fn check_alignment(alignment: u32) -> Checked {
    ensure(alignment.is_power_of_two(), || "an alignment is no power of two".to_owned())
}

fn check_widths(operation: &Operation) -> Checked {
    let narrow =
        |width: u8| ensure((1..=64).contains(&width), || format!("{width} bits are not 1 to 64"));
    let wide = |width: u8| {
        ensure((65..=128).contains(&width), || format!("{width} bits are not 65 to 128"))
    };
    let any =
        |width: u8| ensure((1..=128).contains(&width), || format!("{width} bits are not 1 to 128"));
    let bytes =
        |size: u8| ensure((1..=8).contains(&size), || format!("{size} bytes are not 1 to 8"));
    match *operation {
        Operation::Binary { width, .. }
        | Operation::Unary { width, .. }
        | Operation::Compare { width, .. }
        | Operation::Switch { width, .. }
        | Operation::Index { width, .. } => narrow(width),
        Operation::WideBinary { width, .. } | Operation::WideCompare { width, .. } => wide(width),
        Operation::Load { size, bits, alignment, .. } => {
            bytes(size)?;
            narrow(bits)?;
            ensure(bits <= 8 * size, || "more bits than bytes".to_owned())?;
            check_alignment(alignment)
        }
        Operation::Store { size, alignment, .. } => {
            bytes(size)?;
            check_alignment(alignment)
        }
        Operation::Reserve { alignment, .. } => check_alignment(alignment),
        Operation::Cast { op, .. } => match op {
            Cast::Truncate { from, to } => {
                any(from)?;
                any(to)?;
                ensure(from > to, || "does not get narrower".to_owned())
            }
            Cast::ExtendUnsigned { from, to } | Cast::ExtendSigned { from, to } => {
                any(from)?;
                any(to)?;
                ensure(from < to, || "does not get wider".to_owned())
            }
            Cast::FloatToUnsigned { to: width, .. }
            | Cast::FloatToSigned { to: width, .. }
            | Cast::UnsignedToFloat { from: width, .. }
            | Cast::SignedToFloat { from: width, .. }
            | Cast::PointerToInteger { to: width }
            | Cast::IntegerToPointer { from: width } => any(width),
            Cast::SingleToDouble | Cast::DoubleToSingle => Ok(()),
        },
        Operation::Intrinsic { op, .. } => match op {
            Intrinsic::Overflowing { width, .. } => any(width),
            Intrinsic::FunnelShift { width, .. } => narrow(width),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
