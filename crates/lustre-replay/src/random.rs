//! Random tests: inputs within their types, and only tests of the model.
//!
//! Numbers without bounds are mostly small, because models compare them with small numbers and with
//! each other; numbers with bounds are often at one of them.

use obligato_lustre::lowering::Lowered;
use obligato_model::{Integer, Random, Rational, Step, TestCase, Type, Value, Variable};
use obligato_transition_system::{CheckKind, Error, LaneProgram, lanes};

use crate::batch::{LANES, default_value};
use crate::run::Runner;

/// Numbers without bounds are mostly this near to 0.
const SMALL: usize = 10;
/// And now and then this near.
const LARGE: usize = 1000;

/// Tests that were drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomSuite {
    /// Those that are tests of the model, named by the order in which they were drawn.
    pub tests: Vec<TestCase>,
    /// The number of tests dropped because they violate an assertion.
    pub dropped: usize,
}

/// Draws tests of so many steps for a model, and drops those that violate an assertion.
pub fn random_suite(
    lowered: &Lowered,
    tests: usize,
    steps: usize,
    random: &mut Random,
) -> Result<RandomSuite, Error> {
    let program = LaneProgram::new(&lowered.system, &lanes::LaneOptions::default())?;
    let mut runner = Runner::new(&program, &[]);
    let mut suite = RandomSuite { tests: Vec::new(), dropped: 0 };
    for start in (0..tests).step_by(LANES) {
        let names = (start..tests.min(start + LANES)).map(TestCase::default_name);
        let batch = names.map(|name| random_test(name, &lowered.interface.inputs, steps, random));
        let batch: Vec<TestCase> = batch.collect();
        for (test, trace) in batch.iter().zip(runner.run(&batch)?) {
            let is_outside = trace
                .failures
                .iter()
                .any(|failure| lowered.system.checks[failure.check].kind == CheckKind::Assertion);
            if is_outside {
                suite.dropped += 1;
            } else {
                suite.tests.push(test.clone());
            }
        }
    }
    Ok(suite)
}

/// A test with a random value for every input in every step.
pub fn random_test(
    name: String,
    inputs: &[Variable],
    steps: usize,
    random: &mut Random,
) -> TestCase {
    let mut step =
        || -> Step { inputs.iter().map(|input| Some(random_value(&input.kind, random))).collect() };
    TestCase { name, steps: (0..steps).map(|_| step()).collect() }
}

/// A random value of a type.
pub fn random_value(kind: &Type, random: &mut Random) -> Value {
    match kind {
        Type::Bool => Value::Bool(random.below(2) == 1),
        Type::Enumeration(names) => match names.get(random.below(names.len())) {
            Some(name) => Value::Symbol(name.clone()),
            None => default_value(kind),
        },
        Type::Real => {
            let parts = [1, 1, 2, 10][random.below(4)];
            Value::Real(Rational::from(unbounded(random)) / Rational::from(parts))
        }
        Type::Int | Type::Subrange(..) | Type::Machine(..) => Value::Int(match kind.bounds() {
            Some((low, high)) => bounded(low, high, random),
            None => unbounded(random),
        }),
        Type::OpenEnumeration(enumeration) => {
            let (low, high) = (enumeration.low.clone(), enumeration.high.clone());
            let number = bounded(low, high, random);
            enumeration.value(&number).unwrap_or(Value::Int(number))
        }
        // Lustre models have no floats.
        Type::Float32 | Type::Float64 => default_value(kind),
    }
}

fn unbounded(random: &mut Random) -> Integer {
    let most = if random.below(8) == 0 { LARGE } else { SMALL };
    Integer::from(random.below(2 * most + 1)) - Integer::from(most)
}

fn bounded(low: Integer, high: Integer, random: &mut Random) -> Integer {
    match random.below(8) {
        0 => low,
        1 => high,
        // As for numbers without bounds, where the type has room for them.
        2..5 => unbounded(random).max(low).min(high),
        _ => {
            let width = &high - &low + Integer::ONE;
            low + Integer::from(random.next()) % width
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obligato_lustre::analyse;
    use obligato_lustre::lowering::{Options, lower};
    use obligato_lustre_syntax::parse;
    use obligato_model::Signedness;

    fn lowered(text: &str) -> Lowered {
        let program = parse(text.as_bytes()).unwrap().program;
        let model = analyse(program, &obligato_lustre::Options::default()).unwrap();
        lower(&model, "m.lus", text.as_bytes(), &Options::default()).unwrap()
    }

    #[test]
    fn values_are_of_their_types_and_reach_both_ends() {
        let mut random = Random::new(1);
        let names = ["Red", "Green"].map(str::to_owned).to_vec();
        for kind in [
            Type::Bool,
            Type::Int,
            Type::Real,
            Type::Subrange((-2).into(), 5.into()),
            Type::Machine(Signedness::Unsigned, 64),
            Type::Machine(Signedness::Signed, 8),
            Type::Enumeration(names),
        ] {
            let values: Vec<Value> = (0..500).map(|_| random_value(&kind, &mut random)).collect();
            assert!(values.iter().all(|value| value.has_type(&kind)), "{kind:?}");
            if let Some((low, high)) = kind.bounds() {
                assert!(values.contains(&Value::Int(low)) && values.contains(&Value::Int(high)));
            }
        }
    }

    #[test]
    fn tests_that_violate_an_assertion_are_dropped_and_counted() {
        let model = lowered("node n(a, b: bool) returns (y: bool); let assert a or b; y = a; tel");
        let suite = random_suite(&model, 600, 2, &mut Random::new(5)).unwrap();
        assert_eq!(suite.tests.len() + suite.dropped, 600);
        // Nine of sixteen are left of two steps.
        assert!((200..325).contains(&suite.dropped), "{}", suite.dropped);
        let violates = |step: &Step| step.iter().all(|value| *value == Some(Value::Bool(false)));
        assert!(!suite.tests.iter().any(|test| test.steps.iter().any(violates)));
        assert_eq!(suite, random_suite(&model, 600, 2, &mut Random::new(5)).unwrap());
    }
}
