//! What an encoding promises, on systems small enough to see why.

mod support;

use std::collections::BTreeSet;

use obligato_circuit::{EncodeError, Encoding, EncodingOptions, Lit, Port, Simulation, simulation};
use obligato_model::{Integer, Random, Rational, Type, Value};
use obligato_transition_system::{
    Binary, Check, CheckKind, Graph, Initial, Latch, NodeId, Sort, System, SystemBuilder, Unary,
};
use support::follow::{Tally, follow};
use support::systems;

fn integer(builder: &mut SystemBuilder, value: i64) -> NodeId {
    builder.graph().constant(Sort::Int, Value::int(value)).expect("a constant")
}

/// A counter from zero that stops at `most`, if there is one; and whether it is above 5.
fn counter(most: Option<i64>) -> (System, NodeId, NodeId) {
    let mut builder = SystemBuilder::new();
    let zero = Initial::Value(Value::int(0));
    let count = builder.add_latch("count", Type::Int, zero).expect("a latch");
    let (one, five) = (integer(&mut builder, 1), integer(&mut builder, 5));
    let mut next = builder.graph().binary(Binary::Add, count, one).expect("a sum");
    if let Some(most) = most {
        let most = integer(&mut builder, most);
        let graph = builder.graph();
        let below = graph.binary(Binary::Less, count, most).expect("a comparison");
        next = graph.ite(below, next, count).expect("a choice");
    }
    builder.set_next(count, next).expect("a next value");
    let above = builder.graph().binary(Binary::Less, five, count).expect("a comparison");
    (builder.finish().expect("a system"), count, above)
}

fn options(bits: u32) -> EncodingOptions {
    EncodingOptions { bits, ..EncodingOptions::default() }
}

#[test]
fn a_bounded_counter_is_exact_and_has_no_bit_too_many() {
    let (system, count, above) = counter(Some(10));
    let encoding = Encoding::new(&system, &[above], &options(16)).expect("a circuit");
    assert!(encoding.is_exact());
    assert_eq!((encoding.circuit.inputs().len(), encoding.circuit.latches().len()), (0, 4));
    let (word, outside) = encoding.number(count).expect("a number");
    assert_eq!((word.len(), word[4], outside), (5, Lit::FALSE, Lit::FALSE));
    // Of the numbers of four bits, those above ten are no states of it.
    assert_eq!(encoding.circuit.constraints().len(), 1);
    assert_eq!(encoding.state_bits(&[Value::int(10)]), Some(vec![false, true, false, true]));
    assert_eq!(encoding.state_bits(&[Value::int(-1)]), None);
    assert_eq!(encoding.state_bits(&[Value::int(16)]), None);
}

#[test]
fn an_unbounded_counter_that_leaves_its_word_is_larger_than_all_that_do_not() {
    let (system, _, above) = counter(None);
    // Five has four bits, and one more makes room for larger numbers: up to 15 without a sign.
    let encoding = Encoding::new(&system, &[above], &options(4)).expect("a circuit");
    assert!(!encoding.is_exact());
    let (within, above) = (encoding.within(), encoding.bool(above).expect("a Boolean"));
    let mut simulation = Simulation::new(&encoding.circuit);
    for step in 0..20 {
        // What is unknown is false in the first run and true in the second.
        simulation.step(&encoding.circuit, |_| 0b10);
        let (within, above) = (simulation.value(within) & 0b11, simulation.value(above) & 0b11);
        let expected = match step {
            0..=5 => (0b11, 0b00),
            6..=15 => (0b11, 0b11),
            _ => (0b00, 0b11),
        };
        assert_eq!((within, above), expected, "step {step}");
    }
}

