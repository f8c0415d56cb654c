//! What is known of the writes of functions outside: what a person says in the settings, and facts of standards.

use std::collections::BTreeSet;

use obligato_c_library::outside::{DeclaredBy, written_parameters};
use obligato_clang::{CType, Callable, TypeId, Types};

use crate::driver::Driver;
use crate::settings::Settings;

/// What a function outside writes at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Per parameter, may it write memory that it reaches from it?
    pub parameters: Vec<bool>,
    /// The globals that it may write.
    pub globals: BTreeSet<String>,
}

impl Contract {
    /// What is known of a function, if something is.
    pub(crate) fn of(callable: &Callable, driver: &Driver, settings: &Settings) -> Option<Self> {
        if let Some(contract) = settings.stubs.get(&callable.name) {
            let is_written = |name: &String| contract.writes.contains(name);
            let parameters = callable.parameters.iter().map(|one| is_written(&one.name));
            return Some(Self {
                parameters: parameters.collect(),
                globals: contract.writes.clone(),
            });
        }
        let is_standard = driver.standard.contains(&callable.name);
        let declared_by = if is_standard { DeclaredBy::System } else { DeclaredBy::Others };
        let written = written_parameters(&callable.name, declared_by)?;
        let parameters = (0..callable.parameters.len()).map(|index| written.contains(&index));
        Some(Self { parameters: parameters.collect(), globals: BTreeSet::new() })
    }
}

/// Does a value of this type lead to a function, which whoever has it may call? Nobody knows what an address of anything leads to.
pub(crate) fn leads_to_function(types: &Types, kind: TypeId) -> bool {
    let (mut todo, mut seen) = (vec![kind], BTreeSet::new());
    while let Some(kind) = todo.pop() {
        if !seen.insert(kind.index()) {
            continue;
        }
        match types.get(kind) {
            CType::Function { .. } => return true,
            CType::Pointer { to, .. } => todo.push(*to),
            CType::Array { of, .. } => todo.push(*of),
            CType::Record { fields, .. } => todo.extend(fields.iter().map(|field| field.kind)),
            _ => {}
        }
    }
    false
}
