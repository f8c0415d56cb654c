//! The parts that automata become: expressions, types and nodes.

use super::reads::{Input, Interface};
use super::{Rewriter, Variables};
use obligato_lustre_syntax::ast::{
    Arm, Body, Call, Clock, Declaration, DeclarationKind, Definition, Entry, Expr, ExprId, ItemId,
    List, Local, MergeNotation, Name, NamedExpr, Node, NodeKind, Signature, Transition, Trivia,
    Type, TypeId, Variability,
};
use obligato_lustre_syntax::source::ByteSpan;

/// A node that part of an automaton becomes.
pub(super) struct NewNode {
    pub(super) name: Name,
    pub(super) span: ByteSpan,
    pub(super) interface: Interface,
    pub(super) outputs: Vec<(Name, TypeId)>,
    /// Those of the text; the constants of the interface come after them.
    pub(super) locals: Vec<Local>,
    pub(super) items: Vec<ItemId>,
}

impl Rewriter<'_> {
    /// `if guard then (S, true) else if … else stay`: the first guard that holds decides.
    pub(super) fn transitions(
        &mut self,
        transitions: &[Transition],
        stay: ExprId,
        variables: &Variables,
    ) -> ExprId {
        let mut next = stay;
        let arms: Vec<Arm> =
            transitions.iter().flat_map(|transition| transition.arms.iter().copied()).collect();
        for arm in arms.into_iter().rev() {
            let target = self.target(variables, arm.state, arm.entry);
            // What comes after one without a guard is never taken, but checked.
            let span = arm.state.span;
            let guard = arm.guard.unwrap_or_else(|| self.program.add_expr(Expr::Bool(true), span));
            next = self.program.add_expr(Expr::If(guard, target, next), span);
        }
        next
    }

    /// A state and whether it is restarted.
    pub(super) fn target(&mut self, variables: &Variables, state: Name, entry: Entry) -> ExprId {
        let value = variables.values[&state.symbol];
        let next = self.program.add_name(Name { span: state.span, ..value });
        let restart = self.program.add_expr(Expr::Bool(entry == Entry::Restart), state.span);
        self.program.add_list_expr(vec![next, restart], state.span)
    }

    /// `x when S(clock)`.
    pub(super) fn when(&mut self, name: Name, clock: Name, value: Name) -> ExprId {
        let operand = self.program.add_name(name);
        self.program.add_expr(Expr::When(operand, Clock::Value { value, clock }), name.span)
    }

    /// `(restart node every restart)(x, …)`, all `when S(clock)`.
    pub(super) fn call(
        &mut self,
        node: Name,
        interface: &Interface,
        clock: Name,
        value: Name,
        restart: Name,
    ) -> ExprId {
        let restart = Some(self.when(restart, clock, value));
        let mut arguments = Vec::new();
        for input in &interface.inputs {
            arguments.push(match input.variability {
                Variability::Constant => self.program.add_name(input.read),
                Variability::Stream => self.when(input.read, clock, value),
            });
        }
        let arguments = self.program.expr_lists.add(arguments);
        let statics = List::empty();
        let call = Call { node, statics, arguments, restart, activation: None };
        let call = self.program.add_call(call);
        self.program.add_expr(Expr::Call(call), node.span)
    }

    pub(super) fn merge(
        &mut self,
        clock: Name,
        branches: Vec<NamedExpr>,
        span: ByteSpan,
    ) -> ExprId {
        let (branches, notation) = (self.program.named.add(branches), MergeNotation::Cases);
        self.program.add_expr(Expr::Merge { clock: clock.symbol, branches, notation }, span)
    }

    /// A type by its name; without one `bool`.
    pub(super) fn kind(&mut self, name: Option<Name>, span: ByteSpan) -> TypeId {
        let kind = name.map_or(Type::Bool, |name| Type::Named(name.symbol, List::empty()));
        self.program.add_type(kind, span)
    }

    pub(super) fn declare(&mut self, kind: DeclarationKind, span: ByteSpan) {
        self.declarations.push(Declaration { kind, span, trivia: Trivia::default() });
    }

    pub(super) fn node(&mut self, new: NewNode) {
        let NewNode { name, span, interface, outputs, mut locals, items } = new;
        let mut signature = Signature::default();
        for Input { declared, kind, variability, .. } in interface.inputs {
            signature.inputs.push(self.program.add_group(declared, kind, variability));
        }
        for (output, kind) in outputs {
            let group = self.program.add_group(output, kind, Variability::Stream);
            signature.outputs.push(group);
        }
        locals.extend(interface.constants.into_iter().map(Local::Constant));
        let body = Body::Defined(Definition { locals, items, closing: List::empty() });
        let (kind, opacity, contract) = (NodeKind::Node, None, None);
        let node = Node { kind, opacity, name, signature, contract, body };
        self.declare(DeclarationKind::Node(Box::new(node)), span);
    }
}
