//! The reference: direct recursion over the typed tree, one run, exact numbers.
//!
//! It shares nothing with lowering but the analysed model. Each call has a frame that lives as
//! long as the run; a frame remembers the last value of every `pre` operand. Clocks (`when`,
//! `merge`, `current`), array definitions, quantifiers and contracts are left to hand-computed
//! traces: [`Reference::new`] gives `None` for a model that has them.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![allow(clippy::too_many_lines, reason = "one flat match over all expressions")]
#![allow(clippy::struct_excessive_bools, reason = "a frame is in no state but these")]

use std::collections::{BTreeMap, HashMap};

use obligato_lustre::analysis::{
    ConstantValue, Definition, Kind, KindId, Model, Node, NodeBody, NodeId, Resolution, Size,
    VariableId,
};
use obligato_lustre::ast::{
    BinaryOperator as B, Claim, Expr, ExprId, Group, Step, UnaryOperator as U, Visit,
};
use obligato_model::{Integer, Rational, Signedness, Type, Value};

/// A value. An enumeration's is the position of its name.
#[derive(Clone, Debug, PartialEq)]
pub enum V {
    Bool(bool),
    Int(Integer),
    Real(Rational),
    Many(Vec<V>),
}

struct Frame {
    node: NodeId,
    path: String,
    parent: Option<usize>,
    arguments: Vec<ExprId>,
    children: HashMap<ExprId, usize>,
    values: HashMap<VariableId, V>,
    before: HashMap<ExprId, V>,
    history: HashMap<ExprId, Vec<V>>,
    entered: bool,
    active: bool,
    restarted: bool,
    first: bool,
}

pub struct Reference<'m> {
    model: &'m Model,
    frames: Vec<Frame>,
    inputs: BTreeMap<String, Value>,
    held: HashMap<String, V>,
    definitions: HashMap<VariableId, Definition>,
}

fn supported(model: &Model) -> bool {
    let clocked = model.program.exprs().iter().any(|expr| match expr {
        Expr::When(..)
        | Expr::Merge { .. }
        | Expr::Unary(U::Current, _)
        | Expr::Quantified(..)
        | Expr::Mode(_) => true,
        Expr::Call(id) => {
            model.program.call(*id).activation.is_some_and(|found| found.defaults.is_none())
        }
        _ => false,
    });
    let elementwise = |node: &Node| {
        node.equations.iter().flat_map(|e| &e.targets).any(|target| !target.indices.is_empty())
    };
    !clocked && !model.nodes.iter().any(elementwise)
}

impl<'m> Reference<'m> {
    pub fn new(model: &'m Model) -> Option<Self> {
        let name = model.text(model.main_node().name.symbol).to_owned();
        let definitions = model.nodes.iter().flat_map(|node| &node.definitions);
        let mut reference = Self {
            model,
            frames: Vec::new(),
            inputs: BTreeMap::new(),
            held: HashMap::new(),
            definitions: definitions.map(|found| (found.variable, *found)).collect(),
        };
        reference.add(model.main, name, None, Vec::new());
        supported(model).then_some(reference)
    }

    fn add(&mut self, node: NodeId, path: String, parent: Option<usize>, arguments: Vec<ExprId>) {
        self.frames.push(Frame {
            node,
            path,
            parent,
            arguments,
            children: HashMap::new(),
            values: HashMap::new(),
            before: HashMap::new(),
            history: HashMap::new(),
            entered: parent.is_none(),
            active: parent.is_none(),
            restarted: false,
            first: true,
        });
    }

    /// Takes a step; gives the scalars of the outputs and of the variables of the main node, and
    /// the values of its properties.
    pub fn step(&mut self, inputs: BTreeMap<String, Value>) -> (Vec<V>, Vec<bool>) {
        self.inputs = inputs;
        for frame in &mut self.frames {
            frame.values.clear();
            frame.entered = frame.parent.is_none();
        }
        let main = self.model.main_node();
        let defined = main.definitions.iter().map(|definition| definition.variable);
        let mut shown = Vec::new();
        for variable in main.outputs.iter().copied().chain(defined) {
            flatten(self.variable(0, variable), &mut shown);
        }
        let mut properties = Vec::new();
        for property in main.properties.iter().filter(|p| p.claim == Claim::Invariant) {
            let provided = property.provided.is_none_or(|id| self.holds(0, id));
            properties.push(!provided || self.holds(0, property.condition));
        }
        self.finish_step();
        (shown, properties)
    }

