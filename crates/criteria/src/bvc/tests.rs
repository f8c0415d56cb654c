//! Boundaries: on every type, at its ends, and what its ends rule out.

use super::*;
use obligato_model::program::{NewCondition, NewDecision};
use obligato_model::{BoolTree, Function, Role, Signedness, Span as SourceSpan};

const OPERATORS: [RelationOperator; 6] = [
    RelationOperator::Equal,
    RelationOperator::NotEqual,
    RelationOperator::Less,
    RelationOperator::LessEqual,
    RelationOperator::Greater,
    RelationOperator::GreaterEqual,
];

fn relation(
    operator: RelationOperator,
    kind: Type,
    left: Option<Value>,
    right: Option<Value>,
) -> Relation {
    Relation { operator, kind, left, right }
}

fn met_texts(relation: &Relation, left: &Value, right: &Value) -> Vec<String> {
    let step = Rational::from(1) / Rational::from(Integer::from(1000));
    let all = boundaries(relation.operator);
    met(relation, left, right, &step).into_iter().map(|ordinal| all[ordinal].to_string()).collect()
}

fn program(relation: Relation) -> Program {
    let mut program = Program::new();
    let file = program.add_file("f.c");
    let span = SourceSpan::of_line("x < y");
    let function =
        program.add_function(Function { name: "f".to_owned(), file, span, entered: false });
    let condition =
        NewCondition { span, text: "x < y".to_owned(), constant: None, relation: Some(relation) };
    program
        .add_decision(NewDecision {
            function,
            span,
            text: "x < y".to_owned(),
            role: Role::Control,
            tree: BoolTree::single(),
            conditions: vec![condition],
        })
        .unwrap();
    program
}

/// On a type small enough to try every pair of operands, a boundary is out of
/// range exactly when no pair meets it.
#[test]
fn out_of_range_is_what_no_operands_meet() {
    let small = Type::Subrange((-2).into(), 1.into());
    let values: Vec<Value> = (-2..=1).map(Value::int).collect();
    let choices: Vec<Option<Value>> =
        std::iter::once(None).chain(values.iter().cloned().map(Some)).collect();
    for operator in OPERATORS {
        for left in &choices {
            for right in &choices {
                let relation = relation(operator, small.clone(), left.clone(), right.clone());
                let program = program(relation.clone());
                let fits = |constant: &Option<Value>, value: &Value| {
                    constant.as_ref().is_none_or(|c| c == value)
                };
                for (ordinal, boundary) in boundaries(operator).iter().enumerate() {
                    let possible = values.iter().filter(|x| fits(left, x)).any(|x| {
                        values
                            .iter()
                            .filter(|y| fits(right, y))
                            .any(|y| met(&relation, x, y, &program.real_step).contains(&ordinal))
                    });
                    let id = ConditionId::new(0);
                    assert_eq!(
                        is_out_of_range(&program, id, *boundary),
                        !possible,
                        "{operator:?} {boundary} with {left:?}, {right:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_boundary_holds_only_with_the_value_it_is_listed_for() {
    let kind = Type::Int;
    for operator in OPERATORS {
        for x in -4..=4 {
            for y in -4..=4 {
                let (left, right) = (Value::int(x), Value::int(y));
                let relation = relation(operator, kind.clone(), None, None);
                let value = operator.holds(left.compare(&right));
                for ordinal in met(&relation, &left, &right, &Rational::from(1)) {
                    assert_eq!(boundaries(operator)[ordinal].value, value, "{x} {operator:?} {y}");
                }
            }
        }
    }
}

#[test]
fn integer_boundaries_do_not_wrap() {
    let int8 = Type::Machine(Signedness::Signed, 8);
    let less_equal = |right: i32| {
        relation(RelationOperator::LessEqual, int8.clone(), None, Some(Value::int(right)))
    };
    let top = program(less_equal(127));
    let out = |program: &Program| -> Vec<String> {
        let all = boundaries(RelationOperator::LessEqual).iter();
        all.filter(|b| is_out_of_range(program, ConditionId::new(0), **b))
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(out(&top), ["x=y+k", "x>y+k"]);
    assert_eq!(out(&program(less_equal(126))), ["x>y+k"]);
    assert_eq!(out(&program(less_equal(-128))), ["x<y"]);
    assert_eq!(met_texts(&less_equal(127), &Value::int(-128), &Value::int(127)), ["x<y"]);
}

#[test]
fn float_boundaries_are_the_neighbouring_values() {
    let less = relation(RelationOperator::Less, Type::Float64, None, None);
    let one = Value::float64(1.0);
    assert_eq!(met_texts(&less, &Value::float64(1.0_f64.next_down()), &one), ["x=y-k"]);
    assert_eq!(met_texts(&less, &Value::float64(0.999), &one), ["x<y-k"]);
    assert_eq!(met_texts(&less, &one, &one), ["x=y"]);
    assert_eq!(met_texts(&less, &Value::float64(f64::NAN), &one), Vec::<String>::new());
    let zero = Value::float64(0.0);
    assert_eq!(met_texts(&less, &Value::float64(-0.0), &zero), ["x=y"], "the zeros are equal");
    let tiny = Value::float64(-f64::from_bits(1));
    assert_eq!(met_texts(&less, &tiny, &Value::float64(-0.0)), ["x=y-k"]);
    let infinite = program(relation(
        RelationOperator::LessEqual,
        Type::Float32,
        None,
        Some(Value::float32(f32::INFINITY)),
    ));
    assert!(is_out_of_range(
        &infinite,
        ConditionId::new(0),
        boundaries(RelationOperator::LessEqual)[2]
    ));
    let nan = program(relation(
        RelationOperator::Equal,
        Type::Float32,
        None,
        Some(Value::float32(f32::NAN)),
    ));
    assert!(boundaries(RelationOperator::Equal).iter().all(|b| is_out_of_range(
        &nan,
        ConditionId::new(0),
        *b
    )));
}

#[test]
fn real_boundaries_use_the_configured_step() {
    let greater = relation(RelationOperator::Greater, Type::Real, None, None);
    let real = |text: &str| Value::parse(text, &Type::Real).unwrap();
    assert_eq!(met_texts(&greater, &real("0.501"), &real("0.5")), ["x=y+k"]);
    assert_eq!(met_texts(&greater, &real("0.5011"), &real("0.5")), ["x>y+k"]);
    assert_eq!(met_texts(&greater, &real("0.5005"), &real("0.5")), Vec::<String>::new());
    let open = program(relation(RelationOperator::Greater, Type::Real, None, Some(real("1/3"))));
    assert!(boundaries(RelationOperator::Greater).iter().all(|b| !is_out_of_range(
        &open,
        ConditionId::new(0),
        *b
    )));
}

#[test]
fn booleans_and_names_have_no_boundaries() {
    for kind in [Type::Bool, Type::Enumeration(vec!["A".to_owned()])] {
        assert!(plan(&program(relation(RelationOperator::Equal, kind, None, None))).is_empty());
    }
}
