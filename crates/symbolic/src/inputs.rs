//! The inputs of a function as variables: one for each cell and step.
//!
//! A number is a variable of its width; a Boolean one bit; a pointer chooses among the targets that
//! it may have, so its variable is the index of one. Invalid tests are excluded by [constraints](InputVariables::constraints):
//! values outside their ranges, and what [preconditions](crate::precondition) exclude.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use obligato_bytecode::{Address, Module};
use obligato_c_unit::interface::{Cell, Form, ObjectIndex, Pointee, PointerTarget};
use obligato_c_unit::{Interface, Layout};
use obligato_model::{Integer, Signedness, TestCase, Type};
use obligato_term::{Assignment, BinaryOp, Node, Term, Terms, VariableId};

use crate::precondition::translate;

mod preferences;
mod values;

pub use preferences::NO_OBJECT;
use values::{WIDEST, bits_of, number_of, value_of};

/// An input in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its variable; `None` if it can only have one value, which is zero in its own form.
    pub variable: Option<VariableId>,
    /// The word that is written into its cell, as wide as that.
    pub word: Term,
    /// The bit that it is written at all; `None` if it always is.
    pub when: Option<Term>,
    /// If a step may do without it: one bit, whether it is given.
    pub given: Option<Given>,
}

/// Whether a step gives an input that it may do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its variable.
    pub variable: VariableId,
    /// The same, as one bit.
    pub bit: Term,
}

/// What says which inputs a function has, and where they are.
#[derive(Clone, Copy, Debug)]
pub struct InputSource<'a> {
    /// The code.
    pub module: &'a Module,
    /// The addresses of the objects of a test.
    pub layout: &'a Layout,
    /// The cells that are inputs.
    pub interface: &'a Interface,
    /// The variables of [`Unit::variables`](obligato_c_unit::Unit::variables): they say which ranges hold.
    pub variables: &'a obligato_model::SuiteInterface,
}

/// The variables of all inputs in all steps.
#[derive(Clone, Debug)]
pub struct InputVariables {
    steps: Vec<Vec<Input>>,
    constraints: Vec<Term>,
    /// What a search for tests holds to besides: it says nothing of what callers can pass.
    preferences: Vec<Term>,
    unbound: Vec<String>,
}

impl InputVariables {
    /// The variables for so many steps.
    pub fn new(terms: &mut Terms, source: InputSource<'_>, steps: usize) -> Self {
        let mut made = Self {
            steps: Vec::new(),
            constraints: Vec::new(),
            preferences: Vec::new(),
            unbound: Vec::new(),
        };
        made.extend_to(terms, source, steps);
        made
    }

