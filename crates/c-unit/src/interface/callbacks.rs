//! Callbacks as inputs: how often a function outside calls what it is given, and with which arguments.

use obligato_model::Signedness;

use super::build::Builder;
use super::expand::Root;
use super::{Cell, Effects, Form, Origin, Outside};
use crate::callbacks::{COUNT_BITS, Callback};
use crate::driver::Driver;

impl Builder<'_> {
    /// Adds what the stub with this name asks for about callbacks.
    pub(super) fn add_callbacks(&mut self, stub: &str, label: &str, driver: &Driver) {
        for callback in driver.callbacks.iter().filter(|one| one.stub == stub) {
            self.add_callback(label, callback);
        }
    }

    fn add_callback(&mut self, label: &str, callback: &Callback) {
        let (mut results, mut given) = (Vec::new(), Vec::new());
        for call in 0..self.expander.settings.calls {
            let name = format!("{label}()[{call}]: {}", callback.label);
            let object = self.expander.add_object(&name, callback.size, Origin::Fresh);
            self.interface.inputs.push(Cell {
                name: format!("{name}()"),
                object,
                offset: 0,
                form: Form::Integer(Signedness::Unsigned, COUNT_BITS),
                bit_field: true,
                bound: None,
                given: None,
            });
            for (time, arguments) in callback.arguments.iter().enumerate() {
                for (index, argument) in arguments.iter().enumerate() {
                    let Some(argument) = argument else { continue };
                    let name = format!("{name}({})[{time}]", index + 1);
                    let root = Root { offset: argument.offset, ..Root::START };
                    let expanded = self.expander.expand(&name, argument.kind, object, root);
                    self.interface.inputs.extend(expanded.cells);
                }
            }
            results.push(object);
            given.push(Vec::new());
        }
        self.interface.outside.push(Outside {
            name: callback.symbol.clone(),
            label: label.to_owned(),
            results,
            given,
            writes: Vec::new(),
            globals: None,
            effects: Effects::default(),
        });
    }
}
