//! Systems for the tests: some with known answers, and random ones over every sort.

use obligato_model::random::Random;
use obligato_model::{Integer, Rational, Signedness, Type, Value};
use obligato_solver::{Smt, SmtError, Stop};
use obligato_transition_system::{
    Binary, Check, CheckKind, Evaluator, Initial, Input, Machine, NodeId, Sort, System,
    SystemBuilder, Unary,
};

use super::{Goal, SmtLimits};

/// Limits, unless z3 is not installed.
pub fn limits() -> Option<SmtLimits> {
    let limits = SmtLimits::new(&Stop::never());
    match Smt::start(&limits.stop, limits.memory) {
        Err(SmtError::Absent) => {
            println!("skipped: there is no z3 in PATH");
            None
        }
        _ => Some(limits),
    }
}

/// A system in the making, without the errors that a test does not expect.
#[derive(Default)]
pub struct Sketch {
    pub builder: SystemBuilder,
    names: usize,
}

impl Sketch {
    pub fn input(&mut self, kind: Type) -> NodeId {
        self.names += 1;
        self.builder.add_input(format!("in{}", self.names), kind).unwrap()
    }

    pub fn latch(&mut self, kind: Type, initial: Value) -> NodeId {
        self.names += 1;
        let name = format!("latch{}", self.names);
        self.builder.add_latch(name, kind, Initial::Value(initial)).unwrap()
    }

    pub fn next(&mut self, latch: NodeId, next: NodeId) {
        self.builder.set_next(latch, next).unwrap();
    }

    pub fn int(&mut self, value: i64) -> NodeId {
        self.builder.graph().constant(Sort::Int, Value::int(value)).unwrap()
    }

    pub fn real(&mut self, above: i64, below: i64) -> NodeId {
        let value = Rational::from_parts_signed(above.into(), below.into());
        self.builder.graph().constant(Sort::Real, Value::Real(value)).unwrap()
    }

    pub fn unary(&mut self, operation: Unary, a: NodeId) -> NodeId {
        self.builder.graph().unary(operation, a).unwrap()
    }

    pub fn binary(&mut self, operation: Binary, a: NodeId, b: NodeId) -> NodeId {
        self.builder.graph().binary(operation, a, b).unwrap()
    }

    pub fn ite(&mut self, test: NodeId, a: NodeId, b: NodeId) -> NodeId {
        self.builder.graph().ite(test, a, b).unwrap()
    }

    /// The inputs have to keep to this.
    pub fn assume(&mut self, node: NodeId) {
        let (kind, label) = (CheckKind::Assertion, "assumption".to_owned());
        self.builder.add_check(Check { node, kind, label, origin: 0 }).unwrap();
    }

    pub fn finish(self) -> System {
        self.builder.finish().unwrap()
    }

    /// A latch that starts at `first` and grows by `by` where `when` says so.
    pub fn counter(&mut self, first: i64, by: i64, when: Option<NodeId>) -> NodeId {
        let latch = self.latch(Type::Int, Value::int(first));
        let by = self.int(by);
        let more = self.binary(Binary::Add, latch, by);
        let next = when.map_or(more, |when| self.ite(when, more, latch));
        self.next(latch, next);
        latch
    }
}

/// `node = value`.
pub fn equals(sketch: &mut Sketch, node: NodeId, value: i64) -> Goal {
    let value = sketch.int(value);
    Goal::Node(sketch.binary(Binary::Equal, node, value))
}

/// Which nodes random runs make true, as far as they satisfy the assertions.
pub fn reached_at_random(system: &System, nodes: &[NodeId], steps: usize, seed: u64) -> Vec<bool> {
    let mut random = Random::for_purpose(seed, "runs");
    let mut happened = vec![false; nodes.len()];
    for _ in 0..40 {
        let mut evaluator = Evaluator::new(system);
        for _ in 0..steps {
            evaluator.step(&random_inputs(system, &mut random)).unwrap();
            let holds = |node| evaluator.value(node) == Some(&Value::Bool(true));
            if !system.checks.iter().all(|check| holds(check.node)) {
                break;
            }
            for (reached, node) in happened.iter_mut().zip(nodes) {
                *reached |= holds(*node);
            }
        }
    }
    happened
}

/// Do the inputs really reach the goal in the last step, and keep to all assumptions?
pub fn reaches(system: &System, goal: &Goal, run: &[Vec<Value>]) -> bool {
    let mut evaluator = Evaluator::new(system);
    let mut reached = false;
    for inputs in run {
        let state = evaluator.state().to_vec();
        evaluator.step(inputs).unwrap();
        let holds = |node| evaluator.value(node) == Some(&Value::Bool(true));
        let assumptions = system.checks.iter().filter(|check| check.kind == CheckKind::Assertion);
        assert!(assumptions.map(|check| check.node).all(holds), "an assumption is violated");
        reached = match goal {
            Goal::Node(node) => holds(*node),
            Goal::Below(latch, value) => state[*latch].compare(value).unwrap().is_lt(),
            Goal::Above(latch, value) => state[*latch].compare(value).unwrap().is_gt(),
        };
    }
    reached
}

