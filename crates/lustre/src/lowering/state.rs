//! State: delays, first instants, and values that are held while a clock does not hold.
//!
//! A latch is made when its value is asked for; what it holds next is lowered later, from a
//! list, because it may depend on the latch.

use obligato_model::{Integer, Type, Value};
use obligato_transition_system::{Initial, NodeId, Sort};

use super::discards::{Discard, Side};
use super::lowered::{InstanceId, Origin};
use super::machine::{LoweringSite, Machine, Outcome, Task};
use super::shape::{Bundle, ShapeId};
use crate::analysis::{ClockId, Kind, Resolution};
use obligato_lustre_syntax::ast::{BinaryOperator as Binary, Expr, ExprId, UnaryOperator as Unary};

/// The longest delay of `fby(e, n, d)`: each step is a latch.
const MOST_STEPS: usize = 1 << 16;

/// Latches whose next values are to be lowered.
pub(super) struct Pending {
    latches: Vec<NodeId>,
    next: Next,
    instance: InstanceId,
    clock: ClockId,
}

/// What stands for a value that is kept before there is one.
pub(super) enum Before {
    /// This, at the first instant.
    Given(Bundle),
    /// Nothing defines it until the clock of this expression has held.
    Nothing(ExprId),
}

enum Next {
    /// The value of an expression.
    Expr(LoweringSite, ExprId),
    /// These nodes.
    Nodes(Vec<NodeId>),
    /// False once the clock has held, else this.
    First(NodeId),
}

