//! A system as a circuit.
//!
//! Every integer is a word of as many bits as its range needs. What nothing bounds gets
//! [`EncodingOptions::bits`] bits and a flag, `outside`: the number has left its word. An integer that leaves is known to be
//! `beyond` all words, on the side of its sign, and so to be larger or smaller than whatever is not. Otherwise nothing is known of it
//! any more, nor of what is computed from it: whether it is smaller than another number, or equal to it, is an input of the circuit
//! of its own and may come out either way. So two things hold:
//!
//! - every run of the system is a run of the circuit, for some choice of those inputs: what no run of
//!   the circuit reaches, no run of the system reaches;
//! - a run of the circuit in which [`within`](Encoding::within) is true in every step is a run of the
//!   system: no comparison met a number that had left.
//!
//! Assertions, the types of inputs and the ranges of latches are constraints of the circuit. A value that nothing defines is an
//! input of the circuit, so proofs hold for all of them; a run in which [`replayable`](Encoding::replayable) is true has zero there, as
//! a simulation does. Reals are whole numbers of units of a
//! grid; what is between its points is outside. Nodes that are always equal are encoded once.
//!
//! Reading order: `classes`, `ranges`, `outside`, `word`, here, `encode/terms`, `encode/numbers`, `decode`.

use obligato_model::Type;
use obligato_transition_system::{CheckKind, NodeId, System, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::circuit::{Circuit, Lit};
use crate::classes::Classes;
use crate::grid::Grid;
use crate::outside::may_leave;
use crate::ranges::Ranges;
use crate::word::Word;

mod numbers;
mod terms;
mod variables;

/// Options of the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodingOptions {
    /// Bits of a number that nothing bounds; more if the model has larger constants.
    pub bits: u32,
    /// The most gates.
    pub most_gates: usize,
}

impl Default for EncodingOptions {
    fn default() -> Self {
        Self { bits: 16, most_gates: 1 << 24 }
    }
}

/// Why a system has no circuit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// A root is not a node of the system.
    #[error(transparent)]
    Unknown(#[from] obligato_transition_system::Error),
    /// The circuit gets too large.
    #[error("the circuit has more than {0} gates; fewer bits for a number make it smaller")]
    TooLarge(usize),
    /// Numbers cannot have so few or so many bits.
    #[error("a number has 2 to 64 bits, not {0}")]
    Bits(u32),
}

/// What an input of the circuit stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// A bit of an input of the system, the lowest being 0.
    Bit {
        /// The input, by index.
        input: usize,
        /// The bit.
        bit: u32,
    },
    /// An input of the system is outside the encoding.
    Outside {
        /// The input, by index.
        input: usize,
    },
    /// A bit of a value that nothing defines, the lowest being 0.
    Undefined {
        /// The latch that stands for it, by index.
        latch: usize,
        /// The bit.
        bit: u32,
    },
    /// A value that nothing defines is outside the encoding.
    UndefinedOutside {
        /// The latch that stands for it, by index.
        latch: usize,
    },
    /// How two numbers compare if one of them is outside, and nothing says how.
    Unknown {
        /// What is unknown.
        order: Order,
        /// The first number.
        first: NodeId,
        /// The second number, a later node than the first.
        second: NodeId,
    },
}

/// How one number compares to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// It is less.
    Less,
    /// It is the same, or it is less.
    Equal,
}

/// What a latch of the circuit stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LatchPort {
    /// A bit of a latch of the system, the lowest being 0.
    Bit {
        /// The latch, by index; of several that never differ, the first.
        latch: usize,
        /// The bit.
        bit: u32,
    },
    /// What the latch holds is outside the encoding.
    Outside {
        /// The latch, by index.
        latch: usize,
    },
    /// What the latch holds is beyond all words, on the side of its sign.
    Beyond {
        /// The latch, by index.
        latch: usize,
    },
}

/// A system, or what some nodes of it depend on, as a circuit.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The circuit.
    pub circuit: Circuit,
    pub(crate) grid: Grid,
    pub(crate) options: EncodingOptions,
    pub(crate) kinds: Vec<Type>,
    pub(crate) input_nodes: Vec<NodeId>,
    pub(crate) latch_nodes: Vec<NodeId>,
    /// For each node the first that is equal.
    pub(crate) classes: Classes,
    /// For first nodes, by index.
    pub(crate) codes: Vec<Option<Code>>,
    ports: Vec<Port>,
    latch_ports: Vec<LatchPort>,
    /// Of two numbers, the first being the earlier node: is it less, and is it equal unless it is less?
    unknown: FxHashMap<(NodeId, NodeId), [Lit; 2]>,
    constrained: FxHashSet<Lit>,
    within: Lit,
    /// What nothing defines is zero.
    defaults: Lit,
}

/// The bits of a node.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Bool(Lit),
    Number(Number),
}

/// A number: a word, unless it is outside.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub word: Word,
    pub outside: Lit,
    /// It is outside because it has more bits than a word for what nothing bounds; the sign is right.
    pub beyond: Lit,
}

impl Number {
    /// A number in its word.
    pub fn within(word: Word) -> Self {
        Self { word, outside: Lit::FALSE, beyond: Lit::FALSE }
    }
}

