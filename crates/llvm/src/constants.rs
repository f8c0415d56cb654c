//! Constants as the words that registers hold, and as bytes in memory.
//!
//! Addresses of globals and functions are fixed, so that constant expressions over them are numbers.

use obligato_bytecode::Address;
use rustc_hash::FxHashMap;

use crate::element_pointer::{Step, sign_extended, steps};
use crate::ir::{Kind, Layout, Opcode, Shape, Value};
use crate::parts::{Part, PartTable, Unsupported, ensure_bytes};
use crate::symbols::Symbols;

/// What compilers ask about the machine that a program runs on: `__builtin_cpu_supports`.
const PROCESSOR: [&str; 2] = ["__cpu_model", "__cpu_features2"];

/// Folds constants of a module.
#[derive(Debug)]
pub struct Constants<'b> {
    /// How types lie in memory.
    pub layout: Layout<'b>,
    /// How values are spread over registers.
    pub parts: PartTable<'b>,
    /// Numbers and addresses.
    pub symbols: Symbols<'b>,
    known: FxHashMap<Value<'b>, u64>,
}

impl<'b> Constants<'b> {
    /// Has folded nothing yet.
    pub fn new(layout: Layout<'b>, parts: PartTable<'b>, symbols: Symbols<'b>) -> Self {
        Self { layout, parts, symbols, known: FxHashMap::default() }
    }

    /// What the registers of a constant hold. What is undefined is zero.
    pub fn words(&mut self, value: Value<'b>) -> Result<Vec<u64>, Unsupported> {
        self.parts.parts(value.type_())?;
        let mut words = Vec::new();
        let mut open = vec![value];
        while let Some(next) = open.pop() {
            match next.kind() {
                Kind::Aggregate => open.extend(next.elements().rev()),
                Kind::Zero => {
                    let count = self.parts.count(next.type_()) as usize;
                    words.resize(words.len() + count, 0);
                }
                Kind::Integer => words.extend(next.integer_words()),
                Kind::Float => words.extend(next.float_words(self.layout)),
                Kind::Expression if matches!(next.type_().shape(), Shape::Vector(_)) => {
                    words.extend(self.recast_vector(next)?);
                }
                _ => words.push(self.scalar(next)?),
            }
        }
        Ok(words)
    }

    /// A vector that is the bits of another constant: LLVM folds all but these.
    fn recast_vector(&mut self, value: Value<'b>) -> Result<Vec<u64>, Unsupported> {
        let source = value.operands().next().filter(|source| {
            value.expression_opcode() == Opcode::LLVMBitCast && source.kind() != Kind::Expression
        });
        let source = source.ok_or_else(|| unsupported("the constant", value))?;
        let words = self.words(source)?;
        let (from, to) = (self.parts.parts(source.type_())?, self.parts.parts(value.type_())?);
        let bits_of = |(word, part): (u64, &Part)| {
            let bits = u32::from(part.bits);
            (0..bits).map(move |bit| word >> bit & 1)
        };
        let mut bits = words.into_iter().zip(from.iter()).flat_map(bits_of);
        let take =
            |part: &Part| (0..part.bits).zip(&mut bits).fold(0, |word, (at, bit)| word | bit << at);
        Ok(to.iter().map(take).collect())
    }

    /// Writes a constant into the bytes of an object.
    pub fn write(&mut self, value: Value<'b>, bytes: &mut [u8]) -> Result<(), Unsupported> {
        let mut open = vec![(value, 0)];
        while let Some((next, offset)) = open.pop() {
            match next.kind() {
                Kind::Zero => {}
                Kind::Aggregate => match next.byte_string() {
                    Some(text) => put(bytes, offset, text),
                    None => open.extend(elements(self.layout, next, offset)),
                },
                Kind::Integer => self.put_words(bytes, offset, next, &next.integer_words()),
                Kind::Float => {
                    self.put_words(bytes, offset, next, &next.float_words(self.layout));
                }
                Kind::Expression if matches!(next.type_().shape(), Shape::Vector(_)) => {
                    ensure_bytes(self.layout, next.type_())?;
                    let words = self.recast_vector(next)?;
                    for (part, word) in self.parts.parts(next.type_())?.iter().zip(words) {
                        let text = &word.to_le_bytes()[..usize::from(part.size)];
                        put(bytes, offset + part.offset, text);
                    }
                }
                _ => {
                    let word = self.scalar(next)?;
                    self.put_words(bytes, offset, next, &[word]);
                }
            }
        }
        Ok(())
    }

    fn put_words(&self, bytes: &mut [u8], offset: u64, value: Value<'b>, words: &[u64]) {
        let size = self.layout.bits(value.type_()).div_ceil(8) as usize;
        let mut text: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        text.truncate(size);
        put(bytes, offset, &text);
    }

