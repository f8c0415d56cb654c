//! Inputs and latches: where words come from, and where they go at the end of a step.

use obligato_transition_system::{NodeId, Sort};

use super::terms::Encoder;
use super::{Code, LatchPort, Number, Port};
use crate::circuit::{Gate, Lit};
use crate::interval::Interval;
use crate::word::Word;

impl Encoder<'_> {
    /// A fresh number for an input, kept in its range.
    pub(super) fn input_number(&mut self, node: NodeId, input: usize) -> Number {
        let range = self.ranges.of(node);
        let bits = self.encoding.grid.bits(self.system.graph.sort(node), range);
        let port = |bit| self.encoding.input(Port::Bit { input, bit });
        let word = fresh_word(range, bits, port);
        let mut number = Number::within(word);
        if self.leaves[node.index()] {
            number.outside = self.encoding.input(Port::Outside { input });
            self.encoding.keep_from(number.outside);
            // A real may also be between two points of the grid.
            if self.system.graph.sort(node) == Sort::Int {
                number.beyond = number.outside;
            }
        }
        self.keep_in(range, &number);
        number
    }

    /// A fresh number for a latch, kept in its range: no run of the system leaves that, but without
    /// being told, a proof that starts anywhere would have to find out.
    pub(super) fn latch_number(&mut self, node: NodeId, latch: usize) -> Number {
        if self.system.is_undefined(latch) {
            return self.undefined_number(node, latch);
        }
        let range = self.ranges.of(node);
        let bits = self.encoding.grid.bits(self.system.graph.sort(node), range);
        let initial = self.initial(latch).map(Word::constant);
        let fitting = initial.filter(|word| word.len() <= bits as usize);
        let leaves = fitting.is_none();
        let initial = fitting.unwrap_or(Word::constant(0));
        let port = |bit| {
            let initial = initial.bit(bit as usize) == Lit::TRUE;
            self.encoding.latch(LatchPort::Bit { latch, bit }, initial)
        };
        let word = fresh_word(range, bits, port);
        let mut number = Number::within(word);
        if self.leaves[node.index()] {
            number.outside = self.encoding.latch(LatchPort::Outside { latch }, leaves);
            if self.system.graph.sort(node) == Sort::Int {
                number.beyond = self.encoding.latch(LatchPort::Beyond { latch }, false);
            }
        }
        self.keep_in(range, &number);
        number
    }

    /// A fresh number for a value that nothing defines, kept in its range.
    fn undefined_number(&mut self, node: NodeId, latch: usize) -> Number {
        let range = self.ranges.of(node);
        let bits = self.encoding.grid.bits(self.system.graph.sort(node), range);
        let port = |bit| self.encoding.undefined(Port::Undefined { latch, bit });
        let mut number = Number::within(fresh_word(range, bits, port));
        if self.leaves[node.index()] {
            number.outside = self.encoding.undefined(Port::UndefinedOutside { latch });
            self.encoding.keep_from(number.outside);
            if self.system.graph.sort(node) == Sort::Int {
                number.beyond = number.outside;
            }
        }
        self.keep_in(range, &number);
        number
    }

    fn keep_in(&mut self, range: Interval, Number { word, outside, .. }: &Number) {
        let circuit = &mut self.encoding.circuit;
        let below = range.low.map(|low| word.less(circuit, &Word::constant(low)));
        let above = range.high.map(|high| Word::constant(high).less(circuit, word));
        for beyond in below.into_iter().chain(above) {
            let kept = self.encoding.circuit.or(!beyond, *outside);
            self.encoding.constrain(kept);
        }
    }

    /// Keeps inputs that were encoded before in the ranges that they have by now: with further
    /// assertions these are smaller, and what follows from them is no longer checked elsewhere.
    pub(super) fn keep_known_inputs(&mut self) {
        for node in self.system.graph.inputs() {
            let range = self.ranges.of(*node);
            match (self.encoding.code(*node).cloned(), range.as_point()) {
                (Some(Code::Number(number)), _) => self.keep_in(range, &number),
                (Some(Code::Bool(lit)), Some(value)) => {
                    self.encoding.constrain(lit.negated_if(value == 0));
                }
                _ => {}
            }
        }
    }

    /// What a latch holds first, in units.
    pub(super) fn initial(&self, latch: usize) -> Option<i128> {
        self.encoding.grid.units(&self.initial[latch])
    }

    /// Gives the bits of a latch what they hold in the step after.
    pub(super) fn connect(&mut self, node: NodeId, next: NodeId) {
        let Some(code) = self.encoding.codes[node.index()].clone() else { return };
        match code {
            Code::Bool(lit) => {
                let next = self.bool(next);
                self.set_next(lit, next);
            }
            Code::Number(Number { word, outside, beyond }) => {
                let next = self.number(next);
                let next = self.settle(node, next);
                for (index, bit) in word.bits().iter().enumerate() {
                    self.set_next(*bit, next.word.bit(index));
                }
                debug_assert!(outside != Lit::FALSE || next.outside == Lit::FALSE, "{node} leaves");
                self.set_next(outside, next.outside);
                self.set_next(beyond, next.beyond);
            }
        }
    }

    fn set_next(&mut self, bit: Lit, next: Lit) {
        if let Gate::Latch(latch) = self.encoding.circuit.gate(bit.gate()) {
            self.encoding.circuit.set_next(latch as usize, next);
        }
    }
}

/// A word of bits that `port` makes, its sign excepted if the range has only one.
fn fresh_word(range: Interval, bits: u32, port: impl FnMut(u32) -> Lit) -> Word {
    let sign = range.is_not_negative().then_some(Lit::FALSE);
    let digits = bits - u32::from(sign.is_some());
    Word::new((0..digits).map(port).chain(sign).collect())
}
