//! The decisions of all instances, and the result put together.

use std::ops::Range;

use obligato_model::program::{NewCondition, NewDecision};
use obligato_model::{
    DecisionId, Function, FunctionId, Program, Statement, SuiteInterface, Variable,
};
use obligato_transition_system::NodeId;

use super::lowered::{DecisionSite, InstanceId, Lowered, Occurrence};
use super::machine::{ContextId, Machine, Outcome};
use crate::analysis::{ClockId, Equation, Extent, Purpose};
use obligato_lustre_syntax::source::Source;

impl Machine<'_> {
    /// Puts the result together.
    pub fn finish(self, path: &str) -> Lowered {
        let bytes = self.bytes;
        let mut occurrences: Vec<(InstanceId, u32, ContextId)> = Vec::new();
        for (context, decision) in self.found.keys() {
            occurrences.push((self.instance_of(*context), *decision, *context));
        }
        occurrences.sort_unstable();
        let sources = self.model.program_of_sources(path, bytes, self.options.extent);
        let interface = self.interface();
        let mut program = Program::new();
        program.interface = interface.clone();
        let (mut decisions, mut statements) = (Vec::new(), Vec::new());
        let mut at = 0;
        let spans = Source::new(bytes);
        let templates = self.templates(&sources);
        for index in 0..self.instances.len() {
            let instance = InstanceId::new(index);
            let function = self.add_function(&mut program, instance, path, &spans);
            self.add_statements(&mut program, function, instance, &spans, &mut statements);
            let node = self.node_of(instance);
            let mut template = templates[self.instances[index].node.index()].clone();
            let mut ids: Vec<Option<DecisionId>> = Vec::new();
            for (position, decision) in node.decisions.iter().enumerate() {
                let start = at;
                while at < occurrences.len()
                    && occurrences[at].1 == position as u32
                    && occurrences[at].0 == instance
                {
                    at += 1;
                }
                if self.options.extent == Extent::Equations && decision.purpose != Purpose::Equation
                {
                    ids.push(None);
                    continue;
                }
                let known = template.next().expect("invariant: the same decisions are listed");
                let known = DecisionId::new(known);
                let source = sources.decision(known);
                let conditions =
                    sources.conditions_of(known).iter().map(|condition| NewCondition {
                        span: condition.span,
                        text: condition.text.clone(),
                        constant: condition.constant,
                        relation: condition.relation.clone(),
                    });
                let new = NewDecision {
                    function,
                    span: source.span,
                    text: source.text.clone(),
                    role: source.role,
                    tree: source.tree.clone(),
                    conditions: conditions.collect(),
                };
                let id = program
                    .add_decision(new)
                    .expect("invariant: the conditions are those of the tree");
                if let Some((outer, ordinal)) = decision.nested_in
                    && let Some(outer) = ids[outer as usize]
                {
                    program.nest(id, program.condition_at(outer, ordinal as usize));
                }
                ids.push(Some(id));
                let conditions = decision.conditions.len();
                let mut site = DecisionSite::default();
                for (_, number, context) in &occurrences[start..at] {
                    let found = &self.found[&(*context, *number)];
                    let Some(root) = found.root else { continue };
                    let mut taps = found.taps.clone();
                    taps.resize(conditions, None);
                    let mut operands = found.operands.clone();
                    operands.resize(conditions, None);
                    let active = found.active.expect("invariant: activities were found");
                    site.occurrences.push(Occurrence { root, taps, operands, active });
                }
                decisions.push(site);
            }
        }
        let mut places = self.places;
        places.resize(self.system.graph.len(), None);
        Lowered {
            system: self.system,
            interface,
            program,
            instances: self.instances,
            statements,
            decisions,
            variables: self.variables,
            origins: self.origins,
            places,
            functions: self.functions,
            assumptions: self.assumptions,
            warnings: self.model.warnings.clone(),
        }
    }

    /// Finds when the decisions and equations of every instance are evaluated.
    pub fn find_activities(&mut self) -> Outcome<()> {
        let mut keys: Vec<_> = self.found.keys().copied().collect();
        keys.sort_unstable();
        for (context, decision) in keys {
            let instance = self.instance_of(context);
            let root = self.node_of(instance).decisions[decision as usize].root;
            let active = self.demand_activity(instance, self.model.clocks.of(root))?;
            let evaluated = self.is_evaluated(self.found[&(context, decision)].discarded)?;
            let active = self.and(active, evaluated);
            self.found.entry((context, decision)).or_default().active = Some(active);
        }
        self.settle_pending()?;
        let mut wanted = Vec::new();
        for instance in (0..self.instances.len()).map(InstanceId::new) {
            let equations = self.node_of(instance).equations.iter();
            wanted.extend(equations.map(|equation| (instance, self.clock_of(equation))));
        }
        wanted.sort_unstable();
        wanted.dedup();
        for (instance, clock) in wanted {
            let active = self.demand_activity(instance, clock)?;
            self.activities.insert((instance, clock), active);
        }
        Ok(())
    }

    fn clock_of(&self, equation: &Equation) -> ClockId {
        match equation.targets.first() {
            Some(target) => self.model.clocks.of_variable(target.variable),
            None => self.model.clocks.of(equation.value),
        }
    }

    fn add_statements(
        &self,
        program: &mut Program,
        function: FunctionId,
        instance: InstanceId,
        spans: &Source<'_>,
        active: &mut Vec<NodeId>,
    ) {
        let equations = self.node_of(instance).equations.iter();
        // What blocks and automata are rewritten to is no statement of the text.
        for equation in equations.filter(|equation| self.model.is_written(equation.value)) {
            let (span, text) = (spans.span(equation.span), self.text_of_equation(equation));
            program.add_statement(Statement { function, span, text });
            active.push(self.activities[&(instance, self.clock_of(equation))]);
        }
    }

    fn add_function(
        &self,
        program: &mut Program,
        instance: InstanceId,
        path: &str,
        spans: &Source<'_>,
    ) -> FunctionId {
        let file = program.add_file(path);
        let (name, span) =
            (self.path(instance).to_owned(), spans.span(self.node_of(instance).span));
        program.add_function(Function { name, file, span, entered: false })
    }

    /// By node, the positions of its decisions among those of the sources.
    fn templates(&self, sources: &Program) -> Vec<Range<usize>> {
        let mut templates = vec![0..0; self.model.nodes.len()];
        let all = sources.decisions();
        let mut start = 0;
        for (function, node) in self.model.sources(self.options.extent).enumerate() {
            let listed = all[start..].iter().take_while(|one| one.function.index() == function);
            let end = start + listed.count();
            templates[node.index()] = start..end;
            start = end;
        }
        templates
    }

    fn interface(&self) -> SuiteInterface {
        let inputs = self.system.inputs.iter();
        let outputs = self.system.outputs.iter();
        SuiteInterface {
            inputs: inputs
                .map(|input| Variable { name: input.name.clone(), kind: input.kind.clone() })
                .collect(),
            outputs: outputs
                .map(|output| Variable { name: output.name.clone(), kind: output.kind.clone() })
                .collect(),
        }
    }
}
