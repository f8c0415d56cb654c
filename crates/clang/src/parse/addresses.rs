//! Fixed addresses: numbers that become pointers to objects, such as those of the registers of a microcontroller.
//!
//! `((struct uart *)0x40001000)->status` and `*(volatile uint32_t *)(BASE + 4)` name memory that no declaration of C does.

use super::layout::{TypeTable, is_volatile};
use crate::FixedAddress;
use crate::libclang::{Constant, Kind, TypeKind, UnaryKind};
use crate::tree::{NodeIndex, Tree};

/// Addresses below are null pointers with an offset, or marks such as `(struct node *)1`, unless the code accesses them at once.
const FIRST_PAGE: u64 = 4096;

/// Adds the fixed addresses of a body or an initialiser, each with the type that it has there.
pub(crate) fn add_addresses<'u>(
    tree: &Tree<'u>,
    types: &mut TypeTable<'u>,
    found: &mut Vec<FixedAddress>,
) {
    for index in 0..tree.len() {
        if let Some(address) = address_at(tree, index, types)
            && !found.contains(&address)
        {
            found.push(address);
        }
    }
}

fn address_at<'u>(
    tree: &Tree<'u>,
    index: NodeIndex,
    types: &mut TypeTable<'u>,
) -> Option<FixedAddress> {
    let node = tree.node(index);
    if node.kind != Kind::Cast {
        return None;
    }
    let pointer = node.cursor.typed().plain();
    let operand = tree.node(tree.last_child(index)?).cursor;
    let from = operand.typed().plain();
    let is_number =
        matches!(from.kind(), TypeKind::Signed | TypeKind::Unsigned | TypeKind::Enumeration);
    if pointer.kind() != TypeKind::Pointer || !is_number {
        return None;
    }
    let Constant::Integer(value) = operand.evaluate()? else { return None };
    // A negative number is a mark, such as MAP_FAILED.
    let address = u64::try_from(value).ok().filter(|address| *address > 0)?;
    let to = pointer.pointee();
    let plain = to.plain();
    let is_object = !matches!(
        plain.kind(),
        TypeKind::Void | TypeKind::Function | TypeKind::FunctionWithoutList
    );
    let (size, alignment) = (plain.size()?, plain.alignment()?);
    let accessed = is_accessed(tree, index);
    let is_mark = size == 0
        || !address.is_multiple_of(alignment.max(1))
        || address.checked_add(size).is_none()
        || (address < FIRST_PAGE && !accessed);
    (is_object && !is_mark).then(|| FixedAddress {
        address,
        kind: types.id(to),
        size,
        volatile: is_volatile(to),
        accessed,
    })
}

/// Is the object behind the pointer accessed where the pointer is made, by `*`, `->` or an index?
fn is_accessed(tree: &Tree<'_>, index: NodeIndex) -> bool {
    let mut parent = tree.node(index).parent;
    while parent > 0 && matches!(tree.kind(parent), Kind::Parenthesised | Kind::Unexposed) {
        parent = tree.node(parent).parent;
    }
    match tree.kind(parent) {
        Kind::Member => true,
        Kind::Unary => tree.node(parent).cursor.unary_operator() == UnaryKind::Dereference,
        _ => false,
    }
}