    fn finish_step(&mut self) {
        let mut at = 0;
        while at < self.frames.len() {
            for call in &self.model.node(self.frames[at].node).calls {
                self.enter(at, call.expr);
            }
            at += 1;
        }
        let mut stored = Vec::new();
        for at in 0..self.frames.len() {
            if !self.frames[at].active {
                continue;
            }
            let node = self.model.node(self.frames[at].node);
            for root in roots(node) {
                for visit in self.model.program.walk(root) {
                    let Visit::Enter(id) = visit else { continue };
                    let kept = match self.model.program.expr(id) {
                        Expr::Unary(U::Pre, operand) => operand,
                        Expr::Binary(B::Fby, _, later) => later,
                        Expr::Delay { value, .. } => value,
                        Expr::Condact { .. } => id,
                        Expr::Call(call) if self.model.program.call(call).activation.is_some() => {
                            id
                        }
                        _ => continue,
                    };
                    stored.push((at, id, self.eval(at, kept)));
                }
            }
        }
        for frame in &mut self.frames {
            if frame.restarted {
                frame.history.clear();
            }
            frame.first = !frame.active && (frame.first || frame.restarted);
        }
        for (at, id, value) in stored {
            self.frames[at].history.entry(id).or_default().push(value.clone());
            self.frames[at].before.insert(id, value);
        }
    }

    /// The frame of a call, with whether the call is made in this step.
    fn enter(&mut self, at: usize, id: ExprId) -> usize {
        let program = &self.model.program;
        let Expr::Call(call) = program.expr(id) else { panic!("a call") };
        let call = program.call(call);
        let Resolution::Node(callee) = self.model.resolution(id) else { panic!("a node") };
        if !self.frames[at].children.contains_key(&id) {
            let name = self.model.text(self.model.node(callee).name.symbol);
            let start = |id: ExprId| program.expr_span(id).start;
            let node = self.model.node(self.frames[at].node);
            let same = node.calls.iter().filter(|other| other.callee == callee);
            let ordinal = same.filter(|other| start(other.expr) < start(id)).count() + 1;
            let mut path = format!("{}/{name}", self.frames[at].path);
            if ordinal > 1 {
                path = format!("{path}#{ordinal}");
            }
            let child = self.frames.len();
            self.frames[at].children.insert(id, child);
            self.add(callee, path, Some(at), program.expr_lists[call.arguments].to_vec());
        }
        let child = self.frames[at].children[&id];
        if !self.frames[child].entered {
            self.frames[child].entered = true;
            let clock = self.clock_of(at, id);
            let made = self.frames[at].active && clock.is_none_or(|clock| self.holds(at, clock));
            let anew = call.restart.is_some_and(|restart| self.holds(at, restart));
            self.frames[child].active = made;
            self.frames[child].restarted = self.frames[at].restarted || made && anew;
        }
        child
    }

    /// The condition of a call: of its `activate`, or of the `condact` around it.
    fn clock_of(&self, at: usize, id: ExprId) -> Option<ExprId> {
        let program = &self.model.program;
        let Expr::Call(call) = program.expr(id) else { panic!("a call") };
        if let Some(activation) = program.call(call).activation {
            return Some(activation.clock);
        }
        let node = self.model.node(self.frames[at].node);
        let all = roots(node).into_iter().flat_map(|root| program.walk(root));
        all.filter_map(|visit| match visit {
            Visit::Enter(outer) => Some(program.expr(outer)),
            Visit::Leave(_) => None,
        })
        .find_map(|expr| match expr {
            Expr::Condact { clock, call, .. } if call == id => Some(clock),
            _ => None,
        })
    }

