//! The stack machine: tasks to do and values that wait for the tasks that take them.
//!
//! A task may push further tasks; those pushed last are done first. An expression leaves one
//! [`Bundle`] on the stack of values.

use std::collections::VecDeque;

use obligato_model::{Assumption, Integer, Value};
use obligato_transition_system::{Check, Graph, NodeId, System, SystemBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Options;
use super::discards::{Discard, DiscardId};
use super::functions::UnknownFunction;
use super::lowered::{Instance, InstanceId, NamedNode, Origin};
use super::mutants::Forks;
use super::shape::{Bundle, Shape, Shapes};
use super::state::Pending;
use super::survey::Survey;
pub(super) use super::task::{Context, ContextId, Found, Given, LoweringSite, Scope, Slot, Task};
use crate::analysis::{ClockId, ConstantId, KindId, Kinds, Model, VariableId};
use obligato_lustre_syntax::ast::{ExprId, Symbol, SyntaxTree};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::{ByteSpan, Source};

pub(super) type Outcome<T> = Result<T, Box<Diagnostic>>;

pub(super) struct Machine<'m> {
    pub model: &'m Model,
    pub program: &'m SyntaxTree,
    pub options: &'m Options,
    pub bytes: &'m [u8],
    pub survey: Survey,
    pub builder: SystemBuilder,
    pub shapes: Shapes,
    pub tasks: Vec<Task>,
    pub values: Vec<Bundle>,
    pub contexts: Vec<Context>,
    pub instances: Vec<Instance>,
    pub scopes: Vec<Scope>,
    pub slots: FxHashMap<(InstanceId, VariableId), Slot>,
    pub shared: FxHashMap<(ContextId, ExprId), Bundle>,
    pub calls: FxHashMap<(ContextId, ExprId), InstanceId>,
    /// By instance and position of the import.
    pub imports: FxHashMap<(InstanceId, u32), InstanceId>,
    /// By called node with a contract: have its assumptions held so far?
    pub assumed: FxHashMap<InstanceId, NodeId>,
    /// By called node: how many of its assumptions are stated.
    pub assumption_counts: FxHashMap<InstanceId, u32>,
    /// The lines of the text, once something is named by them.
    pub lines: Option<Source<'m>>,
    /// The modes that are being lowered.
    pub open_modes: FxHashSet<(InstanceId, u32)>,
    pub constants: FxHashMap<ConstantId, Bundle>,
    pub firsts: FxHashMap<(InstanceId, ClockId), NodeId>,
    /// By variable: what nothing defines before its first instant.
    pub undefined: FxHashMap<(InstanceId, VariableId), Vec<NodeId>>,
    pub pending: VecDeque<Pending>,
    pub latch_counts: FxHashMap<(InstanceId, ExprId), u32>,
    /// The instance and the expression that each latch belongs to.
    pub latch_owners: FxHashMap<NodeId, (InstanceId, ExprId)>,
    pub found: FxHashMap<(ContextId, u32), Found>,
    /// Why expressions may not be evaluated.
    pub discards: Vec<Discard>,
    /// Where they are, as far as it was asked.
    pub evaluated: FxHashMap<DiscardId, NodeId>,
    pub variables: Vec<NamedNode>,
    pub checks: Vec<Check>,
    /// That unknown functions are functions.
    pub function_checks: Vec<Check>,
    pub stated: FxHashSet<(NodeId, u32)>,
    pub origins: Vec<Origin>,
    /// By node of the graph: what it was first made for.
    pub places: Vec<Option<Origin>>,
    pub functions: Vec<UnknownFunction>,
    pub assumptions: Vec<Assumption>,
    /// The types of which nothing is known, as far as they came up.
    pub free_types: FxHashSet<Symbol>,
    pub activities: FxHashMap<(InstanceId, ClockId), NodeId>,
    pub system: System,
    pub always: NodeId,
    /// The mutants to lower beside the model; there are no taps on conditions then.
    pub forks: Option<Forks>,
}

