//! Terms as clauses against their evaluation, in both directions.

use obligato_bit_blaster::Words;
use obligato_term::{FloatFormat, FloatOp, Rounding, VariableId};

use super::*;
use crate::float::Floats;

const OPS: [Op; 16] = [
    Op::Add,
    Op::Subtract,
    Op::Multiply,
    Op::DivideUnsigned,
    Op::DivideSigned,
    Op::RemainderUnsigned,
    Op::RemainderSigned,
    Op::ShiftLeft,
    Op::ShiftRightUnsigned,
    Op::ShiftRightSigned,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Equal,
    Op::LessUnsigned,
    Op::LessSigned,
];

/// Numbers of every kind, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        // Marsaglia's xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn word(&mut self, width: u8) -> u128 {
        let whole = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.next() % 6 {
            0 => whole & 7,
            1 => !(whole & 7),
            2 => 1 << (self.next() % u64::from(width)),
            3 => (1 << (self.next() % u64::from(width))) - 1,
            4 => whole >> (self.next() % 128),
            _ => whole,
        };
        value & obligato_term::mask(width)
    }

    /// Floats, most of them special or close to each other in size.
    fn float(&mut self, format: FloatFormat) -> u128 {
        let (fraction, exponent) = (format.fraction(), format.exponent());
        let sign = u128::from(self.next() & 1) << (format.width() - 1);
        let bits = self.word(fraction);
        let middle = (1 << (exponent - 1)) - 1;
        let field = match self.next() % 10 {
            0 => 0,
            1 => (1 << exponent) - 1,
            2 => (1 << exponent) - 2 - u128::from(self.next() % 3),
            3 => 1 + u128::from(self.next() % 3),
            4 => self.word(exponent),
            5 | 6 => middle + u128::from(self.next() % 70),
            _ => middle - 3 + u128::from(self.next() % 6),
        };
        sign | field << fraction | bits
    }
}

/// An operation on variables, asked about many inputs.
struct Case {
    terms: Terms,
    variables: Vec<Term>,
    result: Term,
}

impl Case {
    fn new(widths: &[u8], build: impl FnOnce(&mut Terms, &[Term]) -> Term) -> Self {
        let mut terms = Terms::new();
        let variables: Vec<Term> = widths.iter().map(|width| terms.variable(*width)).collect();
        let result = build(&mut terms, &variables);
        Self { terms, variables, result }
    }

    fn value(&self, inputs: &[u128]) -> u128 {
        let mut assignment = Assignment::default();
        for (index, input) in inputs.iter().enumerate() {
            assignment.set(VariableId(index as u32), *input);
        }
        Values::new(&assignment).of(&self.terms, self.result)
    }

    /// With the inputs given, the result is what evaluation says, by propagation of all gates.
    fn check_forwards(&self, engine: Engine, inputs: impl Iterator<Item = Vec<u128>>) {
        let mut blaster = Blaster::new(engine, &Stop::never());
        blaster.bits.of(&self.terms, self.result);
        for one in &self.variables {
            blaster.bits.of(&self.terms, *one);
        }
        for input in inputs {
            let mut assumed = Word::new();
            for (variable, value) in self.variables.iter().zip(&input) {
                let bits = blaster.bits.known(&self.terms, *variable);
                let signs = (0..).map(|bit| value >> bit & 1 == 0);
                assumed.extend(bits.iter().zip(signs).map(|(bit, off)| bit.negated_if(off)));
            }
            assert_eq!(blaster.bits.gates.solver.solve(&assumed, None), Answer::Sat);
            let bits = blaster.bits.known(&self.terms, self.result).iter().rev();
            let found = bits.fold(0, |value: u128, bit| {
                value << 1 | u128::from(blaster.bits.gates.solver.value(*bit))
            });
            let expected = self.value(&input);
            assert_eq!(
                found,
                expected,
                "{:?} of {input:x?}: {found:x} for {expected:x}",
                self.terms.node(self.result)
            );
        }
    }

