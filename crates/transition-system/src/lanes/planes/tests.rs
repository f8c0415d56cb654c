//! Planes against one lane at a time, for all widths of operands.

use obligato_model::Signedness;

use super::arithmetic::{product, wrap};
use super::division::divide;
use super::file::{bits, integer, machine_integer};
use super::*;
use crate::lanes::instruction::{Arithmetic, Bitwise};
use crate::lanes::words::arithmetic as lane;
use crate::sample::Choices;
use crate::sort::Machine;

const LANES: usize = 192;

type Register = Planes<3>;

/// A number of at most this many digits, often at an edge of them.
fn number(random: &mut Choices, digits: usize) -> i64 {
    let unused = MOST - digits;
    let word = match random.below(8) {
        0 => i64::MAX,
        1 => i64::MIN,
        2 => i64::from(random.next() & 1 == 1) << unused,
        _ => random.next().cast_signed(),
    };
    word >> unused
}

/// A register, and the numbers in it.
fn register(random: &mut Choices, digits: usize) -> (Register, Vec<i64>) {
    let numbers: Vec<i64> = (0..LANES).map(|_| number(random, digits)).collect();
    let mut register = Register::ZERO;
    for (lane, number) in numbers.iter().enumerate() {
        register.set(lane, *number);
    }
    (register, numbers)
}

fn numbers(register: &Register) -> Vec<i64> {
    (0..LANES).map(|lane| register.get(lane)).collect()
}

/// The planes that the numbers need, no more.
fn assert_narrow(register: &Register) {
    let needed = numbers(register).into_iter().map(width_of).max();
    assert_eq!(Some(register.width), needed);
}

/// Runs an operation and compares each lane: what it is, or that it does not fit.
fn check(
    [a, b]: [&(Register, Vec<i64>); 2],
    operation: impl Fn(&mut Register, &Register, &Register, &mut Mask<3>),
    expected: impl Fn(i64, i64) -> (i64, i64),
) {
    // What was there before must not matter.
    let (mut out, mut spilled) = (Register::all(i64::MIN), [0; 3]);
    operation(&mut out, &a.0, &b.0, &mut spilled);
    assert_narrow(&out);
    for lane in 0..LANES {
        let (left, right) = (a.1[lane], b.1[lane]);
        let (result, misfit) = expected(left, right);
        assert_eq!(contains(&spilled, lane), misfit < 0, "{left} and {right}");
        assert!(misfit < 0 || out.get(lane) == result, "{left} and {right}: {}", out.get(lane));
    }
}

/// Pairs of widths; few of the wide ones, as they are all alike.
fn for_all_widths(test: impl Fn(&mut Choices, usize, usize)) {
    let widths = || (1..=12).chain([17, 31, 32, 33, 40, 62, 63, 64]);
    let mut random = Choices::new(11);
    for (a, b) in widths().flat_map(|a| widths().map(move |b| (a, b))) {
        test(&mut random, a, b);
    }
}

#[test]
fn a_register_gives_back_what_was_set_in_as_few_planes_as_it_takes() {
    let mut random = Choices::new(5);
    for digits in 1..=MOST {
        let (mut first, expected) = register(&mut random, digits);
        assert_eq!(numbers(&first), expected);
        assert_narrow(&first);
        assert_eq!(first.words().0.as_flattened(), expected);
        let mut copy = Register::all(-1);
        copy.set_words(&first.words());
        assert_eq!((numbers(&copy), copy.width), (expected, first.width));
        let unlike = first.unlike_first();
        let differs = |lane| first.get(lane) != first.get(0);
        assert!((0..LANES).all(|lane| contains(&unlike, lane) == differs(lane)));
        // Wide numbers leave no trace once they are gone.
        for lane in 0..LANES {
            first.set(lane, -1);
        }
        assert_eq!(first.width, 1);
        let word = number(&mut random, digits);
        assert_eq!(numbers(&Register::all(word)), [word; LANES]);
        assert_narrow(&Register::all(word));
    }
}

#[test]
fn integers_do_what_a_lane_does() {
    use Arithmetic::{Add, Div, Mod, Multiply, Negate, Subtract};
    for_all_widths(|random, first, second| {
        let (a, b) = (register(random, first), register(random, second));
        let agrees = |operation, expected: fn(i64, i64) -> (i64, i64)| {
            let run = |out: &mut Register, a: &_, b: &_, spilled: &mut _| {
                integer(operation, out, a, b, spilled);
            };
            check([&a, &b], run, expected);
        };
        agrees(Negate, |a, _| lane::negate(a));
        agrees(Add, lane::add);
        agrees(Subtract, lane::subtract);
        agrees(Multiply, lane::multiply);
        agrees(Div, lane::divide);
        agrees(Mod, lane::remainder);
    });
}

