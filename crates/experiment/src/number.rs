//! Numbers in decimals, always rounded in the same way.

use obligato_model::{Integer, Rational};

/// A number with so many decimals; halves are rounded away from zero.
pub fn decimal(number: &Rational, digits: usize) -> String {
    let negative = *number < Rational::ZERO;
    let size = if negative { -number.clone() } else { number.clone() };
    let scale = Integer::from(10).pow(digits);
    let doubled = size * Rational::from(scale.clone() * Integer::from(2)) + Rational::ONE;
    let rounded = (doubled / Rational::from(2)).floor();
    let (whole, rest) = (&rounded / &scale, &rounded % &scale);
    let sign = if negative && rounded > Integer::ZERO { "-" } else { "" };
    match digits {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{:0>digits$}", rest.to_string()),
    }
}

/// A share in percent, with one decimal.
pub fn percent(share: &Rational) -> String {
    decimal(&(share * Rational::from(100)), 1)
}

/// A difference of shares in points of percent, with its sign.
pub fn points(difference: &Rational) -> String {
    let text = percent(difference);
    if *difference > Rational::ZERO && text != "0.0" { format!("+{text}") } else { text }
}

/// A p-value for people.
pub fn p_value(p: &Rational) -> String {
    let text = decimal(p, 4);
    if text == "0.0000" { "< 0.0001".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ratio;

    #[test]
    fn numbers_are_rounded_half_away_from_zero() {
        assert_eq!(decimal(&ratio(1, 3), 2), "0.33");
        assert_eq!(decimal(&ratio(1, 8), 2), "0.13");
        assert_eq!(decimal(&-ratio(1, 8), 2), "-0.13");
        assert_eq!(decimal(&ratio(1999, 1000), 2), "2.00");
        assert_eq!(decimal(&-ratio(1, 1000), 1), "0.0");
        assert_eq!(decimal(&ratio(5, 2), 0), "3");
        assert_eq!(percent(&ratio(93, 100)), "93.0");
        assert_eq!(percent(&ratio(1, 1)), "100.0");
        assert_eq!(points(&ratio(2, 100)), "+2.0");
        assert_eq!(points(&-ratio(2, 100)), "-2.0");
        assert_eq!(points(&ratio(1, 100_000)), "0.0");
        assert_eq!(p_value(&ratio(2, 184_756)), "< 0.0001");
        assert_eq!(p_value(&ratio(1, 100)), "0.0100");
    }
}
