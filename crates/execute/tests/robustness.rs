//! Whatever passes the verifier runs without a panic: random code, random values, wild pointers.

mod support;

use obligato_bytecode::{
    Address, Argument, Arm, ArmKey, Binary, Block, Callee, Cast, CodeId, Comparison, FloatBinary,
    FloatComparison, FloatUnary, FloatWidth, Function, FunctionType, Global, Intrinsic, List,
    Module, Operation, Overflow, Register, Signature, StopKind, Target, Unary, check,
};
use obligato_execute::{
    Around, Class, Ending, Executable, ExecutableOptions, ExecutionLimits, Machine, Marked, Memory,
    Moment, Shadow, Site, Variables, WatchPoint,
};
use proptest::prelude::*;
use proptest::test_runner::TestRng;

/// Registers of every function: constants, then parameters, then the others.
const CONSTANTS: u32 = 12;
const PARAMETERS: u32 = 2;
const REGISTERS: u32 = 24;
const BLOCKS: u32 = 5;

/// The library's functions, so that wild pointers get there as well.
const LIBRARY: [&str; 24] = [
    "malloc",
    "free",
    "realloc",
    "calloc",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "strlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strcmp",
    "strchr",
    "strstr",
    "strtol",
    "strtod",
    "qsort",
    "bsearch",
    "snprintf",
    "vsnprintf",
    "sscanf",
    "frexp",
    "__ctype_b_loc",
];

