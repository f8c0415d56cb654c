//! The tests of all parts as one suite: those that do the same once, and every name for one test.

use std::collections::{HashMap, HashSet};

use obligato_model::{Step, SuiteInterface, TestCase};
use obligato_store::Signature;

use super::part::{KeptSuite, Part};
use crate::error::Error;

/// All tests, and where those of each part are.
pub struct MergedSuite {
    /// The suite; none if no part has one.
    pub suite: Option<KeptSuite>,
    /// The names of the tests.
    pub names: Vec<String>,
    /// Per part and test, its position among all.
    pub places: Vec<Vec<usize>>,
}

impl MergedSuite {
    /// Puts the tests of parts together, in their order.
    pub fn new(parts: &[Part]) -> Result<Self, Error> {
        let with_suite = parts.iter().filter(|part| part.suite.is_some()).count();
        if with_suite == 0 {
            return Ok(Self::of_names(parts));
        }
        if let Some(part) = parts.iter().find(|part| part.suite.is_none()) {
            return Err(Error::Input {
                message: format!("there is no suite in {}, but in others", part.name()),
                way_out: "store all parts with their suites, or none".to_owned(),
            });
        }
        let mut suites = parts.iter().filter_map(|part| Some((part, part.suite.as_ref()?)));
        let mut known: HashMap<Vec<Step>, usize> = HashMap::new();
        let mut taken: HashSet<String> = HashSet::new();
        let mut places = Vec::new();
        let Some((_, first)) = suites.clone().next() else { return Ok(Self::of_names(parts)) };
        // Very large suites are kept without outputs; then all are merged without.
        let bare = suites.clone().any(|(_, suite)| suite.signature.outputs().is_empty());
        let signature = |suite: &KeptSuite| {
            let (inputs, outputs) = (suite.signature.inputs(), suite.signature.outputs());
            let (inputs, outputs) =
                (inputs.to_vec(), if bare { Vec::new() } else { outputs.to_vec() });
            Signature::new(&SuiteInterface { inputs, outputs })
        };
        let mut merged = KeptSuite { signature: signature(first), tests: Vec::new() };
        let width = merged.signature.variables().len();
        for (number, (part, suite)) in suites.by_ref().enumerate() {
            if signature(suite) != merged.signature {
                return Err(Error::Input {
                    message: format!(
                        "the suite in {} has other inputs or outputs than the first",
                        part.name()
                    ),
                    way_out: "all parts have to be about the same program".to_owned(),
                });
            }
            let mut of_part = Vec::new();
            for test in &suite.tests {
                let steps = test.steps.iter().map(|step| step[..width.min(step.len())].to_vec());
                let steps: Vec<Step> = steps.collect();
                let place = *known.entry(steps.clone()).or_insert_with(|| {
                    let name = free_name(&test.name, number + 1, &mut taken);
                    merged.tests.push(TestCase { name, steps });
                    merged.tests.len() - 1
                });
                of_part.push(place);
            }
            places.push(of_part);
        }
        let names = merged.tests.iter().map(|test| test.name.clone()).collect();
        Ok(Self { suite: Some(merged), names, places })
    }

    /// How many tests of a part are also in parts before it.
    pub fn shared(&self, part: usize) -> usize {
        let earlier: HashSet<&usize> = self.places[..part].iter().flatten().collect();
        self.places[part].iter().filter(|place| earlier.contains(place)).count()
    }

    /// Without suites nobody knows which tests are the same, so all are kept.
    fn of_names(parts: &[Part]) -> Self {
        let mut taken = HashSet::new();
        let mut names = Vec::new();
        let mut places = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let start = names.len();
            for name in &part.result.tests {
                names.push(free_name(name, number + 1, &mut taken));
            }
            places.push((start..names.len()).collect());
        }
        Self { suite: None, names, places }
    }
}

/// The name, or one with the number of its part if another test has it.
fn free_name(name: &str, part: usize, taken: &mut HashSet<String>) -> String {
    let mut free = name.to_owned();
    while !taken.insert(free.clone()) {
        free = format!("{free}@{part}");
    }
    free
}