/// The values of some comparisons of `x`, `y` and 3 in one step, x and y being what is given, in as many lanes as there are
/// ways for what is unknown to come out.
fn compared(
    x: i64,
    y: i64,
    of: impl Fn(&mut Graph, [NodeId; 3]) -> Vec<NodeId>,
) -> BTreeSet<Vec<bool>> {
    let mut builder = SystemBuilder::new();
    let inputs = ["x", "y"].map(|name| builder.add_input(name, Type::Int).expect("an input"));
    let three = integer(&mut builder, 3);
    let roots = of(builder.graph(), [inputs[0], inputs[1], three]);
    let system = builder.finish().expect("a system");
    let encoding = Encoding::new(&system, &roots, &options(6)).expect("a circuit");
    let bits = encoding.covering_input_bits(&[x, y].map(Value::int)).expect("inputs");
    let unknown: Vec<usize> = (0..bits.len())
        .filter(|input| matches!(encoding.ports()[*input], Port::Unknown { .. }))
        .collect();
    let mut simulation = Simulation::new(&encoding.circuit);
    let lanes = 1 << unknown.len();
    simulation.step(&encoding.circuit, |input| {
        match unknown.iter().position(|one| *one == input) {
            Some(index) => {
                (0..lanes).filter(|lane| lane >> index & 1 == 1).map(|lane| 1 << lane).sum()
            }
            None => {
                if bits[input] == Some(true) {
                    u64::MAX
                } else {
                    0
                }
            }
        }
    });
    let value = |lane: u64, node: &NodeId| {
        simulation.value(encoding.bool(*node).expect("a Boolean")) >> lane & 1 == 1
    };
    (0..lanes).map(|lane| roots.iter().map(|node| value(lane, node)).collect()).collect()
}

#[test]
fn an_integer_beyond_all_words_still_compares_with_those_that_are_not() {
    let comparisons = |graph: &mut Graph, [x, y, three]: [NodeId; 3]| {
        let sum = graph.binary(Binary::Add, x, y).expect("a sum");
        let pairs = [(x, three), (three, x), (y, x), (three, sum)];
        pairs.map(|(a, b)| graph.binary(Binary::Less, a, b).expect("a comparison")).to_vec()
    };
    let only = |values: [bool; 4]| BTreeSet::from([values.to_vec()]);
    assert_eq!(compared(1000, 5, comparisons), only([false, true, true, true]));
    assert_eq!(compared(-1000, -5, comparisons), only([true, false, false, false]));
    assert_eq!(compared(1000, -1000, comparisons).len(), 2, "the sum may be anything");
    assert_eq!(compared(1000, 2000, comparisons).len(), 2, "which is larger is unknown");
    assert_eq!(
        compared(20, 20, comparisons),
        only([false, true, false, true]),
        "a sum that leaves"
    );
}

#[test]
fn two_numbers_that_are_unknown_are_still_less_or_equal_or_greater() {
    let comparisons = |graph: &mut Graph, [x, y, _]: [NodeId; 3]| {
        let ways = [
            (Binary::Less, x, y),
            (Binary::Less, y, x),
            (Binary::Equal, x, y),
            (Binary::LessEqual, x, y),
            (Binary::LessEqual, y, x),
        ];
        ways.map(|(way, a, b)| graph.binary(way, a, b).expect("a comparison")).to_vec()
    };
    let ways = [
        [true, false, false, true, false],
        [false, true, false, false, true],
        [false, false, true, true, true],
    ];
    let expected: BTreeSet<Vec<bool>> = ways.iter().map(|way| way.to_vec()).collect();
    assert_eq!(compared(1000, 2000, comparisons), expected);
}

