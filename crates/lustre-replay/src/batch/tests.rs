//! Batches: who takes part when, and what is set where nothing is said.

use obligato_model::{Signedness, Step};

use super::*;

fn test(steps: usize) -> TestCase {
    TestCase { name: String::new(), steps: vec![Step::new(); steps] }
}

#[test]
fn a_lane_takes_part_for_as_long_as_its_test_has_steps() {
    let tests: Vec<TestCase> = (0..LANES + 5).map(|lane| test(lane % 3)).collect();
    let batch = Batch::new(&tests);
    assert_eq!((batch.tests().len(), batch.steps()), (LANES, 2));
    for step in 0..3 {
        let active = batch.active(step);
        for lane in 0..LANES {
            let bit = active[lane / 64] >> (lane % 64) & 1 == 1;
            assert_eq!(bit, step < lane % 3, "step {step} of lane {lane}");
        }
    }
    assert_eq!(Batch::new(&[]).steps(), 0);
}

#[test]
fn what_is_left_open_is_the_value_nearest_to_nothing() {
    let subrange = |low: i32, high: i32| Type::Subrange(low.into(), high.into());
    for (kind, expected) in [
        (Type::Bool, Value::Bool(false)),
        (Type::Int, Value::int(0)),
        (subrange(-3, 3), Value::int(0)),
        (subrange(2, 9), Value::int(2)),
        (subrange(-9, -2), Value::int(-2)),
        (Type::Machine(Signedness::Unsigned, 8), Value::int(0)),
        (Type::Enumeration(vec!["On".into(), "Off".into()]), Value::Symbol("On".into())),
        (Type::Real, Value::parse("0", &Type::Real).unwrap()),
    ] {
        assert!(expected.has_type(&kind));
        assert_eq!(default_value(&kind), expected, "{kind}");
    }
}
