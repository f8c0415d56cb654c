//! Nodes of a step graph as SMT-LIB terms.
//!
//! Booleans, integers and reals are SMT-LIB's own; machine integers are bit-vectors, whose operations
//! mean what `obligato_transition_system::meaning` says, because both follow SMT-LIB. What differs is division
//! by zero: it is 0 here, so every division by what may be zero comes with its own test.

use obligato_model::{Integer, Rational, Signedness, Value};
use obligato_transition_system::{Binary, Graph, Machine, NodeId, Sort, Term, Unary};

/// The name of a sort.
pub(super) fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::Real => "Real".to_owned(),
        Sort::Machine(machine) => format!("(_ BitVec {})", machine.bits()),
    }
}

/// A constant of a sort.
pub(super) fn constant(sort: Sort, value: &Value) -> String {
    match (sort, value) {
        (Sort::Machine(machine), Value::Int(integer)) => {
            let unsigned = Machine::new(Signedness::Unsigned, machine.bits())
                .expect("invariant: a width that a machine sort has");
            format!("(_ bv{} {})", unsigned.wrap(integer), machine.bits())
        }
        (_, Value::Int(integer)) => signed(*integer < Integer::ZERO, &without_sign(integer)),
        (_, Value::Real(rational)) => {
            let above = without_sign(rational.numerator());
            let quotient = match rational.denominator().to_string() {
                below if below == "1" => format!("{above}.0"),
                below => format!("(/ {above}.0 {below}.0)"),
            };
            signed(*rational < Rational::ZERO, &quotient)
        }
        (_, value) => value.to_string(),
    }
}

fn without_sign(integer: &Integer) -> String {
    integer.to_string().trim_start_matches('-').to_owned()
}

fn signed(negative: bool, magnitude: &str) -> String {
    if negative { format!("(- {magnitude})") } else { magnitude.to_owned() }
}

/// A value that z3 gave for a term of a sort, as a value of the sort.
pub(super) fn value(sort: Sort, value: Value) -> Value {
    match (sort, value) {
        (Sort::Machine(machine), Value::Int(unsigned)) => Value::Int(machine.wrap(&unsigned)),
        (Sort::Real, Value::Int(integer)) => Value::Real(Rational::from(integer)),
        (_, value) => value,
    }
}

/// `a < b`, of numbers of a sort.
pub(super) fn less(sort: Sort, a: &str, b: &str) -> String {
    let operation = match sort {
        Sort::Machine(machine) => pick(machine, "bvslt", "bvult"),
        _ => "<",
    };
    format!("({operation} {a} {b})")
}

/// What a node is called: a constant by its value, anything else by its number and a suffix that keeps
/// steps apart.
pub(super) fn name(graph: &Graph, node: NodeId, suffix: &str) -> String {
    match graph.term(node) {
        Term::Constant(id) => constant(graph.sort(node), graph.constant_value(id)),
        Term::Input(index) => format!("i{index}{suffix}"),
        Term::Latch(index) => format!("l{index}{suffix}"),
        _ => format!("n{node}{suffix}"),
    }
}

/// An integer from `low` to `high`.
pub(super) fn between(low: Integer, name: &str, high: Integer) -> String {
    let [low, high] = [low, high].map(|bound| constant(Sort::Int, &Value::Int(bound)));
    format!("(<= {low} {name} {high})")
}