impl Machine<'_> {
    /// `pre operand`.
    pub fn delay(&mut self, place: LoweringSite, id: ExprId, operand: ExprId) -> Outcome<Bundle> {
        let mut kind = self.model.kind(operand);
        if let (Some(part), Kind::List(parts)) = (place.part, self.model.kinds.get(kind)) {
            kind = parts[part as usize];
        }
        let shape = self.shape_of(place.context, kind, self.program.expr_span(operand))?;
        let guarded = self.survey.guarded[id.index()]
            || !matches!(self.program.expr(id), Expr::Unary(Unary::Pre, _));
        let instance = self.instance_of(place.context);
        let value = self.latches(instance, "pre", id, shape);
        // An index in the operand is computed whenever the latch takes a value.
        let guard = self.instances[instance.index()].active;
        let next = Next::Expr(LoweringSite { guard, discarded: None, ..place }, operand);
        let clock = self.model.clocks.of(operand);
        self.pending.push_back(Pending { latches: value.leaves.clone(), next, instance, clock });
        Ok(if guarded { value } else { self.after_first(place, id, operand, clock, &value) })
    }

    /// A value that nothing defines at the first instant of a clock, and this afterwards.
    fn after_first(
        &mut self,
        place: LoweringSite,
        id: ExprId,
        operand: ExprId,
        clock: ClockId,
        value: &Bundle,
    ) -> Bundle {
        let instance = self.instance_of(place.context);
        let undefined = self.undefined(place, id, operand, value.shape);
        let first = self.first(instance, clock);
        self.choose(first, undefined, value)
    }

    /// A value that nothing defines. Before the first instant a variable has one value, however often it is read.
    fn undefined(
        &mut self,
        place: LoweringSite,
        id: ExprId,
        operand: ExprId,
        shape: ShapeId,
    ) -> Bundle {
        let instance = self.instance_of(place.context);
        let variable = match (self.model.resolution(operand), self.program.expr(operand)) {
            (_, Expr::When(..) | Expr::Merge { .. }) => None,
            (Resolution::Variable(variable), _) => Some((instance, variable)),
            _ => None,
        };
        if let Some(leaves) = variable.and_then(|variable| self.undefined.get(&variable)) {
            return Bundle { shape, leaves: leaves.clone() };
        }
        let text = self.text(id);
        let name = self.latch_name(instance, &text, id);
        let mut leaves = Vec::new();
        for (name, kind) in self.shapes.leaves(self.model, &name, shape) {
            // It is of its type, or what simulations take.
            let kind = match self.model.scalar(kind) {
                Some(Type::Subrange(low, high)) => {
                    Type::Subrange(low.min(Integer::ZERO), high.max(Integer::ZERO))
                }
                _ => self.stored_type(kind),
            };
            let node = self.builder.add_undefined(name, kind);
            let node = node.expect("invariant: a scalar type");
            self.latch_owners.insert(node, (instance, id));
            leaves.push(node);
        }
        self.undefined.extend(variable.map(|variable| (variable, leaves.clone())));
        Bundle { shape, leaves }
    }

    /// A name that no other latch has: where it is in the source, and a number if an expression
    /// has several.
    fn latch_name(&mut self, instance: InstanceId, what: &str, id: ExprId) -> String {
        let count = self.latch_counts.entry((instance, id)).or_default();
        *count += 1;
        let (count, at) = (*count, self.program.expr_span(id).start);
        let name = format!("{}.{what}@{at}:{}", self.path(instance), id.index());
        if count == 1 { name } else { format!("{name}#{count}") }
    }

    fn latches(&mut self, instance: InstanceId, what: &str, id: ExprId, shape: ShapeId) -> Bundle {
        let name = self.latch_name(instance, what, id);
        let mut latches = Vec::new();
        for (name, kind) in self.shapes.leaves(self.model, &name, shape) {
            let kind = self.stored_type(kind);
            let zero = Sort::of(&kind).expect("invariant: a scalar type").zero();
            let initial = Initial::Value(obligato_transition_system::sort::decode(&kind, zero));
            let latch = self.builder.add_latch(name, kind, initial);
            let latch = latch.expect("invariant: zero is of its type");
            self.latch_owners.insert(latch, (instance, id));
            latches.push(latch);
        }
        Bundle { shape, leaves: latches }
    }

    /// Begins what `->` and `fby` compute at the first instant and, of `->`, later: an index in
    /// either is read then only.
    pub fn start_instants(&mut self, place: LoweringSite, id: ExprId) {
        let (mut at_first, mut later) = (place, place);
        let (instance, clock) = (self.instance_of(place.context), self.model.clocks.of(id));
        let around = place.discarded;
        let side = |side| Discard::Instant { around, instance, clock, side };
        at_first.discarded = Some(self.discard(side(Side::First)));
        later.discarded = Some(self.discard(side(Side::Later)));
        if self.survey.may_fault[id.index()] {
            let first = self.first(instance, clock);
            let not_first = self.not(first);
            at_first.guard = self.and(place.guard, first);
            later.guard = self.and(place.guard, not_first);
        }
        let apply = Task::Apply(place, id);
        match self.program.expr(id) {
            Expr::Binary(Binary::Arrow, a, b) => {
                self.push_all([Task::Expr(at_first, a), Task::Expr(later, b), apply]);
            }
            Expr::Delay { initial, .. } => {
                // The number of steps is on the stack. Over several, the first value is stored.
                let steps = self.values.last().map(|steps| steps.leaves[0]);
                if steps.and_then(|steps| self.known(steps)) != Some(Integer::ONE) {
                    let stored =
                        Discard::Instant { around: None, instance, clock, side: Side::First };
                    at_first.discarded = Some(self.discard(stored));
                }
                self.push_all([Task::Expr(at_first, initial), apply]);
            }
            Expr::Binary(_, initial, _) => self.push_all([Task::Expr(at_first, initial), apply]),
            _ => unreachable!("invariant: called for `->` and `fby`"),
        }
    }

    /// `initial -> later`.
    pub fn arrow(
        &mut self,
        place: LoweringSite,
        id: ExprId,
        initial: Bundle,
        later: &Bundle,
    ) -> Bundle {
        let first = self.first(self.instance_of(place.context), self.model.clocks.of(id));
        self.choose(first, initial, later)
    }

    /// Is this the first instant of a clock of an instance, or the first after a restart?
    pub fn first(&mut self, instance: InstanceId, clock: ClockId) -> NodeId {
        if let Some(known) = self.firsts.get(&(instance, clock)) {
            return *known;
        }
        let mut name = format!("{}.first", self.path(instance));
        if clock != ClockId::base() {
            name = format!("{name}@{}", clock.index());
        }
        let initial = Initial::Value(Value::Bool(true));
        let latch = self
            .builder
            .add_latch(name, Type::Bool, initial)
            .expect("invariant: true is a Boolean");
        let value = match self.scopes[instance.index()].restart {
            Some(restart) => self.or(latch, restart),
            None => latch,
        };
        let next = Next::First(value);
        self.pending.push_back(Pending { latches: vec![latch], next, instance, clock });
        self.firsts.insert((instance, clock), value);
        value
    }

    /// `fby(value, n, initial)`: the number of steps and the first value are on the stack.
    pub fn delay_by(&mut self, place: LoweringSite, id: ExprId, value: ExprId) -> Outcome<Bundle> {
        let (initial, steps) = (self.pop(), self.pop_scalar());
        let steps = self.known(steps).and_then(|steps| usize::try_from(&steps).ok());
        let Some(steps) = steps.filter(|steps| (1..=MOST_STEPS).contains(steps)) else {
            let text = format!("'fby' needs a known number of steps, 1 to {MOST_STEPS}");
            return Self::fail(self.program.expr_span(id), text);
        };
        let instance = self.instance_of(place.context);
        let clock = self.model.clocks.of(id);
        let mut delayed = self.delay(place, id, value)?;
        for _ in 1..steps {
            let so_far = self.arrow(place, id, initial.clone(), &delayed);
            delayed = self.latches(instance, "pre", id, so_far.shape);
            let (latches, next) = (delayed.leaves.clone(), Next::Nodes(so_far.leaves));
            self.pending.push_back(Pending { latches, next, instance, clock });
        }
        Ok(self.arrow(place, id, initial, &delayed))
    }

    /// `current operand`, which is on the stack: its last value.
    pub fn hold(&mut self, place: LoweringSite, id: ExprId, operand: ExprId) -> Bundle {
        let value = self.pop();
        let instance = self.instance_of(place.context);
        let clock = self.model.clocks.of(operand);
        let present = self.activity(instance, clock);
        self.keep(place, id, present, value, Before::Nothing(operand))
    }

    /// `value` when `present`, else what it was last.
    pub fn keep(
        &mut self,
        place: LoweringSite,
        id: ExprId,
        present: NodeId,
        value: Bundle,
        before: Before,
    ) -> Bundle {
        let instance = self.instance_of(place.context);
        let latches = self.latches(instance, "kept", id, value.shape);
        let before = match before {
            Before::Given(initial) => self.arrow(place, id, initial, &latches),
            // No `->` around it helps: its clock may hold for the first time long after.
            Before::Nothing(operand) => {
                let clock = self.model.clocks.of(operand);
                self.after_first(place, id, operand, clock, &latches)
            }
        };
        let result = self.choose(present, value, &before);
        let next = Next::Nodes(result.leaves.clone());
        let clock = self.model.clocks.of(id);
        self.pending.push_back(Pending { latches: latches.leaves, next, instance, clock });
        result
    }

    /// Pushes the tasks after which [`activity`](Self::activity) is known.
    pub fn push_clock(&mut self, instance: InstanceId, clock: ClockId) {
        for restriction in self.model.clocks.chain(clock) {
            self.tasks.push(Task::Drop);
            self.tasks.push(Task::Variable(instance, restriction.variable));
        }
    }

    /// Does a clock of an instance hold in this step? Its variables are lowered.
    pub fn activity(&mut self, instance: InstanceId, clock: ClockId) -> NodeId {
        let mut active = self.instances[instance.index()].active;
        for restriction in self.model.clocks.chain(clock) {
            let node = self.lowered(instance, restriction.variable).leaves[0];
            let holds = self.has(node, restriction.wanted);
            active = self.and(active, holds);
        }
        active
    }

    /// Like [`activity`](Self::activity), lowering the variables of the clock.
    pub fn demand_activity(&mut self, instance: InstanceId, clock: ClockId) -> Outcome<NodeId> {
        for restriction in self.model.clocks.chain(clock) {
            self.run(Task::Variable(instance, restriction.variable))?;
        }
        Ok(self.activity(instance, clock))
    }

    /// Lowers the next values of all latches, and of those that come up meanwhile.
    pub fn settle_pending(&mut self) -> Outcome<()> {
        while let Some(Pending { latches, next, instance, clock }) = self.pending.pop_front() {
            let active = self.demand_activity(instance, clock)?;
            let nexts = match next {
                Next::Expr(mut place, id) => {
                    if self.survey.may_fault[id.index()] {
                        place.guard = active;
                    }
                    self.run(Task::Expr(place, id))?.leaves
                }
                Next::Nodes(nodes) => nodes,
                Next::First(value) => {
                    let idle = self.not(active);
                    let next = self.and(idle, value);
                    self.set_next(latches[0], next);
                    continue;
                }
            };
            let owner = latches.first().and_then(|latch| self.latch_owners.get(latch)).copied();
            for (latch, next) in latches.into_iter().zip(nexts) {
                let next = self.ite(active, next, latch);
                self.set_next(latch, next);
            }
            if let Some((instance, id)) = owner {
                self.place_new_nodes(Origin { instance, span: self.program.expr_span(id) });
            }
        }
        Ok(())
    }

    pub fn set_next(&mut self, latch: NodeId, next: NodeId) {
        self.builder.set_next(latch, next).expect("invariant: a latch is pending once");
    }

    pub fn path(&self, instance: InstanceId) -> &str {
        &self.instances[instance.index()].path
    }
}
