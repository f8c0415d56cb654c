//! Gates that are evaluated at once: every word is a constant, so that tests can compare all inputs with machine arithmetic.

use crate::gates::Gates;

/// Builds nothing; uses the default of every gate but `and`.
#[derive(Debug)]
pub(crate) struct Evaluator;

impl Gates for Evaluator {
    type Bit = bool;

    const FALSE: bool = false;
    const TRUE: bool = true;

    fn and(&mut self, a: bool, b: bool) -> bool {
        a & b
    }
}

#[test]
fn every_gate_has_the_truth_table_that_its_name_says() {
    let gates = &mut Evaluator;
    for inputs in 0..8 {
        let [a, b, c] = [0, 1, 2].map(|bit| inputs >> bit & 1 == 1);
        let sum = u8::from(a) + u8::from(b) + u8::from(c);
        assert_eq!(gates.or(a, b), a | b);
        assert_eq!(gates.xor(a, b), a ^ b);
        assert_eq!(gates.equal(a, b), a == b);
        assert_eq!(gates.ite(a, b, c), if a { b } else { c });
        assert_eq!(gates.parity(a, b, c), sum & 1 == 1);
        assert_eq!(gates.majority(a, b, c), sum >= 2);
        assert_eq!(gates.full_adder(a, b, c), (sum & 1 == 1, sum >= 2));
        assert_eq!(gates.all([a, b, c]), sum == 3);
        assert_eq!(gates.any([a, b, c]), sum > 0);
        assert_eq!(Evaluator::as_constant(Evaluator::constant(a)), Some(a));
    }
}
