//! How values are counted: every value is a whole number of units.
//!
//! An integer is counted in ones, a Boolean is 0 or 1. A real is counted in the reciprocal of a
//! scale, one for the whole system, such that all its constants are whole and so is one over those that
//! it divides by (as long as the scale stays moderate). A real between two points of the grid has left the encoding, as has a number with
//! more bits than its word.

use obligato_model::{Integer, Rational, Value};
use obligato_transition_system::{Binary, Graph, NodeId, Sort, System, Term};

use crate::interval::{Interval, LARGEST, signed_bits};

/// A scale has at most this many bits: a denominator that would make it larger is left out.
const LARGEST_SCALE: u32 = 24;

/// A number that its range bounds to so many bits needs no flag, however many others have. A machine
/// integer of 64 bits has 65 with its sign.
const MOST_EXACT_BITS: u32 = 72;

/// A constant of more bits does not make words for other numbers longer.
const LARGEST_CONSTANT: u32 = 64;

/// Units, and the lengths of words for numbers that nothing bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    scale: i128,
    integer_bits: u32,
    real_bits: u32,
}

impl Grid {
    /// A grid for the constants of a system. Words have at least `bits` bits, and one more than the
    /// largest constant, so that numbers beyond it exist.
    pub fn new(system: &System, bits: u32) -> Self {
        let graph = &system.graph;
        let fractions = graph.nodes().filter_map(|node| fraction_needed(graph, node));
        let scale = fractions.fold(1, common_multiple);
        let real_bits = bits + signed_bits(scale - 1) - 1;
        let mut grid = Self { scale, integer_bits: bits, real_bits };
        for node in graph.nodes() {
            let Some(value) = graph.as_constant(node) else { continue };
            let needed = grid.interval(value).bits().map_or(0, |bits| bits + 1);
            let bits = match graph.sort(node) {
                Sort::Int => &mut grid.integer_bits,
                Sort::Real => &mut grid.real_bits,
                Sort::Bool | Sort::Machine(_) => continue,
            };
            if needed <= LARGEST_CONSTANT {
                *bits = needed.max(*bits);
            }
        }
        grid
    }

    /// How many units make one.
    pub fn scale(&self) -> i128 {
        self.scale
    }

    /// A value in units, if it is a moderate and whole number of them.
    pub fn units(&self, value: &Value) -> Option<i128> {
        let units = match value {
            Value::Bool(value) => i128::from(*value),
            Value::Int(value) => i128::try_from(value).ok()?,
            Value::Real(value) => {
                let scaled = value * Rational::from(Integer::from(self.scale));
                scaled.is_int().then(|| i128::try_from(scaled.numerator()).ok()).flatten()?
            }
            _ => return None,
        };
        (-LARGEST..=LARGEST).contains(&units).then_some(units)
    }

    /// The least interval around a value, in units.
    pub fn interval(&self, value: &Value) -> Interval {
        match value {
            Value::Bool(value) => Interval::of_bool(*value),
            Value::Int(value) => Interval::of_integers(value, value),
            Value::Real(value) => {
                Interval::of_rational(&(value * Rational::from(Integer::from(self.scale))))
            }
            _ => Interval::ALL,
        }
    }

    /// What so many units of a sort are.
    pub fn value(&self, sort: Sort, units: i128) -> Value {
        match sort {
            Sort::Bool => Value::Bool(units != 0),
            Sort::Int | Sort::Machine(_) => Value::int(units),
            Sort::Real => {
                let scale = Rational::from(Integer::from(self.scale));
                Value::Real(Rational::from(Integer::from(units)) / scale)
            }
        }
    }

    /// How many bits a word for a number of a sort with such a range has.
    pub fn bits(&self, sort: Sort, range: Interval) -> u32 {
        exact_bits(range).unwrap_or(match sort {
            Sort::Bool => 1,
            Sort::Int => self.integer_bits,
            Sort::Real => self.real_bits,
            Sort::Machine(machine) => machine.bits() + 1,
        })
    }
}

/// How many bits a word that holds all of a range has, if they are not too many.
pub(crate) fn exact_bits(range: Interval) -> Option<u32> {
    range.bits().filter(|bits| *bits <= MOST_EXACT_BITS)
}

/// Into how many parts a node divides one: the denominator of a real constant, and the numerator of
/// one that is divided by.
fn fraction_needed(graph: &Graph, node: NodeId) -> Option<i128> {
    let real = |node: NodeId| match graph.as_constant(node) {
        Some(Value::Real(value)) => Some(value),
        _ => None,
    };
    match graph.term(node) {
        Term::Constant(_) => i128::try_from(real(node)?.denominator()).ok(),
        Term::Binary(Binary::Divide, _, divisor) => {
            let numerator = i128::try_from(real(divisor)?.numerator()).ok()?;
            numerator.checked_abs().filter(|parts| *parts > 0)
        }
        _ => None,
    }
}

/// The least common multiple; the first alone if that gets too large.
fn common_multiple(a: i128, b: i128) -> i128 {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    let multiple = a.checked_mul(b / divisor);
    multiple.filter(|multiple| *multiple < 1 << LARGEST_SCALE).unwrap_or(a)
}
