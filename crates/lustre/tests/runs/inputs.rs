//! Inputs that get somewhere: within their types, near the constants of the model, often as they
//! were in the step before, and such that asserts hold and nothing faults if a few attempts find
//! that.

use obligato_model::{Integer, Rational, Signedness, Type, Value};
use obligato_transition_system::{CheckKind, Evaluator, System, Term};

/// So many rows are drawn for one that violates nothing, but no more than so many nodes of the
/// graph are evaluated for that.
const ATTEMPTS: usize = 24;
const EFFORT: usize = 20_000;

/// A generator of rows of inputs; the same for the same seed.
pub struct Inputs<'s> {
    system: &'s System,
    state: u64,
    integers: Vec<Integer>,
    reals: Vec<Rational>,
    last: Vec<Value>,
}

impl<'s> Inputs<'s> {
    pub fn new(system: &'s System, seed: u64) -> Self {
        let (mut integers, mut reals) = (vec![Integer::ZERO], vec![Rational::ZERO]);
        for node in system.graph.nodes() {
            if let Term::Constant(constant) = system.graph.term(node) {
                match system.graph.constant_value(constant) {
                    Value::Int(value) => integers.push(value.clone()),
                    Value::Real(value) => reals.push(value.clone()),
                    _ => {}
                }
            }
        }
        Self { system, state: seed.wrapping_mul(2).wrapping_add(1), integers, reals, last: vec![] }
    }

    /// A row for the next step of a run.
    pub fn next(&mut self, run: &Evaluator<'_>) -> Vec<Value> {
        let system = self.system;
        let checks = || system.checks.iter().filter(|check| check.kind != CheckKind::Property);
        let attempts = (EFFORT / system.graph.len()).clamp(1, ATTEMPTS);
        let mut row = self.draw();
        for _ in 1..attempts {
            let mut ahead = run.clone();
            let holds = |run: &Evaluator<'_>, node| run.value(node) == Some(&Value::Bool(true));
            let fine = checks().next().is_none()
                || ahead.step(&row).is_ok() && checks().all(|check| holds(&ahead, check.node));
            if fine {
                break;
            }
            row = self.draw();
        }
        self.last.clone_from(&row);
        row
    }

    fn draw(&mut self) -> Vec<Value> {
        let system = self.system;
        let mut row = Vec::new();
        for (index, input) in system.inputs.iter().enumerate() {
            let again = self.below(2) == 0;
            row.push(match self.last.get(index).filter(|_| again) {
                Some(last) => last.clone(),
                None => self.value(&input.kind),
            });
        }
        row
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % bound
    }

    /// A small integer, or one next to a constant of the model.
    fn integer(&mut self) -> Integer {
        if self.below(2) == 0 {
            return Integer::from(self.below(14)) - Integer::from(4);
        }
        let near = self.below(self.integers.len() as u64) as usize;
        let by = Integer::from(self.below(3)) - Integer::ONE;
        &self.integers[near] + by
    }

    fn value(&mut self, kind: &Type) -> Value {
        match kind {
            Type::Bool => Value::Bool(self.below(2) == 1),
            Type::Real if self.below(2) == 0 => {
                let near = self.below(self.reals.len() as u64) as usize;
                let by = Rational::from(Integer::from(self.below(3)) - Integer::ONE);
                Value::Real(&self.reals[near] + by / Rational::from(2))
            }
            Type::Real => {
                let above = Rational::from(Integer::from(self.below(41)) - Integer::from(20));
                Value::Real(above / Rational::from(self.below(4) + 1))
            }
            Type::Enumeration(names) => {
                Value::Symbol(names[self.below(names.len() as u64) as usize].clone())
            }
            Type::Subrange(low, high) => Value::Int(self.between(low, high)),
            Type::Machine(signedness, bits) => {
                let size = Integer::ONE << *bits as usize;
                let half = Integer::ONE << (*bits as usize - 1);
                match signedness {
                    Signedness::Signed => Value::Int(self.between(&-&half, &(half - Integer::ONE))),
                    Signedness::Unsigned => {
                        Value::Int(self.between(&Integer::ZERO, &(size - Integer::ONE)))
                    }
                }
            }
            _ => Value::Int(self.integer()),
        }
    }

    /// An integer within bounds: at one of them, next to a constant, or anywhere.
    fn between(&mut self, low: &Integer, high: &Integer) -> Integer {
        let near = self.integer();
        match self.below(4) {
            0 => low.clone(),
            1 => high.clone(),
            2 if *low <= near && near <= *high => near,
            _ => {
                let any = Integer::from(self.below(1 << 31)) * Integer::from(self.below(1 << 31));
                let any = any * Integer::from(4) + Integer::from(self.below(4));
                low + any % (high - low + Integer::ONE)
            }
        }
    }
}
