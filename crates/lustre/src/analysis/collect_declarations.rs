//! Pass 1: the declarations of the file, by name.
//!
//! Types, values (constants and values of enumerations), nodes and contracts have name spaces
//! of their own, as in both dialects: `type i` and `const i` may stand side by side.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::kind::{Enumeration, Kind, Kinds, Record};
use super::model::{Constant, ConstantId, DeclaredType, Model, Node, NodeBody, NodeId, Resolution};
use super::report::Report;
use obligato_lustre_syntax::ast::{
    self, Body, Declaration, DeclarationKind, Name, NodeKind, Symbol, TypeDeclaration,
    TypeDefinition,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// The names of the file, by name space.
#[derive(Clone, Debug, Default)]
pub struct Globals {
    /// Positions in [`Model::types`].
    pub types: FxHashMap<Symbol, usize>,
    /// Constants and values of enumerations.
    pub values: FxHashMap<Symbol, (Resolution, ByteSpan)>,
    /// Nodes and functions.
    pub nodes: FxHashMap<Symbol, NodeId>,
    /// Contracts.
    pub contracts: FxHashMap<Symbol, NodeId>,
}

/// Lists what the file declares in `model` and returns the names.
pub fn collect_declarations(model: &mut Model, report: &mut Report) -> Globals {
    let mut globals = Globals::default();
    let declarations = std::mem::take(&mut model.program.declarations);
    for declaration in &declarations {
        collect(declaration, model, &mut globals, report);
    }
    model.program.declarations = declarations;
    globals
}

fn collect(
    declaration: &Declaration,
    model: &mut Model,
    globals: &mut Globals,
    report: &mut Report,
) {
    match &declaration.kind {
        DeclarationKind::Include(path) => {
            let path = model.text(*path);
            let text = format!("'include' is not followed: \"{path}\" is not read");
            let help = "put the text of that file here: a model is analysed as one file";
            report.add(Diagnostic::error(declaration.span, text).with_help(help));
        }
        DeclarationKind::Type(declared) => collect_types(declared, model, globals, report),
        DeclarationKind::Constant(constant) => {
            for (name, id) in add_constants(model, constant) {
                add_value(model, globals, name, Resolution::Constant(id), report);
            }
        }
        DeclarationKind::Node(node) => {
            let body = match node.body {
                Body::Imported => NodeBody::Imported,
                Body::Absent => NodeBody::Uninterpreted,
                Body::Defined(_) => NodeBody::Defined,
            };
            let id = add_node(model, node.name, node.kind, body, declaration.span);
            let previous = globals.nodes.insert(node.name.symbol, id);
            let previous = previous.map(|id| model.node(id).name);
            report_twice(model, "node", node.name, previous, report);
        }
        DeclarationKind::Contract(contract) => {
            let name = contract.name;
            let (kind, body) = (NodeKind::Node, NodeBody::Contract);
            let id = add_node(model, name, kind, body, declaration.span);
            let previous = globals.contracts.insert(name.symbol, id);
            let previous = previous.map(|id| model.node(id).name);
            report_twice(model, "contract", name, previous, report);
        }
        // Copies and the functions of libraries stand in their place.
        DeclarationKind::Instance(_) | DeclarationKind::Open(_) => {}
    }
}

/// Adds the constants of a declaration to the model, not yet to a name space.
pub fn add_constants(model: &mut Model, declared: &ast::Constant) -> Vec<(Name, ConstantId)> {
    let add = |name: &Name| {
        let id = ConstantId::new(model.constants.len());
        model.constants.push(Constant {
            name: *name,
            kind: Kinds::unknown(),
            written: declared.kind,
            expr: declared.value,
            value: None,
        });
        (*name, id)
    };
    declared.names.iter().map(add).collect()
}

fn add_node(
    model: &mut Model,
    name: Name,
    kind: NodeKind,
    body: NodeBody,
    span: ByteSpan,
) -> NodeId {
    let id = NodeId::new(model.nodes.len());
    model.nodes.push(Node {
        name,
        kind,
        body,
        span,
        inputs: Vec::new(),
        outputs: Vec::new(),
        locals: Vec::new(),
        constants: Vec::new(),
        equations: Vec::new(),
        definitions: Vec::new(),
        asserts: Vec::new(),
        properties: Vec::new(),
        contract: None,
        calls: Vec::new(),
        instantaneous: Vec::new(),
        marked_main: false,
        decisions: Vec::new(),
    });
    id
}

fn collect_types(
    declared: &TypeDeclaration,
    model: &mut Model,
    globals: &mut Globals,
    report: &mut Report,
) {
    let first = declared.names[0];
    let kind = match &declared.definition {
        TypeDefinition::Alias(_) => Kinds::unknown(),
        TypeDefinition::Free => model.kinds.intern(Kind::Free(first.symbol)),
        TypeDefinition::Record(groups) => {
            let names = groups.iter().flat_map(|group| &model.program.names[group.names]);
            let fields: Vec<_> = names.map(|name| (*name, Kinds::unknown())).collect();
            report_repeated(model, "field", fields.iter().map(|(name, _)| *name), report);
            let record = model.kinds.add_record(Record { name: first, fields });
            model.kinds.intern(Kind::Record(record))
        }
        TypeDefinition::Enumeration(values) => {
            let enumeration = Enumeration { name: first, values: values.clone() };
            let id = model.kinds.add_enumeration(enumeration);
            for (position, value) in values.iter().enumerate() {
                let resolution = Resolution::Enumeration(id, position as u32);
                add_value(model, globals, *value, resolution, report);
            }
            model.kinds.intern(Kind::Enumeration(id))
        }
    };
    for name in &declared.names {
        let position = model.types.len();
        let definition = declared.definition.clone();
        model.types.push(DeclaredType { name: *name, definition, kind });
        let previous = globals.types.insert(name.symbol, position);
        let previous = previous.map(|position| model.types[position].name);
        report_twice(model, "type", *name, previous, report);
    }
}

fn add_value(
    model: &Model,
    globals: &mut Globals,
    name: Name,
    resolution: Resolution,
    report: &mut Report,
) {
    match globals.values.entry(name.symbol) {
        Entry::Vacant(vacant) => {
            vacant.insert((resolution, name.span));
        }
        Entry::Occupied(occupied) => {
            let what = match resolution {
                Resolution::Constant(_) => "constant",
                _ => "value",
            };
            let previous = Name { symbol: name.symbol, span: occupied.get().1 };
            report_twice(model, what, name, Some(previous), report);
        }
    }
}

/// Reports a name that is declared twice.
pub fn report_twice(
    model: &Model,
    what: &str,
    name: Name,
    previous: Option<Name>,
    report: &mut Report,
) {
    if let Some(previous) = previous {
        let text = format!("the {what} '{}' is declared twice", model.text(name.symbol));
        let diagnostic = Diagnostic::error(name.span, text);
        report.add(diagnostic.with_related(previous.span, "first declared here"));
    }
}

/// Reports the names of a list that come again.
pub fn report_repeated(
    model: &Model,
    what: &str,
    names: impl IntoIterator<Item = Name>,
    report: &mut Report,
) {
    let mut seen = FxHashMap::default();
    for name in names {
        let previous = seen.insert(name.symbol, name);
        report_twice(model, what, name, previous, report);
    }
}
