//! Values to bits and back.

use obligato_model::{Integer, Type, Value};
use obligato_transition_system::sort::{decode, encode};
use obligato_transition_system::{NodeId, Sort};

use crate::circuit::{Gate, Lit};
use crate::encode::{Code, Encoding};
use crate::interval::{Interval, signed_bits};

impl Encoding {
    /// The values of the system's inputs in a step, as values of their types, from those of the
    /// circuit's inputs. What was not encoded gets a value at rest: nothing depends on it. So may
    /// bits that a solver left open, which is why a number outside its type becomes the nearest in it.
    pub fn inputs_of_step(&self, bit: impl Fn(usize) -> bool) -> Vec<Value> {
        let value = |lit: Lit| match self.circuit.gate(lit.gate()) {
            Gate::Input(input) => bit(input as usize) != lit.is_negated(),
            _ => lit == Lit::TRUE,
        };
        let inputs = self.input_nodes.iter().zip(&self.kinds);
        inputs.map(|(node, kind)| self.input_value(*node, kind, value)).collect()
    }

    fn input_value(&self, node: NodeId, kind: &Type, bit: impl Fn(Lit) -> bool) -> Value {
        let units = match self.code(node) {
            None => return at_rest(kind),
            Some(Code::Bool(lit)) => i128::from(bit(*lit)),
            Some(Code::Number(number)) => {
                number.word.value(|lit| Some(bit(lit))).expect("invariant: every bit has a value")
            }
        };
        let sort = Sort::of(kind).expect("invariant: the type of an input");
        let units = Interval::of_type(kind).map_or(units, |range| range.nearest(units));
        decode(kind, self.grid.value(sort, units))
    }

    /// What a node is worth, as a value of its sort, where `bit` says what literals are; `None` if it
    /// is outside or not encoded.
    pub fn value(&self, node: NodeId, sort: Sort, bit: impl Fn(Lit) -> bool) -> Option<Value> {
        let units = match self.code(node)? {
            Code::Bool(lit) => i128::from(bit(*lit)),
            Code::Number(number) if bit(number.outside) => return None,
            Code::Number(number) => number.word.value(|lit| Some(bit(lit)))?,
        };
        Some(self.grid.value(sort, units))
    }

    /// What the circuit's latches hold in a state of the system, given as values of sorts; `None` if
    /// a number does not fit, or if the state is not one that a run can be in.
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

    /// What the circuit's inputs are for values of the system's inputs, given as values of their
    /// types; `None` for how a comparison with a number outside comes out. `None` altogether if a
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

/// What becomes of a number that does not fit its word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Misfit {
    Refused,
    Outside,
}

/// The inputs or latches of a circuit, in part.
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

    /// Makes a node worth `value`; `None` if it cannot be.
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

    /// Sets a literal; false if it is a constant, or set already, and otherwise.
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

/// A value that any variable of a type may have.
fn at_rest(kind: &Type) -> Value {
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
