//! Random systems over every operation and sort, for the property tests.
//!
//! A [`Sketch`] is a system before the graph has touched it: terms in a list, as
//! drawn, nothing shared and nothing simplified. It can be evaluated as it
//! stands and built into a [`System`], so the two can be compared.

use obligato_model::{Integer, Random, Rational, Signedness, Type, Value};
use proptest::prelude::*;

use crate::evaluator::Forced;
use crate::meaning;
use crate::sort::{Machine, Sort, encode};
use crate::system::{Check, CheckKind, Initial, System, SystemBuilder};
use crate::term::{Binary, ConstantId, NodeId, TapId, Term, Unary};

/// A source of random choices.
#[derive(Clone, Debug)]
pub struct Choices(Random);

impl Choices {
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A value of a type, often at an edge of what fits.
    pub fn value(&mut self, kind: &Type) -> Value {
        match kind {
            Type::Bool => Value::Bool(self.next() & 1 == 1),
            Type::Real => Value::Real(self.rational()),
            Type::Machine(signedness, bits) => {
                let machine = Machine::new(*signedness, *bits).unwrap();
                Value::Int(machine.wrap(&self.integer()))
            }
            Type::Subrange(low, high) => {
                let width = high - low + Integer::ONE;
                Value::Int(low + Integer::from(self.next()) % width)
            }
            Type::Enumeration(names) => Value::Symbol(names[self.below(names.len())].clone()),
            _ => Value::Int(self.integer()),
        }
    }

    fn integer(&mut self) -> Integer {
        let small = Integer::from(self.below(9)) - Integer::from(4);
        match self.below(40) {
            0 => Integer::from(i64::MAX) + small,
            1 => Integer::from(i64::MIN) + small,
            2 => Integer::from(u64::MAX) + small,
            3 => (Integer::ONE << (60 + self.below(60))) * small,
            4 => Integer::from(self.next().cast_signed()),
            5 => Integer::from(self.next().cast_signed() >> 32),
            6 | 7 => Integer::from(1_i64 << self.below(63)) + small,
            _ => small,
        }
    }

    fn rational(&mut self) -> Rational {
        let below = match self.below(30) {
            0 => Integer::from(self.next() | 1),
            1 => Integer::ONE << (30 + self.below(70)),
            2..8 => Integer::from(self.below(100) as u64 + 1),
            8..16 => Integer::from(10),
            _ => Integer::ONE,
        };
        Rational::from_parts_signed(self.integer(), below)
    }
}

/// The types that variables of a sketch have.
pub fn kinds() -> Vec<Type> {
    use Signedness::{Signed, Unsigned};
    let names = ["Red", "Green", "Blue"].map(str::to_owned).to_vec();
    vec![
        Type::Bool,
        Type::Bool,
        Type::Int,
        Type::Real,
        Type::Machine(Signed, 8),
        Type::Machine(Unsigned, 8),
        Type::Machine(Signed, 64),
        Type::Machine(Unsigned, 64),
        Type::Machine(Unsigned, 17),
        Type::Subrange((-2).into(), 5.into()),
        Type::Enumeration(names),
    ]
}

/// A system as drawn. Node ids are positions in `terms`.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    pub terms: Vec<Term>,
    pub sorts: Vec<Sort>,
    pub constants: Vec<Value>,
    pub inputs: Vec<Type>,
    pub latches: Vec<(Type, Initial, NodeId)>,
    pub taps: Vec<NodeId>,
}

/// A drawing of up to `size` operations.
pub fn sketches(size: usize) -> impl Strategy<Value = Sketch> {
    let choice = (any::<u8>(), any::<[u16; 3]>());
    let variables = (any::<u64>(), proptest::collection::vec(choice, 1..size));
    variables.prop_map(|(seed, choices)| Sketch::new(seed, &choices))
}

/// A drawing of Boolean structure over comparisons of quotients.
pub fn quotients(size: usize) -> impl Strategy<Value = Sketch> {
    /// Choices of `grow`: Boolean operations, comparisons, integers, selections.
    const CHOICES: [u8; 8] = [1, 2, 4, 4, 6, 7, 13, 14];
    /// Details of `grow`: `and`, `or`, integers, `div`, `mod`, both kinds of arm.
    const DETAILS: [u8; 6] = [0, 1, 3, 4, 8, 9];
    let choice = (0..CHOICES.len(), 0..DETAILS.len(), any::<[u16; 3]>());
    let variables = (any::<u64>(), proptest::collection::vec(choice, 1..size));
    variables.prop_map(|(seed, choices)| {
        let drawn = choices.into_iter();
        let drawn = drawn
            .map(|(choice, detail, operands)| (CHOICES[choice] + 16 * DETAILS[detail], operands));
        Sketch::new(seed, &drawn.collect::<Vec<_>>())
    })
}

