//! The inputs of a function as variables: one for each cell and step.
//!
//! A number is a variable of its width; a Boolean one bit; a pointer chooses among the targets that
//! it may have, so its variable is the index of one. Invalid tests are excluded by [constraints](InputVariables::constraints):
//! values outside their ranges, and what [preconditions](crate::precondition) exclude.

use std::ops::RangeInclusive;

use std::collections::BTreeMap;

use obligato_bytecode::{Address, Module};
use obligato_c_unit::interface::{Cell, Form, ObjectIndex, Pointee, Target};
use obligato_c_unit::{Interface, Layout};
use obligato_model::{Integer, Signedness, TestCase, Type, Value};
use obligato_term::{Assignment, BinaryOp, Node, Term, Terms, VariableId, signed};

use crate::precondition::translate;
use crate::splice::splice;

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
    pub variables: &'a obligato_model::Interface,
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

    /// Prefers tests in which no number of a union is the address of an object: what is an address to the executor is none to a
    /// machine.
    fn avoid_forged_addresses(
        &mut self,
        terms: &mut Terms,
        interface: &Interface,
        inputs: &[Input],
    ) {
        for (pointer, input) in interface.inputs.iter().zip(inputs) {
            let Some(set) = input.when else { continue };
            let Some(number) = number_under(terms, interface, inputs, pointer) else { continue };
            // Half of the numbers of 32 bits lie before the first object.
            let last = terms.constant((u32::MAX / 2).into(), 64);
            let small = terms.at_most(number, last);
            let first = terms.constant(NO_OBJECT.into(), 32);
            let object = terms.extract(number, 32, 32);
            let large = terms.at_most(first, object);
            let no_address = terms.or(small, large);
            let fine = terms.or(set, no_address);
            if terms.as_constant(fine) != Some(1) {
                self.preferences.push(fine);
            }
        }
    }

    /// Prefers tests in which pointers that the code orders point into one object: of two objects, every machine says for itself which
    /// one comes first.
    fn avoid_orders_of_objects(
        &mut self,
        terms: &mut Terms,
        interface: &Interface,
        inputs: &[Input],
    ) {
        let null = terms.constant(0, 32);
        for pair in &interface.ordered {
            let [left, right] = pair.map(|input| terms.extract(inputs[input].word, 32, 32));
            let same = terms.equal(left, right);
            let (none, neither) = (terms.equal(left, null), terms.equal(right, null));
            let fine = terms.any([same, none, neither]);
            if terms.as_constant(fine) != Some(1) {
                self.preferences.push(fine);
            }
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
        targets: &[Target],
    ) -> Input {
        let InputSource { module, layout, .. } = source;
        let address = |target: Option<&Target>| {
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

/// The number that the members of a union have where a pointer lies over them; `None` if none of them is a number.
fn number_under(
    terms: &mut Terms,
    interface: &Interface,
    inputs: &[Input],
    pointer: &Cell,
) -> Option<Term> {
    let first = pointer.offset / 8;
    let mut bytes = vec![terms.constant(0, 8); 8];
    let mut is_number = false;
    for (cell, input) in interface.inputs.iter().zip(inputs) {
        let (range, over) = (cell.range(), pointer.range());
        let overlaps = range.start < over.end && over.start < range.end;
        if cell.object != pointer.object || !overlaps || matches!(cell.form, Form::Pointer(_)) {
            continue;
        }
        is_number = true;
        let place = |at: usize| {
            let byte = (cell.offset / 8 + at as u64).checked_sub(first)?;
            usize::try_from(byte).ok().filter(|byte| *byte < 8)
        };
        let spliced = splice(terms, cell.offset, input.word, |terms, at| {
            place(at).map_or_else(|| terms.constant(0, 8), |byte| bytes[byte])
        });
        for (at, byte) in spliced.into_iter().enumerate() {
            if let Some(place) = place(at) {
                bytes[place] = byte;
            }
        }
    }
    let low = bytes.into_iter().reduce(|low, byte| terms.concat(byte, low));
    low.filter(|_| is_number)
}

/// From this number on there are no objects, whatever a run creates.
pub const NO_OBJECT: u32 = 1 << 24;

/// The width of the widest variable.
const WIDEST: u32 = 128;

fn fresh(terms: &mut Terms, width: u8) -> (Option<VariableId>, Term) {
    let term = terms.variable(width);
    let Node::Variable(variable) = terms.node(term) else { return (None, term) };
    (Some(variable), term)
}

/// The bits of a number that fits into a word.
fn bits_of(value: &Integer) -> u128 {
    i128::try_from(value).map_or_else(|_| u128::try_from(value).unwrap_or(0), i128::cast_unsigned)
}

/// The value in a test for the number that a variable has.
fn value_of(form: &Form, number: u128) -> Value {
    match form {
        Form::Bool(_) => Value::Bool(number & 1 == 1),
        Form::Integer(Signedness::Unsigned, _) => Value::int(number),
        Form::Integer(Signedness::Signed, bits) => Value::int(signed(number, width_of(*bits))),
        Form::Enumeration(names, signedness, bits) => {
            let mask = obligato_term::mask(width_of(*bits));
            let constant =
                names.iter().find(|(_, value)| value.cast_unsigned() & mask == number & mask);
            match constant {
                Some((name, _)) => Value::Symbol(name.clone()),
                None => value_of(&Form::Integer(*signedness, *bits), number),
            }
        }
        Form::Float32 => Value::Float32(number as u32),
        Form::Float64 => Value::Float64(number as u64),
        Form::Pointer(targets) => {
            let target = targets.get(number as usize).or(targets.first());
            Value::Symbol(target.map_or_else(|| "NULL".to_owned(), |target| target.name.clone()))
        }
    }
}

/// The number of a variable for this value in a test; the inverse of [`value_of`].
fn number_of(form: &Form, value: &Value) -> Option<u128> {
    let mask = obligato_term::mask(width_of(form.bits()));
    match (form, value) {
        (Form::Bool(_), Value::Bool(value)) => Some(u128::from(*value)),
        (Form::Integer(..) | Form::Enumeration(..), Value::Int(value)) => {
            Some(bits_of(value) & mask)
        }
        (Form::Enumeration(names, ..), Value::Symbol(name)) => {
            let constant = names.iter().find(|(known, _)| known == name)?;
            Some(constant.1.cast_unsigned() & mask)
        }
        (Form::Float32, Value::Float32(bits)) => Some((*bits).into()),
        (Form::Float64, Value::Float64(bits)) => Some((*bits).into()),
        (Form::Pointer(targets), Value::Symbol(name)) => {
            targets.iter().position(|target| target.name == *name).map(|index| index as u128)
        }
        _ => None,
    }
}

fn width_of(bits: u32) -> u8 {
    bits.clamp(1, WIDEST) as u8
}
