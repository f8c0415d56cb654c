//! Differential test of terms and executor over every operation that computes: equal results, and undefined behaviour for the same operands.

use obligato_bytecode::{
    Argument, Binary, Block, Cast, CodeId, Comparison, FloatBinary, FloatComparison, FloatUnary,
    FloatWidth, Function, Intrinsic, List, Module, Operation, Overflow, Register, Signature, Unary,
};
use obligato_execute::{
    Ending, Executable, ExecutableOptions, ExecutionLimits, FindingKind, Machine,
};
use obligato_model::Random;
use obligato_symbolic::{UndefinedBehaviour, compute, undefined_behaviours};
use obligato_term::{Assignment, Node, Term, Terms, Values};

/// What the registers of an operation hold.
#[derive(Clone, Copy, Debug)]
enum Content {
    Integer(u8),
    Float(FloatWidth),
}

/// An operation on the first registers, and what they hold.
struct Case {
    operation: Operation,
    contents: Vec<Content>,
    results: u32,
}

const FLOATS: [FloatWidth; 2] = [FloatWidth::Single, FloatWidth::Double];
const NARROW: [u8; 7] = [1, 3, 8, 16, 31, 32, 64];
const WIDE: [u8; 3] = [65, 100, 128];
const BINARIES: [Binary; 17] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::DivideUnsigned,
    Binary::DivideSigned,
    Binary::RemainderUnsigned,
    Binary::RemainderSigned,
    Binary::ShiftLeft,
    Binary::ShiftRightUnsigned,
    Binary::ShiftRightSigned,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::MinimumUnsigned,
    Binary::MinimumSigned,
    Binary::MaximumUnsigned,
    Binary::MaximumSigned,
];
const COMPARISONS: [Comparison; 10] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::LessUnsigned,
    Comparison::LessEqualUnsigned,
    Comparison::GreaterUnsigned,
    Comparison::GreaterEqualUnsigned,
    Comparison::LessSigned,
    Comparison::LessEqualSigned,
    Comparison::GreaterSigned,
    Comparison::GreaterEqualSigned,
];

fn r(number: u32) -> Register {
    Register(number)
}

/// The parts of a wide number.
fn parts(width: u8) -> Vec<Content> {
    if width > 64 {
        vec![Content::Integer(64), Content::Integer(width - 64)]
    } else {
        vec![Content::Integer(width)]
    }
}

fn twice(contents: &[Content]) -> Vec<Content> {
    contents.repeat(2)
}

fn integers() -> Vec<Case> {
    let mut cases = Vec::new();
    let (op, overflow) = (Binary::Difference, Overflow::default());
    let operation =
        Operation::Binary { op, overflow, width: 64, to: r(2), left: r(0), right: r(1) };
    cases.push(Case { operation, contents: twice(&parts(64)), results: 1 });
    for op in BINARIES {
        for signed in [false, true] {
            let overflow = Overflow { signed, unsigned: false };
            for width in NARROW {
                let operation =
                    Operation::Binary { op, overflow, width, to: r(2), left: r(0), right: r(1) };
                cases.push(Case { operation, contents: twice(&parts(width)), results: 1 });
            }
            for width in WIDE {
                let (to, left, right) = (r(4), r(0), r(2));
                let operation = Operation::WideBinary { op, overflow, width, to, left, right };
                cases.push(Case { operation, contents: twice(&parts(width)), results: 2 });
            }
        }
    }
    for op in COMPARISONS {
        for width in NARROW {
            let operation = Operation::Compare { op, width, to: r(2), left: r(0), right: r(1) };
            cases.push(Case { operation, contents: twice(&parts(width)), results: 1 });
        }
        for width in WIDE {
            let operation = Operation::WideCompare { op, width, to: r(4), left: r(0), right: r(2) };
            cases.push(Case { operation, contents: twice(&parts(width)), results: 1 });
        }
    }
    for op in [
        Unary::SwapBytes,
        Unary::ReverseBits,
        Unary::CountOnes,
        Unary::CountLeadingZeros,
        Unary::CountTrailingZeros,
        Unary::Absolute,
    ] {
        for width in NARROW {
            if op == Unary::SwapBytes && width % 16 != 0 {
                continue;
            }
            let operation = Operation::Unary { op, width, to: r(1), from: r(0) };
            cases.push(Case { operation, contents: parts(width), results: 1 });
        }
    }
    cases
}