    fn variable(&mut self, at: usize, variable: VariableId) -> V {
        if let Some(known) = self.frames[at].values.get(&variable) {
            return known.clone();
        }
        let node = self.model.node(self.frames[at].node);
        let definition = self.definitions.get(&variable).copied();
        let value = match (node.inputs.iter().position(|input| *input == variable), definition) {
            (Some(position), _) => match self.frames[at].parent {
                Some(parent) => {
                    let argument = self.frames[at].arguments[position];
                    self.eval(parent, argument)
                }
                None => self.input(self.model.variable_name(variable), self.kind(variable)),
            },
            (None, Some(definition)) => {
                let equation = &node.equations[definition.equation as usize];
                let part = (equation.targets.len() > 1).then_some(definition.part as usize);
                self.eval_part(at, equation.value, part)
            }
            (None, None) => {
                let name =
                    format!("{}.{}", self.frames[at].path, self.model.variable_name(variable));
                let constant = node.body == NodeBody::Uninterpreted && node.inputs.is_empty();
                if constant {
                    self.held(&name, variable)
                } else {
                    self.input(&name, self.kind(variable))
                }
            }
        };
        self.frames[at].values.insert(variable, value.clone());
        value
    }

    fn kind(&self, variable: VariableId) -> KindId {
        self.model.variable(variable).kind
    }

    fn held(&mut self, name: &str, variable: VariableId) -> V {
        let value = self.input(name, self.kind(variable));
        self.held.entry(name.to_owned()).or_insert(value).clone()
    }

    fn input(&self, name: &str, kind: KindId) -> V {
        if let Some(value) = self.inputs.get(name) {
            return match (value, self.model.scalar(kind)) {
                (Value::Bool(value), _) => V::Bool(*value),
                (Value::Real(value), _) => V::Real(value.clone()),
                (Value::Symbol(name), Some(Type::Enumeration(names))) => {
                    V::Int(names.iter().position(|other| other == name).unwrap().into())
                }
                (Value::Int(value), _) => V::Int(value.clone()),
                other => panic!("input {name}: {other:?}"),
            };
        }
        V::Many(match self.model.kinds.get(kind) {
            Kind::Array(element, Size::Known(size)) => {
                (0..*size).map(|i| self.input(&format!("{name}[{i}]"), *element)).collect()
            }
            Kind::Record(record) => {
                let fields = self.model.kinds.record(*record).fields.iter();
                let text = |field: &obligato_lustre::ast::Name| self.model.text(field.symbol);
                fields.map(|(f, kind)| self.input(&format!("{name}.{}", text(f)), *kind)).collect()
            }
            other => panic!("no input {name} of {other:?}"),
        })
    }

    fn holds(&mut self, at: usize, id: ExprId) -> bool {
        self.eval(at, id) == V::Bool(true)
    }

    fn first(&self, at: usize) -> bool {
        self.frames[at].first || self.frames[at].restarted
    }

    fn eval_part(&mut self, at: usize, id: ExprId, part: Option<usize>) -> V {
        let Some(p) = part else { return self.eval(at, id) };
        match self.model.program.expr(id) {
            Expr::Group(Group::List, list) => {
                let element = self.model.program.expr_lists[list][p];
                self.eval(at, element)
            }
            Expr::If(test, a, b) => {
                let arm = if self.holds(at, test) { a } else { b };
                self.eval_part(at, arm, part)
            }
            Expr::Binary(B::Arrow, a, b) => {
                let side = if self.first(at) { a } else { b };
                self.eval_part(at, side, part)
            }
            Expr::Call(call) if self.model.program.call(call).activation.is_none() => {
                let child = self.enter(at, id);
                let output = self.model.node(self.frames[child].node).outputs[p];
                self.variable(child, output)
            }
            _ => many(self.eval(at, id)).swap_remove(p),
        }
    }