impl Sketch {
    fn new(seed: u64, choices: &[(u8, [u16; 3])]) -> Self {
        let mut random = Choices::new(seed);
        let mut sketch = Self::default();
        for kind in kinds() {
            let sort = Sort::of(&kind).unwrap();
            sketch.push(Term::Input(sketch.inputs.len() as u32), sort);
            sketch.inputs.push(kind.clone());
            let latch = sketch.push(Term::Latch(sketch.latches.len() as u32), sort);
            let initial = match random.below(4) {
                0 => Initial::Undefined,
                _ => Initial::Value(random.value(&kind)),
            };
            sketch.latches.push((kind.clone(), initial, latch));
            for _ in 0..2 {
                let value = encode(&kind, &random.value(&kind)).unwrap();
                sketch.constants.push(value);
                let constant = ConstantId::new(sketch.constants.len() - 1);
                sketch.push(Term::Constant(constant), sort);
            }
        }
        for (choice, operands) in choices {
            sketch.grow(*choice, *operands);
        }
        for index in 0..sketch.latches.len() {
            let (kind, ..) = &sketch.latches[index];
            let sort = Sort::of(kind).unwrap();
            sketch.latches[index].2 = sketch.pick(sort, random.next() as u16);
        }
        sketch
    }

    fn push(&mut self, term: Term, sort: Sort) -> NodeId {
        self.terms.push(term);
        self.sorts.push(sort);
        NodeId::new(self.terms.len() - 1)
    }

    /// A node of a sort, half of the time one of the last.
    fn pick(&self, sort: Sort, choice: u16) -> NodeId {
        let nodes = self.sorts.iter().enumerate().filter(|(_, other)| **other == sort);
        let nodes: Vec<usize> = nodes.map(|(index, _)| index).collect();
        let (choice, reach) = (choice as usize / 2, [nodes.len(), 4][choice as usize % 2]);
        NodeId::new(nodes[nodes.len() - 1 - choice % reach.min(nodes.len())])
    }

    fn grow(&mut self, choice: u8, [x, y, z]: [u16; 3]) {
        use Binary::{
            Add, And, BitAnd, BitOr, BitXor, Div, Divide, Equal, Less, LessEqual, Mod, Multiply,
            Or, ShiftLeft, ShiftRight, Subtract, Xor,
        };
        const BOOLS: [Binary; 4] = [And, Or, Xor, Equal];
        const COMPARISONS: [Binary; 3] = [Equal, Less, LessEqual];
        const INTEGERS: [Binary; 5] = [Add, Subtract, Multiply, Div, Mod];
        const REALS: [Binary; 4] = [Add, Subtract, Multiply, Divide];
        const BITS: [Binary; 3] = [BitAnd, BitOr, BitXor];
        let detail = choice as usize / 16;
        let machines: Vec<Machine> = kinds().iter().filter_map(machine_of).collect();
        let machine = machines[z as usize % machines.len()];
        let numbers = [Sort::Int, Sort::Real, Sort::Machine(machine)];
        let number = numbers[detail % 3];
        let any_sort = [Sort::Bool, Sort::Int, Sort::Real, Sort::Machine(machine)][detail % 4];
        let unary = |operation, from, to| (Term::Unary(operation, self.pick(from, x)), to);
        let binary = |operation, of: Sort, to| {
            (Term::Binary(operation, self.pick(of, x), self.pick(of, y)), to)
        };
        let of_machine = Sort::Machine(machine);
        let (term, sort) = match choice % 16 {
            0 => unary(Unary::Not, Sort::Bool, Sort::Bool),
            1..=3 => binary(BOOLS[detail % 4], Sort::Bool, Sort::Bool),
            4 => binary(COMPARISONS[x as usize % 3], number, Sort::Bool),
            5 => unary(Unary::Negate, number, number),
            6 | 7 => binary(INTEGERS[detail % 5], Sort::Int, Sort::Int),
            8 => binary(REALS[detail % 4], Sort::Real, Sort::Real),
            9 => binary(INTEGERS[detail % 5], of_machine, of_machine),
            10 => binary(BITS[detail % 3], of_machine, of_machine),
            11 => {
                let shift = if detail.is_multiple_of(2) { ShiftLeft } else { ShiftRight };
                let amount = meaning::shift_amount(machine);
                let operands = (self.pick(of_machine, x), self.pick(amount, y));
                (Term::Binary(shift, operands.0, operands.1), of_machine)
            }
            12 => match detail % 6 {
                0 => unary(Unary::IntToReal, Sort::Int, Sort::Real),
                1 => unary(Unary::RealToInt, Sort::Real, Sort::Int),
                2 => unary(Unary::MachineToInt, of_machine, Sort::Int),
                3 => unary(Unary::Wrap(machine), Sort::Int, of_machine),
                4 => unary(Unary::BitNot, of_machine, of_machine),
                _ => {
                    let from = machines[y as usize % machines.len()];
                    unary(Unary::Wrap(machine), Sort::Machine(from), of_machine)
                }
            },
            13 | 14 => {
                let test = self.pick(Sort::Bool, z);
                let arms = (self.pick(any_sort, x), self.pick(any_sort, y));
                (Term::Ite(test, arms.0, arms.1), any_sort)
            }
            _ => {
                let tap = TapId::new(self.taps.len());
                self.taps.push(NodeId::new(self.terms.len()));
                (Term::Tap(tap, self.pick(any_sort, x)), any_sort)
            }
        };
        self.push(term, sort);
    }

