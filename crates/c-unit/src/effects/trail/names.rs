//! The names that a user knows memory by.

use obligato_bytecode::{Address, GlobalId, Module, ObjectId};
use rustc_hash::FxHashMap;

use super::Holder;
use crate::driver::is_of_driver;
use crate::interface::{Cell, Interface, ObjectIndex, Origin};

/// Names of memory, in a test.
pub(super) struct Names<'a> {
    module: &'a Module,
    interface: &'a Interface,
    addresses: &'a [Address],
    objects: FxHashMap<ObjectId, ObjectIndex>,
}

impl<'a> Names<'a> {
    /// With the addresses that the objects of the interface have in it.
    pub(super) fn new(
        module: &'a Module,
        interface: &'a Interface,
        addresses: &'a [Address],
    ) -> Self {
        let numbered = addresses.iter().enumerate();
        let objects = numbered.map(|(index, start)| (start.object(), ObjectIndex(index)));
        Self { module, interface, addresses, objects: objects.collect() }
    }

    /// What the user calls it, if he has a name for it.
    pub(super) fn of(&self, holder: Holder) -> Option<String> {
        match holder {
            Holder::Local(function, reserve) => {
                let function = self.module.function(function);
                let local = function.locals.iter().find(|local| local.reserve == reserve);
                local.filter(|_| !is_of_driver(&function.name)).map(|local| local.name.clone())
            }
            Holder::Lasting(address) => match self.objects.get(&address.object()) {
                Some(object) => Some(self.of_object(*object, address)),
                None => self.of_global(address),
            },
        }
    }

    /// Everything with a name that outlasts calls and can be written: where it starts, and how long it is.
    pub(super) fn places(&self) -> Vec<(Address, u64)> {
        let globals = self.module.globals.iter().enumerate();
        let globals = globals.filter(|(_, global)| !global.constant).map(|(index, global)| {
            (Module::address_of_global(GlobalId::new(index)), global.bytes.len() as u64)
        });
        let objects = self.interface.objects.iter().zip(self.addresses);
        let fresh = objects.filter(|(object, _)| object.origin == Origin::Fresh);
        globals.chain(fresh.map(|(object, start)| (*start, object.size))).collect()
    }

    /// The cell that a byte belongs to; else the whole object, `*p` if it is behind `p`.
    fn of_object(&self, index: ObjectIndex, address: Address) -> String {
        let Interface { inputs, outputs, objects, .. } = self.interface;
        let bit = u64::try_from(address.offset()).map_or(u64::MAX, |offset| offset * 8);
        let covers = |cell: &&Cell| {
            let bits = u64::from(cell.form.bits());
            cell.object == index && cell.offset < bit + 8 && bit < cell.offset + bits
        };
        if let Some(cell) = inputs.iter().chain(outputs).find(covers) {
            return cell.name.clone();
        }
        let object = &objects[index.0];
        let is_itself = object.origin != Origin::Fresh
            || self.interface.arguments.contains(&index)
            || self.interface.result == Some(index)
            || self.interface.call_of(index).is_some();
        if is_itself { object.name.clone() } else { format!("*{}", object.name) }
    }

    fn of_global(&self, address: Address) -> Option<String> {
        let ObjectId(number) = address.object();
        let global = self.module.globals.get((number as usize).checked_sub(1)?)?;
        Some(global.name.clone())
    }
}