    fn eval(&mut self, at: usize, id: ExprId) -> V {
        let program = &self.model.program;
        match (program.expr(id), self.model.resolution(id)) {
            (_, Resolution::Variable(variable)) => return self.variable(at, variable),
            (_, Resolution::Constant(constant)) => {
                let constant = self.model.constant(constant);
                if let Some(value) = &constant.value {
                    return constant_value(value);
                }
                let name = self.model.text(constant.name.symbol);
                let value = self.input(name, constant.kind);
                return self.held.entry(name.to_owned()).or_insert(value).clone();
            }
            (_, Resolution::Enumeration(_, position)) => return V::Int(position.into()),
            _ => {}
        }
        match program.expr(id) {
            Expr::Bool(value) => V::Bool(value),
            Expr::Int(text) => match Value::parse(program.text(text), &Type::Int).unwrap() {
                Value::Int(value) => V::Int(value),
                other => panic!("{other}"),
            },
            Expr::Real(text) => match Value::parse(program.text(text), &Type::Real).unwrap() {
                Value::Real(value) => V::Real(value),
                other => panic!("{other}"),
            },
            Expr::Unary(U::Pre, operand) => self.before(at, id, self.model.kind(operand)),
            Expr::Unary(operator, operand) => {
                let value = self.eval(at, operand);
                unary(operator, value, self.model.kinds.get(self.model.kind(operand)))
            }
            Expr::Binary(B::Arrow, a, b) => self.eval(at, if self.first(at) { a } else { b }),
            Expr::Binary(B::Fby, a, b) if self.first(at) => {
                let _ = b;
                self.eval(at, a)
            }
            Expr::Binary(B::Fby, _, b) => self.before(at, id, self.model.kind(b)),
            Expr::Delay { steps, initial, .. } => {
                let V::Int(steps) = self.eval(at, steps) else { panic!("steps") };
                let steps = usize::try_from(&steps).unwrap();
                let past = self.frames[at].history.get(&id).map_or(&[][..], |past| past);
                let past = if self.frames[at].restarted { &[][..] } else { past };
                match past.len().checked_sub(steps) {
                    Some(position) => past[position].clone(),
                    None => self.eval(at, initial),
                }
            }
            Expr::Binary(B::Repeat, a, n) => {
                let (V::Int(n), a) = (self.eval(at, n), self.eval(at, a)) else { panic!("size") };
                V::Many(vec![a; usize::try_from(&n).unwrap()])
            }
            Expr::Binary(operator, a, b) => {
                let kind = self.model.kinds.get(self.model.kind(a));
                binary(operator, self.eval(at, a), self.eval(at, b), kind)
            }
            Expr::If(test, a, b) => {
                let arm = if self.holds(at, test) { a } else { b };
                self.eval(at, arm)
            }
            Expr::Group(Group::AtMostOne, list) => {
                let values: Vec<_> = program.expr_lists[list].to_vec();
                V::Bool(values.into_iter().filter(|id| self.holds(at, *id)).count() <= 1)
            }
            Expr::Group(_, list) => {
                let parts = program.expr_lists[list].to_vec();
                V::Many(parts.into_iter().map(|part| self.eval(at, part)).collect())
            }
            Expr::Index(base, index) => {
                let (base, V::Int(index)) = (many(self.eval(at, base)), self.eval(at, index))
                else {
                    panic!("index")
                };
                // Outside is a fault, and any value will do; this one is what lowering selects.
                let found = usize::try_from(&index).ok().and_then(|index| base.get(index));
                found.or(base.last()).unwrap().clone()
            }
            Expr::Field(base, field) => {
                let kind = self.model.kind(base);
                let Kind::Record(record) = self.model.kinds.get(kind) else { panic!("record") };
                let position = self.model.kinds.record(*record).field(field).unwrap();
                many(self.eval(at, base)).swap_remove(position)
            }
            Expr::Project(base, number) => {
                many(self.eval(at, base)).swap_remove(program.text(number).parse().unwrap())
            }
            Expr::Update { base, path, value, .. } => {
                let (mut whole, new) = (self.eval(at, base), self.eval(at, value));
                let mut kind = self.model.kind(base);
                let mut spot = Some(&mut whole);
                for step in &program.steps[path] {
                    let position = match (step, self.model.kinds.get(kind)) {
                        (Step::Field(name), Kind::Record(record)) => {
                            let record = self.model.kinds.record(*record);
                            let position = record.field(name.symbol).unwrap();
                            kind = record.fields[position].1;
                            Some(position)
                        }
                        (Step::Index(index), Kind::Array(element, _)) => {
                            kind = *element;
                            let V::Int(index) = self.eval(at, *index) else { panic!("index") };
                            usize::try_from(&index).ok()
                        }
                        other => panic!("{other:?}"),
                    };
                    spot = spot.and_then(|spot| match spot {
                        V::Many(parts) => parts.get_mut(position?),
                        other => panic!("{other:?}"),
                    });
                }
                if let Some(spot) = spot {
                    *spot = new;
                }
                whole
            }
            Expr::Record { base, fields, .. } => {
                let Kind::Record(record) = self.model.kinds.get(self.model.kind(id)) else {
                    panic!("record")
                };
                let names = self.model.kinds.record(*record).fields.clone();
                let base = base.map(|base| many(self.eval(at, base)));
                let given = |name| program.named[fields].iter().find(|f| f.name.symbol == name);
                let field =
                    |(position, (name, _)): (usize, &(obligato_lustre::ast::Name, _))| match given(
                        name.symbol,
                    ) {
                        Some(field) => self.eval(at, field.value),
                        None => base.as_ref().unwrap()[position].clone(),
                    };
                V::Many(names.iter().enumerate().map(field).collect())
            }
            Expr::Call(call) => match program.call(call).activation {
                None => self.outputs(at, id),
                Some(activation) => {
                    let defaults = program.expr_lists[activation.defaults.unwrap()].to_vec();
                    self.conditional(at, id, id, activation.clock, &defaults)
                }
            },
            Expr::Condact { clock, call, defaults } => {
                let defaults = program.expr_lists[defaults].to_vec();
                self.conditional(at, id, call, clock, &defaults)
            }
            other => panic!("{other:?}"),
        }
    }

