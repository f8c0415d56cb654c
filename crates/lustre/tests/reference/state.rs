//! State: what a frame remembers from one step to the next.

use std::rc::Rc;

use obligato_lustre::analysis::{KindId, Node, Size, VariableId};
use obligato_lustre_syntax::ast::{BinaryOperator as B, Expr, ExprId, UnaryOperator as U};
use obligato_model::Integer;

use super::value::V;
use super::{Bindings, Key, Place, Reference};

/// An expression that has state or makes a call, and the variables that run around it.
pub(super) struct Memory {
    expr: ExprId,
    binders: Vec<Binder>,
}

/// A variable that a quantifier or an array definition binds.
#[derive(Clone)]
pub(super) struct Binder {
    pub variable: VariableId,
    pub range: Range,
}

/// The values of a bound variable.
#[derive(Clone)]
pub(super) enum Range {
    /// All of its kind.
    Kind(KindId),
    /// The positions of an array of this size.
    Positions(Size),
}

/// What the next step finds of an expression.
pub(super) enum Stored {
    Last(V),
    /// `e` of `fby(e, n, d)`, and `d` at the first instant.
    Delayed(V, Option<V>),
}

/// What `fby(e, n, d)` remembers since the start or the last restart.
#[derive(Default)]
pub(super) struct Past {
    values: Vec<V>,
    initial: Option<V>,
}

