//! The variables of a unit, and the registers at fixed addresses, as inputs, outputs and state of a function.

use obligato_bytecode::Module;
use obligato_c_library::STREAMS;
use obligato_clang::{CType, Syntax, TypeId, Variable};
use obligato_llvm::NamedLocal;
use obligato_model::Bound;

use super::build::Builder;
use super::entries::called_by_others;
use super::expand::Root;
use super::globals::{GlobalUse, known_outside, written_anywhere, written_by};
use super::leave_out::MANY_CELLS;
use super::names::OF_FILE;
use super::types::has_volatile;
use super::volatile::Accesses;
use super::{ChangedBy, Origin, StateVariable, UnknownObject};
use crate::environment::Register;
use crate::settings::State;

/// The symbol of a variable: static ones of a function have its name in front, and a number behind if others come before them. The
/// compiler numbers them otherwise, so they are named anew (`named_locals`).
pub(crate) fn symbol_of(variable: &Variable) -> String {
    match (&variable.function, variable.ordinal) {
        (Some(function), 1) => format!("{function}.{}", variable.name),
        (Some(function), ordinal) => format!("{function}.{}.{ordinal}", variable.name),
        (None, _) => variable.name.clone(),
    }
}

/// The static variables of functions of which several have one name, in the order of the text.
pub(crate) fn named_locals(variables: &[Variable]) -> Vec<NamedLocal> {
    let several = |one: &&Variable| {
        one.function.is_some()
            && variables.iter().any(|other| {
                other.ordinal == 2 && other.function == one.function && other.name == one.name
            })
    };
    let named = |one: &Variable| {
        let function = one.function.clone().unwrap_or_default();
        let usual = format!("{function}.{}", one.name);
        NamedLocal { usual, line: one.position.line, symbol: symbol_of(one) }
    };
    variables.iter().filter(several).map(named).collect()
}

/// Per global of the module, who may write it.
pub(super) struct Changes {
    /// Any function.
    anywhere: Vec<bool>,
    /// One that others call between steps, or somebody outside who knows its address.
    elsewhere: Vec<bool>,
}

impl Changes {
    /// Those of the functions of a module, of which the steps of a test use some; `sequence` are those that the steps call,
    /// `handed_out` those whose addresses leave the unit.
    pub(super) fn new(
        unit: &Syntax,
        module: &Module,
        used: &GlobalUse,
        sequence: &[&str],
        handed_out: &[bool],
    ) -> Self {
        let others = called_by_others(unit, module, used, sequence, handed_out);
        let known = known_outside(module);
        // Whoever knows the address of a variable may write it.
        let or_known = |written: Vec<bool>| -> Vec<bool> {
            written.into_iter().zip(&known).map(|(written, known)| written || *known).collect()
        };
        Self {
            anywhere: or_known(written_anywhere(module)),
            elsewhere: or_known(written_by(module, &others)),
        }
    }
}