    fn conditional(
        &mut self,
        at: usize,
        id: ExprId,
        call: ExprId,
        clock: ExprId,
        defaults: &[ExprId],
    ) -> V {
        if self.holds(at, clock) {
            return self.outputs(at, call);
        }
        if !self.first(at) {
            return self.before(at, id, self.model.kind(call));
        }
        match defaults {
            [only] => self.eval(at, *only),
            _ => V::Many(defaults.iter().map(|default| self.eval(at, *default)).collect()),
        }
    }

    fn outputs(&mut self, at: usize, call: ExprId) -> V {
        let child = self.enter(at, call);
        let outputs = self.model.node(self.frames[child].node).outputs.clone();
        match outputs[..] {
            [only] => self.variable(child, only),
            _ => V::Many(outputs.into_iter().map(|output| self.variable(child, output)).collect()),
        }
    }

    fn before(&self, at: usize, id: ExprId, kind: KindId) -> V {
        self.frames[at].before.get(&id).cloned().unwrap_or_else(|| self.zero(kind))
    }

    fn zero(&self, kind: KindId) -> V {
        let all = |kinds: &[KindId]| V::Many(kinds.iter().map(|kind| self.zero(*kind)).collect());
        match self.model.kinds.get(kind) {
            Kind::Bool => V::Bool(false),
            Kind::Real => V::Real(Rational::ZERO),
            Kind::Array(element, Size::Known(size)) => all(&vec![*element; *size as usize]),
            Kind::Tuple(parts) | Kind::List(parts) => all(parts),
            Kind::Record(record) => {
                let fields = &self.model.kinds.record(*record).fields;
                all(&fields.iter().map(|(_, kind)| *kind).collect::<Vec<_>>())
            }
            _ => V::Int(Integer::ZERO),
        }
    }
}

fn roots(node: &Node) -> Vec<ExprId> {
    let mut roots: Vec<_> = node.equations.iter().map(|equation| equation.value).collect();
    roots.extend(&node.asserts);
    for property in &node.properties {
        roots.push(property.condition);
        roots.extend(property.provided);
    }
    roots
}

fn many(value: V) -> Vec<V> {
    match value {
        V::Many(parts) => parts,
        other => panic!("expected several values, found {other:?}"),
    }
}

pub fn flatten(value: V, into: &mut Vec<V>) {
    match value {
        V::Many(parts) => parts.into_iter().for_each(|part| flatten(part, into)),
        scalar => into.push(scalar),
    }
}

