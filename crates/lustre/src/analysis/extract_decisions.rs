//! Pass 12: the decisions of every node, as plain data.
//!
//! A decision is a maximal Boolean expression, wherever it stands. Its operators are `and`, `or`,
//! `not`, `xor`, `=>`, `=` and `<>` on Booleans, and `if` with Boolean arms; anything else in it
//! is a condition: names, literals, comparisons, calls, `pre`, `->`, `fby`, `#`, quantifiers.
//! What is Boolean inside a condition makes decisions of its own, nested in the condition.
//!
//! A literal alone, such as the first value in `false -> pre x`, decides nothing: it is no
//! decision unless it is the test of an `if`. The name after `when` and `merge` is no expression
//! of its own; the equation that defines it is. What blocks and automata are rewritten to is no
//! decision either, but what is written in them is: each test of an `if` block and each guard of
//! a transition once.
//!
//! The decisions of a declared contract are its own, as those of a called node are the node's. Of
//! a contract that nothing imports no instance is ever made, so no test can cover its decisions.

use obligato_model::{
    BoolTree, Circuit, Operator, Relation, RelationOperator, Role, TreeBuilder, Type, Value,
};

use super::decision::{NodeCondition, NodeDecision, Purpose};
use super::evaluate_constants::evaluate;
use super::kind::{Kind, Kinds};
use super::model::{Model, Node, Resolution};
use super::value::ConstantValue;
use obligato_lustre_syntax::ast::{BinaryOperator as Binary, Expr, ExprId, UnaryOperator as Unary};

/// Fills in [`Node::decisions`].
pub fn extract_decisions(model: &mut Model) {
    let constant = constant_expressions(model);
    for index in 0..model.nodes.len() {
        let mut extractor = Extractor {
            model,
            constant: &constant,
            decisions: Vec::new(),
            todo: Vec::new(),
            purpose: Purpose::Equation,
        };
        extractor.node(&model.nodes[index]);
        let decisions = extractor.decisions;
        model.nodes[index].decisions = decisions;
    }
}

/// Which expressions read no variable and no state: one scan, as operands come first.
fn constant_expressions(model: &Model) -> Vec<bool> {
    let program = &model.program;
    let mut constant = vec![false; program.exprs().len()];
    for (index, expr) in program.exprs().iter().enumerate() {
        let id = ExprId::new(index);
        constant[index] = match expr {
            Expr::Bool(_) | Expr::Int(_) | Expr::Real(_) => true,
            Expr::Name(_) => match model.resolution(id) {
                Resolution::Constant(constant) => model.constant(constant).value.is_some(),
                Resolution::Enumeration(..) => true,
                _ => false,
            },
            Expr::Mode(_)
            | Expr::Last(_)
            | Expr::Call(_)
            | Expr::Condact { .. }
            | Expr::When(..)
            | Expr::Merge { .. }
            | Expr::Quantified(..)
            | Expr::Delay { .. }
            | Expr::Unary(Unary::Pre | Unary::Current, _)
            | Expr::Binary(Binary::Arrow | Binary::Fby, ..) => false,
            _ => program.children(id).all(|child| constant[child.index()]),
        };
    }
    constant
}

/// An expression that may have decisions in it.
struct DecisionSite {
    expr: ExprId,
    role: Role,
    nested_in: Option<(u32, u32)>,
}

struct Extractor<'m> {
    model: &'m Model,
    constant: &'m [bool],
    decisions: Vec<NodeDecision>,
    todo: Vec<DecisionSite>,
    purpose: Purpose,
}

