//! Models, suites and measurements for the tests.
#![allow(dead_code, reason = "each test file uses a part of it")]

use obligato_criteria::{Evidence, Vectors, judge, plan};
use obligato_lustre::analysis::{self, Model, analyse};
use obligato_lustre::lowering::{Lowered, Options, lower};
use obligato_lustre_replay::{LANES, Measured, Measurement, Meter, Watch};
use obligato_lustre_syntax::parse;
use obligato_model::{
    Assessment, Criterion, Integer, Observability, Rational, Suite, TestCase, Type, Value, Verdict,
};
use obligato_test_support::models::texts;

/// A model from its text.
pub fn model(text: &str) -> Lowered {
    try_model("m.lus", text.as_bytes(), None).unwrap_or_else(|| panic!("not a model: {text}"))
}

/// A model from its text, if it is one.
pub fn try_model(name: &str, text: &[u8], main: Option<&str>) -> Option<Lowered> {
    let parsed = parse(text).ok()?;
    let model = analyse(parsed.program, &analysis::Options { main }).ok()?;
    lower(&model, name, text, &Options::default()).ok()
}

/// The public models that load, by name; none if the collection is not there.
pub fn models() -> Vec<(String, Lowered)> {
    let models = analysed_models().into_iter();
    models.map(|(name, _, _, lowered)| (name, lowered)).collect()
}

/// The same with their texts and what these mean.
pub fn analysed_models() -> Vec<(String, Vec<u8>, Model, Lowered)> {
    let load = |(name, text): (String, Vec<u8>)| {
        let model = analyse(parse(&text).ok()?.program, &analysis::Options::default()).ok()?;
        let lowered = lower(&model, &name, &text, &Options::default()).ok()?;
        Some((name, text, model, lowered))
    };
    texts().into_iter().filter_map(load).collect()
}

/// A small generator of pseudo-random numbers (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A value of a type, most often a small one.
    pub fn value(&mut self, kind: &Type) -> Value {
        match kind {
            Type::Bool => Value::Bool(self.next() & 1 == 1),
            Type::Enumeration(names) => Value::Symbol(names[self.below(names.len())].clone()),
            Type::Real => {
                let numerator = Rational::from(Integer::from(self.below(41)) - Integer::from(20));
                Value::Real(numerator / Rational::from(Integer::from(4)))
            }
            _ => match kind.bounds() {
                Some((low, high)) => {
                    let width = usize::try_from(&(high - &low)).unwrap_or(usize::MAX - 1);
                    Value::Int(low + Integer::from(self.below(width.saturating_add(1))))
                }
                None => Value::Int(Integer::from(self.below(41)) - Integer::from(20)),
            },
        }
    }
}

/// Random tests of a model.
pub fn random_tests(lowered: &Lowered, count: usize, steps: usize, seed: u64) -> Vec<TestCase> {
    let mut random = Random(seed | 1);
    let mut test = |index| TestCase {
        name: TestCase::default_name(index),
        steps: (0..steps - index % steps.min(4))
            .map(|_| {
                let inputs = lowered.interface.inputs.iter();
                inputs.map(|input| Some(random.value(&input.kind))).collect()
            })
            .collect(),
    };
    (0..count).map(&mut test).collect()
}

/// Tests of one step or more over Boolean inputs: `TFT` is a step, `TFT FFF` are two.
pub fn bool_tests(texts: &[&str]) -> Vec<TestCase> {
    let step = |word: &str| word.chars().map(|c| Some(Value::Bool(c == 'T'))).collect();
    let test = |(index, text): (usize, &&str)| TestCase {
        name: TestCase::default_name(index),
        steps: text.split_whitespace().map(step).collect(),
    };
    texts.iter().enumerate().map(test).collect()
}

/// Measures tests with everything watched for.
pub fn measure(lowered: &Lowered, tests: &[TestCase], vectors: Vectors) -> Vec<Measured> {
    let effects = vec![Observability::Strict, Observability::Tags, Observability::Exact];
    measure_with(
        lowered,
        tests,
        Watch { effects, vectors, boundaries: true, ..Watch::outputs(lowered) },
    )
}

/// Measures tests.
pub fn measure_with(lowered: &Lowered, tests: &[TestCase], watch: Watch) -> Vec<Measured> {
    let measurement = Measurement::new(lowered, watch).expect("the model can be measured");
    let compiled = measurement.compile().expect("the system is sound");
    let mut meter = Meter::new(&measurement, &compiled);
    tests.chunks(LANES).flat_map(|some| meter.measure(some).expect("the tests fit")).collect()
}

/// The evidence of measured tests.
pub fn evidence(lowered: &Lowered, measured: &[Measured], vectors: Vectors) -> Evidence {
    let effects = vec![Observability::Strict, Observability::Tags, Observability::Exact];
    let watched = obligato_model::Watched { effects, kills: Vec::new() };
    let mut evidence = Evidence::new(&lowered.program, watched, vectors);
    for test in measured {
        evidence.add(test.evidence.clone());
    }
    evidence
}

/// Judges tests by one criterion.
pub fn assess(lowered: &Lowered, tests: &[TestCase], criterion: Criterion) -> Assessment {
    let vectors = Vectors::needed_by(&[criterion]);
    let measured = measure(lowered, tests, vectors);
    let evidence = evidence(lowered, &measured, vectors);
    judge(&lowered.program, plan(&lowered.program, &[criterion]), &evidence).expect("sound")
}

/// How many obligations are covered, of how many.
pub fn covered(assessment: &Assessment) -> (usize, usize) {
    let covered = |verdict: &&Verdict| matches!(verdict, Verdict::Covered { .. });
    (assessment.verdicts.iter().filter(covered).count(), assessment.verdicts.len())
}

/// A suite of these tests.
pub fn suite(lowered: &Lowered, tests: Vec<TestCase>) -> Suite {
    Suite { inputs: lowered.interface.inputs.clone(), tests }
}
