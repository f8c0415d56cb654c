//! One term as an expression over the texts of its operands.

use obligato_model::{Integer, Value};
use obligato_transition_system::{Binary, Graph, NodeId, Sort, Term, Unary};

use super::dialect::Dialect;
use super::literals::{literal, machine_type};

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Text {
    text: String,
    /// Is it one token or in parentheses already?
    atomic: bool,
}

impl Text {
    pub fn atomic(text: impl Into<String>) -> Self {
        Self { text: text.into(), atomic: true }
    }

    fn compound(text: String) -> Self {
        Self { text, atomic: false }
    }

    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// As an operand.
    pub fn operand(self) -> String {
        if self.atomic { self.text } else { format!("({})", self.text) }
    }

    /// As the whole of an equation.
    pub fn whole(self) -> String {
        self.text
    }
}

/// Is the value of an operand read twice in the text of its term?
pub(super) fn repeats(graph: &Graph, term: Term) -> impl Iterator<Item = NodeId> {
    let repeated = match term {
        Term::Binary(operation, _, divisor)
            if operation.is_division() && graph.as_constant(divisor).is_none() =>
        {
            [Some(divisor), None]
        }
        Term::Binary(Binary::BitXor, a, b) => [Some(a), Some(b)],
        _ => [None; 2],
    };
    repeated.into_iter().flatten()
}

/// The expression of a term that is an operation.
pub(super) fn expression(
    graph: &Graph,
    dialect: Dialect,
    term: Term,
    mut text: impl FnMut(NodeId) -> Text,
) -> Text {
    match term {
        Term::Unary(operation, a) => unary(graph, dialect, operation, a, text(a)),
        Term::Binary(operation, a, b) if operation.is_division() => {
            let (left, right) = (text(a).operand(), text(b).operand());
            division(graph, dialect, operation, b, &left, &right)
        }
        Term::Binary(Binary::BitXor, a, b) => {
            let (a, b) = (text(a).operand(), text(b).operand());
            Text::compound(format!("({a} || {b}) && (!({a} && {b}))"))
        }
        Term::Binary(operation, a, b) => {
            let (a, b) = (text(a).operand(), text(b).operand());
            Text::compound(format!("{a} {} {b}", infix(operation)))
        }
        Term::Ite(chosen, first, second) => {
            let [chosen, first, second] = [chosen, first, second].map(|at| text(at).operand());
            Text::compound(format!("if {chosen} then {first} else {second}"))
        }
        Term::Tap(_, a) => text(a),
        Term::Constant(_) | Term::Input(_) | Term::Latch(_) => {
            unreachable!("invariant: only operations are asked for")
        }
    }
}

fn unary(graph: &Graph, dialect: Dialect, operation: Unary, a: NodeId, text: Text) -> Text {
    let operand = text.operand();
    Text::compound(match operation {
        Unary::Not => format!("not {operand}"),
        Unary::Negate => format!("-{operand}"),
        Unary::BitNot => format!("!{operand}"),
        Unary::IntToReal => call("real", &operand),
        Unary::RealToInt => call(dialect.floor(), &operand),
        Unary::MachineToInt => call("int", &operand),
        // Signed and unsigned machine integers are only converted by way of integers.
        Unary::Wrap(to) => match graph.sort(a) {
            Sort::Machine(from) if from.signedness() != to.signedness() => {
                format!("{} ({})", machine_type(to), call("int", &operand))
            }
            _ => call(&machine_type(to), &operand),
        },
    })
}

/// A conversion, whose operand stands in parentheses in both dialects.
fn call(function: &str, operand: &str) -> String {
    if operand.starts_with('(') {
        format!("{function}{operand}")
    } else {
        format!("{function}({operand})")
    }
}

/// A division is 0 where the divisor is, as in simulation; solvers would choose any value.
fn division(
    graph: &Graph,
    dialect: Dialect,
    operation: Binary,
    divisor: NodeId,
    left: &str,
    right: &str,
) -> Text {
    let symbol = infix(operation);
    let sort = graph.sort(divisor);
    let zero = literal(sort, &sort.zero());
    Text::compound(match graph.as_constant(divisor) {
        Some(value) if *value == sort.zero() => return Text::atomic(zero),
        // The remainder is never negative, so only the sign of the quotient changes.
        Some(Value::Int(number))
            if sort == Sort::Int && *number < Integer::ZERO && !dialect.divides_by_negatives() =>
        {
            let sign = if operation == Binary::Div { "-" } else { "" };
            format!("{sign}({left} {symbol} {})", -number)
        }
        Some(_) => format!("{left} {symbol} {right}"),
        None => format!("if {right} = {zero} then {zero} else ({left} {symbol} {right})"),
    })
}

fn infix(operation: Binary) -> &'static str {
    match operation {
        Binary::And => "and",
        Binary::Or => "or",
        Binary::Xor => "xor",
        Binary::Equal => "=",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Div => "div",
        Binary::Mod => "mod",
        Binary::BitAnd => "&&",
        Binary::BitOr => "||",
        Binary::BitXor => unreachable!("invariant: written by other operations"),
        Binary::ShiftLeft => "lsh",
        Binary::ShiftRight => "rsh",
    }
}
