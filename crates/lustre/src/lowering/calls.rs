//! Calls: an instance per call, and the conditions under which calls are made.

use super::discards::Discard;
use super::lowered::{Instance, InstanceId};
use super::machine::{Context, ContextId, Given, LoweringSite, Machine, Outcome, Scope, Task};
use super::shape::Bundle;
use super::state::Before;
use crate::analysis::{ClockId, Import, NodeId as Callee, Resolution};
use obligato_lustre_syntax::ast::{Call, Expr, ExprId, Group};

impl Machine<'_> {
    /// Makes the instance of the main node.
    pub fn enter_main(&mut self) -> Outcome<()> {
        let node = self.model.main_node();
        let path = self.model.text(node.name.symbol).to_owned();
        let context = self.add_context();
        let scope = Scope { context, caller: None, given: Vec::new(), clock: None, restart: None };
        self.scopes.push(scope);
        let (node, span, active) = (self.model.main, node.span, self.always);
        self.instances.push(Instance { path, node, parent: None, span, active });
        self.main_inputs()
    }

    fn add_context(&mut self) -> ContextId {
        let instance = InstanceId::new(self.instances.len());
        self.contexts.push(Context { instance, parent: None, binding: None });
        ContextId::new(self.contexts.len() - 1)
    }

    fn call(&self, id: ExprId) -> Call {
        match self.program.expr(id) {
            Expr::Call(call) => self.program.call(call),
            _ => unreachable!("invariant: an instance is made for a call"),
        }
    }

    /// Begins a call; `condact` gives its clock and the call inside.
    pub fn start_call(
        &mut self,
        place: LoweringSite,
        id: ExprId,
        condact: Option<(ExprId, ExprId)>,
    ) {
        let call_expr = condact.map_or(id, |(_, call)| call);
        let call = self.call(call_expr);
        let clock = condact
            .map(|(clock, _)| clock)
            .or_else(|| call.activation.map(|activation| activation.clock));
        let mut tasks = Vec::new();
        if !self.calls.contains_key(&(place.context, call_expr)) {
            // The call is made, or not, also where its result is discarded.
            let mut always = LoweringSite { discarded: None, ..place.whole() };
            if self.model.clocks.of_call(call_expr) == ClockId::base() {
                // The call is made even in an arm that is not taken.
                always.guard = self.instances[self.instance_of(place.context).index()].active;
            }
            tasks.extend(clock.map(|clock| Task::Expr(always, clock)));
            let discarded =
                Some(self.discard(Discard::Restart { context: place.context, call: call_expr }));
            let made = LoweringSite { discarded, ..always };
            tasks.extend(call.restart.map(|restart| Task::Expr(made, restart)));
            tasks.push(Task::Enter(place, call_expr, clock));
        }
        tasks.push(Task::Outputs(place, call_expr));
        tasks.extend(self.defaults(place, id, call_expr));
        tasks.push(Task::Apply(place, id));
        self.push_all(tasks);
    }

    /// The tasks that leave the first values of a call as one value.
    fn defaults(&mut self, mut place: LoweringSite, id: ExprId, call_expr: ExprId) -> Vec<Task> {
        if self.default_list(id).is_none() {
            return Vec::new();
        }
        let (context, clock) = (place.context, self.model.clocks.of(id));
        let default = Discard::Default { context, call: call_expr, clock };
        place.discarded = Some(self.discard(default));
        let defaults = self.default_list(id).unwrap_or_default();
        let outputs = self.callee(call_expr).map_or(0, |node| self.model.node(node).outputs.len());
        let one_list = match defaults {
            [only] if outputs != 1 => {
                matches!(self.program.expr(*only), Expr::Group(Group::List, _))
            }
            _ => false,
        };
        match (place.part, one_list) {
            (_, true) => vec![Task::Expr(place, defaults[0])],
            (Some(part), false) => vec![Task::Expr(place.whole(), defaults[part as usize])],
            (None, false) => {
                let each = defaults.iter().map(|default| Task::Expr(place.whole(), *default));
                each.chain([Task::Collect(defaults.len() as u32)]).collect()
            }
        }
    }

    fn default_list(&self, id: ExprId) -> Option<&[ExprId]> {
        let list = match self.program.expr(id) {
            Expr::Condact { defaults, .. } => Some(defaults),
            Expr::Call(call) => self.program.call(call).activation?.defaults,
            _ => None,
        };
        list.map(|list| &self.program.expr_lists[list])
    }

    fn callee(&self, call_expr: ExprId) -> Option<Callee> {
        match self.model.resolution(call_expr) {
            Resolution::Node(callee) => Some(callee),
            _ => None,
        }
    }

    /// The clock and the restart of a call are on the stack, if it has them: makes its instance.
    pub fn enter(&mut self, place: LoweringSite, id: ExprId, clock: Option<ExprId>) -> Outcome<()> {
        let call = self.call(id);
        let span = self.program.expr_span(id);
        let restart = call.restart.map(|_| self.pop_scalar());
        let clock = clock.map(|_| self.pop_scalar());
        let parent = self.instance_of(place.context);
        // A call on a clock needs to know whether the clock holds.
        let mut active = self.demand_activity(parent, self.model.clocks.of_call(id))?;
        if let Some(clock) = clock {
            active = self.and(active, clock);
        }
        let inherited = self.scopes[parent.index()].restart;
        let own = restart.map(|restart| self.and(active, restart));
        let restart = match (inherited, own) {
            (Some(one), Some(other)) => Some(self.or(one, other)),
            (one, other) => one.or(other),
        };
        let node = self.callee(id).expect("invariant: a call names a node");
        let path = self.path_of(place.context, parent, id, node);
        let context = self.add_context();
        let given = self.program.expr_lists[call.arguments].iter().copied().map(Given::Expr);
        let (given, caller) = (given.collect(), Some(place.context));
        let scope = Scope { context, caller, given, clock, restart };
        let instance = Instance { path, node, parent: Some(parent), span, active };
        let instance = self.add_instance(instance, scope)?;
        self.calls.insert((place.context, id), instance);
        Ok(())
    }

    fn add_instance(&mut self, instance: Instance, scope: Scope) -> Outcome<InstanceId> {
        if self.instances.len() >= self.options.most_instances {
            let most = self.options.most_instances;
            let text = format!("the model has more than {most} calls and imports to expand");
            return Self::fail(instance.span, text);
        }
        self.scopes.push(scope);
        self.instances.push(instance);
        Ok(InstanceId::new(self.instances.len() - 1))
    }

    /// The instance of the contract that an import of the instance's contract takes over.
    pub fn imported(&mut self, importer: InstanceId, position: u32) -> Outcome<InstanceId> {
        if let Some(known) = self.imports.get(&(importer, position)) {
            return Ok(*known);
        }
        let imports = &self.contract_of(importer).imports;
        let import = &imports[position as usize];
        let name = self.model.text(self.model.node(import.contract).name.symbol);
        let mut path = format!("{}::{name}", self.path(importer));
        let same = |other: &&Import| other.contract == import.contract;
        match imports[..position as usize].iter().filter(same).count() {
            0 => {}
            before => path = format!("{path}#{}", before + 1),
        }
        let caller = Some(self.scopes[importer.index()].context);
        let restart = self.scopes[importer.index()].restart;
        let context = self.add_context();
        let inputs = import.inputs.iter().copied().map(Given::Expr);
        let given = inputs.chain(import.outputs.iter().copied().map(Given::Variable)).collect();
        let scope = Scope { context, caller, given, clock: None, restart };
        let active = self.instances[importer.index()].active;
        let (node, parent, span) = (import.contract, Some(importer), import.span);
        let instance = self.add_instance(Instance { path, node, parent, span, active }, scope)?;
        self.imports.insert((importer, position), instance);
        Ok(instance)
    }

    fn path_of(
        &mut self,
        context: ContextId,
        parent: InstanceId,
        id: ExprId,
        node: Callee,
    ) -> String {
        let name = self.model.text(self.model.node(node).name.symbol);
        // The states of automata are named by the node they are of.
        let caller = self.model.text(self.node_of(parent).name.symbol);
        let own = name.strip_prefix(caller).and_then(|rest| rest.strip_prefix('.'));
        let name = own.unwrap_or(name);
        let mut path = format!("{}/{name}", self.path(parent));
        match self.survey.ordinals.get(&id) {
            Some(ordinal) if *ordinal > 1 => path = format!("{path}#{ordinal}"),
            _ => {}
        }
        let mut bindings = Vec::new();
        let mut at = Some(context);
        while let Some(context) = at {
            let context = &self.contexts[context.index()];
            bindings.extend(context.binding);
            at = context.parent;
        }
        for (_, value) in bindings.into_iter().rev() {
            if let Some(value) = self.graph().as_constant(value) {
                path = format!("{path}[{value}]");
            }
        }
        path
    }

    /// Begins the outputs of a call.
    pub fn outputs(&mut self, place: LoweringSite, id: ExprId) {
        let instance = self.calls[&(place.context, id)];
        let outputs = &self.model.node(self.instances[instance.index()].node).outputs;
        let asked = match place.part {
            Some(part) => &outputs[part as usize..=part as usize],
            None => &outputs[..],
        };
        self.tasks.push(Task::Collect(asked.len() as u32));
        self.push_all(asked.iter().map(|output| Task::Variable(instance, *output)));
    }

    /// The outputs are on the stack, and the first values on them if there are any.
    pub fn finish_call(&mut self, place: LoweringSite, id: ExprId) -> Bundle {
        let call_expr = match self.program.expr(id) {
            Expr::Condact { call, .. } => call,
            _ => id,
        };
        let defaults = self.default_list(id).is_some().then(|| self.pop());
        let outputs = self.pop();
        let instance = self.calls[&(place.context, call_expr)];
        match (defaults, self.scopes[instance.index()].clock) {
            (Some(defaults), Some(clock)) => {
                self.keep(place, id, clock, outputs, Before::Given(defaults))
            }
            // Without first values the results count only where the clock holds.
            _ => outputs,
        }
    }
}
