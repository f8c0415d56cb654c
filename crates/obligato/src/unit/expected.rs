//! What a suite expects of the outputs of a C function, held against what they were.

use obligato_model::{Step, Value};
use obligato_store::Signature;
use obligato_store::run::Difference;

/// Where outputs are not as the suite expects. `named` has the columns of the suite, `shown` all outputs.
pub fn differing(
    named: &Signature,
    shown: &Signature,
    expected: &[Step],
    found: &[Vec<Value>],
) -> Vec<Difference> {
    let position = |name: &str| shown.outputs().iter().position(|output| output.name == name);
    let places: Vec<Option<usize>> =
        named.outputs().iter().map(|output| position(&output.name)).collect();
    let mut differences = Vec::new();
    for (step, (expected, found)) in expected.iter().zip(found).enumerate() {
        for (place, expected) in places.iter().zip(expected) {
            if let (Some(output), Some(expected)) = (*place, expected) {
                let found = &found[output];
                if found != expected {
                    let (expected, found) = (expected.clone(), found.clone());
                    differences.push(Difference { step, output, expected, found });
                }
            }
        }
    }
    differences
}