fn floats() -> Vec<Case> {
    let mut cases = Vec::new();
    for width in FLOATS {
        let float = Content::Float(width);
        for op in [
            FloatBinary::Add,
            FloatBinary::Subtract,
            FloatBinary::Multiply,
            FloatBinary::Divide,
            FloatBinary::Remainder,
            FloatBinary::Minimum,
            FloatBinary::Maximum,
            FloatBinary::CopySign,
        ] {
            let operation = Operation::FloatBinary { op, width, to: r(2), left: r(0), right: r(1) };
            cases.push(Case { operation, contents: vec![float; 2], results: 1 });
        }
        for op in [
            FloatUnary::Negate,
            FloatUnary::Absolute,
            FloatUnary::SquareRoot,
            FloatUnary::Floor,
            FloatUnary::Ceiling,
            FloatUnary::Truncate,
            FloatUnary::Round,
            FloatUnary::RoundEven,
            FloatUnary::Rint,
            FloatUnary::NearbyInt,
        ] {
            let operation = Operation::FloatUnary { op, width, to: r(1), from: r(0) };
            cases.push(Case { operation, contents: vec![float], results: 1 });
        }
        for set in 0..16_u8 {
            let has = |bit: u8| set >> bit & 1 == 1;
            let op =
                FloatComparison { less: has(0), equal: has(1), greater: has(2), unordered: has(3) };
            let operation =
                Operation::FloatCompare { op, width, to: r(2), left: r(0), right: r(1) };
            cases.push(Case { operation, contents: vec![float; 2], results: 1 });
        }
        for fused in [false, true] {
            let (left, right, addend) = (r(0), r(1), r(2));
            let operation =
                Operation::FloatMultiplyAdd { fused, width, to: r(3), left, right, addend };
            cases.push(Case { operation, contents: vec![float; 3], results: 1 });
        }
    }
    cases
}

fn casts() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |op: Cast, contents: Vec<Content>| {
        let (taken, given) = op.registers();
        let operation = Operation::Cast { op, to: r(taken), from: r(0) };
        cases.push(Case { operation, contents, results: given });
    };
    let widths: Vec<u8> = NARROW.into_iter().chain(WIDE).collect();
    for &from in &widths {
        for &to in &widths {
            if to < from {
                add(Cast::Truncate { from, to }, parts(from));
            }
            if to > from {
                add(Cast::ExtendUnsigned { from, to }, parts(from));
                add(Cast::ExtendSigned { from, to }, parts(from));
            }
        }
        add(Cast::PointerToInteger { to: from }, parts(64));
        add(Cast::IntegerToPointer { from }, parts(from));
        for width in FLOATS {
            add(Cast::UnsignedToFloat { from, to: width }, parts(from));
            add(Cast::SignedToFloat { from, to: width }, parts(from));
            let float = vec![Content::Float(width)];
            add(Cast::FloatToUnsigned { from: width, to: from }, float.clone());
            add(Cast::FloatToSigned { from: width, to: from }, float);
        }
    }
    add(Cast::SingleToDouble, vec![Content::Float(FloatWidth::Single)]);
    add(Cast::DoubleToSingle, vec![Content::Float(FloatWidth::Double)]);
    cases
}

