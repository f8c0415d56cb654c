//! The numbers worth trying for each input.
//!
//! Numbers that a model adds, compares, chooses between or stores in one latch are of one family, as
//! O'Callahan and Jackson (Lackwit, 1997) infer it from how a program uses them. The constants of its family,
//! and what lies beside them, are what comparisons of an input turn on; and the other inputs of its
//! family are what it may be compared with. Where the model never compares their order, they are names: modes and
//! commands.

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::random::random_value;
use obligato_model::{Integer, Random, Rational, Step, Type, Value};
use obligato_transition_system::{Binary, Graph, Initial, NodeId, Sort, System, Term};

/// The most numbers of an input.
const MOST_NUMBERS: usize = 96;

/// What to draw the inputs of a model from.
#[derive(Clone, Debug)]
pub struct Dictionary {
    entries: Vec<Entry>,
}

/// What to draw one input from.
#[derive(Clone, Debug)]
struct Entry {
    kind: Type,
    /// In order.
    numbers: Vec<Value>,
    /// The other inputs of its family and type.
    kin: Vec<usize>,
}

impl Dictionary {
    /// The dictionary of a model.
    pub fn new(lowered: &Lowered) -> Self {
        let system = &lowered.system;
        let mut families = Families::of(system);
        let own: Vec<usize> =
            system.inputs.iter().map(|input| families.find(input.node.index())).collect();
        let entry = |(index, input): (usize, &obligato_transition_system::Input)| {
            let family = &families.known[own[index]];
            let is_kin = |other: &usize| {
                *other != index
                    && own[*other] == own[index]
                    && system.inputs[*other].kind == input.kind
            };
            Entry {
                kind: input.kind.clone(),
                numbers: family.numbers(&input.kind, &lowered.program.real_step),
                kin: (0..own.len()).filter(is_kin).collect(),
            }
        };
        Self { entries: system.inputs.iter().enumerate().map(entry).collect() }
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.entries.len()
    }

    /// Draws a value for an input; `beside` is a step whose values it may be compared with.
    pub fn draw(&self, input: usize, beside: Option<&Step>, random: &mut Random) -> Value {
        let entry = &self.entries[input];
        match random.below(8) {
            0..5 if !entry.numbers.is_empty() => {
                entry.numbers[random.below(entry.numbers.len())].clone()
            }
            5 if !entry.kin.is_empty() => {
                let kin = entry.kin[random.below(entry.kin.len())];
                let value = beside.and_then(|step| step[kin].as_ref());
                let near = value.map(|value| shifted(value, random.below(3)));
                let fitting = near.filter(|value| value.has_type(&entry.kind));
                fitting.unwrap_or_else(|| random_value(&entry.kind, random))
            }
            _ => random_value(&entry.kind, random),
        }
    }

    /// Draws a value for an input that is another than the one it had, if the type has one.
    pub fn draw_other(&self, input: usize, step: &Step, random: &mut Random) -> Value {
        match &step[input] {
            Some(Value::Bool(value)) => Value::Bool(!value),
            Some(old) => {
                let mut drawn = || self.draw(input, Some(step), random);
                let first = drawn();
                if first == *old { drawn() } else { first }
            }
            None => self.draw(input, Some(step), random),
        }
    }
}

/// The value, the one before or the one after.
fn shifted(value: &Value, by: usize) -> Value {
    let by = Integer::from(by) - Integer::ONE;
    match value {
        Value::Int(value) => Value::Int(value + by),
        Value::Real(value) => Value::Real(value + Rational::from(by)),
        other => other.clone(),
    }
}

/// Which numbers of a system belong together: a union of sets, by node.
struct Families {
    parents: Vec<usize>,
    /// By the representative of a family, once all are joined.
    known: Vec<Family>,
}

/// What is known of a family.
#[derive(Clone, Debug, Default)]
struct Family {
    constants: Vec<Value>,
    /// Does the model ask which number is larger?
    ordered: bool,
}

