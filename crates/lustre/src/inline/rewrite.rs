//! The expressions of the inlined model.
//!
//! One scan copies what stays, in its order; at a reference that is replaced the definition is
//! copied in its place, with the references in it replaced in turn. So the work is linear in
//! what it makes, and operands stay before what they are operands of.

use super::choose::Choice;
use crate::analysis::Model;
use obligato_lustre_syntax::ast::{ExprId, SyntaxTree};
use obligato_lustre_syntax::source::ByteSpan;

/// A program with all expressions and nothing that names them yet.
pub(super) struct Rewritten {
    /// The program.
    pub program: SyntaxTree,
    /// By old expression: the new one that stands for it, if it stays.
    pub new: Vec<Option<ExprId>>,
}

/// Makes the expressions.
pub(super) fn rewrite(model: &Model, choice: &Choice) -> Rewritten {
    let old = &model.program;
    let exprs = old.exprs().len();
    let inner = operands_of_operators(model);
    let gone = gone(model, choice);
    let mut rewriter = Rewriter {
        model,
        choice,
        inner: &inner,
        copies: vec![None; exprs],
        program: old.without_exprs(),
    };
    let mut new = vec![None; exprs];
    let mut in_text = true;
    for index in (0..exprs).filter(|index| !gone[*index]) {
        let id = ExprId::new(index);
        if in_text && !old.is_written(id) {
            in_text = false;
            rewriter.program.end_of_copied_text(old);
        }
        new[index] = Some(match choice.replacement(model, id) {
            Some(_) => rewriter.copy(id),
            None => rewriter.add(id, None, &new),
        });
    }
    Rewritten { program: rewriter.program, new }
}

/// By expression: is it an operand of a Boolean operator, so that it is not the whole of a
/// decision?
fn operands_of_operators(model: &Model) -> Vec<bool> {
    let mut inner = vec![false; model.program.exprs().len()];
    for index in 0..inner.len() {
        let id = ExprId::new(index);
        if model.is_boolean_operator(id) {
            model.program.children(id).for_each(|child| inner[child.index()] = true);
        }
    }
    inner
}

/// By expression: does it belong to an equation that goes, or to a longer name that is replaced?
fn gone(model: &Model, choice: &Choice) -> Vec<bool> {
    let program = &model.program;
    let mut gone = vec![false; program.exprs().len()];
    let equations = model.nodes.iter().flat_map(|node| &node.equations);
    for equation in equations.filter(|equation| choice.removes(equation)) {
        gone[equation.value.index()] = true;
    }
    // Operands come first, so from the end their parents are seen before them.
    for index in (0..gone.len()).rev() {
        let id = ExprId::new(index);
        if gone[index] || choice.replacement(model, id).is_some() {
            program.children(id).for_each(|child| gone[child.index()] = true);
        }
    }
    gone
}

struct Rewriter<'m> {
    model: &'m Model,
    choice: &'m Choice,
    inner: &'m [bool],
    /// By old expression: its latest copy. A definition does not contain itself, so a copy is
    /// taken up by its parent before the next is made.
    copies: Vec<Option<ExprId>>,
    program: SyntaxTree,
}

enum Task {
    Visit(ExprId),
    /// The expression whose copy it will be, what is copied, and its new place if it has one.
    Build(ExprId, ExprId, Option<ByteSpan>),
}

impl Rewriter<'_> {
    /// Copies what replaces a reference.
    fn copy(&mut self, reference: ExprId) -> ExprId {
        let old = &self.model.program;
        let mut copies = std::mem::take(&mut self.copies);
        let mut todo = vec![Task::Visit(reference)];
        while let Some(task) = todo.pop() {
            match task {
                Task::Visit(id) => {
                    let (what, place) = self.look_through(id);
                    todo.push(Task::Build(id, what, place));
                    let start = todo.len();
                    todo.extend(old.children(what).map(Task::Visit));
                    todo[start..].reverse();
                }
                Task::Build(id, what, place) => {
                    copies[id.index()] = Some(self.add(what, place, &copies));
                }
            }
        }
        self.copies = copies;
        self.copies[reference.index()].expect("invariant: the reference was visited")
    }

    /// What stands where an expression stood. A whole decision stands there itself,
    /// as it is made there; a part of one stands where it is written.
    fn look_through(&self, id: ExprId) -> (ExprId, Option<ByteSpan>) {
        let Some(what) = self.choice.replacement(self.model, id) else { return (id, None) };
        let decides = !self.inner[id.index()];
        (what, decides.then(|| self.model.program.expr_span(id)))
    }

    /// Adds an expression with the operands in `new`. It is rewritten if it has a new place, or
    /// if one of its operands is rewritten or was replaced.
    fn add(&mut self, id: ExprId, place: Option<ByteSpan>, new: &[Option<ExprId>]) -> ExprId {
        let old = &self.model.program;
        let differs = |child: ExprId| {
            let replaced = self.choice.replacement(self.model, child).is_some();
            replaced || self.program.is_rewritten(operand(new, child))
        };
        let rewritten = place.is_some() || old.is_rewritten(id) || old.children(id).any(differs);
        let span = place.unwrap_or(old.expr_span(id));
        let added = self.program.add_copy(Some(old), id, span, &|child| operand(new, child));
        if rewritten {
            self.program.mark_rewritten();
        }
        added
    }
}

fn operand(new: &[Option<ExprId>], old: ExprId) -> ExprId {
    new[old.index()].expect("invariant: operands come first")
}
