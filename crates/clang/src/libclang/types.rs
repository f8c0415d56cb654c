//! Types, with their layout.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

use clang_sys::{CXClientData, CXCursor, CXType, CXType_Invalid, CXType_VariableArray};

use super::{Cursor, TranslationUnit, TypeKind, ask, text_of};

/// A type.
#[derive(Clone, Copy)]
pub(crate) struct Type<'u> {
    raw: CXType,
    unit: PhantomData<&'u TranslationUnit>,
}

impl<'u> Type<'u> {
    pub(super) fn of(raw: CXType) -> Self {
        Self { raw, unit: PhantomData }
    }

    /// What it is; of a plain type, nothing is hidden behind a typedef.
    pub fn kind(self) -> TypeKind {
        TypeKind::of(self.raw.kind)
    }

    /// Is a character type unsigned?
    pub fn is_unsigned_character(self) -> bool {
        TypeKind::is_unsigned_character(self.raw.kind)
    }

    /// The same without typedefs and qualifiers.
    pub fn plain(self) -> Self {
        self.canonical().unqualified()
    }

    /// The same without typedefs.
    pub fn canonical(self) -> Self {
        Self::of(ask!(clang_getCanonicalType(self.raw)))
    }

    /// The same without qualifiers. What has no type, as the operand of `__builtin_bit_cast`, stays as it is: libclang breaks
    /// down on it.
    pub fn unqualified(self) -> Self {
        if self.raw.kind == CXType_Invalid {
            return self;
        }
        Self::of(ask!(clang_getUnqualifiedType(self.raw)))
    }

    /// Equal types that are plain have equal identities.
    pub fn identity(self) -> usize {
        self.raw.data[0] as usize
    }

    /// As C writes it.
    pub fn spelling(self) -> String {
        text_of(ask!(clang_getTypeSpelling(self.raw)))
    }

    /// Its size in bytes, if it has one.
    pub fn size(self) -> Option<u64> {
        u64::try_from(ask!(clang_Type_getSizeOf(self.raw))).ok()
    }

    /// Its alignment in bytes.
    pub fn alignment(self) -> Option<u64> {
        u64::try_from(ask!(clang_Type_getAlignOf(self.raw))).ok()
    }

    /// Is it `const`?
    pub fn is_constant(self) -> bool {
        ask!(clang_isConstQualifiedType(self.raw)) != 0
    }

    /// Is it `volatile`?
    pub fn is_volatile(self) -> bool {
        ask!(clang_isVolatileQualifiedType(self.raw)) != 0
    }

    /// What a pointer points to.
    pub fn pointee(self) -> Self {
        Self::of(ask!(clang_getPointeeType(self.raw)))
    }

    /// What an atomic object holds.
    pub fn value_type(self) -> Self {
        Self::of(ask!(clang_Type_getValueType(self.raw)))
    }

    /// What an array is made of.
    pub fn element(self) -> Self {
        Self::of(ask!(clang_getArrayElementType(self.raw)))
    }

    /// How many elements a constant array has.
    pub fn length(self) -> Option<u64> {
        u64::try_from(ask!(clang_getArraySize(self.raw))).ok()
    }

    /// Is it a pointer to arrays whose lengths are known only when the program runs?
    pub fn leads_to_variable_arrays(self) -> bool {
        let mut part = self.canonical().pointee();
        while part.kind() == TypeKind::Array {
            if part.raw.kind == CXType_VariableArray {
                return true;
            }
            part = part.element();
        }
        false
    }

    /// What a function type returns.
    pub fn result(self) -> Self {
        Self::of(ask!(clang_getResultType(self.raw)))
    }

    /// What a function type takes.
    pub fn parameters(self) -> Vec<Self> {
        let count = ask!(clang_getNumArgTypes(self.raw)).max(0).cast_unsigned();
        (0..count).map(|number| Self::of(ask!(clang_getArgType(self.raw, number)))).collect()
    }

    /// Does a function type take more than that?
    pub fn is_variadic(self) -> bool {
        ask!(clang_isFunctionTypeVariadic(self.raw)) != 0
    }

    /// The declaration of a structure, union or enumeration.
    pub fn declaration(self) -> Cursor<'u> {
        Cursor::of(ask!(clang_getTypeDeclaration(self.raw)))
    }

    /// The fields of a structure or union.
    pub fn fields(self) -> Vec<Cursor<'u>> {
        let mut found: Vec<Cursor<'u>> = Vec::new();
        let data: *mut c_void = ptr::from_mut(&mut found).cast();
        ask!(clang_Type_visitFields(self.raw, collect_field, data));
        found
    }
}

extern "C" fn collect_field(cursor: CXCursor, data: CXClientData) -> clang_sys::CXVisitorResult {
    // SAFETY: `fields` passes the address of such a vector, and nobody else uses it meanwhile.
    unsafe { (*data.cast::<Vec<Cursor<'_>>>()).push(Cursor::of(cursor)) };
    clang_sys::CXVisit_Continue
}
