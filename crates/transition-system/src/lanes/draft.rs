//! From terms to instructions over virtual registers, each written once.
//!
//! Every live node becomes a literal: a register, read as it is or negated.
//! Negations, casts that change no bits and taps that are never forced need no
//! instruction at all.

use obligato_model::{Signedness, Value};

use super::instruction::{
    Arithmetic, Bitwise, BoolOperation, Comparison, File, Operation, RealOperation, WordOperation,
};
use super::number;
use super::program::Taps;
use crate::graph::Graph;
use crate::sort::{Machine, Sort};
use crate::term::{Binary, NodeId, Term, Unary};

/// A virtual register.
pub(super) type Register = u32;

/// No register: an operand that the operation does not read.
pub(super) const NOTHING: Register = u32::MAX;

/// A register, perhaps negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub register: Register,
    pub inverted: bool,
}

/// An instruction over virtual registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draft {
    pub operation: Operation,
    pub to: Register,
    pub a: Register,
    pub b: Register,
    pub test: Register,
}

impl Draft {
    /// The registers that it reads.
    pub fn sources(&self) -> impl Iterator<Item = Register> + use<> {
        [self.a, self.b, self.test].into_iter().filter(|register| *register != NOTHING)
    }
}

/// The registers that force a tap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forcing {
    pub mask: Register,
    pub value: Register,
}

/// A graph as instructions.
#[derive(Debug)]
pub(super) struct Drafts {
    /// The file of each virtual register.
    pub files: Vec<File>,
    /// In the order of the graph.
    pub code: Vec<Draft>,
    /// What each live node is.
    pub literals: Vec<Option<Literal>>,
    /// Registers that never change, with what they hold.
    pub constants: Vec<(Register, Sort, Value)>,
    pub forcings: Vec<Option<Forcing>>,
    /// Is there a constant that no register can hold?
    pub outsized: bool,
    never: Option<Register>,
}

impl Drafts {
    /// The instructions for the nodes marked in `live`.
    pub fn new(graph: &Graph, live: &[bool], taps: Taps) -> Self {
        let mut drafts = Self {
            files: Vec::new(),
            code: Vec::new(),
            literals: vec![None; graph.len()],
            constants: Vec::new(),
            forcings: vec![None; graph.taps().len()],
            outsized: false,
            never: None,
        };
        for node in graph.nodes().filter(|node| live[node.index()]) {
            let literal = drafts.translate(graph, node, taps);
            drafts.literals[node.index()] = Some(literal);
        }
        drafts
    }

    /// The literal of a live node.
    pub fn literal(&self, node: NodeId) -> Literal {
        self.literals[node.index()].expect("invariant: the node is live and was translated")
    }

    /// A new register.
    pub fn register(&mut self, file: File) -> Register {
        self.files.push(file);
        self.files.len() as Register - 1
    }

    /// Copies a literal into a register of its own.
    pub fn copy(&mut self, from: Literal, to: Register) {
        let operation = match self.files[to as usize] {
            File::Bool if from.inverted => Operation::Bool(BoolOperation::Not),
            File::Bool => Operation::Bool(BoolOperation::Copy),
            File::Word => Operation::Word(WordOperation::Copy),
            File::Real => Operation::Real(RealOperation::Copy),
        };
        self.code.push(Draft { operation, to, a: from.register, b: NOTHING, test: NOTHING });
    }

    fn translate(&mut self, graph: &Graph, node: NodeId, taps: Taps) -> Literal {
        let sort = graph.sort(node);
        match graph.term(node) {
            Term::Constant(id) => self.constant(sort, graph.constant_value(id)),
            Term::Input(_) | Term::Latch(_) => self.leaf(file_of(sort)),
            Term::Unary(operation, a) => self.unary(operation, graph.sort(a), self.literal(a)),
            Term::Binary(operation, a, b) => {
                self.binary(operation, graph.sort(a), self.literal(a), self.literal(b))
            }
            Term::Ite(test, a, b) => {
                self.select(file_of(sort), self.literal(test), self.literal(a), self.literal(b))
            }
            Term::Tap(_, a) if taps != Taps::Force => self.literal(a),
            Term::Tap(tap, a) => {
                let (mask, value) = (self.leaf(File::Bool), self.leaf(file_of(sort)));
                let forcing = Forcing { mask: mask.register, value: value.register };
                self.forcings[tap.index()] = Some(forcing);
                self.select(file_of(sort), mask, value, self.literal(a))
            }
        }
    }

