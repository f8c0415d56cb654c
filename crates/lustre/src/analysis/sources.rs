//! The model as coverage sees it: one function per source node, with its decisions.
//!
//! This counts every decision once, however often its node is called; a replay counts per call.

use obligato_model::program::NewCondition;
use obligato_model::{DecisionId, Function, Interface, Program, Type, Variable};

use super::decision::Purpose;
use super::kind::{Kind, KindId, Size};
use super::model::{Model, Node, NodeBody, VariableId};
use crate::ast::ExprId;
use crate::source::Source;

/// Which decisions to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Those of equations: what the model computes.
    Equations,
    /// Those of asserts, properties and contracts too.
    Everything,
}

/// A longer text is cut: of decisions nested thousands deep each contains the next.
const LONGEST_TEXT: usize = 1000;
/// A larger array is no interface that a test could be written for.
const MOST_ELEMENTS: u64 = 4096;
/// Nor are more variables than these: records of records of arrays grow fast.
const MOST_VARIABLES: usize = 1 << 16;

impl Model {
    /// The decisions of all source nodes, to plan obligations on. `bytes` is the text that was
    /// parsed, `path` its name in reports.
    pub fn program_of_sources(&self, path: &str, bytes: &[u8], extent: Extent) -> Program {
        let source = Source::new(bytes);
        let mut program = Program::new();
        program.interface = Interface {
            inputs: self.interface(&self.main_node().inputs),
            outputs: self.interface(&self.main_node().outputs),
        };
        let file = program.add_file(path);
        for node in self.nodes.iter().filter(|node| node.body == NodeBody::Defined) {
            let function = program.add_function(Function {
                name: self.text(node.name.symbol).to_owned(),
                file,
                span: source.span(node.span),
                entered: false,
            });
            self.add_decisions(node, function, bytes, &source, extent, &mut program);
        }
        program
    }

    fn add_decisions(
        &self,
        node: &Node,
        function: obligato_model::FunctionId,
        bytes: &[u8],
        source: &Source<'_>,
        extent: Extent,
        program: &mut Program,
    ) {
        let mut ids: Vec<Option<DecisionId>> = Vec::new();
        let place = |id: ExprId| {
            let span = self.program.expr_span(id);
            let range = span.start as usize..(span.end as usize).min(bytes.len());
            (source.span(span), collapsed(bytes.get(range).unwrap_or_default()))
        };
        for decision in &node.decisions {
            if extent == Extent::Equations && decision.purpose != Purpose::Equation {
                ids.push(None);
                continue;
            }
            let (span, text) = place(decision.root);
            let conditions = decision.conditions.iter().map(|condition| {
                let (span, text) = place(condition.expr);
                let relation = condition.relation.clone();
                NewCondition { span, text, constant: condition.constant, relation }
            });
            let conditions = conditions.collect();
            let tree = decision.tree.clone();
            let id = program
                .add_decision(function, span, text, decision.role, tree, conditions)
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

    /// The type of a test's value, for a kind without parts. A free type has none.
    pub fn scalar(&self, kind: KindId) -> Option<Type> {
        match self.kinds.get(kind) {
            Kind::Bool => Some(Type::Bool),
            Kind::Subrange(Some(low), Some(high)) => {
                Some(Type::Subrange(low.clone(), high.clone()))
            }
            Kind::Int | Kind::Subrange(..) => Some(Type::Int),
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

/// The text on one line: comments left out, white space collapsed.
fn collapsed(bytes: &[u8]) -> String {
    // What is far behind the cut need not be looked at; comments may take some of the room.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(16 * LONGEST_TEXT)]);
    let mut rest = &text[..];
    let mut found = String::new();
    let mut gap = false;
    while let Some(first) = rest.chars().next() {
        let comment_end = [("--", "\n"), ("/*", "*/"), ("(*", "*)")]
            .iter()
            .find(|(open, _)| rest.starts_with(open))
            .map(|(_, close)| rest[2..].find(close).map_or(rest.len(), |at| at + 2 + close.len()));
        let skipped = comment_end.or_else(|| first.is_whitespace().then(|| first.len_utf8()));
        if let Some(skipped) = skipped {
            gap = true;
            rest = &rest[skipped..];
            continue;
        }
        if gap && !found.is_empty() {
            found.push(' ');
        }
        gap = false;
        found.push(first);
        if found.len() > LONGEST_TEXT {
            found.push('…');
            break;
        }
        rest = &rest[first.len_utf8()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shown_on_one_line_without_comments() {
        assert_eq!(collapsed(b"a  and\n\t-- why\n b /* or */ or (* not *) c"), "a and b or c");
        assert_eq!(collapsed(b"x - -y"), "x - -y");
    }
}
