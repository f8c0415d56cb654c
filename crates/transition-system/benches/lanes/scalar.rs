//! The yardstick: the same program, one lane at a time, in a plain way. A
//! machine-typed interpreter as one would write it: a value per register, the
//! same instructions in the same order, overflow noticed but not handled.

use obligato_model::Value;
use obligato_transition_system::Machine;
use obligato_transition_system::lanes::{
    Arithmetic, Bitwise, BoolOperation, Comparison, File, LaneProgram, Operands, Operation,
    RealOperation, WordOperation,
};

pub struct Scalar<'p> {
    program: &'p LaneProgram<'p>,
    /// 0 or 1.
    pub bools: Vec<u8>,
    pub words: Vec<i64>,
    pub reals: Vec<Ratio>,
    pub overflow: bool,
}

/// In lowest terms, over a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    pub above: i64,
    pub below: i64,
}

impl<'p> Scalar<'p> {
    pub fn new(program: &'p LaneProgram<'p>) -> Self {
        let mut scalar = Self {
            program,
            bools: vec![0; program.registers(File::Bool)],
            words: vec![0; program.registers(File::Word)],
            reals: vec![Ratio { above: 0, below: 1 }; program.registers(File::Real)],
            overflow: false,
        };
        for (_, slot, value) in program.constant_slots() {
            match value {
                Value::Bool(value) => scalar.bools[slot as usize] = u8::from(*value),
                Value::Real(value) => {
                    let above = i64::try_from(value.numerator()).expect("a small constant");
                    let below = i64::try_from(value.denominator()).expect("a small constant");
                    scalar.reals[slot as usize] = Ratio { above, below };
                }
                Value::Int(value) => {
                    scalar.words[slot as usize] = i64::try_from(value).expect("a small constant");
                }
                _ => {}
            }
        }
        scalar
    }

    pub fn step(&mut self) {
        let program = self.program;
        for run in program.runs() {
            let operands = &program.operands()[run.start as usize..run.end as usize];
            if let Operation::Bool(operation) = run.operation {
                self.run_bools(operation, operands);
                continue;
            }
            for at in operands {
                self.execute(run.operation, *at);
            }
        }
        for (file, current, next) in self.program.latch_slots() {
            let (current, next) = (current as usize, next as usize);
            match file {
                File::Bool => self.bools[current] = self.bools[next],
                File::Word => self.words[current] = self.words[next],
                File::Real => self.reals[current] = self.reals[next],
            }
        }
    }

    /// Decides once for the whole run, as the lanes do: one `match` for each of
    /// these short instructions would cost three times as much as the rest.
    fn run_bools(&mut self, operation: BoolOperation, operands: &[Operands]) {
        match operation {
            BoolOperation::Copy => self.each_bool(operands, |a, _, _| a),
            BoolOperation::Not => self.each_bool(operands, |a, _, _| a ^ 1),
            BoolOperation::And => self.each_bool(operands, |a, b, _| a & b),
            BoolOperation::AndNot => self.each_bool(operands, |a, b, _| a & (b ^ 1)),
            BoolOperation::Nor => self.each_bool(operands, |a, b, _| (a | b) ^ 1),
            BoolOperation::Xor => self.each_bool(operands, |a, b, _| a ^ b),
            // Without a branch: the test is as hard to predict as the input.
            BoolOperation::Select => self.each_bool(operands, |a, b, test| b ^ (test & (a ^ b))),
            BoolOperation::SelectNot => {
                self.each_bool(operands, |a, b, test| b ^ (test & (a ^ b ^ 1)));
            }
        }
    }

    #[inline]
    fn each_bool(&mut self, operands: &[Operands], operation: impl Fn(u8, u8, u8) -> u8) {
        for at in operands {
            let [a, b, test] = [at.a, at.b, at.test].map(|slot| self.bools[slot as usize]);
            self.bools[at.to as usize] = operation(a, b, test);
        }
    }

