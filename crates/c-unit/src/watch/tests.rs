//! Tests of the choice between arms, and of operands.

use obligato_clang::Stretch;
use obligato_model::Span;

use super::*;

fn label(values: Option<(i128, i128)>) -> Label {
    let stretch = Stretch { span: Span::of_line(""), text: String::new() };
    Label { stretch, values }
}

fn arm(labels: &[Label], width: u8, value: u64) -> usize {
    Choice::new(ArmId::new(10), labels, width).arm(value).index() - 10
}

#[test]
fn a_value_leads_to_the_label_that_has_it_whatever_its_sign() {
    let labels = [label(Some((-1, -1))), label(None), label(Some((5, 9)))];
    assert_eq!(arm(&labels, 32, 0xffff_ffff), 0);
    assert_eq!(arm(&labels, 32, 7), 2);
    assert_eq!(arm(&labels, 32, 10), 1);
    let unsigned = [label(Some((0xffff_fff0, 0xffff_ffff)))];
    assert_eq!(arm(&unsigned, 32, 0xffff_fffe), 0);
    let long = [label(Some((i128::from(i64::MIN), -1)))];
    assert_eq!(arm(&long, 64, u64::MAX), 0);
}

#[test]
fn without_a_default_other_values_lead_behind_all_labels() {
    assert_eq!(arm(&[label(Some((1, 1))), label(Some((2, 2)))], 32, 3), 2);
}

#[test]
fn operands_have_the_sign_and_the_format_of_their_type() {
    let signed = Type::Machine(Signedness::Signed, 16);
    assert_eq!(operand(&signed, 0xfffe), Some(Value::int(-2)));
    assert_eq!(operand(&Type::Machine(Signedness::Unsigned, 16), 0xfffe), Some(Value::int(65534)));
    assert_eq!(operand(&Type::Float64, 1.5_f64.to_bits()), Some(Value::float64(1.5)));
    assert_eq!(operand(&Type::Bool, 1), None);
}
