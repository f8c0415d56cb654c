//! The scan over the graph: one node after the other, children first.

use obligato_model::Value;
use obligato_transition_system::{Binary, NodeId, Sort, System, Term};

use super::{Code, EncodeError, Encoding, LatchPort, Number, Order, Port, as_latch, assertions};
use crate::circuit::Lit;
use crate::grid::exact_bits;
use crate::interval::Interval;
use crate::ranges::Ranges;
use crate::word::Word;

/// What is known of a system, and the encoding that grows.
pub(super) struct Encoder<'a> {
    pub system: &'a System,
    pub ranges: Ranges,
    /// By node that is the first of its class: may its number leave the encoding?
    pub leaves: Vec<bool>,
    /// What the latches hold first.
    pub initial: Vec<Value>,
    pub encoding: &'a mut Encoding,
}

/// Where a constant that is not on the grid goes in a comparison.
#[derive(Clone, Copy)]
enum Rounding {
    Down,
    Up,
}

impl Encoder<'_> {
    pub fn encode(mut self, roots: &[NodeId]) -> Result<(), EncodeError> {
        self.keep_known_inputs();
        let missing = self.missing(roots);
        for node in missing.iter().copied() {
            let code = self.node(node);
            self.encoding.codes[node.index()] = Some(code);
            if self.encoding.circuit.len() > self.encoding.options.most_gates {
                return Err(EncodeError::TooLarge(self.encoding.options.most_gates));
            }
        }
        for node in missing {
            let constant = self.ranges.of(node).as_point().is_some();
            if let Some(latch) = as_latch(&self.encoding.classes, node).filter(|_| !constant) {
                self.connect(node, self.encoding.classes.first(self.system.latches[latch].next));
            }
        }
        for node in assertions(self.system) {
            let assertion = self.bool(node);
            self.encoding.constrain(assertion);
        }
        for root in roots {
            if let Some(Code::Number(number)) = self.encoding.code(*root) {
                let outside = number.outside;
                self.encoding.keep_from(outside);
            }
        }
        Ok(())
    }

    /// What is not encoded yet of all that roots and assertions depend on, in order.
    fn missing(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let classes = &self.encoding.classes;
        let mut found = vec![false; self.system.graph.len()];
        let mut open: Vec<NodeId> = Vec::new();
        let mut reach = |node: NodeId, open: &mut Vec<NodeId>| {
            let node = classes.first(node);
            if self.encoding.codes[node.index()].is_none() && !found[node.index()] {
                found[node.index()] = true;
                open.push(node);
            }
        };
        for root in roots.iter().copied().chain(assertions(self.system)) {
            reach(root, &mut open);
        }
        while let Some(node) = open.pop() {
            if self.ranges.of(node).as_point().is_some() {
                continue;
            }
            for child in classes.term(node).children() {
                reach(child, &mut open);
            }
            if let Some(latch) = as_latch(classes, node) {
                reach(self.system.latches[latch].next, &mut open);
            }
        }
        self.system.graph.nodes().filter(|node| found[node.index()]).collect()
    }

    fn node(&mut self, node: NodeId) -> Code {
        let (sort, range) = (self.system.graph.sort(node), self.ranges.of(node));
        match (range.as_point(), sort) {
            (Some(value), Sort::Bool) => Code::Bool(Lit::constant(value != 0)),
            (Some(value), _) => Code::Number(Number::within(Word::constant(value))),
            (None, Sort::Bool) => Code::Bool(self.boolean(node)),
            (None, _) => Code::Number(self.number_of(node)),
        }
    }

    fn boolean(&mut self, node: NodeId) -> Lit {
        match self.encoding.classes.term(node) {
            // A constant is a point, and a tap is what it taps.
            Term::Constant(_) | Term::Tap(..) => Lit::FALSE,
            Term::Input(input) => self.encoding.input(Port::Bit { input: input as usize, bit: 0 }),
            Term::Latch(latch) if self.system.is_undefined(latch as usize) => {
                self.encoding.undefined(Port::Undefined { latch: latch as usize, bit: 0 })
            }
            Term::Latch(latch) => {
                let latch = latch as usize;
                let initial = self.initial(latch).unwrap_or(0) != 0;
                self.encoding.latch(LatchPort::Bit { latch, bit: 0 }, initial)
            }
            Term::Unary(_, a) => !self.bool(a),
            Term::Ite(test, first, second) => {
                let [test, first, second] = [test, first, second].map(|child| self.bool(child));
                self.encoding.circuit.choose(test, first, second)
            }
            Term::Binary(operation, a, b) if self.system.graph.sort(a) == Sort::Bool => {
                let (a, b) = (self.bool(a), self.bool(b));
                let circuit = &mut self.encoding.circuit;
                match operation {
                    Binary::And => circuit.and(a, b),
                    Binary::Or => circuit.or(a, b),
                    Binary::Xor => circuit.xor(a, b),
                    _ => circuit.equal(a, b),
                }
            }
            Term::Binary(operation, a, b) => self.compare(operation, a, b),
        }
    }

    fn compare(&mut self, operation: Binary, a: NodeId, b: NodeId) -> Lit {
        use Rounding::{Down, Up};
        let (left, right) = match operation {
            Binary::Less => (self.compared(a, Down), self.compared(b, Up)),
            _ => (self.compared(a, Up), self.compared(b, Down)),
        };
        // No number on the grid equals a constant that is not.
        let unequal = self.off_grid(a).or(self.off_grid(b)).is_some();
        let circuit = &mut self.encoding.circuit;
        let exact = match operation {
            Binary::Less => left.word.less(circuit, &right.word),
            Binary::LessEqual => !right.word.less(circuit, &left.word),
            _ if unequal => Lit::FALSE,
            _ => left.word.equal(circuit, &right.word),
        };
        let outside = self.encoding.circuit.or(left.outside, right.outside);
        if outside == Lit::FALSE {
            return exact;
        }
        self.encoding.keep_from(outside);
        let (apart, less) = self.beyond_each_other(&left, &right);
        let unknown = match operation {
            _ if apart == Lit::TRUE => Lit::FALSE,
            Binary::Less => self.unknown_less(a, b),
            Binary::LessEqual => !self.unknown_less(b, a),
            _ => self.unknown_equal(a, b),
        };
        let circuit = &mut self.encoding.circuit;
        let if_apart = if operation == Binary::Equal { Lit::FALSE } else { less };
        let if_outside = circuit.choose(apart, if_apart, unknown);
        circuit.choose(outside, if_outside, exact)
    }

    /// Is one of two numbers beyond all words and the other not, or on the other side? And is the left one less then?
    fn beyond_each_other(&mut self, left: &Number, right: &Number) -> (Lit, Lit) {
        let bits = self.encoding.grid.bits(Sort::Int, Interval::ALL) as usize;
        let circuit = &mut self.encoding.circuit;
        let near = |number: &Number| {
            if number.word.len() <= bits { !number.outside } else { Lit::FALSE }
        };
        let sides = circuit.xor(left.word.sign(), right.word.sign());
        let both = circuit.all([left.beyond, right.beyond, sides]);
        let left_alone = circuit.and(left.beyond, near(right));
        let right_alone = circuit.and(right.beyond, near(left));
        let apart = circuit.any([both, left_alone, right_alone]);
        (apart, circuit.choose(left.beyond, left.word.sign(), !right.word.sign()))
    }

    /// The input that says whether a number is less than another, of which nothing is known.
    fn unknown_less(&mut self, a: NodeId, b: NodeId) -> Lit {
        let [a, b] = [a, b].map(|node| self.encoding.classes.first(node));
        let [less, equal] = self.unknown(a.min(b), a.max(b));
        if a <= b { less } else { self.encoding.circuit.and(!less, !equal) }
    }

    fn unknown_equal(&mut self, a: NodeId, b: NodeId) -> Lit {
        let [a, b] = [a, b].map(|node| self.encoding.classes.first(node));
        let [less, equal] = self.unknown(a.min(b), a.max(b));
        self.encoding.circuit.and(!less, equal)
    }

    /// The inputs that say how two numbers compare, the same for all comparisons of the two: one is less, or they are
    /// equal, or the other is.
    fn unknown(&mut self, first: NodeId, second: NodeId) -> [Lit; 2] {
        if let Some(known) = self.encoding.unknown.get(&(first, second)) {
            return *known;
        }
        let orders = [Order::Less, Order::Equal];
        let inputs =
            orders.map(|order| self.encoding.input(Port::Unknown { order, first, second }));
        self.encoding.unknown.insert((first, second), inputs);
        inputs
    }

    /// An operand of a comparison. A constant between two points of the grid, or beyond all words,
    /// compares as the right one of its neighbours does.
    fn compared(&self, node: NodeId, rounding: Rounding) -> Number {
        let Some(value) = self.off_grid(node) else { return self.number(node) };
        let Interval { low, high } = self.encoding.grid.interval(value);
        let neighbour = match rounding {
            Rounding::Down => low.or(high),
            Rounding::Up => high.or(low),
        };
        Number::within(Word::constant(neighbour.unwrap_or(0)))
    }

    fn off_grid(&self, node: NodeId) -> Option<&Value> {
        let value = self.system.graph.as_constant(node)?;
        self.encoding.grid.units(value).is_none().then_some(value)
    }

    pub(super) fn bool(&self, node: NodeId) -> Lit {
        self.encoding.bool(node).expect("invariant: children are encoded first")
    }

    pub(super) fn number(&self, node: NodeId) -> Number {
        match self.encoding.code(node) {
            Some(Code::Number(number)) => number.clone(),
            _ => unreachable!("invariant: children are encoded first, and have the right sorts"),
        }
    }

    /// A result, cut to what its range allows. It may have left its word only if nothing bounds it.
    pub(super) fn settle(&mut self, node: NodeId, result: Number) -> Number {
        let Number { mut word, mut outside, mut beyond } = result;
        let (sort, range) = (self.system.graph.sort(node), self.ranges.of(node));
        let bits = self.encoding.grid.bits(sort, range) as usize;
        if exact_bits(range).is_none() {
            let circuit = &mut self.encoding.circuit;
            let exceeds = word.exceeds(circuit, bits);
            if sort == Sort::Int {
                let leaves = circuit.and(exceeds, !outside);
                beyond = circuit.or(beyond, leaves);
            }
            outside = circuit.or(outside, exceeds);
            word = word.cut(bits);
        } else {
            // Whatever its range bounds does not leave, unless it has left before.
            beyond = if word.len() > bits { Lit::FALSE } else { beyond };
            word = word.resized(bits);
        }
        if range.is_not_negative() {
            word = word.unsigned(bits - 1);
        }
        Number { word: word.trimmed(), outside, beyond }
    }
}
