//! The range of an operation from those of its operands.

use obligato_model::Signedness;
use obligato_transition_system::{Binary, Machine, Sort, Term, Unary};

use super::{Analysis, widest};
use crate::interval::{Interval, signed_bits};

impl Analysis<'_> {
    /// The range of a constant, or of a unary or binary operation on operands with these ranges.
    pub(super) fn transfer(&self, term: Term, [a, b]: [Interval; 2]) -> Interval {
        let graph = &self.system.graph;
        match term {
            Term::Constant(constant) => self.grid.interval(graph.constant_value(constant)),
            Term::Unary(operation, of) => self.unary(operation, graph.sort(of), a),
            Term::Binary(operation, left, right) => {
                if left == right && graph.sort(left) != Sort::Bool {
                    match operation {
                        Binary::Equal | Binary::LessEqual => return Interval::of_bool(true),
                        Binary::Less => return Interval::of_bool(false),
                        _ => {}
                    }
                }
                self.binary(operation, graph.sort(left), a, b)
            }
            Term::Input(_) | Term::Latch(_) | Term::Ite(..) | Term::Tap(..) => Interval::ALL,
        }
    }

    fn unary(&self, operation: Unary, sort: Sort, a: Interval) -> Interval {
        let scale = self.grid.scale();
        match operation {
            Unary::Not => Interval::point(1).add(a.negate()),
            Unary::Negate => wrapped(a.negate(), sort),
            Unary::BitNot => wrapped(a.negate().add(Interval::point(-1)), sort),
            Unary::IntToReal => a.multiply(Interval::point(scale)),
            Unary::RealToInt => a.floor_over(scale),
            Unary::MachineToInt => a,
            Unary::Wrap(machine) => wrapped(a, Sort::Machine(machine)),
        }
    }

    fn binary(&self, operation: Binary, sort: Sort, a: Interval, b: Interval) -> Interval {
        let scale = self.grid.scale();
        match (operation, sort) {
            (Binary::And, _) => Interval { low: a.low.min(b.low), high: a.high.min(b.high) },
            (Binary::Or, _) => Interval { low: a.low.max(b.low), high: a.high.max(b.high) },
            (Binary::Xor, _) => match (a.as_point(), b.as_point()) {
                (Some(a), Some(b)) => Interval::point(a ^ b),
                _ => Interval::BOOL,
            },
            (Binary::Equal, _) => decided(a.as_point().is_some() && a == b, a.meet(b).is_none()),
            (Binary::Less, _) => decided(is_below(a.high, b.low, 1), is_below(b.high, a.low, 0)),
            (Binary::LessEqual, _) => {
                decided(is_below(a.high, b.low, 0), is_below(b.high, a.low, 1))
            }
            (Binary::Add, _) => wrapped(a.add(b), sort),
            (Binary::Subtract, _) => wrapped(a.add(b.negate()), sort),
            (Binary::Multiply, Sort::Real) => a.multiply(b).spread_over(scale),
            (Binary::Multiply, _) => wrapped(a.multiply(b), sort),
            (Binary::Divide, _) => match b.as_point() {
                Some(0) | None => Interval::ALL,
                Some(b) => {
                    let a = a.multiply(Interval::point(scale));
                    (if b < 0 { a.negate() } else { a }).spread_over(b.abs())
                }
            },
            (Binary::Div, Sort::Machine(_)) => wrapped(quotient(a, b), sort),
            (Binary::Div, _) => match b.as_point() {
                Some(b) if b > 0 => a.floor_over(b),
                _ => quotient(a, b),
            },
            (Binary::Mod, Sort::Machine(_)) => truncated_remainder(a, b),
            (Binary::Mod, _) => euclidean_remainder(a, b),
            (Binary::BitAnd | Binary::BitOr | Binary::BitXor, _) => bitwise(operation, a, b),
            (Binary::ShiftLeft, _) => match b.as_point() {
                Some(by) if by < 64 => wrapped(a.multiply(Interval::point(1 << by)), sort),
                _ => widest(sort),
            },
            (Binary::ShiftRight, _) => match b.as_point() {
                Some(by) if by < 64 => a.floor_over(1 << by),
                _ => a.join(if a.is_not_negative() {
                    Interval::point(0)
                } else {
                    Interval::new(-1, 0)
                }),
            },
        }
    }
}

pub(super) fn of_machine(machine: Machine) -> Interval {
    let bits = machine.bits();
    match machine.signedness() {
        Signedness::Signed => Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        Signedness::Unsigned => Interval::new(0, (1 << bits) - 1),
    }
}

/// The range after wrapping around, for a machine sort.
fn wrapped(range: Interval, sort: Sort) -> Interval {
    let widest = widest(sort);
    if widest.contains(range) { range } else { widest }
}

/// Is `high + gap <= low` for sure?
fn is_below(high: Option<i128>, low: Option<i128>, gap: i128) -> bool {
    high.zip(low).is_some_and(|(high, low)| high + gap <= low)
}

fn decided(holds: bool, fails: bool) -> Interval {
    match (holds, fails) {
        (true, _) => Interval::of_bool(true),
        (_, true) => Interval::of_bool(false),
        _ => Interval::BOOL,
    }
}

/// A quotient is no larger than its dividend, whichever way it is rounded; by zero it is 0.
fn quotient(a: Interval, b: Interval) -> Interval {
    if a.is_not_negative() && b.is_not_negative() {
        return Interval { low: Some(0), high: a.high };
    }
    a.magnitude().map_or(Interval::ALL, |most| Interval::new(-most, most))
}

/// A remainder is below its divisor, and if the dividend is not negative no larger than that.
fn euclidean_remainder(a: Interval, b: Interval) -> Interval {
    let below = b.magnitude().map(|most| (most - 1).max(0));
    let most = if a.is_not_negative() { a.high } else { None };
    Interval { low: Some(0), high: below.into_iter().chain(most).min() }
}

fn truncated_remainder(a: Interval, b: Interval) -> Interval {
    let below = b.magnitude().map_or(i128::MAX, |most| (most - 1).max(0));
    let end = |end: i128| end.clamp(-below, below);
    Interval { low: a.low.map(|low| end(low.min(0))), high: a.high.map(|high| end(high.max(0))) }
}

fn bitwise(operation: Binary, a: Interval, b: Interval) -> Interval {
    let masks =
        [a, b].into_iter().filter(|range| operation == Binary::BitAnd && range.is_not_negative());
    if let Some(most) = masks.filter_map(|range| range.high).min() {
        return Interval::new(0, most);
    }
    let (Some(a_bits), Some(b_bits)) = (a.bits(), b.bits()) else { return Interval::ALL };
    let half = 1 << (a_bits.max(b_bits) - 1);
    let low = if a.is_not_negative() && b.is_not_negative() { 0 } else { -half };
    debug_assert!(signed_bits(half - 1) <= a_bits.max(b_bits), "no more bits than the operands");
    Interval::new(low, half - 1)
}