    fn leaf(&mut self, file: File) -> Literal {
        Literal { register: self.register(file), inverted: false }
    }

    fn constant(&mut self, sort: Sort, value: &Value) -> Literal {
        if let Value::Bool(inverted) = value {
            let register = match self.never {
                Some(register) => register,
                None => self.register(File::Bool),
            };
            if self.never.replace(register).is_none() {
                self.constants.push((register, Sort::Bool, Value::Bool(false)));
            }
            return Literal { register, inverted: *inverted };
        }
        let literal = self.leaf(file_of(sort));
        self.outsized |= !number::fits(sort, value);
        self.constants.push((literal.register, sort, value.clone()));
        literal
    }

    fn emit(&mut self, operation: Operation, a: Literal, b: Option<Literal>) -> Literal {
        let to = self.leaf(operation.result());
        let b = b.map_or(NOTHING, |b| b.register);
        self.code.push(Draft { operation, to: to.register, a: a.register, b, test: NOTHING });
        to
    }

    fn unary(&mut self, operation: Unary, operand: Sort, a: Literal) -> Literal {
        let arithmetic = Arithmetic::Negate;
        let word = match (operation, operand) {
            (Unary::Not, _) => return negated(a),
            (Unary::Negate, Sort::Real) => {
                return self.emit(Operation::Real(RealOperation::Negate), a, None);
            }
            (Unary::IntToReal, _) => return self.emit(Operation::WordToReal, a, None),
            (Unary::RealToInt, _) => return self.emit(Operation::RealToWord, a, None),
            (Unary::Negate, Sort::Machine(machine)) => WordOperation::Machine(machine, arithmetic),
            (Unary::Negate, _) => WordOperation::Int(arithmetic),
            (Unary::BitNot, Sort::Machine(machine)) => WordOperation::Bits(machine, Bitwise::Not),
            (Unary::MachineToInt, Sort::Machine(machine)) if is_uint64(machine) => {
                WordOperation::UnsignedToInt
            }
            (Unary::Wrap(to), Sort::Machine(from)) if includes(to, from) => return a,
            (Unary::Wrap(machine), _) => WordOperation::Wrap(machine),
            (Unary::MachineToInt | Unary::BitNot, _) => return a,
        };
        self.emit(Operation::Word(word), a, None)
    }

    fn binary(&mut self, operation: Binary, operands: Sort, a: Literal, b: Literal) -> Literal {
        match (operation, operands) {
            (Binary::And, _) => self.and(a, b),
            // De Morgan.
            (Binary::Or, _) => negated(self.and(negated(a), negated(b))),
            (Binary::Xor, _) => self.xor(a, b),
            (Binary::Equal, Sort::Bool) => negated(self.xor(a, b)),
            (Binary::Equal | Binary::Less | Binary::LessEqual, _) => {
                let comparison = comparison(operation, operands);
                let operation = match operands {
                    Sort::Real => Operation::CompareReals(comparison),
                    _ => Operation::CompareWords(comparison),
                };
                self.emit(operation, a, Some(b))
            }
            (_, Sort::Real) => self.emit(Operation::Real(real(operation)), a, Some(b)),
            (_, Sort::Machine(machine)) => {
                let word = match bitwise(operation) {
                    Some(bitwise) => WordOperation::Bits(machine, bitwise),
                    None => WordOperation::Machine(machine, arithmetic(operation)),
                };
                self.emit(Operation::Word(word), a, Some(b))
            }
            _ => {
                let word = WordOperation::Int(arithmetic(operation));
                self.emit(Operation::Word(word), a, Some(b))
            }
        }
    }

    fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (operation, a, b) = match (a.inverted, b.inverted) {
            (false, false) => (BoolOperation::And, a, b),
            (false, true) => (BoolOperation::AndNot, a, b),
            (true, false) => (BoolOperation::AndNot, b, a),
            (true, true) => (BoolOperation::Nor, a, b),
        };
        self.emit(Operation::Bool(operation), a, Some(b))
    }

    fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let result = self.emit(Operation::Bool(BoolOperation::Xor), a, Some(b));
        Literal { inverted: a.inverted ^ b.inverted, ..result }
    }

    fn select(&mut self, file: File, test: Literal, a: Literal, b: Literal) -> Literal {
        let (a, b) = if test.inverted { (b, a) } else { (a, b) };
        // An arm that is negated alone is put first by negating the whole:
        // t ? a : !b = !(t ? !a : b).
        let inverted = b.inverted;
        let operation = match file {
            File::Bool if a.inverted != b.inverted => Operation::Bool(BoolOperation::SelectNot),
            File::Bool => Operation::Bool(BoolOperation::Select),
            File::Word => Operation::Word(WordOperation::Select),
            File::Real => Operation::Real(RealOperation::Select),
        };
        let to = self.register(file);
        let (a, b, test) = (a.register, b.register, test.register);
        self.code.push(Draft { operation, to, a, b, test });
        Literal { register: to, inverted }
    }
}

/// The file that holds values of a sort.
pub(super) fn file_of(sort: Sort) -> File {
    match sort {
        Sort::Bool => File::Bool,
        Sort::Int | Sort::Machine(_) => File::Word,
        Sort::Real => File::Real,
    }
}

fn negated(literal: Literal) -> Literal {
    Literal { inverted: !literal.inverted, ..literal }
}

fn is_uint64(machine: Machine) -> bool {
    machine.signedness() == Signedness::Unsigned && machine.bits() == 64
}

/// Is every value of the one sort also one of the other?
fn includes(to: Machine, from: Machine) -> bool {
    match (from.signedness(), to.signedness()) {
        (Signedness::Unsigned, Signedness::Signed) => from.bits() < to.bits(),
        (Signedness::Signed, Signedness::Unsigned) => false,
        _ => from.bits() <= to.bits(),
    }
}

fn comparison(operation: Binary, operands: Sort) -> Comparison {
    let unsigned = matches!(operands, Sort::Machine(machine) if is_uint64(machine));
    match operation {
        Binary::Less if unsigned => Comparison::LessUnsigned,
        Binary::Less => Comparison::Less,
        Binary::LessEqual if unsigned => Comparison::LessEqualUnsigned,
        Binary::LessEqual => Comparison::LessEqual,
        _ => Comparison::Equal,
    }
}

fn arithmetic(operation: Binary) -> Arithmetic {
    match operation {
        Binary::Add => Arithmetic::Add,
        Binary::Subtract => Arithmetic::Subtract,
        Binary::Multiply => Arithmetic::Multiply,
        Binary::Div => Arithmetic::Div,
        Binary::Mod => Arithmetic::Mod,
        _ => unreachable!("invariant: the graph checks sorts; {operation:?} of integers"),
    }
}

fn real(operation: Binary) -> RealOperation {
    match operation {
        Binary::Add => RealOperation::Add,
        Binary::Subtract => RealOperation::Subtract,
        Binary::Multiply => RealOperation::Multiply,
        Binary::Divide => RealOperation::Divide,
        _ => unreachable!("invariant: the graph checks sorts; {operation:?} of reals"),
    }
}

fn bitwise(operation: Binary) -> Option<Bitwise> {
    match operation {
        Binary::BitAnd => Some(Bitwise::And),
        Binary::BitOr => Some(Bitwise::Or),
        Binary::BitXor => Some(Bitwise::Xor),
        Binary::ShiftLeft => Some(Bitwise::ShiftLeft),
        Binary::ShiftRight => Some(Bitwise::ShiftRight),
        _ => None,
    }
}
