//! What a function under test asks of its surroundings, itself or through what it calls: memory, output, a locale, `volatile` objects.
//!
//! An over-approximation by the code that it may reach: an engine that only follows paths names the bounds of what they may have touched, and
//! no others.

use obligato_bytecode::{Function, Operation};
use obligato_c_library::{allocates, may_ask_locale, may_print};

use crate::interface::uses_of_globals;
use crate::unit::Unit;

/// Something in the surroundings of a function, which another program, machine or user may have otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrounding {
    /// Memory to allocate.
    Allocation,
    /// Where it prints.
    Output,
    /// The classes of characters, and how numbers are written.
    Locale,
    /// What `volatile` objects hold when they are read.
    VolatileReads,
}

impl Surrounding {
    const ALL: [Self; 4] = [Self::Allocation, Self::Output, Self::Locale, Self::VolatileReads];

    /// May the function itself ask for it?
    fn is_asked_by(self, function: &Function) -> bool {
        match self {
            Self::Allocation => allocates(&function.name),
            Self::Output => may_print(&function.name),
            Self::Locale => may_ask_locale(&function.name),
            Self::VolatileReads => function
                .code
                .iter()
                .any(|one| matches!(one, Operation::Load { volatile: true, .. })),
        }
    }
}

impl Unit {
    /// What a function may ask of its surroundings.
    pub fn surroundings_of(&self, function: &str) -> Vec<Surrounding> {
        let module = self.module();
        let Some(call) = self.call_of(function) else { return Vec::new() };
        let called = uses_of_globals(module, call).called;
        let is_asked = |one: &Surrounding| {
            let mut functions = module.functions.iter().zip(&called);
            functions.any(|(function, called)| *called && one.is_asked_by(function))
        };
        Surrounding::ALL.into_iter().filter(is_asked).collect()
    }
}
