//! What has a name, type parameters and imports among declarations.

use obligato_lustre_syntax::ast::{
    ContractItem, ContractItemKind, Declaration, DeclarationKind, List, Name, StaticArgument,
    Symbol,
};

/// A name space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    Type,
    Node,
    Contract,
}

/// The names and the type parameters of a declaration that has any of these.
pub(super) fn parameters(kind: &DeclarationKind) -> Option<(Space, &[Name], &[Name])> {
    names(kind).filter(|(.., parameters)| !parameters.is_empty())
}

/// The names and the type parameters of a declaration that may have some.
pub(super) fn names(kind: &DeclarationKind) -> Option<(Space, &[Name], &[Name])> {
    Some(match kind {
        DeclarationKind::Type(declared) => {
            (Space::Type, &declared.names[..], &declared.parameters[..])
        }
        DeclarationKind::Node(node) => {
            (Space::Node, std::slice::from_ref(&node.name), &node.signature.parameters[..])
        }
        DeclarationKind::Contract(contract) => {
            let names = std::slice::from_ref(&contract.name);
            (Space::Contract, names, &contract.signature.parameters[..])
        }
        _ => return None,
    })
}

/// A copy under its name, without type parameters.
pub(super) fn instance(mut copy: Declaration, symbol: Symbol) -> Declaration {
    match &mut copy.kind {
        DeclarationKind::Type(declared) => {
            declared.names.truncate(1);
            declared.names.iter_mut().for_each(|name| name.symbol = symbol);
            declared.parameters.clear();
        }
        DeclarationKind::Node(node) => {
            node.name.symbol = symbol;
            node.signature.parameters.clear();
        }
        DeclarationKind::Contract(contract) => {
            contract.name.symbol = symbol;
            contract.signature.parameters.clear();
        }
        _ => {}
    }
    copy
}

/// The items of the contract of a declaration.
pub(super) fn contract_items(kind: &DeclarationKind) -> &[ContractItem] {
    match kind {
        DeclarationKind::Node(node) => node.contract.as_deref().unwrap_or_default(),
        DeclarationKind::Contract(contract) => &contract.items,
        _ => &[],
    }
}

/// The contracts that a declaration imports, each with its arguments.
pub(super) fn imports(
    kind: &mut DeclarationKind,
) -> impl Iterator<Item = (&mut Name, &mut List<StaticArgument>)> {
    let items = match kind {
        DeclarationKind::Node(node) => node.contract.as_deref_mut().unwrap_or_default(),
        DeclarationKind::Contract(contract) => &mut contract.items[..],
        _ => &mut [],
    };
    items.iter_mut().filter_map(|item| match &mut item.kind {
        ContractItemKind::Import { contract, statics, .. } => Some((contract, statics)),
        _ => None,
    })
}
