//! Operations on numbers: exact on words, then cut to what fits.

use obligato_model::{Signedness, Value};
use obligato_transition_system::{Binary, NodeId, Sort, Term, Unary};

use super::Number;
use super::terms::Encoder;
use crate::circuit::Lit;
use crate::word::Word;

/// Numerators and denominators of constants up to here are multiplied and divided by as they are.
const LARGEST_FACTOR: i128 = 1 << 40;

impl Encoder<'_> {
    pub(super) fn number_of(&mut self, node: NodeId) -> Number {
        match self.encoding.classes.term(node) {
            // On the grid it would be a point.
            Term::Constant(_) | Term::Tap(..) => {
                Number { outside: Lit::TRUE, ..Number::within(Word::constant(0)) }
            }
            Term::Input(input) => self.input_number(node, input as usize),
            Term::Latch(latch) => self.latch_number(node, latch as usize),
            Term::Unary(operation, a) => {
                let a_number = self.number(a);
                let word = self.unary(operation, self.system.graph.sort(a), &a_number.word);
                self.settle(node, Number { word, beyond: Lit::FALSE, ..a_number })
            }
            Term::Binary(operation, a, b) => self.binary(node, operation, a, b),
            Term::Ite(test, first, second) => {
                let test = self.bool(test);
                let (first, second) = (self.number(first), self.number(second));
                let circuit = &mut self.encoding.circuit;
                let word = Word::ite(circuit, test, &first.word, &second.word);
                let outside = circuit.choose(test, first.outside, second.outside);
                let beyond = circuit.choose(test, first.beyond, second.beyond);
                self.settle(node, Number { word, outside, beyond })
            }
        }
    }

    fn unary(&mut self, operation: Unary, sort: Sort, a: &Word) -> Word {
        let scale = Word::constant(self.encoding.grid.scale());
        let circuit = &mut self.encoding.circuit;
        match operation {
            Unary::Negate => wrapped(&a.negate(circuit), sort),
            Unary::Not | Unary::BitNot => wrapped(&a.complement(), sort),
            Unary::IntToReal => a.multiply(circuit, &scale, a.len() + scale.len()),
            Unary::RealToInt => a.euclidean_quotient(circuit, &scale),
            Unary::MachineToInt => a.clone(),
            Unary::Wrap(machine) => wrapped(a, Sort::Machine(machine)),
        }
    }

    fn binary(&mut self, node: NodeId, operation: Binary, a: NodeId, b: NodeId) -> Number {
        let sort = self.system.graph.sort(a);
        if let Some(number) = self.scaled(node, operation, a, b) {
            return number;
        }
        let (left, right) = (self.number(a), self.number(b));
        let beyond = match operation {
            Binary::Add => self.sum_beyond(&left, &right, right.word.sign()),
            Binary::Subtract => self.sum_beyond(&left, &right, !right.word.sign()),
            _ => Lit::FALSE,
        };
        let (a, b) = (&left.word, &right.word);
        let circuit = &mut self.encoding.circuit;
        let mut outside = circuit.or(left.outside, right.outside);
        let word = match (operation, sort) {
            (Binary::Subtract, _) => a.subtract(circuit, b),
            (Binary::Multiply, Sort::Machine(machine)) => {
                a.multiply(circuit, b, machine.bits() as usize)
            }
            (Binary::Multiply, Sort::Real) => {
                let product = a.multiply(circuit, b, a.len() + b.len());
                let scale = Word::constant(self.encoding.grid.scale());
                self.exact_quotient(&product, &scale, &mut outside)
            }
            (Binary::Multiply, _) => a.multiply(circuit, b, a.len() + b.len()),
            (Binary::Divide, _) => {
                let scale = Word::constant(self.encoding.grid.scale());
                let scaled = a.multiply(circuit, &scale, a.len() + scale.len());
                self.exact_quotient(&scaled, b, &mut outside)
            }
            (Binary::Div, Sort::Machine(_)) => a.truncated_quotient(circuit, b),
            (Binary::Div, _) => a.euclidean_quotient(circuit, b),
            (Binary::Mod, Sort::Machine(_)) => a.truncated_remainder(circuit, b),
            (Binary::Mod, _) => a.euclidean_remainder(circuit, b),
            (Binary::BitAnd, _) => a.bitwise(b, |a, b| circuit.and(a, b)),
            (Binary::BitOr, _) => a.bitwise(b, |a, b| circuit.or(a, b)),
            (Binary::BitXor, _) => a.bitwise(b, |a, b| circuit.xor(a, b)),
            (Binary::ShiftLeft, Sort::Machine(machine)) => {
                a.shift_left(circuit, b, machine.bits() as usize)
            }
            (Binary::ShiftRight, Sort::Machine(_)) => a.shift_right(circuit, b),
            _ => a.add(circuit, b),
        };
        self.settle(node, Number { word: wrapped(&word, sort), outside, beyond })
    }

    /// Is a sum beyond all words, the second number having this sign in it? It is if one number is beyond, the other is
    /// not lost, and both draw to the same side.
    fn sum_beyond(&mut self, left: &Number, right: &Number, sign: Lit) -> Lit {
        let circuit = &mut self.encoding.circuit;
        let [left_lost, right_lost] =
            [left, right].map(|number| circuit.and(number.outside, !number.beyond));
        let some = circuit.or(left.beyond, right.beyond);
        let alike = circuit.equal(left.word.sign(), sign);
        circuit.all([some, alike, !left_lost, !right_lost])
    }

    /// Multiplies or divides a real by a constant: times a numerator, over a denominator. That
    /// works for a constant between the points of the grid, too.
    fn scaled(&mut self, node: NodeId, operation: Binary, a: NodeId, b: NodeId) -> Option<Number> {
        let (of, (mut times, mut over)) = match operation {
            Binary::Multiply => match self.fraction(a) {
                Some(fraction) => (b, fraction),
                None => (a, self.fraction(b)?),
            },
            Binary::Divide => (a, self.fraction(b).filter(|(numerator, _)| *numerator != 0)?),
            _ => return None,
        };
        if operation == Binary::Divide {
            (times, over) = (over * times.signum(), times.abs());
        }
        let number = self.number(of);
        let (times, mut outside) = (Word::constant(times), number.outside);
        let circuit = &mut self.encoding.circuit;
        let product = number.word.multiply(circuit, &times, number.word.len() + times.len());
        let word = self.exact_quotient(&product, &Word::constant(over), &mut outside);
        Some(self.settle(node, Number { outside, ..Number::within(word) }))
    }

    /// A constant as numerator and denominator, if they are moderate.
    fn fraction(&self, node: NodeId) -> Option<(i128, i128)> {
        let Value::Real(value) = self.system.graph.as_constant(node)? else { return None };
        let numerator = i128::try_from(value.numerator()).ok()?;
        let denominator = i128::try_from(value.denominator()).ok()?;
        let moderate = numerator.abs() <= LARGEST_FACTOR && denominator <= LARGEST_FACTOR;
        moderate.then_some((numerator, denominator))
    }

    /// A quotient; with a remainder it is not on the grid. By zero it is 0.
    fn exact_quotient(&mut self, dividend: &Word, divisor: &Word, outside: &mut Lit) -> Word {
        let circuit = &mut self.encoding.circuit;
        let remainder = dividend.euclidean_remainder(circuit, divisor);
        let exact = remainder.is_zero(circuit);
        *outside = circuit.or(*outside, !exact);
        dividend.euclidean_quotient(circuit, divisor)
    }
}

/// A word modulo 2^bits, if it is of a machine sort.
fn wrapped(word: &Word, sort: Sort) -> Word {
    let Sort::Machine(machine) = sort else { return word.clone() };
    let bits = machine.bits() as usize;
    match machine.signedness() {
        Signedness::Signed => word.resized(bits),
        Signedness::Unsigned => word.unsigned(bits),
    }
}
