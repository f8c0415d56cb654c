//! What is in a function that nobody here can execute, with its place.

use obligato_c_library::{Returns, returns};
use obligato_model::Span;

use super::generic;
use super::uses::Use;
use crate::libclang::{Kind, TypeKind};
use crate::tree::{NodeIndex, Tree};

/// Finds what is unsupported, in the order of the text; what stands inside it is not told again.
pub(crate) fn unsupported(tree: &Tree<'_>, uses: &[Use]) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut index = 0;
    while index < tree.len() {
        let problem = if uses[index] == Use::Nothing { None } else { problem(tree, index) };
        match problem {
            Some(problem) => {
                found.push((tree.span(index), problem));
                index = tree.subtree(index).end;
            }
            None => index += 1,
        }
    }
    found
}

fn problem(tree: &Tree<'_>, index: NodeIndex) -> Option<String> {
    let node = tree.node(index);
    match node.kind {
        Kind::Generic if generic::is_open(tree, index) => {
            return Some("a _Generic whose choice is not understood".to_owned());
        }
        Kind::Assembly => return Some("inline assembly".to_owned()),
        Kind::Name => {
            let name = node.cursor.name();
            if returns(&name) == Returns::Twice {
                return Some(format!("a call of {name}, which returns twice"));
            }
        }
        Kind::Variable | Kind::Member | Kind::Call | Kind::Cast => {}
        _ => return None,
    }
    let kind = node.cursor.typed().plain();
    let what = match kind.kind() {
        TypeKind::Complex => "a complex number",
        TypeKind::Atomic if kind.size() != kind.value_type().plain().size() => {
            "an atomic object that is padded"
        }
        TypeKind::Vector => "a vector",
        _ => return None,
    };
    Some(format!("{what} ({})", kind.spelling()))
}