impl Family {
    /// The numbers of a type at the constants, and beside them where that may make a difference.
    fn numbers(&self, kind: &Type, real_step: &Rational) -> Vec<Value> {
        let mut steps = Vec::new();
        if self.ordered {
            steps.push(Rational::from(Integer::ONE));
            if *kind == Type::Real {
                steps.push(real_step.clone());
            }
        }
        let mut numbers: Vec<Rational> = Vec::new();
        for constant in &self.constants {
            let centre = match constant {
                Value::Int(value) => Rational::from(value.clone()),
                Value::Real(value) => value.clone(),
                _ => continue,
            };
            for step in &steps {
                numbers.extend([&centre - step, &centre + step]);
            }
            numbers.push(centre);
        }
        numbers.sort_unstable();
        numbers.dedup();
        let as_value = |number: Rational| match kind {
            Type::Real => Some(Value::Real(number)),
            _ => Some(Value::Int(Integer::try_from(number).ok()?)),
        };
        let values = numbers.into_iter().filter_map(as_value);
        let values: Vec<Value> = values.filter(|value| value.has_type(kind)).collect();
        let stride = values.len().div_ceil(MOST_NUMBERS).max(1);
        values.into_iter().step_by(stride).collect()
    }
}

impl Families {
    fn of(system: &System) -> Self {
        let graph = &system.graph;
        let mut families = Self { parents: (0..graph.len()).collect(), known: Vec::new() };
        // Constants, each with a node of the family that they belong to.
        let initial = system.latches.iter().filter_map(|latch| match &latch.initial {
            Initial::Value(value) => Some((latch.node, value.clone())),
            Initial::Undefined => None,
        });
        let mut met: Vec<(NodeId, Value)> = initial.collect();
        let mut together = |nodes: &[NodeId]| families.join(graph, nodes, &mut met);
        for node in graph.nodes() {
            match graph.term(node) {
                Term::Binary(Binary::Equal | Binary::Less | Binary::LessEqual, a, b) => {
                    together(&[a, b]);
                }
                // What a constant multiplies or divides is measured in another unit.
                Term::Binary(
                    Binary::Multiply | Binary::Divide | Binary::Div | Binary::Mod,
                    a,
                    b,
                ) if [a, b].iter().any(|at| graph.as_constant(*at).is_some()) => {}
                Term::Binary(_, a, b) | Term::Ite(_, a, b) => together(&[node, a, b]),
                Term::Unary(_, a) | Term::Tap(_, a) => together(&[node, a]),
                Term::Constant(_) | Term::Input(_) | Term::Latch(_) => {}
            }
        }
        for latch in &system.latches {
            together(&[latch.node, latch.next]);
        }
        families.known = vec![Family::default(); graph.len()];
        for (node, value) in met {
            let family = families.find(node.index());
            families.known[family].constants.push(value);
        }
        for node in graph.nodes() {
            if let Term::Binary(Binary::Less | Binary::LessEqual, a, b) = graph.term(node) {
                for operand in [a, b] {
                    let family = families.find(operand.index());
                    families.known[family].ordered = true;
                }
            }
        }
        families
    }

    /// Joins the numbers among these nodes; constants are recorded, but join no family.
    fn join(&mut self, graph: &Graph, nodes: &[NodeId], met: &mut Vec<(NodeId, Value)>) {
        let is_number = |node: &&NodeId| graph.sort(**node) != Sort::Bool;
        let varying = |node: &&NodeId| graph.as_constant(**node).is_none();
        let Some(first) = nodes.iter().filter(is_number).find(varying) else { return };
        for node in nodes.iter().filter(is_number) {
            if let Some(value) = graph.as_constant(*node) {
                met.push((*first, value.clone()));
            } else {
                let (one, other) = (self.find(first.index()), self.find(node.index()));
                self.parents[one.max(other)] = one.min(other);
            }
        }
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }
}