fn others() -> Vec<Case> {
    let word = Content::Integer(64);
    let mut cases = vec![
        Case {
            operation: Operation::Move { to: r(1), from: r(0) },
            contents: vec![word],
            results: 1,
        },
        Case {
            operation: Operation::Select { to: r(3), test: r(0), then: r(1), otherwise: r(2) },
            contents: vec![Content::Integer(1), word, word],
            results: 1,
        },
    ];
    for offset in [0, 4, -4, i64::MAX] {
        let operation = Operation::Offset { to: r(1), base: r(0), offset, inside: false };
        cases.push(Case { operation, contents: vec![word], results: 1 });
    }
    for scale in [1, 4, 12, 1 << 40] {
        for width in [8, 32, 64] {
            let (to, base, index) = (r(2), r(0), r(1));
            let operation = Operation::Index { to, base, index, width, scale, inside: false };
            cases.push(Case {
                operation,
                contents: vec![word, Content::Integer(width)],
                results: 1,
            });
        }
    }
    let mut intrinsic = |op: Intrinsic, contents: Vec<Content>| {
        let arguments = List { first: 0, length: contents.len() as u32 };
        let to = r(contents.len() as u32);
        let operation = Operation::Intrinsic { op, to, arguments };
        cases.push(Case { operation, contents, results: op.results() });
    };
    for width in NARROW.into_iter().chain(WIDE) {
        for op in [Binary::Add, Binary::Subtract, Binary::Multiply] {
            for signed in [false, true] {
                intrinsic(Intrinsic::Overflowing { op, signed, width }, twice(&parts(width)));
            }
        }
    }
    for width in NARROW {
        for left in [false, true] {
            let contents = vec![Content::Integer(width); 3];
            intrinsic(Intrinsic::FunnelShift { left, width }, contents);
        }
    }
    for width in FLOATS {
        for mask in (0..10).map(|bit| 1 << bit).chain([0, 3, 0x3ff, 0x1f8, 0x264]) {
            intrinsic(Intrinsic::IsClass { mask, width }, vec![Content::Float(width)]);
        }
    }
    cases
}

/// A number, often one at which something changes.
fn draw(content: Content, random: &mut Random) -> u64 {
    match content {
        Content::Integer(width) => {
            let mask = u64::MAX >> (64 - width);
            let special = [0, 1, 2, 7, 31, 32, 63, 64, 1 << (width - 1), mask >> 1, mask, mask - 1];
            let small = u64::from(width) + random.below(3) as u64;
            let drawn = match random.below(6) {
                0..=2 => special[random.below(special.len())],
                3 => small.wrapping_sub(1),
                4 => random.next() >> random.below(64),
                _ => random.next(),
            };
            drawn & mask
        }
        Content::Float(FloatWidth::Double) => draw_float(random).to_bits(),
        Content::Float(FloatWidth::Single) => match random.below(4) {
            0 => u64::from(random.next() as u32),
            _ => u64::from((draw_float(random) as f32).to_bits()),
        },
    }
}

fn draw_float(random: &mut Random) -> f64 {
    let power = 2_f64.powi([-1, 0, 1, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128][random.below(13)]);
    let special = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-310, f64::MAX, 0.5];
    match random.below(7) {
        0 | 1 => special[random.below(special.len())],
        2 => power,
        3 => -power - [0.0, 0.5, 1.0][random.below(3)],
        4 => power + [0.5, -0.5, -1.0, 1.5][random.below(4)],
        5 => f64::from(random.below(4000) as u32) / 16.0 - 125.0,
        _ => f64::from_bits(random.next()),
    }
}

fn module_of(case: &Case) -> Module {
    let given = case.contents.len() as u32;
    let lists: Vec<Register> = (given..given + case.results).map(Register).collect();
    let from = List { first: 0, length: case.results };
    let function = Function {
        name: "f".to_owned(),
        signature: Signature { parameters: given, results: case.results, ..Signature::default() },
        registers: given + case.results,
        code: vec![case.operation.clone(), Operation::Return { from }],
        places: vec![None; 2],
        blocks: vec![Block { code: 0..2 }],
        arguments: (0..given).map(|at| Argument::Value(Register(at))).collect(),
        lists,
        ..Function::default()
    };
    Module { functions: vec![function], globals: Vec::new(), has_hidden_accesses: false }
}

/// Numbers that are no numbers may have any sign and payload where two of them meet.
fn is_nan(content: Content, value: u64) -> bool {
    match content {
        Content::Integer(_) => false,
        Content::Float(FloatWidth::Single) => f32::from_bits(value as u32).is_nan(),
        Content::Float(FloatWidth::Double) => f64::from_bits(value).is_nan(),
    }
}

