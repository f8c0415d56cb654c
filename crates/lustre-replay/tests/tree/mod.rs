//! The papers' tag rules read directly over the syntax tree, for models of scalars without clocks.
//!
//! Slow and plain: every expression is evaluated by recursion to its values, each with the set of
//! tags that it carries (Whalen et al., table II; You et al., table I for `strict`).

use std::collections::{BTreeSet, HashMap, HashSet};

use obligato_lustre::analysis::{
    ConstantValue, Kind, Model, NodeId, Purpose, Resolution, VariableId,
};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_syntax::ast::{
    BinaryOperator as Op, Expr, ExprId, Group, UnaryOperator, Visit,
};
use obligato_model::{ConditionId, Integer, Step, Value};
use obligato_transition_system::sort::encode;
use obligato_transition_system::{Binary, Sort, Unary, meaning};

pub type Tags = BTreeSet<(ConditionId, bool)>;

/// A value and the tags that it carries.
#[derive(Clone, Debug)]
struct Tagged {
    value: Value,
    tags: Tags,
}

struct Instance {
    node: NodeId,
    arguments: Vec<ExprId>,
    parent: usize,
}

/// A model that is evaluated over its tree.
pub struct Tree<'m> {
    model: &'m Model,
    lowered: &'m Lowered,
    strict: bool,
    instances: Vec<Instance>,
    calls: HashMap<(usize, ExprId), usize>,
    conditions: HashMap<(usize, ExprId), ConditionId>,
    inputs: HashMap<VariableId, Tagged>,
    now: HashMap<(usize, VariableId), Tagged>,
    held: HashMap<(usize, ExprId), Tagged>,
    delays: HashSet<(usize, ExprId)>,
    first: bool,
}

/// Can the model be read this way?
pub fn suits(model: &Model, lowered: &Lowered) -> bool {
    let scalar = |id: &VariableId| {
        let variable = model.variable(*id);
        variable.clock.is_none()
            && model.scalar(variable.kind).is_some()
            && !matches!(model.kinds.get(variable.kind), Kind::Machine(..))
    };
    let nodes: HashSet<usize> =
        lowered.instances.iter().map(|instance| instance.node.index()).collect();
    nodes.into_iter().map(|index| &model.nodes[index]).all(|node| {
        let variables = node.inputs.iter().chain(&node.outputs).chain(&node.locals);
        let exprs = node.equations.iter().flat_map(|equation| model.program.walk(equation.value));
        node.contract.is_none()
            && node.body == obligato_lustre::analysis::NodeBody::Defined
            && variables.copied().all(|id| scalar(&id))
            && exprs.into_iter().all(|visit| match visit {
                Visit::Enter(id) => suits_expr(model, id),
                Visit::Leave(_) => true,
            })
    })
}

fn suits_expr(model: &Model, id: ExprId) -> bool {
    let named = matches!(model.resolution(id), Resolution::Variable(_) | Resolution::Part);
    match model.program.expr(id) {
        Expr::Bool(_) | Expr::Int(_) | Expr::Real(_) | Expr::Name(_) | Expr::If(..) => true,
        Expr::Field(..) | Expr::Index(..) => named,
        Expr::Unary(operator, operand) => match operator {
            UnaryOperator::Not | UnaryOperator::Negate => true,
            UnaryOperator::Pre => model.scalar(model.kind(operand)).is_some(),
            _ => false,
        },
        Expr::Binary(operator, left, _) => match operator {
            Op::BitOr | Op::BitAnd | Op::ShiftLeft | Op::ShiftRight | Op::Repeat => false,
            _ => model.scalar(model.kind(left)).is_some() || operator == Op::Arrow,
        },
        Expr::Group(group, _) => group == Group::List,
        Expr::Call(call) => {
            let call = model.program.call(call);
            let Resolution::Node(callee) = model.resolution(id) else { return false };
            let inputs = model.node(callee).inputs.len();
            call.restart.is_none() && call.activation.is_none() && call.arguments.len() == inputs
        }
        _ => false,
    }
}

impl<'m> Tree<'m> {
    pub fn new(model: &'m Model, lowered: &'m Lowered, strict: bool) -> Self {
        let main = Instance { node: model.main, arguments: Vec::new(), parent: 0 };
        let mut tree = Self {
            model,
            lowered,
            strict,
            instances: Vec::new(),
            calls: HashMap::new(),
            conditions: HashMap::new(),
            inputs: HashMap::new(),
            now: HashMap::new(),
            held: HashMap::new(),
            delays: HashSet::new(),
            first: true,
        };
        tree.add(main, &lowered.instances[0].path);
        tree
    }

    /// Adds an instance; the lowering has the same one under this path.
    fn add(&mut self, instance: Instance, path: &str) -> usize {
        let index = self.instances.len();
        let known = self.lowered.instances.iter().position(|one| one.path == path);
        let function = known.expect("the lowering expands the same calls");
        let program = &self.lowered.program;
        let decisions = program.decisions().iter().filter(|it| it.function.index() == function);
        let own = self.model.node(instance.node).decisions.iter();
        let own = own.filter(|decision| decision.purpose == Purpose::Equation);
        for (listed, decision) in decisions.zip(own) {
            for (ordinal, condition) in decision.conditions.iter().enumerate() {
                let id = ConditionId::new(listed.first_condition.index() + ordinal);
                self.conditions.insert((index, condition.expr), id);
            }
        }
        self.instances.push(instance);
        index
    }

