//! Tokens of both dialects.
//!
//! Only words that neither dialect can do without are keywords here; all others (`state`,
//! `check`, `mode`, `initial`, `imported`, …) are names that the parser knows by their place,
//! because models use them as names. Comments, pragmas and contract openings are told apart
//! in [`stream`].
//!
//! JKind lets a name start with `!`, Kind 2 has `!` as an operator: here a name may contain
//! `!` but not start with it.

use logos::Logos;

pub mod stream;

pub use stream::{Lines, SetAside, Token, Tokens};

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\r\n\x0C]+")]
pub enum TokenKind {
    /// A name.
    #[regex(r"[A-Za-z_~][A-Za-z0-9_~!]*")]
    Name,
    /// An integer.
    #[regex(r"[0-9]+")]
    #[regex(r"0x[0-9a-fA-F]+")]
    Int,
    /// A real; the stream extends an integer to `1.`, which is one as well.
    #[regex(r"[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+\.?[eE][+-]?[0-9]+")]
    #[regex(r"0x[0-9a-fA-F]+\.[0-9a-fA-F]*(p[+-]?[0-9]+)?")]
    #[regex(r"0x[0-9a-fA-F]+p[+-]?[0-9]+")]
    #[regex(r"0x\.[0-9a-fA-F]+(p[+-]?[0-9]+)?")]
    Real,
    /// `"`; the stream extends it to the whole string.
    #[token("\"")]
    String,

    #[token("type")]
    #[doc = "`type`."]
    Type,
    #[token("const")]
    #[doc = "`const`."]
    Const,
    #[token("node")]
    #[doc = "`node`."]
    Node,
    #[token("function")]
    #[doc = "`function`."]
    Function,
    #[token("returns")]
    #[doc = "`returns`."]
    Returns,
    #[token("var")]
    #[doc = "`var`."]
    Var,
    #[token("let")]
    #[doc = "`let`."]
    Let,
    #[token("tel")]
    #[doc = "`tel`."]
    Tel,
    #[token("assert")]
    #[doc = "`assert`."]
    Assert,
    #[token("bool")]
    #[doc = "`bool`."]
    BoolType,
    #[token("int")]
    #[doc = "`int`."]
    IntType,
    #[token("real")]
    #[doc = "`real`."]
    RealType,
    #[regex("u?int(8|16|32|64)")]
    #[doc = "`int8` … `uint64`."]
    MachineType,
    #[token("subrange")]
    #[doc = "`subrange`."]
    Subrange,
    #[token("of")]
    #[doc = "`of`."]
    Of,
    #[token("struct")]
    #[doc = "`struct`."]
    Struct,
    #[token("enum")]
    #[doc = "`enum`."]
    Enum,
    #[token("true")]
    #[doc = "`true`."]
    True,
    #[token("false")]
    #[doc = "`false`."]
    False,
    #[token("not")]
    #[doc = "`not`."]
    Not,
    #[token("and")]
    #[doc = "`and`."]
    And,
    #[token("or")]
    #[doc = "`or`."]
    Or,
    #[token("xor")]
    #[doc = "`xor`."]
    Xor,
    #[token("if")]
    #[doc = "`if`."]
    If,
    #[token("then")]
    #[doc = "`then`."]
    Then,
    #[token("else")]
    #[doc = "`else`."]
    Else,
    #[token("div")]
    #[doc = "`div`."]
    Div,
    #[token("mod")]
    #[doc = "`mod`."]
    Mod,
    #[token("lsh")]
    #[doc = "`lsh`."]
    Lsh,
    #[token("rsh")]
    #[doc = "`rsh`."]
    Rsh,
    #[token("pre")]
    #[doc = "`pre`."]
    Pre,
    #[token("fby")]
    #[doc = "`fby`."]
    Fby,
    #[token("current")]
    #[doc = "`current`."]
    Current,
    #[token("when")]
    #[doc = "`when`."]
    When,
    #[token("merge")]
    #[doc = "`merge`."]
    Merge,
    #[token("condact")]
    #[doc = "`condact`."]
    Condact,
    #[token("activate")]
    #[doc = "`activate`."]
    Activate,
    #[token("restart")]
    #[doc = "`restart`."]
    Restart,
    #[token("every")]
    #[doc = "`every`."]
    Every,
    #[token("with")]
    #[doc = "`with`."]
    With,
    #[token("floor")]
    #[doc = "`floor`."]
    Floor,
    #[token("forall")]
    #[doc = "`forall`."]
    Forall,
    #[token("exists")]
    #[doc = "`exists`."]
    Exists,

