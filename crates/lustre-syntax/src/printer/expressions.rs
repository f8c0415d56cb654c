//! Expressions and types, printed from a stack of pieces.
//!
//! An expression that fits on the line stays on it; one that does not is broken at its
//! outermost `if`, operators and brackets.

use super::precedence::{
    Side, Tail, encloses, encloses_base, encloses_body, encloses_clocked, encloses_else,
    encloses_unary,
};
use super::{DEEPEST, Printer, STEP};
use crate::ast::{
    CallId, Clock, Expr, ExprId, Group, List, MergeNotation, NamedExpr, Quantifier, StaticArgument,
    Step, Symbol, SyntaxTree, TypeId, UnaryOperator, UpdateNotation,
};

/// What is still to be printed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    Text(&'static str),
    Symbol(Symbol),
    Newline(usize),
    Type(TypeId),
    Expr { id: ExprId, enclosed: bool, tail: Tail, indent: usize },
}

impl Piece {
    /// An expression between brackets or at the end.
    pub(super) fn free(id: ExprId, indent: usize) -> Self {
        Self::Expr { id, enclosed: false, tail: Tail::Yes, indent }
    }

    pub(super) fn operand(id: ExprId, enclosed: bool, indent: usize) -> Self {
        Self::Expr { id, enclosed, tail: Tail::No, indent }
    }
}

/// A `merge` to be printed.
#[derive(Clone, Copy, Debug)]
struct Merge {
    clock: Symbol,
    branches: List<NamedExpr>,
    notation: MergeNotation,
}

/// Names that would be read as the start of a construct if a word came after them.
const MISREAD: [&str; 4] = ["last", "any", "choose", "match"];

