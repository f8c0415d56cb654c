//! What terms are made of.

/// A term, as the number under which [`Terms`](crate::Terms) keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Its number; those of its operands are smaller.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable, by the order in which they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// How a term is computed. Its width is kept beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// This number.
    Constant(u128),
    /// Anything.
    Variable(VariableId),
    /// An operation on one word.
    Unary(UnaryOp, Term),
    /// An operation on two words of one width.
    Binary(BinaryOp, Term, Term),
    /// `if` the first, of one bit, `then` the second `else` the third.
    Choose(Term, Term, Term),
    /// Bits of a word, from this one upwards, as many as the width says.
    Extract(Term, u8),
    /// The first above the second.
    Concat(Term, Term),
    /// Filled up with zeros.
    ZeroExtend(Term),
    /// Filled up with the sign.
    SignExtend(Term),
    /// An operation on floats. Operands that it does not have repeat the first.
    Float(FloatOp, FloatFormat, [Term; 3]),
}

/// Operations on one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Every bit turned over.
    Not,
    /// In two's complement.
    Negate,
}

/// Operations on two words. The last three give one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as on the machine")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    DivideUnsigned,
    DivideSigned,
    RemainderUnsigned,
    RemainderSigned,
    ShiftLeft,
    ShiftRightUnsigned,
    ShiftRightSigned,
    And,
    Or,
    Xor,
    Equal,
    LessUnsigned,
    LessSigned,
}

impl BinaryOp {
    /// Is the result one bit?
    pub fn compares(self) -> bool {
        matches!(self, Self::Equal | Self::LessUnsigned | Self::LessSigned)
    }

    /// Can the operands be exchanged?
    pub fn commutes(self) -> bool {
        use BinaryOp::{Add, And, Equal, Multiply, Or, Xor};
        matches!(self, Add | Multiply | And | Or | Xor | Equal)
    }
}

/// The formats of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatFormat {
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

impl FloatFormat {
    /// Its width in bits.
    pub fn width(self) -> u8 {
        match self {
            Self::Single => 32,
            Self::Double => 64,
        }
    }

    /// The bits of the significand that are stored.
    pub fn fraction(self) -> u8 {
        match self {
            Self::Single => 23,
            Self::Double => 52,
        }
    }

    /// The bits of the exponent.
    pub fn exponent(self) -> u8 {
        self.width() - self.fraction() - 1
    }
}

/// Operations on floats, rounded to nearest with ties to even. Signs are turned, cut and copied by
/// operations on bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as in the standard")]
pub enum FloatOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// C's `fmod`: exact, with the sign of the first.
    Remainder,
    /// `a * b + c`, rounded once.
    MultiplyAdd,
    SquareRoot,
    /// To a whole number of the same format.
    Round(Rounding),
    /// One bit; false if one is no number.
    Less,
    /// One bit; false if one is no number.
    Equal,
    /// To the other format.
    Convert,
    /// From a word in two's complement.
    FromSigned,
    /// From a word.
    FromUnsigned,
    /// Towards zero, to the width of the result. What does not fit gives any one number.
    ToSigned,
    /// Towards zero, to the width of the result. What does not fit gives any one number.
    ToUnsigned,
}

impl FloatOp {
    /// How many operands it has.
    pub fn arity(self) -> usize {
        match self {
            Self::MultiplyAdd => 3,
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Remainder
            | Self::Less
            | Self::Equal => 2,
            _ => 1,
        }
    }
}

/// Ways to round to a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as in the standard")]
pub enum Rounding {
    Down,
    Up,
    TowardsZero,
    /// To nearest, ties away from zero.
    Away,
    /// To nearest, ties to even.
    Even,
}

impl Node {
    /// The operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = Term> + use<> {
        let listed = match *self {
            Self::Constant(_) | Self::Variable(_) => [None; 3],
            Self::Unary(_, one)
            | Self::Extract(one, _)
            | Self::ZeroExtend(one)
            | Self::SignExtend(one) => [Some(one), None, None],
            Self::Binary(_, left, right) | Self::Concat(left, right) => {
                [Some(left), Some(right), None]
            }
            Self::Choose(test, then, otherwise) => [Some(test), Some(then), Some(otherwise)],
            Self::Float(_, _, operands) => operands.map(Some),
        };
        listed.into_iter().flatten()
    }
}