impl Builder<'_> {
    pub(super) fn add_global(
        &mut self,
        variable: &Variable,
        module: &Module,
        used: &GlobalUse,
        changes: &Changes,
    ) {
        let symbol = symbol_of(variable);
        let Some(global) = module.global_named(&symbol) else { return };
        let settings = self.expander.settings;
        // What somebody else defines, or may define, has a value that nobody knows, even if it is constant.
        let is_elsewhere = variable.function.is_none() && (!variable.defined || variable.weak);
        let is_known = variable.constant && !is_elsewhere;
        let is_state = variable.internal || variable.function.is_some();
        let read = used.read[global.index()] && (!is_state || settings.state == State::Free);
        let hidden = format!("{OF_FILE}{}", variable.name);
        let named = |names: &std::collections::BTreeSet<String>| {
            names.contains(&variable.name) || names.contains(&hidden)
        };
        let input = (read && !named(&settings.fixed)) || named(&settings.globals);
        // The library has opened the standard streams: no test sets where they lie.
        let is_stream = is_elsewhere && STREAMS.contains(&variable.name.as_str());
        let input = input && !is_known && !is_stream;
        let output = used.written[global.index()] && !variable.constant;
        if !variable.internal && variable.function.is_none() && !variable.constant {
            self.interface.exported.push(symbol.clone());
        }
        let changes_between_steps = changes.anywhere[global.index()] && !variable.constant;
        let is_fresh = variable.volatile && !settings.is_plain_memory(&variable.name);
        if !input && !is_fresh && used.read[global.index()] && changes_between_steps {
            let changed_by = if changes.elsewhere[global.index()] {
                ChangedBy::OtherFunctions
            } else {
                ChangedBy::FunctionUnderTest
            };
            let (name, symbol) = (variable.name.clone(), symbol.clone());
            self.interface.state.push(StateVariable { name, symbol, changed_by });
        }
        let is_volatile = !settings.is_plain_memory(&variable.name)
            && has_volatile(self.expander.types, variable);
        let accesses = Accesses {
            read: used.read[global.index()],
            written: used.written[global.index()] && !variable.constant,
        };
        let is_volatile =
            is_volatile && (accesses.read || accesses.written) && !named(&settings.fixed);
        let input = input || (is_volatile && variable.volatile);
        if is_elsewhere {
            let (name, is_open_ended) = (variable.name.clone(), self.is_open_ended(variable.kind));
            let (symbol, is_constant) = (symbol.clone(), variable.constant);
            let unknown = UnknownObject { name, symbol, is_open_ended, is_constant };
            self.interface.unknown.push(unknown);
        }
        if !input && !output && !is_volatile {
            return;
        }
        let size = module.global(global).bytes.len() as u64;
        let name = self.name_of(&symbol);
        let object = self.expander.add_object(&name, size, Origin::Global(symbol));
        if !input && !is_volatile {
            let cells = self.expander.expand_flat(&name, variable.kind, object);
            return self.interface.outputs.extend(cells);
        }
        let (writable, volatile) = (!variable.constant, variable.volatile);
        let root = Root { writable, volatile, ..Root::START };
        let mut expanded = self.expander.expand(&name, variable.kind, object, root);
        if is_volatile || expanded.cells.len() > MANY_CELLS {
            expanded = self.touched.keep(expanded, global, object);
        }
        if is_volatile {
            expanded = self.take_volatile(&variable.name, expanded, accesses);
        }
        if !input {
            // Of a static structure only the volatile members are inputs.
            for (cell, volatile) in expanded.cells.into_iter().zip(expanded.volatile) {
                if volatile {
                    self.interface.inputs.push(cell);
                } else if output && cell.object == object {
                    self.interface.outputs.push(cell);
                }
            }
            return;
        }
        for (cell, writable) in expanded.cells.iter().zip(&expanded.writable) {
            if *writable && (output || cell.object != object) {
                self.interface.outputs.push(cell.clone());
            }
        }
        self.note_unset(object, &expanded.cells);
        self.interface.inputs.extend(expanded.cells);
    }

    /// May whoever defines it make it larger than its type says: an array without a length, a structure that ends in one, a structure
    /// that is only declared?
    fn is_open_ended(&self, kind: TypeId) -> bool {
        let mut todo = vec![kind];
        while let Some(kind) = todo.pop() {
            match self.expander.types.get(kind) {
                CType::Array { length: None | Some(0), .. } | CType::Record { size: None, .. } => {
                    return true;
                }
                CType::Record { union: true, fields, .. } => {
                    todo.extend(fields.iter().map(|field| field.kind));
                }
                CType::Record { fields, .. } => todo.extend(fields.last().map(|field| field.kind)),
                _ => {}
            }
        }
        false
    }

    /// Memory at a fixed address is an input like a global; what is volatile there, read by read.
    pub(super) fn add_register(&mut self, register: &Register, module: &Module, used: &GlobalUse) {
        let (symbol, name) = (register.symbol(), register.name());
        let Some(global) = module.global_named(&symbol) else { return };
        let accesses =
            Accesses { read: used.read[global.index()], written: used.written[global.index()] };
        self.interface.exported.push(symbol.clone());
        if !accesses.read && !accesses.written {
            return;
        }
        let object = self.expander.add_object(&name, register.size, Origin::Global(symbol));
        for part in &register.parts {
            for index in 0..part.count {
                let offset = part.offset + index * part.size;
                let name = if offset == 0 { name.clone() } else { format!("{name}+{offset:#x}") };
                let volatile = part.volatile;
                let root = Root { offset, writable: true, volatile, ..Root::START };
                let expanded = self.expander.expand(&name, part.kind, object, root);
                let expanded = self.touched.keep(expanded, global, object);
                let expanded = self.take_volatile(&register.name(), expanded, accesses);
                for (cell, writable) in expanded.cells.iter().zip(&expanded.writable) {
                    if *writable && (accesses.written || cell.object != object) {
                        self.interface.outputs.push(cell.clone());
                    }
                }
                if accesses.read {
                    self.interface.inputs.extend(expanded.cells);
                }
            }
        }
        // There may be more registers behind the last one that the text names.
        let elements = Bound::Elements(self.expander.settings.elements);
        self.expander.objects[object.0].extent = Some(elements);
    }
}
