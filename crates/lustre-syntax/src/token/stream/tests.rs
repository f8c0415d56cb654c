//! Tests of the stream of tokens.

use super::*;
use TokenKind::{
    Arrow, CloseBlock, DotDot, End, Greater, Int, MainPragma, Minus, Name, OpenContract, Pre,
    PropertyPragma, Real, Semicolon, String as Title, Unknown,
};

fn kinds(text: &str) -> Vec<TokenKind> {
    let mut tokens = Tokens::new(text);
    std::iter::from_fn(|| Some(tokens.take().kind)).take_while(|kind| *kind != End).collect()
}

#[test]
fn words_that_only_one_dialect_reserves_are_names() {
    let words = "state check mode assume imported initial in set map last end frame";
    assert!(kinds(words).iter().all(|kind| *kind == Name));
    assert!(kinds("pre node when uint16 floor").iter().all(|kind| kind.is_keyword()));
    assert!(kinds("prey nodes uint7 _pre INITIALLY~0 a!b").iter().all(|kind| *kind == Name));
}

#[test]
fn numbers_of_both_dialects_are_one_token_each() {
    for text in ["0", "17", "0xA0f", "00"] {
        assert_eq!(kinds(text), [Int], "{text}");
    }
    for text in ["3.14", ".5", ".45e-45", "0.2E+3", "1e3", "0x3.1f4p-5", "0x.8", "0x1p4", "0x12."] {
        assert_eq!(kinds(text), [Real], "{text}");
    }
    assert_eq!(kinds("1..3"), [Int, DotDot, Int]);
    assert_eq!(kinds("5->x"), [Int, Arrow, Name]);
    assert_eq!(kinds("a - -b"), [Name, Minus, Minus, Name]);
    assert_eq!(kinds("x>y"), [Name, Greater, Name]);
}

#[test]
fn comments_of_all_kinds_are_set_aside_and_counted() {
    let mut tokens = Tokens::new("-- one\n(* two * *) x --- three\n/* four\n*/ // five\ny --");
    let x = tokens.take();
    let y = tokens.take();
    assert_eq!((x.comments, y.comments, tokens.take().comments), (2, 5, 6));
    assert_eq!(&*tokens.comment_text(1).0, "(* two * *)");
    assert_eq!(&*tokens.comment_text(2).0, "--- three");
    assert_eq!(&*tokens.comment_text(3).0, "/* four\n*/");
}

#[test]
fn comments_do_not_nest() {
    assert_eq!(kinds("(* a (* b *) x *)"), [Name, CloseBlock]);
}

#[test]
fn pragmas_and_contracts_are_no_comments() {
    assert_eq!(kinds("--%PROPERTY x;"), [PropertyPragma, Name, Semicolon]);
    assert_eq!(kinds("--!PROPERTY x;"), [PropertyPragma, Name, Semicolon]);
    assert_eq!(kinds("(*%MAIN ; *)"), [MainPragma, Semicolon, CloseBlock]);
    assert_eq!(kinds("/*!MAIN*/"), [MainPragma, CloseBlock]);
    assert_eq!(kinds("(*@contract pre *)"), [OpenContract, Pre, CloseBlock]);
    assert_eq!(kinds("-- %PROPERTY x;\n--!x\n--%\n"), []);
}

#[test]
fn an_unknown_pragma_is_a_comment_with_a_warning() {
    let mut tokens = Tokens::new("--%MAINLY x\n--@ensures y\n");
    assert_eq!(tokens.take().kind, End);
    let messages: Vec<&str> = tokens.problems.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "'--%MAINLY' is not known and is read as a comment",
            "'--@ensures' is not known and is read as a comment"
        ]
    );
}

#[test]
fn a_string_may_hold_quotes_and_a_line_end() {
    assert_eq!(kinds("\"a \\\" b\" x"), [Title, Name]);
    assert_eq!(kinds("\"a\nb\" x"), [Title, Name]);
    assert_eq!(kinds("\"never closed\n x"), [Title, Name]);
}

#[test]
fn a_run_of_characters_that_mean_nothing_is_one_token() {
    assert_eq!(kinds("\0\0é x"), [Unknown, Name]);
    assert_eq!(kinds("\u{feff}x"), [Name]);
    assert_eq!(kinds("$x"), [Unknown, Name]);
}

#[test]
fn lines_between_tokens_are_known() {
    let mut tokens = Tokens::new("a b\nc -- comment\n\n -- comment\nd");
    let lines: Vec<Lines> = (0..4).map(|_| tokens.take().lines).collect();
    assert_eq!(lines, [Lines::Same, Lines::Same, Lines::Next, Lines::Blank]);
}
