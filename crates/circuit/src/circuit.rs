//! And-inverter graphs with latches.
//!
//! Gates are numbered children first, and equal gates are one, so every pass is a scan. A [`Lit`] is
//! a gate or its negation; negation costs nothing. Gate 0 is the constant false.

use std::fmt;
use std::ops::Not;

use rustc_hash::FxHashMap;

/// The number of a gate.
pub type GateId = u32;

/// A gate or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// Never.
    pub const FALSE: Self = Self(0);
    /// Always.
    pub const TRUE: Self = Self(1);

    /// A gate as it is.
    pub fn of(gate: GateId) -> Self {
        Self(gate << 1)
    }

    /// The literal with this [code](Self::code).
    pub fn from_code(code: u32) -> Self {
        Self(code)
    }

    /// Twice the gate, plus one if negated; as AIGER counts.
    pub fn code(self) -> u32 {
        self.0
    }

    /// The gate.
    pub fn gate(self) -> GateId {
        self.0 >> 1
    }

    /// Is it the negation?
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal itself, or its negation.
    #[must_use]
    pub fn negated_if(self, negated: bool) -> Self {
        Self(self.0 ^ u32::from(negated))
    }

    /// A constant.
    pub fn constant(value: bool) -> Self {
        Self::FALSE.negated_if(value)
    }

    /// The value, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then(|| self.is_negated())
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        self.negated_if(true)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "-" } else { "" }, self.gate())
    }
}

/// What a gate computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// False.
    False,
    /// The input with this index.
    Input(u32),
    /// The latch with this index.
    Latch(u32),
    /// Both.
    And(Lit, Lit),
}

/// A latch of one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatchBit {
    /// Its gate: its value during a step.
    pub gate: GateId,
    /// Its initial value.
    pub initial: bool,
    /// Its value in the next step.
    pub next: Lit,
}

/// A transition system of single bits.
#[derive(Clone, Debug)]
pub struct Circuit {
    gates: Vec<Gate>,
    inputs: Vec<GateId>,
    latches: Vec<LatchBit>,
    /// Every step of a run satisfies all of them.
    constraints: Vec<Lit>,
    ids: FxHashMap<(Lit, Lit), GateId>,
}

impl Default for Circuit {
    fn default() -> Self {
        Self {
            gates: vec![Gate::False],
            inputs: Vec::new(),
            latches: Vec::new(),
            constraints: Vec::new(),
            ids: FxHashMap::default(),
        }
    }
}

impl Circuit {
    /// A circuit without gates but the constant.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many gates there are.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Never: there is always the constant.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// What a gate computes.
    #[inline]
    pub fn gate(&self, gate: GateId) -> Gate {
        self.gates[gate as usize]
    }

    /// All gates, children first.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The gate of each input.
    pub fn inputs(&self) -> &[GateId] {
        &self.inputs
    }

    /// The latches.
    pub fn latches(&self) -> &[LatchBit] {
        &self.latches
    }

    /// The constraints, which every step of a run satisfies.
    pub fn constraints(&self) -> &[Lit] {
        &self.constraints
    }

    /// A new input.
    pub fn input(&mut self) -> Lit {
        let gate = self.push(Gate::Input(self.inputs.len() as u32));
        self.inputs.push(gate);
        Lit::of(gate)
    }

    /// A new latch, which keeps its initial value unless [`set_next`](Self::set_next) is called.
    pub fn latch(&mut self, initial: bool) -> Lit {
        let gate = self.push(Gate::Latch(self.latches.len() as u32));
        self.latches.push(LatchBit { gate, initial, next: Lit::of(gate) });
        Lit::of(gate)
    }

    /// Sets the next value of the latch with this index.
    pub fn set_next(&mut self, latch: usize, next: Lit) {
        self.latches[latch].next = next;
    }

    /// Adds a constraint.
    pub fn constrain(&mut self, lit: Lit) {
        if lit != Lit::TRUE {
            self.constraints.push(lit);
        }
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if let Some(known) = self.ids.get(&(a, b)) {
            return Lit::of(*known);
        }
        let gate = self.push(Gate::And(a, b));
        self.ids.insert((a, b), gate);
        Lit::of(gate)
    }

    /// Either.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exactly one.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        // Negations go outwards, so that `xor` and `=` of the same operands are one gate.
        let outside = a.is_negated() != b.is_negated();
        let (a, b) = (a.negated_if(a.is_negated()), b.negated_if(b.is_negated()));
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        self.and(!both, !neither).negated_if(outside)
    }

    /// Both or neither.
    pub fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `if test then first else second`.
    pub fn choose(&mut self, test: Lit, first: Lit, second: Lit) -> Lit {
        if first == second {
            return first;
        }
        if first == !second {
            return self.equal(test, first);
        }
        let with = self.and(test, first);
        let without = self.and(!test, second);
        self.or(with, without)
    }

    /// All of them.
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::TRUE, |all, lit| self.and(all, lit))
    }

    /// Any of them.
    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::FALSE, |any, lit| self.or(any, lit))
    }

    fn push(&mut self, gate: Gate) -> GateId {
        let id = self.gates.len() as GateId;
        self.gates.push(gate);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_gates_are_one_and_constants_fold() {
        let mut circuit = Circuit::new();
        let (a, b) = (circuit.input(), circuit.input());
        assert_eq!(circuit.and(a, b), circuit.and(b, a));
        assert_eq!(circuit.and(a, !a), Lit::FALSE);
        assert_eq!(circuit.or(a, Lit::TRUE), Lit::TRUE);
        assert_eq!(circuit.xor(a, !b), !circuit.xor(a, b));
        assert_eq!(circuit.xor(a, Lit::TRUE), !a);
        assert_eq!(circuit.choose(a, b, b), b);
        assert_eq!(circuit.choose(a, Lit::TRUE, Lit::FALSE), a);
    }
}
