//! The declarations and bodies around the expressions of the inlined model.

use rustc_hash::FxHashSet;

use super::choose::Choice;
use super::rewrite::Rewritten;
use crate::analysis::{Model, Node, VariableId};
use obligato_lustre_syntax::ast::{
    Body, DeclarationKind, Definition, ExprId, Item, ItemId, ItemKind, Local, Name, Property,
    SyntaxTree, VariableGroup,
};

/// Puts the program together.
pub(super) fn rebuild(model: &Model, choice: &Choice, rewritten: Rewritten) -> SyntaxTree {
    let Rewritten { mut program, new } = rewritten;
    let new = |id: ExprId| new[id.index()].expect("invariant: what is named is there");
    program.replace_exprs(&model.program, &new);
    let mut declarations = std::mem::take(&mut program.declarations);
    let bodies = declarations.iter_mut().filter_map(|declaration| match &mut declaration.kind {
        DeclarationKind::Node(node) => Some(&mut node.body),
        _ => None,
    });
    for (node, body) in model.declared_nodes().zip(bodies) {
        if let Body::Defined(body) = body {
            rebuild_body(model, node, choice, body, &mut program, &new);
        }
    }
    program.declarations = declarations;
    program
}

fn rebuild_body(
    model: &Model,
    node: &Node,
    choice: &Choice,
    body: &mut Definition,
    program: &mut SyntaxTree,
    new: &dyn Fn(ExprId) -> ExprId,
) {
    let removed = |id: &&VariableId| choice.removed[id.index()];
    let names: FxHashSet<Name> =
        node.locals.iter().filter(removed).map(|id| model.variable(*id).name).collect();
    let equations: FxHashSet<ItemId> = node
        .equations
        .iter()
        .filter(|equation| choice.removes(equation))
        .filter_map(|equation| equation.item)
        .collect();
    body.locals.retain_mut(|local| match local {
        Local::Variables(group) => keep_names(group, &names, program),
        Local::Constant(constant) => {
            constant.value = constant.value.map(new);
            true
        }
    });
    body.items.retain(|id| !equations.contains(id));
    for id in &mut body.items {
        let old = model.program.item(*id);
        let kind = rebuild_item(&old.kind, new);
        *id = program.add_item(Item { kind, ..old.clone() });
    }
}

/// Leaves out names; are there any others?
fn keep_names(group: &mut VariableGroup, gone: &FxHashSet<Name>, program: &mut SyntaxTree) -> bool {
    let all = &program.names[group.names];
    if !all.iter().any(|name| gone.contains(name)) {
        return true;
    }
    let kept: Vec<_> = all.iter().copied().filter(|name| !gone.contains(name)).collect();
    group.names = program.names.add(kept);
    !group.names.is_empty()
}

fn rebuild_item(kind: &ItemKind, new: &dyn Fn(ExprId) -> ExprId) -> ItemKind {
    match kind {
        ItemKind::Equation(targets, value) => ItemKind::Equation(targets.clone(), new(*value)),
        ItemKind::Assert(condition) => ItemKind::Assert(new(*condition)),
        ItemKind::Property(property) => ItemKind::Property(Property {
            condition: new(property.condition),
            provided: property.provided.map(new),
            ..property.clone()
        }),
        ItemKind::Main(_) | ItemKind::Ivc(_) | ItemKind::Realizable(_) => kind.clone(),
        ItemKind::If(..) | ItemKind::Frame(_) | ItemKind::Automaton(_) => {
            unreachable!("invariant: the analysis rewrites blocks")
        }
    }
}
