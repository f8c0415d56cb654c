//! Types and how they lie in memory.

use std::marker::PhantomData;

use llvm_sys::LLVMTypeKind as Raw;
use llvm_sys::core::{
    LLVMCountParamTypes, LLVMCountStructElementTypes, LLVMGetArrayLength2, LLVMGetElementType,
    LLVMGetIntTypeWidth, LLVMGetParamTypes, LLVMGetPointerAddressSpace, LLVMGetReturnType,
    LLVMGetTypeKind, LLVMGetVectorSize, LLVMIsFunctionVarArg, LLVMPrintTypeToString,
    LLVMStructGetTypeAtIndex, LLVMTypeIsSized,
};
use llvm_sys::prelude::LLVMTypeRef;
use llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMByteOrder, LLVMByteOrdering,
    LLVMOffsetOfElement, LLVMPointerSize, LLVMSizeOfTypeInBits, LLVMTargetDataRef,
};

use super::Bitcode;
use super::text::take_message;

/// A type of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type<'b> {
    raw: LLVMTypeRef,
    bitcode: PhantomData<&'b Bitcode>,
}

/// What a type is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing.
    Void,
    /// An integer of this many bits.
    Integer(u32),
    /// `float`
    Single,
    /// `double`
    Double,
    /// Another kind of float, of this many bits.
    OtherFloat(u32),
    /// A pointer to the ordinary address space.
    Pointer,
    /// Fields, this many.
    Structure(u32),
    /// Elements, this many, each as large as an object of its type.
    Array(u64),
    /// Elements, this many, without gaps.
    Vector(u32),
    /// Something that C units do not compute with.
    Other,
}

impl Type<'_> {
    /// `raw` is a type of the module that lives for `'b`.
    pub(super) fn new(raw: LLVMTypeRef) -> Self {
        Self { raw, bitcode: PhantomData }
    }

    /// What it is made of.
    pub fn shape(self) -> Shape {
        // SAFETY: the type is alive, here and below; each question is asked of the kind it is for.
        match unsafe { LLVMGetTypeKind(self.raw) } {
            Raw::LLVMVoidTypeKind => Shape::Void,
            // SAFETY: as above.
            Raw::LLVMIntegerTypeKind => Shape::Integer(unsafe { LLVMGetIntTypeWidth(self.raw) }),
            Raw::LLVMFloatTypeKind => Shape::Single,
            Raw::LLVMDoubleTypeKind => Shape::Double,
            Raw::LLVMHalfTypeKind | Raw::LLVMBFloatTypeKind => Shape::OtherFloat(16),
            Raw::LLVMX86_FP80TypeKind => Shape::OtherFloat(80),
            Raw::LLVMFP128TypeKind => Shape::OtherFloat(128),
            // SAFETY: as above.
            Raw::LLVMPointerTypeKind if unsafe { LLVMGetPointerAddressSpace(self.raw) } == 0 => {
                Shape::Pointer
            }
            // SAFETY: as above.
            Raw::LLVMStructTypeKind if unsafe { LLVMTypeIsSized(self.raw) } != 0 => {
                // SAFETY: as above.
                Shape::Structure(unsafe { LLVMCountStructElementTypes(self.raw) })
            }
            // SAFETY: as above.
            Raw::LLVMArrayTypeKind => Shape::Array(unsafe { LLVMGetArrayLength2(self.raw) }),
            // SAFETY: as above.
            Raw::LLVMVectorTypeKind => Shape::Vector(unsafe { LLVMGetVectorSize(self.raw) }),
            _ => Shape::Other,
        }
    }

    /// The type of the elements of an array or vector.
    pub fn element(self) -> Self {
        assert!(matches!(self.shape(), Shape::Array(_) | Shape::Vector(_)), "it has elements");
        // SAFETY: alive, and it has elements.
        Self::new(unsafe { LLVMGetElementType(self.raw) })
    }

    /// The type of a field of a structure.
    pub fn field(self, index: u32) -> Self {
        assert!(matches!(self.shape(), Shape::Structure(fields) if index < fields), "it has it");
        // SAFETY: alive, and it has that field.
        Self::new(unsafe { LLVMStructGetTypeAtIndex(self.raw, index) })
    }

    /// The type of an element or field of an aggregate.
    pub fn part(self, index: u32) -> Self {
        if matches!(self.shape(), Shape::Structure(_)) { self.field(index) } else { self.element() }
    }

    /// The types of the parameters of a function.
    pub fn parameters(self) -> Vec<Self> {
        self.assert_function();
        // SAFETY: alive, and of a function.
        let count = unsafe { LLVMCountParamTypes(self.raw) };
        let mut raw = vec![std::ptr::null_mut(); count as usize];
        // SAFETY: as above, and there is space for all of them.
        unsafe { LLVMGetParamTypes(self.raw, raw.as_mut_ptr()) };
        raw.into_iter().map(Self::new).collect()
    }

    /// What a function returns.
    pub fn result(self) -> Self {
        self.assert_function();
        // SAFETY: alive, and of a function.
        Self::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    /// Does a function take more arguments than it names?
    pub fn is_variadic(self) -> bool {
        self.assert_function();
        // SAFETY: alive, and of a function.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }

    fn assert_function(self) {
        // SAFETY: alive.
        let kind = unsafe { LLVMGetTypeKind(self.raw) };
        assert!(kind == Raw::LLVMFunctionTypeKind, "it is the type of a function");
    }

    pub(super) fn raw(self) -> LLVMTypeRef {
        self.raw
    }
}

impl std::fmt::Display for Type<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: alive; the text is ours to free.
        out.write_str(&unsafe { take_message(LLVMPrintTypeToString(self.raw)) })
    }
}

