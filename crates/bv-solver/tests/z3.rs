//! z3 says the same: random formulas over words and floats as SMT-LIB text. Skipped where there is no z3.

use std::fmt::Write;

use obligato_bv_solver::{BvSolver, Query, QueryAnswer};
use obligato_solver::{Answer as SatAnswer, Smt, SmtError, Stop};
use obligato_term::{
    Assignment, BinaryOp as Op, FloatFormat, FloatOp, Node, Rounding, Term, Terms, UnaryOp,
};
use obligato_test_support::Numbers;

/// A session, unless z3 is not installed.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn session() -> Option<Smt> {
    match Smt::start(&Stop::never(), 1024) {
        Err(SmtError::Absent) => {
            println!("skipped: there is no z3 in PATH");
            None
        }
        started => Some(started.expect("z3 starts")),
    }
}

/// Numbers that are the same in every run (Marsaglia's xorshift).
/// Declares all terms, each as a constant that equals its definition. Floats are those of their bits.
fn declare(terms: &Terms, smt: &mut Smt) {
    for term in terms.iter() {
        let (index, width) = (term.index(), terms.width(term));
        smt.command(&format!("(declare-const t{index} (_ BitVec {width}))"));
        if let Some(text) = definition(terms, term) {
            smt.assert(&text);
        }
    }
}

fn definition(terms: &Terms, term: Term) -> Option<String> {
    let (this, width) = (format!("t{}", term.index()), terms.width(term));
    let name = |one: Term| format!("t{}", one.index());
    let value = match terms.node(term) {
        Node::Variable(_) => return None,
        Node::Constant(value) => format!("(_ bv{value} {width})"),
        Node::Unary(UnaryOp::Not, one) => format!("(bvnot {})", name(one)),
        Node::Unary(UnaryOp::Negate, one) => format!("(bvneg {})", name(one)),
        Node::Binary(op, left, right) => binary(op, &name(left), &name(right)),
        Node::Choose(test, first, second) => {
            format!("(ite (= {} #b1) {} {})", name(test), name(first), name(second))
        }
        Node::Extract(one, low) => {
            format!("((_ extract {} {low}) {})", low + width - 1, name(one))
        }
        Node::Concat(high, low) => format!("(concat {} {})", name(high), name(low)),
        Node::ZeroExtend(one) => {
            format!("((_ zero_extend {}) {})", width - terms.width(one), name(one))
        }
        Node::SignExtend(one) => {
            format!("((_ sign_extend {}) {})", width - terms.width(one), name(one))
        }
        Node::Float(op, format, operands) => {
            return Some(float(op, format, &this, &operands.map(name)));
        }
    };
    Some(format!("(= {this} {value})"))
}

fn binary(op: Op, left: &str, right: &str) -> String {
    let function = match op {
        Op::Add => "bvadd",
        Op::Subtract => "bvsub",
        Op::Multiply => "bvmul",
        Op::DivideUnsigned => "bvudiv",
        Op::DivideSigned => "bvsdiv",
        Op::RemainderUnsigned => "bvurem",
        Op::RemainderSigned => "bvsrem",
        Op::ShiftLeft => "bvshl",
        Op::ShiftRightUnsigned => "bvlshr",
        Op::ShiftRightSigned => "bvashr",
        Op::And => "bvand",
        Op::Or => "bvor",
        Op::Xor => "bvxor",
        Op::Equal => "=",
        Op::LessUnsigned => "bvult",
        Op::LessSigned => "bvslt",
    };
    if op.compares() {
        format!("(ite ({function} {left} {right}) #b1 #b0)")
    } else {
        format!("({function} {left} {right})")
    }
}

/// The float of a term; which bits stand for what is no number is not said.
fn float(op: FloatOp, format: FloatFormat, this: &str, operands: &[String; 3]) -> String {
    let (exponent, precision) = (format.exponent(), format.fraction() + 1);
    let of = |bits: &str| format!("((_ to_fp {exponent} {precision}) {bits})");
    let [a, b, c] = [0, 1, 2].map(|index| of(&operands[index]));
    let value = match op {
        FloatOp::Add => format!("(fp.add RNE {a} {b})"),
        FloatOp::Subtract => format!("(fp.sub RNE {a} {b})"),
        FloatOp::Multiply => format!("(fp.mul RNE {a} {b})"),
        FloatOp::Divide => format!("(fp.div RNE {a} {b})"),
        FloatOp::MultiplyAdd => format!("(fp.fma RNE {a} {b} {c})"),
        FloatOp::SquareRoot => format!("(fp.sqrt RNE {a})"),
        FloatOp::Round(Rounding::Down) => format!("(fp.roundToIntegral RTN {a})"),
        FloatOp::Round(Rounding::Up) => format!("(fp.roundToIntegral RTP {a})"),
        FloatOp::Round(Rounding::TowardsZero) => format!("(fp.roundToIntegral RTZ {a})"),
        FloatOp::Round(Rounding::Away) => format!("(fp.roundToIntegral RNA {a})"),
        FloatOp::Round(Rounding::Even) => format!("(fp.roundToIntegral RNE {a})"),
        FloatOp::Less => return format!("(= {this} (ite (fp.lt {a} {b}) #b1 #b0))"),
        FloatOp::Equal => return format!("(= {this} (ite (fp.eq {a} {b}) #b1 #b0))"),
        FloatOp::FromSigned => {
            format!("((_ to_fp {exponent} {precision}) RNE {})", operands[0])
        }
        FloatOp::FromUnsigned => {
            format!("((_ to_fp_unsigned {exponent} {precision}) RNE {})", operands[0])
        }
        FloatOp::Remainder | FloatOp::Convert | FloatOp::ToSigned | FloatOp::ToUnsigned => {
            unreachable!("not built here")
        }
    };
    format!("(= {} {value})", of(this))
}

