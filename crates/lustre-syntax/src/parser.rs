//! The parser: hand-written, with stacks of its own.
//!
//! Declarations are read one after another (`declarations`); expressions, types and the
//! blocks of a body keep what they wait for on vectors (`expressions`, `types`,
//! `items`), so that nesting is limited by memory and by [`MOST_NESTED`], never by the
//! call stack. After an error the parser continues at the next equation or declaration.

use crate::ast::{Constant, Name, Symbol, SyntaxTree};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::ByteSpan;
use crate::token::{Token, TokenKind, Tokens};

mod automata;
mod brackets;
mod comments;
mod contracts;
mod declarations;
mod expressions;
mod items;
mod locals;
mod operands;
mod postfix;
mod pragmas;
mod recovery;
mod refusals;
mod types;

/// A larger file is not read.
pub const MOST_BYTES: usize = 256 << 20;
/// The deepest nesting of constructs.
pub const MOST_NESTED: usize = 1_000_000;
/// The most expressions of a file, some hundred times those of the largest real models.
pub const MOST_EXPRESSIONS: usize = 1 << 24;
/// The most equations and other items of a file.
pub const MOST_ITEMS: usize = 1 << 22;
/// The most errors reported.
pub const MOST_ERRORS: usize = 20;
/// The deepest alternation of types and expressions within each other; each is a few calls deep.
const MOST_ALTERNATIONS: u32 = 64;

/// A file that parsed.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// What it says.
    pub program: SyntaxTree,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Parses a file. What is wrong with it comes in the order of the text, warnings included.
pub fn parse(bytes: &[u8]) -> Result<Parsed, Vec<Diagnostic>> {
    if bytes.len() > MOST_BYTES {
        let text = format!("the file has {} bytes; {MOST_BYTES} is the most", bytes.len());
        return Err(vec![Diagnostic::error(ByteSpan::default(), text)]);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| vec![not_utf8(bytes, error)])?;
    let mut parser = Parser::new(text);
    parser.file();
    parser.finish()
}

fn not_utf8(bytes: &[u8], error: std::str::Utf8Error) -> Diagnostic {
    let at = error.valid_up_to();
    let narrow = |n| u32::try_from(n).expect("invariant: the size of the text is limited");
    let span = ByteSpan::new(narrow(at), narrow(at + 1));
    Diagnostic::error(span, format!("the file is not UTF-8: byte 0x{:02X} here", bytes[at]))
        .with_help("save the file as UTF-8; outside of comments a model is plain ASCII")
}

/// An error has been recorded; the construct at hand cannot be read to its end.
#[derive(Debug)]
struct Stop;

type Step<T> = Result<T, Stop>;

