//! Pass 6: the main node.
//!
//! What the user asks for comes first, then `--%MAIN` in the file. Without either it is the only
//! node that no other uses, else the last node of the file, provided that no other uses it. Nodes
//! with a body go before imported ones, and nodes before functions. An imported main node is a
//! specification: its results are whatever its contract allows.

use super::Options;
use super::model::{Model, Node, NodeBody, NodeId};
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
        let nodes = name_all(model, &written_nodes(model, can_be_main));
        let help = format!("the nodes are {nodes}");
        return Err(Box::new(Diagnostic::error(ByteSpan::default(), text).with_help(help)));
    };
    let node = model.node(id);
    if can_be_main(node) {
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
    let note = |diagnostic: Diagnostic, (_, node): &(usize, &Node)| {
        diagnostic.with_related(node.name.span, "marked as main")
    };
    let diagnostic = marked.iter().fold(diagnostic, note);
    Some(Err(Box::new(diagnostic.with_help("choose one with '--main NAME'"))))
}

fn only_or_last(model: &Model) -> Found {
    let mut used = vec![false; model.nodes.len()];
    for node in &model.nodes {
        node.uses().for_each(|id| used[id.index()] = true);
    }
    let candidates = candidates(model, &used);
    let Some(&last) = candidates.last() else {
        let text = "there is no node to be the main node";
        let help = "write a node with a body, or 'node imported' with a contract";
        let problem = Diagnostic::error(ByteSpan::default(), text).with_help(help);
        return Err(Box::new(problem));
    };
    let roots: Vec<_> = candidates.into_iter().filter(|id| !used[id.index()]).collect();
    match roots[..] {
        [only] => Ok(only),
        _ if !used[last.index()] => Ok(last),
        _ => {
            let names = name_all(model, &roots);
            let text = format!("which node is the main node? It may be {names}");
            let diagnostic = Diagnostic::error(model.node(last).name.span, text);
            let help = "choose one with '--main NAME', or mark it with '--%MAIN;'";
            Err(Box::new(diagnostic.with_help(help)))
        }
    }
}

/// The nodes of the best sort of which one may be the main node, in the order of the text.
fn candidates(model: &Model, used: &[bool]) -> Vec<NodeId> {
    let sorts: [fn(&Node) -> bool; 4] = [
        |node| node.body == NodeBody::Defined && node.kind == NodeKind::Node,
        |node| node.body == NodeBody::Defined,
        |node| is_specification(node) && node.kind == NodeKind::Node,
        is_specification,
    ];
    let found = sorts.into_iter().map(|sort| written_nodes(model, sort));
    let is_free = |nodes: &Vec<NodeId>| nodes.iter().any(|id| !used[id.index()]);
    found.into_iter().find(is_free).unwrap_or_default()
}

/// Does a contract say what the results of an imported node may be?
fn is_specification(node: &Node) -> bool {
    node.body == NodeBody::Imported && node.contract.is_some()
}

fn can_be_main(node: &Node) -> bool {
    node.body == NodeBody::Defined || is_specification(node)
}

/// The nodes of a sort, but not the states of automata, which are not written as such.
fn written_nodes(model: &Model, sort: impl Fn(&Node) -> bool) -> Vec<NodeId> {
    let nodes = model.nodes.iter().enumerate().filter(|(_, node)| {
        node.body != NodeBody::Contract && model.is_written_name(node.name.symbol) && sort(node)
    });
    nodes.map(|(index, _)| NodeId::new(index)).collect()
}

fn name_all(model: &Model, ids: &[NodeId]) -> String {
    let names: Vec<_> = ids.iter().map(|id| model.text(model.node(*id).name.symbol)).collect();
    names.join(", ")
}
