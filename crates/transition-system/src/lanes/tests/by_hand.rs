//! Small systems whose runs can be told in advance.

use super::*;

fn int(value: i64) -> Value {
    Value::int(value)
}

/// `count' = count + by`, with a check that it stays below ten.
fn counter() -> System {
    let mut builder = SystemBuilder::new();
    let by = builder.add_input("by", Type::Int).unwrap();
    let count = builder.add_latch("count", Type::Int, Initial::Value(int(0))).unwrap();
    let graph = builder.graph();
    let next = graph.binary(Binary::Add, count, by).unwrap();
    let ten = graph.constant(Sort::Int, int(10)).unwrap();
    let small = graph.binary(Binary::Less, next, ten).unwrap();
    builder.set_next(count, next).unwrap();
    builder.add_output("sum", Type::Int, next).unwrap();
    let label = "sum < 10".to_owned();
    builder.add_check(Check { node: small, kind: CheckKind::Assertion, label, origin: 0 }).unwrap();
    builder.finish().unwrap()
}

fn compile(system: &System) -> LaneProgram<'_> {
    LaneProgram::new(system, &LaneOptions::default()).unwrap()
}

#[test]
fn the_first_failure_of_each_lane_is_kept() {
    let system = counter();
    let program = compile(&system);
    let mut simulator = Simulator::<1>::new(&program);
    for lane in 0..64 {
        simulator.set_input(0, lane, &Value::int(lane)).unwrap();
    }
    for _ in 0..4 {
        simulator.step();
    }
    let step = |lane| simulator.first_failure(lane).unwrap().map(|failure| failure.step);
    assert_eq!((step(2), step(3), step(5), step(10)), (None, Some(3), Some(1), Some(0)));
    assert_eq!(simulator.failed_lanes(), [!0b111]);
    assert_eq!(simulator.failed(0), Ok([!0b111]));
    assert_eq!(
        simulator.first_failure(64).unwrap_err().to_string(),
        "there is no lane 64, only 64"
    );
}

#[test]
fn a_lane_that_outgrows_a_word_stays_exact_and_comes_back() {
    let system = counter();
    let program = compile(&system);
    let mut simulator = Simulator::<1>::new(&program);
    let mut exact = Integer::ZERO;
    simulator.set_input(0, 5, &int(i64::MAX)).unwrap();
    for redone in [0, 1, 1, 1] {
        simulator.step();
        exact += Integer::from(i64::MAX);
        assert_eq!(simulator.output(0, 5), Ok(Value::Int(exact.clone())));
        assert_eq!(simulator.redone(), redone);
    }
    simulator.set_input(0, 5, &Value::Int(-exact.clone() + Integer::from(7))).unwrap();
    simulator.step();
    assert_eq!(simulator.output(0, 5), Ok(int(7)));
    simulator.set_input(0, 5, &int(0)).unwrap();
    simulator.step();
    assert_eq!((simulator.output(0, 5), simulator.redone()), (Ok(int(7)), 0));
    assert_eq!(simulator.output(0, 6), Ok(int(0)));
}

#[test]
fn lanes_that_are_not_active_keep_their_state() {
    let system = counter();
    let program = compile(&system);
    let mut simulator = Simulator::<2>::new(&program);
    simulator.set_words(0, &[[1; 64]; 2]).unwrap();
    simulator.step();
    simulator.set_active([u64::MAX, 0]);
    simulator.step();
    simulator.step();
    simulator.set_active([u64::MAX; 2]);
    simulator.step();
    assert_eq!(simulator.output(0, 0), Ok(int(4)));
    assert_eq!(simulator.output(0, 127), Ok(int(2)));
}

#[test]
fn latches_that_exchange_their_values_do_so_at_once() {
    for kind in [Type::Bool, Type::Int, Type::Real] {
        let mut builder = SystemBuilder::new();
        let mut random = Choices::new(3);
        let (one, other) = (random.value(&kind), random.value(&kind));
        let initial = |value: &Value| Initial::Value(value.clone());
        let a = builder.add_latch("a", kind.clone(), initial(&one)).unwrap();
        let b = builder.add_latch("b", kind.clone(), initial(&other)).unwrap();
        builder.set_next(a, b).unwrap();
        builder.set_next(b, a).unwrap();
        let system = builder.finish().unwrap();
        let program = compile(&system);
        let mut simulator = Simulator::<1>::new(&program);
        simulator.step();
        simulator.step();
        assert_eq!((simulator.latch(0, 9), simulator.latch(1, 9)), (Ok(other), Ok(one)));
    }
}