impl Printer<'_> {
    /// Prints an expression that an end or a closing bracket follows.
    pub(super) fn expr(&mut self, id: ExprId, indent: usize) {
        self.todo.push(Piece::free(id, indent));
        self.run();
    }

    /// Prints a type.
    pub(super) fn kind(&mut self, id: TypeId) {
        self.todo.push(Piece::Type(id));
        self.run();
    }

    pub(super) fn statics(&mut self, arguments: List<StaticArgument>) {
        let mut pieces = Vec::new();
        self.push_statics(arguments, &mut pieces);
        self.pieces(pieces);
    }

    pub(super) fn pieces(&mut self, pieces: Vec<Piece>) {
        self.todo.extend(pieces.into_iter().rev());
        self.run();
    }

    fn run(&mut self) {
        let mut pieces = Vec::new();
        while let Some(piece) = self.todo.pop() {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Symbol(symbol) => self.text(self.program.text(symbol)),
                Piece::Newline(indent) => self.newline(indent),
                Piece::Type(id) => self.split_type(id, &mut pieces),
                Piece::Expr { id, enclosed: true, indent, .. } => {
                    let inside = Piece::free(id, indent + STEP);
                    self.todo.extend([Piece::Text(")"), inside, Piece::Text("(")]);
                }
                Piece::Expr { id, tail, indent, .. } => {
                    self.split(id, tail, indent.min(DEEPEST), &mut pieces);
                }
            }
            self.todo.extend(pieces.drain(..).rev());
            if self.is_cut() {
                self.todo.clear();
            }
        }
    }

    /// The pieces of an expression without parentheses around it.
    fn split(&self, id: ExprId, tail: Tail, indent: usize, out: &mut Vec<Piece>) {
        let program = self.program;
        let fits = self.fits(id, 0);
        let gap = |indent| if fits { Piece::Text(" ") } else { Piece::Newline(indent) };
        match program.expr(id) {
            Expr::Bool(value) => out.push(Piece::Text(if value { "true" } else { "false" })),
            Expr::Name(symbol) if MISREAD.contains(&program.text(symbol)) => {
                out.extend([Piece::Text("("), Piece::Symbol(symbol), Piece::Text(")")]);
            }
            Expr::Name(symbol) | Expr::Int(symbol) | Expr::Real(symbol) => {
                out.push(Piece::Symbol(symbol));
            }
            Expr::Mode(symbol) => out.extend([Piece::Text("::"), Piece::Symbol(symbol)]),
            Expr::Last(symbol) => out.extend([Piece::Text("last "), Piece::Symbol(symbol)]),
            Expr::Unary(operator, operand) => split_unary(program, operator, operand, indent, out),
            Expr::Binary(operator, left, right) => {
                let left_enclosed = encloses(program, operator, left, Side::Left, Tail::No);
                let right_enclosed = encloses(program, operator, right, Side::Right, tail);
                out.push(Piece::operand(left, left_enclosed, indent));
                out.extend([Piece::Text(" "), Piece::Text(operator.spelling()), gap(indent)]);
                out.push(Piece::Expr { id: right, enclosed: right_enclosed, tail, indent });
            }
            Expr::If(test, one, other) => {
                out.extend([Piece::Text("if "), Piece::free(test, indent + STEP + STEP)]);
                out.extend([gap(indent + STEP), Piece::Text("then ")]);
                out.extend([Piece::free(one, indent + STEP + STEP), gap(indent + STEP)]);
                out.push(Piece::Text("else "));
                let enclosed = encloses_else(program, other);
                // A chain of choices is not indented further.
                let chained = matches!(program.expr(other), Expr::If(..));
                let indent = if chained { indent } else { indent + STEP + STEP };
                out.push(Piece::Expr { id: other, enclosed, tail, indent });
            }
            Expr::Group(group, elements) => {
                let (open, close) = match group {
                    Group::List => ("(", ")"),
                    Group::Tuple => ("{", "}"),
                    Group::Array => ("[", "]"),
                    Group::AtMostOne => ("#(", ")"),
                };
                out.push(Piece::Text(open));
                self.push_list(elements, fits, indent, out);
                if !fits {
                    out.push(Piece::Newline(indent));
                }
                out.push(Piece::Text(close));
            }
            Expr::Call(call) => self.split_call(call, fits, indent, out),
            Expr::Condact { clock, call, defaults } => {
                out.extend([Piece::Text("condact("), Piece::free(clock, indent + STEP)]);
                for element in [&[call][..], &program.expr_lists[defaults]].concat() {
                    out.extend([Piece::Text(","), gap(indent + STEP)]);
                    out.push(Piece::free(element, indent + STEP));
                }
                out.push(Piece::Text(")"));
            }
            Expr::Delay { value, steps, initial } => {
                out.extend([Piece::Text("fby("), Piece::free(value, indent)]);
                out.extend([Piece::Text(", "), Piece::free(steps, indent)]);
                out.extend([Piece::Text(", "), Piece::free(initial, indent), Piece::Text(")")]);
            }
            Expr::When(value, clock) => {
                out.push(Piece::operand(value, encloses_clocked(program, value), indent));
                out.push(Piece::Text(" when "));
                push_clock(clock, out);
            }
            Expr::Merge { clock, branches, notation } => {
                let merge = Merge { clock, branches, notation };
                self.split_merge(merge, fits, indent, out);
            }
            Expr::Quantified(Quantifier::Any, variables, body) => {
                out.push(Piece::Text("any { "));
                self.push_variables(variables, out);
                out.extend([Piece::Text(" |"), gap(indent + STEP), Piece::free(body, indent)]);
                out.push(Piece::Text(" }"));
            }
            Expr::Quantified(quantifier, variables, body) => {
                let word = match quantifier {
                    Quantifier::Forall => "forall (",
                    Quantifier::Exists | Quantifier::Any => "exists (",
                };
                out.push(Piece::Text(word));
                self.push_variables(variables, out);
                out.extend([Piece::Text(")"), gap(indent + STEP)]);
                let enclosed = encloses_body(program, body);
                out.push(Piece::Expr { id: body, enclosed, tail, indent: indent + STEP });
            }
            part => self.split_part(part, fits, indent, out),
        }
    }

    /// Indices, fields, updates, records.
    fn split_part(&self, expr: Expr, fits: bool, indent: usize, out: &mut Vec<Piece>) {
        let program = self.program;
        let base = |base, out: &mut Vec<Piece>| {
            out.push(Piece::operand(base, encloses_base(program, base), indent));
        };
        match expr {
            Expr::Index(array, index) => {
                base(array, out);
                out.extend([Piece::Text("["), Piece::free(index, indent), Piece::Text("]")]);
            }
            Expr::Slice(array, low, high) => {
                base(array, out);
                out.extend([Piece::Text("["), Piece::free(low, indent)]);
                // `1..2` is one number, two dots and another number only with a space.
                out.extend([Piece::Text(" .. "), Piece::free(high, indent), Piece::Text("]")]);
            }
            Expr::Field(record, field) => {
                base(record, out);
                out.extend([Piece::Text("."), Piece::Symbol(field)]);
            }
            Expr::Project(tuple, number) => {
                base(tuple, out);
                out.extend([Piece::Text(".%"), Piece::Symbol(number)]);
            }
            Expr::Update { base: old, path, value, notation: UpdateNotation::Assign } => {
                base(old, out);
                for step in &program.steps[path] {
                    let close = match *step {
                        Step::Field(field) => {
                            out.extend([Piece::Text("{"), Piece::Symbol(field.symbol)]);
                            "}"
                        }
                        Step::Index(index) => {
                            out.extend([Piece::Text("["), Piece::free(index, indent)]);
                            "]"
                        }
                    };
                    out.extend([Piece::Text(" := "), Piece::free(value, indent)]);
                    out.push(Piece::Text(close));
                }
            }
            Expr::Update { base: old, path, value, notation: UpdateNotation::With } => {
                out.extend([Piece::Text("("), Piece::free(old, indent), Piece::Text(" with ")]);
                for step in &program.steps[path] {
                    match *step {
                        Step::Field(field) => {
                            out.extend([Piece::Text("."), Piece::Symbol(field.symbol)]);
                        }
                        Step::Index(index) => {
                            out.extend([Piece::Text("["), Piece::free(index, indent)]);
                            out.push(Piece::Text("]"));
                        }
                    }
                }
                out.extend([Piece::Text(" = "), Piece::free(value, indent), Piece::Text(")")]);
            }
            Expr::Record { name, base, fields } => {
                let gap = if fits { Piece::Text(" ") } else { Piece::Newline(indent + STEP) };
                out.extend([Piece::Symbol(name), Piece::Text(" {"), gap]);
                // The grammar has only a name here, which needs no parentheses.
                if let Some(Expr::Name(base)) = base.map(|base| program.expr(base)) {
                    out.extend([Piece::Symbol(base), Piece::Text(" with ")]);
                }
                for (index, field) in program.named[fields].iter().enumerate() {
                    if index > 0 {
                        out.extend([Piece::Text(";"), gap]);
                    }
                    out.extend([Piece::Symbol(field.name.symbol), Piece::Text(" = ")]);
                    out.push(Piece::free(field.value, indent + STEP + STEP));
                }
                let last = if fits { Piece::Text(" ") } else { Piece::Newline(indent) };
                out.extend([last, Piece::Text("}")]);
            }
            _ => unreachable!("invariant: the others are split above"),
        }
    }

    fn push_list(&self, list: List<ExprId>, fits: bool, indent: usize, out: &mut Vec<Piece>) {
        for (index, element) in self.program.expr_lists[list].iter().enumerate() {
            if index > 0 {
                out.push(Piece::Text(","));
            }
            match (fits, index) {
                (true, 0) => {}
                (true, _) => out.push(Piece::Text(" ")),
                (false, _) => out.push(Piece::Newline(indent + STEP)),
            }
            out.push(Piece::free(*element, indent + STEP));
        }
    }

    fn split_call(&self, id: CallId, fits: bool, indent: usize, out: &mut Vec<Piece>) {
        let call = self.program.call(id);
        match (call.activation, call.restart) {
            (None, None) => {}
            (None, Some(_)) => out.push(Piece::Text("(restart ")),
            (Some(_), None) => out.push(Piece::Text("(activate ")),
            (Some(_), Some(_)) => out.push(Piece::Text("(activate (restart ")),
        }
        out.push(Piece::Symbol(call.node.symbol));
        self.push_statics(call.statics, out);
        if let Some(restart) = call.restart {
            out.extend([Piece::Text(" every "), Piece::free(restart, indent), Piece::Text(")")]);
        }
        if let Some(activation) = call.activation {
            out.extend([Piece::Text(" every "), Piece::free(activation.clock, indent)]);
            if let Some(defaults) = activation.defaults {
                out.push(Piece::Text(" initial default "));
                self.push_list(defaults, true, indent, out);
            }
            out.push(Piece::Text(")"));
        }
        out.push(Piece::Text("("));
        self.push_list(call.arguments, fits, indent, out);
        if !fits && !call.arguments.is_empty() {
            out.push(Piece::Newline(indent));
        }
        out.push(Piece::Text(")"));
    }

    fn split_merge(&self, merge: Merge, fits: bool, indent: usize, out: &mut Vec<Piece>) {
        let Merge { clock, branches, notation } = merge;
        let gap = if fits { Piece::Text(" ") } else { Piece::Newline(indent + STEP) };
        let inner = indent + STEP + STEP;
        match notation {
            MergeNotation::Boolean => {
                out.extend([Piece::Text("merge("), Piece::Symbol(clock)]);
                for branch in &self.program.named[branches] {
                    out.extend([Piece::Text(";"), gap, Piece::free(branch.value, inner)]);
                }
                out.push(Piece::Text(")"));
            }
            MergeNotation::Cases => {
                out.extend([Piece::Text("merge "), Piece::Symbol(clock)]);
                for branch in &self.program.named[branches] {
                    out.extend([gap, Piece::Text("("), Piece::Symbol(branch.name.symbol)]);
                    out.extend([Piece::Text(" -> "), Piece::free(branch.value, inner)]);
                    out.push(Piece::Text(")"));
                }
            }
        }
    }
}