/// How types lie in memory.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'b> {
    pub(super) raw: LLVMTargetDataRef,
    pub(super) bitcode: PhantomData<&'b Bitcode>,
}

impl<'b> Layout<'b> {
    /// Low bytes first, and pointers of 64 bits?
    pub fn is_usual(self) -> bool {
        // SAFETY: the layout is alive as long as its module.
        unsafe {
            LLVMByteOrder(self.raw) == LLVMByteOrdering::LLVMLittleEndian
                && LLVMPointerSize(self.raw) == 8
        }
    }

    /// How many bytes apart neighbours in an array are. Zero for what has no size.
    pub fn size(self, of: Type<'b>) -> u64 {
        // SAFETY: both are alive, and the type has a size.
        if is_sized(of) { unsafe { LLVMABISizeOfType(self.raw, of.raw) } } else { 0 }
    }

    /// How many bits a value has.
    pub fn bits(self, of: Type<'b>) -> u64 {
        // SAFETY: both are alive, and the type has a size.
        if is_sized(of) { unsafe { LLVMSizeOfTypeInBits(self.raw, of.raw) } } else { 0 }
    }

    /// At what addresses objects of a type may lie: a power of two.
    pub fn alignment(self, of: Type<'b>) -> u32 {
        // SAFETY: both are alive, and the type has a size.
        if is_sized(of) { unsafe { LLVMABIAlignmentOfType(self.raw, of.raw) } } else { 1 }
    }

    /// Where a field of a structure starts.
    pub fn offset(self, of: Type<'b>, field: u32) -> u64 {
        assert!(matches!(of.shape(), Shape::Structure(fields) if field < fields), "it has it");
        // SAFETY: both are alive, and the structure has that field.
        unsafe { LLVMOffsetOfElement(self.raw, of.raw, field) }
    }
}

/// Is the size of a type known here? That of vectors that scale with the machine is not, and LLVM gives up when asked.
fn is_sized(of: Type<'_>) -> bool {
    // SAFETY: alive.
    unsafe {
        let scales = LLVMGetTypeKind(of.raw) == Raw::LLVMScalableVectorTypeKind;
        !scales && LLVMTypeIsSized(of.raw) != 0
    }
}