#[test]
fn only_what_roots_and_assertions_depend_on_is_encoded() {
    let mut builder = SystemBuilder::new();
    let inputs = ["x", "y", "z"].map(|name| builder.add_input(name, Type::Int).expect("an input"));
    let [x, y, z] = inputs;
    let held = builder.add_latch("held", Type::Int, Initial::Undefined).expect("a latch");
    builder.set_next(held, y).expect("a next value");
    let graph = builder.graph();
    let less = graph.binary(Binary::Less, x, held).expect("a comparison");
    let other = graph.binary(Binary::Less, z, held).expect("a comparison");
    let mut system = builder.finish().expect("a system");
    let mut encoding = Encoding::new(&system, &[less], &options(8)).expect("a circuit");
    assert!(encoding.number(y).is_some(), "through a latch");
    assert!(encoding.number(z).is_none() && encoding.bool(other).is_none());
    let rest = encoding.inputs_of_step(|_| true);
    assert_eq!(rest, [-1, -1, 0].map(Value::int));
    // Later, with a node that was not there at first.
    let both = system.graph.and(less, other).expect("a conjunction");
    let known = encoding.bool(less);
    encoding.add_roots(&system, &[both]).expect("a larger circuit");
    assert!(encoding.number(z).is_some() && encoding.bool(both).is_some());
    assert_eq!(encoding.bool(less), known);
}

/// Adds a latch for each of these nodes that is an integer, to hold it for a step.
fn hold(system: &mut System, nodes: &[NodeId]) {
    for next in nodes.iter().copied() {
        if system.graph.sort(next) == Sort::Int {
            let node = system.graph.latch(Sort::Int);
            let name = format!("held {next}");
            let initial = Initial::Value(Value::int(3));
            system.latches.push(Latch { name, kind: Type::Int, node, initial, next });
        }
    }
}

#[test]
fn an_assertion_that_is_added_later_binds_inputs_that_were_there_before() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Int).expect("an input");
    let go = builder.add_input("go", Type::Bool).expect("an input");
    let nine = integer(&mut builder, 9);
    let less = builder.graph().binary(Binary::Less, x, nine).expect("a comparison");
    let mut system = builder.finish().expect("a system");
    let mut encoding = Encoding::new(&system, &[x, go], &options(8)).expect("a circuit");
    for node in [less, go] {
        let (kind, label) = (CheckKind::Assertion, String::new());
        system.checks.push(Check { node, kind, label, origin: 0 });
    }
    encoding.add_roots(&system, &[less]).expect("a larger circuit");
    for (number, go, is_run) in [(8, true, true), (9, true, false), (8, false, false)] {
        let values = [Value::int(number), Value::Bool(go)];
        let bits = encoding.input_bits(&values).expect("inputs that fit");
        let mut simulation = Simulation::new(&encoding.circuit);
        simulation.step(&encoding.circuit, |input| u64::from(bits[input] == Some(true)));
        let mut constraints = encoding.circuit.constraints().iter();
        assert_eq!(constraints.all(|lit| simulation.value(*lit) & 1 == 1), is_run, "{values:?}");
    }
}

#[test]
fn an_encoding_that_grew_is_worth_what_the_system_is() {
    let mut random = Random::new(5);
    let mut tally = Tally::default();
    for _ in 0..40 {
        let mut system = systems::system(&mut random, 30);
        let nodes: Vec<NodeId> = system.graph.nodes().collect();
        let some: Vec<NodeId> = nodes.iter().copied().filter(|_| random.below(6) == 0).collect();
        let mut encoding = Encoding::new(&system, &some, &options(6)).expect("a circuit");
        let ints = nodes.iter().copied().filter(|node| system.graph.sort(*node) == Sort::Int);
        for pair in ints.collect::<Vec<_>>().windows(2) {
            system.graph.binary(Binary::Less, pair[0], pair[1]).expect("a comparison");
        }
        hold(&mut system, &nodes);
        let all: Vec<NodeId> = system.graph.nodes().collect();
        encoding.add_roots(&system, &all).expect("a larger circuit");
        follow(&system, &encoding, &mut random, 8, &mut tally, systems::value);
    }
    assert!(tally.steps > 150, "{tally:?}");
}