/// `out = tap(a) and b`
fn tapped() -> (System, TapId) {
    let mut builder = SystemBuilder::new();
    let a = builder.add_input("a", Type::Bool).unwrap();
    let b = builder.add_input("b", Type::Bool).unwrap();
    let graph = builder.graph();
    let tap = graph.tap(a).unwrap();
    let both = graph.and(graph.tap_node(tap), b).unwrap();
    builder.add_output("out", Type::Bool, both).unwrap();
    (builder.finish().unwrap(), tap)
}

#[test]
fn one_word_shows_where_a_stuck_condition_is_seen() {
    let (system, tap) = tapped();
    let options = LaneOptions { taps: Taps::Force, observe: Vec::new() };
    let program = LaneProgram::new(&system, &options).unwrap();
    let mut simulator = Simulator::<1>::new(&program);
    simulator.set_bools(0, [0b1100]).unwrap();
    simulator.set_bools(1, [0b1010]).unwrap();
    simulator.step();
    let out = system.outputs[0].node;
    let good = simulator.bools(out).unwrap();
    simulator.force_bools(tap, [u64::MAX], [0b0011]).unwrap();
    simulator.step();
    assert_eq!(simulator.bools(out).unwrap()[0] ^ good[0], 0b1010);
    assert_eq!(simulator.tap(tap, 2), Ok(Value::Bool(false)));
    simulator.release();
    simulator.step();
    assert_eq!(simulator.bools(out), Ok(good));
}

#[test]
fn forcing_needs_a_program_that_allows_it() {
    let (system, tap) = tapped();
    for taps in [Taps::Ignore, Taps::Observe] {
        let program =
            LaneProgram::new(&system, &LaneOptions { taps, observe: Vec::new() }).unwrap();
        let mut simulator = Simulator::<1>::new(&program);
        assert_eq!(simulator.force_bools(tap, [1], [1]), Err(Error::NotForceable));
        let read = simulator.tap(tap, 0);
        assert_eq!(read.is_ok(), taps == Taps::Observe);
    }
}

#[test]
fn a_mutant_is_a_forced_choice() {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", Type::Int).unwrap();
    let graph = builder.graph();
    let two = graph.constant(Sort::Int, int(2)).unwrap();
    let original = graph.binary(Binary::Add, x, two).unwrap();
    let mutated = graph.binary(Binary::Multiply, x, two).unwrap();
    let off = graph.bool(false);
    let chosen = graph.tap(off).unwrap();
    let result = graph.ite(graph.tap_node(chosen), mutated, original).unwrap();
    builder.add_output("y", Type::Int, result).unwrap();
    let system = builder.finish().unwrap();
    let options = LaneOptions { taps: Taps::Force, observe: Vec::new() };
    let program = LaneProgram::new(&system, &options).unwrap();
    let mut simulator = Simulator::<1>::new(&program);
    simulator.set_words(0, &[[5; 64]]).unwrap();
    simulator.force_bools(chosen, [0b10], [0b10]).unwrap();
    simulator.step();
    assert_eq!((simulator.output(0, 0), simulator.output(0, 1)), (Ok(int(7)), Ok(int(10))));
}

#[test]
fn wrong_inputs_are_refused() {
    let mut builder = SystemBuilder::new();
    for (name, kind) in [
        ("flag", "bool"),
        ("small", "subrange [0, 9]"),
        ("byte", "uint8"),
        ("colour", "enum {Red, Green}"),
        ("ratio", "real"),
    ] {
        builder.add_input(name, kind.parse().unwrap()).unwrap();
    }
    let system = builder.finish().unwrap();
    let program = compile(&system);
    let mut simulator = Simulator::<1>::new(&program);
    let messages = [
        simulator.set_input(0, 0, &int(1)),
        simulator.set_input(1, 0, &int(10)),
        simulator.set_input(3, 0, &Value::Symbol("Blue".to_owned())),
        simulator.set_input(9, 0, &int(1)),
        simulator.set_input(1, 64, &int(1)),
        simulator.set_bools(1, [1]),
        simulator.set_words(0, &[[1; 64]]),
        simulator.set_words(1, &[[10; 64]]),
        simulator.set_words(2, &[[-1; 64]]),
        simulator.set_words(3, &[[2; 64]]),
        simulator.set_reals(4, &[[1; 64]], 0),
    ]
    .map(|result| result.unwrap_err().to_string());
    assert_eq!(
        messages,
        [
            "1 is not a value of type bool, which 'flag' has",
            "10 is not a value of type subrange [0, 9], which 'small' has",
            "Blue is not a value of type enum {Red, Green}, which 'colour' has",
            "there is no input 9, only 5",
            "there is no lane 64, only 64",
            "a Boolean is not a value of type subrange [0, 9], which 'small' has",
            "an integer is not a value of type bool, which 'flag' has",
            "10 is not a value of type subrange [0, 9], which 'small' has",
            "-1 is not a value of type uint8, which 'byte' has",
            "2 is not a value of type enum {Red, Green}, which 'colour' has",
            "a fraction over 0 is not a value of type real, which 'ratio' has",
        ]
    );
    assert_eq!(simulator.bools(NodeId::new(77)), Err(Error::NotObserved(NodeId::new(77))));
}

