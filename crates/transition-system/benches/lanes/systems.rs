//! Random systems of a given flavour, always the same ones.

use obligato_model::{Rational, Type, Value};
use obligato_transition_system::{Binary, Initial, NodeId, Sort, System, SystemBuilder, Unary};

/// What a system is mostly made of: out of 16 operations, how many are on
/// Booleans, on integers (comparisons and selections included) and on reals.
#[derive(Clone, Copy)]
pub struct Flavour {
    pub name: &'static str,
    pub bools: u64,
    pub ints: u64,
}

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }

    /// Mostly a recent node, as in programs.
    fn pick(&mut self, nodes: &[NodeId]) -> NodeId {
        let reach = if self.next().is_multiple_of(4) { nodes.len() } else { nodes.len().min(40) };
        nodes[nodes.len() - 1 - self.below(reach)]
    }
}

struct Pools {
    bools: Vec<NodeId>,
    ints: Vec<NodeId>,
    reals: Vec<NodeId>,
    small_ints: Vec<NodeId>,
    small_reals: Vec<NodeId>,
}

const VARIABLES: usize = 50;

/// A system of about `size` nodes, with 50 inputs and 50 latches.
pub fn system(flavour: Flavour, size: usize) -> System {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut builder = SystemBuilder::new();
    let mut pools = Pools {
        bools: Vec::new(),
        ints: Vec::new(),
        reals: Vec::new(),
        small_ints: Vec::new(),
        small_reals: Vec::new(),
    };
    let mut latches = Vec::new();
    for index in 0..VARIABLES {
        let kind = match index as u64 % 16 {
            choice if choice < flavour.bools => Type::Bool,
            choice if choice < flavour.bools + flavour.ints => Type::Int,
            _ => Type::Real,
        };
        let input = builder.add_input(format!("i{index}"), kind.clone()).expect("a new input");
        let latch = builder
            .add_latch(format!("l{index}"), kind.clone(), Initial::Undefined)
            .expect("a new latch");
        pools.of(&kind).extend([input, latch]);
        latches.push((latch, kind));
    }
    pools.add_constants(&mut builder);
    while builder.graph().len() < size {
        grow(&mut builder, &mut pools, &mut random, flavour);
    }
    for (index, (latch, kind)) in latches.into_iter().enumerate() {
        let pool = pools.of(&kind);
        // Numbers are held in bounds, as a model would: no lane leaves its word.
        let drawn = pool[pool.len() - 1 - random.below(pool.len().min(300))];
        let next = bounded(&mut builder, drawn);
        builder.set_next(latch, next).expect("a next value of the same sort");
        builder.add_output(format!("o{index}"), kind, drawn).expect("an output of its sort");
    }
    builder.finish().expect("a whole system")
}

impl Pools {
    fn of(&mut self, kind: &Type) -> &mut Vec<NodeId> {
        match kind {
            Type::Bool => &mut self.bools,
            Type::Int => &mut self.ints,
            _ => &mut self.reals,
        }
    }

    fn add_constants(&mut self, builder: &mut SystemBuilder) {
        let graph = builder.graph();
        for value in [0, 1, 2, 3, 5, 10, 100] {
            let int = graph.constant(Sort::Int, Value::int(value)).expect("an integer");
            let tenth = Rational::from_parts_signed(value.into(), 10.into());
            let real = graph.constant(Sort::Real, Value::Real(tenth)).expect("a real");
            self.small_ints.push(int);
            self.small_reals.push(real);
        }
        if self.bools.is_empty() {
            let (a, b) = (self.small_ints[0], self.ints[0]);
            self.bools.push(graph.binary(Binary::Less, a, b).expect("integers compare"));
        }
    }
}

fn grow(builder: &mut SystemBuilder, pools: &mut Pools, random: &mut Random, flavour: Flavour) {
    const BOOLS: [Binary; 6] =
        [Binary::And, Binary::Or, Binary::And, Binary::Or, Binary::Xor, Binary::Equal];
    const COMPARISONS: [Binary; 4] = [Binary::Less, Binary::LessEqual, Binary::Equal, Binary::Less];
    let graph = builder.graph();
    let choice = random.next() % 16;
    if choice < flavour.bools {
        let (a, b) = (random.pick(&pools.bools), random.pick(&pools.bools));
        let node = match random.below(8) {
            0 => graph.not(a),
            1 => {
                let test = random.pick(&pools.bools);
                graph.ite(test, a, b)
            }
            at => graph.binary(BOOLS[at - 2], a, b),
        };
        pools.bools.push(node.expect("Booleans"));
        return;
    }
    let ints = choice < flavour.bools + flavour.ints;
    let (pool, small) = if ints {
        (&mut pools.ints, &pools.small_ints)
    } else {
        (&mut pools.reals, &pools.small_reals)
    };
    let constant = small[random.below(small.len())];
    let (a, b) = (random.pick(pool), random.pick(pool));
    let b = if random.next().is_multiple_of(2) { constant } else { b };
    match random.below(8) {
        0..=2 => {
            let comparison = COMPARISONS[random.below(4)];
            pools.bools.push(graph.binary(comparison, a, b).expect("numbers compare"));
        }
        3 | 4 => {
            let test = random.pick(&pools.bools);
            pool.push(graph.ite(test, a, b).expect("arms of one sort"));
        }
        5 => pool.push(graph.binary(Binary::Add, a, b).expect("numbers add")),
        6 => pool.push(graph.binary(Binary::Subtract, a, b).expect("numbers subtract")),
        _ => {
            let factor = small[1 + random.below(3)];
            let product = graph.binary(Binary::Multiply, a, factor).expect("numbers multiply");
            // A product is taken back into bounds, or reals would grow for ever.
            pool.push(bounded(builder, product));
        }
    }
}

/// The node, or zero where it is beyond a thousand; a real is also made whole.
fn bounded(builder: &mut SystemBuilder, node: NodeId) -> NodeId {
    let graph = builder.graph();
    let sort = graph.sort(node);
    let limit = |value: i64| match sort {
        Sort::Real => Value::Real(Rational::from(obligato_model::Integer::from(value))),
        _ => Value::int(value),
    };
    if sort == Sort::Bool {
        return node;
    }
    let node = match sort {
        Sort::Real => {
            let floor = graph.unary(Unary::RealToInt, node).expect("a real has a floor");
            graph.unary(Unary::IntToReal, floor).expect("an integer is a real")
        }
        _ => node,
    };
    let zero = graph.constant(sort, limit(0)).expect("a number");
    let (low, high) = (graph.constant(sort, limit(-1000)), graph.constant(sort, limit(1000)));
    let above = graph.binary(Binary::Less, node, high.expect("a number")).expect("comparable");
    let below = graph.binary(Binary::Less, low.expect("a number"), node).expect("comparable");
    let inside = graph.and(above, below).expect("Booleans");
    graph.ite(inside, node, zero).expect("arms of one sort")
}
