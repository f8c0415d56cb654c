//! Types and variables with types.

use super::operands::machine_type;
use super::{MOST_NESTED, Parser, Step};
use crate::ast::{
    ArrayNotation, List, StaticArgument, Trivia, Type, TypeId, Variability, VariableGroup,
};
use crate::diagnostic::Diagnostic;
use crate::source::ByteSpan;
use crate::token::TokenKind;

/// What a type being read is part of.
enum Frame {
    /// `[t, u,`.
    Tuple { types: Vec<TypeId>, start: u32 },
    /// `name<<t; u;`.
    Arguments { name: crate::ast::Name, arguments: Vec<StaticArgument> },
}

impl Parser<'_> {
    /// Reads a type.
    pub(super) fn type_expression(&mut self) -> Step<TypeId> {
        let mut stack: Vec<Frame> = Vec::new();
        loop {
            // Down to a type without parts.
            let mut kind = loop {
                let start = self.peek_token().span.start;
                if stack.len() >= MOST_NESTED {
                    let text = format!("types are nested more than {MOST_NESTED} deep here");
                    let span = ByteSpan::new(start, start + 1);
                    return Err(self.report(Diagnostic::error(span, text)));
                }
                if self.accept(TokenKind::OpenBracket) {
                    stack.push(Frame::Tuple { types: Vec::new(), start });
                    continue;
                }
                if self.peek() == TokenKind::Name {
                    let name = self.name("a type")?;
                    if self.program.text(name.symbol) == "subtype"
                        && self.accept(TokenKind::OpenBrace)
                    {
                        break self.alternate(|parser| parser.subtype(name.span.start))?;
                    }
                    self.refuse_foreign(name)?;
                    if self.accept(TokenKind::OpenStatic) {
                        stack.push(Frame::Arguments { name, arguments: Vec::new() });
                        if self.values_only(&mut stack)? {
                            break self.close_arguments(&mut stack)?;
                        }
                        continue;
                    }
                    let named = Type::Named(name.symbol, List::empty());
                    break self.program.add_type(named, name.span);
                }
                break self.simple_type()?;
            };
            // Back up through what is complete.
            loop {
                kind = self.array_suffixes(kind)?;
                match stack.last_mut() {
                    None => return Ok(kind),
                    Some(Frame::Tuple { types, start }) => {
                        types.push(kind);
                        let start = *start;
                        if self.accept(TokenKind::Comma) {
                            break;
                        }
                        self.expect(TokenKind::CloseBracket, "']'")?;
                        let Some(Frame::Tuple { types, .. }) = stack.pop() else {
                            unreachable!("invariant: a tuple is on top");
                        };
                        let types = self.program.type_lists.add(types);
                        let span = self.span_from(start);
                        kind = self.program.add_type(Type::Tuple(types), span);
                    }
                    Some(Frame::Arguments { arguments, .. }) => {
                        arguments.push(StaticArgument::Type(kind));
                        if self.accept_argument_separator() && !self.values_only(&mut stack)? {
                            break;
                        }
                        kind = self.close_arguments(&mut stack)?;
                    }
                }
            }
        }
    }

    /// Reads arguments that cannot be types, up to one that can; are there none left?
    fn values_only(&mut self, stack: &mut [Frame]) -> Step<bool> {
        let Some(Frame::Arguments { arguments, .. }) = stack.last_mut() else {
            unreachable!("invariant: arguments are being read");
        };
        while !self.starts_type() {
            if self.peek() == TokenKind::CloseStatic {
                return Ok(true);
            }
            arguments.push(StaticArgument::Value(self.alternate(Self::size)?));
            if !self.accept_argument_separator() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn close_arguments(&mut self, stack: &mut Vec<Frame>) -> Step<TypeId> {
        self.expect(TokenKind::CloseStatic, "'>>'")?;
        let Some(Frame::Arguments { name, arguments }) = stack.pop() else {
            unreachable!("invariant: arguments are being read");
        };
        let arguments = self.program.statics.add(arguments);
        let span = self.span_from(name.span.start);
        Ok(self.program.add_type(Type::Named(name.symbol, arguments), span))
    }

    fn accept_argument_separator(&mut self) -> bool {
        self.accept(TokenKind::Semicolon) || self.accept(TokenKind::Comma)
    }

    fn starts_type(&mut self) -> bool {
        matches!(
            self.peek(),
            TokenKind::Name
                | TokenKind::BoolType
                | TokenKind::IntType
                | TokenKind::RealType
                | TokenKind::MachineType
                | TokenKind::Subrange
                | TokenKind::OpenBracket
        )
    }

    /// Types that only Kind 2 has.
    fn refuse_foreign(&mut self, name: crate::ast::Name) -> Step<()> {
        let next = self.peek();
        let construct = match self.program.text(name.symbol) {
            "history" if next == TokenKind::OpenParen => "the type 'history'",
            _ if next != TokenKind::Less => return Ok(()),
            "set" => "the type 'set'",
            "map" => "the type 'map'",
            "uint" | "sint" => "a machine integer of any width",
            _ => "a type with arguments between '<' and '>'",
        };
        Err(self.unsupported(name.span, construct))
    }

    fn simple_type(&mut self) -> Step<TypeId> {
        let token = self.peek_token();
        let kind = match token.kind {
            TokenKind::BoolType => Type::Bool,
            TokenKind::IntType => Type::Int,
            TokenKind::RealType => Type::Real,
            TokenKind::MachineType => {
                let (signedness, bits) = machine_type(self.tokens.text(token.span));
                Type::Machine(signedness, bits)
            }
            TokenKind::Subrange => return self.subrange(),
            TokenKind::Struct | TokenKind::OpenBrace => {
                let text = "a record type needs a name of its own";
                let help = "declare it with 'type name = struct { … };' and use the name here";
                let problem = Diagnostic::error(token.span, text).with_help(help);
                return Err(self.report(problem));
            }
            TokenKind::Enum => {
                let text = "an enumeration needs a name of its own";
                let help = "declare it with 'type name = enum { … };' and use the name here";
                let problem = Diagnostic::error(token.span, text).with_help(help);
                return Err(self.report(problem));
            }
            _ => return Err(self.expected(&["a type"])),
        };
        self.take();
        Ok(self.program.add_type(kind, token.span))
    }

    fn subrange(&mut self) -> Step<TypeId> {
        let start = self.take().span.start;
        self.expect(TokenKind::OpenBracket, "'['")?;
        let low = self.bound()?;
        self.expect(TokenKind::Comma, "','")?;
        let high = self.bound()?;
        self.expect(TokenKind::CloseBracket, "']'")?;
        self.expect(TokenKind::Of, "'of'")?;
        self.expect(TokenKind::IntType, "'int'")?;
        let span = self.span_from(start);
        Ok(self.program.add_type(Type::Subrange(low, high), span))
    }

    /// `x: t | e }` after `subtype {`.
    fn subtype(&mut self, start: u32) -> Step<TypeId> {
        let group = self.typed_names()?;
        if self.peek() != TokenKind::Bar {
            return Err(self.expected(&["'|' and a condition"]));
        }
        let refined = self.refined(group, start)?;
        self.expect(TokenKind::CloseBrace, "'}'")?;
        Ok(refined)
    }

    /// `| e` after a variable and its type.
    fn refined(&mut self, group: VariableGroup, start: u32) -> Step<TypeId> {
        let bar = self.take().span;
        let &[name] = &self.program.names[group.names] else {
            let text = "a type with a condition is that of one variable";
            let help = "declare each variable with a type of its own";
            return Err(self.report(Diagnostic::error(bar, text).with_help(help)));
        };
        let condition = self.alternate(Self::expression)?;
        let span = self.span_from(start);
        let refined = Type::Refined { name: name.symbol, base: group.kind, condition };
        Ok(self.program.add_type(refined, span))
    }

    fn bound(&mut self) -> Step<Option<crate::ast::ExprId>> {
        if self.accept(TokenKind::Star) {
            return Ok(None);
        }
        self.alternate(Self::expression).map(Some)
    }

    /// `^n` and `[n]` after a type; `int^2^3` is three times two, as is `int[2][3]`.
    fn array_suffixes(&mut self, mut element: TypeId) -> Step<TypeId> {
        loop {
            let (size, notation) = if self.accept(TokenKind::Caret) {
                (self.alternate(Self::size)?, ArrayNotation::Caret)
            } else if self.accept(TokenKind::OpenBracket) {
                let size = self.alternate(Self::expression)?;
                self.expect(TokenKind::CloseBracket, "']'")?;
                (size, ArrayNotation::Brackets)
            } else {
                return Ok(element);
            };
            let span = self.span_from(self.program.kind_span(element).start);
            let array = Type::Array { element, size, notation };
            element = self.program.add_type(array, span);
        }
    }

    /// `<<…>>` or `@<…>` after the name of a node, if it is there.
    pub(super) fn static_arguments(&mut self) -> Step<List<StaticArgument>> {
        let (close, wanted) = match self.peek() {
            TokenKind::OpenStatic => (TokenKind::CloseStatic, "'>>'"),
            TokenKind::At => (TokenKind::Greater, "'>'"),
            _ => return Ok(List::empty()),
        };
        if self.take().kind == TokenKind::At {
            self.expect(TokenKind::Less, "'<'")?;
        }
        let mut arguments = Vec::new();
        while self.peek() != close {
            arguments.push(if self.starts_type() {
                StaticArgument::Type(self.alternate(Self::type_expression)?)
            } else {
                StaticArgument::Value(self.alternate(Self::size)?)
            });
            if !self.accept_argument_separator() {
                break;
            }
        }
        self.expect(close, wanted)?;
        Ok(self.program.statics.add(arguments))
    }

    // Variables.

    /// `(a, b: int; const c: bool; …)`: inputs, outputs.
    pub(super) fn parameters(&mut self) -> Step<Vec<VariableGroup>> {
        self.expect(TokenKind::OpenParen, "'('")?;
        let mut groups = Vec::new();
        while self.peek() != TokenKind::CloseParen {
            if !self.parameter(&mut groups)? {
                break;
            }
        }
        self.expect(TokenKind::CloseParen, "')'")?;
        Ok(groups)
    }

    /// One group of parameters, or several in parentheses with one clock; may more follow?
    fn parameter(&mut self, groups: &mut Vec<VariableGroup>) -> Step<bool> {
        if self.accept(TokenKind::OpenParen) {
            let first = groups.len();
            loop {
                let group = self.variables()?;
                groups.push(group);
                if !self.accept(TokenKind::Semicolon) || self.peek() == TokenKind::CloseParen {
                    break;
                }
            }
            self.expect(TokenKind::CloseParen, "')'")?;
            self.expect(TokenKind::When, "'when'")?;
            let clock = self.clock()?;
            for group in &mut groups[first..] {
                group.clock = Some(clock);
            }
            return Ok(self.accept(TokenKind::Semicolon));
        }
        let trivia = self.open_trivia();
        let group = self.variables()?;
        let more = self.accept(TokenKind::Semicolon);
        if !more && self.peek() != TokenKind::CloseParen {
            return Err(self.expected(&["';'", "')'"]));
        }
        let trivia = self.close_group(trivia, more, TokenKind::CloseParen);
        groups.push(VariableGroup { trivia, ..group });
        Ok(more)
    }

    /// The comments of a group in a list that ends with `close`. The last one has no `;` to
    /// put a comment after, so all its comments come first.
    pub(super) fn close_group(&mut self, trivia: Trivia, more: bool, close: TokenKind) -> Trivia {
        let mut trivia = plain(if more { self.close_trivia(trivia) } else { trivia });
        if self.peek() == close {
            trivia.leading = trivia.leading.joined(trivia.trailing);
            trivia.trailing = List::empty();
        }
        trivia
    }

    /// `a, b: int when c`.
    pub(super) fn variables(&mut self) -> Step<VariableGroup> {
        let mut group = self.typed_names()?;
        if self.peek() == TokenKind::Bar {
            group.kind = self.refined(group, group.span.start)?;
        }
        // LustreC says of a variable that it is a clock; here every one may be.
        self.accept_word("clock");
        let clock = if self.accept(TokenKind::When) { Some(self.clock()?) } else { None };
        Ok(VariableGroup { clock, span: self.span_from(group.span.start), ..group })
    }

    /// `const a, b: int`.
    pub(super) fn typed_names(&mut self) -> Step<VariableGroup> {
        let start = self.peek_token().span.start;
        let variability =
            if self.accept(TokenKind::Const) { Variability::Constant } else { Variability::Stream };
        let names = self.names("the name of a variable")?;
        if !self.accept(TokenKind::Colon) {
            let errors = self.errors;
            let is_equation = self.peek() == TokenKind::Equal;
            let stop = self.expected(&["':' and a type"]);
            let reported = is_equation && self.errors > errors;
            if let Some(last) = self.diagnostics.last_mut().filter(|_| reported) {
                last.help = Some("equations come after 'let'".to_owned());
            }
            return Err(stop);
        }
        let kind = self.type_expression()?;
        let clock = None;
        let names = self.program.names.add(names);
        let span = self.span_from(start);
        let trivia = Trivia::default();
        Ok(VariableGroup { names, kind, clock, variability, span, trivia })
    }

    /// `(i, j: int; k: bool)` of a quantifier.
    pub(super) fn quantified_variables(&mut self) -> Step<Vec<VariableGroup>> {
        self.expect(TokenKind::OpenParen, "'(' and the variables of the quantifier")?;
        let mut groups = Vec::new();
        loop {
            groups.push(self.variables()?);
            if !self.accept(TokenKind::Semicolon) || self.peek() == TokenKind::CloseParen {
                break;
            }
        }
        self.expect(TokenKind::CloseParen, "')'")?;
        Ok(groups)
    }
}

/// Empty lines between variables are not kept.
pub(super) fn plain(trivia: Trivia) -> Trivia {
    Trivia { blank_before: false, ..trivia }
}
