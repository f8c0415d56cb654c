//! One function of the bitcode becomes code: numbers first, then instruction by instruction.
//!
//! What cannot be done becomes [`Operation::Unsupported`] at its place, and the rest goes on.

mod aggregate;
mod atomic;
mod bits;
mod call;
mod cast;
mod control;
mod expression;
mod intrinsic;
mod memory;
mod number;

use obligato_bytecode::{
    Binary, FloatBinary, FloatUnary, Function, Operation, Overflow, Register, registers_of_width,
};
use rustc_hash::FxHashMap;

use crate::Origin;
use crate::constants::Constants;
use crate::ir::{Block, Instruction, Kind, Opcode, Type, Value};
use crate::parts::Unsupported;
use crate::writer::Writer;

/// What most steps answer.
type Lowered = Result<(), Unsupported>;

/// A function on its way to code.
#[derive(Debug)]
struct Lowering<'c, 'b> {
    function: Value<'b>,
    constants: &'c mut Constants<'b>,
    writer: Writer,
    /// The first register of each value.
    homes: FxHashMap<Value<'b>, Register>,
    /// The numbers of the blocks.
    blocks: FxHashMap<Block<'b>, u32>,
    /// What phis take, by the block they are in and the block that one comes from.
    incoming: FxHashMap<(u32, u32), Vec<(Instruction<'b>, Value<'b>)>>,
    /// The ways between blocks that have copies to make, in the order of their blocks behind all others.
    edges: Vec<(u32, u32)>,
    edge_numbers: FxHashMap<(u32, u32), u32>,
    /// The positions of `Reserve`s by the register they write.
    reserves: FxHashMap<Register, u32>,
}

/// Lowers a function, whose declaration is given. The second answer says for each register which instruction
/// it is written by.
pub fn lower<'b>(
    constants: &mut Constants<'b>,
    value: Value<'b>,
    declared: Function,
) -> (Function, Vec<Option<Origin>>) {
    let mut lowering = Lowering {
        function: value,
        constants,
        writer: Writer::new(declared),
        homes: FxHashMap::default(),
        blocks: value.blocks().zip(0..).collect(),
        incoming: FxHashMap::default(),
        edges: Vec::new(),
        edge_numbers: FxHashMap::default(),
        reserves: FxHashMap::default(),
    };
    let mut origins = lowering.number(value);
    for (number, block) in value.blocks().enumerate() {
        for instruction in block.instructions() {
            lowering.instruction(number as u32, instruction);
        }
        lowering.writer.end_block();
    }
    lowering.write_edges();
    origins.resize(lowering.writer.registers() as usize, None);
    let function = lowering.writer.finish();
    let mut all = vec![None; function.constants.len()];
    all.append(&mut origins);
    (function, all)
}