#[test]
fn narrow_numbers_are_multiplied_and_divided_digit_by_digit() {
    let mut random = Choices::new(6);
    let (small, large) = (register(&mut random, 11).0, register(&mut random, 50).0);
    let out = &mut Register::all(0);
    assert!(product(out, &small, &small) && divide(Arithmetic::Div, out, &small, &small));
    assert!(product(out, &large, &small) && !divide(Arithmetic::Mod, out, &large, &small));
    assert!(!product(out, &large, &large) && !divide(Arithmetic::Mod, out, &large, &large));
}

#[test]
fn machine_integers_do_what_a_lane_does() {
    use Bitwise::{And, Not, Or, ShiftLeft, ShiftRight, Xor};
    for_all_widths(|random, first, second| {
        let (a, b) = (register(random, first), register(random, second));
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            let machine = Machine::new(signedness, first as u32).unwrap();
            let [a, b] = [&a, &b].map(|(register, numbers)| {
                let (mut register, wrapped) = (register.clone(), numbers.iter());
                wrap(machine, &mut register);
                (register, wrapped.map(|number| machine.wrap_word(*number)).collect::<Vec<_>>())
            });
            assert_eq!(numbers(&a.0), a.1);
            let wrapped = |result: i64| (machine.wrap_word(result), 0);
            let arithmetic = |operation, expected: &dyn Fn(i64, i64) -> i64| {
                let run = |out: &mut Register, a: &_, b: &_, _: &mut _| {
                    machine_integer(machine, operation, out, a, b);
                };
                check([&a, &b], run, |a, b| wrapped(expected(a, b)));
            };
            arithmetic(Arithmetic::Negate, &|a, _| a.wrapping_neg());
            arithmetic(Arithmetic::Add, &i64::wrapping_add);
            arithmetic(Arithmetic::Subtract, &i64::wrapping_sub);
            arithmetic(Arithmetic::Multiply, &i64::wrapping_mul);
            arithmetic(Arithmetic::Div, &|a, b| lane::machine_divide(machine)(a, b).0);
            arithmetic(Arithmetic::Mod, &|a, b| lane::machine_remainder(machine)(a, b).0);
            let bitwise = |operation, expected: &dyn Fn(i64, i64) -> i64| {
                let run = |out: &mut Register, a: &_, b: &_, _: &mut _| {
                    bits(machine, operation, out, a, b);
                };
                check([&a, &b], run, |a, b| wrapped(expected(a, b)));
            };
            bitwise(Not, &|a, _| !a);
            bitwise(And, &|a, b| a & b);
            bitwise(Or, &|a, b| a | b);
            bitwise(Xor, &|a, b| a ^ b);
            bitwise(ShiftLeft, &|a, b| lane::shift_left(machine)(a, b).0);
            bitwise(ShiftRight, &|a, b| lane::shift_right(machine)(a, b).0);
        }
    });
}

#[test]
fn comparisons_and_selections_do_what_a_lane_does() {
    use Comparison::{Equal, Less, LessEqual, LessEqualUnsigned, LessUnsigned};
    for_all_widths(|random, first, second| {
        let (a, mut b) = (register(random, first), register(random, second));
        for lane in (0..LANES).step_by(5) {
            b.0.set(lane, a.1[lane]);
            b.1[lane] = a.1[lane];
        }
        let pairs = || a.1.iter().zip(&b.1).enumerate();
        let agrees = |comparison, holds: fn(i64, i64) -> bool| {
            let mask = compare(comparison, &a.0, &b.0);
            for (lane, (a, b)) in pairs() {
                assert_eq!(contains(&mask, lane), holds(*a, *b), "{comparison:?} of {a} and {b}");
            }
        };
        agrees(Equal, |a, b| a == b);
        agrees(Less, |a, b| a < b);
        agrees(LessEqual, |a, b| a <= b);
        agrees(LessUnsigned, |a, b| a.cast_unsigned() < b.cast_unsigned());
        agrees(LessEqualUnsigned, |a, b| a.cast_unsigned() <= b.cast_unsigned());
        let test = std::array::from_fn(|_| random.next());
        let mut out = Register::all(i64::MIN);
        out.select(&test, &a.0, &b.0);
        assert_narrow(&out);
        for (lane, (a, b)) in pairs() {
            assert_eq!(out.get(lane), if contains(&test, lane) { *a } else { *b });
        }
    });
}
