//! The kinds of cursors, operators and types that matter here.

use clang_sys::{CXBinaryOperatorKind, CXCursorKind, CXTypeKind, CXUnaryOperatorKind};
use obligato_model::RelationOperator;

macro_rules! kinds {
    ($(#[$about:meta])* $name:ident from $raw:ident: $($kind:ident = $($constant:ident)|+,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name {
            $(#[doc = concat!($("`", stringify!($constant), "` "),+)] $kind,)*
            /// Any other.
            Other,
        }

        impl $name {
            pub(super) fn of(raw: $raw) -> Self {
                match raw {
                    $($(clang_sys::$constant)|+ => Self::$kind,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

kinds! {
    /// What a cursor is.
    Kind from CXCursorKind:
    Function = CXCursor_FunctionDecl,
    Variable = CXCursor_VarDecl,
    ParameterDeclaration = CXCursor_ParmDecl,
    TypeDeclaration = CXCursor_StructDecl | CXCursor_UnionDecl | CXCursor_EnumDecl | CXCursor_TypedefDecl,
    StaticAssertion = CXCursor_StaticAssert,
    EnumConstant = CXCursor_EnumConstantDecl,
    Unexposed = CXCursor_UnexposedExpr,
    Name = CXCursor_DeclRefExpr,
    Member = CXCursor_MemberRefExpr,
    Call = CXCursor_CallExpr,
    StringLiteral = CXCursor_StringLiteral,
    Parenthesised = CXCursor_ParenExpr,
    Unary = CXCursor_UnaryOperator,
    Subscript = CXCursor_ArraySubscriptExpr,
    Binary = CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator,
    Conditional = CXCursor_ConditionalOperator,
    Cast = CXCursor_CStyleCastExpr,
    StatementExpression = CXCursor_StmtExpr,
    Generic = CXCursor_GenericSelectionExpr,
    SizeOf = CXCursor_UnaryExpr,
    Attributed = CXCursor_UnexposedStmt,
    Label = CXCursor_LabelStmt,
    Compound = CXCursor_CompoundStmt,
    Case = CXCursor_CaseStmt,
    Default = CXCursor_DefaultStmt,
    If = CXCursor_IfStmt,
    Switch = CXCursor_SwitchStmt,
    While = CXCursor_WhileStmt,
    Do = CXCursor_DoStmt,
    For = CXCursor_ForStmt,
    Goto = CXCursor_GotoStmt | CXCursor_IndirectGotoStmt,
    Continue = CXCursor_ContinueStmt,
    Break = CXCursor_BreakStmt,
    Return = CXCursor_ReturnStmt,
    Assembly = CXCursor_AsmStmt | CXCursor_MSAsmStmt,
    Null = CXCursor_NullStmt,
    Declarations = CXCursor_DeclStmt,
    OtherAttribute = CXCursor_UnexposedAttr,
}

kinds! {
    /// A binary operator.
    BinaryKind from CXBinaryOperatorKind:
    Less = CXBinaryOperator_LT,
    Greater = CXBinaryOperator_GT,
    LessEqual = CXBinaryOperator_LE,
    GreaterEqual = CXBinaryOperator_GE,
    Equal = CXBinaryOperator_EQ,
    NotEqual = CXBinaryOperator_NE,
    BitAnd = CXBinaryOperator_And,
    BitXor = CXBinaryOperator_Xor,
    BitOr = CXBinaryOperator_Or,
    And = CXBinaryOperator_LAnd,
    Or = CXBinaryOperator_LOr,
    Comma = CXBinaryOperator_Comma,
    Assign = CXBinaryOperator_Assign,
    ShiftLeft = CXBinaryOperator_Shl,
    ShiftLeftAssign = CXBinaryOperator_ShlAssign,
}

impl BinaryKind {
    /// The relation that it is, if it is one.
    pub fn relation(self) -> Option<RelationOperator> {
        match self {
            Self::Less => Some(RelationOperator::Less),
            Self::Greater => Some(RelationOperator::Greater),
            Self::LessEqual => Some(RelationOperator::LessEqual),
            Self::GreaterEqual => Some(RelationOperator::GreaterEqual),
            Self::Equal => Some(RelationOperator::Equal),
            Self::NotEqual => Some(RelationOperator::NotEqual),
            _ => None,
        }
    }
}

kinds! {
    /// A unary operator.
    UnaryKind from CXUnaryOperatorKind:
    Not = CXUnaryOperator_LNot,
    Address = CXUnaryOperator_AddrOf,
    Dereference = CXUnaryOperator_Deref,
    Extension = CXUnaryOperator_Extension,
    Postfix = CXUnaryOperator_PostInc | CXUnaryOperator_PostDec,
}

kinds! {
    /// What a type is.
    TypeKind from CXTypeKind:
    Void = CXType_Void,
    Bool = CXType_Bool,
    Character = CXType_Char_U | CXType_UChar | CXType_Char_S | CXType_SChar,
    Unsigned = CXType_UShort | CXType_UInt | CXType_ULong | CXType_ULongLong | CXType_UInt128
        | CXType_Char16 | CXType_Char32,
    Signed = CXType_Short | CXType_Int | CXType_Long | CXType_LongLong | CXType_Int128 | CXType_WChar,
    Float = CXType_Float,
    Double = CXType_Double,
    LongDouble = CXType_LongDouble,
    Complex = CXType_Complex,
    Atomic = CXType_Atomic,
    Vector = CXType_Vector | CXType_ExtVector,
    Pointer = CXType_Pointer,
    Record = CXType_Record,
    Enumeration = CXType_Enum,
    FunctionWithoutList = CXType_FunctionNoProto,
    Function = CXType_FunctionProto,
    Array = CXType_ConstantArray | CXType_IncompleteArray | CXType_VariableArray,
}

impl TypeKind {
    /// Is a character type of this raw kind unsigned?
    pub(super) fn is_unsigned_character(raw: CXTypeKind) -> bool {
        matches!(raw, clang_sys::CXType_Char_U | clang_sys::CXType_UChar)
    }
}
