//! Every test that small types allow: what an engine says is held against all there is.

use obligato_model::{Integer, Step, TestCase, Type, Value, Variable};

/// So many tests are few enough to run them all.
const MOST_TESTS: usize = 20_000;
/// So many values has a type that counts as small.
const MOST_VALUES: usize = 256;

/// Every test of so many steps over these inputs.
pub fn all_tests(inputs: &[Variable], steps: usize) -> Vec<TestCase> {
    let mut rows: Vec<Step> = vec![Vec::new()];
    for input in inputs {
        let values: Vec<Option<Value>> = values_of(&input.kind).into_iter().map(Some).collect();
        rows = extended(&rows, &values);
    }
    let mut tests: Vec<Vec<Step>> = vec![Vec::new()];
    for _ in 0..steps {
        tests = extended(&tests, &rows);
    }
    let named = tests.into_iter().enumerate();
    named.map(|(index, steps)| TestCase { name: TestCase::default_name(index), steps }).collect()
}

/// Every list with every item behind it.
fn extended<T: Clone>(lists: &[Vec<T>], items: &[T]) -> Vec<Vec<T>> {
    let longer = |list: &Vec<T>, item: &T| list.iter().chain([item]).cloned().collect();
    let all: Vec<Vec<T>> =
        lists.iter().flat_map(|list| items.iter().map(move |item| longer(list, item))).collect();
    assert!(all.len() <= MOST_TESTS, "{} tests are too many", all.len());
    all
}

/// Every value of a small type.
pub fn values_of(kind: &Type) -> Vec<Value> {
    match kind {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Enumeration(names) => names.iter().cloned().map(Value::Symbol).collect(),
        kind => {
            let (mut next, last) = kind.bounds().expect("a small type");
            let mut all = Vec::new();
            while next <= last {
                all.push(match kind {
                    Type::OpenEnumeration(names) => {
                        names.value(&next).expect("a value within its bounds")
                    }
                    _ => Value::Int(next.clone()),
                });
                next += Integer::ONE;
                assert!(all.len() <= MOST_VALUES, "a small type");
            }
            all
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_of_two_steps_is_there_once() {
        let input = |name: &str| Variable { name: name.to_owned(), kind: Type::Bool };
        let tests = all_tests(&[input("a"), input("b")], 2);
        assert_eq!(tests.len(), 16);
        let mut steps: Vec<String> = tests.iter().map(|test| format!("{:?}", test.steps)).collect();
        steps.sort();
        steps.dedup();
        assert_eq!(steps.len(), 16);
    }
}
