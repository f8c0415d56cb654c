//! Values: constants, globals, functions, arguments, results of instructions.

use std::ffi::c_char;
use std::marker::PhantomData;
use std::{iter, ptr};

use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::LLVMValueKind as Raw;
use llvm_sys::core::{
    LLVMAliasGetAliasee, LLVMConstBitCast, LLVMConstIntGetZExtValue, LLVMCountBasicBlocks,
    LLVMCountParams, LLVMGetAggregateElement, LLVMGetAlignment, LLVMGetAsString,
    LLVMGetBlockAddressBasicBlock, LLVMGetBlockAddressFunction, LLVMGetConstOpcode,
    LLVMGetEnumAttributeAtIndex, LLVMGetEnumAttributeKindForName, LLVMGetFirstBasicBlock,
    LLVMGetGEPSourceElementType, LLVMGetInitializer, LLVMGetIntrinsicID, LLVMGetNextBasicBlock,
    LLVMGetNumOperands, LLVMGetOperand, LLVMGetParam, LLVMGetStringAttributeAtIndex,
    LLVMGetStringAttributeValue, LLVMGetTypeContext, LLVMGetValueKind, LLVMGetValueName2,
    LLVMGlobalGetValueType, LLVMIntTypeInContext, LLVMIntrinsicGetName, LLVMIsAInstruction,
    LLVMIsAUser, LLVMIsConstantString, LLVMIsGlobalConstant, LLVMPrintValueToString, LLVMTypeOf,
};
use llvm_sys::prelude::LLVMValueRef;

use super::bitcode::non_null;
use super::text::{copy_text, take_message};
use super::{Bitcode, Block, Instruction, Layout, Opcode, Shape, Type};

/// A value of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value<'b> {
    raw: LLVMValueRef,
    bitcode: PhantomData<&'b Bitcode>,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A parameter of a function.
    Argument,
    /// What an instruction computes.
    Instruction,
    /// A function.
    Function,
    /// A global variable.
    Global,
    /// Another name of a global or function.
    Alias,
    /// The address of a label.
    BlockAddress,
    /// A constant that is computed from others.
    Expression,
    /// An array, structure or vector of constants.
    Aggregate,
    /// All zero, or of no defined value, which is as good.
    Zero,
    /// An integer.
    Integer,
    /// A float.
    Float,
    /// Inline assembly.
    Assembly,
    /// Anything else.
    Other,
}

impl<'b> Value<'b> {
    /// `raw` is a value of the module that lives for `'b`.
    pub(super) fn new(raw: LLVMValueRef) -> Self {
        Self { raw, bitcode: PhantomData }
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        // SAFETY: alive.
        match unsafe { LLVMGetValueKind(self.raw) } {
            Raw::LLVMArgumentValueKind => Kind::Argument,
            // LLVM answers so for everything that it has no other word for.
            // SAFETY: alive.
            Raw::LLVMInstructionValueKind if !unsafe { LLVMIsAInstruction(self.raw) }.is_null() => {
                Kind::Instruction
            }
            Raw::LLVMFunctionValueKind => Kind::Function,
            Raw::LLVMGlobalVariableValueKind => Kind::Global,
            Raw::LLVMGlobalAliasValueKind => Kind::Alias,
            Raw::LLVMBlockAddressValueKind => Kind::BlockAddress,
            Raw::LLVMConstantExprValueKind => Kind::Expression,
            Raw::LLVMConstantArrayValueKind
            | Raw::LLVMConstantStructValueKind
            | Raw::LLVMConstantVectorValueKind
            | Raw::LLVMConstantDataArrayValueKind
            | Raw::LLVMConstantDataVectorValueKind => Kind::Aggregate,
            Raw::LLVMUndefValueValueKind
            | Raw::LLVMPoisonValueKind
            | Raw::LLVMConstantAggregateZeroValueKind
            | Raw::LLVMConstantPointerNullValueKind => Kind::Zero,
            Raw::LLVMConstantIntValueKind => Kind::Integer,
            Raw::LLVMConstantFPValueKind => Kind::Float,
            Raw::LLVMInlineAsmValueKind => Kind::Assembly,
            _ => Kind::Other,
        }
    }

    /// Is it a number that C gives no meaning? LLVM folds `3 % 0` and `INT_MIN / -1` to it.
    pub fn is_meaningless_number(self) -> bool {
        // SAFETY: alive.
        let kind = unsafe { LLVMGetValueKind(self.raw) };
        kind == Raw::LLVMPoisonValueKind && matches!(self.type_().shape(), Shape::Integer(_))
    }

    /// Has it no defined value?
    pub fn is_undefined(self) -> bool {
        // SAFETY: alive.
        let kind = unsafe { LLVMGetValueKind(self.raw) };
        matches!(kind, Raw::LLVMPoisonValueKind | Raw::LLVMUndefValueValueKind)
    }