    /// The same with numbers for the variables, where everything folds: quicker, for many more inputs.
    fn check_folding(&self, inputs: impl Iterator<Item = Vec<u128>>) {
        let mut blaster = Blaster::new(Engine::Batsat, &Stop::never());
        let Node::Float(op, format, operands) = self.terms.node(self.result) else { return };
        let length = usize::from(self.terms.width(self.result));
        for input in inputs {
            let words = operands.map(|one| {
                let index = self.variables.iter().position(|variable| *variable == one).unwrap();
                SatGates::number(input[index], usize::from(self.terms.width(one)))
            });
            let found =
                Floats(&mut blaster.bits.gates).operation(op, format, &words, length).unwrap();
            let (found, expected) = (SatGates::as_number(&found), self.value(&input));
            assert_eq!(found, Some(expected), "{op:?} of {input:x?}: {found:x?} for {expected:x}");
        }
        assert_eq!(blaster.size(), 1, "everything folds");
    }

    /// With the result given, inputs are found that have it.
    fn check_backwards(&mut self, inputs: &[u128]) {
        let expected = self.value(inputs);
        let wanted = self.terms.constant(expected, self.terms.width(self.result));
        let equal = self.terms.equal(self.result, wanted);
        let mut blaster = Blaster::new(Engine::Batsat, &Stop::never());
        assert_eq!(blaster.solve(&self.terms, &[equal], None), Answer::Sat);
        let found = blaster.assignment(&self.terms);
        assert!(Values::new(&found).holds(&self.terms, equal), "{found:?} for {expected:x}");
    }
}

#[test]
fn operations_on_words_give_what_evaluation_gives() {
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    for width in [1, 2, 3, 8, 17, 32, 64, 128] {
        for op in OPS {
            let case = Case::new(&[width, width], |terms, of| terms.binary(op, of[0], of[1]));
            let inputs: Vec<Vec<u128>> =
                (0..40).map(|_| vec![numbers.word(width), numbers.word(width)]).collect();
            case.check_forwards(Engine::Batsat, inputs.into_iter());
        }
    }
}

#[test]
fn operations_on_words_and_constants_give_what_evaluation_gives() {
    let mut numbers = Numbers(0xfeed_beef);
    for width in [1, 5, 8, 32, 128] {
        for op in OPS {
            for swapped in [false, true] {
                for _ in 0..3 {
                    let value = numbers.word(width);
                    let case = Case::new(&[width], |terms, of| {
                        let constant = terms.constant(value, width);
                        let (a, b) = if swapped { (constant, of[0]) } else { (of[0], constant) };
                        terms.binary(op, a, b)
                    });
                    let inputs: Vec<_> = (0..10).map(|_| vec![numbers.word(width)]).collect();
                    case.check_forwards(Engine::Batsat, inputs.into_iter());
                }
            }
        }
    }
}

#[test]
fn inputs_are_found_for_results_of_operations() {
    let mut numbers = Numbers(0xdead_beef);
    for width in [1, 4, 8, 16] {
        for op in OPS {
            for _ in 0..4 {
                let mut case =
                    Case::new(&[width, width], |terms, of| terms.binary(op, of[0], of[1]));
                case.check_backwards(&[numbers.word(width), numbers.word(width)]);
            }
        }
    }
}

const FLOATS: [FloatOp; 15] = [
    FloatOp::Add,
    FloatOp::Subtract,
    FloatOp::Multiply,
    FloatOp::Divide,
    FloatOp::Remainder,
    FloatOp::MultiplyAdd,
    FloatOp::SquareRoot,
    FloatOp::Round(Rounding::Down),
    FloatOp::Round(Rounding::Up),
    FloatOp::Round(Rounding::TowardsZero),
    FloatOp::Round(Rounding::Away),
    FloatOp::Round(Rounding::Even),
    FloatOp::Less,
    FloatOp::Equal,
    FloatOp::Convert,
];

fn is_left_out(op: FloatOp, format: FloatFormat) -> bool {
    op == FloatOp::Remainder && format == FloatFormat::Double
}

/// The width of the result.
fn width_of(op: FloatOp, format: FloatFormat) -> u8 {
    match op {
        FloatOp::Less | FloatOp::Equal => 1,
        FloatOp::Convert => 96 - format.width(),
        _ => format.width(),
    }
}

