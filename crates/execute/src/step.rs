//! The interpreter loop.
//!
//! The code and the registers of the running function are in local variables, since instructions need them most;
//! so everything that may change the running function leaves the inner loop and re-enters it. Steps
//! are counted where control leaves a block, for the whole block.

use obligato_bytecode::{Address, Binary, CodeId};

use crate::cast::{cast, expect_fitting};
use crate::environment::Environment;
use crate::finding::{ExecutionLimit, FindingKind};
use crate::float;
use crate::instruction::Instruction;
use crate::integer::{
    add_signed, binary, cut, less_signed, multiply_signed, shift, shift_left_signed, signed,
    subtract_signed, unary,
};
use crate::machine::{Machine, Run, Stop};
use crate::shadow::{Marked, Shadow};
use crate::watch::{Observer, WatchId};

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// Runs until only `floor` frames are left.
    pub(crate) fn run(&mut self, floor: usize) -> Run<()> {
        while self.frames.len() > floor {
            self.run_function()?;
        }
        Ok(())
    }

    /// Runs the innermost function until it calls, returns, or does something rare.
    #[expect(clippy::too_many_lines, reason = "one flat match: a line for each instruction")]
    fn run_function(&mut self) -> Run<()> {
        let depth = self.frames.len() as u32;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let decoded = &self.program.functions[frame.function as usize];
        let code = decoded.code.as_slice();
        let base = frame.base as usize;
        let mut next = frame.next as usize;
        let mut entered = next;
        let registers = &mut self.registers[base..base + decoded.function.registers as usize];

        /// The value of a register.
        macro_rules! get {
            ($register:expr) => {
                registers[$register as usize]
            };
        }
        /// Saves the position in the function, and charges for the steps since the last save.
        macro_rules! pause {
            () => {
                frame.next = next as u32;
                charge(&mut self.steps, next - entered)?;
            };
        }
        macro_rules! jump {
            ($to:expr) => {{
                let to = $to as usize;
                if S::ACTIVE {
                    pause!();
                    frame.next = to as u32;
                    self.shade_branch(next - 1, to);
                    return Ok(());
                }
                if let Err(stop) = charge(&mut self.steps, next - entered) {
                    frame.next = next as u32;
                    return Err(stop);
                }
                next = to;
                entered = to;
                continue;
            }};
        }
        macro_rules! checked {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(kind) => {
                        frame.next = next as u32;
                        return Err(Stop::from(kind));
                    }
                }
            };
        }
        macro_rules! arithmetic {
            ($function:ident, $op:ident, $gap:ident, $to:ident, $left:ident, $right:ident) => {{
                let (value, overflow) = $function(get!($left), get!($right), $gap);
                if overflow {
                    checked!(Err(FindingKind::SignedOverflow { op: Binary::$op }));
                }
                get!($to) = value;
            }};
        }
        /// Tells the shadow the address of the next write.
        macro_rules! storing {
            ($to:ident, $size:expr) => {
                if S::ACTIVE {
                    let mark = &self.marks[base + $to as usize];
                    let pointer = Marked { value: get!($to), mark };
                    self.shadow.storing(pointer, $size.into(), &self.memory);
                }
            };
        }
        /// Sets the result of a comparison, and takes the branch fused with it.
        macro_rules! branch {
            ($to:ident, $test:expr) => {{
                get!($to) = ($test).into();
                if !S::ACTIVE {
                    if let Instruction::Watch { watch, register } = code[next] {
                        next += 1;
                        report(&mut self.observer, registers, watch, register, depth);
                    }
                    if let Instruction::Branch { test, then, otherwise } = code[next] {
                        next += 1;
                        jump!(if get!(test) & 1 == 1 { then } else { otherwise })
                    }
                }
            }};
        }

        loop {
            if S::ACTIVE {
                let in_place = &decoded.in_place[decoded.origin[next] as usize];
                self.overwritten.clear();
                self.overwritten.extend(in_place.iter().map(|at| (base + *at as usize, get!(*at))));
            }
            let instruction = code[next];
            next += 1;
            match instruction {
                Instruction::Move { to, from } => get!(to) = get!(from),
                Instruction::Add { gap, to, left, right } => {
                    get!(to) = cut(get!(left).wrapping_add(get!(right)), gap);
                }
                Instruction::AddSigned { gap, to, left, right } => {
                    arithmetic!(add_signed, Add, gap, to, left, right);
                }
                Instruction::Subtract { gap, to, left, right } => {
                    get!(to) = cut(get!(left).wrapping_sub(get!(right)), gap);
                }
                Instruction::SubtractSigned { gap, to, left, right } => {
                    arithmetic!(subtract_signed, Subtract, gap, to, left, right);
                }
                Instruction::Multiply { gap, to, left, right } => {
                    get!(to) = cut(get!(left).wrapping_mul(get!(right)), gap);
                }
                Instruction::MultiplySigned { gap, to, left, right } => {
                    arithmetic!(multiply_signed, Multiply, gap, to, left, right);
                }
                Instruction::And { to, left, right } => get!(to) = get!(left) & get!(right),
                Instruction::Or { to, left, right } => get!(to) = get!(left) | get!(right),
                Instruction::Xor { to, left, right } => get!(to) = get!(left) ^ get!(right),
                Instruction::Shift { op, gap, to, left, right } => {
                    get!(to) = checked!(shift(op, get!(left), get!(right), gap));
                }
                Instruction::ShiftLeftSigned { gap, to, left, right } => {
                    get!(to) = checked!(shift_left_signed(get!(left), get!(right), gap));
                }
                Instruction::Binary { op, gap, to, left, right } => {
                    get!(to) = checked!(binary(op, get!(left), get!(right), gap));
                }
                Instruction::Unary { op, gap, to, from } => get!(to) = unary(op, get!(from), gap),
                Instruction::Equal { to, left, right } => {
                    get!(to) = (get!(left) == get!(right)).into();
                }
                Instruction::NotEqual { to, left, right } => {
                    get!(to) = (get!(left) != get!(right)).into();
                }
                Instruction::Less { to, left, right } => {
                    get!(to) = (get!(left) < get!(right)).into();
                }
                Instruction::LessEqual { to, left, right } => {
                    get!(to) = (get!(left) <= get!(right)).into();
                }
                Instruction::LessSigned { gap, to, left, right } => {
                    get!(to) = less_signed(get!(left), get!(right), gap).into();
                }
                Instruction::LessEqualSigned { gap, to, left, right } => {
                    get!(to) = (!less_signed(get!(right), get!(left), gap)).into();
                }
                Instruction::EqualBranch { to, left, right } => {
                    branch!(to, get!(left) == get!(right));
                }
                Instruction::NotEqualBranch { to, left, right } => {
                    branch!(to, get!(left) != get!(right));
                }
                Instruction::LessBranch { to, left, right } => {
                    branch!(to, get!(left) < get!(right));
                }
                Instruction::LessEqualBranch { to, left, right } => {
                    branch!(to, get!(left) <= get!(right));
                }
                Instruction::LessSignedBranch { gap, to, left, right } => {
                    branch!(to, less_signed(get!(left), get!(right), gap));
                }
                Instruction::LessEqualSignedBranch { gap, to, left, right } => {
                    branch!(to, !less_signed(get!(right), get!(left), gap));
                }
                Instruction::FloatBinary { op, width, to, left, right } => {
                    get!(to) = float::binary(op, width, get!(left), get!(right));
                }
                Instruction::FloatUnary { op, width, to, from } => {
                    get!(to) = float::unary(op, width, get!(from));
                }
                Instruction::FloatCompare { op, width, to, left, right } => {
                    let op = op.comparison();
                    get!(to) = float::compare(op, width, get!(left), get!(right)).into();
                }
                Instruction::Cast { op, to, from } => {
                    checked!(expect_fitting(op, get!(from)));
                    get!(to) = cast(op, get!(from), 0).0;
                }
                Instruction::Cut { gap, to, from } => get!(to) = cut(get!(from), gap),
                Instruction::ExtendSigned { from_gap, to_gap, to, from } => {
                    get!(to) = cut(signed(get!(from), from_gap).cast_unsigned(), to_gap);
                }
                Instruction::Reserve { to, count, size } => {
                    let bytes = get!(count).saturating_mul(size.into());
                    checked!(crate::machine::spend(&mut self.steps, bytes));
                    get!(to) = checked!(self.memory.reserve(bytes)).0;
                }
                Instruction::Load1 { to, from } => {
                    get!(to) = checked!(self.memory.load::<1>(get!(from)));
                }
                Instruction::Load2 { to, from } => {
                    get!(to) = checked!(self.memory.load::<2>(get!(from)));
                }
                Instruction::Load4 { to, from } => {
                    get!(to) = checked!(self.memory.load::<4>(get!(from)));
                }
                Instruction::Load8 { to, from } => {
                    get!(to) = checked!(self.memory.load::<8>(get!(from)));
                }
                Instruction::LoadPart { size, gap, to, from } => {
                    get!(to) = cut(checked!(self.memory.load_part(get!(from), size)), gap);
                }
                Instruction::Store1 { to, from } => {
                    storing!(to, 1_u8);
                    checked!(self.memory.store::<1>(get!(to), get!(from)));
                }
                Instruction::Store2 { to, from } => {
                    storing!(to, 2_u8);
                    checked!(self.memory.store::<2>(get!(to), get!(from)));
                }
                Instruction::Store4 { to, from } => {
                    storing!(to, 4_u8);
                    checked!(self.memory.store::<4>(get!(to), get!(from)));
                }
                Instruction::Store8 { to, from } => {
                    storing!(to, 8_u8);
                    checked!(self.memory.store::<8>(get!(to), get!(from)));
                }
                Instruction::StorePart { size, to, from } => {
                    storing!(to, size);
                    checked!(self.memory.store_part(get!(to), get!(from), size));
                }
                Instruction::Offset { to, base, offset } => {
                    get!(to) = get!(base).wrapping_add_signed(offset.into());
                }
                Instruction::Index { gap, scale, to, base, index } => {
                    let distance = signed(get!(index), gap).wrapping_mul(scale.into());
                    get!(to) = Address(get!(base)).indexed(distance).0;
                }
                Instruction::Call { site } => {
                    pause!();
                    return self.execute_call(decoded, decoded.calls[site as usize]);
                }
                Instruction::Jump { to } => jump!(to),
                Instruction::Branch { test, then, otherwise } => {
                    jump!(if get!(test) & 1 == 1 { then } else { otherwise })
                }
                Instruction::Switch { on, arms } => {
                    jump!(decoded.switches[arms as usize].target(get!(on)))
                }
                Instruction::ReturnNone => {
                    pause!();
                    self.results.clear();
                    self.result_marks.clear();
                    self.leave();
                    return Ok(());
                }
                Instruction::ReturnOne { from } => {
                    pause!();
                    self.results.clear();
                    self.results.push(get!(from));
                    self.result_marks.clear();
                    self.result_marks.push(self.marks[base + from as usize].clone());
                    self.leave();
                    return Ok(());
                }
                Instruction::Return { first, length } => {
                    pause!();
                    self.return_parts(first, length);
                    return Ok(());
                }
                Instruction::Watch { watch, register } => {
                    let value = registers.get(register as usize).copied();
                    report(&mut self.observer, registers, watch, register, depth);
                    if S::ACTIVE {
                        let mut nothing = S::Mark::default();
                        let mark = match value {
                            Some(_) => &mut self.marks[base + register as usize],
                            None => &mut nothing,
                        };
                        self.shadow.watched(WatchId(watch), value.unwrap_or(0), mark);
                    }
                    // A watch point computes nothing, so there is nothing to shadow.
                    continue;
                }
                Instruction::Rare { operation } => {
                    pause!();
                    self.execute_rare(operation)?;
                    return if S::ACTIVE { self.shade(next - 1) } else { Ok(()) };
                }
                Instruction::Nowhere => checked!(Err(FindingKind::Unreachable)),
            }
            if S::ACTIVE {
                pause!();
                return self.shade(next - 1);
            }
        }
    }

    fn return_parts(&mut self, first: u32, length: u32) {
        let Some(frame) = self.frames.last() else { return };
        let decoded = self.program.function(CodeId::new(frame.function as usize));
        let base = frame.base as usize;
        let parts = &decoded.function.lists[first as usize..(first + length) as usize];
        let places = parts.iter().map(|register| base + register.0 as usize);
        self.results.clear();
        self.results.extend(places.clone().map(|at| self.registers[at]));
        self.result_marks.clear();
        self.result_marks.extend(places.map(|at| self.marks[at].clone()));
        self.leave();
    }
}

/// Passes the value of the watched register, if any, to the observer, which may change it.
#[inline]
fn report<O: Observer>(
    observer: &mut O,
    registers: &mut [u64],
    watch: u32,
    register: u32,
    depth: u32,
) {
    let mut nothing = 0;
    let value = registers.get_mut(register as usize).unwrap_or(&mut nothing);
    observer.saw(WatchId(watch), depth, value);
}

/// Charges for executed operations.
#[inline(always)]
fn charge(steps: &mut u64, spent: usize) -> Run<()> {
    match steps.checked_sub(spent as u64) {
        Some(left) => {
            *steps = left;
            Ok(())
        }
        None => Err(Stop::from(FindingKind::Limit(ExecutionLimit::Steps))),
    }
}
