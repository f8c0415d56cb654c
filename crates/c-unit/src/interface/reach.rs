//! Which memory a function outside of the unit reaches from what it is given.

use std::collections::BTreeSet;

use obligato_clang::{CType, TypeId, Types};

/// May whoever has a value of this type write memory through it? A pointer to `const` is no leave to write where it points to, but what
/// lies there may hold other pointers.
pub(super) fn leads_to_writable_memory(types: &Types, kind: TypeId) -> bool {
    let (mut todo, mut seen) = (vec![kind], BTreeSet::new());
    while let Some(kind) = todo.pop() {
        if !seen.insert(kind.index()) {
            continue;
        }
        match types.get(kind) {
            CType::Pointer { constant: false, .. } => return true,
            CType::Pointer { to, constant: true, .. } => match types.get(*to) {
                // Anything may lie there.
                CType::Void | CType::Record { size: None, .. } | CType::Other(_) => return true,
                _ => todo.push(*to),
            },
            CType::Array { of, .. } => todo.push(*of),
            CType::Record { fields, .. } => todo.extend(fields.iter().map(|field| field.kind)),
            _ => {}
        }
    }
    false
}
