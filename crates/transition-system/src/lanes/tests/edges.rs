//! Every operation on every pair of numbers at the edges of what fits.

use super::*;
use obligato_model::Rational;

const EDGES: [i64; 16] = [
    i64::MIN,
    i64::MIN + 1,
    -(1 << 62),
    -(1 << 32) - 1,
    -(1 << 31),
    -7,
    -2,
    -1,
    0,
    1,
    2,
    7,
    1 << 31,
    (1 << 32) + 1,
    i64::MAX - 1,
    i64::MAX,
];

/// An operation on one or both of two inputs.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Unary(Unary),
    Binary(Binary),
    Select,
}

fn operations() -> Vec<Operation> {
    use Binary::{
        Add, BitAnd, BitOr, BitXor, Div, Divide, Equal, Less, LessEqual, Mod, Multiply, ShiftLeft,
        ShiftRight, Subtract,
    };
    use Unary::{BitNot, IntToReal, MachineToInt, Negate, RealToInt};
    let binary = [
        Equal, Less, LessEqual, Add, Subtract, Multiply, Divide, Div, Mod, BitAnd, BitOr, BitXor,
        ShiftLeft, ShiftRight,
    ];
    let unary = [Negate, BitNot, IntToReal, RealToInt, MachineToInt];
    let casts = crate::sample::kinds().into_iter().filter_map(|kind| match Sort::of(&kind) {
        Ok(Sort::Machine(machine)) => Some(Unary::Wrap(machine)),
        _ => None,
    });
    let unary = unary.into_iter().chain(casts).map(Operation::Unary);
    binary.map(Operation::Binary).into_iter().chain(unary).chain([Operation::Select]).collect()
}

/// A system with nothing but the operation, so that no other one spills a lane;
/// `None` if the type does not have it.
fn system_of(operation: Operation, kind: &Type) -> Option<System> {
    let mut builder = SystemBuilder::new();
    let x = builder.add_input("x", kind.clone()).unwrap();
    let y = builder.add_input("y", kind.clone()).unwrap();
    let graph = builder.graph();
    let node = match operation {
        Operation::Unary(operation) => graph.unary(operation, x).ok()?,
        Operation::Binary(operation) => graph.binary(operation, x, y).ok()?,
        Operation::Select => {
            let test = graph.binary(Binary::Less, x, y).unwrap();
            graph.ite(test, x, y).unwrap()
        }
    };
    let kind = type_of(graph.sort(node));
    builder.add_output("out", kind, node).unwrap();
    Some(builder.finish().unwrap())
}

fn check(kind: &Type, values: &[Value; 16]) {
    let pair = |lane: usize| [values[lane / 16].clone(), values[lane % 16].clone()];
    for operation in operations() {
        let Some(system) = system_of(operation, kind) else { continue };
        let program = LaneProgram::new(&system, &LaneOptions::default()).unwrap();
        let mut simulator = Simulator::<4>::new(&program);
        for lane in 0..256 {
            for (index, value) in pair(lane).iter().enumerate() {
                simulator.set_input(index, lane, value).unwrap();
            }
        }
        simulator.step();
        check_differing(&simulator, system.outputs[0].node);
        let mut evaluator = Evaluator::new(&system);
        for lane in 0..256 {
            evaluator.step(&pair(lane)).unwrap();
            let (found, expected) = (simulator.output(0, lane).ok(), evaluator.output(0));
            assert_eq!(found, expected, "{operation:?} of {kind}: {:?}", pair(lane));
        }
    }
}

#[test]
fn integers_agree_at_the_edges() {
    check(&Type::Int, &EDGES.map(Value::int));
}

/// The edges of a number of digits, and small numbers as they are.
fn edges_of(digits: u32) -> [i64; 16] {
    EDGES.map(|edge| if edge.unsigned_abs() > 7 { edge >> (64 - digits) } else { edge })
}

/// The fewer digits, the more of it is done digit by digit.
#[test]
fn integers_agree_at_the_edges_of_fewer_digits() {
    for digits in [4, 8, 9, 20, 32, 33, 40, 62, 63] {
        check(&Type::Int, &edges_of(digits).map(Value::int));
    }
}

#[test]
fn machine_integers_agree_at_the_edges() {
    for text in [
        "int64", "uint64", "int63", "uint57", "int32", "uint32", "int8", "uint8", "uint17", "int1",
        "uint1",
    ] {
        let kind: Type = text.parse().unwrap();
        let Ok(Sort::Machine(machine)) = Sort::of(&kind) else { panic!("{text}") };
        let edges = edges_of(machine.bits());
        check(&kind, &edges.map(|edge| Value::Int(machine.wrap(&edge.into()))));
    }
}

#[test]
fn reals_agree_at_the_edges_of_numerators_and_denominators() {
    for denominators in [[1; 4], [10; 4], [1, 2, 5, 10], [1, 3, 1 << 40, i64::MAX]] {
        let values = std::array::from_fn(|index| {
            let (above, below) = (EDGES[index], denominators[index % 4]);
            Value::Real(Rational::from_parts_signed(above.into(), below.into()))
        });
        check(&Type::Real, &values);
    }
}
