//! Random systems over every operation and sort, and values at the edges of what fits.
#![allow(dead_code, reason = "each test file uses a part of it")]

use obligato_model::{Integer, Random, Rational, Signedness, Type, Value};
use obligato_transition_system::{
    Binary, Check, CheckKind, Initial, Machine, NodeId, Sort, System, SystemBuilder, Unary,
};

/// The types that inputs and latches have.
fn kinds() -> Vec<Type> {
    use Signedness::{Signed, Unsigned};
    let names = ["Red", "Green", "Blue"].map(str::to_owned).to_vec();
    vec![
        Type::Bool,
        Type::Bool,
        Type::Int,
        Type::Int,
        Type::Real,
        Type::Machine(Signed, 8),
        Type::Machine(Unsigned, 8),
        Type::Machine(Unsigned, 5),
        Type::Machine(Signed, 64),
        Type::Machine(Unsigned, 64),
        Type::Subrange((-2).into(), 5.into()),
        Type::Subrange(100_000.into(), 100_003.into()),
        Type::Enumeration(names),
    ]
}

/// A value of a type: mostly small, now and then at an edge or far away.
pub fn value(random: &mut Random, kind: &Type) -> Value {
    match kind {
        Type::Bool => Value::Bool(random.below(2) == 1),
        Type::Real => {
            let below = [1, 1, 2, 4, 10, 3, 7][random.below(7)];
            Value::Real(Rational::from(integer(random)) / Rational::from(Integer::from(below)))
        }
        Type::Machine(signedness, bits) => {
            let machine = Machine::new(*signedness, *bits).expect("a machine sort");
            Value::Int(machine.wrap(&integer(random)))
        }
        Type::Subrange(low, high) => {
            let width = usize::try_from(&(high - low)).expect("a small range") + 1;
            Value::Int(low + Integer::from(random.below(width)))
        }
        Type::Enumeration(names) => Value::Symbol(names[random.below(names.len())].clone()),
        _ => Value::Int(integer(random)),
    }
}

fn integer(random: &mut Random) -> Integer {
    let small = Integer::from(random.below(11)) - Integer::from(5);
    match random.below(30) {
        0 => (Integer::ONE << random.below(150)) * small,
        1 => Integer::from(random.next().cast_signed()),
        2..6 => (Integer::ONE << random.below(20)) + small,
        6..10 => small - (Integer::ONE << random.below(20)),
        _ => small,
    }
}

/// A system in the making, with the nodes of each sort at hand.
struct Drawing<'r> {
    random: &'r mut Random,
    builder: SystemBuilder,
    nodes: Vec<(NodeId, Sort)>,
}

/// A random system of about `size` operations.
pub fn system(random: &mut Random, size: usize) -> System {
    let mut drawing = Drawing { random, builder: SystemBuilder::new(), nodes: Vec::new() };
    let mut latches = Vec::new();
    for (index, kind) in kinds().into_iter().enumerate() {
        let sort = Sort::of(&kind).expect("a sort");
        let name = format!("input{index}");
        let input = drawing.builder.add_input(name, kind.clone()).expect("an input");
        drawing.nodes.push((input, sort));
        // Some latches begin alike, and may stay so.
        let initial = match drawing.random.below(3) {
            0 => Initial::Undefined,
            1 => Initial::Value(value(&mut Random::new(1), &kind)),
            _ => Initial::Value(value(drawing.random, &kind)),
        };
        for _ in 0..2 {
            let name = format!("latch{}", latches.len());
            let latch = drawing.builder.add_latch(name, kind.clone(), initial.clone());
            let latch = latch.expect("a latch");
            drawing.nodes.push((latch, sort));
            latches.push((latch, sort));
        }
        for _ in 0..2 {
            let constant = value(drawing.random, &kind);
            let constant =
                obligato_transition_system::sort::encode(&kind, &constant).expect("a value");
            let node = drawing.builder.graph().constant(sort, constant).expect("a constant");
            drawing.nodes.push((node, sort));
        }
    }
    for _ in 0..size {
        drawing.grow();
    }
    let mut next = None;
    for (latch, sort) in latches {
        let same = next.filter(|(_, of)| *of == sort && drawing.random.below(2) == 0);
        let (node, _) = same.unwrap_or_else(|| (drawing.pick(sort), sort));
        drawing.builder.set_next(latch, node).expect("a next value");
        next = Some((node, sort));
    }
    if drawing.random.below(2) == 0 {
        drawing.assert_something();
    }
    drawing.builder.finish().expect("a system")
}

