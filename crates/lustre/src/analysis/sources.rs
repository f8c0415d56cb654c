//! The model as coverage sees it: one function per source node, with its decisions.
//!
//! This counts every decision once, however often its node is called; a replay counts per call.

use obligato_model::program::{NewCondition, NewDecision};
use obligato_model::{DecisionId, Function, Program, SuiteInterface, Type, Variable};

use super::decision::Purpose;
use super::kind::{Kind, KindId, Size};
use super::model::{Model, Node, NodeBody, NodeId, VariableId};
use obligato_lustre_syntax::ast::ExprId;
use obligato_lustre_syntax::source::Source;

/// Which decisions to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Those of equations: what the model computes.
    Equations,
    /// Those of asserts, properties and contracts too.
    Everything,
}

/// A larger array is no interface that a test could be written for.
const MOST_ELEMENTS: u64 = 4096;
/// Nor are more variables than these: records of records of arrays grow fast.
const MOST_VARIABLES: usize = 1 << 16;

/// How decisions are listed.
struct Listing<'t> {
    /// The text that was parsed.
    bytes: &'t [u8],
    /// Its lines.
    source: Source<'t>,
    extent: Extent,
}

impl Model {
    /// The decisions of all source nodes, to plan obligations on. `bytes` is the text that was
    /// parsed, `path` its name in reports.
    pub fn program_of_sources(&self, path: &str, bytes: &[u8], extent: Extent) -> Program {
        let listing = Listing { bytes, source: Source::new(bytes), extent };
        let mut program = Program::new();
        program.interface = SuiteInterface {
            inputs: self.interface(&self.main_node().inputs),
            outputs: self.interface(&self.main_node().outputs),
        };
        let file = program.add_file(path);
        for node in self.sources(extent).map(|id| self.node(id)) {
            let function = program.add_function(Function {
                name: self.text(node.name.symbol).to_owned(),
                file,
                span: listing.source.span(node.span),
                entered: false,
            });
            self.add_decisions(node, function, &listing, &mut program);
        }
        program
    }

    /// The nodes that [`program_of_sources`](Self::program_of_sources) lists: those with a body;
    /// with all decisions, also what an imported node or an imported contract says.
    pub fn sources(&self, extent: Extent) -> impl Iterator<Item = NodeId> {
        let mut imported = vec![false; self.nodes.len()];
        for used in self.nodes.iter().flat_map(Node::uses) {
            imported[used.index()] = true;
        }
        let listed = move |id: &NodeId| match self.node(*id).body {
            NodeBody::Defined => true,
            NodeBody::Contract => extent == Extent::Everything && imported[id.index()],
            NodeBody::Imported | NodeBody::Uninterpreted => {
                extent == Extent::Everything && self.node(*id).contract.is_some()
            }
        };
        (0..self.nodes.len()).map(NodeId::new).filter(listed)
    }

    fn add_decisions(
        &self,
        node: &Node,
        function: obligato_model::FunctionId,
        Listing { bytes, source, extent }: &Listing<'_>,
        program: &mut Program,
    ) {
        let mut ids: Vec<Option<DecisionId>> = Vec::new();
        let place = |id: ExprId| {
            (source.span(self.program.expr_span(id)), self.program.expr_text(id, bytes))
        };
        for decision in &node.decisions {
            if *extent == Extent::Equations && decision.purpose != Purpose::Equation {
                ids.push(None);
                continue;
            }
            let (span, text) = place(decision.root);
            let conditions = decision.conditions.iter().map(|condition| {
                let (span, text) = place(condition.expr);
                let relation = condition.relation.clone();
                NewCondition { span, text, constant: condition.constant, relation }
            });
            let new = NewDecision {
                function,
                span,
                text,
                role: decision.role,
                tree: decision.tree.clone(),
                conditions: conditions.collect(),
            };
            let id = program
                .add_decision(new)
                .expect("invariant: a tree has the conditions that were found with it");
            if let Some((outer, ordinal)) = decision.nested_in
                && let Some(outer) = ids[outer as usize]
            {
                program.nest(id, program.condition_at(outer, ordinal as usize));
            }
            ids.push(Some(id));
        }
    }

    /// Inputs or outputs as tests set and see them: records and arrays part by part; none if
    /// there are too many.
    fn interface(&self, variables: &[VariableId]) -> Vec<Variable> {
        let mut found = Vec::new();
        for id in variables {
            let variable = self.variable(*id);
            let mut todo = vec![(self.variable_name(*id).to_owned(), variable.kind)];
            while let Some((name, kind)) = todo.pop() {
                let start = todo.len();
                if found.len() + start > MOST_VARIABLES {
                    return Vec::new();
                }
                match self.kinds.get(kind) {
                    Kind::Array(element, Size::Known(size)) if *size <= MOST_ELEMENTS => {
                        todo.extend((0..*size).map(|index| (format!("{name}[{index}]"), *element)));
                    }
                    Kind::Record(record) => {
                        let fields = &self.kinds.record(*record).fields;
                        todo.extend(fields.iter().map(|(field, kind)| {
                            (format!("{name}.{}", self.text(field.symbol)), *kind)
                        }));
                    }
                    Kind::Tuple(parts) => {
                        let parts = parts.iter().enumerate();
                        todo.extend(parts.map(|(part, kind)| (format!("{name}.%{part}"), *kind)));
                    }
                    _ => {
                        found.extend(self.scalar(kind).map(|kind| Variable { name, kind }));
                    }
                }
                todo[start..].reverse();
            }
        }
        found
    }

    /// The type of a test's value, for a kind without parts. Values of a free type are told apart
    /// by integers.
    pub fn scalar(&self, kind: KindId) -> Option<Type> {
        match self.kinds.get(kind) {
            Kind::Bool => Some(Type::Bool),
            Kind::Subrange(Some(low), Some(high)) => {
                Some(Type::Subrange(low.clone(), high.clone()))
            }
            Kind::Int | Kind::Subrange(..) | Kind::Free(_) => Some(Type::Int),
            Kind::Real => Some(Type::Real),
            Kind::Machine(signedness, bits) => Some(Type::Machine(*signedness, u32::from(*bits))),
            Kind::Enumeration(id) => {
                let values = &self.kinds.enumeration(*id).values;
                let names = values.iter().map(|value| self.text(value.symbol).to_owned());
                Some(Type::Enumeration(names.collect()))
            }
            _ => None,
        }
    }
}
