//! Static partial evaluation of a decision (Whalen et al., "A Flexible and
//! Non-intrusive Approach for Computing Complex Structural Coverage Metrics",
//! figure 3): what each value of each condition masks, and whether it ends the
//! decision.
//!
//! The paper climbs from a condition towards the root for as long as the
//! values above it are known, and handles `and`, `or` and `not` with short
//! circuit. Here the climb is a table of [`Step`]s, one per (node, value), so
//! that conditions share the upper part of their climbs and the table is linear
//! in the decision. Operators whose result depends on an earlier operand (`xor`,
//! `=`, `=>`, and everything without short circuit) *remember* that operand's
//! value in a slot when it is known, and *resolve* when the last one is.
//!
//! A skipped operand counts as having the value that lets the others decide, if
//! there is one: constants can rule it out, and then they mask.
//!
//! Line 18 of the figure tests the operator of `E` where it must test that of
//! `E`'s parent; this follows the text.

use std::ops::Range;

use obligato_model::{BoolTree, Circuit, Node, NodeId, Operator};

/// The position of a step in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepId(u32);

impl StepId {
    /// The position itself.
    pub fn position(self) -> u32 {
        self.0
    }

    /// The step after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// What follows from a node having got its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The conditions whose effect is masked by it; perhaps none.
    pub masks: Range<usize>,
    /// What happens next.
    pub then: Then,
}

/// How the evaluation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// This condition is evaluated next.
    Wait(u32),
    /// This condition is evaluated next, and a value is kept for later.
    Remember {
        /// Where it is kept.
        slot: u32,
        /// The value.
        value: bool,
        /// The next condition.
        next: u32,
    },
    /// It depends on a remembered value.
    Resolve {
        /// Where it is kept.
        slot: u32,
        /// The step for false; the one for true follows it.
        on: StepId,
    },
    /// The parent has its value too.
    Climb(StepId),
    /// The decision has its outcome.
    End(bool),
}

/// Does a value of a condition end the decision?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Never.
    No,
    /// Always, and with this outcome.
    Yes(bool),
    /// That depends on values of earlier conditions.
    Depends,
}

/// The steps of one decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// First one per (node, value), then those only reached by resolving.
    steps: Vec<Step>,
    /// The step of each condition when false and when true.
    conditions: Vec<[StepId; 2]>,
    slots: usize,
}

impl Table {
    /// The table of a decision; `constants` has the value of each condition that
    /// can only have one.
    pub fn new(tree: &BoolTree, constants: &[Option<bool>]) -> Self {
        Builder::new(tree, constants).build()
    }

    /// The step that a value of a condition sets off.
    pub fn start(&self, condition: usize, value: bool) -> StepId {
        self.conditions[condition][usize::from(value)]
    }

    /// The steps of all conditions, false before true.
    pub fn starts(&self) -> impl Iterator<Item = StepId> + '_ {
        self.conditions.iter().flatten().copied()
    }

    /// One step.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }

    /// How many conditions the decision has.
    pub fn conditions(&self) -> usize {
        self.conditions.len()
    }

    /// How many values may have to be remembered.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// All steps.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = StepId> + use<> {
        (0..self.steps.len() as u32).map(StepId)
    }

    /// The conditions that `value` of `condition` is certain to mask, as ranges
    /// from the nearest to the furthest: a cell of the paper's figure 2.
    pub fn masked_by(&self, condition: usize, value: bool) -> Vec<Range<usize>> {
        let mut masked = Vec::new();
        let mut step = self.step(self.start(condition, value));
        loop {
            if !step.masks.is_empty() {
                masked.push(step.masks.clone());
            }
            match step.then {
                Then::Climb(next) => step = self.step(next),
                _ => return masked,
            }
        }
    }

    /// Whether `value` of `condition` ends the decision: the other cell of it.
    pub fn ends(&self, condition: usize, value: bool) -> Ends {
        let mut step = self.step(self.start(condition, value));
        loop {
            match step.then {
                Then::Climb(next) => step = self.step(next),
                Then::End(outcome) => return Ends::Yes(outcome),
                Then::Wait(_) | Then::Remember { .. } => return Ends::No,
                Then::Resolve { .. } => return Ends::Depends,
            }
        }
    }
}

