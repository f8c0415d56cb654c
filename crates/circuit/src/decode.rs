//! Values to bits, and bits back to values.

use obligato_model::{Integer, Type, Value};
use obligato_transition_system::sort::{decode, encode};
use obligato_transition_system::{NodeId, Sort, System};

use crate::circuit::{Gate, Lit};
use crate::encode::{Code, Encoding};
use crate::interval::{Interval, signed_bits};

impl Encoding {
    /// The values of the system's inputs in a step, as values of their types, from those of the
    /// circuit's inputs. An input that is not encoded gets a default value: nothing depends on it. Bits that
    /// a solver left unassigned may be wrong together, so a number outside its type becomes the nearest in it.
    pub fn inputs_of_step(&self, bit: impl Fn(usize) -> bool) -> Vec<Value> {
        let value = |lit: Lit| match self.circuit.gate(lit.gate()) {
            Gate::Input(input) => bit(input as usize) != lit.is_negated(),
            _ => lit == Lit::TRUE,
        };
        let inputs = self.input_nodes.iter().zip(&self.kinds);
        inputs.map(|(node, kind)| self.input_value(*node, kind, value)).collect()
    }

    /// What a run has in a step for the values that nothing defines, as values of their types: the latch that stands for each, by
    /// index, and the value.
    pub fn undefined_of_step(
        &self,
        system: &System,
        bit: impl Fn(usize) -> bool,
    ) -> Vec<(usize, Value)> {
        let value = |lit: Lit| match self.circuit.gate(lit.gate()) {
            Gate::Input(input) => bit(input as usize) != lit.is_negated(),
            _ => lit == Lit::TRUE,
        };
        let latches = system.latches.iter().enumerate();
        let undefined = latches.filter(|(index, _)| system.is_undefined(*index));
        let encoded = undefined.filter(|(_, latch)| self.code(latch.node).is_some());
        encoded
            .map(|(index, latch)| (index, self.input_value(latch.node, &latch.kind, value)))
            .collect()
    }

    fn input_value(&self, node: NodeId, kind: &Type, bit: impl Fn(Lit) -> bool) -> Value {
        let units = match self.code(node) {
            None => return default_value(kind),
            Some(Code::Bool(lit)) => i128::from(bit(*lit)),
            Some(Code::Number(number)) => {
                number.word.value(|lit| Some(bit(lit))).expect("invariant: every bit has a value")
            }
        };
        let sort = Sort::of(kind).expect("invariant: the type of an input");
        let units = Interval::of_type(kind).map_or(units, |range| range.nearest(units));
        decode(kind, self.grid.value(sort, units))
    }

    /// The value of a node under the assignment `bit`; `None` if it
    /// is outside or not encoded.
    pub fn value(&self, node: NodeId, sort: Sort, bit: impl Fn(Lit) -> bool) -> Option<Value> {
        let units = match self.code(node)? {
            Code::Bool(lit) => i128::from(bit(*lit)),
            Code::Number(number) if bit(number.outside) => return None,
            Code::Number(number) => number.word.value(|lit| Some(bit(lit)))?,
        };
        Some(self.grid.value(sort, units))
    }

    /// The values of the circuit's latches in a state of the system, given as values of sorts; `None` if
    /// a number does not fit, or if the state is unreachable by its ranges.
    pub fn state_bits(&self, state: &[Value]) -> Option<Vec<bool>> {
        let mut bits = Assignment::new(self, self.circuit.latches().len(), |gate| match gate {
            Gate::Latch(latch) => Some(latch as usize),
            _ => None,
        });
        for (node, value) in self.latch_nodes.iter().zip(state) {
            bits.assign(*node, value, Misfit::Refused)?;
        }
        Some(bits.bits.into_iter().map(|bit| bit.unwrap_or(false)).collect())
    }

    /// The values of the circuit's inputs for values of the system's inputs, given as values of their
    /// types; `None` for the inputs that decide comparisons with a number outside. `None` altogether if a
    /// number does not fit, or is not one that the assertions allow.
    pub fn input_bits(&self, values: &[Value]) -> Option<Vec<Option<bool>>> {
        self.inputs(values, Misfit::Refused)
    }

    /// The same, but a number that does not fit is marked as outside: the step of the circuit that
    /// stands for a step of the system, whatever its numbers.
    pub fn covering_input_bits(&self, values: &[Value]) -> Option<Vec<Option<bool>>> {
        self.inputs(values, Misfit::Outside)
    }

    fn inputs(&self, values: &[Value], misfit: Misfit) -> Option<Vec<Option<bool>>> {
        let mut bits = Assignment::new(self, self.circuit.inputs().len(), |gate| match gate {
            Gate::Input(input) => Some(input as usize),
            _ => None,
        });
        for ((node, kind), value) in self.input_nodes.iter().zip(&self.kinds).zip(values) {
            bits.assign(*node, &encode(kind, value)?, misfit)?;
        }
        Some(bits.bits)
    }
}

/// How to treat a number that does not fit its word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Misfit {
    Refused,
    Outside,
}

/// A partial assignment of the inputs or latches of a circuit.
struct Assignment<'e> {
    encoding: &'e Encoding,
    bits: Vec<Option<bool>>,
    /// Which of the bits a gate is.
    index: fn(Gate) -> Option<usize>,
}

impl<'e> Assignment<'e> {
    fn new(encoding: &'e Encoding, count: usize, index: fn(Gate) -> Option<usize>) -> Self {
        Self { encoding, bits: vec![None; count], index }
    }

    /// Assigns a value to a node; `None` if it is impossible.
    fn assign(&mut self, node: NodeId, value: &Value, misfit: Misfit) -> Option<()> {
        let units = self.encoding.grid.units(value);
        let fits = match self.encoding.code(node) {
            None => true,
            Some(Code::Bool(lit)) => self.set(*lit, units? != 0),
            Some(Code::Number(number)) => {
                let len = number.word.len();
                match units.filter(|units| signed_bits(*units) as usize <= len) {
                    Some(units) => {
                        let mut bits = number.word.bits().iter().enumerate();
                        self.set(number.outside, false)
                            && bits.all(|(bit, lit)| self.set(*lit, units >> bit & 1 == 1))
                    }
                    None => {
                        misfit == Misfit::Outside
                            && self.set(number.outside, true)
                            && (number.beyond == Lit::FALSE
                                || self.set(number.word.sign(), is_negative(value)))
                    }
                }
            }
        };
        fits.then_some(())
    }

    /// Sets a literal; false if it is a constant or set already, with the other value.
    fn set(&mut self, lit: Lit, value: bool) -> bool {
        let gate = self.encoding.circuit.gate(lit.gate());
        let known = match (self.index)(gate) {
            Some(index) => *self.bits[index].get_or_insert(value != lit.is_negated()),
            None => false,
        };
        (known != lit.is_negated()) == value
    }
}

fn is_negative(value: &Value) -> bool {
    matches!(value, Value::Int(value) if *value < Integer::ZERO)
}

/// The default value of a type.
fn default_value(kind: &Type) -> Value {
    match kind {
        Type::Bool => Value::Bool(false),
        Type::Enumeration(names) => names.first().cloned().map_or(Value::int(0), Value::Symbol),
        Type::Real => Value::Real(obligato_model::Rational::ZERO),
        _ => match kind.bounds() {
            Some((low, high)) => Value::Int(Integer::ZERO.clamp(low, high)),
            None => Value::int(0),
        },
    }
}