/// The operation of a node on its operands, which are called as `name` says. Taps are the identity.
///
/// # Panics
/// On inputs and latches, which are no operations.
pub(super) fn operation(graph: &Graph, node: NodeId, name: impl Fn(NodeId) -> String) -> String {
    match graph.term(node) {
        Term::Constant(id) => constant(graph.sort(node), graph.constant_value(id)),
        Term::Tap(_, a) => name(a),
        Term::Ite(test, a, b) => format!("(ite {} {} {})", name(test), name(a), name(b)),
        Term::Unary(operation, a) => unary(operation, graph.sort(a), &name(a)),
        Term::Binary(operation, a, b) if operation.is_division() => {
            let quotient = binary(operation, graph.sort(a), &name(a), &name(b));
            let zero = graph.sort(b).zero();
            match graph.as_constant(b) {
                Some(divisor) if *divisor != zero => quotient,
                _ => {
                    let (divisor, zero) = (name(b), constant(graph.sort(b), &zero));
                    format!("(ite (= {divisor} {zero}) {zero} {quotient})")
                }
            }
        }
        Term::Binary(operation, a, b) => binary(operation, graph.sort(a), &name(a), &name(b)),
        Term::Input(_) | Term::Latch(_) => unreachable!("invariant: node {node} is an operation"),
    }
}

fn unary(operation: Unary, operand: Sort, a: &str) -> String {
    match (operation, operand) {
        (Unary::Not, _) => format!("(not {a})"),
        (Unary::Negate, Sort::Machine(_)) => format!("(bvneg {a})"),
        (Unary::Negate, _) => format!("(- {a})"),
        (Unary::BitNot, _) => format!("(bvnot {a})"),
        (Unary::IntToReal, _) => format!("(to_real {a})"),
        (Unary::RealToInt, _) => format!("(to_int {a})"),
        (Unary::MachineToInt, Sort::Machine(machine)) => machine_to_int(machine, a),
        (Unary::Wrap(to), Sort::Machine(from)) => resize(from, to, a),
        (Unary::Wrap(to), _) => format!("((_ int2bv {}) {a})", to.bits()),
        (Unary::MachineToInt, _) => unreachable!("invariant: the graph checks sorts"),
    }
}

fn machine_to_int(machine: Machine, a: &str) -> String {
    let (bits, unsigned) = (machine.bits(), format!("(bv2nat {a})"));
    match machine.signedness() {
        Signedness::Unsigned => unsigned,
        Signedness::Signed => {
            let modulus = Integer::ONE << bits as usize;
            format!("(ite (bvslt {a} (_ bv0 {bits})) (- {unsigned} {modulus}) {unsigned})")
        }
    }
}

fn resize(from: Machine, to: Machine, a: &str) -> String {
    match to.bits().checked_sub(from.bits()) {
        Some(0) => a.to_owned(),
        Some(more) => {
            let extend = pick(from, "sign_extend", "zero_extend");
            format!("((_ {extend} {more}) {a})")
        }
        None => format!("((_ extract {} 0) {a})", to.bits() - 1),
    }
}

fn binary(operation: Binary, sort: Sort, a: &str, b: &str) -> String {
    let symbol = match sort {
        Sort::Machine(machine) => machine_symbol(operation, machine),
        _ => symbol(operation),
    };
    format!("({symbol} {a} {b})")
}

fn symbol(operation: Binary) -> &'static str {
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
        _ => unreachable!("invariant: the graph checks sorts; {operation:?} of machine integers"),
    }
}

fn machine_symbol(operation: Binary, machine: Machine) -> &'static str {
    match operation {
        Binary::Equal => "=",
        Binary::Less => pick(machine, "bvslt", "bvult"),
        Binary::LessEqual => pick(machine, "bvsle", "bvule"),
        Binary::Add => "bvadd",
        Binary::Subtract => "bvsub",
        Binary::Multiply => "bvmul",
        Binary::Div => pick(machine, "bvsdiv", "bvudiv"),
        Binary::Mod => pick(machine, "bvsrem", "bvurem"),
        Binary::BitAnd => "bvand",
        Binary::BitOr => "bvor",
        Binary::BitXor => "bvxor",
        Binary::ShiftLeft => "bvshl",
        Binary::ShiftRight => pick(machine, "bvashr", "bvlshr"),
        _ => unreachable!("invariant: the graph checks sorts; {operation:?} of {machine:?}"),
    }
}

fn pick(machine: Machine, signed: &'static str, unsigned: &'static str) -> &'static str {
    match machine.signedness() {
        Signedness::Signed => signed,
        Signedness::Unsigned => unsigned,
    }
}