    /// Adds variables until there are so many steps.
    pub fn extend_to(&mut self, terms: &mut Terms, source: InputSource<'_>, steps: usize) {
        let InputSource { interface, variables, .. } = source;
        for step in self.steps.len()..steps {
            let mut inputs = Vec::with_capacity(interface.inputs.len());
            let mut given: BTreeMap<(ObjectIndex, u64), Option<Given>> = BTreeMap::new();
            for (cell, variable) in interface.inputs.iter().zip(&variables.inputs) {
                if step == 0 && cell.form.bits() > WIDEST {
                    self.unbound.push(cell.name.clone());
                }
                let first = self.steps.first().map(|first| first[inputs.len()]);
                if let Some(first) = first.filter(|_| interface.is_constant(cell)) {
                    inputs.push(first);
                    continue;
                }
                let mut input = self.add(terms, source, cell, &variable.kind);
                input.given = cell.given.and_then(|byte| {
                    let known = given.entry((cell.object, byte));
                    *known.or_insert_with(|| {
                        let (variable, bit) = fresh(terms, 1);
                        variable.map(|variable| Given { variable, bit })
                    })
                });
                inputs.push(input);
            }
            for precondition in &interface.preconditions {
                let holds = translate(terms, &interface.inputs, &inputs, precondition);
                self.require(terms, holds);
            }
            self.avoid_forged_addresses(terms, interface, &inputs);
            self.avoid_orders_of_objects(terms, interface, &inputs);
            self.steps.push(inputs);
        }
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The inputs of a step, in the order of [`Interface::inputs`].
    pub fn step(&self, step: usize) -> &[Input] {
        &self.steps[step]
    }

    /// The bits that hold for every valid test.
    pub fn constraints(&self) -> &[Term] {
        &self.constraints
    }

    /// The bits that tests had better have, so that machine code does the same.
    pub fn preferences(&self) -> &[Term] {
        &self.preferences
    }

    /// The bits that hold for every test that a search makes: valid, and with the same meaning on a machine.
    pub fn constraints_of_search(&self) -> Vec<Term> {
        self.constraints.iter().chain(&self.preferences).copied().collect()
    }

    /// The inputs that are too wide for a term and are always zero here.
    pub fn unbound(&self) -> &[String] {
        &self.unbound
    }

    /// The test of an assignment, with a value for every input but those that it does without.
    pub fn test(&self, interface: &Interface, assignment: &Assignment, name: &str) -> TestCase {
        let steps = self.steps.iter().map(|inputs| {
            let cells = interface.inputs.iter().zip(inputs);
            cells
                .map(|(cell, input)| {
                    if input.given.is_some_and(|given| assignment.get(given.variable) == 0) {
                        return None;
                    }
                    let number = input.variable.map_or(0, |variable| assignment.get(variable));
                    Some(value_of(&cell.form, number))
                })
                .collect()
        });
        TestCase { name: name.to_owned(), steps: steps.collect() }
    }

    /// The assignment of a test, which has a value for every input that it cannot do without; `None` if one does not fit.
    pub fn assignment(&self, interface: &Interface, test: &TestCase) -> Option<Assignment> {
        let mut assignment = Assignment::default();
        for (inputs, values) in self.steps.iter().zip(&test.steps) {
            for ((input, cell), value) in inputs.iter().zip(&interface.inputs).zip(values) {
                if let Some(given) = input.given {
                    if value.is_none() {
                        continue;
                    }
                    assignment.set(given.variable, 1);
                }
                let number = number_of(&cell.form, value.as_ref()?)?;
                if let Some(variable) = input.variable {
                    assignment.set(variable, number);
                }
            }
        }
        Some(assignment)
    }

    fn add(
        &mut self,
        terms: &mut Terms,
        source: InputSource<'_>,
        cell: &Cell,
        kind: &Type,
    ) -> Input {
        let bits = cell.form.bits();
        match &cell.form {
            _ if bits > WIDEST => Input {
                variable: None,
                word: terms.constant(0, WIDEST as u8),
                when: None,
                given: None,
            },
            Form::Bool(_) => {
                let (variable, bit) = fresh(terms, 1);
                Input {
                    variable,
                    word: terms.zero_extend(bit, bits as u8),
                    when: None,
                    given: None,
                }
            }
            Form::Integer(signedness, _) | Form::Enumeration(_, signedness, _) => {
                let (variable, word) = fresh(terms, bits as u8);
                if let Some((low, high)) = kind.bounds() {
                    self.constrain(terms, word, *signedness, &low..=&high);
                }
                Input { variable, word, when: None, given: None }
            }
            Form::Float32 | Form::Float64 => {
                let (variable, word) = fresh(terms, bits as u8);
                Input { variable, word, when: None, given: None }
            }
            Form::Pointer(targets) => self.add_pointer(terms, source, targets),
        }
    }

    fn add_pointer(
        &mut self,
        terms: &mut Terms,
        source: InputSource<'_>,
        targets: &[PointerTarget],
    ) -> Input {
        let InputSource { module, layout, .. } = source;
        let address = |target: Option<&PointerTarget>| {
            target.map_or(Address::NULL, |t| layout.address_of(module, &t.to))
        };
        let mut word = terms.constant(address(targets.first()).0.into(), 64);
        let last = targets.len().saturating_sub(1);
        if last == 0 {
            return Input { variable: None, word, when: None, given: None };
        }
        let width = (usize::BITS - last.leading_zeros()) as u8;
        let (variable, number) = fresh(terms, width);
        let unset = targets.iter().position(|target| target.to == Pointee::Unset);
        let when = unset.map(|index| {
            let index = terms.constant(index as u128, width);
            let unset = terms.equal(number, index);
            terms.not(unset)
        });
        for (index, target) in targets.iter().enumerate().skip(1) {
            let index = terms.constant(index as u128, width);
            let this = terms.equal(number, index);
            let there = terms.constant(address(Some(target)).0.into(), 64);
            word = terms.choose(this, there, word);
        }
        let last = terms.constant(last as u128, width);
        let listed = terms.at_most(number, last);
        self.require(terms, listed);
        Input { variable, word, when, given: None }
    }

    /// Keeps a number between two, both included.
    fn constrain(
        &mut self,
        terms: &mut Terms,
        word: Term,
        signedness: Signedness,
        range: RangeInclusive<&Integer>,
    ) {
        let (low, high) = range.into_inner();
        let width = terms.width(word);
        let Some((first, last)) = Type::Machine(signedness, width.into()).bounds() else { return };
        let less = match signedness {
            Signedness::Signed => BinaryOp::LessSigned,
            Signedness::Unsigned => BinaryOp::LessUnsigned,
        };
        if *low > last || *high < first {
            let never = terms.bit(false);
            return self.require(terms, never);
        }
        if *low > first {
            let low = terms.constant(bits_of(low), width);
            let below = terms.binary(less, word, low);
            let holds = terms.not(below);
            self.require(terms, holds);
        }
        if *high < last {
            let high = terms.constant(bits_of(high), width);
            let above = terms.binary(less, high, word);
            let holds = terms.not(above);
            self.require(terms, holds);
        }
    }

    fn require(&mut self, terms: &Terms, holds: Term) {
        if terms.as_constant(holds) != Some(1) {
            self.constraints.push(holds);
        }
    }
}

fn fresh(terms: &mut Terms, width: u8) -> (Option<VariableId>, Term) {
    let term = terms.variable(width);
    let Node::Variable(variable) = terms.node(term) else { return (None, term) };
    (Some(variable), term)
}
