//! Expressions, by operator precedence with a stack of their own.
//!
//! The parser is always either before an operand or after one. Before: [`super::operands`]
//! reads a leaf, or pushes what waits for an operand (a prefix operator, an opening bracket)
//! onto the stack. After: an infix operator first completes what binds tighter, then waits
//! itself; anything else completes all operators down to the innermost bracket, and
//! [`super::brackets`] decides how that goes on.
//!
//! This is what an LR parser with the same precedences does: only the operator on top of the
//! stack is held against the next token.

use super::{MOST_NESTED, Parser, Step as Result};
use crate::ast::{
    BinaryOperator, Call, CallId, Clock, Expr, ExprId, Grouping, Level, List, Name, NamedExpr,
    Quantifier, Step, UnaryOperator, VariableGroup,
};
use crate::diagnostic::Diagnostic;
use crate::source::ByteSpan;
use crate::token::TokenKind;

/// What waits for an operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// A prefix operator.
    Unary(UnaryOperator, u32),
    /// `forall (…)`.
    Quantified(Quantifier, List<VariableGroup>, u32),
    /// `any { x: int |`.
    Any(List<VariableGroup>, u32),
    /// `if test then one else`.
    Else(ExprId, ExprId, u32),
    /// `node(…) every`, as LustreC writes what restarts a call.
    Every(CallId, u32),
    /// An infix operator, its left operand and where that starts.
    Binary(BinaryOperator, ExprId, u32),
    /// `if`, with where it starts.
    If(u32),
    /// `if test then`.
    Then(ExprId, u32),
    /// A list between brackets; its elements are on the stack of operands from here.
    List { kind: ListKind, start: u32, from: usize },
    /// `base[`.
    Index { base: ExprId, start: u32 },
    /// `base[index :=`.
    AssignIndex { base: ExprId, index: ExprId, start: u32 },
    /// `base[index := value;`, before the next index.
    NextIndex { base: ExprId, start: u32 },
    /// `base[low ..`.
    SliceEnd { base: ExprId, low: ExprId, start: u32 },
    /// `base{field :=`.
    AssignField { base: ExprId, field: Name, start: u32 },
    /// `T {field =`; the earlier fields are on the stack from here.
    RecordField { name: Name, base: Option<ExprId>, field: Name, from: usize },
    /// `(base with … [`; the earlier steps are on the stack from here.
    WithIndex { base: ExprId, from: usize, start: u32 },
    /// `(base with … =`.
    WithValue { base: ExprId, from: usize, start: u32 },
    /// `merge(clock;`.
    MergeTrue(Name, u32),
    /// `merge(clock; …;`.
    MergeFalse(Name, ExprId, u32),
    /// `merge clock … (value ->`; the earlier branches are on the stack from here.
    MergeCase { clock: Name, value: Name, from: usize, start: u32 },
    /// `(restart node every`, perhaps inside `(activate`; the call is on its stack.
    Restart { inside: Inside, start: u32 },
    /// `(activate node every`.
    Activate(u32),
}

/// Where a `restart` stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// `(restart n every e)(…)`.
    Nothing,
    /// `(activate (restart n every e) every c)(…)`.
    Activate,
    /// `(activate n every c restart every e)(…)`.
    ActivateTail,
}

/// What a list between brackets is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListKind {
    /// `(a, b)`, or an expression in parentheses.
    Parentheses,
    /// `{a, b}`, also `'(a, b)`, which closes with a parenthesis.
    Tuple(TokenKind),
    /// `[a, b]`.
    Array,
    /// `#(a, b)`.
    AtMostOne,
    /// The arguments of the call on top of its stack.
    Arguments,
    /// `initial default a, b` of the call on top of its stack.
    Defaults,
    /// `condact(clock, call, defaults…)`.
    Condact,
    /// `fby(e, n, d)`.
    Delay,
}