fn split_unary(
    program: &SyntaxTree,
    operator: UnaryOperator,
    operand: ExprId,
    indent: usize,
    out: &mut Vec<Piece>,
) {
    out.push(Piece::Text(operator.spelling()));
    match operator {
        // As JKind wants it.
        UnaryOperator::ToInt | UnaryOperator::ToReal | UnaryOperator::Floor => {
            out.extend([Piece::Text("("), Piece::free(operand, indent), Piece::Text(")")]);
            return;
        }
        UnaryOperator::Negate | UnaryOperator::BitNot => {}
        _ => out.push(Piece::Text(" ")),
    }
    out.push(Piece::operand(operand, encloses_unary(program, operator, operand), indent));
}

pub(super) fn push_clock(clock: Clock, out: &mut Vec<Piece>) {
    match clock {
        Clock::Base => out.push(Piece::Text("true")),
        Clock::On(name) => out.push(Piece::Symbol(name.symbol)),
        Clock::Not(name) => out.extend([Piece::Text("not "), Piece::Symbol(name.symbol)]),
        Clock::Value { value, clock } => {
            out.extend([Piece::Symbol(value.symbol), Piece::Text("(")]);
            out.extend([Piece::Symbol(clock.symbol), Piece::Text(")")]);
        }
    }
}
