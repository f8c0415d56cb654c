//! Which memory a function outside of the unit reaches from what it is given.

use std::collections::BTreeSet;

use obligato_clang::{CType, TypeId, Types};

/// May whoever has a value of this type write memory through it? A pointer to `const` is no promise: what it points to need not be constant
/// (C11 6.7.3p6 forbids only to change objects that are defined so).
pub(super) fn leads_to_writable_memory(types: &Types, kind: TypeId) -> bool {
    let (mut todo, mut seen) = (vec![kind], BTreeSet::new());
    while let Some(kind) = todo.pop() {
        if !seen.insert(kind.index()) {
            continue;
        }
        match types.get(kind) {
            CType::Pointer { .. } | CType::Other(_) => return true,
            CType::Array { of, .. } => todo.push(*of),
            CType::Record { fields, .. } => todo.extend(fields.iter().map(|field| field.kind)),
            _ => {}
        }
    }
    false
}
