//! Pass 6: the main node.
//!
//! What the user asks for comes first, then `--%MAIN` in the file. Without either it is the only
//! node that no other calls, else the last node of the file, provided that no other calls it.

use super::Options;
use super::model::{Model, NodeBody, NodeId};
use super::report::Report;
use obligato_lustre_syntax::ast::NodeKind;
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// Fills in [`Model::main`].
pub fn find_main(model: &mut Model, options: &Options<'_>, report: &mut Report) {
    let found = match options.main {
        Some(name) => asked_for(model, name),
        None => marked(model).unwrap_or_else(|| only_or_last(model)),
    };
    match found {
        Ok(main) => model.main = main,
        Err(diagnostic) => report.add(*diagnostic),
    }
}

type Found = Result<NodeId, Box<Diagnostic>>;

fn asked_for(model: &Model, name: &str) -> Found {
    let Some(id) = model.find_node(name) else {
        let text = format!("there is no node '{name}' to be the main node");
        let nodes: Vec<_> = nodes_with_a_body(model).map(|id| name_of(model, id)).collect();
        let help = format!("the nodes are {}", nodes.join(", "));
        return Err(Box::new(Diagnostic::error(ByteSpan::default(), text).with_help(help)));
    };
    let node = model.node(id);
    if node.body == NodeBody::Defined {
        return Ok(id);
    }
    let text = format!("'{name}' has no body, so it cannot be the main node");
    Err(Box::new(Diagnostic::error(node.name.span, text)))
}

fn marked(model: &Model) -> Option<Found> {
    let marked: Vec<_> = model.nodes.iter().enumerate().filter(|(_, n)| n.marked_main).collect();
    let [(first, _), rest @ ..] = &marked[..] else { return None };
    if rest.is_empty() {
        return Some(Ok(NodeId::new(*first)));
    }
    let text = format!("{} nodes say that they are the main node", marked.len());
    let diagnostic = Diagnostic::error(rest[0].1.name.span, text);
    let note = |diagnostic: Diagnostic, (_, node): &(usize, &super::model::Node)| {
        diagnostic.with_related(node.name.span, "marked as main")
    };
    let diagnostic = marked.iter().fold(diagnostic, note);
    Some(Err(Box::new(diagnostic.with_help("say which one with the option for the main node"))))
}

fn only_or_last(model: &Model) -> Found {
    let mut called = vec![false; model.nodes.len()];
    for call in model.nodes.iter().flat_map(|node| &node.calls) {
        called[call.callee.index()] = true;
    }
    let candidates: Vec<_> = nodes_with_a_body(model).collect();
    let Some(&last) = candidates.last() else {
        let text = "there is no node to be the main node";
        return Err(Box::new(Diagnostic::error(ByteSpan::default(), text)));
    };
    let roots: Vec<_> = candidates.into_iter().filter(|id| !called[id.index()]).collect();
    match roots[..] {
        [only] => Ok(only),
        _ if !called[last.index()] => Ok(last),
        _ => {
            let names: Vec<_> = roots.iter().map(|id| name_of(model, *id)).collect();
            let text = format!("which node is the main node? It may be {}", names.join(", "));
            let diagnostic = Diagnostic::error(model.node(last).name.span, text);
            Err(Box::new(diagnostic.with_help("mark it with '--%MAIN;'")))
        }
    }
}

/// Functions stand in only where there are no nodes.
fn nodes_with_a_body(model: &Model) -> impl Iterator<Item = NodeId> {
    // The states of automata are nodes that are not written as such.
    let defined = |node: &super::model::Node| {
        node.body == NodeBody::Defined && model.is_written_name(node.name.symbol)
    };
    let nodes = model.nodes.iter().any(|node| defined(node) && node.kind == NodeKind::Node);
    model
        .nodes
        .iter()
        .enumerate()
        .filter(move |(_, node)| defined(node) && (!nodes || node.kind == NodeKind::Node))
        .map(|(index, _)| NodeId::new(index))
}

fn name_of(model: &Model, id: NodeId) -> &str {
    model.text(model.node(id).name.symbol)
}