impl Extractor<'_> {
    fn node(&mut self, node: &Node) {
        for equation in &node.equations {
            self.root(equation.value, Purpose::Equation);
        }
        node.asserts.iter().for_each(|id| self.root(*id, Purpose::Assert));
        for property in &node.properties {
            self.root(property.condition, Purpose::Property);
            property.provided.into_iter().for_each(|id| self.root(id, Purpose::Property));
        }
        let Some(contract) = &node.contract else { return };
        let equations = contract.equations.iter().map(|equation| equation.value);
        let clauses = contract.assumptions.iter().chain(&contract.guarantees).copied();
        let modes =
            contract.modes.iter().flat_map(|mode| mode.requires.iter().chain(&mode.ensures));
        let arguments = contract.imports.iter().flat_map(|import| &import.inputs).copied();
        for id in equations.chain(clauses).chain(modes.copied()).chain(arguments) {
            self.root(id, Purpose::Contract);
        }
    }

    fn root(&mut self, expr: ExprId, purpose: Purpose) {
        self.purpose = purpose;
        self.todo.push(DecisionSite { expr, role: Role::Value, nested_in: None });
        while let Some(place) = self.todo.pop() {
            let literal = matches!(self.model.program.expr(place.expr), Expr::Bool(_));
            if self.model.kind(place.expr) != Kinds::bool() || !self.model.is_written(place.expr) {
                self.descend(place.expr, place.nested_in);
            } else if !literal || place.role == Role::Control {
                self.decision(&place);
            }
        }
    }

    /// Puts what an expression is made of on the list, the first on top.
    fn descend(&mut self, id: ExprId, nested_in: Option<(u32, u32)>) {
        let program = &self.model.program;
        let start = self.todo.len();
        let mut add = |expr, role| self.todo.push(DecisionSite { expr, role, nested_in });
        match program.expr(id) {
            Expr::Field(..) | Expr::Index(..)
                if matches!(self.model.resolution(id), Resolution::Variable(_)) => {}
            Expr::If(test, then, otherwise) => {
                add(test, Role::Control);
                add(then, Role::Value);
                add(otherwise, Role::Value);
            }
            Expr::Condact { clock, call, defaults } => {
                add(clock, Role::Control);
                // The call alone is no value of the model: `condact` is.
                program.children(call).for_each(|child| add(child, Role::Value));
                program.expr_lists[defaults].iter().for_each(|child| add(*child, Role::Value));
            }
            Expr::Call(call) => {
                let call = program.call(call);
                let clock = call.activation.map(|activation| activation.clock);
                for child in program.children(id) {
                    let control = Some(child) == clock || Some(child) == call.restart;
                    add(child, if control { Role::Control } else { Role::Value });
                }
            }
            _ => program.children(id).for_each(|child| add(child, Role::Value)),
        }
        self.todo[start..].reverse();
    }

    fn decision(&mut self, place: &DecisionSite) {
        let (tree, conditions) = self.tree(place.expr);
        let decision = self.decisions.len() as u32;
        let start = self.todo.len();
        for (ordinal, condition) in conditions.iter().enumerate() {
            let before = self.todo.len();
            self.descend(*condition, Some((decision, ordinal as u32)));
            // `descend` puts the first on top; all of it is reversed once more below.
            self.todo[before..].reverse();
        }
        self.todo[start..].reverse();
        let conditions = conditions.into_iter().map(|id| self.condition(id)).collect();
        self.decisions.push(NodeDecision {
            root: place.expr,
            tree,
            conditions,
            role: place.role,
            purpose: self.purpose,
            nested_in: place.nested_in,
        });
    }

    /// The Boolean operators from `root` down, and the conditions below them.
    fn tree(&self, root: ExprId) -> (BoolTree, Vec<ExprId>) {
        enum Task {
            Visit(ExprId),
            Build(Expr),
        }
        let program = &self.model.program;
        let mut builder = TreeBuilder::new();
        let mut conditions = Vec::new();
        let mut todo = vec![Task::Visit(root)];
        while let Some(task) = todo.pop() {
            match task {
                Task::Visit(id) if self.model.is_boolean_operator(id) => {
                    todo.push(Task::Build(program.expr(id)));
                    let start = todo.len();
                    todo.extend(program.children(id).map(Task::Visit));
                    todo[start..].reverse();
                }
                Task::Visit(id) => {
                    builder.condition();
                    conditions.push(id);
                }
                Task::Build(expr) => {
                    let built = match expr {
                        Expr::Unary(..) => builder.not(),
                        Expr::Binary(operator, ..) => builder.binary(operator_of(operator)),
                        _ => builder.choose(Circuit::Full),
                    };
                    built.expect("invariant: operands come before their operator");
                }
            }
        }
        (builder.finish().expect("invariant: one expression is one tree"), conditions)
    }

    fn condition(&self, expr: ExprId) -> NodeCondition {
        let constant = match self.constant_value(expr) {
            Some(ConstantValue::Bool(value)) => Some(value),
            _ => None,
        };
        NodeCondition { expr, constant, relation: self.relation(expr) }
    }

    fn constant_value(&self, id: ExprId) -> Option<ConstantValue> {
        let program = &self.model.program;
        self.constant[id.index()].then(|| evaluate(program, self.model, id).ok()).flatten()
    }

    fn relation(&self, id: ExprId) -> Option<Relation> {
        let Expr::Binary(operator, left, right) = self.model.program.expr(id) else { return None };
        let operator = match operator {
            Binary::Equal => RelationOperator::Equal,
            Binary::NotEqual => RelationOperator::NotEqual,
            Binary::Less => RelationOperator::Less,
            Binary::LessEqual => RelationOperator::LessEqual,
            Binary::Greater => RelationOperator::Greater,
            Binary::GreaterEqual => RelationOperator::GreaterEqual,
            _ => return None,
        };
        let scalar = |id| {
            let (kinds, symbols) = (&self.model.kinds, &self.model.program.symbols);
            self.constant_value(id).and_then(|value| value.scalar(kinds, symbols))
        };
        let (left_value, right_value) = (scalar(left), scalar(right));
        let kind = self.compared_as(left, right, left_value.as_ref().or(right_value.as_ref()))?;
        Some(Relation { operator, kind, left: left_value, right: right_value })
    }

    /// The type in which two numbers are compared: a subrange if no value outside of it can
    /// stand on either side.
    fn compared_as(&self, left: ExprId, right: ExprId, constant: Option<&Value>) -> Option<Type> {
        let kinds = &self.model.kinds;
        let bounded = |id| match kinds.get(self.model.kind(id)) {
            Kind::Subrange(Some(low), Some(high)) => {
                Some(Type::Subrange(low.clone(), high.clone()))
            }
            _ => None,
        };
        match (kinds.get(self.model.kind(left)), kinds.get(self.model.kind(right))) {
            (Kind::Real, Kind::Real) => Some(Type::Real),
            (Kind::Machine(signedness, bits), Kind::Machine(..)) => {
                Some(Type::Machine(*signedness, u32::from(*bits)))
            }
            (Kind::Int | Kind::Subrange(..), Kind::Int | Kind::Subrange(..)) => {
                let subrange = match (bounded(left), bounded(right)) {
                    (Some(one), Some(other)) => (one == other).then_some(one),
                    (Some(one), None) | (None, Some(one)) => {
                        constant.filter(|value| value.has_type(&one)).map(|_| one)
                    }
                    (None, None) => None,
                };
                Some(subrange.unwrap_or(Type::Int))
            }
            _ => None,
        }
    }
}

impl Model {
    /// Is this one of the Boolean operators that a decision is made of?
    pub(crate) fn is_boolean_operator(&self, id: ExprId) -> bool {
        let boolean = |id| self.kind(id) == Kinds::bool();
        match self.program.expr(id) {
            Expr::Unary(Unary::Not, _)
            | Expr::Binary(Binary::And | Binary::Or | Binary::Xor | Binary::Implies, ..) => true,
            Expr::Binary(Binary::Equal | Binary::NotEqual, left, _) => boolean(left),
            Expr::If(_, then, _) => boolean(then),
            _ => false,
        }
    }
}

fn operator_of(operator: Binary) -> Operator {
    match operator {
        Binary::And => Operator::And(Circuit::Full),
        Binary::Or => Operator::Or(Circuit::Full),
        Binary::Implies => Operator::Implies,
        Binary::Equal => Operator::Equal,
        // `is_boolean_operator` lets nothing else through.
        _ => Operator::Xor,
    }
}

#[cfg(test)]
mod tests;
