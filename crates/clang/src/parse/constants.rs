//! What the compiler can compute.

use obligato_model::Value;

use super::declarations::weak_by_pragma;
use crate::libclang::{BinaryKind, Constant, Cursor, Kind, Type, TypeKind, UnaryKind};
use crate::tree::{NodeIndex, Tree};

/// Whether a condition holds, if it always does or never.
pub(crate) fn truth(tree: &Tree<'_>, index: NodeIndex) -> Option<bool> {
    let node = tree.node(index);
    match node.cursor.evaluate() {
        // libclang cuts wider ones off.
        Some(Constant::Integer(_)) if node.cursor.typed().size()? > 8 => return None,
        Some(Constant::Integer(value)) => return Some(value != 0),
        Some(Constant::Float(value)) => return Some(value != 0.0),
        None => {}
    }
    match node.kind {
        Kind::StringLiteral => Some(true),
        // A null pointer constant is a number that was cast.
        Kind::Cast if node.cursor.typed().plain().kind() == TypeKind::Pointer => {
            match tree.node(tree.last_child(index)?).cursor.evaluate()? {
                Constant::Integer(value) => Some(value != 0),
                Constant::Float(_) => None,
            }
        }
        Kind::Name if is_address(node.cursor.typed()) && !is_parameter(node.cursor) => {
            is_there(tree, node.cursor)
        }
        Kind::Unary if node.cursor.unary_operator() == UnaryKind::Address => {
            let operand = tree.node(tree.first_child(index)?);
            (operand.kind == Kind::Name).then(|| is_there(tree, operand.cursor))?
        }
        Kind::Binary => assigned(tree, index),
        _ => None,
    }
}

/// Whether what is assigned is not zero: `n = 3` always holds, and `m = n = 0` never does. What a conversion to
/// the type of an object may change is left to the code.
fn assigned(tree: &Tree<'_>, index: NodeIndex) -> Option<bool> {
    let mut at = index;
    while tree.kind(at) == Kind::Binary {
        let object = tree.node(tree.first_child(at)?).cursor;
        let keeps = tree.node(at).cursor.binary_operator() == BinaryKind::Assign
            && !is_bit_field(object)
            && keeps_small_numbers(object.typed().plain().kind());
        at = tree.last_child(at).filter(|_| keeps)?;
        while let Some(inner) = tree.inside(at) {
            at = inner;
        }
    }
    match tree.node(at).cursor.evaluate()? {
        Constant::Integer(value) => (-0x80..0x80).contains(&value).then_some(value != 0),
        Constant::Float(_) => None,
    }
}

/// Is what is assigned zero exactly if the object is zero afterwards? A narrower one may lose what is not.
pub(crate) fn keeps_truth_of(object: Cursor<'_>, value: Cursor<'_>) -> bool {
    let (object_type, value_type) = (object.typed().plain(), value.typed().plain());
    !is_bit_field(object)
        && keeps_small_numbers(object_type.kind())
        && keeps_small_numbers(value_type.kind())
        && object_type.kind() != TypeKind::Bool
        && object_type.size() >= value_type.size()
}

fn is_bit_field(object: Cursor<'_>) -> bool {
    object.referenced().and_then(Cursor::field_width).is_some()
}

fn keeps_small_numbers(kind: TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Bool
            | TypeKind::Character
            | TypeKind::Signed
            | TypeKind::Unsigned
            | TypeKind::Enumeration
            | TypeKind::Pointer
    )
}

/// Is what has this type used by its address?
pub(crate) fn is_address(kind: Type<'_>) -> bool {
    matches!(
        kind.plain().kind(),
        TypeKind::Array | TypeKind::Function | TypeKind::FunctionWithoutList
    )
}

/// libclang shows a parameter that is written as an array or function as such. It is a pointer, though, and may be null.
fn is_parameter(name: Cursor<'_>) -> bool {
    name.referenced().is_some_and(|declared| declared.kind() == Kind::ParameterDeclaration)
}

/// An object or function has an address, unless it is weak.
fn is_there(tree: &Tree<'_>, name: Cursor<'_>) -> Option<bool> {
    let declared = name.referenced()?;
    let is_weak = ["weak", "weakref"].into_iter().any(|word| declared.has_attribute(word))
        || weak_by_pragma(tree.text).contains(declared.name().as_bytes());
    (!is_weak).then_some(true)
}

/// The value of an operand of a comparison, in the type in which it is compared.
pub(crate) fn value(cursor: Cursor<'_>) -> Option<Value> {
    let kind = cursor.typed().plain();
    match (cursor.evaluate()?, kind.kind()) {
        (Constant::Integer(value), _) if kind.size()? <= 8 => Some(Value::int(value)),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the value of a float constant is a float"
        )]
        (Constant::Float(value), TypeKind::Float) => Some(Value::float32(value as f32)),
        (Constant::Float(value), TypeKind::Double) => Some(Value::float64(value)),
        _ => None,
    }
}
