//! Calls.

use obligato_bytecode::{Argument, Callee, Operation};

use super::{Lowered, Lowering};
use crate::ir::{Instruction, Kind, Type, Value};
use crate::parts::Unsupported;

/// Functions of `fenv.h` behind which the arithmetic of floats is another one.
const ROUNDING: [&str; 3] = ["fesetenv", "fesetround", "feupdateenv"];

impl<'b> Lowering<'_, 'b> {
    pub(super) fn call(&mut self, instruction: Instruction<'b>) -> Lowered {
        if let Some((address, name)) = instruction.declared_variable() {
            let home = self.homes.get(&address);
            if let Some(reserve) = home.and_then(|home| self.reserves.get(home)) {
                self.writer.name_local(*reserve, name);
            }
            return Ok(());
        }
        if instruction.is_debug_record() {
            return Ok(());
        }
        if let Some(name) = instruction.called_intrinsic() {
            return self.intrinsic(instruction, name);
        }
        if let Some((text, constraints)) = instruction.assembly() {
            return self.assembly(instruction, &text, &constraints);
        }
        let name = instruction.callee().name();
        if ROUNDING.contains(&name.as_str()) {
            return Err(Unsupported(format!(
                "a call of '{name}', which may change how floats are rounded"
            )));
        }
        let results = self.count(instruction.value().type_())?;
        let callee = self.callee(instruction.callee())?;
        let arguments = self.call_arguments(instruction)?;
        let arguments = self.writer.arguments(arguments);
        let to = self.home(instruction);
        let kind = self.constants.symbols.kind(instruction.called_type());
        let at = self.writer.emit(Operation::Call { to, results, callee, arguments });
        if let Callee::Through(_) = callee {
            self.writer.note_called_type(at, kind);
        }
        Ok(())
    }

    /// Assembly without text only keeps an optimiser from moving code, or from knowing a value: its one
    /// result is then what it takes at the same place (constraint `0`).
    fn assembly(&mut self, instruction: Instruction<'b>, text: &str, constraints: &str) -> Lowered {
        let mut constraints = constraints.split(',');
        let in_place = constraints.next().is_some_and(|output| output.starts_with('='))
            && constraints.next() == Some("0");
        if text.trim().is_empty() {
            let result = instruction.value().type_();
            if self.count(result)? == 0 {
                return Ok(());
            }
            let input = instruction.arguments().next().filter(|input| input.type_() == result);
            if let Some(input) = input.filter(|_| in_place) {
                return self.copy_operand(instruction, input);
            }
        }
        Err(Unsupported(format!("inline assembly \"{}\"", text.trim())))
    }

    fn callee(&mut self, mut value: Value<'b>) -> Result<Callee, Unsupported> {
        while value.kind() == Kind::Alias {
            value = value.aliasee();
        }
        match self.constants.symbols.code(value) {
            Some(code) => Ok(Callee::Direct(code)),
            None => Ok(Callee::Through(self.operand(value)?)),
        }
    }

    /// Arguments without a name become words in memory, as [`Operation::Call`] says. One thing is lost: clang
    /// hands over an `__int128`, or a structure that asks for 16 bytes of alignment, as two plain words where the machine has
    /// registers for them, so that the even start, on which the callee relies when it reads memory, is unknown.
    fn call_arguments(
        &mut self,
        instruction: Instruction<'b>,
    ) -> Result<Vec<Argument>, Unsupported> {
        let signature = instruction.called_type();
        let named = if signature.is_variadic() { signature.parameters().len() } else { usize::MAX };
        let layout = self.constants.layout;
        let mut arguments = Vec::new();
        let mut words = 0;
        for (index, value) in instruction.arguments().enumerate() {
            let copied = instruction.copied_argument(index as u32);
            if index < named {
                match copied {
                    Some(copied) => arguments.push(self.copied(value, copied)?),
                    None => arguments
                        .extend(self.operand_parts(value)?.into_iter().map(Argument::Value)),
                }
                continue;
            }
            let (type_, least) = copied.unwrap_or((value.type_(), 0));
            if layout.alignment(type_).max(least) > 8 && words % 2 == 1 {
                arguments.push(Argument::Value(self.writer.constant(&[0])));
                words += 1;
            }
            if copied.is_some() {
                arguments.push(self.copied(value, (type_, least))?);
                words += layout.size(type_).div_ceil(8);
            } else {
                let registers = self.words(value)?;
                words += registers.len() as u64;
                arguments.extend(registers.into_iter().map(Argument::Value));
            }
        }
        Ok(arguments)
    }

    /// A copy of what a pointer points to.
    fn copied(
        &mut self,
        pointer: Value<'b>,
        (type_, least): (Type<'b>, u32),
    ) -> Result<Argument, Unsupported> {
        let from = self.operand(pointer)?;
        let layout = self.constants.layout;
        let alignment = layout.alignment(type_).max(least);
        Ok(Argument::Copy { from, size: layout.size(type_), alignment })
    }
}