impl Drawing<'_> {
    fn pick(&mut self, sort: Sort) -> NodeId {
        let nodes: Vec<NodeId> =
            self.nodes.iter().filter(|(_, of)| *of == sort).map(|(node, _)| *node).collect();
        let reach = if self.random.below(2) == 0 { nodes.len().min(4) } else { nodes.len() };
        nodes[nodes.len() - 1 - self.random.below(reach)]
    }

    fn machine(&mut self) -> Machine {
        let kinds = kinds();
        let machines = kinds.iter().filter_map(|kind| match kind {
            Type::Machine(signedness, bits) => Machine::new(*signedness, *bits),
            _ => None,
        });
        let machines: Vec<Machine> = machines.collect();
        machines[self.random.below(machines.len())]
    }

    fn any_sort(&mut self) -> Sort {
        let kinds = kinds();
        Sort::of(&kinds[self.random.below(kinds.len())]).expect("a sort")
    }

    fn number(&mut self) -> Sort {
        let machine = self.machine();
        [Sort::Int, Sort::Int, Sort::Real, Sort::Machine(machine)][self.random.below(4)]
    }

    fn grow(&mut self) {
        use Binary::{
            Add, And, BitAnd, BitOr, BitXor, Div, Divide, Equal, Less, LessEqual, Mod, Multiply,
            Or, ShiftLeft, ShiftRight, Subtract, Xor,
        };
        const BOOLS: [Binary; 4] = [And, Or, Xor, Equal];
        const COMPARISONS: [Binary; 3] = [Equal, Less, LessEqual];
        const INTEGERS: [Binary; 6] = [Add, Add, Subtract, Multiply, Div, Mod];
        const REALS: [Binary; 4] = [Add, Subtract, Multiply, Divide];
        const MACHINE: [Binary; 8] = [Add, Subtract, Multiply, Div, Mod, BitAnd, BitOr, BitXor];
        let of_machine = Sort::Machine(self.machine());
        let node = match self.random.below(16) {
            0..2 => {
                let operation = BOOLS[self.random.below(BOOLS.len())];
                self.binary(operation, Sort::Bool)
            }
            2 => self.unary(Unary::Not, Sort::Bool),
            3..6 => {
                let (operation, sort) = (COMPARISONS[self.random.below(3)], self.number());
                self.binary(operation, sort)
            }
            6..8 => {
                let operation = INTEGERS[self.random.below(INTEGERS.len())];
                self.binary(operation, Sort::Int)
            }
            8 => {
                let operation = REALS[self.random.below(REALS.len())];
                self.binary(operation, Sort::Real)
            }
            9 => {
                let operation = MACHINE[self.random.below(MACHINE.len())];
                self.binary(operation, of_machine)
            }
            10 => {
                let operation = [ShiftLeft, ShiftRight][self.random.below(2)];
                self.shift(operation)
            }
            11 => {
                let sort = self.number();
                self.unary(Unary::Negate, sort)
            }
            12 => self.convert(),
            _ => {
                let sort = if self.random.below(2) == 0 { Sort::Int } else { self.any_sort() };
                let [test, first, second] = [Sort::Bool, sort, sort].map(|sort| self.pick(sort));
                self.builder.graph().ite(test, first, second).expect("a choice")
            }
        };
        let sort = self.builder.graph().sort(node);
        self.nodes.push((node, sort));
        if self.random.below(10) == 0 {
            let graph = self.builder.graph();
            let tap = graph.tap(node).expect("a tap");
            self.nodes.push((graph.tap_node(tap), sort));
        }
    }

    fn unary(&mut self, operation: Unary, sort: Sort) -> NodeId {
        let operand = self.pick(sort);
        self.builder.graph().unary(operation, operand).expect("an operation")
    }

    fn binary(&mut self, operation: Binary, sort: Sort) -> NodeId {
        let (a, b) = (self.pick(sort), self.pick(sort));
        self.builder.graph().binary(operation, a, b).expect("an operation")
    }

    fn shift(&mut self, operation: Binary) -> NodeId {
        let machine = self.machine();
        let amount = Machine::new(Signedness::Unsigned, machine.bits()).expect("a machine sort");
        let of = self.pick(Sort::Machine(machine));
        let by = self.pick(Sort::Machine(amount));
        self.builder.graph().binary(operation, of, by).expect("a shift")
    }

    fn convert(&mut self) -> NodeId {
        let (from, to) = (self.machine(), self.machine());
        match self.random.below(6) {
            0 => self.unary(Unary::IntToReal, Sort::Int),
            1 => self.unary(Unary::RealToInt, Sort::Real),
            2 => self.unary(Unary::MachineToInt, Sort::Machine(from)),
            3 => self.unary(Unary::Wrap(to), Sort::Int),
            4 => self.unary(Unary::BitNot, Sort::Machine(from)),
            _ => self.unary(Unary::Wrap(to), Sort::Machine(from)),
        }
    }

    /// Asserts some random Boolean, or a bound of an integer input.
    fn assert_something(&mut self) {
        let node = if self.random.below(3) == 0 {
            self.pick(Sort::Bool)
        } else {
            let input = self.builder.graph().inputs()[2];
            let bound = Value::int(self.random.below(40));
            let graph = self.builder.graph();
            let bound = graph.constant(Sort::Int, bound).expect("a constant");
            let operation = [Binary::Less, Binary::LessEqual][self.random.below(2)];
            self.builder.graph().binary(operation, input, bound).expect("a comparison")
        };
        let check = Check { node, kind: CheckKind::Assertion, label: String::new(), origin: 0 };
        self.builder.add_check(check).expect("a check");
    }
}