impl Reference<'_> {
    /// The expressions that have state in a node.
    fn memories(&mut self, at: usize) -> Rc<Vec<Memory>> {
        let id = self.frames[at].node;
        if !self.memories.contains_key(&id) {
            let mut found = Vec::new();
            let node = self.model.node(id);
            for (root, binders) in self.roots(node) {
                self.find(root, &binders, &mut found);
            }
            self.memories.insert(id, Rc::new(found));
        }
        self.memories[&id].clone()
    }

    /// The expressions of a node that are no operands.
    fn roots(&self, node: &Node) -> Vec<(ExprId, Vec<Binder>)> {
        let mut roots = Vec::new();
        let of_contract = node.contract.iter().flat_map(|contract| &contract.equations);
        for equation in node.equations.iter().chain(of_contract) {
            let binders = equation.targets.first().map_or_else(Vec::new, |target| {
                let sizes = self.sizes(self.model.variable(target.variable).kind);
                let indices = target.indices.iter().zip(sizes);
                let binder = |(variable, size): (&VariableId, Size)| Binder {
                    variable: *variable,
                    range: Range::Positions(size),
                };
                indices.map(binder).collect()
            });
            roots.push((equation.value, binders));
        }
        let mut plain = node.asserts.clone();
        for property in &node.properties {
            plain.push(property.condition);
            plain.extend(property.provided);
        }
        if let Some(contract) = &node.contract {
            plain.extend(contract.assumptions.iter().chain(&contract.guarantees));
            for mode in &contract.modes {
                plain.extend(mode.requires.iter().chain(&mode.ensures));
            }
        }
        roots.extend(plain.into_iter().map(|root| (root, Vec::new())));
        roots
    }

    fn find(&self, id: ExprId, binders: &[Binder], found: &mut Vec<Memory>) {
        let program = &self.model.program;
        let stateful = match program.expr(id) {
            Expr::Unary(operator, _) => matches!(operator, U::Pre | U::Current),
            Expr::Binary(operator, ..) => matches!(operator, B::Arrow | B::Fby),
            Expr::Delay { .. } | Expr::Condact { .. } | Expr::Call(_) => true,
            _ => false,
        };
        if stateful {
            found.push(Memory { expr: id, binders: binders.to_vec() });
        }
        let mut inner = binders.to_vec();
        if let Expr::Quantified(_, groups, _) = program.expr(id) {
            inner.extend(self.binders(groups));
        }
        for child in program.children(id) {
            self.find(child, &inner, found);
        }
    }

    /// All values of the variables that run around an expression.
    pub(super) fn bindings(&mut self, at: usize, binders: &[Binder]) -> Vec<Bindings> {
        let mut all = vec![Bindings::new()];
        for binder in binders {
            let values = match &binder.range {
                Range::Kind(kind) => self.values_of(*kind),
                Range::Positions(size) => (0..self.size(at, *size)).map(Integer::from).collect(),
            };
            let each = all.into_iter().flat_map(|outer| {
                let with =
                    |value: &Integer| [&outer[..], &[(binder.variable, value.clone())]].concat();
                values.iter().map(with).collect::<Vec<_>>()
            });
            all = each.collect();
        }
        all
    }

    /// What an active frame will remember. Enters its calls.
    pub(super) fn next_state(&mut self, at: usize) -> Vec<(usize, Key, Stored)> {
        let mut stored = Vec::new();
        for memory in self.memories(at).iter() {
            for bound in self.bindings(at, &memory.binders) {
                let place = Place { frame: at, bound: &bound };
                let key = place.key(memory.expr);
                let next = self.remember(place, memory.expr);
                stored.extend(next.map(|next| (at, key, next)));
            }
        }
        stored
    }

    fn remember(&mut self, place: Place<'_>, id: ExprId) -> Option<Stored> {
        let program = &self.model.program;
        let kept = match program.expr(id) {
            Expr::Unary(_, operand) => operand,
            // Its clock alone is remembered, by `store`.
            Expr::Binary(B::Arrow, ..) => return None,
            Expr::Binary(_, _, later) => later,
            Expr::Delay { value, .. } => value,
            Expr::Call(call) => {
                self.enter(place, id);
                program.call(call).activation?.defaults?;
                id
            }
            _ => id,
        };
        if !self.is_present(place, kept) {
            return None;
        }
        let (stored, defined) = self.tracked(|this| {
            // What a conditional call keeps is its result, which may be discarded in this step.
            let value =
                if kept == id { this.compute_expr(place, kept) } else { this.eval(place, kept) };
            match program.expr(id) {
                Expr::Delay { steps, initial, .. } => {
                    let several = this.eval(place, steps).int() > Integer::ONE;
                    let waits = several && this.is_first(place, id);
                    Stored::Delayed(value, waits.then(|| this.eval(place, initial)))
                }
                _ => Stored::Last(value),
            }
        });
        self.report.divided_by_zero |= !defined;
        Some(stored)
    }

    /// Ends the step.
    pub(super) fn store(&mut self, stored: Vec<(usize, Key, Stored)>) {
        for at in 0..self.frames.len() {
            let mut held = Vec::new();
            if self.frames[at].active {
                held.push(Vec::new());
                let memories = self.memories(at);
                let clocked = if self.clocked { &memories[..] } else { &[] };
                for memory in clocked {
                    let chain = self.chain(memory.expr);
                    if self.holds_all(at, &chain) {
                        held.push(chain.to_vec());
                    }
                }
            }
            let frame = &mut self.frames[at];
            if frame.restarted {
                frame.seen.clear();
                frame.history.clear();
                frame.before.clear();
            }
            frame.seen.extend(held);
        }
        for (at, key, stored) in stored {
            match stored {
                Stored::Last(value) => {
                    self.frames[at].before.insert(key, value);
                }
                Stored::Delayed(value, initial) => {
                    let past = self.frames[at].history.entry(key).or_default();
                    past.initial = initial.or(past.initial.take());
                    past.values.push(value);
                }
            }
        }
    }

    /// The last value of an expression; if there was none since the start or the last restart, nothing defines it.
    pub(super) fn before(&mut self, place: Place<'_>, id: ExprId, kind: KindId) -> V {
        let frame = &self.frames[place.frame];
        match frame.before.get(&place.key(id)).filter(|_| !frame.restarted) {
            Some(value) => value.clone(),
            None => self.nil(place.frame, kind),
        }
    }

    /// `fby(e, n, d)` is `d -> pre fby(e, n - 1, d)`: before `e` comes, `d` of the first instant.
    pub(super) fn delayed(
        &mut self,
        place: Place<'_>,
        id: ExprId,
        steps: usize,
        initial: ExprId,
    ) -> V {
        let key = place.key(id);
        let frame = &self.frames[place.frame];
        let past = frame.history.get(&key).filter(|_| !frame.restarted);
        match past {
            None => self.eval(place, initial),
            Some(past) => match past.values.len().checked_sub(steps) {
                None => past.initial.clone().unwrap(),
                Some(at) => past.values[at].clone(),
            },
        }
    }
}
