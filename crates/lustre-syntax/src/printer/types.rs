//! Types, and variables with types, as pieces.

use super::Printer;
use super::expressions::{Piece, push_clock};
use super::precedence::encloses_size;
use crate::ast::operator::machine_type;
use crate::ast::{
    ArrayNotation, Expr, ExprId, List, StaticArgument, Type, TypeId, Variability, VariableGroup,
};

impl Printer<'_> {
    pub(super) fn push_statics(&self, arguments: List<StaticArgument>, out: &mut Vec<Piece>) {
        if arguments.is_empty() {
            return;
        }
        out.push(Piece::Text("<<"));
        for (index, argument) in self.program.statics[arguments].iter().enumerate() {
            if index > 0 {
                out.push(Piece::Text("; "));
            }
            match *argument {
                StaticArgument::Type(kind) => out.push(Piece::Type(kind)),
                StaticArgument::Value(value) => {
                    // Some values look like types.
                    let literal = matches!(self.program.expr(value), Expr::Int(_) | Expr::Bool(_));
                    out.push(Piece::operand(value, !literal, 0));
                }
            }
        }
        out.push(Piece::Text(">>"));
    }

    /// `a, b: int; c: bool`, on one line.
    pub(super) fn push_variables(&self, groups: List<VariableGroup>, out: &mut Vec<Piece>) {
        for (index, group) in self.program.variables[groups].iter().enumerate() {
            if index > 0 {
                out.push(Piece::Text("; "));
            }
            self.push_group(*group, out);
        }
    }

    fn push_group(&self, group: VariableGroup, out: &mut Vec<Piece>) {
        if group.variability == Variability::Constant {
            out.push(Piece::Text("const "));
        }
        for (index, name) in self.program.names[group.names].iter().enumerate() {
            if index > 0 {
                out.push(Piece::Text(", "));
            }
            out.push(Piece::Symbol(name.symbol));
        }
        out.extend([Piece::Text(": "), Piece::Type(group.kind)]);
        if let Some(clock) = group.clock {
            out.push(Piece::Text(" when "));
            push_clock(clock, out);
        }
    }

    /// `a, b: int when c`.
    pub(super) fn group(&mut self, group: VariableGroup) {
        let mut pieces = Vec::new();
        self.push_group(group, &mut pieces);
        self.pieces(pieces);
    }

    /// The pieces of a type.
    pub(super) fn split_type(&self, id: TypeId, out: &mut Vec<Piece>) {
        let program = self.program;
        match program.kind(id) {
            Type::Bool => out.push(Piece::Text("bool")),
            Type::Int => out.push(Piece::Text("int")),
            Type::Real => out.push(Piece::Text("real")),
            Type::Machine(signedness, bits) => {
                out.push(Piece::Text(machine_type(signedness, bits)));
            }
            Type::Subrange(low, high) => {
                let bound = |bound: Option<ExprId>| match bound {
                    Some(id) => Piece::free(id, 0),
                    None => Piece::Text("*"),
                };
                out.extend([Piece::Text("subrange ["), bound(low), Piece::Text(", ")]);
                out.extend([bound(high), Piece::Text("] of int")]);
            }
            Type::Named(name, arguments) => {
                out.push(Piece::Symbol(name));
                self.push_statics(arguments, out);
            }
            Type::Tuple(types) => {
                out.push(Piece::Text("["));
                for (index, kind) in program.type_lists[types].iter().enumerate() {
                    if index > 0 {
                        out.push(Piece::Text(", "));
                    }
                    out.push(Piece::Type(*kind));
                }
                out.push(Piece::Text("]"));
            }
            Type::Refined { name, base, condition } => {
                out.extend([Piece::Text("subtype { "), Piece::Symbol(name), Piece::Text(": ")]);
                out.extend([Piece::Type(base), Piece::Text(" | "), Piece::free(condition, 0)]);
                out.push(Piece::Text(" }"));
            }
            Type::Array { element, size, notation: ArrayNotation::Caret } => {
                out.extend([Piece::Type(element), Piece::Text("^")]);
                out.push(Piece::operand(size, encloses_size(program, size), 0));
            }
            Type::Array { element, size, notation: ArrayNotation::Brackets } => {
                out.extend([Piece::Type(element), Piece::Text("["), Piece::free(size, 0)]);
                out.push(Piece::Text("]"));
            }
        }
    }
}