#[test]
fn a_state_of_another_program_is_refused() {
    let (with_latch, without) = (counter(), tapped().0);
    let (first, second) = (compile(&with_latch), compile(&without));
    let saved = Simulator::<1>::new(&first).save();
    let mut other = Simulator::<1>::new(&second);
    assert_eq!(other.restore(&saved), Err(Error::ForeignState));
}

#[test]
fn constants_and_initial_values_of_any_size_are_exact() {
    let mut builder = SystemBuilder::new();
    let huge = Integer::ONE << 100;
    let initial = Initial::Value(Value::Int(huge.clone()));
    let state = builder.add_latch("state", Type::Int, initial).unwrap();
    let graph = builder.graph();
    let one = graph.constant(Sort::Int, Value::Int(huge.clone() - Integer::ONE)).unwrap();
    let next = graph.binary(Binary::Subtract, state, one).unwrap();
    builder.set_next(state, next).unwrap();
    let system = builder.finish().unwrap();
    let program = compile(&system);
    let mut simulator = Simulator::<1>::new(&program);
    simulator.step();
    assert_eq!(simulator.latch(0, 63), Ok(Value::Int(huge)));
    simulator.step();
    assert_eq!(simulator.latch(0, 63), Ok(int(1)));
}

#[test]
fn a_lane_whose_number_explodes_gives_up_and_the_others_go_on() {
    let mut builder = SystemBuilder::new();
    let by = builder.add_input("by", Type::Int).unwrap();
    let state = builder.add_latch("state", Type::Int, Initial::Value(int(1))).unwrap();
    let graph = builder.graph();
    let sum = graph.binary(Binary::Add, state, by).unwrap();
    let next = graph.binary(Binary::Multiply, sum, sum).unwrap();
    builder.set_next(state, next).unwrap();
    let system = builder.finish().unwrap();
    let program = compile(&system);
    let mut simulator = Simulator::<1>::new(&program);
    let mut evaluator = Evaluator::new(&system);
    simulator.set_input(0, 3, &int(1)).unwrap();
    let mut failed = None;
    for step in 0..40 {
        simulator.step();
        if evaluator.step(&[int(1)]).is_err() {
            failed = failed.or(Some(step));
        }
        assert_eq!(simulator.exhausted(), [u64::from(failed.is_some()) << 3]);
    }
    assert_eq!(failed, Some(15));
    assert_eq!(simulator.latch(0, 4), Ok(int(1)));
    simulator.reset();
    assert_eq!(simulator.exhausted(), [0]);
}

/// A chain that no recursion would survive.
#[test]
fn a_graph_of_a_million_nodes_builds_and_runs() {
    let mut builder = SystemBuilder::new();
    let inputs: Vec<NodeId> =
        (0..64).map(|index| builder.add_input(format!("i{index}"), Type::Bool).unwrap()).collect();
    let graph = builder.graph();
    let mut last = inputs[0];
    let mut size = 0_usize;
    while graph.len() < 1_000_000 {
        size += 1;
        let other = inputs[size % 64];
        let operation = [Binary::And, Binary::Xor, Binary::Or][size % 3];
        last = graph.binary(operation, last, other).unwrap();
        if size.is_multiple_of(5) {
            last = graph.unary(Unary::Not, last).unwrap();
        }
    }
    builder.add_output("out", Type::Bool, last).unwrap();
    let system = builder.finish().unwrap();
    let program = compile(&system);
    let mut simulator = Simulator::<1>::new(&program);
    let mut evaluator = Evaluator::new(&system);
    let values: Vec<Value> = (0..64).map(|index| Value::Bool(index % 3 == 0)).collect();
    for (index, value) in values.iter().enumerate() {
        simulator.set_input(index, 17, value).unwrap();
    }
    simulator.step();
    evaluator.step(&values).unwrap();
    assert_eq!(simulator.output(0, 17).ok(), evaluator.output(0));
}
