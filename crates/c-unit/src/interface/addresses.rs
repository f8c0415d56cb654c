//! Addresses of globals in the code of a function: in its constants, and in registers computed from them.

use obligato_bytecode::{Address, Function, GlobalId, Module, ObjectId, Operation, Register};
use rustc_hash::FxHashMap;

/// The registers of a function that hold an address in a global, each with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Addresses<T>(FxHashMap<Register, T>);

impl<T: Copy> Addresses<T> {
    /// Those that are constants, as `meaning` understands their words.
    pub(super) fn in_constants(
        function: &Function,
        meaning: impl Fn(Address) -> Option<T>,
    ) -> Self {
        let constants = function.constants.iter().enumerate();
        let known = constants.filter_map(|(index, constant)| {
            Some((Register(index as u32), meaning(Address(*constant))?))
        });
        Self(known.collect())
    }

    /// What is known of the address in a register.
    pub(super) fn get(&self, register: Register) -> Option<T> {
        self.0.get(&register).copied()
    }

    /// Notes the address that a register gets, and gives what was known of it before, or else the new.
    pub(super) fn get_or_insert(&mut self, register: Register, value: T) -> T {
        *self.0.entry(register).or_insert(value)
    }

    /// Follows an operation that only computes an address from another. Says whether it is one.
    pub(super) fn follow(&mut self, operation: &Operation) -> bool {
        let Some((to, from)) = computed_address(operation) else { return false };
        if let Some(value) = self.get(from) {
            self.0.insert(to, value);
        }
        true
    }

    /// Does no register hold one?
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many registers hold one.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// If an operation only computes an address from another: the registers of the new and of the old one.
pub(super) fn computed_address(operation: &Operation) -> Option<(Register, Register)> {
    match operation {
        Operation::Move { to, from }
        | Operation::Offset { to, base: from, .. }
        | Operation::Index { to, base: from, .. } => Some((*to, *from)),
        _ => None,
    }
}

/// The global from which an address is computed, also one that is out of its bounds for the time being.
pub(super) fn global_near(module: &Module, address: Address) -> Option<GlobalId> {
    let ObjectId(object) = address.object();
    let index = (object as usize).checked_sub(1)?;
    (index < module.globals.len()).then(|| GlobalId::new(index))
}

/// The global that an address lies in, or just behind.
pub(super) fn global_at(module: &Module, address: Address) -> Option<GlobalId> {
    offset_at(module, address).map(|(global, _)| global)
}

/// The global that an address lies in, or just behind, and the offset in it.
pub(super) fn offset_at(module: &Module, address: Address) -> Option<(GlobalId, u64)> {
    let global = global_near(module, address)?;
    let size = module.global(global).bytes.len() as u64;
    let offset = u64::try_from(address.offset()).ok()?;
    (offset <= size).then_some((global, offset))
}
