//! Cursors: declarations, statements, expressions.

use std::ffi::{c_uint, c_void};
use std::marker::PhantomData;
use std::ptr;

use clang_sys::{CXChildVisitResult, CXClientData, CXCursor, CXSourceLocation};

use super::{BinaryKind, Kind, TranslationUnit, Type, UnaryKind, ask, text_of};

/// A declaration, statement or expression.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'u> {
    raw: CXCursor,
    unit: PhantomData<&'u TranslationUnit>,
}

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Constant {
    /// An integer of at most 64 bits.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
}

/// The offset of a place in the text.
fn offset_of(location: CXSourceLocation) -> u32 {
    let mut offset: c_uint = 0;
    let (null_file, null) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the offset lives past the call, and what is not asked for may be null.
    unsafe { clang_sys::clang_getFileLocation(location, null_file, null, null, &raw mut offset) };
    offset
}

impl<'u> Cursor<'u> {
    pub(super) fn of(raw: CXCursor) -> Self {
        Self { raw, unit: PhantomData }
    }

    fn non_null(raw: CXCursor) -> Option<Self> {
        (ask!(clang_Cursor_isNull(raw)) == 0 && ask!(clang_isInvalid(raw.kind)) == 0)
            .then(|| Self::of(raw))
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        Kind::of(self.raw.kind)
    }

    /// Is it an expression?
    pub fn is_expression(self) -> bool {
        ask!(clang_isExpression(self.raw.kind)) != 0
    }

    /// What tells declarations apart.
    pub fn identity(self) -> usize {
        self.raw.data[0] as usize
    }

    /// Is it the same?
    pub fn is(self, other: Self) -> bool {
        self.raw.kind == other.raw.kind && self.raw.data == other.raw.data
    }

    /// The offsets of its first byte and of the one past its last.
    pub fn extent(self) -> (u32, u32) {
        let range = ask!(clang_getCursorExtent(self.raw));
        (offset_of(ask!(clang_getRangeStart(range))), offset_of(ask!(clang_getRangeEnd(range))))
    }

    /// The place that libclang gives it.
    pub fn offset(self) -> u32 {
        offset_of(ask!(clang_getCursorLocation(self.raw)))
    }

    /// Its name.
    pub fn name(self) -> String {
        text_of(ask!(clang_getCursorSpelling(self.raw)))
    }