/// All stacks of the expressions being read, one inside the other.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    pub(super) frames: Vec<Frame>,
    pub(super) operands: Vec<ExprId>,
    pub(super) named: Vec<NamedExpr>,
    pub(super) steps: Vec<Step>,
    pub(super) calls: Vec<Call>,
    /// The expression last found in parentheses, and where they open.
    pub(super) enclosed: Option<(ExprId, u32)>,
}

impl Stacks {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.operands.clear();
        self.named.clear();
        self.steps.clear();
        self.calls.clear();
        self.enclosed = None;
    }
}

/// How far an expression reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// As far as it can.
    Full,
    /// The size of an array type: `int^n*2` but `int^2^3` is an array of arrays, and the `=`
    /// after the type is not its.
    Size,
}

/// Where the parser is.
pub(super) enum Next {
    /// Before an operand.
    Operand,
    /// After this operand.
    Operator(ExprId),
    /// At the end of the whole expression.
    Done(ExprId),
}

impl Parser<'_> {
    /// Reads an expression.
    pub(super) fn expression(&mut self) -> Result<ExprId> {
        self.expression_to(Extent::Full)
    }

    /// Reads the size of an array type after `^`.
    pub(super) fn size(&mut self) -> Result<ExprId> {
        self.expression_to(Extent::Size)
    }

    fn expression_to(&mut self, extent: Extent) -> Result<ExprId> {
        self.check_size()?;
        let base = self.stacks.frames.len();
        let mut next = Next::Operand;
        loop {
            next = match next {
                Next::Operand => self.operand()?,
                Next::Operator(operand) => self.after(operand, base, extent)?,
                Next::Done(result) => return Ok(result),
            };
        }
    }

    /// Goes on after an operand.
    fn after(&mut self, operand: ExprId, base: usize, extent: Extent) -> Result<Next> {
        let kind = self.peek();
        if let Some(operator) = infix(kind) {
            let left = self.complete(operand, operator.level(), operator.grouping(), base);
            let ends_size = operator.level() < Level::Add || operator == BinaryOperator::Repeat;
            if extent == Extent::Size && ends_size && self.stacks.frames.len() == base {
                return Ok(Next::Done(left));
            }
            return self.infix(operator, left, operand);
        }
        match kind {
            TokenKind::OpenBracket | TokenKind::Dot | TokenKind::DotPercent => {
                return self.postfix(operand);
            }
            TokenKind::OpenBrace if self.starts_field_update() => return self.postfix(operand),
            TokenKind::OpenParen => return self.call_of_path(operand),
            TokenKind::When => {
                let value = self.complete(operand, Level::Else, Grouping::Left, base);
                if extent == Extent::Size && self.stacks.frames.len() == base {
                    return Ok(Next::Done(value));
                }
                let start = self.outer_start(value);
                self.take();
                let clock = self.clock()?;
                let span = self.span_from(start);
                return Ok(Next::Operator(self.add(Expr::When(value, clock), span)));
            }
            // After the size of an array type, the condition of `x: int^n | e` begins.
            TokenKind::Bar if extent == Extent::Size => {}
            _ => self.refuse_operator()?,
        }
        let value = self.complete(operand, Level::MachineCast, Grouping::Left, base);
        if self.stacks.frames.len() == base {
            return Ok(Next::Done(value));
        }
        self.close(value)
    }

    fn infix(&mut self, operator: BinaryOperator, left: ExprId, operand: ExprId) -> Result<Next> {
        self.warn_of_cast(operand);
        self.warn_of_negation(left, operator);
        self.check_size()?;
        let start = self.outer_start(left);
        let token = self.take();
        let follow = self.peek();
        if operator == BinaryOperator::And && follow == TokenKind::Then {
            return Err(self.unsupported(token.span, "the lazy operator 'and then'"));
        }
        if operator == BinaryOperator::Or && follow == TokenKind::Else {
            return Err(self.unsupported(token.span, "the lazy operator 'or else'"));
        }
        self.push(Frame::Binary(operator, left, start))?;
        Ok(Next::Operand)
    }

    /// Operators that only Kind 2 has.
    fn refuse_operator(&mut self) -> Result<()> {
        let token = self.peek_token();
        let construct = match (token.kind, self.tokens.text(token.span)) {
            (TokenKind::Bar, _) => "concatenation of arrays with '|'",
            (TokenKind::Foreign, "++") => "concatenation of machine integers with '++'",
            (TokenKind::Foreign, "==>") => "the lazy operator '==>'",
            (TokenKind::Foreign, "?") if self.peek_at(1) == TokenKind::OpenParen => {
                "the test '?' for a constructor"
            }
            (TokenKind::Name, "in") => "membership with 'in'",
            _ => return Ok(()),
        };
        Err(self.unsupported(token.span, construct))
    }

    /// Completes the operators on top of the stack that bind tighter than `limit`, or as
    /// tight if they group to the left.
    fn complete(
        &mut self,
        mut operand: ExprId,
        limit: Level,
        grouping: Grouping,
        base: usize,
    ) -> ExprId {
        while self.stacks.frames.len() > base {
            let top = self.stacks.frames[self.stacks.frames.len() - 1];
            let Some(level) = level(&top) else { break };
            if level < limit || level == limit && grouping == Grouping::Right {
                break;
            }
            self.stacks.frames.pop();
            operand = self.apply(top, operand);
        }
        operand
    }

    /// An operator with its last operand.
    fn apply(&mut self, frame: Frame, operand: ExprId) -> ExprId {
        let (expr, start) = match frame {
            Frame::Unary(operator, start) => (Expr::Unary(operator, operand), start),
            Frame::Quantified(quantifier, variables, start) => {
                (Expr::Quantified(quantifier, variables, operand), start)
            }
            Frame::Else(test, one, start) => (Expr::If(test, one, operand), start),
            Frame::Every(call, start) => {
                let restarted = Call { restart: Some(operand), ..self.program.call(call) };
                self.program.replace_call(call, restarted);
                (Expr::Call(call), start)
            }
            Frame::Binary(operator, left, start) => (Expr::Binary(operator, left, operand), start),
            _ => unreachable!("invariant: only operators have a level"),
        };
        // The last token is the operand's, or the closing parenthesis around it.
        let span = self.span_from(start);
        self.add(expr, span)
    }

    /// Where an operand starts, with the parentheses around it.
    pub(super) fn outer_start(&self, id: ExprId) -> u32 {
        match self.stacks.enclosed {
            Some((enclosed, start)) if enclosed == id => start,
            _ => self.program.expr_span(id).start,
        }
    }

    fn is_enclosed(&self, id: ExprId) -> bool {
        self.stacks.enclosed.is_some_and(|(enclosed, _)| enclosed == id)
    }

    pub(super) fn add(&mut self, expr: Expr, span: ByteSpan) -> ExprId {
        self.program.add_expr(expr, span)
    }

    pub(super) fn push(&mut self, frame: Frame) -> Result<()> {
        if self.stacks.frames.len() >= MOST_NESTED {
            let span = self.previous.span;
            let text = format!("expressions are nested more than {MOST_NESTED} deep here");
            return Err(self.report(Diagnostic::error(span, text)));
        }
        self.stacks.frames.push(frame);
        Ok(())
    }

    /// A clock, after `when`.
    pub(super) fn clock(&mut self) -> Result<Clock> {
        // LustreC writes `when true(c)` and `when false(c)`.
        let of_name = self.peek_at(1) == TokenKind::OpenParen;
        if of_name && self.accept(TokenKind::True) {
            return self.enclosed_clock().map(Clock::On);
        }
        if self.accept(TokenKind::True) {
            return Ok(Clock::Base);
        }
        if self.accept(TokenKind::Not) || of_name && self.accept(TokenKind::False) {
            return self.enclosed_clock().map(Clock::Not);
        }
        if self.peek() == TokenKind::OpenParen {
            let span = self.peek_token().span;
            return Err(self.unsupported(span, "a clock that is an expression"));
        }
        let name = self.name("the name of a clock")?;
        if !self.accept(TokenKind::OpenParen) {
            return Ok(Clock::On(name));
        }
        let clock = self.name("the name of a clock")?;
        self.expect(TokenKind::CloseParen, "')'")?;
        Ok(Clock::Value { value: name, clock })
    }

    /// The name of a clock, perhaps in parentheses.
    fn enclosed_clock(&mut self) -> Result<Name> {
        let enclosed = self.accept(TokenKind::OpenParen);
        let name = self.name("the name of a clock")?;
        if enclosed {
            self.expect(TokenKind::CloseParen, "')'")?;
        }
        Ok(name)
    }

    /// Warns of `uint8 (x) + y`, which looks like a call but takes all of `(x) + y`.
    fn warn_of_cast(&mut self, operand: ExprId) {
        let cast = match self.stacks.frames.last() {
            Some(Frame::Unary(UnaryOperator::ToMachine(signedness, bits), start)) => {
                (UnaryOperator::ToMachine(*signedness, *bits).spelling(), *start)
            }
            _ => return,
        };
        let (spelling, start) = cast;
        let span = self.span_from(start);
        if self.is_enclosed(operand) {
            let text = format!("'{spelling}' takes all that follows, not only the parentheses");
            let help = format!("write '({spelling} …)' or '{spelling} (…)' around what is meant");
            self.warn(Diagnostic::warning(span, text).with_help(help));
        }
    }

    /// Warns of `-a div b`, which the dialects read differently.
    fn warn_of_negation(&mut self, left: ExprId, operator: BinaryOperator) {
        let divides = matches!(operator, BinaryOperator::IntegerDivide | BinaryOperator::Modulo);
        if !divides || self.is_enclosed(left) {
            return;
        }
        if let Expr::Unary(UnaryOperator::Negate, _) = self.program.expr(left) {
            let sign = operator.spelling();
            let span = self.program.expr_span(left);
            let text = format!("'-a {sign} b' is read as '(-a) {sign} b'");
            let help = format!("Kind 2 reads '-(a {sign} b)'; write the parentheses");
            self.warn(Diagnostic::warning(span, text).with_help(help));
        }
    }
}

