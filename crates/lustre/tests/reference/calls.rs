//! Calls: a frame each, and whether they are made in a step.

use std::collections::{HashMap, HashSet};

use obligato_lustre::analysis::{Model, NodeId, Resolution};
use obligato_lustre_syntax::ast::{Expr, ExprId, Group};

use super::value::V;
use super::{Bindings, Frame, Place, Reference};

/// The condition of each call inside a `condact`.
pub(super) fn conditions(model: &Model) -> HashMap<ExprId, ExprId> {
    let condacts = model.program.exprs().iter().filter_map(|expr| match expr {
        Expr::Condact { clock, call, .. } => Some((*call, *clock)),
        _ => None,
    });
    condacts.collect()
}

/// A call on a clock, with what it gives before it is made for the first time.
pub(super) struct Conditional<'a> {
    pub(super) call: ExprId,
    pub(super) clock: ExprId,
    pub(super) defaults: &'a [ExprId],
}

impl Reference<'_> {
    pub(super) fn add_frame(
        &mut self,
        node: NodeId,
        path: String,
        parent: Option<usize>,
        arguments: Vec<ExprId>,
        bound: Bindings,
    ) {
        self.frames.push(Frame {
            node,
            path,
            parent,
            arguments,
            bound,
            children: HashMap::new(),
            entered: parent.is_none(),
            active: parent.is_none(),
            restarted: false,
            assumptions_broken: false,
            seen: HashSet::new(),
            before: HashMap::new(),
            history: HashMap::new(),
            values: HashMap::new(),
            elements: HashMap::new(),
        });
    }

    /// The path of a call: the name of the node, its number among the calls of the node, and the
    /// values of the variables around it.
    fn path(&self, place: Place<'_>, id: ExprId, callee: NodeId) -> String {
        let frame = &self.frames[place.frame];
        let start = |id: ExprId| self.model.program.expr_span(id).start;
        let same = self.model.node(frame.node).calls.iter().filter(|other| other.callee == callee);
        let ordinal = same.filter(|other| start(other.expr) < start(id)).count() + 1;
        let name = self.model.text(self.model.node(callee).name.symbol);
        let mut path = format!("{}/{name}", frame.path);
        if ordinal > 1 {
            path = format!("{path}#{ordinal}");
        }
        for (variable, value) in place.bound {
            let kind = self.model.variable(*variable).kind;
            path = match self.as_value(kind, value) {
                V::Bool(holds) => format!("{path}[{holds}]"),
                _ => format!("{path}[{value}]"),
            };
        }
        path
    }

    /// The frame of a call, knowing whether the call is made in this step.
    pub(super) fn enter(&mut self, place: Place<'_>, id: ExprId) -> usize {
        let program = &self.model.program;
        let Expr::Call(call) = program.expr(id) else { panic!("a call") };
        let call = program.call(call);
        let key = place.key(id);
        let known = self.frames[place.frame].children.get(&key).copied();
        let child = known.unwrap_or(self.frames.len());
        if known.is_none() {
            let Resolution::Node(callee) = self.model.resolution(id) else { panic!("a node") };
            let path = self.path(place, id, callee);
            let arguments = program.expr_lists[call.arguments].to_vec();
            self.frames[place.frame].children.insert(key, child);
            self.add_frame(callee, path, Some(place.frame), arguments, place.bound.to_vec());
        }
        if !self.frames[child].entered {
            self.frames[child].entered = true;
            let clock = match call.activation {
                Some(activation) => Some(activation.clock),
                None => self.conditions.get(&id).copied(),
            };
            let chain = self.operands_chain(id);
            let made = self.frames[place.frame].active
                && self.holds_all(place.frame, &chain)
                && clock.is_none_or(|clock| self.decides(|this| this.holds(place, clock)));
            let restarts = |restart| self.decides(|this| this.holds(place, restart));
            let anew = made && call.restart.is_some_and(restarts);
            self.frames[child].active = made;
            self.frames[child].restarted = self.frames[place.frame].restarted || anew;
        }
        child
    }

    /// Nobody asked for the frame, because the caller is not active.
    pub(super) fn stay_out(&mut self, at: usize) {
        let parent = self.frames[at].parent.unwrap();
        let restarted = self.frames[parent].restarted;
        let frame = &mut self.frames[at];
        (frame.entered, frame.active, frame.restarted) = (true, false, restarted);
    }

    /// The results of a call that is made.
    pub(super) fn outputs(&mut self, place: Place<'_>, call: ExprId, part: Option<usize>) -> V {
        let child = self.enter(place, call);
        let outputs = &self.model.node(self.frames[child].node).outputs;
        match (part, &outputs[..]) {
            (Some(part), _) => self.variable(child, outputs[part]),
            (None, [only]) => self.variable(child, *only),
            _ => V::Many(outputs.iter().map(|output| self.variable(child, *output)).collect()),
        }
    }

    /// `condact` and `activate` with first values.
    pub(super) fn conditional(
        &mut self,
        place: Place<'_>,
        id: ExprId,
        Conditional { call, clock, defaults }: Conditional<'_>,
        part: Option<usize>,
    ) -> V {
        if self.holds(place, clock) {
            return self.outputs(place, call, part);
        }
        let pick = |value: V| match part {
            Some(part) => value.many().swap_remove(part),
            None => value,
        };
        if !self.is_first(place, id) {
            return pick(self.before(place, id, self.model.kind(call)));
        }
        match (defaults, part) {
            ([only], Some(_)) if self.is_list(*only) => self.eval_part(place, *only, part),
            ([only], _) => self.eval(place, *only),
            (_, Some(part)) => self.eval(place, defaults[part]),
            _ => V::Many(defaults.iter().map(|default| self.eval(place, *default)).collect()),
        }
    }

    fn is_list(&self, id: ExprId) -> bool {
        matches!(self.model.program.expr(id), Expr::Group(Group::List, _))
    }
}
