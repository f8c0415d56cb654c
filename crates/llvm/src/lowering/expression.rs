//! Constant expressions that are numbers: computed where they are used.
//!
//! LLVM writes `(unsigned)&table & 7` as an `and` of an expression. Folded to a word, it would be one number among others;
//! as a conversion of an address, it says that its bits are those of a place which nobody knows before linking.

use obligato_bytecode::{Operation, Overflow, Register};
use rustc_hash::FxHashMap;

use super::{Lowering, binary_of};
use crate::ir::{Kind, Shape, Value};
use crate::lowering::cast::cast_of;
use crate::parts::{Unsupported, lanes};

/// Is it an expression whose value is an integer of one register?
pub(super) fn is_number(value: Value<'_>) -> bool {
    value.kind() == Kind::Expression && matches!(value.type_().shape(), Shape::Integer(1..=64))
}

impl<'b> Lowering<'_, 'b> {
    /// The register of an expression that is a number, computed from the leaves up, without recursion.
    pub(super) fn expression(&mut self, value: Value<'b>) -> Result<Register, Unsupported> {
        let mut known: FxHashMap<Value<'b>, Register> = FxHashMap::default();
        let mut open = vec![value];
        while let Some(next) = open.last().copied() {
            let missing = open.len();
            if is_number(next) {
                open.extend(next.operands().filter(|input| !known.contains_key(input)));
            }
            if open.len() == missing {
                let register = self.node(next, &known)?;
                known.insert(next, register);
                open.pop();
            }
        }
        Ok(known[&value])
    }

    /// A part of an expression whose inputs are known.
    fn node(
        &mut self,
        value: Value<'b>,
        known: &FxHashMap<Value<'b>, Register>,
    ) -> Result<Register, Unsupported> {
        if !is_number(value) {
            return self.operand(value);
        }
        let inputs: Vec<Value<'b>> = value.operands().collect();
        let (_, target) = lanes(value.type_())?;
        match (inputs.as_slice(), binary_of(value.expression_opcode())) {
            ([left, right], Some(op)) => {
                let to = self.writer.fresh(1);
                let registers = [to, known[left], known[right]];
                self.write_binary(op, Overflow::default(), target.width(), registers);
                Ok(to)
            }
            ([from], None) => {
                let (_, source) = lanes(from.type_())?;
                let op = cast_of(value.expression_opcode(), source, target)
                    .ok_or_else(|| Unsupported(format!("the constant {value}")))?;
                let to = self.writer.fresh(1);
                self.writer.emit(Operation::Cast { op, to, from: known[from] });
                Ok(to)
            }
            _ => Err(Unsupported(format!("the constant {value}"))),
        }
    }
}