/// Per node, can its value be false, and true? Exact, for no condition occurs twice.
pub fn possible_values(tree: &BoolTree, constants: &[Option<bool>]) -> Vec<[bool; 2]> {
    let mut values: Vec<[bool; 2]> = Vec::with_capacity(tree.nodes().len());
    for node in tree.nodes() {
        let can = |id: NodeId, value: bool| values[id.index()][usize::from(value)];
        let mut result = [false; 2];
        for a in [false, true] {
            match *node {
                Node::Condition(condition) => {
                    result[usize::from(a)] = constants[condition as usize].is_none_or(|k| k == a);
                }
                Node::Not(operand) => result[usize::from(!a)] |= can(operand, a),
                Node::Binary(operator, left, right) => {
                    for b in [false, true] {
                        let value = operator.apply(a, b);
                        result[usize::from(value)] |= can(left, a) && can(right, b);
                    }
                }
                Node::Choose(_, test, then, otherwise) => {
                    let arm = if a { then } else { otherwise };
                    for b in [false, true] {
                        result[usize::from(b)] |= can(test, a) && can(arm, b);
                    }
                }
            }
        }
        values.push(result);
    }
    values
}

/// Where a node stands under its parent.
#[derive(Clone, Copy)]
enum Place {
    Root,
    Negated(NodeId),
    Left(NodeId),
    Right(NodeId),
    Test(NodeId),
    ThenArm(NodeId),
    ElseArm(NodeId),
}

struct Builder<'a> {
    tree: &'a BoolTree,
    places: Vec<Place>,
    /// The first slot of each node that remembers.
    slots: Vec<u32>,
    slot_count: u32,
    /// What each node can be: a skipped operand may be taken to have any of it.
    possible: Vec<[bool; 2]>,
    steps: Vec<Step>,
}

/// The step of a node that has got `value`.
fn completion(node: NodeId, value: bool) -> StepId {
    StepId(node.index() as u32 * 2 + u32::from(value))
}

impl<'a> Builder<'a> {
    fn new(tree: &'a BoolTree, constants: &[Option<bool>]) -> Self {
        let count = tree.nodes().len();
        let mut places = vec![Place::Root; count];
        let mut slots = vec![0; count];
        let mut slot_count = 0;
        for (index, node) in tree.nodes().iter().enumerate() {
            let id = NodeId::new(index);
            slots[index] = slot_count;
            match *node {
                Node::Condition(_) => {}
                Node::Not(operand) => places[operand.index()] = Place::Negated(id),
                Node::Binary(operator, left, right) => {
                    places[left.index()] = Place::Left(id);
                    places[right.index()] = Place::Right(id);
                    slot_count += u32::from(is_full(operator));
                }
                Node::Choose(circuit, test, then, otherwise) => {
                    places[test.index()] = Place::Test(id);
                    places[then.index()] = Place::ThenArm(id);
                    places[otherwise.index()] = Place::ElseArm(id);
                    slot_count += if circuit == Circuit::Full { 2 } else { 0 };
                }
            }
        }
        let unset = Step { masks: 0..0, then: Then::End(false) };
        let possible = possible_values(tree, constants);
        Self { tree, places, slots, slot_count, possible, steps: vec![unset; count * 2] }
    }

    fn build(mut self) -> Table {
        let tree = self.tree;
        let mut conditions = vec![[StepId(0); 2]; tree.conditions()];
        // Parents first, so that a climb that masks nothing can be cut short.
        for index in (0..tree.nodes().len()).rev() {
            let id = NodeId::new(index);
            for value in [false, true] {
                let step = self.complete(id, value);
                self.steps[completion(id, value).0 as usize] = step;
            }
            if let Node::Condition(condition) = tree.node(id) {
                conditions[condition as usize] = [completion(id, false), completion(id, true)];
            }
        }
        Table { steps: self.steps, conditions, slots: self.slot_count as usize }
    }

    /// The step of `node` getting `value`.
    fn complete(&mut self, node: NodeId, value: bool) -> Step {
        match self.places[node.index()] {
            Place::Root => Step { masks: 0..0, then: Then::End(value) },
            Place::Negated(parent) => self.climb(0..0, parent, !value),
            Place::Left(parent) => self.complete_left(parent, value),
            Place::Right(parent) => self.complete_right(parent, value),
            Place::Test(parent) => self.complete_test(parent, value),
            Place::ThenArm(parent) => {
                let Node::Choose(circuit, test, _, otherwise) = self.tree.node(parent) else {
                    unreachable!("invariant: an arm stands under a choice")
                };
                match circuit {
                    Circuit::Short => self.complete_taken_arm(parent, test, otherwise, value),
                    Circuit::Full => {
                        let slot = self.slots[parent.index()] + 1;
                        self.remember(slot, value, otherwise)
                    }
                }
            }
            Place::ElseArm(parent) => self.complete_else(parent, value),
        }
    }

