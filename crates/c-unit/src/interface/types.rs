//! What a C type says of the memory of its values: its size, whether the environment changes it, whether it leads to other memory.

use std::collections::BTreeSet;

use obligato_clang::{CType, FloatFormat, TypeId, Types, Variable};

/// The size of a type in bytes, if it has one.
pub(crate) fn size_of(types: &Types, kind: TypeId) -> Option<u64> {
    let mut count = 1_u64;
    let mut kind = kind;
    loop {
        let one = match types.get(kind) {
            CType::Array { of, length } => {
                count = count.checked_mul((*length)?)?;
                kind = *of;
                continue;
            }
            CType::Bool => 1,
            CType::Integer { bits, .. } | CType::Enumeration { bits, .. } => {
                u64::from(*bits).div_ceil(8)
            }
            CType::Float(FloatFormat::Single) => 4,
            CType::Float(FloatFormat::Double) | CType::Pointer { .. } => 8,
            CType::Float(FloatFormat::Extended) => 16,
            CType::Record { size, .. } => (*size)?,
            CType::Void | CType::Function { .. } | CType::Other(_) => return None,
        };
        return count.checked_mul(one);
    }
}

/// Is an object volatile, or something inside of it?
pub(crate) fn has_volatile(types: &Types, variable: &Variable) -> bool {
    let mut todo = vec![variable.kind];
    let mut found = variable.volatile;
    while let Some(kind) = todo.pop().filter(|_| !found) {
        match types.get(kind) {
            CType::Array { of, .. } => todo.push(*of),
            CType::Record { fields, .. } => {
                found |= fields.iter().any(|field| field.volatile);
                todo.extend(fields.iter().map(|field| field.kind));
            }
            _ => {}
        }
    }
    found
}

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