    /// Its type.
    pub fn typed(self) -> Type<'u> {
        Type::of(ask!(clang_getCursorType(self.raw)))
    }

    /// What a function declaration returns.
    pub fn result(self) -> Type<'u> {
        Type::of(ask!(clang_getCursorResultType(self.raw)))
    }

    /// The type that an enumeration is stored as.
    pub fn enumeration_type(self) -> Type<'u> {
        Type::of(ask!(clang_getEnumDeclIntegerType(self.raw)))
    }

    /// The value of an enumerator, of at most 64 bits.
    pub fn enumerator_value(self, signed: bool) -> i128 {
        if signed {
            ask!(clang_getEnumConstantDeclValue(self.raw)).into()
        } else {
            ask!(clang_getEnumConstantDeclUnsignedValue(self.raw)).into()
        }
    }

    /// The operator of a binary expression.
    pub fn binary_operator(self) -> BinaryKind {
        BinaryKind::of(ask!(clang_getCursorBinaryOperatorKind(self.raw)))
    }

    /// The operator of a unary expression.
    pub fn unary_operator(self) -> UnaryKind {
        UnaryKind::of(ask!(clang_getCursorUnaryOperatorKind(self.raw)))
    }

    /// The declaration that it names.
    pub fn referenced(self) -> Option<Self> {
        Self::non_null(ask!(clang_getCursorReferenced(self.raw)))
    }

    /// The first declaration of the same thing.
    pub fn canonical(self) -> Self {
        Self::of(ask!(clang_getCanonicalCursor(self.raw)))
    }

    /// Is it a definition?
    pub fn is_definition(self) -> bool {
        ask!(clang_isCursorDefinition(self.raw)) != 0
    }

    /// Is it declared `static`?
    pub fn is_static(self) -> bool {
        ask!(clang_Cursor_getStorageClass(self.raw)) == clang_sys::CX_SC_Static
    }

    /// Is it a function that is declared `inline`?
    pub fn is_inline(self) -> bool {
        ask!(clang_Cursor_isFunctionInlined(self.raw)) != 0
    }

    /// Does every thread have its own?
    pub fn is_thread_local(self) -> bool {
        ask!(clang_getCursorTLSKind(self.raw)) != clang_sys::CXTLS_None
    }

    /// Is it declared `extern`?
    pub fn is_extern(self) -> bool {
        ask!(clang_Cursor_getStorageClass(self.raw)) == clang_sys::CX_SC_Extern
    }

    /// Is it known by its name in other units?
    pub fn is_external(self) -> bool {
        ask!(clang_getCursorLinkage(self.raw)) == clang_sys::CXLinkage_External
    }

    /// The initialiser of a variable.
    pub fn initialiser(self) -> Option<Self> {
        Self::non_null(ask!(clang_Cursor_getVarDeclInitializer(self.raw)))
    }

    /// The parameters of a function declaration.
    pub fn arguments(self) -> Vec<Self> {
        let count = ask!(clang_Cursor_getNumArguments(self.raw)).max(0).cast_unsigned();
        (0..count)
            .map(|number| Self::of(ask!(clang_Cursor_getArgument(self.raw, number))))
            .collect()
    }

    /// Where a field starts, in bits.
    pub fn field_offset(self) -> Option<u64> {
        u64::try_from(ask!(clang_Cursor_getOffsetOfField(self.raw))).ok()
    }

    /// The width of a bit-field.
    pub fn field_width(self) -> Option<u32> {
        u32::try_from(ask!(clang_getFieldDeclBitWidth(self.raw))).ok()
    }

    /// Is a field without a name of its own?
    pub fn is_unnamed_field(self) -> bool {
        // libclang gives the location of the type for a name.
        let name = self.name();
        name.is_empty() || name.contains('(')
    }

    /// Is it the declaration of a union?
    pub fn is_union(self) -> bool {
        self.raw.kind == clang_sys::CXCursor_UnionDecl
    }

    /// Has a declaration an attribute of this name, with or without underscores around it?
    pub fn has_attribute(self, name: &str) -> bool {
        let attributes = self.children();
        attributes.iter().any(|child| child.kind() == Kind::OtherAttribute && child.says(name))
    }

    /// Is this word among its tokens?
    pub fn says(self, word: &str) -> bool {
        let (mut tokens, mut count) = (ptr::null_mut(), 0);
        let unit = ask!(clang_Cursor_getTranslationUnit(self.raw));
        let range = ask!(clang_getCursorExtent(self.raw));
        ask!(clang_tokenize(unit, range, &raw mut tokens, &raw mut count));
        let mut found = false;
        for number in 0..count as usize {
            // SAFETY: the library has just made `count` tokens here.
            let token = unsafe { *tokens.add(number) };
            let text = text_of(ask!(clang_getTokenSpelling(unit, token)));
            found |= text.trim_matches('_').eq_ignore_ascii_case(word);
        }
        ask!(clang_disposeTokens(unit, tokens, count));
        found
    }

    /// The value of an expression, if it is constant.
    pub fn evaluate(self) -> Option<Constant> {
        let result = ask!(clang_Cursor_Evaluate(self.raw));
        if result.is_null() {
            return None;
        }
        let constant = match ask!(clang_EvalResult_getKind(result)) {
            clang_sys::CXEval_Int if ask!(clang_EvalResult_isUnsignedInt(result)) != 0 => {
                Some(Constant::Integer(ask!(clang_EvalResult_getAsUnsigned(result)).into()))
            }
            clang_sys::CXEval_Int => {
                Some(Constant::Integer(ask!(clang_EvalResult_getAsLongLong(result)).into()))
            }
            clang_sys::CXEval_Float => {
                Some(Constant::Float(ask!(clang_EvalResult_getAsDouble(result))))
            }
            _ => None,
        };
        ask!(clang_EvalResult_dispose(result));
        constant
    }

    /// Its direct children.
    pub fn children(self) -> Vec<Self> {
        let mut found = Vec::new();
        let data: *mut c_void = ptr::from_mut(&mut found).cast();
        ask!(clang_visitChildren(self.raw, collect_child, data));
        found
    }

    /// Shows all below it to `see`, parents before children, each with its parent; `see` says whether to go
    /// on below it.
    pub fn walk(self, see: &mut dyn FnMut(Self, Self) -> Below) {
        let mut see = see;
        let data: *mut c_void = (&raw mut see).cast();
        ask!(clang_visitChildren(self.raw, show_descendant, data));
    }
}

/// Whether to look below a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// Yes.
    Visit,
    /// No.
    Skip,
}

extern "C" fn collect_child(
    cursor: CXCursor,
    _: CXCursor,
    data: CXClientData,
) -> CXChildVisitResult {
    // SAFETY: `children` passes the address of such a vector, and nobody else uses it meanwhile.
    unsafe { (*data.cast::<Vec<Cursor<'_>>>()).push(Cursor::of(cursor)) };
    clang_sys::CXChildVisit_Continue
}

extern "C" fn show_descendant(
    cursor: CXCursor,
    parent: CXCursor,
    data: CXClientData,
) -> CXChildVisitResult {
    type See<'a, 'u> = &'a mut dyn FnMut(Cursor<'u>, Cursor<'u>) -> Below;
    // SAFETY: `walk` passes the address of such a reference, and nobody else uses it meanwhile.
    let see = unsafe { &mut *data.cast::<See<'_, '_>>() };
    match see(Cursor::of(cursor), Cursor::of(parent)) {
        Below::Visit => clang_sys::CXChildVisit_Recurse,
        Below::Skip => clang_sys::CXChildVisit_Continue,
    }
}
