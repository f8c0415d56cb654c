//! Random inputs of systems.

use obligato_model::{Integer, Rational, Type, Value};
use obligato_transition_system::System;

/// A small generator of test inputs; the same in every run.
pub struct Random(pub u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn value(&mut self, kind: &Type) -> Value {
        match kind {
            Type::Bool => Value::Bool(self.below(2) == 1),
            Type::Real => {
                let (above, below) = (self.below(41), self.below(4) + 1);
                Value::Real(
                    (Rational::from(above) - Rational::from(Integer::from(20)))
                        / Rational::from(below),
                )
            }
            Type::Subrange(low, high) => {
                let width = u64::try_from(&(high - low)).unwrap_or(1000).min(1000);
                Value::Int(low + Integer::from(self.below(width + 1)))
            }
            Type::Enumeration(names) => {
                Value::Symbol(names[self.below(names.len() as u64) as usize].clone())
            }
            Type::Machine(..) => Value::int(self.below(100)),
            _ => Value::Int(Integer::from(self.below(14)) - Integer::from(4)),
        }
    }

    /// Values for all inputs of a system.
    pub fn step(&mut self, system: &System) -> Vec<Value> {
        system.inputs.iter().map(|input| self.value(&input.kind)).collect()
    }
}
