//! The values of constants.

use std::sync::Arc;

use obligato_model::{Integer, Rational, Value};

use super::kind::{EnumerationId, Kinds, RecordId};
use obligato_lustre_syntax::ast::Symbols;

/// The value of a constant expression. A machine integer is an [`Int`](Self::Int) within the
/// bounds of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantValue {
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A real.
    Real(Rational),
    /// A value of an enumeration, by its position.
    Enumeration(EnumerationId, u32),
    /// The elements of an array.
    Array(Arc<[ConstantValue]>),
    /// The parts of a tuple.
    Tuple(Arc<[ConstantValue]>),
    /// The fields of a record, in the order of its declaration.
    Record(RecordId, Arc<[ConstantValue]>),
}

impl ConstantValue {
    /// As a value of a test, if it is no array, tuple or record.
    pub fn scalar(&self, kinds: &Kinds, symbols: &Symbols) -> Option<Value> {
        match self {
            Self::Bool(value) => Some(Value::Bool(*value)),
            Self::Int(value) => Some(Value::Int(value.clone())),
            Self::Real(value) => Some(Value::Real(value.clone())),
            Self::Enumeration(id, position) => {
                let name = kinds.enumeration(*id).values[*position as usize];
                Some(Value::Symbol(symbols.text(name.symbol).to_owned()))
            }
            Self::Array(_) | Self::Tuple(_) | Self::Record(..) => None,
        }
    }
}
