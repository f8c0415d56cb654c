//! The step graph: hash-consed scalar terms, children always before parents.
//!
//! Index order is a topological order, so every pass is a scan (forwards for what
//! depends on children, backwards for what depends on parents) and nothing here or
//! above recurses. Equal terms are one node. The constructors check sorts and
//! simplify lightly; `simplify` says by which rules, and what they never do.

use obligato_model::Value;
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::meaning::shift_amount;
use crate::sort::Sort;
use crate::term::{Binary, ConstantId, NodeId, TapId, Term, Unary};

mod rewrite;
mod simplify;

pub use rewrite::NodeMap;

/// A hash-consed graph of terms over inputs and latches.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    terms: Vec<Term>,
    sorts: Vec<Sort>,
    traits: Vec<Traits>,
    constants: Vec<Value>,
    inputs: Vec<NodeId>,
    latches: Vec<NodeId>,
    taps: Vec<NodeId>,
    ids: FxHashMap<Term, NodeId>,
    constant_ids: FxHashMap<(Sort, Value), NodeId>,
}

/// What simplification must know of everything below a node.
#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    /// There is a tap.
    tapped: bool,
    /// There is a division whose divisor may be zero.
    partial: bool,
}

impl Graph {
    /// A graph without nodes.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Are there no nodes?
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Every node, children before parents.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.terms.len()).map(NodeId::new)
    }

    /// What a node is.
    #[inline]
    pub fn term(&self, node: NodeId) -> Term {
        self.terms[node.index()]
    }

    /// What a node denotes.
    #[inline]
    pub fn sort(&self, node: NodeId) -> Sort {
        self.sorts[node.index()]
    }

    /// The operands of a node.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        self.term(node).children()
    }

    /// A constant.
    pub fn constant_value(&self, constant: ConstantId) -> &Value {
        &self.constants[constant.index()]
    }

    /// The value of a node that is a constant.
    pub fn as_constant(&self, node: NodeId) -> Option<&Value> {
        match self.term(node) {
            Term::Constant(constant) => Some(self.constant_value(constant)),
            _ => None,
        }
    }

    /// The node of each input, by index.
    pub fn inputs(&self) -> &[NodeId] {
        &self.inputs
    }

    /// The node of each latch, by index.
    pub fn latches(&self) -> &[NodeId] {
        &self.latches
    }

    /// The node of each tap, by id.
    pub fn taps(&self) -> &[NodeId] {
        &self.taps
    }

    /// Can the node be undefined, because it is above a division whose divisor is
    /// not a constant other than zero?
    pub fn is_partial(&self, node: NodeId) -> bool {
        self.traits[node.index()].partial
    }

    /// Is there a tap in the term?
    pub fn is_tapped(&self, node: NodeId) -> bool {
        self.traits[node.index()].tapped
    }

    /// Is the node one of this graph?
    pub fn check(&self, node: NodeId) -> Result<Sort, Error> {
        self.sorts.get(node.index()).copied().ok_or(Error::UnknownNode(node))
    }

    /// The nodes that the value of some root depends on within a step: what is
    /// not marked is dead.
    pub fn reachable(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        for root in roots {
            reached[root.index()] = true;
        }
        for node in self.nodes().rev() {
            if reached[node.index()] {
                for child in self.children(node) {
                    reached[child.index()] = true;
                }
            }
        }
        reached
    }

    /// A new input.
    pub fn input(&mut self, sort: Sort) -> NodeId {
        let index = self.inputs.len() as u32;
        let node = self.push(Term::Input(index), sort, Traits::default());
        self.inputs.push(node);
        node
    }

    /// A new latch.
    pub fn latch(&mut self, sort: Sort) -> NodeId {
        let index = self.latches.len() as u32;
        let node = self.push(Term::Latch(index), sort, Traits::default());
        self.latches.push(node);
        node
    }

    /// A new tap on a node. It is the node's value, but equal to no other node, and
    /// nothing is simplified through it.
    pub fn tap(&mut self, of: NodeId) -> Result<TapId, Error> {
        let sort = self.check(of)?;
        let tap = TapId::new(self.taps.len());
        let traits = Traits { tapped: true, ..self.traits[of.index()] };
        let node = self.push(Term::Tap(tap, of), sort, traits);
        self.taps.push(node);
        Ok(tap)
    }

    /// The node of a tap.
    pub fn tap_node(&self, tap: TapId) -> NodeId {
        self.taps[tap.index()]
    }

    /// A constant of a sort.
    pub fn constant(&mut self, sort: Sort, value: Value) -> Result<NodeId, Error> {
        if sort.holds(&value) {
            return Ok(self.intern_constant(sort, value));
        }
        Err(Error::WrongValue { value: value.to_string(), kind: sort.to_string(), of: None })
    }

    /// A Boolean constant.
    pub fn bool(&mut self, value: bool) -> NodeId {
        self.intern_constant(Sort::Bool, Value::Bool(value))
    }

    /// An operation on one operand.
    pub fn unary(&mut self, operation: Unary, a: NodeId) -> Result<NodeId, Error> {
        let operand = self.check(a)?;
        let sort = unary_sort(operation, operand).ok_or_else(|| Error::WrongOperand {
            operation: format!("{operation:?}"),
            found: operand,
        })?;
        Ok(match self.simplify_unary(operation, a) {
            Some(simpler) => simpler,
            None => self.intern(Term::Unary(operation, a), sort),
        })
    }

    /// An operation on two operands.
    pub fn binary(&mut self, operation: Binary, a: NodeId, b: NodeId) -> Result<NodeId, Error> {
        let (left, right) = (self.check(a)?, self.check(b)?);
        let sort = binary_sort(operation, left, right).ok_or_else(|| {
            Error::MismatchedOperands { operation: format!("{operation:?}"), left, right }
        })?;
        Ok(self.binary_of(operation, a, b, sort))
    }

    /// `if test then first else second`.
    pub fn ite(&mut self, test: NodeId, first: NodeId, second: NodeId) -> Result<NodeId, Error> {
        let tested = self.check(test)?;
        let (left, right) = (self.check(first)?, self.check(second)?);
        if tested != Sort::Bool {
            return Err(Error::WrongOperand { operation: "the test of Ite".into(), found: tested });
        }
        if left != right {
            return Err(Error::MismatchedOperands { operation: "Ite".into(), left, right });
        }
        Ok(match self.simplify_ite(test, first, second) {
            Some(simpler) => simpler,
            None => self.intern(Term::Ite(test, first, second), left),
        })
    }

    /// `not a`.
    pub fn not(&mut self, a: NodeId) -> Result<NodeId, Error> {
        self.unary(Unary::Not, a)
    }

    /// `a and b`.
    pub fn and(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Error> {
        self.binary(Binary::And, a, b)
    }

    /// `a or b`.
    pub fn or(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Error> {
        self.binary(Binary::Or, a, b)
    }

    /// `a => b`, as `not a or b`.
    pub fn implies(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Error> {
        let not_a = self.not(a)?;
        self.or(not_a, b)
    }

    /// `a = b`.
    pub fn equal(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Error> {
        self.binary(Binary::Equal, a, b)
    }

    fn binary_of(&mut self, operation: Binary, a: NodeId, b: NodeId, sort: Sort) -> NodeId {
        let (a, b) = if operation.is_commutative() && b < a { (b, a) } else { (a, b) };
        match self.simplify_binary(operation, a, b, sort) {
            Some(simpler) => simpler,
            None => self.intern(Term::Binary(operation, a, b), sort),
        }
    }

    fn intern_constant(&mut self, sort: Sort, value: Value) -> NodeId {
        if let Some(known) = self.constant_ids.get(&(sort, value.clone())) {
            return *known;
        }
        let constant = ConstantId::new(self.constants.len());
        self.constants.push(value.clone());
        let node = self.push(Term::Constant(constant), sort, Traits::default());
        self.constant_ids.insert((sort, value), node);
        node
    }

    fn intern(&mut self, term: Term, sort: Sort) -> NodeId {
        if let Some(known) = self.ids.get(&term) {
            return *known;
        }
        let mut traits = Traits::default();
        for child in term.children() {
            let below = self.traits[child.index()];
            traits.tapped |= below.tapped;
            traits.partial |= below.partial;
        }
        if let Term::Binary(operation, _, divisor) = term {
            traits.partial |= operation.is_division() && !self.is_nonzero_constant(divisor);
        }
        let node = self.push(term, sort, traits);
        self.ids.insert(term, node);
        node
    }

    fn is_nonzero_constant(&self, node: NodeId) -> bool {
        self.as_constant(node).is_some_and(|value| *value != self.sort(node).zero())
    }

    fn push(&mut self, term: Term, sort: Sort, traits: Traits) -> NodeId {
        let node = NodeId::new(self.terms.len());
        self.terms.push(term);
        self.sorts.push(sort);
        self.traits.push(traits);
        node
    }
}

/// The sort of a unary operation, if it takes such an operand.
fn unary_sort(operation: Unary, operand: Sort) -> Option<Sort> {
    match (operation, operand) {
        (Unary::Not, Sort::Bool) => Some(Sort::Bool),
        (Unary::Negate, Sort::Int | Sort::Real | Sort::Machine(_))
        | (Unary::BitNot, Sort::Machine(_)) => Some(operand),
        (Unary::IntToReal, Sort::Int) => Some(Sort::Real),
        (Unary::RealToInt, Sort::Real) | (Unary::MachineToInt, Sort::Machine(_)) => Some(Sort::Int),
        (Unary::Wrap(machine), Sort::Int | Sort::Machine(_)) => Some(Sort::Machine(machine)),
        _ => None,
    }
}

/// The sort of a binary operation, if it takes such operands.
fn binary_sort(operation: Binary, left: Sort, right: Sort) -> Option<Sort> {
    let result = match (operation, left) {
        (Binary::ShiftLeft | Binary::ShiftRight, Sort::Machine(machine)) => {
            return (right == shift_amount(machine)).then_some(left);
        }
        (Binary::And | Binary::Or | Binary::Xor, Sort::Bool)
        | (Binary::Equal, _)
        | (Binary::Less | Binary::LessEqual, Sort::Int | Sort::Real | Sort::Machine(_)) => {
            Sort::Bool
        }
        (
            Binary::Add | Binary::Subtract | Binary::Multiply,
            Sort::Int | Sort::Real | Sort::Machine(_),
        )
        | (Binary::Divide, Sort::Real)
        | (Binary::Div | Binary::Mod, Sort::Int | Sort::Machine(_))
        | (Binary::BitAnd | Binary::BitOr | Binary::BitXor, Sort::Machine(_)) => left,
        _ => return None,
    };
    (left == right).then_some(result)
}

#[cfg(test)]
mod tests;