    /// What each node is worth, from the drawing as it stands; `None` if a number exceeds
    /// the size limit.
    pub fn evaluate(
        &self,
        inputs: &[Value],
        state: &[Value],
        forced: &Forced,
    ) -> Option<Vec<Value>> {
        let mut values: Vec<Value> = Vec::new();
        for term in &self.terms {
            let value = |node: NodeId| &values[node.index()];
            let sort = |node: NodeId| self.sorts[node.index()];
            let result = match *term {
                Term::Constant(constant) => self.constants[constant.index()].clone(),
                Term::Input(index) => inputs[index as usize].clone(),
                Term::Latch(index) => state[index as usize].clone(),
                Term::Unary(operation, a) => meaning::unary(operation, sort(a), value(a)),
                Term::Binary(operation, a, b) => {
                    meaning::binary(operation, sort(a), value(a), value(b))
                }
                Term::Ite(test, a, b) => {
                    value(if *value(test) == Value::Bool(true) { a } else { b }).clone()
                }
                Term::Tap(tap, a) => forced.get(&tap).unwrap_or_else(|| value(a)).clone(),
            };
            if meaning::is_excessive(&result) {
                return None;
            }
            values.push(result);
        }
        Some(values)
    }

    /// The system, and the node that each term of the drawing became. Every third
    /// node is an output and every fifth Boolean a check; the others come and go.
    pub fn build(&self) -> (System, Vec<NodeId>) {
        let mut builder = SystemBuilder::new();
        let images = self.build_terms(&mut builder);
        let latches = builder.graph().latches().to_vec();
        for (latch, (_, _, next)) in latches.iter().zip(&self.latches) {
            builder.set_next(*latch, images[next.index()]).unwrap();
        }
        for (index, (image, sort)) in images.iter().zip(&self.sorts).enumerate() {
            if index % 3 == 0 {
                builder.add_output(format!("out{index}"), type_of(*sort), *image).unwrap();
            }
            if index % 5 == 0 && *sort == Sort::Bool {
                let label = format!("check{index}");
                let check =
                    Check { node: *image, kind: CheckKind::Assertion, label, origin: index as u32 };
                builder.add_check(check).unwrap();
            }
        }
        (builder.finish().unwrap(), images)
    }

    fn build_terms(&self, builder: &mut SystemBuilder) -> Vec<NodeId> {
        let mut images: Vec<NodeId> = Vec::new();
        for (index, term) in self.terms.iter().enumerate() {
            let graph = builder.graph();
            let image = match term.map(|child| images[child.index()]) {
                Term::Constant(constant) => {
                    graph.constant(self.sorts[index], self.constants[constant.index()].clone())
                }
                Term::Input(input) => {
                    builder.add_input(format!("in{input}"), self.inputs[input as usize].clone())
                }
                Term::Latch(latch) => {
                    let (kind, initial, _) = &self.latches[latch as usize];
                    builder.add_latch(format!("latch{latch}"), kind.clone(), initial.clone())
                }
                Term::Unary(operation, a) => graph.unary(operation, a),
                Term::Binary(operation, a, b) => graph.binary(operation, a, b),
                Term::Ite(test, a, b) => graph.ite(test, a, b),
                Term::Tap(_, a) => graph.tap(a).map(|tap| graph.tap_node(tap)),
            };
            images.push(image.unwrap());
        }
        images
    }

    /// Random values for the inputs, of their types.
    pub fn draw_inputs(&self, random: &mut Choices) -> Vec<Value> {
        self.inputs.iter().map(|kind| random.value(kind)).collect()
    }
}

/// A type whose values are all those of a sort.
pub fn type_of(sort: Sort) -> Type {
    match sort {
        Sort::Bool => Type::Bool,
        Sort::Int => Type::Int,
        Sort::Real => Type::Real,
        Sort::Machine(machine) => Type::Machine(machine.signedness(), machine.bits()),
    }
}

fn machine_of(kind: &Type) -> Option<Machine> {
    match kind {
        Type::Machine(signedness, bits) => Machine::new(*signedness, *bits),
        _ => None,
    }
}
