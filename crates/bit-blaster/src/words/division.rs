//! Quotients and remainders, by restoring division: one subtraction for each digit of the quotient.

use super::Words;

/// A constant divisor makes the rows as short as it is.
pub(super) fn restoring_division<G: Words>(
    gates: &mut G,
    a: &[G::Bit],
    b: &[G::Bit],
) -> (Vec<G::Bit>, Vec<G::Bit>) {
    let size = b.iter().rposition(|bit| *bit != G::FALSE).map_or(0, |last| last + 1);
    let divisor = G::zero_extended(b, size + 1);
    let mut quotient = vec![G::FALSE; a.len()];
    let mut rest = vec![G::FALSE; size];
    for digit in (0..a.len()).rev() {
        let mut with_digit = vec![a[digit]];
        with_digit.extend(&rest);
        let (less, fits) = gates.subtract_borrow(&with_digit, &divisor);
        quotient[digit] = fits;
        // It is below the divisor again, unless that is zero.
        rest = gates.ite_word(fits, &less[..size], &with_digit[..size]);
    }
    (quotient, rest)
}

/// By zero, every subtraction fits: the digits are ones without further gates.
pub(super) fn divide_unsigned<G: Words>(
    gates: &mut G,
    a: &[G::Bit],
    b: &[G::Bit],
) -> (Vec<G::Bit>, Vec<G::Bit>) {
    let length = a.len();
    if let Some(divisor) = G::as_number(b).filter(|one| one.is_power_of_two()) {
        let split = divisor.trailing_zeros() as usize;
        return (G::zero_extended(&a[split..], length), G::zero_extended(&a[..split], length));
    }
    let (quotient, rest) = restoring_division(gates, a, b);
    // A short remainder has no room for the dividend.
    let by_zero = if rest.len() < length { gates.is_zero(b) } else { G::FALSE };
    let rest = G::zero_extended(&rest, length);
    (quotient, gates.ite_word(by_zero, a, &rest))
}

pub(super) fn divide_signed<G: Words>(
    gates: &mut G,
    a: &[G::Bit],
    b: &[G::Bit],
) -> (Vec<G::Bit>, Vec<G::Bit>) {
    let (p, q) = (a[a.len() - 1], b[b.len() - 1]);
    let (dividend, divisor) = (gates.negate_if(p, a), gates.negate_if(q, b));
    let (quotient, rest) = gates.divide_unsigned(&dividend, &divisor);
    let differ = gates.xor(p, q);
    (gates.negate_if(differ, &quotient), gates.negate_if(p, &rest))
}
