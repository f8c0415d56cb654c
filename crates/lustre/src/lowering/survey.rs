//! Tables that lowering uses, by expression and variable, computed in a few scans beforehand.

use rustc_hash::FxHashMap;

use crate::analysis::{Model, NodeBody, NodeId, Resolution};
use obligato_lustre_syntax::ast::{
    BinaryOperator as Binary, Expr, ExprId, Step, UnaryOperator as Unary,
};

/// What defines a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Nothing: a variable of a quantifier or index.
    None,
    /// What the call or import gives at a position.
    Given(u32),
    /// The part of an equation of the node.
    Equation(u32, u32),
    /// The part of an equation of the node's contract.
    Contract(u32, u32),
}

/// The tables.
pub(super) struct Survey {
    /// By variable.
    pub sources: Vec<Source>,
    /// By expression: the decision and the position in it of which it is a condition.
    pub conditions: Vec<Option<(u32, u32)>>,
    /// By expression: the decision of which it is the whole.
    pub roots: Vec<Option<u32>>,
    /// By expression: is its first value never taken, because an `->` is around it?
    pub guarded: Vec<bool>,
    /// By expression: may an index in it leave its array?
    pub may_fault: Vec<bool>,
    /// By call: its position among the calls of the same node in the caller, from 1.
    pub ordinals: FxHashMap<ExprId, u32>,
}

impl Survey {
    pub fn new(model: &Model) -> Self {
        let exprs = model.program.exprs().len();
        let mut survey = Self {
            sources: vec![Source::None; model.variables.len()],
            conditions: vec![None; exprs],
            roots: vec![None; exprs],
            guarded: guarded(model),
            may_fault: may_fault(model),
            ordinals: FxHashMap::default(),
        };
        for index in 0..model.nodes.len() {
            survey.node(model, NodeId::new(index));
        }
        survey
    }

    fn node(&mut self, model: &Model, id: NodeId) {
        let node = model.node(id);
        // A declared contract is given what it calls its outputs, too.
        let read = match node.body {
            NodeBody::Contract => &node.outputs[..],
            _ => &[],
        };
        for (position, given) in node.inputs.iter().chain(read).enumerate() {
            self.sources[given.index()] = Source::Given(position as u32);
        }
        for definition in &node.definitions {
            self.sources[definition.variable.index()] =
                Source::Equation(definition.equation, definition.part);
        }
        for definition in node.contract.iter().flat_map(|contract| &contract.definitions) {
            self.sources[definition.variable.index()] =
                Source::Contract(definition.equation, definition.part);
        }
        for (position, decision) in node.decisions.iter().enumerate() {
            self.roots[decision.root.index()] = Some(position as u32);
            for (ordinal, condition) in decision.conditions.iter().enumerate() {
                self.conditions[condition.expr.index()] = Some((position as u32, ordinal as u32));
            }
        }
        let mut calls = node.calls.clone();
        calls.sort_by_key(|call| model.program.expr_span(call.expr).start);
        let mut counts = FxHashMap::default();
        for call in calls {
            let count: &mut u32 = counts.entry(call.callee).or_default();
            *count += 1;
            self.ordinals.insert(call.expr, *count);
        }
    }
}

/// Operands come before what they are operands of, so parents are seen first from the end.
fn guarded(model: &Model) -> Vec<bool> {
    let program = &model.program;
    let mut guarded = vec![false; program.exprs().len()];
    for (index, expr) in program.exprs().iter().enumerate().rev() {
        let id = ExprId::new(index);
        let inherited = guarded[index];
        match *expr {
            Expr::Unary(Unary::Pre | Unary::Current, operand) => guarded[operand.index()] = false,
            Expr::Binary(Binary::Arrow, initial, later) => {
                guarded[initial.index()] = inherited;
                guarded[later.index()] = true;
            }
            Expr::Binary(Binary::Fby, initial, later) => {
                guarded[initial.index()] = inherited;
                guarded[later.index()] = false;
            }
            // Over several steps the first value is stored, and so is what calls are given and give.
            Expr::Delay { .. } | Expr::Call(_) | Expr::Condact { .. } => {
                program.children(id).for_each(|child| guarded[child.index()] = false);
            }
            _ => program.children(id).for_each(|child| guarded[child.index()] = inherited),
        }
    }
    guarded
}

fn may_fault(model: &Model) -> Vec<bool> {
    let program = &model.program;
    let mut found = vec![false; program.exprs().len()];
    for (index, expr) in program.exprs().iter().enumerate() {
        let id = ExprId::new(index);
        let varies = |id: ExprId| !matches!(program.expr(id), Expr::Int(_));
        let own = match *expr {
            Expr::Index(_, at) => model.resolution(id) == Resolution::None && varies(at),
            Expr::Update { path, .. } => program.steps[path]
                .iter()
                .any(|step| matches!(step, Step::Index(at) if varies(*at))),
            _ => false,
        };
        found[index] = own || program.children(id).any(|child| found[child.index()]);
    }
    found
}