#[test]
fn a_constant_between_the_points_of_the_grid_still_compares_exactly() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Real).expect("an input");
    let two = Rational::from(Integer::from(2));
    // The denominator is prime and beyond every scale.
    let tiny = Rational::from_parts_signed(Integer::ONE, Integer::from(16_777_259));
    let constants = [&two + &tiny, -(&two + &tiny), Rational::from(Integer::ONE << 200)];
    let mut roots = Vec::new();
    for constant in constants {
        let graph = builder.graph();
        let constant = graph.constant(Sort::Real, Value::Real(constant)).expect("a constant");
        for operation in [Binary::Less, Binary::LessEqual, Binary::Equal] {
            roots.push(graph.binary(operation, x, constant).expect("a comparison"));
            roots.push(graph.binary(operation, constant, x).expect("a comparison"));
        }
        let product = graph.binary(Binary::Multiply, x, constant).expect("a product");
        roots.push(graph.binary(Binary::Less, x, product).expect("a comparison"));
    }
    let system = builder.finish().expect("a system");
    let encoding = Encoding::new(&system, &roots[..6], &options(8)).expect("a circuit");
    let within = encoding.within();
    assert_ne!(within, Lit::FALSE, "such a constant is no number that has left");
    let encoding = Encoding::new(&system, &roots, &options(8)).expect("a circuit");
    let mut tally = Tally::default();
    let mut random = Random::new(3);
    let value = |random: &mut Random, _: &Type| {
        let units = Integer::from(random.below(9)) - Integer::from(4);
        Value::Real(Rational::from(units))
    };
    follow(&system, &encoding, &mut random, 50, &mut tally, value);
    assert_eq!(tally.steps, 50);
}

#[test]
fn latches_that_never_differ_are_one_and_a_state_in_which_they_do_is_none() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Bool).expect("an input");
    let latches = ["a", "b"].map(|name| {
        let initial = Initial::Value(Value::Bool(false));
        let latch = builder.add_latch(name, Type::Bool, initial).expect("a latch");
        builder.set_next(latch, x).expect("a next value");
        latch
    });
    let differ = builder.graph().binary(Binary::Xor, latches[0], latches[1]).expect("a term");
    let system = builder.finish().expect("a system");
    let encoding = Encoding::new(&system, &[differ], &options(8)).expect("a circuit");
    assert_eq!(encoding.bool(differ), Some(Lit::FALSE));
    assert_eq!(encoding.circuit.latches().len(), 1);
    assert_eq!(encoding.state_bits(&[true, true].map(Value::Bool)), Some(vec![true]));
    assert_eq!(encoding.state_bits(&[true, false].map(Value::Bool)), None);
}

#[test]
fn whatever_the_bits_an_input_is_of_its_type() {
    let mut builder = SystemBuilder::new();
    let names = ["Red", "Green", "Blue"].map(str::to_owned).to_vec();
    let kinds = [Type::Subrange(7.into(), 9.into()), Type::Enumeration(names)];
    let inputs = [("number", &kinds[0]), ("colour", &kinds[1])]
        .map(|(name, kind)| builder.add_input(name, kind.clone()).expect("an input"));
    let system = builder.finish().expect("a system");
    let encoding = Encoding::new(&system, &inputs, &options(8)).expect("a circuit");
    for bits in 0..1 << encoding.circuit.inputs().len() {
        let values = encoding.inputs_of_step(|input| bits >> input & 1 == 1);
        assert!(values.iter().zip(&kinds).all(|(value, kind)| value.has_type(kind)), "{values:?}");
    }
}

#[test]
fn limits_are_named() {
    let (system, _, above) = counter(None);
    for bits in [0, 1, 65] {
        let error = Encoding::new(&system, &[above], &options(bits)).expect_err("not so many");
        assert_eq!(error, EncodeError::Bits(bits));
    }
    let small = EncodingOptions { bits: 32, most_gates: 50 };
    let error = Encoding::new(&system, &[above], &small).expect_err("too large");
    assert_eq!(error, EncodeError::TooLarge(50));
    let unknown = NodeId::new(system.graph.len());
    let error = Encoding::new(&system, &[unknown], &options(8)).expect_err("no such node");
    assert!(matches!(error, EncodeError::Unknown(_)));
}

