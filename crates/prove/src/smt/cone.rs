//! The cone of influence of nodes of a system.
//!
//! The assertions of the model always belong to it, because every run has to satisfy them.

use obligato_model::{Integer, Type};
use obligato_transition_system::{Binary, CheckKind, Graph, NodeId, Sort, System, Term};

/// A prophecy variable, as in [`crate::unrolling`]: an input that equals a node of the next step, and is false in the last
/// step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmtProphecy {
    /// The input, a Boolean, by its index.
    pub input: usize,
    /// The node.
    pub node: NodeId,
}

/// The parts of a cone, each in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Cone {
    /// The operations: all nodes but constants, inputs, latches.
    pub(super) operations: Vec<NodeId>,
    /// The inputs, by index.
    pub(super) inputs: Vec<usize>,
    /// The latches, by index.
    pub(super) latches: Vec<usize>,
    /// The values that nothing defines, by the index of the latch that stands for each; they are like inputs.
    pub(super) undefined: Vec<usize>,
    /// Booleans that are true in every step.
    pub(super) assertions: Vec<NodeId>,
    /// The prophecies whose input belongs to the cone.
    pub(super) prophecies: Vec<SmtProphecy>,
    /// Are two unknowns multiplied, or is one divided by another?
    pub(super) is_nonlinear: bool,
}

impl Cone {
    /// The cone of `roots`.
    pub(super) fn new(
        system: &System,
        roots: impl IntoIterator<Item = NodeId>,
        prophecies: &[SmtProphecy],
    ) -> Self {
        let graph = &system.graph;
        let checks = system.checks.iter().filter(|check| check.kind == CheckKind::Assertion);
        let mut assertions: Vec<NodeId> = checks.map(|check| check.node).collect();
        assertions.sort_unstable();
        assertions.dedup();
        let mut prophecy_of: Vec<Option<SmtProphecy>> = vec![None; system.inputs.len()];
        for prophecy in prophecies {
            prophecy_of[prophecy.input] = Some(*prophecy);
        }
        let mut matters = vec![false; graph.len()];
        let mut open: Vec<NodeId> = roots.into_iter().chain(assertions.iter().copied()).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut matters[node.index()], true) {
                continue;
            }
            match graph.term(node) {
                Term::Latch(index) => open.push(system.latches[index as usize].next),
                Term::Input(index) => {
                    open.extend(prophecy_of[index as usize].map(|prophecy| prophecy.node));
                }
                term => open.extend(term.children()),
            }
        }
        let mut cone = Self {
            operations: Vec::new(),
            inputs: Vec::new(),
            latches: Vec::new(),
            undefined: Vec::new(),
            assertions,
            prophecies: Vec::new(),
            is_nonlinear: is_nonlinear(graph, &matters),
        };
        for node in graph.nodes().filter(|node| matters[node.index()]) {
            match graph.term(node) {
                Term::Constant(_) => {}
                Term::Input(index) => cone.inputs.push(index as usize),
                Term::Latch(index) if system.is_undefined(index as usize) => {
                    cone.undefined.push(index as usize);
                }
                Term::Latch(index) => cone.latches.push(index as usize),
                _ => cone.operations.push(node),
            }
        }
        cone.prophecies = cone.inputs.iter().filter_map(|input| prophecy_of[*input]).collect();
        cone
    }
}

/// Does the cone multiply or divide by something that is not constant? Bit-vectors are finite, so
/// they do not count.
fn is_nonlinear(graph: &Graph, matters: &[bool]) -> bool {
    let mut varies = vec![false; graph.len()];
    for node in graph.nodes().filter(|node| matters[node.index()]) {
        let term = graph.term(node);
        let is_variable = matches!(term, Term::Input(_) | Term::Latch(_));
        varies[node.index()] = is_variable || term.children().any(|child| varies[child.index()]);
        if let Term::Binary(operation, a, b) = term
            && varies[b.index()]
            && !matches!(graph.sort(a), Sort::Machine(_))
            && (operation.is_division() || operation == Binary::Multiply && varies[a.index()])
        {
            return true;
        }
    }
    false
}

/// The least and the largest value that the type of an input allows, where its sort allows more.
pub(super) fn input_bounds(kind: &Type) -> Option<(Integer, Integer)> {
    match kind {
        Type::Subrange(..) | Type::OpenEnumeration(_) => kind.bounds(),
        Type::Enumeration(names) => {
            Some((Integer::ZERO, Integer::from(names.len()) - Integer::ONE))
        }
        _ => None,
    }
}

/// The bounds of a value that nothing defines: those of its type, and what simulations take.
pub(super) fn undefined_bounds(kind: &Type) -> Option<(Integer, Integer)> {
    let (low, high) = input_bounds(kind)?;
    Some((low.min(Integer::ZERO), high.max(Integer::ZERO)))
}