const OPS: [Op; 16] = [
    Op::Add,
    Op::Subtract,
    Op::Multiply,
    Op::DivideUnsigned,
    Op::DivideSigned,
    Op::RemainderUnsigned,
    Op::RemainderSigned,
    Op::ShiftLeft,
    Op::ShiftRightUnsigned,
    Op::ShiftRightSigned,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Equal,
    Op::LessUnsigned,
    Op::LessSigned,
];

/// Some constraints on words of this width.
fn words(terms: &mut Terms, numbers: &mut Numbers, width: u8) -> Vec<Term> {
    let mut known: Vec<Term> = (0..3).map(|_| terms.variable(width)).collect();
    let mut tests = Vec::new();
    while tests.len() < 4 {
        let left = numbers.of(&known);
        let right = if numbers.below(3) == 0 {
            terms.constant(numbers.below(1 << width.min(10)).into(), width)
        } else {
            numbers.of(&known)
        };
        let op = numbers.of(&OPS);
        let result = terms.binary(op, left, right);
        if !op.compares() {
            known.push(result);
        } else if terms.as_constant(result).is_none() {
            let turned = terms.not(result);
            tests.push(if numbers.below(2) == 0 { result } else { turned });
        }
        if tests.len() == 3 {
            let chosen = terms.choose(tests[0], left, right);
            known.push(chosen);
        }
    }
    tests
}

/// Some constraints on singles.
fn floats(terms: &mut Terms, numbers: &mut Numbers) -> Vec<Term> {
    let ops = [FloatOp::Add, FloatOp::Subtract, FloatOp::Multiply, FloatOp::Round(Rounding::Down)];
    let format = FloatFormat::Single;
    let mut known: Vec<Term> = (0..2).map(|_| terms.variable(32)).collect();
    known.push(terms.constant(u128::from(1.5_f32.to_bits()), 32));
    let mut tests = Vec::new();
    while tests.len() < 3 {
        let operands = [numbers.of(&known), numbers.of(&known)];
        if numbers.below(2) == 0 {
            let op = numbers.of(&ops);
            known.push(terms.float(op, format, &operands, 32));
            continue;
        }
        let op = numbers.of(&[FloatOp::Less, FloatOp::Equal]);
        let test = terms.float(op, format, &operands, 1);
        if terms.as_constant(test).is_none() {
            let turned = terms.not(test);
            tests.push(if numbers.below(3) == 0 { turned } else { test });
        }
    }
    tests
}

/// What both say, if both know.
fn compare(smt: &mut Smt, terms: &Terms, tests: &[Term]) -> SatAnswer {
    smt.push();
    declare(terms, smt);
    let mut all = "(and".to_owned();
    for test in tests {
        write!(all, " (= t{} #b1)", test.index()).expect("a string takes text");
    }
    smt.assert(&(all + ")"));
    let theirs = smt.check(&[], Some(1_500_000)).expect("z3 answers");
    smt.pop();
    let near = Assignment::default();
    let query = Query { constraints: tests, near: &near };
    let ours = match BvSolver::new(&Stop::never(), Some(20_000)).ask(terms, query) {
        QueryAnswer::Satisfiable(_) => SatAnswer::Sat,
        QueryAnswer::Unsatisfiable => SatAnswer::Unsat,
        QueryAnswer::Unknown(_) => SatAnswer::Unknown,
    };
    if theirs == SatAnswer::Unknown || ours == SatAnswer::Unknown {
        return SatAnswer::Unknown;
    }
    assert_eq!(ours, theirs, "{tests:?} of {terms:?}");
    ours
}

#[test]
fn z3_decides_formulas_over_words_as_we_do() {
    let Some(mut smt) = session() else { return };
    let mut numbers = Numbers(0x5eed);
    let mut decided = [0, 0];
    for round in 0..80 {
        let mut terms = Terms::new();
        let tests = words(&mut terms, &mut numbers, [3, 5, 8, 16][round % 4]);
        match compare(&mut smt, &terms, &tests) {
            SatAnswer::Sat => decided[0] += 1,
            SatAnswer::Unsat => decided[1] += 1,
            SatAnswer::Unknown => {}
        }
    }
    assert!(decided.iter().all(|count| *count >= 10), "{decided:?}");
}

#[test]
fn z3_decides_formulas_over_floats_as_we_do() {
    let Some(mut smt) = session() else { return };
    let mut numbers = Numbers(0xf10a7);
    let mut decided = [0, 0];
    for _ in 0..16 {
        let mut terms = Terms::new();
        let tests = floats(&mut terms, &mut numbers);
        match compare(&mut smt, &terms, &tests) {
            SatAnswer::Sat => decided[0] += 1,
            SatAnswer::Unsat => decided[1] += 1,
            SatAnswer::Unknown => {}
        }
    }
    assert!(decided.iter().all(|count| *count >= 2), "{decided:?}");
}
