//! The variables that a definition reads at the same instant.

use crate::analysis::model::{Equation, Model, Resolution, Target, VariableId};
use obligato_lustre_syntax::ast::{BinaryOperator, Expr, ExprId, Group, UnaryOperator};

/// Finds the variables that definitions read. It keeps its stack and marks between them.
#[derive(Default)]
pub(crate) struct Reader {
    /// Expressions to visit, with the part of the list that matters; `None` is all of it.
    todo: Vec<(ExprId, Option<usize>)>,
    /// The definition that last read each variable, so that each is listed once.
    seen: Vec<u32>,
    definition: u32,
    /// The modes that the last definition names.
    modes: Vec<ExprId>,
}

impl Reader {
    /// What the target at `part` of an equation reads.
    pub(crate) fn reads(
        &mut self,
        model: &Model,
        equation: &Equation,
        part: usize,
    ) -> Vec<VariableId> {
        let part = (equation.targets.len() > 1).then_some(part);
        let target = &equation.targets[part.unwrap_or(0)];
        let found = self.places(model, equation.value, part, Some(target));
        found.into_iter().map(|(variable, _)| variable).collect()
    }

    /// What an expression that defines nothing reads, each with a place where it does.
    pub(crate) fn uses(&mut self, model: &Model, id: ExprId) -> Vec<(VariableId, ExprId)> {
        self.places(model, id, None, None)
    }

    /// The modes that the last expression asked about names at the same instant.
    pub(crate) fn modes(&self) -> &[ExprId] {
        &self.modes
    }

    fn places(
        &mut self,
        model: &Model,
        root: ExprId,
        part: Option<usize>,
        target: Option<&Target>,
    ) -> Vec<(VariableId, ExprId)> {
        self.definition += 1;
        self.seen.resize(model.variables.len(), 0);
        self.modes.clear();
        let mut found = Vec::new();
        self.todo.push((root, part));
        while let Some((id, part)) = self.todo.pop() {
            if let Resolution::Variable(variable) = model.resolution(id)
                && self.seen[variable.index()] != self.definition
            {
                self.seen[variable.index()] = self.definition;
                found.push((variable, id));
            }
            self.visit(model, id, part, target);
        }
        found
    }

    fn visit(&mut self, model: &Model, id: ExprId, part: Option<usize>, target: Option<&Target>) {
        let program = &model.program;
        let at = |list, part: Option<usize>| {
            let all: &[ExprId] = &program.expr_lists[list];
            match part {
                Some(part) if part < all.len() => &all[part..=part],
                _ => all,
            }
        };
        match program.expr(id) {
            Expr::Unary(UnaryOperator::Pre, _) | Expr::Last(_) => {}
            Expr::Mode(_) => self.modes.push(id),
            Expr::Unary(UnaryOperator::Current, value) | Expr::When(value, _) => {
                self.todo.push((value, part));
            }
            Expr::Binary(BinaryOperator::Fby, initial, _) | Expr::Delay { initial, .. } => {
                self.todo.push((initial, part));
            }
            Expr::Binary(BinaryOperator::Arrow, first, later) => {
                self.todo.extend([(later, part), (first, part)]);
            }
            Expr::If(test, then, otherwise) => {
                self.todo.extend([(otherwise, part), (then, part), (test, None)]);
            }
            Expr::Group(Group::List, list) => {
                self.todo.extend(at(list, part).iter().map(|element| (*element, None)));
            }
            Expr::Merge { branches, .. } => {
                let branches = &program.named[branches];
                self.todo.extend(branches.iter().map(|branch| (branch.value, part)));
            }
            Expr::Condact { clock, call, defaults } => {
                self.todo.extend(at(defaults, part).iter().map(|default| (*default, None)));
                self.todo.extend([(call, part), (clock, None)]);
            }
            Expr::Call(_) => self.call(model, id, part),
            Expr::Index(base, index) if target.is_some_and(|target| !target.indices.is_empty()) => {
                let earlier =
                    target.is_some_and(|target| self.reads_an_earlier_element(model, id, target));
                if !earlier {
                    self.todo.extend([(index, None), (base, None)]);
                }
            }
            // A flattened name is one variable.
            Expr::Field(..) | Expr::Index(..)
                if matches!(model.resolution(id), Resolution::Variable(_)) => {}
            _ => self.todo.extend(program.children(id).map(|child| (child, None))),
        }
    }

    fn call(&mut self, model: &Model, id: ExprId, part: Option<usize>) {
        let program = &model.program;
        let (Expr::Call(call), Resolution::Node(callee)) = (program.expr(id), model.resolution(id))
        else {
            return;
        };
        let call = program.call(call);
        let arguments = &program.expr_lists[call.arguments];
        let node = model.node(callee);
        for (output, inputs) in node.instantaneous.iter().enumerate() {
            if part.is_none_or(|part| part == output) {
                let read = inputs.iter().filter_map(|input| arguments.get(*input as usize));
                self.todo.extend(read.map(|argument| (*argument, None)));
            }
        }
        self.todo.extend(call.restart.map(|restart| (restart, None)));
        if let Some(activation) = call.activation {
            self.todo.push((activation.clock, None));
            if let Some(defaults) = activation.defaults {
                let all = &program.expr_lists[defaults];
                let some = part.and_then(|part| all.get(part..=part)).unwrap_or(all);
                self.todo.extend(some.iter().map(|default| (*default, None)));
            }
        }
    }

    /// `A[i - 1]` in the definition of `A[i]`: elements are computed in the order of their
    /// indices, so this is no cycle. Visits the indices if it is so.
    fn reads_an_earlier_element(&mut self, model: &Model, id: ExprId, target: &Target) -> bool {
        let program = &model.program;
        let mut indices = Vec::new();
        let mut base = id;
        while let Expr::Index(inner, index) = program.expr(base) {
            indices.push(index);
            base = inner;
        }
        if model.resolution(base) != Resolution::Variable(target.variable) {
            return false;
        }
        let is_index = |id| match model.resolution(id) {
            Resolution::Variable(variable) => target.indices.contains(&variable),
            _ => false,
        };
        let earlier = indices.iter().any(|index| match program.expr(*index) {
            Expr::Binary(BinaryOperator::Subtract, from, by) => {
                let positive = match program.expr(by) {
                    Expr::Int(text) => {
                        program.text(text).bytes().any(|b| (b'1'..=b'9').contains(&b))
                    }
                    _ => false,
                };
                is_index(from) && positive
            }
            _ => false,
        });
        if earlier {
            self.todo.extend(indices.into_iter().map(|index| (index, None)));
        }
        earlier
    }
}