struct Parser<'t> {
    tokens: Tokens<'t>,
    program: SyntaxTree,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// Has a limit of the whole file been passed?
    stopped: bool,
    /// Where the last error was, as one place gives one error.
    last_error: Option<u32>,
    /// The last token taken.
    previous: Token,
    /// Comments before this number belong to something already.
    attached: u32,
    /// How many `{` are open, to know a `;` between fields from one after an equation.
    braces: i32,
    alternations: u32,
    /// Constants read as a function's that are the file's, and where the function ends.
    late_constants: Option<(u32, Vec<Constant>)>,
    stacks: expressions::Stacks,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        let mut tokens = Tokens::new(text);
        let first = tokens.peek(0);
        Self {
            tokens,
            program: SyntaxTree::new(),
            diagnostics: Vec::new(),
            errors: 0,
            stopped: false,
            last_error: None,
            previous: Token { span: ByteSpan::default(), ..first },
            attached: 0,
            braces: 0,
            alternations: 0,
            late_constants: None,
            stacks: expressions::Stacks::default(),
        }
    }

    fn finish(mut self) -> Result<Parsed, Vec<Diagnostic>> {
        self.fetch_problems();
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        if self.errors > 0 {
            if self.errors >= MOST_ERRORS {
                let end = self.previous.span;
                let text = format!("stopped reading after {MOST_ERRORS} errors");
                self.diagnostics.push(Diagnostic::error(end, text));
            }
            Err(self.diagnostics)
        } else {
            Ok(Parsed { program: self.program, warnings: self.diagnostics })
        }
    }

    // Tokens.

    fn peek(&mut self) -> TokenKind {
        self.tokens.peek(0).kind
    }

    fn peek_at(&mut self, distance: usize) -> TokenKind {
        self.tokens.peek(distance).kind
    }

    fn peek_token(&mut self) -> Token {
        self.tokens.peek(0)
    }

    /// Is the next token this word, which is no keyword?
    fn at_word(&mut self, word: &str) -> bool {
        self.word_at(0, word)
    }

    fn word_at(&mut self, distance: usize, word: &str) -> bool {
        let token = self.tokens.peek(distance);
        token.kind == TokenKind::Name && self.tokens.text(token.span) == word
    }

    fn take(&mut self) -> Token {
        let token = self.tokens.take();
        match token.kind {
            TokenKind::OpenBrace => self.braces += 1,
            TokenKind::CloseBrace => self.braces -= 1,
            _ => {}
        }
        self.previous = token;
        token
    }

    /// Takes the next token if it is of this kind.
    fn accept(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.take();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.take();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, wanted: &str) -> Step<Token> {
        if self.peek() == kind { Ok(self.take()) } else { Err(self.expected(&[wanted])) }
    }

    fn expect_word(&mut self, word: &str) -> Step<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&[&format!("'{word}'")])) }
    }

    /// From `start` to the last token taken.
    fn span_from(&self, start: u32) -> ByteSpan {
        ByteSpan::new(start, self.previous.span.end.max(start))
    }

    // Names.

    fn symbol(&mut self, token: Token) -> Symbol {
        self.program.symbols.intern(self.tokens.text(token.span))
    }

    fn name(&mut self, wanted: &str) -> Step<Name> {
        let token = self.expect(TokenKind::Name, wanted)?;
        Ok(Name { symbol: self.symbol(token), span: token.span })
    }

    /// A name as JKind writes it for flattened models: `msg.buff[0]`.
    fn path(&mut self, wanted: &str) -> Step<Name> {
        let name = self.name(wanted)?;
        let mut text = String::new();
        loop {
            let extends = match self.peek() {
                TokenKind::Dot => self.peek_at(1) == TokenKind::Name,
                TokenKind::OpenBracket => {
                    self.peek_at(1) == TokenKind::Int && self.peek_at(2) == TokenKind::CloseBracket
                }
                _ => false,
            };
            if !extends {
                break;
            }
            let parts = if self.peek() == TokenKind::Dot { 2 } else { 3 };
            if text.is_empty() {
                text.push_str(self.program.text(name.symbol));
            }
            for _ in 0..parts {
                let token = self.take();
                text.push_str(self.tokens.text(token.span));
            }
        }
        if text.is_empty() {
            return Ok(name);
        }
        let symbol = self.program.symbols.intern(&text);
        Ok(Name { symbol, span: self.span_from(name.span.start) })
    }

    fn names(&mut self, wanted: &str) -> Step<Vec<Name>> {
        let mut names = vec![self.path(wanted)?];
        while self.accept(TokenKind::Comma) {
            names.push(self.path(wanted)?);
        }
        Ok(names)
    }

    /// The text between the quotes, if a string comes next.
    fn title(&mut self) -> Option<Symbol> {
        if self.peek() != TokenKind::String {
            return None;
        }
        let token = self.take();
        let text = self.tokens.text(token.span);
        let inside = text.strip_prefix('"').unwrap_or(text);
        Some(self.program.symbols.intern(inside.strip_suffix('"').unwrap_or(inside)))
    }

    // Problems.

    /// The next token in words.
    fn found(&mut self) -> String {
        let token = self.peek_token();
        let text: String = self.tokens.text(token.span).chars().take(40).collect();
        match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            kind if kind.is_keyword() => format!("the keyword '{text}'"),
            TokenKind::String => format!("the string {text}"),
            _ => format!("'{text}'"),
        }
    }

    /// Records that the next token should have been one of `wanted`.
    fn expected(&mut self, wanted: &[&str]) -> Stop {
        let found = self.found();
        let token = self.peek_token();
        let mut diagnostic = Diagnostic::expected(token.span, wanted, &found);
        diagnostic.help = self.hint_for(token).map(str::to_owned);
        self.report(diagnostic)
    }

    /// Records that the next token should have been one of `wanted`, with the place that
    /// asks for it.
    fn expected_by<T>(&mut self, wanted: &[&str], place: ByteSpan, text: &str) -> Step<T> {
        let errors = self.errors;
        let stop = self.expected(wanted);
        if let Some(last) = self.diagnostics.last_mut().filter(|_| self.errors > errors) {
            last.related.push((place, text.to_owned()));
        }
        Err(stop)
    }

    /// A hint for syntax of other languages.
    fn hint_for(&mut self, token: Token) -> Option<&'static str> {
        Some(match self.tokens.text(token.span) {
            "==" => "equality is written '='",
            "&" => "conjunction is written 'and'; '&&' is for machine integers",
            "|" => "disjunction is written 'or'; '||' is for machine integers",
            "%" => "the remainder is written 'mod'",
            "?" => "a choice is written 'if … then … else …'",
            ":=" => "an equation is written with '='",
            "<-" => "'x <-y' reads as '<-'; write 'x < -y'",
            "*)" | "*/" => "this closes no comment; comments do not nest",
            _ => return None,
        })
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Stop {
        let place = diagnostic.span.start;
        // A character that means nothing has been reported by the tokens.
        // So has a comment without an end, which makes the file end too early.
        let next = self.peek();
        let repeated = self.last_error == Some(place)
            || next == TokenKind::Unknown
            || next == TokenKind::End && self.tokens.cut_short;
        self.fetch_problems();
        if !repeated && self.errors < MOST_ERRORS {
            self.last_error = Some(place);
            self.errors += 1;
            self.diagnostics.push(diagnostic);
        }
        Stop
    }

    fn warn(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Takes over what the tokens found wrong with the text.
    fn fetch_problems(&mut self) {
        for problem in std::mem::take(&mut self.tokens.problems) {
            if problem.severity == Severity::Error {
                if self.errors >= MOST_ERRORS {
                    continue;
                }
                self.errors += 1;
            }
            self.diagnostics.push(problem);
        }
    }

    fn too_many_errors(&self) -> bool {
        self.errors >= MOST_ERRORS || self.stopped
    }

    /// Checks the limits on the size of the tree.
    fn check_size(&mut self) -> Step<()> {
        let (most, what) = if self.program.exprs().len() >= MOST_EXPRESSIONS {
            (MOST_EXPRESSIONS, "expressions")
        } else if self.program.item_count() >= MOST_ITEMS {
            (MOST_ITEMS, "equations")
        } else {
            return Ok(());
        };
        self.stopped = true;
        let span = self.peek_token().span;
        let text = format!("the file has more than {most} {what}; reading stops here");
        Err(self.report(Diagnostic::error(span, text)))
    }

    /// Runs `read` one level deeper in types within expressions within types.
    fn alternate<T>(&mut self, read: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        if self.alternations >= MOST_ALTERNATIONS {
            let span = self.peek_token().span;
            let text = format!(
                "types and expressions hold each other more than {MOST_ALTERNATIONS} deep here"
            );
            return Err(self.report(Diagnostic::error(span, text)));
        }
        self.alternations += 1;
        let result = read(self);
        self.alternations -= 1;
        result
    }
}

#[cfg(test)]
mod tests;