struct Random(TestRng);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0.next_u32() % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    fn source(&mut self) -> Register {
        Register(self.below(REGISTERS - 3))
    }

    /// Room for three parts behind it.
    fn target(&mut self) -> Register {
        Register(CONSTANTS + self.below(REGISTERS - CONSTANTS - 3))
    }

    fn width(&mut self) -> u8 {
        self.pick(&[1, 7, 8, 16, 31, 32, 64])
    }

    fn float(&mut self) -> FloatWidth {
        self.pick(&[FloatWidth::Single, FloatWidth::Double])
    }

    fn binary(&mut self) -> Binary {
        use Binary::{
            Add, And, DivideSigned, DivideUnsigned, MaximumSigned, MinimumUnsigned, Multiply,
            RemainderSigned, ShiftLeft, ShiftRightSigned, Subtract, Xor,
        };
        self.pick(&[
            Add,
            And,
            DivideSigned,
            DivideUnsigned,
            MaximumSigned,
            MinimumUnsigned,
            Multiply,
            RemainderSigned,
            ShiftLeft,
            ShiftRightSigned,
            Subtract,
            Xor,
        ])
    }

    fn arguments(&mut self, function: &mut Function, count: u32) -> List {
        let first = function.arguments.len() as u32;
        for _ in 0..count {
            let register = self.source();
            let copy = Argument::Copy { from: register, size: 12, alignment: 8 };
            let argument = if self.below(8) == 0 { copy } else { Argument::Value(register) };
            function.arguments.push(argument);
        }
        List { first, length: count }
    }

    fn list(&mut self, function: &mut Function, count: u32, target: bool) -> List {
        let first = function.lists.len() as u32;
        for _ in 0..count {
            let register = if target { self.target() } else { self.source() };
            function.lists.push(register);
        }
        List { first, length: count }
    }

    fn operation(&mut self, function: &mut Function, functions: u32) -> Operation {
        let (to, left, right) = (self.target(), self.source(), self.source());
        let (width, float, op) = (self.width(), self.float(), self.binary());
        let overflow = Overflow { signed: self.below(2) == 0, unsigned: false };
        let wide = self.pick(&[65, 96, 128]);
        match self.below(22) {
            0 => Operation::Move { to, from: left },
            1 => {
                let count = self.below(4);
                let from = self.list(function, count, false);
                Operation::Moves { to: self.list(function, count, true), from }
            }
            2 => Operation::Binary { op, overflow, width, to, left, right },
            3 => {
                let op = self.pick(&[Unary::SwapBytes, Unary::CountLeadingZeros, Unary::Absolute]);
                Operation::Unary { op, width, to, from: left }
            }
            4 => Operation::WideBinary { op, overflow, width: wide, to, left, right },
            5 => {
                let op = self.pick(&[Comparison::Equal, Comparison::LessSigned]);
                Operation::Compare { op, width, to, left, right }
            }
            6 => {
                let op = self.pick(&[FloatBinary::Add, FloatBinary::Remainder, FloatBinary::Power]);
                Operation::FloatBinary { op, width: float, to, left, right }
            }
            7 => {
                let op = self.pick(&[FloatUnary::Floor, FloatUnary::SquareRoot]);
                Operation::FloatUnary { op, width: float, to, from: left }
            }
            8 => {
                let op =
                    FloatComparison { less: true, equal: false, greater: false, unordered: true };
                Operation::FloatCompare { op, width: float, to, left, right }
            }
            9 => {
                let op = self.pick(&[
                    Cast::Truncate { from: 128, to: 13 },
                    Cast::ExtendSigned { from: 13, to: 128 },
                    Cast::FloatToSigned { from: FloatWidth::Double, to: 32 },
                    Cast::FloatToUnsigned { from: FloatWidth::Single, to: 128 },
                    Cast::SignedToFloat { from: 96, to: FloatWidth::Single },
                    Cast::PointerToInteger { to: 32 },
                    Cast::IntegerToPointer { from: 64 },
                ]);
                Operation::Cast { op, to, from: left }
            }
            10 => Operation::Select { to, test: left, then: right, otherwise: self.source() },
            11 | 12 => Operation::Reserve { to, count: left, size: 16, alignment: 8 },
            13 | 14 => {
                let size = self.pick(&[1, 2, 3, 4, 8]);
                Operation::Load {
                    to,
                    from: left,
                    size,
                    bits: 8 * size,
                    alignment: 1,
                    volatile: false,
                }
            }
            15 | 16 => {
                let size = self.pick(&[1, 2, 4, 7, 8]);
                Operation::Store { to: left, from: right, size, alignment: 1, volatile: false }
            }
            17 => {
                let offset = self.pick(&[0, 8, -8, 1 << 40, i64::MIN]);
                Operation::Offset { to, base: left, offset, inside: true }
            }
            18 => {
                let scale = self.pick(&[1, 4, 1 << 20, u64::MAX]);
                Operation::Index { to, base: left, index: right, width, scale, inside: true }
            }
            19 | 20 => {
                let arguments = {
                    let count = self.below(6);
                    self.arguments(function, count)
                };
                let direct = Callee::Direct(CodeId::new(self.below(functions) as usize));
                let callee = if self.below(4) == 0 { Callee::Through(left) } else { direct };
                Operation::Call { to, results: self.below(3), callee, arguments }
            }
            _ => {
                let op = self.pick(&[
                    Intrinsic::CopyMemory,
                    Intrinsic::MoveMemory,
                    Intrinsic::FillMemory,
                    Intrinsic::StartArguments,
                    Intrinsic::CopyArguments,
                    Intrinsic::SaveStack,
                    Intrinsic::RestoreStack,
                    Intrinsic::FunnelShift { left: true, width: 32 },
                    Intrinsic::Overflowing { op: Binary::Multiply, signed: true, width: 128 },
                    Intrinsic::IsClass { mask: 0x3c, width: FloatWidth::Double },
                ]);
                let arguments = self.arguments(function, op.arguments());
                Operation::Intrinsic { op, to, arguments }
            }
        }
    }

    /// Where to go from the end of a block. Targets are numbers of blocks for now.
    fn last(&mut self, function: &mut Function) -> Operation {
        let target = |random: &mut Self| Target(random.below(BLOCKS));
        match self.below(8) {
            0 | 1 => Operation::Jump { to: target(self) },
            2 | 3 => Operation::Branch {
                test: self.source(),
                then: target(self),
                otherwise: target(self),
            },
            4 => {
                let first = function.arms.len() as u32;
                for key in 0..3 {
                    let to = target(self);
                    function.arms.push(Arm { key: ArmKey(key), to });
                }
                let arms = List { first, length: 3 };
                if self.below(2) == 0 {
                    Operation::JumpThrough { on: self.source(), arms }
                } else {
                    let otherwise = target(self);
                    Operation::Switch { on: self.source(), width: 64, arms, otherwise }
                }
            }
            5 => Operation::Stop(self.pick(&[StopKind::Trap, StopKind::Unreachable])),
            _ => Operation::Return { from: self.list(function, 1, false) },
        }
    }

    fn function(&mut self, name: &str, functions: u32, pointers: &[u64]) -> Function {
        let small = [0, 1, 2, 3, 10, 64, u64::MAX, 1 << 31, 1 << 40];
        let mut function = Function {
            name: name.to_owned(),
            signature: Signature {
                parameters: PARAMETERS,
                results: 1,
                variadic: self.below(3) == 0,
                endless: false,
                kind: FunctionType::default(),
            },
            constants: (0..CONSTANTS)
                .map(|index| if index % 2 == 0 { self.pick(pointers) } else { self.pick(&small) })
                .collect(),
            registers: REGISTERS,
            ..Function::default()
        };
        for _ in 0..BLOCKS {
            let start = function.code.len() as u32;
            for _ in 0..self.below(12) {
                let operation = self.operation(&mut function, functions);
                function.code.push(operation);
            }
            let last = self.last(&mut function);
            function.code.push(last);
            function.blocks.push(Block { code: start..function.code.len() as u32 });
        }
        let starts: Vec<u32> = function.blocks.iter().map(|block| block.code.start).collect();
        let set = |target: &mut Target| target.0 = starts[target.0 as usize];
        for operation in &mut function.code {
            match operation {
                Operation::Jump { to } => set(to),
                Operation::Branch { then, otherwise, .. } => {
                    set(then);
                    set(otherwise);
                }
                Operation::Switch { otherwise, .. } => set(otherwise),
                _ => {}
            }
        }
        function.arms.iter_mut().for_each(|arm| set(&mut arm.to));
        function.places = vec![None; function.code.len()];
        function
    }

    fn module(&mut self) -> Module {
        let globals: Vec<Global> = (0..4)
            .map(|index| support::global("g", b"12 %s %n%d %5.3f x\0%", index == 3))
            .collect();
        let defined = 4;
        let functions = defined + LIBRARY.len() as u32;
        let start = Module { globals, functions: Vec::new(), has_hidden_accesses: false };
        let mut pointers: Vec<u64> = (0..start.globals.len())
            .map(|index| Module::address_of_global(obligato_bytecode::GlobalId::new(index)).0)
            .collect();
        pointers.extend(
            (0..functions as usize).map(|index| start.address_of_function(CodeId::new(index)).0),
        );
        pointers.extend([0, 8, u64::MAX, 0x40_0000_0040_0000, pointers[0] + 3, pointers[1] - 1]);
        let mut list: Vec<Function> =
            (0..defined).map(|_| self.function("f", functions, &pointers)).collect();
        list.extend(LIBRARY.iter().map(|name| support::declared(name)));
        Module { functions: list, ..start }
    }
}

