//! Words over and-inverter graphs: the bit-blaster's exact integers, with the gates of a circuit.

use obligato_bit_blaster::{Gates, InputGates, SignedWord};

use crate::circuit::{Circuit, Lit};

/// An integer in two's complement.
pub(crate) type Word = SignedWord<Circuit>;

impl Gates for Circuit {
    type Bit = Lit;

    const FALSE: Lit = Lit::FALSE;
    const TRUE: Lit = Lit::TRUE;

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.and(a, b)
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        self.xor(a, b)
    }

    fn ite(&mut self, test: Lit, first: Lit, second: Lit) -> Lit {
        self.choose(test, first, second)
    }
}

impl InputGates for Circuit {
    fn input(&mut self) -> Lit {
        self.input()
    }

    fn size(&self) -> usize {
        self.len()
    }
}

#[cfg(test)]
mod tests;