#[test]
fn operations_on_floats_give_what_the_hardware_gives() {
    let mut numbers = Numbers(0xabcd_ef01_2345);
    for format in [FloatFormat::Single, FloatFormat::Double] {
        for op in FLOATS.into_iter().filter(|op| !is_left_out(*op, format)) {
            let arity = op.arity();
            let case = Case::new(&[format.width(); 3][..arity], |terms, of| {
                terms.float(op, format, of, width_of(op, format))
            });
            let mut inputs = |count: u32| -> Vec<Vec<u128>> {
                let one = |_| (0..arity).map(|_| numbers.float(format)).collect();
                (0..count).map(one).collect()
            };
            let many = if op == FloatOp::Remainder { 300 } else { 2000 };
            case.check_folding(inputs(many).into_iter());
            case.check_forwards(Engine::Batsat, inputs(60).into_iter());
        }
    }
}

#[test]
fn conversions_between_floats_and_integers_give_what_the_hardware_gives() {
    let mut numbers = Numbers(0x777);
    for format in [FloatFormat::Single, FloatFormat::Double] {
        for width in [1, 8, 16, 17, 32, 33, 63, 64, 65, 100, 128] {
            for op in [FloatOp::FromSigned, FloatOp::FromUnsigned] {
                let case =
                    Case::new(&[width], |terms, of| terms.float(op, format, of, format.width()));
                let mut inputs =
                    |count| (0..count).map(|_| vec![numbers.word(width)]).collect::<Vec<_>>();
                case.check_folding(inputs(500).into_iter());
                case.check_forwards(Engine::Batsat, inputs(20).into_iter());
            }
            for op in [FloatOp::ToSigned, FloatOp::ToUnsigned] {
                let case =
                    Case::new(&[format.width()], |terms, of| terms.float(op, format, of, width));
                let mut inputs =
                    |count| (0..count).map(|_| vec![numbers.float(format)]).collect::<Vec<_>>();
                case.check_folding(inputs(500).into_iter());
                case.check_forwards(Engine::Batsat, inputs(20).into_iter());
            }
        }
    }
}

#[test]
fn inputs_are_found_for_results_of_operations_on_floats() {
    let mut numbers = Numbers(0xbeef_cafe);
    let format = FloatFormat::Single;
    let costly = [FloatOp::Remainder, FloatOp::MultiplyAdd];
    for op in FLOATS.into_iter().filter(|op| !costly.contains(op)) {
        for _ in 0..2 {
            let mut case = Case::new(&[format.width(); 3][..op.arity()], |terms, of| {
                terms.float(op, format, of, width_of(op, format))
            });
            let inputs: Vec<u128> = (0..op.arity()).map(|_| numbers.float(format)).collect();
            case.check_backwards(&inputs);
        }
    }
}

#[test]
fn both_solvers_find_the_same_formulas_satisfiable() {
    let mut terms = Terms::new();
    let [a, b] = [(); 2].map(|()| terms.variable(16));
    let product = terms.binary(Op::Multiply, a, b);
    let one = terms.constant(1, 16);
    let apart = [a, b].map(|term| {
        let equal = terms.equal(term, one);
        terms.not(equal)
    });
    for engine in [Engine::Cadical, Engine::Batsat] {
        let mut blaster = Blaster::new(engine, &Stop::never());
        for test in apart {
            blaster.require(&terms, test);
        }
        let is_one = terms.equal(product, one);
        assert_eq!(blaster.solve(&terms, &[is_one], None), Answer::Sat, "{engine:?}");
        assert!(Values::new(&blaster.assignment(&terms)).holds(&terms, is_one));
        // An even number has no inverse.
        let even = terms.constant(0xfffe, 16);
        let low = terms.and(a, even);
        let is_even = terms.equal(low, a);
        assert_eq!(blaster.solve(&terms, &[is_even, is_one], None), Answer::Unsat, "{engine:?}");
        assert_eq!(blaster.core(), [is_even, is_one], "{engine:?}");
        assert_eq!(blaster.solve(&terms, &[is_even], None), Answer::Sat, "{engine:?}");
    }
}
