//! Constants as text that both dialects read.

use obligato_model::{Integer, Rational, Signedness, Value};
use obligato_transition_system::Sort;
use obligato_transition_system::sort::Machine;

/// A real with more decimals than this is written as a quotient.
const MOST_DECIMALS: usize = 30;

/// A value of a sort; in parentheses if it is more than one token.
pub(super) fn literal(sort: Sort, value: &Value) -> String {
    match (sort, value) {
        (Sort::Machine(machine), Value::Int(number)) => {
            format!("({} {})", machine_type(machine), integer(number))
        }
        (_, Value::Int(number)) => integer(number),
        (_, Value::Real(number)) => real(number),
        (_, other) => other.to_string(),
    }
}

/// `int8`, `uint64` and their like.
pub(super) fn machine_type(machine: Machine) -> String {
    let sign = match machine.signedness() {
        Signedness::Signed => "",
        Signedness::Unsigned => "u",
    };
    format!("{sign}int{}", machine.bits())
}

fn integer(number: &Integer) -> String {
    if *number < Integer::ZERO { format!("({number})") } else { number.to_string() }
}

/// A decimal where there is one that is not too long, else a quotient.
fn real(number: &Rational) -> String {
    let (above, below) = number.clone().into_parts();
    let below = Integer::from(below);
    let sign = if above < Integer::ZERO { "-" } else { "" };
    let size = if above < Integer::ZERO { -above } else { above };
    let text = match decimals(&below) {
        Some(decimals) => {
            let digits = (size * Integer::from(10).pow(decimals) / below).to_string();
            let digits = format!("{digits:0>width$}", width = decimals + 1);
            let (whole, fraction) = digits.split_at(digits.len() - decimals);
            let fraction = if fraction.is_empty() { "0" } else { fraction };
            format!("{sign}{whole}.{fraction}")
        }
        None => return format!("({sign}{size}.0 / {below}.0)"),
    };
    if sign.is_empty() { text } else { format!("({text})") }
}

/// How many decimals a fraction with this denominator has, if it ends.
fn decimals(below: &Integer) -> Option<usize> {
    let mut power = Integer::ONE;
    (0..=MOST_DECIMALS).find(|_| {
        let divides = &power % below == Integer::ZERO;
        power *= Integer::from(10);
        divides
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_decimals_where_they_end() {
        let of = |above: i32, below: i32| {
            literal(Sort::Real, &Value::Real(Rational::from(above) / Rational::from(below)))
        };
        assert_eq!(of(3, 1), "3.0");
        assert_eq!(of(1, 8), "0.125");
        assert_eq!(of(-5, 2), "(-2.5)");
        assert_eq!(of(1, 1000), "0.001");
        assert_eq!(of(-1, 3), "(-1.0 / 3.0)");
    }

    #[test]
    fn machine_integers_say_their_type() {
        let int8 = Machine::new(Signedness::Signed, 8).unwrap();
        assert_eq!(literal(Sort::Machine(int8), &Value::int(-5)), "(int8 (-5))");
        assert_eq!(literal(Sort::Int, &Value::int(-5)), "(-5)");
        assert_eq!(literal(Sort::Bool, &Value::Bool(true)), "true");
    }
}
