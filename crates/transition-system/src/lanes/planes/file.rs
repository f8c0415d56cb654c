//! The integer registers, and what instructions do to them.

use super::Planes;
use super::arithmetic::{Sign, product, sum, wrap};
use super::division::divide;
use crate::lanes::bools::Mask;
use crate::lanes::file::RegisterFile;
use crate::lanes::instruction::{Arithmetic, Bitwise, Operands, WordOperation};
use crate::lanes::words::arithmetic as lane;
use crate::sort::Machine;

/// The integer registers.
pub(in crate::lanes) type PlaneFile<const W: usize> = RegisterFile<Planes<W>>;

impl<const W: usize> RegisterFile<Planes<W>> {
    /// Does the same to many registers. Lanes whose result does not fit a word are
    /// added to `spilled`, and what they hold then means nothing.
    pub fn run(
        &mut self,
        operation: WordOperation,
        operands: &[Operands],
        bools: &[Mask<W>],
        spilled: &mut Mask<W>,
    ) {
        for at in operands {
            self.write(at.to, |out, file| {
                let (a, b) = (&*file[at.a as usize], &*file[at.b as usize]);
                match operation {
                    WordOperation::Copy => out.copy(a),
                    WordOperation::Select => out.select(&bools[at.test as usize], a, b),
                    WordOperation::Int(operation) => integer(operation, out, a, b, spilled),
                    WordOperation::Machine(machine, operation) => {
                        machine_integer(machine, operation, out, a, b);
                    }
                    WordOperation::Bits(machine, operation) => bits(machine, operation, out, a, b),
                    WordOperation::Wrap(machine) => {
                        out.copy(a);
                        wrap(machine, out);
                    }
                    WordOperation::UnsignedToInt => {
                        // A set sign bit stands for 2^63 or more.
                        let sign = a.sign();
                        *spilled = std::array::from_fn(|word| spilled[word] | sign[word]);
                        out.copy(a);
                    }
                }
            });
        }
    }
}

pub(super) fn integer<const W: usize>(
    operation: Arithmetic,
    out: &mut Planes<W>,
    a: &Planes<W>,
    b: &Planes<W>,
    spilled: &mut Mask<W>,
) {
    let misfits = match operation {
        Arithmetic::Negate => sum(out, &Planes::ZERO, a, Sign::Minus),
        Arithmetic::Add => sum(out, a, b, Sign::Plus),
        Arithmetic::Subtract => sum(out, a, b, Sign::Minus),
        Arithmetic::Multiply if product(out, a, b) => return,
        Arithmetic::Div | Arithmetic::Mod if divide(operation, out, a, b) => return,
        Arithmetic::Multiply => return out.lane_by_lane(a, b, spilled, lane::multiply),
        Arithmetic::Div => return out.lane_by_lane(a, b, spilled, lane::divide),
        Arithmetic::Mod => return out.lane_by_lane(a, b, spilled, lane::remainder),
    };
    *spilled = std::array::from_fn(|word| spilled[word] | misfits[word]);
}

pub(super) fn machine_integer<const W: usize>(
    machine: Machine,
    operation: Arithmetic,
    out: &mut Planes<W>,
    a: &Planes<W>,
    b: &Planes<W>,
) {
    // What does not fit a word is wrapped away.
    let ignored = &mut [0; W];
    match operation {
        Arithmetic::Div => out.lane_by_lane(a, b, ignored, lane::machine_divide(machine)),
        Arithmetic::Mod => out.lane_by_lane(a, b, ignored, lane::machine_remainder(machine)),
        _ => integer(operation, out, a, b, ignored),
    }
    wrap(machine, out);
}

pub(super) fn bits<const W: usize>(
    machine: Machine,
    operation: Bitwise,
    out: &mut Planes<W>,
    a: &Planes<W>,
    b: &Planes<W>,
) {
    let ignored = &mut [0; W];
    match operation {
        Bitwise::Not => out.digitwise(a, a, |_, a, _| !a),
        Bitwise::And => out.digitwise(a, b, |_, a, b| a & b),
        Bitwise::Or => out.digitwise(a, b, |_, a, b| a | b),
        Bitwise::Xor => out.digitwise(a, b, |_, a, b| a ^ b),
        Bitwise::ShiftLeft => out.lane_by_lane(a, b, ignored, lane::shift_left(machine)),
        Bitwise::ShiftRight => out.lane_by_lane(a, b, ignored, lane::shift_right(machine)),
    }
    wrap(machine, out);
}