    fn path(&self, index: usize) -> String {
        if index == 0 {
            return self.lowered.instances[0].path.clone();
        }
        let (&(parent, call), _) =
            self.calls.iter().find(|(_, at)| **at == index).expect("it was called");
        self.path_of_call(parent, call)
    }

    fn path_of_call(&self, parent: usize, call: ExprId) -> String {
        let model = self.model;
        let Resolution::Node(callee) = model.resolution(call) else { panic!("a call") };
        let name = model.text(model.node(callee).name.symbol);
        let start = model.program.expr_span(call).start;
        let calls = &model.node(self.instances[parent].node).calls;
        let before = calls.iter().filter(|other| {
            other.callee == callee && model.program.expr_span(other.expr).start < start
        });
        let path = format!("{}/{name}", self.path(parent));
        match before.count() {
            0 => path,
            count => format!("{path}#{}", count + 1),
        }
    }

    /// Takes a step and gives the tags that the outputs carry.
    pub fn step(&mut self, inputs: &Step) -> Tags {
        self.now.clear();
        let main = self.model.main_node();
        let listed = self.lowered.system.inputs.iter().zip(inputs);
        self.inputs = main
            .inputs
            .iter()
            .zip(listed)
            .map(|(id, (input, value))| {
                let value = value.as_ref().expect("every input is given");
                let value = encode(&input.kind, value).expect("of its type");
                (*id, Tagged { value, tags: Tags::new() })
            })
            .collect();
        let mut seen = Tags::new();
        for output in &main.outputs {
            seen.extend(self.variable(0, *output).tags);
        }
        let mut next = 0;
        while next < self.instances.len() {
            let node = self.model.node(self.instances[next].node);
            for definition in &node.definitions {
                self.variable(next, definition.variable);
            }
            next += 1;
        }
        let mut later = HashMap::new();
        while later.len() < self.delays.len() {
            for (instance, operand) in self.delays.clone() {
                let value = self.scalar(instance, operand);
                later.insert((instance, operand), value);
            }
        }
        self.held = later;
        self.first = false;
        seen
    }

    fn variable(&mut self, instance: usize, id: VariableId) -> Tagged {
        if let Some(known) = self.now.get(&(instance, id)) {
            return known.clone();
        }
        let node = self.model.node(self.instances[instance].node);
        let value = if let Some(position) = node.inputs.iter().position(|input| *input == id) {
            if instance == 0 {
                self.inputs[&id].clone()
            } else {
                let argument = self.instances[instance].arguments[position];
                self.scalar(self.instances[instance].parent, argument)
            }
        } else {
            let mut definitions = node.definitions.iter();
            let definition = definitions.find(|it| it.variable == id).expect("it is defined");
            let equation = &node.equations[definition.equation as usize];
            self.list(instance, equation.value)[definition.part as usize].clone()
        };
        self.now.insert((instance, id), value.clone());
        value
    }

    fn scalar(&mut self, instance: usize, id: ExprId) -> Tagged {
        self.list(instance, id).remove(0)
    }

    /// The values of an expression, several if it is a list.
    fn list(&mut self, instance: usize, id: ExprId) -> Vec<Tagged> {
        let mut values = self.plain(instance, id);
        if let Some(condition) = self.conditions.get(&(instance, id)) {
            let holds = values[0].value == Value::Bool(true);
            values[0].tags.insert((*condition, holds));
        }
        values
    }

