//! Weak functions and objects as inputs: what a program is linked with is settled before its first step.

use obligato_bytecode::{GlobalId, Module};
use obligato_model::BitSet;

use super::build::Builder;
use super::globals::{GlobalUse, uses_of_globals};
use super::{Cell, ChangedBy, Form, Origin, Pointee, PointerTarget, StateVariable};
use crate::driver::Driver;
use crate::weak::{WeakKind, links, settled};

/// The pointers that are written into objects which the function under test uses and whose initialisers have addresses of weak symbols.
fn linked_in_initialisers(module: &Module, used: &GlobalUse) -> BitSet {
    let mut pointers = BitSet::empty(module.globals.len());
    let links = links();
    for link in [links.constants, links.variables] {
        let Some(code) = module.function_named(&link) else { continue };
        let linking = uses_of_globals(module, code);
        let mut written = used.read.iter().zip(&used.written).zip(&linking.written);
        if written.any(|((read, written), linked)| (*read || *written) && *linked) {
            (0..).zip(&linking.read).filter(|(_, read)| **read).for_each(|(at, _)| {
                pointers.insert(at);
            });
        }
    }
    pointers
}

impl Builder<'_> {
    /// Adds an argument for each weak function and object, which is an input if the function under test uses it. Gives the stubs that may be called, with
    /// the names of their functions.
    pub(super) fn add_weak(
        &mut self,
        function: &str,
        driver: &Driver,
        module: &Module,
        used: &GlobalUse,
    ) -> Vec<(String, String)> {
        let (mut stubs, mut settles) = (Vec::new(), false);
        let in_initialisers = linked_in_initialisers(module, used);
        for weak in &driver.weak {
            let object = self.expander.add_object(&weak.name, 8, Origin::Fresh);
            self.interface.arguments.push(object);
            let (pointer, stand_in) = (weak.pointer(), weak.stand_in());
            let global = module.global_named(&pointer);
            let is_used = |global: GlobalId| {
                used.read[global.index()] || in_initialisers.contains(global.index())
            };
            if !global.is_some_and(is_used) {
                continue;
            }
            let stub = || PointerTarget {
                name: "stub".to_owned(),
                to: Pointee::Function(stand_in.clone()),
            };
            // A null pointer stands for the unit's own definition, if there is one.
            let own = || PointerTarget { name: weak.name.clone(), to: Pointee::Null };
            let label = self.name_of(&weak.name);
            let (name, form) = match weak.kind {
                WeakKind::DefinedFunction => (label.clone(), Form::Pointer(vec![own(), stub()])),
                WeakKind::Function => {
                    (label.clone(), Form::Pointer(vec![PointerTarget::null(), stub()]))
                }
                WeakKind::Object => (format!("&{label}"), Form::Bool(64)),
            };
            let (offset, bit_field, bound) = (0, false, None);
            let cell = Cell { name, object, offset, form, bit_field, bound, given: None };
            self.interface.inputs.push(cell);
            self.add_settled(&weak.name, pointer);
            settles = true;
            if weak.kind != WeakKind::Object {
                stubs.push((stand_in, label));
            }
        }
        if settles {
            self.add_settled(function, settled(function));
        }
        stubs
    }

    /// What is settled stays so from step to step.
    fn add_settled(&mut self, name: &str, symbol: String) {
        let (name, changed_by) = (name.to_owned(), ChangedBy::FunctionUnderTest);
        self.interface.state.push(StateVariable { name, symbol, changed_by });
    }
}