    #[token(";")]
    #[doc = "`;`."]
    Semicolon,
    #[token(":")]
    #[doc = "`:`."]
    Colon,
    #[token("::")]
    #[doc = "`::`."]
    DoubleColon,
    #[token(":=")]
    #[doc = "`:=`."]
    Assign,
    #[token(",")]
    #[doc = "`,`."]
    Comma,
    #[token(".")]
    #[doc = "`.`."]
    Dot,
    #[token("..")]
    #[doc = "`..`."]
    DotDot,
    #[token(".%")]
    #[doc = "`.%`."]
    DotPercent,
    #[token("(")]
    #[doc = "`(`."]
    OpenParen,
    #[token(")")]
    #[doc = "`)`."]
    CloseParen,
    #[token("[")]
    #[doc = "`[`."]
    OpenBracket,
    #[token("]")]
    #[doc = "`]`."]
    CloseBracket,
    #[token("{")]
    #[doc = "`{`."]
    OpenBrace,
    #[token("}")]
    #[doc = "`}`."]
    CloseBrace,
    #[token("<<")]
    #[doc = "`<<`."]
    OpenStatic,
    #[token(">>")]
    #[doc = "`>>`."]
    CloseStatic,
    #[token("=")]
    #[doc = "`=`."]
    Equal,
    #[token("<>")]
    #[token("!=")]
    #[doc = "`<>`, also `!=`."]
    NotEqual,
    #[token("<")]
    #[doc = "`<`."]
    Less,
    #[token("<=")]
    #[doc = "`<=`."]
    LessEqual,
    #[token(">")]
    #[doc = "`>`."]
    Greater,
    #[token(">=")]
    #[doc = "`>=`."]
    GreaterEqual,
    #[token("+")]
    #[doc = "`+`."]
    Plus,
    #[token("-")]
    #[doc = "`-`."]
    Minus,
    #[token("*")]
    #[doc = "`*`."]
    Star,
    #[token("/")]
    #[doc = "`/`."]
    Slash,
    #[token("=>")]
    #[doc = "`=>`."]
    Implies,
    #[token("->")]
    #[doc = "`->`."]
    Arrow,
    #[token("&&")]
    #[doc = "`&&`."]
    BitAnd,
    #[token("||")]
    #[doc = "`||`."]
    BitOr,
    #[token("!")]
    #[doc = "`!`."]
    Bang,
    #[token("^")]
    #[doc = "`^`."]
    Caret,
    #[token("#")]
    #[doc = "`#`."]
    Hash,
    #[token("'")]
    #[doc = "`'`."]
    Tick,
    #[token("@")]
    #[doc = "`@`."]
    At,
    #[token("|")]
    #[doc = "`|`."]
    Bar,
    /// What other languages write, known for the sake of a good message.
    #[token("==")]
    #[token("==>")]
    #[token("&")]
    #[token("%")]
    #[token("?")]
    #[token("++")]
    #[token("<-")]
    Foreign,

    /// `--` and `//`; the stream makes it a comment or a pragma.
    #[token("--")]
    #[token("//")]
    LineMark,
    /// `(*` and `/*`; the stream makes it a comment, a pragma or a contract.
    #[token("(*")]
    #[token("/*")]
    BlockMark,
    /// `*)` and `*/`.
    #[token("*)")]
    #[token("*/")]
    CloseBlock,

    /// `--%PROPERTY`, `--!PROPERTY`, `(*%PROPERTY`, `/*!PROPERTY`.
    PropertyPragma,
    /// `--%MAIN` and its like.
    MainPragma,
    /// `--%IVC`.
    IvcPragma,
    /// `--%REALIZABLE`.
    RealizablePragma,
    /// `(*@contract`, `/*@contract`.
    OpenContract,
    /// Characters that mean nothing.
    Unknown,
    /// The end of the file.
    End,
}

impl TokenKind {
    /// Is it a word that cannot be a name?
    pub fn is_keyword(self) -> bool {
        (Self::Type as u8..=Self::Exists as u8).contains(&(self as u8))
    }

    /// Can it start a declaration, and nothing inside one but after `let` is missing?
    pub fn starts_declaration(self) -> bool {
        matches!(self, Self::Node | Self::Function | Self::Type)
    }
}