    /// The instruction that computes it, if one does.
    pub fn instruction(self) -> Option<Instruction<'b>> {
        (self.kind() == Kind::Instruction).then(|| Instruction::new(self.raw))
    }

    /// Its type.
    pub fn type_(self) -> Type<'b> {
        // SAFETY: alive.
        Type::new(unsafe { LLVMTypeOf(self.raw) })
    }

    /// Its name, without the mark that says that it is to be taken literally.
    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: alive, and the text belongs to the module.
        let name = unsafe { copy_text(LLVMGetValueName2(self.raw, &raw mut length), length) };
        name.strip_prefix('\u{1}').map(str::to_owned).unwrap_or(name)
    }

    /// May the code generator use a feature of the machine, as `+fma`, in a function?
    pub fn has_target_feature(self, feature: &str) -> bool {
        assert_eq!(self.kind(), Kind::Function, "asked of a function");
        let name = "target-features";
        // SAFETY: alive, and a function; the text belongs to the module.
        let features = unsafe {
            let text = name.as_ptr().cast();
            let attribute = LLVMGetStringAttributeAtIndex(
                self.raw,
                LLVMAttributeFunctionIndex,
                text,
                name.len() as u32,
            );
            if attribute.is_null() {
                return false;
            }
            let mut length = 0;
            let value = LLVMGetStringAttributeValue(attribute, &raw mut length);
            copy_text(value, length as usize)
        };
        features.split(',').any(|one| one == feature)
    }

    /// How many operands it has, if it is an instruction or a constant that has some.
    pub fn operand_count(self) -> u32 {
        // SAFETY: alive, and asked only when it is something with operands.
        let count = unsafe {
            if LLVMIsAUser(self.raw).is_null() { 0 } else { LLVMGetNumOperands(self.raw) }
        };
        u32::try_from(count).unwrap_or(0)
    }

    /// Its operands.
    pub fn operands(self) -> impl Iterator<Item = Self> {
        // SAFETY: alive, and it has that operand.
        (0..self.operand_count())
            .map(move |index| Self::new(unsafe { LLVMGetOperand(self.raw, index) }))
    }

    /// The words of an integer, the low one first, as many as its width needs.
    pub fn integer_words(self) -> Vec<u64> {
        assert!(self.kind() == Kind::Integer, "it is an integer");
        let Shape::Integer(width) = self.type_().shape() else { return Vec::new() };
        if width <= 64 {
            // SAFETY: alive, and an integer that fits.
            return vec![unsafe { LLVMConstIntGetZExtValue(self.raw) }];
        }
        // The interface has no other way to more than 64 bits than the text: `i128 -5`.
        let text = self.to_string();
        parse_words(text.rsplit(' ').next().unwrap_or_default(), width)
    }

    /// The bits of a float, in words.
    pub fn float_words(self, layout: Layout<'b>) -> Vec<u64> {
        assert!(self.kind() == Kind::Float, "it is a float");
        let bits = u32::try_from(layout.bits(self.type_())).unwrap_or(u32::MAX);
        // SAFETY: alive; a float is folded to an integer of as many bits.
        Self::new(unsafe {
            let context = LLVMGetTypeContext(self.type_().raw());
            LLVMConstBitCast(self.raw, LLVMIntTypeInContext(context, bits))
        })
        .integer_words()
    }

    /// The elements or fields of an aggregate.
    pub fn elements(self) -> impl DoubleEndedIterator<Item = Self> {
        assert!(self.kind() == Kind::Aggregate, "it is an aggregate");
        let count = match self.type_().shape() {
            Shape::Structure(count) | Shape::Vector(count) => count,
            Shape::Array(count) => u32::try_from(count).unwrap_or(u32::MAX),
            _ => 0,
        };
        // SAFETY: alive, and it has that element.
        (0..count).map(move |index| Self::new(unsafe { LLVMGetAggregateElement(self.raw, index) }))
    }

    /// The bytes of an aggregate, if it is an array of them.
    pub fn byte_string(self) -> Option<&'b [u8]> {
        assert!(self.kind() == Kind::Aggregate, "it is an aggregate");
        let mut length = 0;
        // SAFETY: alive; the question is allowed for constant data, and else not asked.
        unsafe {
            let data = LLVMGetValueKind(self.raw) == Raw::LLVMConstantDataArrayValueKind;
            if !data || LLVMIsConstantString(self.raw) == 0 {
                return None;
            }
            let start = LLVMGetAsString(self.raw, &raw mut length);
            // The bytes belong to the context, which outlives `'b`.
            Some(std::slice::from_raw_parts(start.cast::<u8>(), length))
        }
    }

    /// What a constant expression computes.
    pub fn expression_opcode(self) -> Opcode {
        assert!(self.kind() == Kind::Expression, "it is an expression");
        // SAFETY: alive, and an expression.
        unsafe { LLVMGetConstOpcode(self.raw) }
    }

    /// The type that the indices of a constant `getelementptr` walk through.
    pub fn element_pointer_source(self) -> Type<'b> {
        assert!(self.expression_opcode() == Opcode::LLVMGetElementPtr, "it is one");
        // SAFETY: alive, and a `getelementptr`.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Self {
        assert!(self.kind() == Kind::Alias, "it is an alias");
        // SAFETY: alive, and an alias.
        Self::new(unsafe { LLVMAliasGetAliasee(self.raw) })
    }

    /// The function and the block that the address of a label means.
    pub fn labelled_block(self) -> (Self, Block<'b>) {
        assert!(self.kind() == Kind::BlockAddress, "it is the address of a label");
        // SAFETY: alive, and the address of a block.
        unsafe {
            let block = Block::new(LLVMGetBlockAddressBasicBlock(self.raw));
            (Self::new(LLVMGetBlockAddressFunction(self.raw)), block)
        }
    }

    /// What a global starts with, unless it is only declared.
    pub fn initializer(self) -> Option<Self> {
        assert!(self.kind() == Kind::Global, "it is a global");
        // SAFETY: alive, and a global variable.
        non_null(unsafe { LLVMGetInitializer(self.raw) }).map(Self::new)
    }

    /// Must a global not be written to?
    pub fn is_constant_global(self) -> bool {
        assert!(self.kind() == Kind::Global, "it is a global");
        // SAFETY: alive, and a global variable.
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// The alignment that is written at a global, if one is.
    pub fn alignment_of_global(self) -> Option<u32> {
        assert!(self.kind() == Kind::Global, "it is a global");
        // SAFETY: alive, and a global variable.
        let alignment = unsafe { LLVMGetAlignment(self.raw) };
        (alignment > 0).then_some(alignment)
    }

    /// The type of the object that a global is, or of a function.
    pub fn content(self) -> Type<'b> {
        assert!(matches!(self.kind(), Kind::Global | Kind::Function), "it has a content");
        // SAFETY: alive, and a global value.
        Type::new(unsafe { LLVMGlobalGetValueType(self.raw) })
    }

    /// The name that LLVM has for an intrinsic, without the types behind it: `llvm.memcpy`.
    pub fn intrinsic(self) -> Option<&'static str> {
        if self.kind() != Kind::Function {
            return None;
        }
        let mut length = 0;
        // SAFETY: alive, and a function; names of intrinsics are static texts in ASCII.
        unsafe {
            let id = LLVMGetIntrinsicID(self.raw);
            if id == 0 {
                return None;
            }
            let start: *const c_char = LLVMIntrinsicGetName(id, &raw mut length);
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length);
            std::str::from_utf8(bytes).ok()
        }
    }

    /// Does a function have an attribute of this name?
    pub fn has_attribute(self, name: &str) -> bool {
        assert!(self.kind() == Kind::Function, "it is a function");
        // SAFETY: alive, and a function; the name is as long as it says.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let index = LLVMAttributeFunctionIndex;
            !LLVMGetEnumAttributeAtIndex(self.raw, index, kind).is_null()
        }
    }

    /// The parameters of a function.
    pub fn parameters(self) -> impl Iterator<Item = Self> {
        assert!(self.kind() == Kind::Function, "it is a function");
        // SAFETY: alive, and a function.
        let count = unsafe { LLVMCountParams(self.raw) };
        // SAFETY: as above, and it has that parameter.
        (0..count).map(move |index| Self::new(unsafe { LLVMGetParam(self.raw, index) }))
    }

    /// The blocks of a function in their order.
    pub fn blocks(self) -> impl Iterator<Item = Block<'b>> {
        assert!(self.kind() == Kind::Function, "it is a function");
        // SAFETY: alive, and a function; LLVM answers with null when there is no block.
        let first = unsafe {
            if LLVMCountBasicBlocks(self.raw) == 0 {
                ptr::null_mut()
            } else {
                LLVMGetFirstBasicBlock(self.raw)
            }
        };
        // SAFETY: each is a block of a living function.
        iter::successors(non_null(first), |raw| non_null(unsafe { LLVMGetNextBasicBlock(*raw) }))
            .map(Block::new)
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.raw
    }
}

impl std::fmt::Display for Value<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: alive; the text is ours to free.
        out.write_str(&unsafe { take_message(LLVMPrintValueToString(self.raw)) })
    }
}

/// A decimal number in two's complement, cut to `width` bits.
fn parse_words(text: &str, width: u32) -> Vec<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let mut words = vec![0_u64; width.div_ceil(64) as usize];
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        let mut carry = u128::from(digit - b'0');
        for word in &mut words {
            carry += u128::from(*word) * 10;
            *word = carry as u64;
            carry >>= 64;
        }
    }
    if negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    if let (Some(last), 1..) = (words.last_mut(), width % 64) {
        *last &= (1 << (width % 64)) - 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::parse_words;

    #[test]
    fn long_numbers_are_read_from_their_text() {
        assert_eq!(parse_words("18446744073709551617", 128), [1, 1]);
        assert_eq!(parse_words("-1", 80), [u64::MAX, 0xFFFF]);
        assert_eq!(parse_words("-18446744073709551616", 128), [0, u64::MAX]);
        assert_eq!(parse_words("0", 256), [0; 4]);
    }
}