impl Encoding {
    /// Encodes what `roots` depend on, in this step and through latches in earlier ones, and what
    /// the assertions do.
    pub fn new(
        system: &System,
        roots: &[NodeId],
        options: &EncodingOptions,
    ) -> Result<Self, EncodeError> {
        if !(2..=64).contains(&options.bits) {
            return Err(EncodeError::Bits(options.bits));
        }
        let mut encoding = Self {
            circuit: Circuit::new(),
            grid: Grid::new(system, options.bits),
            options: *options,
            kinds: Vec::new(),
            input_nodes: Vec::new(),
            latch_nodes: Vec::new(),
            classes: Classes::default(),
            codes: Vec::new(),
            ports: Vec::new(),
            latch_ports: Vec::new(),
            unknown: FxHashMap::default(),
            constrained: FxHashSet::default(),
            within: Lit::TRUE,
            defaults: Lit::TRUE,
        };
        encoding.add_roots(system, roots)?;
        Ok(encoding)
    }

    /// Encodes more of the same system, to which nodes, inputs, latches and checks may have been
    /// added since. What is encoded stays as it is; [`within`](Self::within) may become stronger.
    pub fn add_roots(&mut self, system: &System, roots: &[NodeId]) -> Result<(), EncodeError> {
        for root in roots {
            system.graph.check(*root)?;
        }
        self.kinds = system.inputs.iter().map(|input| input.kind.clone()).collect();
        self.input_nodes = system.graph.inputs().to_vec();
        self.latch_nodes = system.graph.latches().to_vec();
        self.classes = Classes::new(system);
        self.codes.resize(system.graph.len(), None);
        let ranges = Ranges::new(system, &self.classes, &self.grid);
        let leaves =
            may_leave(system, &self.classes, &ranges, &self.grid, |node| self.leaves(node));
        let initial = system.initial_state();
        terms::Encoder { system, ranges, leaves, initial, encoding: self }.encode(roots)
    }

    /// The literal of a Boolean node, if it is encoded.
    pub fn bool(&self, node: NodeId) -> Option<Lit> {
        match self.code(node)? {
            Code::Bool(lit) => Some(*lit),
            Code::Number(_) => None,
        }
    }

    /// The word of a number, low bit first with the sign last, and whether it is outside; if the node
    /// is a number and encoded.
    pub fn number(&self, node: NodeId) -> Option<(&[Lit], Lit)> {
        match self.code(node)? {
            Code::Bool(_) => None,
            Code::Number(number) => Some((number.word.bits(), number.outside)),
        }
    }

    /// In this step no number that is compared, given or a root is outside. If that is so in all
    /// steps up to one, everything in that step has its value in the system.
    pub fn within(&self) -> Lit {
        self.within
    }

    /// [`within`](Self::within), and what nothing defines has the value that simulations take.
    pub fn replayable(&mut self) -> Lit {
        self.circuit.and(self.within, self.defaults)
    }

    /// Is there no value that nothing defines?
    pub fn is_defined(&self) -> bool {
        self.defaults == Lit::TRUE
    }

    /// No number can be outside: the runs of the circuit are those of the system.
    pub fn is_exact(&self) -> bool {
        self.within == Lit::TRUE
    }

    /// What each input of the circuit stands for.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// What each latch of the circuit stands for.
    pub fn latch_ports(&self) -> &[LatchPort] {
        &self.latch_ports
    }

    pub(crate) fn code(&self, node: NodeId) -> Option<&Code> {
        if node.index() >= self.codes.len() {
            return None;
        }
        self.codes[self.classes.first(node).index()].as_ref()
    }

    fn input(&mut self, port: Port) -> Lit {
        self.ports.push(port);
        self.circuit.input()
    }

    /// A bit of a value that nothing defines.
    fn undefined(&mut self, port: Port) -> Lit {
        let bit = self.input(port);
        self.defaults = self.circuit.and(self.defaults, !bit);
        bit
    }

    fn latch(&mut self, port: LatchPort, initial: bool) -> Lit {
        self.latch_ports.push(port);
        self.circuit.latch(initial)
    }

    fn constrain(&mut self, lit: Lit) {
        if self.constrained.insert(lit) {
            self.circuit.constrain(lit);
        }
    }

    /// May the number of a node be outside, as far as it is encoded?
    fn leaves(&self, node: NodeId) -> Option<bool> {
        match self.codes[node.index()].as_ref()? {
            Code::Bool(_) => None,
            Code::Number(number) => Some(number.outside != Lit::FALSE),
        }
    }

    /// From now on [`within`](Self::within) says that this does not happen.
    fn keep_from(&mut self, outside: Lit) {
        self.within = self.circuit.and(self.within, !outside);
    }
}

/// The assertions of a system.
fn assertions(system: &System) -> impl Iterator<Item = NodeId> + '_ {
    let checks = system.checks.iter().filter(|check| check.kind == CheckKind::Assertion);
    checks.map(|check| check.node)
}

/// The index of the latch that a first node is.
fn as_latch(classes: &Classes, node: NodeId) -> Option<usize> {
    match classes.term(node) {
        Term::Latch(latch) => Some(latch as usize),
        _ => None,
    }
}