/// How tightly a waiting operator binds; brackets have no level.
fn level(frame: &Frame) -> Option<Level> {
    Some(match frame {
        Frame::Unary(operator, _) => operator.level(),
        Frame::Binary(operator, ..) => operator.level(),
        Frame::Quantified(..) => Level::Quantifier,
        Frame::Else(..) => Level::Else,
        Frame::Every(..) => Level::MachineCast,
        _ => return None,
    })
}

/// The infix operator that a token is.
fn infix(kind: TokenKind) -> Option<BinaryOperator> {
    Some(match kind {
        TokenKind::Arrow => BinaryOperator::Arrow,
        TokenKind::Fby => BinaryOperator::Fby,
        TokenKind::Implies => BinaryOperator::Implies,
        TokenKind::Or => BinaryOperator::Or,
        TokenKind::Xor => BinaryOperator::Xor,
        TokenKind::And => BinaryOperator::And,
        TokenKind::Less => BinaryOperator::Less,
        TokenKind::LessEqual => BinaryOperator::LessEqual,
        TokenKind::Greater => BinaryOperator::Greater,
        TokenKind::GreaterEqual => BinaryOperator::GreaterEqual,
        TokenKind::Equal => BinaryOperator::Equal,
        TokenKind::NotEqual => BinaryOperator::NotEqual,
        TokenKind::Plus => BinaryOperator::Add,
        TokenKind::Minus => BinaryOperator::Subtract,
        TokenKind::Star => BinaryOperator::Multiply,
        TokenKind::Slash => BinaryOperator::Divide,
        TokenKind::Div => BinaryOperator::IntegerDivide,
        TokenKind::Mod => BinaryOperator::Modulo,
        TokenKind::BitOr => BinaryOperator::BitOr,
        TokenKind::BitAnd => BinaryOperator::BitAnd,
        TokenKind::Lsh => BinaryOperator::ShiftLeft,
        TokenKind::Rsh => BinaryOperator::ShiftRight,
        TokenKind::Caret => BinaryOperator::Repeat,
        _ => return None,
    })
}
