//! Pass 9: nothing depends on itself at the same instant.
//!
//! The graph has a vertex per definition; a definition depends on what it reads without a `pre`
//! or `fby` between. Parts of lists are told apart, and a call passes on only those inputs that
//! the called node's output reads at the same instant. Nodes are treated after those they call.

use super::components::DependencyGraph;
use super::model::{Definition, Equation, Model, NodeBody, NodeId, VariableId};
use super::report::Report;
use obligato_lustre_syntax::diagnostic::Diagnostic;

mod reads;

pub(crate) use reads::Reader;

/// Fills in [`Node::definitions`](super::Node::definitions) and
/// [`Node::instantaneous`](super::Node::instantaneous), or reports the cycles.
pub fn check_causality(model: &mut Model, report: &mut Report) {
    let mut called = vec![false; model.nodes.len()];
    for call in model.nodes.iter().flat_map(|node| &node.calls) {
        called[call.callee.index()] = true;
    }
    let mut scratch =
        Scratch { vertices: vec![NONE; model.variables.len()], reader: Reader::default() };
    for id in model.node_order.clone() {
        let node = model.node(id);
        let (order, graph) = sort(model, &node.equations, &mut scratch, report);
        let contract = node.contract.as_ref();
        let of_contract =
            contract.map(|contract| sort(model, &contract.equations, &mut scratch, report).0);
        let instantaneous = match node.body {
            NodeBody::Defined if called[id.index()] => summarise(model, id, &order, &graph),
            NodeBody::Defined | NodeBody::Contract => Vec::new(),
            NodeBody::Imported | NodeBody::Uninterpreted => {
                let all: Vec<_> = (0..node.inputs.len() as u32).collect();
                vec![all; node.outputs.len()]
            }
        };
        let node = &mut model.nodes[id.index()];
        node.definitions = order.into_iter().map(|(definition, _)| definition).collect();
        node.instantaneous = instantaneous;
        if let (Some(contract), Some(order)) = (&mut node.contract, of_contract) {
            contract.definitions = order.into_iter().map(|(definition, _)| definition).collect();
        }
    }
}

const NONE: u32 = u32::MAX;

/// What is as large as the model and so kept from node to node.
struct Scratch {
    /// Per variable, the vertex of its definition in the node at hand.
    vertices: Vec<u32>,
    reader: Reader,
}

/// What defines what, and what each definition reads.
struct Reads {
    graph: DependencyGraph,
    /// Per vertex, all variables read at the same instant, also those without a definition.
    variables: Vec<Vec<VariableId>>,
}

/// The definitions in a causal order, each with its vertex in the graph.
fn sort(
    model: &Model,
    equations: &[Equation],
    scratch: &mut Scratch,
    report: &mut Report,
) -> (Vec<(Definition, u32)>, Reads) {
    let Scratch { vertices, reader } = scratch;
    let mut definitions = Vec::new();
    for (equation, written) in equations.iter().enumerate() {
        for (part, target) in written.targets.iter().enumerate() {
            vertices[target.variable.index()] = definitions.len() as u32;
            let (equation, part) = (equation as u32, part as u32);
            definitions.push(Definition { variable: target.variable, equation, part });
        }
    }
    let mut reads = Reads { graph: DependencyGraph::new(), variables: Vec::new() };
    for definition in &definitions {
        let equation = &equations[definition.equation as usize];
        let variables = reader.reads(model, equation, definition.part as usize);
        let defined = variables.iter().map(|variable| vertices[variable.index()]);
        reads.graph.add(defined.filter(|vertex| *vertex != NONE));
        reads.variables.push(variables);
    }
    for definition in &definitions {
        vertices[definition.variable.index()] = NONE;
    }
    let (order, cycles) = reads.graph.sort();
    for cycle in cycles {
        report.add(describe(model, equations, &definitions, &cycle));
    }
    (order.into_iter().map(|vertex| (definitions[vertex as usize], vertex)).collect(), reads)
}

fn describe(
    model: &Model,
    equations: &[Equation],
    definitions: &[Definition],
    cycle: &[u32],
) -> Diagnostic {
    let at = |vertex: &u32| definitions[*vertex as usize];
    // The way is told in the names of the text.
    let is_told =
        |vertex: &&u32| model.is_written_name(model.variable(at(vertex).variable).name.symbol);
    let told: Vec<u32> = cycle.iter().filter(is_told).copied().collect();
    let cycle = if told.is_empty() { cycle } else { &told[..] };
    let names: Vec<_> =
        cycle.iter().map(|vertex| model.variable_name(at(vertex).variable)).collect();
    let first = names[0];
    let way = format!("{} -> {first}", names.join(" -> "));
    let place = |vertex: &u32| {
        let definition = at(vertex);
        equations[definition.equation as usize].targets[definition.part as usize].span
    };
    let text = format!("'{first}' depends on itself at the same instant: {way}");
    let mut diagnostic = Diagnostic::error(place(&cycle[0]), text);
    for (vertex, name) in cycle.iter().zip(&names).skip(1) {
        diagnostic = diagnostic.with_related(place(vertex), format!("'{name}' is defined here"));
    }
    diagnostic.with_help("a 'pre' on the way would end the cycle")
}

/// For each output, the inputs it depends on at the same instant.
fn summarise(
    model: &Model,
    id: NodeId,
    order: &[(Definition, u32)],
    reads: &Reads,
) -> Vec<Vec<u32>> {
    let node = model.node(id);
    let words = node.inputs.len().div_ceil(64);
    // Positions in `sets`: inputs first, then definitions in their causal order.
    let mut rows = rustc_hash::FxHashMap::default();
    let mut sets = vec![0u64; words * (node.inputs.len() + order.len())];
    for (position, input) in node.inputs.iter().enumerate() {
        rows.insert(*input, position);
        sets[position * words + position / 64] |= 1 << (position % 64);
    }
    for (position, (definition, vertex)) in order.iter().enumerate() {
        let row = node.inputs.len() + position;
        for read in &reads.variables[*vertex as usize] {
            let Some(&from) = rows.get(read) else { continue };
            for word in 0..words {
                sets[row * words + word] |= sets[from * words + word];
            }
        }
        rows.insert(definition.variable, row);
    }
    let inputs = |output: &VariableId| {
        let row = rows.get(output).copied();
        let holds = |position: &u32| {
            let position = *position as usize;
            row.is_some_and(|row| sets[row * words + position / 64] >> (position % 64) & 1 == 1)
        };
        (0..node.inputs.len() as u32).filter(holds).collect()
    };
    node.outputs.iter().map(inputs).collect()
}
