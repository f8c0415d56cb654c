//! Expressions: which operands to lower first, and what to make of them.

use obligato_model::Value;
use obligato_transition_system::Sort;

use super::discards::Discard;
use super::machine::{LoweringSite, Machine, Outcome, Task};
use super::shape::{Bundle, Shape};
use crate::analysis::{ConstantValue, Kinds, Resolution, VariableId, Wanted};
use obligato_lustre_syntax::ast::{
    BinaryOperator as Binary, Clock, Expr, ExprId, Group, UnaryOperator as Unary,
};
use obligato_lustre_syntax::literal;

impl Machine<'_> {
    /// Begins an expression: leaves its value, or the tasks that will.
    pub fn start(&mut self, place: LoweringSite, id: ExprId) -> Outcome<()> {
        let span = self.program.expr_span(id);
        let whole = place.whole();
        match self.model.resolution(id) {
            Resolution::Variable(variable) if !is_clock(self.program.expr(id)) => {
                if let Some(node) = self.bound(place, variable) {
                    let value = self.scalar(self.model.variable(variable).kind, node);
                    self.settle(place, id, value);
                } else {
                    self.tasks.push(Task::Apply(place, id));
                    self.tasks.push(Task::Variable(self.instance_of(place.context), variable));
                }
                return Ok(());
            }
            Resolution::Constant(constant) => {
                let value = self.constant(constant)?;
                self.settle(place, id, value);
                return Ok(());
            }
            Resolution::Enumeration(_, position) => {
                let node = self.integer(position);
                let value = self.scalar(self.model.kind(id), node);
                self.settle(place, id, value);
                return Ok(());
            }
            _ => {}
        }
        match self.program.expr(id) {
            Expr::Bool(value) => {
                let node = self.graph().bool(value);
                let value = self.boolean(node);
                self.settle(place, id, value);
            }
            Expr::Int(text) => match literal::integer(self.program.text(text)) {
                Some(value) => {
                    let node = self.integer(value);
                    let value = self.scalar(Kinds::int(), node);
                    self.settle(place, id, value);
                }
                None => return Self::fail(span, "this is not an integer"),
            },
            Expr::Real(text) => match literal::real(self.program.text(text)) {
                Some(value) => {
                    let node = self.graph().constant(Sort::Real, Value::Real(value));
                    let node = node.expect("invariant: a real");
                    let value = self.scalar(Kinds::real(), node);
                    self.settle(place, id, value);
                }
                None => return Self::fail(span, "this real is too long to be exact"),
            },
            Expr::Mode(symbol) => return self.mode(whole, id, symbol),
            Expr::Last(_) => unreachable!("invariant: 'last' is rewritten"),
            Expr::Unary(Unary::Pre, operand) => {
                let value = self.delay(place, id, operand)?;
                self.settle(place, id, value);
            }
            Expr::Unary(Unary::Current, operand) => {
                self.tasks.push(Task::Apply(place, id));
                // What it holds is stored, also where the result is discarded.
                self.tasks.push(Task::Expr(LoweringSite { discarded: None, ..place }, operand));
                self.push_clock(self.instance_of(place.context), self.model.clocks.of(operand));
            }
            Expr::When(value, clock) => {
                let sampled = self.sampled(place, id, clock);
                self.push_all([Task::Expr(sampled, value), Task::Apply(place, id)]);
            }
            Expr::Binary(Binary::Arrow | Binary::Fby, ..) => self.start_instants(place, id),
            Expr::Delay { steps, .. } => {
                self.push_all([Task::Expr(whole, steps), Task::Branch(place, id)]);
            }
            Expr::If(test, ..) => {
                // The parts of a list share the test.
                let lower = if place.part.is_some() { Task::Shared } else { Task::Expr };
                self.push_all([lower(whole, test), Task::Branch(place, id)]);
            }
            Expr::Merge { .. } => {
                let instance = self.instance_of(place.context);
                if let Resolution::Variable(clock) = self.model.resolution(id) {
                    self.push_all([Task::Variable(instance, clock), Task::Branch(place, id)]);
                }
            }
            Expr::Group(Group::List, list) if place.part.is_some() => {
                let part = place.part.unwrap_or(0) as usize;
                self.tasks.push(Task::Expr(whole, self.program.expr_lists[list][part]));
            }
            Expr::Call(_) => self.start_call(place, id, None),
            Expr::Condact { clock, call, .. } => self.start_call(place, id, Some((clock, call))),
            Expr::Quantified(_, _, body) => return self.quantify(whole, id, body),
            Expr::Index(base, _) if self.is_partial(whole, base) => {
                self.start_partial(whole, id);
            }
            _ => {
                self.tasks.push(Task::Apply(place, id));
                let lower = self.operand_task(id);
                let children = self.program.children(id).map(|child| lower(whole, child));
                self.push_all(children);
            }
        }
        Ok(())
    }

    /// The place of what `when` samples.
    fn sampled(&mut self, place: LoweringSite, id: ExprId, clock: Clock) -> LoweringSite {
        let Resolution::Variable(variable) = self.model.resolution(id) else { return place };
        let (instance, around) = (self.instance_of(place.context), place.discarded);
        let wanted = self.model.wanted_by(clock, variable);
        let sampled = Discard::Sampled { around, instance, variable, wanted };
        LoweringSite { discarded: Some(self.discard(sampled)), ..place }
    }

    /// The test of `if`, the clock of `merge` or the number of steps of `fby` is on top: begins the rest.
    pub fn branch(&mut self, place: LoweringSite, id: ExprId) {
        if let Expr::Delay { .. } = self.program.expr(id) {
            return self.start_instants(place, id);
        }
        self.tasks.push(Task::Apply(place, id));
        let guarded = self.survey.may_fault[id.index()];
        let test = self.values.last().expect("invariant: the test is there").leaves[0];
        match self.program.expr(id) {
            Expr::If(_, then, otherwise) => {
                let (mut first, mut second) = (place, place);
                if guarded {
                    let not = self.not(test);
                    first.guard = self.and(place.guard, test);
                    second.guard = self.and(place.guard, not);
                }
                self.push_all([Task::Expr(first, then), Task::Expr(second, otherwise)]);
            }
            Expr::Merge { branches, .. } => {
                let Resolution::Variable(clock) = self.model.resolution(id) else { return };
                let mut tasks = Vec::new();
                for branch in &self.program.named[branches] {
                    let mut arm = place;
                    let wanted = self.model.wanted(clock, branch.name);
                    let (instance, around) = (self.instance_of(place.context), place.discarded);
                    arm.discarded = Some(self.discard(Discard::Sampled {
                        around,
                        instance,
                        variable: clock,
                        wanted,
                    }));
                    if guarded {
                        let chosen = self.has(test, wanted);
                        arm.guard = self.and(place.guard, chosen);
                    }
                    tasks.push(Task::Expr(arm, branch.value));
                }
                self.push_all(tasks);
            }
            _ => {}
        }
    }

    /// Applies an operator to the operands on the stack.
    pub fn apply(&mut self, place: LoweringSite, id: ExprId) -> Outcome<Bundle> {
        if matches!(self.model.resolution(id), Resolution::Variable(_))
            && !is_clock(self.program.expr(id))
        {
            return Ok(self.pop());
        }
        Ok(match self.program.expr(id) {
            Expr::Unary(Unary::Current, operand) => self.hold(place, id, operand),
            Expr::Unary(operator, _) => self.unary(operator, id),
            Expr::Binary(Binary::Arrow, ..) => {
                let (later, initial) = (self.pop(), self.pop());
                self.arrow(place, id, initial, &later)
            }
            Expr::Binary(Binary::Fby, _, later) => {
                let initial = self.pop();
                let later = self.delay(place, id, later)?;
                self.arrow(place, id, initial, &later)
            }
            Expr::Delay { value, .. } => self.delay_by(place, id, value)?,
            Expr::Binary(Binary::Repeat, ..) => self.repeat(id)?,
            Expr::Binary(operator, ..) => self.binary(operator),
            Expr::If(..) => {
                let (otherwise, then) = (self.pop(), self.pop());
                let test = self.pop_scalar();
                self.choose(test, then, &otherwise)
            }
            Expr::Merge { branches, .. } => self.merge(id, branches.len()),
            Expr::Group(group, list) => self.group(group, list.len()),
            Expr::Index(..) => self.index(place, id)?,
            Expr::Slice(..) => self.slice(id)?,
            Expr::Field(_, field) => {
                let base = self.pop();
                let position = self.field_position(base.shape, field);
                self.part_of(&base, position)
            }
            Expr::Project(_, number) => {
                let base = self.pop();
                let number = self.program.text(number).parse().unwrap_or(0);
                self.part_of(&base, number)
            }
            Expr::Update { path, .. } => self.update(place, id, path)?,
            Expr::Record { base, fields, .. } => self.record(place, id, base, fields)?,
            Expr::Call(_) | Expr::Condact { .. } => self.finish_call(place, id),
            Expr::Quantified(quantifier, ..) => self.finish_quantifier(quantifier),
            Expr::Mode(symbol) => self.finish_mode(place, symbol)?,
            // `when` samples; `start` leaves the values of the others.
            _ => self.pop(),
        })
    }

    fn merge(&mut self, id: ExprId, count: usize) -> Bundle {
        let start = self.values.len() - count;
        let arms = self.values.split_off(start);
        let clock_value = self.pop_scalar();
        let (Expr::Merge { branches, .. }, Resolution::Variable(clock)) =
            (self.program.expr(id), self.model.resolution(id))
        else {
            unreachable!("invariant: a merge names its clock")
        };
        let branches = &self.program.named[branches];
        let mut arms = arms.into_iter().zip(branches).rev();
        let (mut value, _) = arms.next().expect("invariant: a merge has branches");
        for (arm, branch) in arms {
            let test = self.has(clock_value, self.model.wanted(clock, branch.name));
            value = self.choose(test, arm, &value);
        }
        value
    }

    /// Does the variable of a clock have the value that is asked for?
    pub fn has(
        &mut self,
        node: obligato_transition_system::NodeId,
        wanted: Wanted,
    ) -> obligato_transition_system::NodeId {
        match wanted {
            Wanted::Bool(true) => node,
            Wanted::Bool(false) => self.not(node),
            Wanted::Position(position) => {
                let position = self.integer(position);
                self.equal(node, position)
            }
        }
    }

    fn group(&mut self, group: Group, count: usize) -> Bundle {
        let start = self.values.len() - count;
        let parts = self.values.split_off(start);
        let shapes = || parts.iter().map(|part| part.shape).collect::<Vec<_>>();
        let shape = match group {
            Group::List => return self.list(parts),
            Group::AtMostOne => {
                let operands: Vec<_> = parts.iter().map(|part| part.leaves[0]).collect();
                let node = self.at_most_one(&operands);
                return self.boolean(node);
            }
            Group::Tuple => Shape::Tuple(shapes()),
            Group::Array => Shape::Array(parts[0].shape, count),
        };
        let shape = self.shapes.intern(shape);
        Bundle { shape, leaves: parts.into_iter().flat_map(|part| part.leaves).collect() }
    }

    /// The value that a quantifier or an array definition gives a variable.
    fn bound(
        &self,
        place: LoweringSite,
        variable: VariableId,
    ) -> Option<obligato_transition_system::NodeId> {
        let mut at = Some(place.context);
        while let Some(context) = at {
            let context = &self.contexts[context.index()];
            match context.binding {
                Some((bound, node)) if bound == variable => return Some(node),
                _ => at = context.parent,
            }
        }
        None
    }

    /// A constant as a value.
    pub fn constant_bundle(
        &mut self,
        value: &ConstantValue,
        shape: super::shape::ShapeId,
    ) -> Bundle {
        let mut leaves = Vec::new();
        let mut todo = vec![value.clone()];
        while let Some(value) = todo.pop() {
            let (sort, value) = match value {
                ConstantValue::Bool(value) => (Sort::Bool, Value::Bool(value)),
                ConstantValue::Int(value) => (Sort::Int, Value::Int(value)),
                ConstantValue::Real(value) => (Sort::Real, Value::Real(value)),
                ConstantValue::Enumeration(_, position) => (Sort::Int, Value::int(position)),
                ConstantValue::Array(parts)
                | ConstantValue::Tuple(parts)
                | ConstantValue::Record(_, parts) => {
                    todo.extend(parts.iter().rev().cloned());
                    continue;
                }
            };
            leaves.push((sort, value));
        }
        let kinds = self.shapes.leaves(self.model, "", shape);
        let leaves = leaves.into_iter().zip(kinds).map(|((sort, value), (_, kind))| {
            // A machine integer is an integer among the values of constants.
            let own = Sort::of(&self.stored_type(kind)).unwrap_or(sort);
            self.builder.graph().constant(own, value).expect("invariant: constants are checked")
        });
        let leaves = leaves.collect();
        Bundle { shape, leaves }
    }
}

/// Is the variable of this expression its clock, not its value?
fn is_clock(expr: Expr) -> bool {
    matches!(expr, Expr::When(..) | Expr::Merge { .. })
}