    /// A constant of one word. Expressions are folded from the leaves up, without recursion.
    fn scalar(&mut self, value: Value<'b>) -> Result<u64, Unsupported> {
        let mut open = vec![value];
        while let Some(next) = open.last().copied() {
            let inputs: Vec<_> = match next.kind() {
                Kind::Alias => vec![next.aliasee()],
                Kind::Expression => next.operands().collect(),
                _ => Vec::new(),
            };
            let missing = open.len();
            open.extend(inputs.into_iter().filter(|input| !self.known.contains_key(input)));
            if open.len() == missing {
                let word = self.fold(next)?;
                self.known.insert(next, word);
                open.pop();
            }
        }
        Ok(self.known[&value])
    }

    /// A constant whose inputs are known.
    fn fold(&mut self, value: Value<'b>) -> Result<u64, Unsupported> {
        let address = |found: Option<Address>| {
            found.map(|address| address.0).ok_or_else(|| unsupported("the address of", value))
        };
        match value.kind() {
            Kind::Global if PROCESSOR.contains(&value.name().as_str()) => {
                Err(Unsupported("a question what the processor can do".to_owned()))
            }
            Kind::Global | Kind::Function => address(self.symbols.address(value)),
            Kind::BlockAddress => {
                let (function, block) = value.labelled_block();
                address(self.symbols.address_of_block(function, block))
            }
            Kind::Alias => Ok(self.known[&value.aliasee()]),
            Kind::Integer if self.layout.bits(value.type_()) <= 64 => Ok(value.integer_words()[0]),
            Kind::Zero if !matches!(value.type_().shape(), Shape::Integer(65..)) => Ok(0),
            Kind::Expression => self.fold_expression(value),
            _ => Err(unsupported("the constant", value)),
        }
    }

    fn fold_expression(&mut self, value: Value<'b>) -> Result<u64, Unsupported> {
        let width = match value.type_().shape() {
            Shape::Integer(width @ 1..=64) => width,
            Shape::Pointer => 64,
            _ => return Err(unsupported("the constant", value)),
        };
        let inputs: Vec<_> = value.operands().map(|input| self.known[&input]).collect();
        let word = match (value.expression_opcode(), inputs.as_slice()) {
            (Opcode::LLVMGetElementPtr, [base, ..]) => {
                let indices = value.operands().skip(1);
                let steps = steps(self.layout, value.element_pointer_source(), indices)?;
                steps.iter().fold(*base, |address, step| match step {
                    Step::Bytes(offset) => address.wrapping_add_signed(*offset),
                    Step::Scaled { index, width, scale } => {
                        let count = sign_extended(self.known[index], *width);
                        address.wrapping_add_signed(count.wrapping_mul(scale.cast_signed()))
                    }
                })
            }
            (
                Opcode::LLVMBitCast
                | Opcode::LLVMAddrSpaceCast
                | Opcode::LLVMPtrToInt
                | Opcode::LLVMIntToPtr
                | Opcode::LLVMTrunc,
                [input],
            ) => *input,
            (Opcode::LLVMAdd, [left, right]) => left.wrapping_add(*right),
            (Opcode::LLVMSub, [left, right]) => left.wrapping_sub(*right),
            (Opcode::LLVMMul, [left, right]) => left.wrapping_mul(*right),
            (Opcode::LLVMXor, [left, right]) => left ^ right,
            _ => return Err(unsupported("the constant", value)),
        };
        Ok(if width == 64 { word } else { word & ((1 << width) - 1) })
    }
}

fn unsupported(what: &str, value: Value<'_>) -> Unsupported {
    // The text of something with a name is its whole definition.
    let name = value.name();
    Unsupported(if name.is_empty() { format!("{what} {value}") } else { format!("{what} {name}") })
}

/// Overwrites bytes at an offset. LLVM's layout says that they lie inside.
fn put(bytes: &mut [u8], offset: u64, text: &[u8]) {
    let start = offset as usize;
    bytes[start..start + text.len()].copy_from_slice(text);
}

/// The elements of an aggregate with their offsets.
pub fn elements<'b>(layout: Layout<'b>, whole: Value<'b>, offset: u64) -> Vec<(Value<'b>, u64)> {
    let type_ = whole.type_();
    let place = |index: usize| match type_.shape() {
        Shape::Structure(_) => layout.offset(type_, index as u32),
        Shape::Vector(_) => index as u64 * (layout.bits(type_.element()) / 8),
        _ => index as u64 * layout.size(type_.element()),
    };
    let elements = whole.elements().enumerate();
    elements.map(|(index, element)| (element, offset + place(index))).collect()
}
