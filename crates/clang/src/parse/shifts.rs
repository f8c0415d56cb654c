//! Left shifts of signed numbers. C11 6.5.7 defines them only if the number is not negative and the result fits; the compiler's
//! code does not tell them from shifts of unsigned numbers, so the source has to.

use obligato_model::Position;

use crate::libclang::{BinaryKind, Kind, Type, TypeKind};
use crate::tree::Tree;

/// The size of an `int`, to which smaller types are promoted.
const INT: u64 = 4;

/// Where the operators of such shifts stand, in the order of the text.
pub(crate) fn signed_shifts(tree: &Tree<'_>) -> Vec<Position> {
    let mut found = Vec::new();
    for index in 0..tree.len() {
        let node = tree.node(index);
        if node.kind != Kind::Binary {
            continue;
        }
        let spelling: &[u8] = match node.cursor.binary_operator() {
            BinaryKind::ShiftLeft => b"<<",
            BinaryKind::ShiftLeftAssign => b"<<=",
            _ => continue,
        };
        let mut operands = tree.children(index);
        let (Some(left), Some(right)) = (operands.next(), operands.next()) else { continue };
        if !is_signed_when_promoted(tree.node(left).cursor.typed().plain()) {
            continue;
        }
        let mut between = tree.node(left).tokens.end..tree.node(right).tokens.start;
        if let Some(operator) = between.find(|token| tree.spelling(*token) == spelling) {
            found.push(tree.text.start(operator));
        }
    }
    found
}

/// Is a number of this type signed once it is promoted, as operands of shifts are?
fn is_signed_when_promoted(kind: Type<'_>) -> bool {
    let is_small = kind.size().is_some_and(|size| size < INT);
    match kind.kind() {
        TypeKind::Signed | TypeKind::Character | TypeKind::Bool => true,
        TypeKind::Unsigned => is_small,
        TypeKind::Enumeration => {
            let stored = kind.declaration().enumeration_type().plain();
            stored.kind() != TypeKind::Unsigned || is_small
        }
        TypeKind::Atomic => is_signed_when_promoted(kind.value_type().plain()),
        _ => false,
    }
}