/// Follows everything and makes nothing of it.
#[derive(Default)]
struct Follower;

impl Shadow for Follower {
    type Mark = u8;

    fn compute(&mut self, _: Site<'_>, operands: &[Marked<'_, u8>], _: u64) -> u8 {
        operands.iter().fold(1, |sum, operand| sum | operand.mark)
    }

    fn load(&mut self, _: Site<'_>, _: Marked<'_, u8>, bytes: &[u8], _: &Memory<u8>, _: u64) -> u8 {
        bytes.iter().fold(2, |sum, mark| sum | mark)
    }

    fn store(
        &mut self,
        site: Site<'_>,
        pointer: Marked<'_, u8>,
        value: Marked<'_, u8>,
        memory: &mut Memory<u8>,
    ) {
        let Operation::Store { size, .. } = site.operation else { return };
        let bytes =
            memory.marks_mut(Address(pointer.value), (*size).into()).expect("just stored to");
        bytes.fill(*value.mark | 4);
    }

    fn moved(&mut self, marks: &mut [u8]) {
        for mark in marks {
            *mark |= 8;
        }
    }

    fn branch(&mut self, _: Site<'_>, _: u32, around: Around<'_, u8>) {
        around.marks[0] |= 16;
    }

    fn enter(&mut self, _: CodeId, _: &[Marked<'_, u8>]) {}
    fn leave(&mut self, _: CodeId, _: &mut [u8], _: &mut Memory<u8>) {}

    fn outside(&mut self, _: CodeId, _: &[Marked<'_, u8>], _: &[u64]) -> u8 {
        32
    }

    fn unite(&mut self, into: &mut u8, from: &u8) {
        *into |= *from;
    }
}

/// The same without what limits say: they count what each way of running does.
fn comparable(result: &Result<Vec<u64>, Ending>) -> Option<String> {
    match result {
        Err(Ending::Finding(finding)) if finding.kind.class() == Class::Limit => None,
        other => Some(format!("{other:?}")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_code_ends_without_a_panic(seed in any::<[u8; 32]>()) {
        let rng = TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &seed);
        let mut random = Random(rng);
        let module = random.module();
        prop_assert_eq!(check(&module), Ok(()));
        let watches: Vec<WatchPoint> = (0..4)
            .map(|index| WatchPoint {
                function: CodeId::new(index),
                operation: random.below(module.functions[index].code.len() as u32),
                moment: random.pick(&[Moment::Before, Moment::After]),
                register: Some(random.target()),
            })
            .collect();
        let limits = ExecutionLimits { steps: 20_000, depth: 50, memory: 1 << 20, objects: 500 };
        for variables in [Variables::InRegisters, Variables::InMemory] {
            let options = ExecutableOptions { variables, ..ExecutableOptions::default() };
            let program = Executable::new(&module, &watches, options).expect("well-formed");
            let mut machine = Machine::new(&program, limits, (), (), ());
            let first = machine.call(CodeId::new(0), &[1, 2]);
            machine.reset();
            prop_assert_eq!(&machine.call(CodeId::new(0), &[1, 2]), &first, "the same again");
            let mut shadowed = Machine::new(&program, limits, Follower, (), ());
            let followed = shadowed.call(CodeId::new(0), &[1, 2]);
            if let (Some(one), Some(other)) = (comparable(&first), comparable(&followed)) {
                prop_assert_eq!(one, other, "a shadow changes nothing");
            }
        }
    }
}
