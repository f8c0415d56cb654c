//! Where the objects of a test are: the addresses that a runner gives them, which are the same in every run.

use obligato_bytecode::{Address, Module, ObjectId};
use obligato_c_unit::Interface;
use obligato_c_unit::interface::{ObjectIndex, Origin, Pointee};

/// The addresses of the objects of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Per object of the interface.
    pub objects: Vec<Address>,
    /// The list of pointers to the arguments, which the driver is given.
    pub arguments: Address,
    /// Where the result goes; null if there is none.
    pub result: Address,
    /// The first number that is free for what a run creates itself.
    pub first_free: ObjectId,
}

impl Layout {
    /// Of the tests of a function. Fresh objects get the numbers behind those of globals and functions, in order.
    pub fn new(module: &Module, interface: &Interface) -> Self {
        let ObjectId(mut next) = module.first_free_object();
        let mut fresh = || {
            next += 1;
            Address::new(ObjectId(next - 1), 0)
        };
        let objects: Vec<Address> = interface
            .objects
            .iter()
            .map(|object| match &object.origin {
                Origin::Fresh => fresh(),
                Origin::Global(name) => {
                    module.global_named(name).map_or(Address::NULL, Module::address_of_global)
                }
            })
            .collect();
        let arguments = fresh();
        let result = interface.result.map_or(Address::NULL, |ObjectIndex(at)| objects[at]);
        Self { objects, arguments, result, first_free: ObjectId(next) }
    }

    /// What a pointer to this holds.
    pub fn address_of(&self, module: &Module, to: &Pointee) -> Address {
        match to {
            Pointee::Null => Address::NULL,
            Pointee::Object(ObjectIndex(at)) => self.objects[*at],
            Pointee::Function(name) => {
                let function = module.function_named(name);
                function.map_or(Address::NULL, |code| module.address_of_function(code))
            }
        }
    }
}