    #[inline]
    fn execute(&mut self, operation: Operation, at: Operands) {
        let Operands { to, a, b, test } = at;
        let (to, a, b, test) = (to as usize, a as usize, b as usize, test as usize);
        match operation {
            Operation::Bool(_) => unreachable!("runs of Booleans have their own loop"),
            Operation::Word(operation) => {
                let (x, y) = (self.words[a], self.words[b]);
                self.words[to] = match operation {
                    WordOperation::Copy | WordOperation::UnsignedToInt => x,
                    WordOperation::Select => y ^ (-i64::from(self.bools[test]) & (x ^ y)),
                    WordOperation::Int(operation) => self.integer(operation, x, y),
                    WordOperation::Machine(machine, operation) => {
                        machine.wrap_word(self.integer(operation, x, y))
                    }
                    WordOperation::Bits(machine, operation) => bits(machine, operation, x, y),
                    WordOperation::Wrap(machine) => machine.wrap_word(x),
                };
            }
            Operation::CompareWords(comparison) => {
                let holds = compare(comparison, &self.words[a], &self.words[b]);
                self.bools[to] = u8::from(holds);
            }
            Operation::Real(operation) => {
                let (x, y) = (self.reals[a], self.reals[b]);
                self.reals[to] = match operation {
                    RealOperation::Copy => x,
                    RealOperation::Select => self.reals[[b, a][usize::from(self.bools[test])]],
                    _ => self.rational(operation, x, y),
                };
            }
            Operation::CompareReals(comparison) => {
                let (x, y) = (self.reals[a], self.reals[b]);
                let cross = |x: Ratio, y: Ratio| i128::from(x.above) * i128::from(y.below);
                self.bools[to] = u8::from(compare(comparison, &cross(x, y), &cross(y, x)));
            }
            Operation::WordToReal => {
                self.reals[to] = Ratio { above: self.words[a], below: 1 };
            }
            Operation::RealToWord => {
                self.words[to] = self.reals[a].above.div_euclid(self.reals[a].below);
            }
        }
    }

    #[inline]
    fn integer(&mut self, operation: Arithmetic, x: i64, y: i64) -> i64 {
        let result = match operation {
            Arithmetic::Negate => x.checked_neg(),
            Arithmetic::Add => x.checked_add(y),
            Arithmetic::Subtract => x.checked_sub(y),
            Arithmetic::Multiply => x.checked_mul(y),
            Arithmetic::Div | Arithmetic::Mod if y == 0 => Some(0),
            Arithmetic::Div => x.checked_div_euclid(y),
            Arithmetic::Mod => x.checked_rem_euclid(y),
        };
        self.overflow |= result.is_none();
        result.unwrap_or(0)
    }

    fn rational(&mut self, operation: RealOperation, x: Ratio, y: Ratio) -> Ratio {
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        let (above, below) = match operation {
            RealOperation::Negate => (-i128::from(x.above), i128::from(x.below)),
            RealOperation::Add | RealOperation::Subtract if x.below == y.below => {
                let (a, b) = (i128::from(x.above), i128::from(y.above));
                let above = if operation == RealOperation::Add { a + b } else { a - b };
                (above, i128::from(x.below))
            }
            RealOperation::Add => {
                (product(x.above, y.below) + product(y.above, x.below), product(x.below, y.below))
            }
            RealOperation::Subtract => {
                (product(x.above, y.below) - product(y.above, x.below), product(x.below, y.below))
            }
            RealOperation::Divide if y.above == 0 => (0, 1),
            RealOperation::Divide => (product(x.above, y.below), product(x.below, y.above)),
            _ => (product(x.above, y.above), product(x.below, y.below)),
        };
        if let (Ok(above), Ok(below)) = (i64::try_from(above), i64::try_from(below)) {
            return lowest_terms(above, below);
        }
        self.overflow = true;
        Ratio { above: 0, below: 1 }
    }
}

fn lowest_terms(above: i64, below: i64) -> Ratio {
    if below == 1 {
        return Ratio { above, below };
    }
    let (mut a, mut b) = (above.unsigned_abs(), below.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.cast_signed() * below.signum();
    Ratio { above: above / divisor, below: below / divisor }
}

fn compare<T: Ord>(comparison: Comparison, x: &T, y: &T) -> bool {
    match comparison {
        Comparison::Equal => x == y,
        Comparison::Less | Comparison::LessUnsigned => x < y,
        Comparison::LessEqual | Comparison::LessEqualUnsigned => x <= y,
    }
}

fn bits(machine: Machine, operation: Bitwise, x: i64, y: i64) -> i64 {
    let amount = y.clamp(0, 63);
    machine.wrap_word(match operation {
        Bitwise::Not => !x,
        Bitwise::And => x & y,
        Bitwise::Or => x | y,
        Bitwise::Xor => x ^ y,
        Bitwise::ShiftLeft => x << amount,
        Bitwise::ShiftRight => x >> amount,
    })
}