impl<'m> Machine<'m> {
    pub fn new(model: &'m Model, bytes: &'m [u8], options: &'m Options) -> Self {
        let mut builder = SystemBuilder::new();
        let always = builder.graph().bool(true);
        Self {
            model,
            program: &model.program,
            options,
            bytes,
            survey: Survey::new(model),
            builder,
            shapes: Shapes::default(),
            tasks: Vec::new(),
            values: Vec::new(),
            contexts: Vec::new(),
            instances: Vec::new(),
            scopes: Vec::new(),
            slots: FxHashMap::default(),
            shared: FxHashMap::default(),
            calls: FxHashMap::default(),
            imports: FxHashMap::default(),
            assumed: FxHashMap::default(),
            assumption_counts: FxHashMap::default(),
            lines: None,
            open_modes: FxHashSet::default(),
            constants: FxHashMap::default(),
            firsts: FxHashMap::default(),
            undefined: FxHashMap::default(),
            pending: VecDeque::new(),
            latch_counts: FxHashMap::default(),
            latch_owners: FxHashMap::default(),
            found: FxHashMap::default(),
            discards: Vec::new(),
            evaluated: FxHashMap::default(),
            variables: Vec::new(),
            checks: Vec::new(),
            function_checks: Vec::new(),
            stated: FxHashSet::default(),
            origins: Vec::new(),
            places: Vec::new(),
            functions: Vec::new(),
            assumptions: Vec::new(),
            free_types: FxHashSet::default(),
            activities: FxHashMap::default(),
            system: System::default(),
            always,
            forks: None,
        }
    }

    /// Lowers everything but the checks that nothing divides by zero.
    pub fn lower_all(&mut self) -> Outcome<()> {
        self.enter_main()?;
        self.lower_outputs()?;
        self.lower_instances()?;
        self.relate_calls();
        self.find_activities()
    }

    /// Does a task and all that it needs, and gives the value it leaves.
    pub fn run(&mut self, task: Task) -> Outcome<Bundle> {
        let start = self.tasks.len();
        let nodes = self.graph().len();
        self.places.resize(nodes, None);
        self.tasks.push(task);
        while self.tasks.len() > start {
            let task = self.tasks.pop().expect("invariant: there are more tasks than before");
            self.step(task)?;
            if let Some(origin) = self.origin_of(task) {
                self.place_new_nodes(origin);
            }
        }
        Ok(self.pop())
    }

    /// What a task makes nodes for.
    fn origin_of(&self, task: Task) -> Option<Origin> {
        let (instance, span) = match task {
            Task::Expr(place, id)
            | Task::Shared(place, id)
            | Task::Fork(place, id)
            | Task::Join(place, id)
            | Task::Branch(place, id)
            | Task::Apply(place, id)
            | Task::Enter(place, id, _)
            | Task::Outputs(place, id) => {
                (self.instance_of(place.context), self.program.expr_span(id))
            }
            Task::Variable(instance, variable)
            | Task::Define(instance, variable)
            | Task::Element(instance, variable, _)
            | Task::DefineElement(instance, variable, _) => {
                (instance, self.model.variable(variable).name.span)
            }
            Task::Remember(..) | Task::Collect(_) | Task::Drop => return None,
        };
        Some(Origin { instance, span })
    }

    /// Nodes that have no place yet were made for `origin`.
    pub fn place_new_nodes(&mut self, origin: Origin) {
        let nodes = self.builder.graph().len();
        self.places.resize(nodes, Some(origin));
    }

    fn step(&mut self, task: Task) -> Outcome<()> {
        match task {
            Task::Expr(place, id) => {
                if self.forks.as_ref().is_some_and(|forks| forks.has(id)) {
                    self.tasks.push(Task::Fork(place, id));
                }
                return self.start(place, id);
            }
            Task::Fork(place, id) => self.fork(place, id),
            Task::Join(place, id) => self.join(place, id),
            Task::Shared(place, id) => {
                if let Some(known) = self.shared.get(&(place.context, id)) {
                    self.values.push(known.clone());
                } else {
                    self.push_all([Task::Expr(place, id), Task::Remember(place.context, id)]);
                }
            }
            Task::Remember(context, id) => {
                let value = self.values.last().expect("invariant: the expression left a value");
                self.shared.insert((context, id), value.clone());
            }
            Task::Branch(place, id) => self.branch(place, id),
            Task::Apply(place, id) => {
                self.note_operands(place, id);
                let value = self.apply(place, id)?;
                self.settle(place, id, value);
            }
            Task::Variable(instance, variable) => return self.variable(instance, variable),
            Task::Define(instance, variable) => self.define(instance, variable),
            Task::Element(instance, variable, position) => {
                return self.element(instance, variable, position);
            }
            Task::DefineElement(instance, variable, position) => {
                self.define_element(instance, variable, position);
            }
            Task::Enter(place, call, clock) => return self.enter(place, call, clock),
            Task::Outputs(place, call) => self.outputs(place, call),
            Task::Collect(count) => {
                let start = self.values.len() - count as usize;
                let parts = self.values.split_off(start);
                let value = self.list(parts);
                self.values.push(value);
            }
            Task::Drop => {
                self.pop();
            }
        }
        Ok(())
    }