fn constant_value(value: &ConstantValue) -> V {
    match value {
        ConstantValue::Bool(value) => V::Bool(*value),
        ConstantValue::Int(value) => V::Int(value.clone()),
        ConstantValue::Real(value) => V::Real(value.clone()),
        ConstantValue::Enumeration(_, position) => V::Int((*position).into()),
        ConstantValue::Array(parts)
        | ConstantValue::Tuple(parts)
        | ConstantValue::Record(_, parts) => V::Many(parts.iter().map(constant_value).collect()),
    }
}

fn wrap(value: &Integer, signedness: Signedness, bits: u8) -> Integer {
    let size = Integer::ONE << bits as usize;
    let mut low = value % &size;
    if low < Integer::ZERO {
        low += &size;
    }
    let half = Integer::ONE << (bits as usize - 1);
    if signedness == Signedness::Signed && low >= half { low - size } else { low }
}

fn unary(operator: U, value: V, kind: &Kind) -> V {
    match (operator, value) {
        (U::Not, V::Bool(value)) => V::Bool(!value),
        (U::Negate, V::Int(value)) => match kind {
            Kind::Machine(signedness, bits) => V::Int(wrap(&-value, *signedness, *bits)),
            _ => V::Int(-value),
        },
        (U::Negate, V::Real(value)) => V::Real(-value),
        (U::ToInt | U::Floor, V::Real(value)) => V::Int(value.floor()),
        (U::ToReal, V::Int(value)) => V::Real(value.into()),
        (U::ToInt | U::Floor | U::ToReal, value) => value,
        (U::ToMachine(signedness, bits), V::Int(value)) => V::Int(wrap(&value, signedness, bits)),
        other => panic!("{other:?}"),
    }
}

fn binary(operator: B, a: V, b: V, kind: &Kind) -> V {
    match (operator, a, b) {
        (B::Equal, a, b) => V::Bool(a == b),
        (B::NotEqual, a, b) => V::Bool(a != b),
        (operator, V::Bool(a), V::Bool(b)) => V::Bool(match operator {
            B::And => a && b,
            B::Or => a || b,
            B::Xor => a != b,
            B::Implies => !a || b,
            other => panic!("{other:?}"),
        }),
        (operator, V::Int(a), V::Int(b)) => match operator {
            B::Less => V::Bool(a < b),
            B::LessEqual => V::Bool(a <= b),
            B::Greater => V::Bool(a > b),
            B::GreaterEqual => V::Bool(a >= b),
            _ => V::Int(integers(operator, a, b, kind)),
        },
        (operator, V::Real(a), V::Real(b)) => match operator {
            B::Less => V::Bool(a < b),
            B::LessEqual => V::Bool(a <= b),
            B::Greater => V::Bool(a > b),
            B::GreaterEqual => V::Bool(a >= b),
            B::Add => V::Real(a + b),
            B::Subtract => V::Real(a - b),
            B::Multiply => V::Real(a * b),
            B::Divide if b.is_zero() => V::Real(Rational::ZERO),
            B::Divide => V::Real(a / b),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn integers(operator: B, a: Integer, b: Integer, kind: &Kind) -> Integer {
    let machine = match kind {
        Kind::Machine(signedness, bits) => Some((*signedness, *bits)),
        _ => None,
    };
    let zero = b == Integer::ZERO;
    let value = match operator {
        B::Add => a + b,
        B::Subtract => a - b,
        B::Multiply => a * b,
        B::Divide | B::IntegerDivide | B::Modulo if zero => Integer::ZERO,
        // SMT-LIB: the remainder is never negative.
        B::IntegerDivide if machine.is_none() => {
            let (mut q, r) = (&a / &b, &a % &b);
            if r < Integer::ZERO {
                q += if b > Integer::ZERO { -Integer::ONE } else { Integer::ONE };
            }
            q
        }
        B::Modulo if machine.is_none() => {
            let r = &a % &b;
            let size = if b < Integer::ZERO { -b } else { b };
            if r < Integer::ZERO { r + size } else { r }
        }
        B::Divide | B::IntegerDivide => a / b,
        B::Modulo => a % b,
        other => panic!("{other:?}"),
    };
    machine.map_or(value.clone(), |(signedness, bits)| wrap(&value, signedness, bits))
}