impl<'b> Lowering<'_, 'b> {
    /// Gives parameters and the values of instructions their registers, and collects what phis take.
    fn number(&mut self, function: Value<'b>) -> Vec<Option<Origin>> {
        let mut origins = Vec::new();
        for parameter in function.parameters() {
            let count = self.constants.parts.count(parameter.type_());
            self.give_home(parameter, count);
            origins.resize(origins.len() + count as usize, None);
        }
        let blocks = function.blocks().zip(0..);
        let instructions = blocks.flat_map(|(block, number)| {
            block.instructions().map(move |instruction| (number, instruction))
        });
        let real = instructions.filter(|(_, instruction)| !instruction.is_debug_record());
        for (ordinal, (block, instruction)) in real.enumerate() {
            let count = match instruction.known_test() {
                Some(_) => 1,
                None => self.constants.parts.count(instruction.value().type_()),
            };
            self.give_home(instruction.value(), count);
            let origin = |part| Some(Origin { instruction: ordinal as u32, part });
            origins.extend((0..count).map(origin));
            if instruction.opcode() == Opcode::LLVMPHI {
                self.collect_incoming(block, instruction);
            }
        }
        origins
    }

    fn give_home(&mut self, value: Value<'b>, count: u32) {
        let home = self.writer.fresh(count);
        self.homes.insert(value, home);
    }

    /// The register where a value starts that an instruction computes.
    fn home(&self, instruction: Instruction<'b>) -> Register {
        self.homes[&instruction.value()]
    }

    /// The register where an operand starts.
    fn operand(&mut self, value: Value<'b>) -> Result<Register, Unsupported> {
        self.constants.parts.parts(value.type_())?;
        match value.kind() {
            Kind::Argument | Kind::Instruction => Ok(self.homes[&value]),
            _ if expression::is_number(value) => self.expression(value),
            _ => {
                let words = self.constants.words(value)?;
                Ok(self.writer.constant(&words))
            }
        }
    }

    /// The registers of an operand, one for each part.
    fn operand_parts(&mut self, value: Value<'b>) -> Result<Vec<Register>, Unsupported> {
        let first = self.operand(value)?;
        Ok(neighbours(first, self.constants.parts.count(value.type_())).collect())
    }

    /// How many registers a value takes.
    fn count(&mut self, of: Type<'b>) -> Result<u32, Unsupported> {
        Ok(self.constants.parts.parts(of)?.len() as u32)
    }

    /// Copies registers one by one.
    fn copy(&mut self, to: Register, from: Register, count: u32) {
        for (to, from) in neighbours(to, count).zip(neighbours(from, count)) {
            self.writer.emit(Operation::Move { to, from });
        }
    }

    /// Writes an instruction, or that it is not supported.
    fn instruction(&mut self, block: u32, instruction: Instruction<'b>) {
        let position = self.writer.position();
        self.writer.place = instruction.place();
        self.fail_where_meaningless(instruction);
        let lowered = self.refuse_unlinked(instruction);
        if let Err(Unsupported(text)) =
            lowered.and_then(|()| self.lower_instruction(block, instruction))
        {
            self.writer.take_back(position);
            let transfers = transfers_control(instruction);
            self.writer.emit_unsupported(text, transfers);
        }
    }

    /// A use of what LLVM has folded to a number without a meaning is a division by zero, or as bad.
    fn fail_where_meaningless(&mut self, instruction: Instruction<'b>) {
        let uses = matches!(
            instruction.opcode(),
            Opcode::LLVMStore
                | Opcode::LLVMRet
                | Opcode::LLVMICmp
                | Opcode::LLVMCall
                | Opcode::LLVMSwitch
                | Opcode::LLVMBr
        ) || binary_of(instruction.opcode()).is_some()
            || is_resize(instruction.opcode());
        if uses && instruction.value().operands().any(Value::is_meaningless_number) {
            let (left, right) = (self.writer.constant(&[1]), self.writer.constant(&[0]));
            let to = self.writer.fresh(1);
            let overflow = Overflow { signed: false, unsigned: false };
            self.write_binary(Binary::DivideSigned, overflow, 32, [to, left, right]);
        }
    }

    fn lower_instruction(&mut self, block: u32, instruction: Instruction<'b>) -> Lowered {
        let opcode = instruction.opcode();
        if (binary_of(opcode).is_some() || is_resize(opcode))
            && let Some(lowered) = self.long_integer(instruction)
        {
            return lowered;
        }
        if let Some(op) = binary_of(opcode) {
            return self.binary(instruction, op);
        }
        if let Some(op) = float_binary_of(opcode) {
            return self.float_binary(instruction, op);
        }
        match opcode {
            Opcode::LLVMFNeg => self.float_unary(instruction, FloatUnary::Negate),
            Opcode::LLVMICmp => self.compare(instruction),
            Opcode::LLVMFCmp => self.float_compare(instruction),
            Opcode::LLVMAlloca => self.reserve(instruction),
            Opcode::LLVMLoad => self.load(instruction),
            Opcode::LLVMStore => self.store(instruction),
            Opcode::LLVMGetElementPtr => self.element_pointer(instruction),
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(instruction),
            Opcode::LLVMAtomicRMW => self.read_modify_write(instruction),
            // There is one thread; what phis do is done on the way to them.
            Opcode::LLVMFence | Opcode::LLVMPHI => Ok(()),
            Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMFPToUI
            | Opcode::LLVMFPToSI
            | Opcode::LLVMUIToFP
            | Opcode::LLVMSIToFP
            | Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr => self.cast(instruction),
            Opcode::LLVMBitCast => self.bit_cast(instruction),
            Opcode::LLVMFreeze => self.freeze(instruction),
            Opcode::LLVMSelect => self.select(instruction),
            Opcode::LLVMExtractValue => self.extract_value(instruction),
            Opcode::LLVMInsertValue => self.insert_value(instruction),
            Opcode::LLVMExtractElement => self.extract_element(instruction),
            Opcode::LLVMInsertElement => self.insert_element(instruction),
            Opcode::LLVMShuffleVector => self.shuffle(instruction),
            Opcode::LLVMCall => self.call(instruction),
            Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMRet
            | Opcode::LLVMUnreachable => self.leave(block, instruction),
            other => {
                let name = format!("{other:?}").replacen("LLVM", "", 1);
                Err(Unsupported(format!("the instruction {name}")))
            }
        }
    }

    /// The value of an instruction is that of an operand of the same type.
    fn copy_operand(&mut self, instruction: Instruction<'b>, operand: Value<'b>) -> Lowered {
        let count = self.count(operand.type_())?;
        let from = self.operand(operand)?;
        self.copy(self.home(instruction), from, count);
        Ok(())
    }

    /// What the linker may replace, and no pointer of the driver leads to, has no meaning in the unit alone.
    fn refuse_unlinked(&self, instruction: Instruction<'b>) -> Lowered {
        let unlinked = &self.constants.symbols.unlinked;
        if unlinked.is_empty() || self.function.name().starts_with("obligato_") {
            return Ok(());
        }
        let mut open: Vec<Value<'b>> = instruction.value().operands().collect();
        while let Some(next) = open.pop() {
            if unlinked.contains(&next) {
                return Err(Unsupported(format!(
                    "'{}', for which programs may be linked with something else",
                    next.name()
                )));
            }
            if matches!(next.kind(), Kind::Expression | Kind::Aggregate) {
                open.extend(next.operands());
            }
        }
        Ok(())
    }

    /// Of a value without a meaning it makes any one.
    fn freeze(&mut self, instruction: Instruction<'b>) -> Lowered {
        let operand = instruction.operand(0);
        if operand.is_undefined() {
            return Err(Unsupported("a value that may be anything".to_owned()));
        }
        self.copy_operand(instruction, operand)
    }
}