    fn complete_left(&mut self, parent: NodeId, value: bool) -> Step {
        let Node::Binary(operator, left, right) = self.tree.node(parent) else {
            unreachable!("invariant: a left operand stands under an operator")
        };
        if is_full(operator) {
            self.remember(self.slots[parent.index()], value, right)
        } else if operator.skips_right(value) {
            // The left operand decides if the skipped one could have let it.
            let decides = [false, true].into_iter().any(|other| {
                self.can_be(right, other)
                    && operator.apply(false, other) != operator.apply(true, other)
            });
            let masks = if decides { 0..0 } else { self.tree.conditions_of(left) };
            self.climb(masks, parent, value)
        } else {
            Step { masks: 0..0, then: Then::Wait(self.first_condition(right)) }
        }
    }

    fn complete_right(&mut self, parent: NodeId, value: bool) -> Step {
        let Node::Binary(operator, left, right) = self.tree.node(parent) else {
            unreachable!("invariant: a right operand stands under an operator")
        };
        let (left, right) = (self.tree.conditions_of(left), self.tree.conditions_of(right));
        if !is_full(operator) {
            let masks = if operator.skips_right(value) { left } else { 0..0 };
            return self.climb(masks, parent, value);
        }
        let on = [false, true].map(|remembered| {
            // An operand is masked when the other one alone gives the result.
            let masks_left = operator.apply(false, value) == operator.apply(true, value);
            let masks_right = operator.apply(remembered, false) == operator.apply(remembered, true);
            let masks = match (masks_left, masks_right) {
                (false, false) => 0..0,
                (true, false) => left.clone(),
                (false, true) => right.clone(),
                (true, true) => left.start..right.end,
            };
            self.climb(masks, parent, operator.apply(remembered, value))
        });
        self.resolve(self.slots[parent.index()], on)
    }

    fn complete_test(&mut self, parent: NodeId, value: bool) -> Step {
        let Node::Choose(circuit, _, then, otherwise) = self.tree.node(parent) else {
            unreachable!("invariant: a test stands under a choice")
        };
        match circuit {
            Circuit::Full => self.remember(self.slots[parent.index()], value, then),
            Circuit::Short => {
                let next = if value { then } else { otherwise };
                Step { masks: 0..0, then: Then::Wait(self.first_condition(next)) }
            }
        }
    }

    /// The test stays unmasked if the arm not taken could have the other value.
    fn complete_taken_arm(&self, parent: NodeId, test: NodeId, other: NodeId, value: bool) -> Step {
        let masks = if self.can_be(other, !value) { 0..0 } else { self.tree.conditions_of(test) };
        self.climb(masks, parent, value)
    }

    fn can_be(&self, node: NodeId, value: bool) -> bool {
        self.possible[node.index()][usize::from(value)]
    }

    fn complete_else(&mut self, parent: NodeId, value: bool) -> Step {
        let Node::Choose(circuit, test, then, otherwise) = self.tree.node(parent) else {
            unreachable!("invariant: an arm stands under a choice")
        };
        if circuit == Circuit::Short {
            return self.complete_taken_arm(parent, test, then, value);
        }
        let slot = self.slots[parent.index()];
        let [test, then, otherwise] = [test, then, otherwise].map(|id| self.tree.conditions_of(id));
        let on = [false, true].map(|tested| {
            let on = [false, true].map(|then_value| {
                let result = if tested { then_value } else { value };
                let arm = if tested { otherwise.clone() } else { then.clone() };
                let step = self.climb(arm, parent, result);
                if then_value != value {
                    return step;
                }
                // Equal arms: the test changes nothing either.
                self.steps.push(step);
                let rest = StepId(self.steps.len() as u32 - 1);
                Step { masks: test.clone(), then: Then::Climb(rest) }
            });
            self.resolve(slot + 1, on)
        });
        self.resolve(slot, on)
    }

    fn resolve(&mut self, slot: u32, steps: [Step; 2]) -> Step {
        let on = StepId(self.steps.len() as u32);
        self.steps.extend(steps);
        Step { masks: 0..0, then: Then::Resolve { slot, on } }
    }

    fn remember(&self, slot: u32, value: bool, next: NodeId) -> Step {
        let next = self.first_condition(next);
        Step { masks: 0..0, then: Then::Remember { slot, value, next } }
    }

    /// Masks, then goes on with `parent` having `value`; steps of the parent
    /// that mask nothing are skipped over.
    fn climb(&self, masks: Range<usize>, parent: NodeId, value: bool) -> Step {
        let above = &self.steps[completion(parent, value).0 as usize];
        if masks.is_empty() {
            return above.clone();
        }
        let then = if above.masks.is_empty() {
            above.then
        } else {
            Then::Climb(completion(parent, value))
        };
        Step { masks, then }
    }

    fn first_condition(&self, node: NodeId) -> u32 {
        self.tree.conditions_of(node).start as u32
    }
}

fn is_full(operator: Operator) -> bool {
    !matches!(operator, Operator::And(Circuit::Short) | Operator::Or(Circuit::Short))
}

#[cfg(test)]
mod tests;