    fn plain(&mut self, instance: usize, id: ExprId) -> Vec<Tagged> {
        let model = self.model;
        let literal = |value| vec![Tagged { value, tags: Tags::new() }];
        match model.resolution(id) {
            Resolution::Variable(variable) => return vec![self.variable(instance, variable)],
            Resolution::Enumeration(_, position) => return literal(Value::int(position)),
            Resolution::Constant(constant) => {
                return literal(match model.constant(constant).value.clone().expect("known") {
                    ConstantValue::Bool(value) => Value::Bool(value),
                    ConstantValue::Int(value) => Value::Int(value),
                    ConstantValue::Real(value) => Value::Real(value),
                    ConstantValue::Enumeration(_, position) => Value::int(position),
                    other => panic!("{other:?} is no scalar"),
                });
            }
            _ => {}
        }
        match model.program.expr(id) {
            Expr::Bool(value) => literal(Value::Bool(value)),
            Expr::Int(text) => {
                let value: Integer = model.text(text).parse().expect("a decimal number");
                literal(Value::Int(value))
            }
            Expr::Real(text) => {
                let kind = obligato_model::Type::Real;
                literal(Value::parse(model.text(text), &kind).expect("a decimal number"))
            }
            Expr::Group(_, parts) => {
                let parts = model.program.expr_lists[parts].to_vec();
                parts.into_iter().flat_map(|part| self.list(instance, part)).collect()
            }
            Expr::Call(call) => {
                let callee = self.enter(instance, id, model.program.call(call));
                let outputs = model.node(self.instances[callee].node).outputs.clone();
                outputs.into_iter().map(|output| self.variable(callee, output)).collect()
            }
            Expr::Unary(UnaryOperator::Pre, operand) => vec![self.delayed(instance, operand)],
            Expr::Unary(operator, operand) => {
                let Tagged { value, tags } = self.scalar(instance, operand);
                let operation = match operator {
                    UnaryOperator::Not => Unary::Not,
                    _ => Unary::Negate,
                };
                vec![Tagged { value: meaning::unary(operation, sort(&value), &value), tags }]
            }
            Expr::Binary(Op::Arrow, initial, later) => {
                // Both are computed, as both may hold delays.
                let (initial, later) = (self.list(instance, initial), self.list(instance, later));
                if self.first { initial } else { later }
            }
            Expr::Binary(Op::Fby, initial, later) => {
                let (initial, later) =
                    (self.list(instance, initial), self.delayed(instance, later));
                if self.first { initial } else { vec![later] }
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.list(instance, left), self.list(instance, right));
                vec![binary(operator, &left[0], &right[0])]
            }
            Expr::If(test, then, otherwise) => {
                let test = self.scalar(instance, test);
                let arms = [self.list(instance, then), self.list(instance, otherwise)];
                let chosen = usize::from(test.value == Value::Bool(false));
                let parts = arms[chosen].iter().zip(&arms[1 - chosen]);
                parts
                    .map(|(taken, other)| {
                        let mut tagged = taken.clone();
                        if !self.strict || taken.value != other.value {
                            tagged.tags.extend(test.tags.iter().copied());
                        }
                        tagged
                    })
                    .collect()
            }
            other => panic!("{other:?} was said not to occur"),
        }
    }

    fn enter(
        &mut self,
        instance: usize,
        id: ExprId,
        call: obligato_lustre_syntax::ast::Call,
    ) -> usize {
        if let Some(known) = self.calls.get(&(instance, id)) {
            return *known;
        }
        let Resolution::Node(node) = self.model.resolution(id) else { panic!("a call") };
        let arguments = self.model.program.expr_lists[call.arguments].to_vec();
        let path = self.path_of_call(instance, id);
        let callee = self.add(Instance { node, arguments, parent: instance }, &path);
        self.calls.insert((instance, id), callee);
        callee
    }

    /// What an expression was a step ago; zero at first.
    fn delayed(&mut self, instance: usize, operand: ExprId) -> Tagged {
        self.delays.insert((instance, operand));
        self.held.get(&(instance, operand)).cloned().unwrap_or_else(|| {
            let kind = self.model.scalar(self.model.kind(operand)).expect("a scalar");
            let value = Sort::of(&kind).expect("a scalar").zero();
            Tagged { value, tags: Tags::new() }
        })
    }
}

fn sort(value: &Value) -> Sort {
    match value {
        Value::Bool(_) => Sort::Bool,
        Value::Int(_) => Sort::Int,
        Value::Real(_) => Sort::Real,
        other => panic!("{other} is no value of a sort"),
    }
}

fn binary(operator: Op, left: &Tagged, right: &Tagged) -> Tagged {
    let (a, b) = (&left.value, &right.value);
    let compute = |operation, a, b| meaning::binary(operation, sort(a), a, b);
    let not = |value: Value| Value::Bool(value == Value::Bool(false));
    let value = match operator {
        Op::And => compute(Binary::And, a, b),
        Op::Or => compute(Binary::Or, a, b),
        Op::Xor => compute(Binary::Xor, a, b),
        Op::Implies => compute(Binary::Or, &not(a.clone()), b),
        Op::Equal => Value::Bool(a == b),
        Op::NotEqual => Value::Bool(a != b),
        Op::Less => compute(Binary::Less, a, b),
        Op::LessEqual => compute(Binary::LessEqual, a, b),
        Op::Greater => compute(Binary::Less, b, a),
        Op::GreaterEqual => compute(Binary::LessEqual, b, a),
        Op::Add => compute(Binary::Add, a, b),
        Op::Subtract => compute(Binary::Subtract, a, b),
        Op::Multiply => compute(Binary::Multiply, a, b),
        Op::Divide if sort(a) == Sort::Real => compute(Binary::Divide, a, b),
        Op::Divide | Op::IntegerDivide => compute(Binary::Div, a, b),
        Op::Modulo => compute(Binary::Mod, a, b),
        other => panic!("{other:?} was said not to occur"),
    };
    let (holds_a, holds_b) = (*a == Value::Bool(true), *b == Value::Bool(true));
    let (passes_a, passes_b) = match operator {
        Op::And => (holds_b, holds_a),
        Op::Or => (!holds_b, !holds_a),
        Op::Implies => (!holds_b, holds_a),
        _ => (true, true),
    };
    let mut tags = Tags::new();
    if passes_a {
        tags.extend(left.tags.iter().copied());
    }
    if passes_b {
        tags.extend(right.tags.iter().copied());
    }
    Tagged { value, tags }
}