/// Instructions of assembly that go on behind themselves, whatever the machine.
const STRAIGHT_ON: &[&str] = &[
    "cli", "cpsid", "cpsie", "dmb", "dsb", "isb", "lfence", "mfence", "nop", "pause", "sei", "sev",
    "sfence", "sti", "wfe", "wfi", "yield",
];

/// May control go elsewhere than behind an instruction, as far as can be told without its support?
fn transfers_control(instruction: Instruction<'_>) -> bool {
    match instruction.opcode() {
        Opcode::LLVMCall => match instruction.assembly() {
            Some((text, _)) => !goes_straight_on(&text),
            None => instruction.called_intrinsic().is_none_or(|name| name.starts_with("llvm.eh.")),
        },
        opcode => ends_block(opcode),
    }
}

/// Does control reach the end of this assembly?
fn goes_straight_on(text: &str) -> bool {
    let mut lines = text.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
    lines.all(|line| {
        let name = line.split_whitespace().next().unwrap_or_default();
        STRAIGHT_ON.contains(&name.to_ascii_lowercase().as_str())
    })
}

/// Does an instruction end its block?
fn ends_block(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMRet
            | Opcode::LLVMUnreachable
            | Opcode::LLVMInvoke
            | Opcode::LLVMCallBr
            | Opcode::LLVMResume
            | Opcode::LLVMCleanupRet
            | Opcode::LLVMCatchRet
            | Opcode::LLVMCatchSwitch
    )
}

/// Registers from one on.
fn neighbours(first: Register, count: u32) -> impl Iterator<Item = Register> {
    (first.0..first.0 + count).map(Register)
}

/// The register some places behind another.
fn behind(first: Register, distance: u32) -> Register {
    Register(first.0 + distance)
}

fn is_wide(width: u8) -> bool {
    registers_of_width(width) > 1
}

fn is_resize(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt)
}

fn binary_of(opcode: Opcode) -> Option<Binary> {
    Some(match opcode {
        Opcode::LLVMAdd => Binary::Add,
        Opcode::LLVMSub => Binary::Subtract,
        Opcode::LLVMMul => Binary::Multiply,
        Opcode::LLVMUDiv => Binary::DivideUnsigned,
        Opcode::LLVMSDiv => Binary::DivideSigned,
        Opcode::LLVMURem => Binary::RemainderUnsigned,
        Opcode::LLVMSRem => Binary::RemainderSigned,
        Opcode::LLVMShl => Binary::ShiftLeft,
        Opcode::LLVMLShr => Binary::ShiftRightUnsigned,
        Opcode::LLVMAShr => Binary::ShiftRightSigned,
        Opcode::LLVMAnd => Binary::And,
        Opcode::LLVMOr => Binary::Or,
        Opcode::LLVMXor => Binary::Xor,
        _ => return None,
    })
}

fn float_binary_of(opcode: Opcode) -> Option<FloatBinary> {
    Some(match opcode {
        Opcode::LLVMFAdd => FloatBinary::Add,
        Opcode::LLVMFSub => FloatBinary::Subtract,
        Opcode::LLVMFMul => FloatBinary::Multiply,
        Opcode::LLVMFDiv => FloatBinary::Divide,
        Opcode::LLVMFRem => FloatBinary::Remainder,
        _ => return None,
    })
}