#[test]
fn a_deep_system_is_encoded_without_recursion() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Int).expect("an input");
    let go = builder.add_input("go", Type::Bool).expect("an input");
    let (mut number, mut test) = (x, go);
    let graph = builder.graph();
    for _ in 0..50_000 {
        let negated = graph.unary(Unary::Negate, number).expect("a negation");
        number = graph.ite(test, negated, x).expect("a choice");
        let not = graph.not(test).expect("a negation");
        let tap = graph.tap(not).expect("a tap");
        test = graph.tap_node(tap);
    }
    let root = graph.binary(Binary::Less, number, x).expect("a comparison");
    let system = builder.finish().expect("a system");
    let encoding = Encoding::new(&system, &[root], &options(4)).expect("a circuit");
    assert!(encoding.bool(root).is_some());
}

#[test]
fn an_input_that_is_outside_still_compares_with_constants_that_its_word_has_room_for() {
    let mut builder = SystemBuilder::new();
    let input = builder.add_input("x", Type::Int).expect("an input");
    let three = integer(&mut builder, 3);
    let graph = builder.graph();
    let mut compare = |operation, a, b| graph.binary(operation, a, b).expect("a comparison");
    let comparisons = [
        compare(Binary::Equal, input, three),
        compare(Binary::Less, input, three),
        compare(Binary::LessEqual, input, three),
        compare(Binary::Less, three, input),
        compare(Binary::LessEqual, three, input),
    ];
    let system = builder.finish().expect("a system");
    let encoding = Encoding::new(&system, &comparisons, &options(4)).expect("a circuit");
    for x in [-1000, -9, -8, 2, 3, 4, 7, 8, 1000] {
        let bits = encoding.covering_input_bits(&[Value::int(x)]).expect("a step of the circuit");
        let bits: Vec<bool> = bits.into_iter().map(|bit| bit.unwrap_or(false)).collect();
        let mut simulation = Simulation::new(&encoding.circuit);
        simulation.step(&encoding.circuit, |input| u64::from(bits[input]));
        let expected = [x == 3, x < 3, x <= 3, 3 < x, 3 <= x];
        for (node, expected) in comparisons.iter().zip(expected) {
            let lit = encoding.bool(*node).expect("a Boolean");
            assert_eq!(simulation.value(lit) & 1 == 1, expected, "{node} of {x}");
        }
    }
}

#[test]
fn what_nothing_defines_is_an_input_and_zero_only_in_runs_that_can_be_replayed() {
    let mut builder = SystemBuilder::new();
    let small = Type::Subrange(Integer::from(-2), Integer::from(5));
    let number = builder.add_undefined("number", small).expect("a latch");
    let flag = builder.add_undefined("flag", Type::Bool).expect("a latch");
    let three = builder.graph().constant(Sort::Int, Value::int(3)).expect("a constant");
    let is_three = builder.graph().equal(number, three).expect("a comparison");
    let both = builder.graph().and(is_three, flag).expect("a Boolean");
    let system = builder.finish().expect("a system");
    let mut encoding =
        Encoding::new(&system, &[both], &EncodingOptions::default()).expect("a circuit");
    assert!(encoding.is_exact() && !encoding.is_defined());
    assert_eq!(encoding.latch_ports(), []);
    let replayable = encoding.replayable();
    let both = encoding.bool(both).expect("a Boolean");
    // The bits of 3, the sign last, then the flag.
    let given = [true, true, false, false, true];
    let values = simulation::evaluate(&encoding.circuit, |_| 0, |input| u64::from(given[input]));
    assert_eq!(simulation::value(&values, both) & 1, 1);
    assert_eq!(simulation::value(&values, replayable) & 1, 0);
    let undefined = encoding.undefined_of_step(&system, |input| given[input]);
    assert_eq!(undefined, [(0, Value::int(3)), (1, Value::Bool(true))]);
    let values = simulation::evaluate(&encoding.circuit, |_| 0, |_| 0);
    assert_eq!(simulation::value(&values, replayable) & 1, 1);
}
