//! What whoever writes C against a unit has to know of it: how its functions are declared, and what it leaves to others to define.

use obligato_clang::Callable;

use crate::driver::write_definition;
use crate::unit::Unit;

impl Unit {
    /// A function as its callers see it.
    pub fn callable(&self, name: &str) -> Option<&Callable> {
        self.syntax.callables.iter().find(|callable| callable.name == name)
    }

    /// The functions that the unit uses and nobody defines.
    pub fn undefined_functions(&self) -> &[Callable] {
        &self.driver.outside
    }

    /// The functions that the unit uses and does not define, and that never return.
    pub fn endless_functions(&self) -> impl Iterator<Item = &Callable> {
        let declared = self.syntax.callables.iter();
        declared.filter(|one| one.used && !one.defined && one.endless)
    }

    /// Definitions of the objects that the unit uses and nobody defines, each a line of C.
    pub fn missing_definitions(&self) -> Vec<String> {
        let variables = self.syntax.variables.iter().filter(|variable| {
            variable.function.is_none()
                && variable.used
                && !variable.defined
                && !obligato_execute::is_modelled(&variable.name)
        });
        let definitions = variables.map(|variable| {
            let mut text = String::new();
            write_definition(&mut text, &self.syntax.types, variable);
            text.trim_end().to_owned()
        });
        definitions.filter(|text| !text.is_empty()).collect()
    }

    /// The bytes that a global has before anything runs, by its symbol.
    pub fn initial_bytes(&self, symbol: &str) -> Option<&[u8]> {
        let global = self.loaded.module.global_named(symbol)?;
        Some(&self.loaded.module.global(global).bytes)
    }
}
