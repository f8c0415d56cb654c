//! Operators, how they are written and how tightly they bind.
//!
//! The levels are those of Kind 2's grammar (`lustreParser.mly`); JKind's (`Lustre.g4`) order
//! the operators that JKind has in the same way, with one difference: in `-a div b` and
//! `-a mod b` Kind 2 reads `-(a div b)`, JKind `(-a) div b`. We read as JKind does, which is
//! how most languages do; for `*` and `/` both give the same value. The parser warns where it
//! matters and the printer writes the parentheses.

use obligato_model::Signedness;

/// How tightly something binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// `uint8 e` and its like take all that follows.
    MachineCast,
    /// `e when c`.
    When,
    /// `if c then e else`.
    Else,
    /// `->` and `fby`, to the right.
    Arrow,
    /// `forall (…)`, `exists (…)`.
    Quantifier,
    /// `=>`, to the right.
    Implies,
    /// `or`, `xor`.
    Or,
    /// `and`.
    And,
    /// `<`, `<=`, `>`, `>=`, `=`, `<>`.
    Compare,
    /// `+`, `-`.
    Add,
    /// `*`, `/`, `div`, `mod`.
    Multiply,
    /// `-e`.
    Negate,
    /// `||`.
    BitOr,
    /// `&&`.
    BitAnd,
    /// `lsh`, `rsh`.
    Shift,
    /// `pre`, `not`, `!`, `current`, `int`, `real`, `floor`.
    Prefix,
    /// `a ^ n`.
    Repeat,
    /// `a[i]`, `r.f`, and what needs no parentheses anywhere.
    Postfix,
}

/// An operator on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `not e`.
    Not,
    /// `-e`.
    Negate,
    /// `!e`, on machine integers.
    BitNot,
    /// `pre e`: the value one step ago.
    Pre,
    /// `current e`: the last value of a clocked stream.
    Current,
    /// `int e`: a real or machine integer as an integer.
    ToInt,
    /// `real e`: an integer as a real.
    ToReal,
    /// `floor(e)`: the greatest integer not above.
    Floor,
    /// `uint8 e`: as a machine integer of so many bits.
    ToMachine(Signedness, u8),
}

impl UnaryOperator {
    /// How tightly it binds.
    pub fn level(self) -> Level {
        match self {
            Self::Negate => Level::Negate,
            Self::ToMachine(..) => Level::MachineCast,
            _ => Level::Prefix,
        }
    }

    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Self::Not => "not",
            Self::Negate => "-",
            Self::BitNot => "!",
            Self::Pre => "pre",
            Self::Current => "current",
            Self::ToInt => "int",
            Self::ToReal => "real",
            Self::Floor => "floor",
            Self::ToMachine(signedness, bits) => machine_type(signedness, bits),
        }
    }
}

/// The name of a machine integer type.
pub fn machine_type(signedness: Signedness, bits: u8) -> &'static str {
    match (signedness, bits) {
        (Signedness::Signed, 8) => "int8",
        (Signedness::Signed, 16) => "int16",
        (Signedness::Signed, 32) => "int32",
        (Signedness::Signed, _) => "int64",
        (Signedness::Unsigned, 8) => "uint8",
        (Signedness::Unsigned, 16) => "uint16",
        (Signedness::Unsigned, 32) => "uint32",
        (Signedness::Unsigned, _) => "uint64",
    }
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `->`: the left operand at the first step, the right one later.
    Arrow,
    /// `fby`: `a fby b` is `a -> pre b`.
    Fby,
    /// `=>`.
    Implies,
    /// `or`.
    Or,
    /// `xor`.
    Xor,
    /// `and`.
    And,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `=`.
    Equal,
    /// `<>`.
    NotEqual,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, on reals.
    Divide,
    /// `div`, on integers.
    IntegerDivide,
    /// `mod`.
    Modulo,
    /// `||`, on machine integers.
    BitOr,
    /// `&&`, on machine integers.
    BitAnd,
    /// `lsh`.
    ShiftLeft,
    /// `rsh`.
    ShiftRight,
    /// `a ^ n`: an array of `n` times `a`.
    Repeat,
}

/// Which way a chain of one operator groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// `(a + b) + c`.
    Left,
    /// `a => (b => c)`.
    Right,
}

impl BinaryOperator {
    /// How tightly it binds.
    pub fn level(self) -> Level {
        match self {
            Self::Arrow | Self::Fby => Level::Arrow,
            Self::Implies => Level::Implies,
            Self::Or | Self::Xor => Level::Or,
            Self::And => Level::And,
            Self::Less
            | Self::LessEqual
            | Self::Greater
            | Self::GreaterEqual
            | Self::Equal
            | Self::NotEqual => Level::Compare,
            Self::Add | Self::Subtract => Level::Add,
            Self::Multiply | Self::Divide | Self::IntegerDivide | Self::Modulo => Level::Multiply,
            Self::BitOr => Level::BitOr,
            Self::BitAnd => Level::BitAnd,
            Self::ShiftLeft | Self::ShiftRight => Level::Shift,
            Self::Repeat => Level::Repeat,
        }
    }

    /// Which way it groups.
    pub fn grouping(self) -> Grouping {
        match self {
            Self::Arrow | Self::Fby | Self::Implies => Grouping::Right,
            _ => Grouping::Left,
        }
    }

    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Self::Arrow => "->",
            Self::Fby => "fby",
            Self::Implies => "=>",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::And => "and",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::IntegerDivide => "div",
            Self::Modulo => "mod",
            Self::BitOr => "||",
            Self::BitAnd => "&&",
            Self::ShiftLeft => "lsh",
            Self::ShiftRight => "rsh",
            Self::Repeat => "^",
        }
    }
}