    /// Puts a value on the stack, with a tap if it is a condition.
    pub fn settle(&mut self, place: LoweringSite, id: ExprId, mut value: Bundle) {
        if self.forks.is_some() {
            self.values.push(value);
            return;
        }
        if let Some((decision, ordinal)) = self.survey.conditions[id.index()] {
            let of = value.leaves[0];
            let tap = self.graph().tap(of).expect("invariant: a node of this graph");
            value.leaves[0] = self.graph().tap_node(tap);
            let found = self.found.entry((place.context, decision)).or_default();
            found.reach(ordinal as usize);
            found.taps[ordinal as usize] = Some(tap);
        }
        if let Some(decision) = self.survey.roots[id.index()] {
            let found = self.found.entry((place.context, decision)).or_default();
            found.root = Some(value.leaves[0]);
            found.discarded = place.discarded;
        }
        self.values.push(value);
    }

    /// The operands of a comparison are on the stack: a condition keeps them for its boundaries,
    /// because the graph may turn the comparison around.
    fn note_operands(&mut self, place: LoweringSite, id: ExprId) {
        let Some((decision, ordinal)) = self.survey.conditions[id.index()] else { return };
        let node = self.node_of(self.instance_of(place.context));
        let condition = &node.decisions[decision as usize].conditions[ordinal as usize];
        let ([.., left, right], true) = (&self.values[..], condition.relation.is_some()) else {
            return;
        };
        let operands = (left.leaves[0], right.leaves[0]);
        let found = self.found.entry((place.context, decision)).or_default();
        found.reach(ordinal as usize);
        found.operands[ordinal as usize] = Some(operands);
    }

    pub fn pop(&mut self) -> Bundle {
        self.values.pop().expect("invariant: a task leaves the values that the next one takes")
    }

    pub fn pop_scalar(&mut self) -> NodeId {
        self.pop().leaves[0]
    }

    /// Pushes tasks so that the first of them is done first.
    pub fn push_all(&mut self, tasks: impl IntoIterator<Item = Task>) {
        let start = self.tasks.len();
        self.tasks.extend(tasks);
        self.tasks[start..].reverse();
    }

    pub fn graph(&mut self) -> &mut Graph {
        self.builder.graph()
    }

    pub fn instance_of(&self, context: ContextId) -> InstanceId {
        self.contexts[context.index()].instance
    }

    pub fn fail<T>(span: ByteSpan, text: impl Into<String>) -> Outcome<T> {
        Err(Box::new(Diagnostic::error(span, text)))
    }

    pub fn origin(&mut self, instance: InstanceId, span: ByteSpan) -> u32 {
        self.origins.push(Origin { instance, span });
        self.origins.len() as u32 - 1
    }

    // Values.

    pub fn scalar(&mut self, kind: KindId, node: NodeId) -> Bundle {
        let shape = self.shapes.intern(Shape::Scalar(kind));
        Bundle { shape, leaves: vec![node] }
    }

    pub fn boolean(&mut self, node: NodeId) -> Bundle {
        self.scalar(Kinds::bool(), node)
    }

    pub fn integer(&mut self, value: impl Into<Integer>) -> NodeId {
        let value = Value::Int(value.into());
        self.graph()
            .constant(obligato_transition_system::Sort::Int, value)
            .expect("invariant: an integer")
    }

    /// Several values as one list; one alone is itself.
    pub fn list(&mut self, mut parts: Vec<Bundle>) -> Bundle {
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let shapes = parts.iter().map(|part| part.shape).collect();
        let shape = self.shapes.intern(Shape::List(shapes));
        Bundle { shape, leaves: parts.into_iter().flat_map(|part| part.leaves).collect() }
    }

    /// The constant that a node is, as a number of elements or a position.
    pub fn known(&mut self, node: NodeId) -> Option<Integer> {
        match self.graph().as_constant(node) {
            Some(Value::Int(value)) => Some(value.clone()),
            _ => None,
        }
    }
}
