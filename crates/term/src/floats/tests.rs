//! The bits of what is no number, and what does not fit, against the machine.

use std::hint::black_box;

use super::*;

const SPECIAL: [u64; 14] = [
    0,
    1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0x3ff8_0000_0000_0001,
    0x41df_ffff_ffc0_0000,
    0x43e0_0000_0000_0000,
    0x43ef_ffff_ffff_ffff,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0x7ff8_0000_0000_1234,
    0x7fff_ffff_f000_0000,
];

fn specials() -> impl Iterator<Item = u64> {
    SPECIAL.into_iter().flat_map(|bits| [bits, bits | 1 << 63])
}

fn double_of(op: FloatOp, operands: [u64; 3]) -> u64 {
    float(op, FloatFormat::Double, 64, 64, operands.map(u128::from)) as u64
}

#[cfg(target_arch = "x86_64")]
#[test]
fn what_is_no_number_has_the_bits_that_the_machine_gives_it() {
    for a in specials() {
        let x = f64::from_bits(a);
        let narrow = float(FloatOp::Convert, FloatFormat::Double, 64, 32, [a.into(); 3]);
        assert_eq!(narrow as u32, (black_box(x) as f32).to_bits(), "{a:x}");
        let wide = float(FloatOp::Convert, FloatFormat::Single, 32, 64, [narrow; 3]);
        let single = f32::from_bits(narrow as u32);
        assert_eq!(wide as u64, f64::from(black_box(single)).to_bits(), "{narrow:x}");
        assert_eq!(double_of(FloatOp::SquareRoot, [a; 3]), black_box(x).sqrt().to_bits(), "{a:x}");
        for b in specials() {
            let y = f64::from_bits(b);
            if x.is_nan() && y.is_nan() {
                // A compiler may exchange the operands, and the machine takes the first.
                continue;
            }
            let (p, q) = (black_box(x), black_box(y));
            let found = [
                (FloatOp::Add, p + q),
                (FloatOp::Subtract, p - q),
                (FloatOp::Multiply, p * q),
                (FloatOp::Divide, p / q),
                (FloatOp::Remainder, p % q),
                (FloatOp::MultiplyAdd, p.mul_add(q, black_box(1.0))),
            ];
            for (op, machine) in found {
                let ours = double_of(op, [a, b, 1.0_f64.to_bits()]);
                assert_eq!(ours, machine.to_bits(), "{op:?} of {a:x} and {b:x}");
            }
        }
    }
}

#[test]
fn what_does_not_fit_an_integer_is_what_the_executor_gives() {
    let to = |op, value: f64, width| {
        float(op, FloatFormat::Double, 64, width, [value.to_bits().into(); 3])
    };
    // As the executor has it: by way of 32 or 64 bits with a sign, the least number for what does not fit.
    let cases: [(FloatOp, f64, u8, u128); 12] = [
        (FloatOp::ToSigned, 300.7, 8, 44),
        (FloatOp::ToSigned, -1.9, 32, 0xffff_ffff),
        (FloatOp::ToSigned, 3e9, 32, 0x8000_0000),
        (FloatOp::ToSigned, f64::NAN, 64, 1 << 63),
        (FloatOp::ToSigned, 1e30, 16, 0),
        (FloatOp::ToUnsigned, 3e9, 32, 3_000_000_000),
        (FloatOp::ToUnsigned, -1.0, 32, 0xffff_ffff),
        (FloatOp::ToUnsigned, 1e19, 64, 10_000_000_000_000_000_000),
        (FloatOp::ToUnsigned, 1e20, 64, 1 << 63),
        (FloatOp::ToUnsigned, -5.0, 64, 0xffff_ffff_ffff_fffb),
        (FloatOp::ToUnsigned, -5.0, 128, 0),
        (FloatOp::ToSigned, f64::INFINITY, 128, u128::MAX >> 1),
    ];
    for (op, value, width, expected) in cases {
        assert_eq!(to(op, value, width), expected, "{op:?} of {value} to {width} bits");
    }
}
