//! A unit: its functions and its objects.

use obligato_model::typed_ids;

use crate::{Address, Function, ObjectId};

typed_ids! {
    /// A function of a module, defined in it or not.
    CodeId,
    /// A global object of a module.
    GlobalId,
}

/// A whole unit, ready to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// All functions that are defined, called or pointed to.
    pub functions: Vec<Function>,
    /// All objects with a name, and the constants among them.
    pub globals: Vec<Global>,
    /// May something besides its operations access objects: assembly, or another name of an object?
    pub has_hidden_accesses: bool,
}

/// An object that exists as long as the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its symbol: `speed`, `.str.3`; for a static local `counter.calls`.
    pub name: String,
    /// What it holds at the start; its length is the size of the object. Pointers in it are final,
    /// since the addresses of globals and functions are known.
    pub bytes: Vec<u8>,
    /// A power of two.
    pub alignment: u64,
    /// Must the program not write to it?
    pub constant: bool,
    /// Is it defined here? What is only declared starts as zeros.
    pub defined: bool,
}

/// What the name of a function starts with that does the same as the one with the rest of the name, which the module does not define.
pub const BEHIND: &str = "obligato_library_";

/// What the symbols of pointers start with that lead to what the weak symbol with the rest of the name is linked to.
pub const LINKED: &str = "obligato_linked_to_";

impl Module {
    /// Objects are numbered from 1: the globals first, then the functions, then what a run creates.
    pub fn object_of_global(global: GlobalId) -> ObjectId {
        ObjectId(1 + global.index() as u32)
    }

    /// The address of the start of a global.
    pub fn address_of_global(global: GlobalId) -> Address {
        Address::new(Self::object_of_global(global), 0)
    }

    /// The address that a pointer to a function holds. There is nothing to read or write at it.
    pub fn address_of_function(&self, function: CodeId) -> Address {
        Address::new(ObjectId((1 + self.globals.len() + function.index()) as u32), 0)
    }

    /// The function that a pointer points to, if it points to the start of one.
    pub fn function_at(&self, address: Address) -> Option<CodeId> {
        let index = (address.object().0 as usize).checked_sub(1 + self.globals.len())?;
        (index < self.functions.len() && address.offset() == 0).then(|| CodeId::new(index))
    }

    /// The first object number that is free for what a run creates.
    pub fn first_free_object(&self) -> ObjectId {
        ObjectId((1 + self.globals.len() + self.functions.len()) as u32)
    }

    /// The function of this name.
    pub fn function_named(&self, name: &str) -> Option<CodeId> {
        self.functions.iter().position(|function| function.name == name).map(CodeId::new)
    }

    /// The code that stands behind a function which is only declared, for whoever follows it: see [`BEHIND`].
    pub fn code_behind(&self, code: CodeId) -> Option<CodeId> {
        let function = self.function(code);
        let behind = || self.function_named(&format!("{BEHIND}{}", function.name));
        if function.is_defined() { None } else { behind() }
    }

    /// The global of this name.
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().position(|global| global.name == name).map(GlobalId::new)
    }

    /// A function.
    pub fn function(&self, id: CodeId) -> &Function {
        &self.functions[id.index()]
    }

    /// A global.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }
}