/// A random system with two inputs and two latches of each sort, and its Boolean nodes.
pub fn random_system(seed: u64, operations: usize) -> (System, Vec<NodeId>) {
    let mut random = Random::new(seed);
    let mut sketch = Sketch::default();
    let colours = ["Red", "Green", "Blue"].map(str::to_owned).to_vec();
    let kinds = [
        Type::Bool,
        Type::Int,
        Type::Real,
        Type::Machine(Signedness::Signed, 4),
        Type::Machine(Signedness::Unsigned, 4),
        Type::Subrange((-2).into(), 5.into()),
        Type::Enumeration(colours),
    ];
    let mut nodes: Vec<NodeId> = Vec::new();
    let mut latches = Vec::new();
    for kind in &kinds {
        nodes.push(sketch.input(kind.clone()));
        let initial = match kind {
            Type::Bool => Value::Bool(false),
            Type::Real => Value::Real(Rational::ONE),
            Type::Enumeration(names) => Value::Symbol(names[1].clone()),
            _ => Value::int(1),
        };
        let latch = sketch.latch(kind.clone(), initial);
        nodes.push(latch);
        latches.push(latch);
    }
    nodes.extend([sketch.int(0), sketch.int(-3), sketch.real(5, 2), sketch.real(-1, 3)]);
    for _ in 0..operations {
        nodes.push(grow(&mut sketch, &nodes, &mut random));
    }
    let graph = sketch.builder.graph().clone();
    for latch in latches {
        let fitting = |node: &&NodeId| graph.sort(**node) == graph.sort(latch);
        let choices: Vec<NodeId> = nodes.iter().filter(fitting).copied().collect();
        sketch.next(latch, choices[random.below(choices.len())]);
    }
    let booleans: Vec<NodeId> =
        nodes.into_iter().filter(|node| graph.sort(*node) == Sort::Bool).collect();
    sketch.assume(booleans[random.below(booleans.len())]);
    (sketch.finish(), booleans)
}

/// A random operation on random nodes: those that do not fit are drawn again.
fn grow(sketch: &mut Sketch, nodes: &[NodeId], random: &mut Random) -> NodeId {
    use Binary::{
        Add, And, BitAnd, BitOr, BitXor, Div, Divide, Equal, Less, LessEqual, Mod, Multiply, Or,
        ShiftLeft, ShiftRight, Subtract, Xor,
    };
    let binaries = [
        Add, And, BitAnd, BitOr, BitXor, Div, Divide, Equal, Less, LessEqual, Mod, Multiply, Or,
        ShiftLeft, ShiftRight, Subtract, Xor,
    ];
    let machine = |signedness, bits| Machine::new(signedness, bits).unwrap();
    let unaries = [
        Unary::Not,
        Unary::Negate,
        Unary::BitNot,
        Unary::IntToReal,
        Unary::RealToInt,
        Unary::MachineToInt,
        Unary::Wrap(machine(Signedness::Signed, 4)),
        Unary::Wrap(machine(Signedness::Unsigned, 4)),
        Unary::Wrap(machine(Signedness::Signed, 7)),
    ];
    loop {
        let mut pick = || nodes[random.below(nodes.len())];
        let (a, b, c) = (pick(), pick(), pick());
        let graph = sketch.builder.graph();
        let made = match random.below(8) {
            0 | 1 => graph.unary(unaries[random.below(unaries.len())], a),
            2 => graph.ite(a, b, c),
            3 => graph.tap(a).map(|tap| graph.tap_node(tap)),
            _ => graph.binary(binaries[random.below(binaries.len())], a, b),
        };
        if let Ok(node) = made {
            return node;
        }
    }
}

/// Random inputs, mostly small.
fn random_inputs(system: &System, random: &mut Random) -> Vec<Value> {
    let value = |input: &Input| {
        let small = [-4, -3, -2, -1, 0, 1, 2, 3, 4][random.below(9)];
        match &input.kind {
            Type::Bool => Value::Bool(small > 0),
            Type::Real => Value::Real(Rational::from_parts_signed(small.into(), 6.into())),
            Type::Enumeration(names) => Value::Symbol(names[random.below(names.len())].clone()),
            Type::Subrange(low, high) => {
                Value::Int(Integer::from(small).clamp(low.clone(), high.clone()))
            }
            Type::Machine(signedness, bits) => {
                Value::Int(Machine::new(*signedness, *bits).unwrap().wrap(&small.into()))
            }
            _ => Value::int(small),
        }
    };
    system.inputs.iter().map(value).collect()
}
