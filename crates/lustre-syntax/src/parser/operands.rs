//! Before an operand: leaves, prefix operators, opening brackets.

use obligato_model::Signedness;

use super::expressions::{Frame, Inside, ListKind, Next};
use super::{Parser, Step};
use crate::ast::{
    Call, Expr, List, Name, Quantifier, StaticArgument, Symbol, Trivia, UnaryOperator, Variability,
    VariableGroup,
};
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    /// Reads the start of an operand.
    pub(super) fn operand(&mut self) -> Step<Next> {
        let token = self.peek_token();
        let start = token.span.start;
        match token.kind {
            TokenKind::True => Ok(self.leaf(Expr::Bool(true))),
            TokenKind::False => Ok(self.leaf(Expr::Bool(false))),
            TokenKind::Int => {
                let symbol = self.symbol(token);
                Ok(self.leaf(Expr::Int(symbol)))
            }
            TokenKind::Real => {
                let symbol = self.real(token);
                Ok(self.leaf(Expr::Real(symbol)))
            }
            TokenKind::Name => self.operand_name(token),
            TokenKind::DoubleColon => self.mode(start),
            TokenKind::Not => self.prefix(UnaryOperator::Not),
            TokenKind::Minus => self.prefix(UnaryOperator::Negate),
            TokenKind::Bang => self.prefix(UnaryOperator::BitNot),
            TokenKind::Pre => self.prefix(UnaryOperator::Pre),
            TokenKind::Current => self.prefix(UnaryOperator::Current),
            TokenKind::IntType => self.prefix(UnaryOperator::ToInt),
            TokenKind::RealType => self.prefix(UnaryOperator::ToReal),
            TokenKind::Floor => self.prefix(UnaryOperator::Floor),
            TokenKind::MachineType => {
                let (signedness, bits) = machine_type(self.tokens.text(token.span));
                self.prefix(UnaryOperator::ToMachine(signedness, bits))
            }
            TokenKind::If => {
                self.take();
                self.wait(Frame::If(start))
            }
            TokenKind::OpenParen => self.parenthesis(start),
            TokenKind::OpenBracket => self.list(ListKind::Array, start),
            TokenKind::OpenBrace => self.list(ListKind::Tuple(TokenKind::CloseBrace), start),
            TokenKind::Tick => {
                self.take();
                self.expect_ahead(TokenKind::OpenParen, "'(' of a tuple")?;
                self.list(ListKind::Tuple(TokenKind::CloseParen), start)
            }
            TokenKind::Hash => {
                self.take();
                self.expect_ahead(TokenKind::OpenParen, "'(' of '#(…)'")?;
                self.list(ListKind::AtMostOne, start)
            }
            TokenKind::Condact => {
                self.take();
                self.expect_ahead(TokenKind::OpenParen, "'(' of 'condact(…)'")?;
                self.list(ListKind::Condact, start)
            }
            TokenKind::Fby => {
                self.take();
                self.expect_ahead(TokenKind::OpenParen, "'(' of 'fby(…)'")?;
                self.list(ListKind::Delay, start)
            }
            TokenKind::Merge => self.merge(start),
            TokenKind::Forall => self.quantifier(Quantifier::Forall, start),
            TokenKind::Exists => self.quantifier(Quantifier::Exists, start),
            TokenKind::With => {
                Err(self.unsupported(token.span, "a recursive 'with … then … else'"))
            }
            TokenKind::When => Err(self.unsupported(token.span, "a lazy 'when … then … else'")),
            TokenKind::Activate | TokenKind::Restart => {
                let word = self.tokens.text(token.span);
                let wanted = format!("an expression, such as '({word} node every clock)(…)'");
                Err(self.expected(&[&wanted]))
            }
            _ => Err(self.expected(&["an expression"])),
        }
    }

    /// A real as both dialects write it: `1.0` for `1.`.
    fn real(&mut self, token: Token) -> Symbol {
        let text = self.tokens.text(token.span);
        let whole = text.strip_suffix('.').map(|digits| format!("{digits}.0"));
        self.program.symbols.intern(whole.as_deref().unwrap_or(text))
    }

    fn leaf(&mut self, expr: Expr) -> Next {
        let span = self.take().span;
        Next::Operator(self.add(expr, span))
    }

    pub(super) fn wait(&mut self, frame: Frame) -> Step<Next> {
        self.push(frame)?;
        Ok(Next::Operand)
    }

    fn prefix(&mut self, operator: UnaryOperator) -> Step<Next> {
        let start = self.take().span.start;
        self.wait(Frame::Unary(operator, start))
    }

    fn expect_ahead(&mut self, kind: TokenKind, wanted: &str) -> Step<()> {
        if self.peek() == kind { Ok(()) } else { Err(self.expected(&[wanted])) }
    }

    /// An opening bracket and, unless it closes at once, the first element.
    pub(super) fn list(&mut self, kind: ListKind, start: u32) -> Step<Next> {
        self.take();
        let from = self.stacks.operands.len();
        self.push(Frame::List { kind, start, from })?;
        if kind == ListKind::Arguments && self.peek() == TokenKind::CloseParen {
            return self.close_list();
        }
        Ok(Next::Operand)
    }

    fn operand_name(&mut self, token: Token) -> Step<Next> {
        if self.starts_any() {
            return self.any(token.span.start);
        }
        if let Some(construct) = self.foreign_construct(token) {
            return Err(self.unsupported(token.span, construct));
        }
        let start = token.span.start;
        let ticked = self.peek_at(1) == TokenKind::Tick && self.peek_at(2) == TokenKind::Name;
        if self.at_word("last") && (ticked || self.peek_at(1) == TokenKind::Name) {
            self.take();
            self.accept(TokenKind::Tick);
            let name = self.name("a name")?;
            let span = self.span_from(start);
            return Ok(Next::Operator(self.add(Expr::Last(name.symbol), span)));
        }
        let name = self.name("a name")?;
        match self.peek() {
            TokenKind::OpenParen | TokenKind::OpenStatic | TokenKind::At => self.call(name, start),
            TokenKind::OpenBrace if self.starts_record() => self.record(name),
            _ => Ok(Next::Operator(self.add(Expr::Name(name.symbol), name.span))),
        }
    }

    /// `any {x: t | e}` or `any@<t>`; `any` may also be the name of a variable.
    fn starts_any(&mut self) -> bool {
        self.at_word("any")
            && match self.peek_at(1) {
                TokenKind::OpenBrace => {
                    self.peek_at(2) == TokenKind::Name && self.peek_at(3) == TokenKind::Colon
                }
                TokenKind::At => self.peek_at(2) == TokenKind::Less,
                _ => false,
            }
    }

    /// `any {x: t |`, before the condition; `any@<t>` is `any {value: t | true}`.
    fn any(&mut self, start: u32) -> Step<Next> {
        self.take();
        if self.accept(TokenKind::OpenBrace) {
            let group = self.alternate(Self::typed_names)?;
            self.expect(TokenKind::Bar, "'|' and a condition")?;
            let variables = self.program.variables.add([group]);
            return self.wait(Frame::Any(variables, start));
        }
        self.take();
        self.take();
        let place = self.peek_token().span;
        let kind = self.alternate(Self::type_expression)?;
        let name = Name { symbol: self.program.symbols.intern("value"), span: place };
        let names = self.program.names.add([name]);
        let (span, trivia) = (self.span_from(place.start), Trivia::default());
        let variability = Variability::Stream;
        let group = VariableGroup { names, kind, clock: None, variability, span, trivia };
        self.expect(TokenKind::Greater, "'>'")?;
        let variables = self.program.variables.add([group]);
        let always = self.add(Expr::Bool(true), span);
        Ok(self.done(Expr::Quantified(Quantifier::Any, variables, always), start))
    }

    /// Constructs of Kind 2 that start with a word which is a name elsewhere.
    fn foreign_construct(&mut self, token: Token) -> Option<&'static str> {
        let next = self.peek_at(1);
        let starts_type = matches!(
            next,
            TokenKind::BoolType
                | TokenKind::IntType
                | TokenKind::RealType
                | TokenKind::MachineType
                | TokenKind::Name
        );
        let opens = next == TokenKind::At
            || next == TokenKind::OpenBrace
                && self.peek_at(2) == TokenKind::Name
                && self.peek_at(3) == TokenKind::Colon;
        match self.tokens.text(token.span) {
            "choose" if opens || starts_type => Some("the operator 'choose'"),
            "match" if starts_type => Some("'match … with'"),
            "map"
                if next == TokenKind::OpenBracket && self.peek_at(2) == TokenKind::CloseBracket =>
            {
                Some("a map")
            }
            _ => None,
        }
    }

    /// `name(…)`, `name<<…>>(…)`.
    fn call(&mut self, name: Name, start: u32) -> Step<Next> {
        let statics = self.static_arguments()?;
        self.pending_call(name, statics);
        self.expect_ahead(TokenKind::OpenParen, "'(' and the arguments of the call")?;
        self.list(ListKind::Arguments, start)
    }

    pub(super) fn pending_call(&mut self, node: Name, statics: List<StaticArgument>) {
        self.stacks.calls.push(Call {
            node,
            statics,
            arguments: List::empty(),
            restart: None,
            activation: None,
        });
    }

    /// `(`: a list, an expression in parentheses, or the head of a call with a clock.
    fn parenthesis(&mut self, start: u32) -> Step<Next> {
        match self.peek_at(1) {
            TokenKind::Restart => {
                self.take();
                self.restart_head(Inside::Nothing, start)
            }
            TokenKind::Activate => {
                self.take();
                self.take();
                if self.peek() == TokenKind::OpenParen && self.peek_at(1) == TokenKind::Restart {
                    self.take();
                    return self.restart_head(Inside::Activate, start);
                }
                self.call_head()?;
                self.wait(Frame::Activate(start))
            }
            _ => self.list(ListKind::Parentheses, start),
        }
    }

    /// `restart node every`.
    fn restart_head(&mut self, inside: Inside, start: u32) -> Step<Next> {
        self.take();
        self.call_head()?;
        self.wait(Frame::Restart { inside, start })
    }

    /// `node every`.
    fn call_head(&mut self) -> Step<()> {
        let node = self.path("the name of a node")?;
        let statics = self.static_arguments()?;
        self.pending_call(node, statics);
        self.expect(TokenKind::Every, "'every'")?;
        Ok(())
    }

    /// `::mode`, `::contract::mode`.
    fn mode(&mut self, start: u32) -> Step<Next> {
        let mut text = String::new();
        while self.accept(TokenKind::DoubleColon) {
            let name = self.name("the name of a mode")?;
            if !text.is_empty() {
                text.push_str("::");
            }
            text.push_str(self.program.text(name.symbol));
        }
        let symbol: Symbol = self.program.symbols.intern(&text);
        let span = self.span_from(start);
        Ok(Next::Operator(self.add(Expr::Mode(symbol), span)))
    }

    fn merge(&mut self, start: u32) -> Step<Next> {
        self.take();
        if self.accept(TokenKind::OpenParen) {
            let clock = self.name("the name of a clock")?;
            self.expect(TokenKind::Semicolon, "';' after the clock of 'merge'")?;
            return self.wait(Frame::MergeTrue(clock, start));
        }
        let clock = self.name("the name of a clock")?;
        let from = self.stacks.named.len();
        self.merge_case(clock, from, start)
    }

    /// `(value ->`.
    pub(super) fn merge_case(&mut self, clock: Name, from: usize, start: u32) -> Step<Next> {
        self.expect(TokenKind::OpenParen, "'(' of a branch '(value -> expression)'")?;
        let value = if matches!(self.peek(), TokenKind::True | TokenKind::False) {
            let token = self.take();
            Name { symbol: self.symbol(token), span: token.span }
        } else {
            self.name("a value of the clock")?
        };
        self.expect(TokenKind::Arrow, "'->'")?;
        self.wait(Frame::MergeCase { clock, value, from, start })
    }

    fn quantifier(&mut self, quantifier: Quantifier, start: u32) -> Step<Next> {
        self.take();
        let groups = self.alternate(Self::quantified_variables)?;
        let variables = self.program.variables.add(groups);
        self.wait(Frame::Quantified(quantifier, variables, start))
    }
}

/// Signedness and width of a machine integer type, from its name.
pub(super) fn machine_type(name: &str) -> (Signedness, u8) {
    let (signedness, width) = match name.strip_prefix("uint") {
        Some(width) => (Signedness::Unsigned, width),
        None => (Signedness::Signed, name.strip_prefix("int").unwrap_or(name)),
    };
    (signedness, width.parse().expect("invariant: the token has a width"))
}