fn check(case: &Case, rounds: usize, random: &mut Random) {
    let module = module_of(case);
    let program = Executable::new(&module, &[], ExecutableOptions::default()).expect("well-formed");
    let mut machine = Machine::new(&program, ExecutionLimits::default(), (), (), ());
    let mut terms = Terms::new();
    let registers: Vec<Term> = case
        .contents
        .iter()
        .map(|content| {
            let width = match content {
                Content::Integer(width) => *width,
                Content::Float(FloatWidth::Single) => 32,
                Content::Float(FloatWidth::Double) => 64,
            };
            let variable = terms.variable(width);
            terms.zero_extend(variable, 64)
        })
        .collect();
    let open = (registers.clone(), vec![None; registers.len()]);
    for round in 0..rounds {
        let values: Vec<u64> = case.contents.iter().map(|one| draw(*one, random)).collect();
        // Half of the time one operand is a number in the term as well, so that simpler forms are built.
        let (mut operands, mut fixed) = open.clone();
        if round % 2 == 1 {
            let at = random.below(operands.len());
            operands[at] = terms.constant(values[at].into(), 64);
            fixed[at] = Some(values[at]);
        }
        let results = compute(&mut terms, &case.operation, &operands).expect("a computation");
        let found = undefined_behaviours(&mut terms, &case.operation, &operands, true);
        let mut assignment = Assignment::default();
        for (at, value) in values.iter().enumerate() {
            let variable = terms.variables()[at];
            let Node::Variable(id) = terms.node(variable) else { unreachable!("a variable") };
            assignment.set(id, u128::from(*value));
        }
        let mut worth = Values::new(&assignment);
        let undefined: Vec<UndefinedBehaviour> = found
            .iter()
            .filter(|(_, bit)| worth.holds(&terms, *bit))
            .map(|(kind, _)| *kind)
            .collect();
        let text = format!("{:?} on {values:x?}, of which numbers {fixed:x?}", case.operation);
        match machine.call(CodeId::new(0), &values) {
            Ok(expected) => {
                assert_eq!(undefined, [], "{text}");
                let given: Vec<u64> =
                    results.iter().map(|term| worth.of(&terms, *term) as u64).collect();
                let nans = case.contents.iter().zip(&values);
                let nans = nans.filter(|(content, value)| is_nan(**content, **value)).count();
                // An index that leads out of the numbers of its object points nowhere for the executor.
                let astray = matches!(case.operation, Operation::Index { .. })
                    && expected.iter().all(|address| address >> 32 == u64::from(u32::MAX));
                if nans < 2 && !astray {
                    assert_eq!(given, expected, "{text}");
                }
            }
            Err(Ending::Finding(finding)) => {
                let expected = match finding.kind {
                    FindingKind::DivisionByZero => UndefinedBehaviour::DivisionByZero,
                    FindingKind::SignedOverflow { .. } => UndefinedBehaviour::SignedOverflow,
                    FindingKind::ShiftOutOfRange { .. } => UndefinedBehaviour::ShiftOutOfRange,
                    FindingKind::FloatOutOfRange { .. } => UndefinedBehaviour::FloatOutOfRange,
                    FindingKind::PointersApart => UndefinedBehaviour::PointersApart,
                    other => panic!("{text}: {other}"),
                };
                assert_eq!(undefined, [expected], "{text}");
            }
            Err(Ending::Exit(_)) => panic!("{text}: exit"),
        }
    }
}

fn check_all(cases: &[Case], rounds: usize) {
    let mut random = Random::for_purpose(1, "operations");
    for case in cases {
        check(case, rounds, &mut random);
    }
}

#[test]
fn integers_are_those_of_the_executor() {
    check_all(&integers(), 400);
}

#[test]
fn floats_are_those_of_the_executor() {
    check_all(&floats(), 1000);
}

#[test]
fn conversions_are_those_of_the_executor() {
    check_all(&casts(), 400);
}

#[test]
fn choices_addresses_and_intrinsics_are_those_of_the_executor() {
    check_all(&others(), 400);
}
