//! Which globals a function reads and writes, itself or through what it calls.
//!
//! An over-approximation: what is read in some path is read, an address that goes anywhere but into a load or
//! a store may be used for both, and a pointer to a function that is mentioned may be called.

use obligato_bytecode::{
    Address, Callee, CodeId, Function, GlobalId, Intrinsic, Module, Operation, Register,
};
use obligato_c_library::calls_back;

use super::addresses::{Addresses, computed_address, global_at, global_near};
use crate::driver::is_of_driver;
use crate::environment::{READ, WRITTEN};

/// Per global of the module, may somebody outside of it come to know its address? An over-approximation: an address that is stored,
/// returned, or given to a function that is not one of the standard library counts as known.
pub fn known_outside(module: &Module) -> Vec<bool> {
    // Assembly and second names of objects are not followed.
    let mut known = vec![module.has_hidden_accesses; module.globals.len()];
    for function in module.functions.iter().filter(|one| !is_of_driver(&one.name)) {
        let inside = Addresses::in_constants(function, |address| global_near(module, address));
        let mut escapes = Escapes { inside, known: &mut known };
        // Blocks need not stand in the order in which they run.
        loop {
            let before = escapes.inside.len();
            for operation in &function.code {
                escapes.note(module, function, operation);
            }
            if escapes.inside.len() == before {
                break;
            }
        }
    }
    for global in module.globals.iter().filter(|global| !global.name.starts_with("obligato_")) {
        // Members of packed structures lie anywhere.
        for word in global.bytes.windows(8) {
            let word = word.try_into().map_or(0, u64::from_le_bytes);
            if let Some(pointed) = held_global(module, Address(word)) {
                known[pointed.index()] = true;
            }
        }
    }
    known
}

/// The global that a word of an initialiser leads to. Small numbers side by side look like no address, since offsets start far from zero;
/// an address is not out of bounds by half of that.
fn held_global(module: &Module, word: Address) -> Option<GlobalId> {
    let near = -i64::from(Address::BASE / 2)..=Address::LARGEST_OBJECT.cast_signed();
    global_near(module, word).filter(|_| near.contains(&word.offset()))
}

/// Addresses of globals on their way through a function.
struct Escapes<'e> {
    /// The global into which a register points.
    inside: Addresses<GlobalId>,
    /// Per global, does its address leave the function?
    known: &'e mut [bool],
}

impl Escapes<'_> {
    /// Notes what an operation does: it computes an address from another, uses one, or lets one escape.
    fn note(&mut self, module: &Module, function: &Function, operation: &Operation) {
        if let Some((to, from)) = computed_address(operation) {
            return self.follow(to, from);
        }
        match operation {
            // What copies contents, such as a structure that is assigned: addresses among them escaped when they were stored there.
            Operation::Intrinsic {
                op: Intrinsic::CopyMemory | Intrinsic::MoveMemory | Intrinsic::FillMemory,
                ..
            }
            | Operation::Load { .. }
            | Operation::Compare { .. } => {}
            Operation::Store { from, .. } => self.escape(*from),
            Operation::Call { to, results, callee: Callee::Direct(called), .. } => {
                let called = module.function(*called);
                let name = called.name.as_str();
                if [READ, WRITTEN].contains(&name) {
                    return;
                }
                let is_followed = !called.is_defined()
                    && obligato_execute::is_modelled(name)
                    && !calls_back(name);
                for given in operation.reads(function) {
                    if !is_followed {
                        self.escape(given);
                    } else if *results > 0 {
                        // Such as `strchr`, whose result points into its argument.
                        self.follow(*to, given);
                    }
                }
            }
            _ => operation.reads(function).into_iter().for_each(|read| self.escape(read)),
        }
    }

    /// A register that holds addresses of two globals is followed as one of them; the other counts as known.
    fn follow(&mut self, to: Register, from: Register) {
        let Some(global) = self.inside.get(from) else { return };
        if self.inside.get_or_insert(to, global) != global {
            self.known[global.index()] = true;
        }
    }

    fn escape(&mut self, register: Register) {
        if let Some(global) = self.inside.get(register) {
            self.known[global.index()] = true;
        }
    }
}

impl GlobalUse {
    /// Adds what another function does.
    pub fn join(&mut self, other: &Self) {
        let lists = [
            (&mut self.read, &other.read),
            (&mut self.written, &other.written),
            (&mut self.called, &other.called),
        ];
        for (mine, theirs) in lists {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine |= *theirs;
            }
        }
    }
}

/// What a function does with globals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalUse {
    /// Per global of the module, may it be read?
    pub read: Vec<bool>,
    /// Per global of the module, may it be written?
    pub written: Vec<bool>,
    /// Per function of the module, may it be called?
    pub called: Vec<bool>,
}

/// What a function, and everything that it may call, does with globals.
pub fn uses_of_globals(module: &Module, function: CodeId) -> GlobalUse {
    uses_by(module, [function])
}

/// Per global of the module, may any of its functions write it?
pub fn written_anywhere(module: &Module) -> Vec<bool> {
    uses_by(module, (0..module.functions.len()).map(CodeId::new)).written
}

/// Per global of the module, may one of these functions write it, or what it calls?
pub fn written_by(module: &Module, functions: &[bool]) -> Vec<bool> {
    let codes = (0..module.functions.len()).map(CodeId::new);
    uses_by(module, codes.filter(|code| functions[code.index()])).written
}

fn uses_by(module: &Module, functions: impl IntoIterator<Item = CodeId>) -> GlobalUse {
    let globals = module.globals.len();
    let mut search = Search {
        module,
        found: GlobalUse {
            read: vec![false; globals],
            written: vec![false; globals],
            called: vec![false; module.functions.len()],
        },
        entered: vec![false; globals],
        todo: Vec::new(),
    };
    for function in functions {
        search.call(function);
    }
    while let Some(function) = search.todo.pop() {
        search.scan(module.function(function));
    }
    search.found
}

struct Search<'a> {
    module: &'a Module,
    found: GlobalUse,
    /// Globals whose initial pointers were followed.
    entered: Vec<bool>,
    todo: Vec<CodeId>,
}

impl Search<'_> {
    fn call(&mut self, function: CodeId) {
        if !std::mem::replace(&mut self.found.called[function.index()], true) {
            self.todo.push(function);
        }
    }

    fn scan(&mut self, function: &Function) {
        let module = self.module;
        let mut inside = Addresses::in_constants(function, |address| global_at(module, address));
        for constant in &function.constants {
            if let Some(called) = module.function_at(Address(*constant)) {
                self.call(called);
            }
        }
        for operation in &function.code {
            if inside.follow(operation) {
                continue;
            }
            match operation {
                Operation::Load { from, .. } => self.touch(inside.get(*from), true, false),
                Operation::Store { to, from, .. } => {
                    self.touch(inside.get(*to), false, true);
                    self.touch(inside.get(*from), true, true);
                }
                Operation::Call { callee: Callee::Direct(called), .. } => {
                    self.call(*called);
                    let hook = self.module.function(*called).name.as_str();
                    let (read, written) = match hook {
                        READ => (true, false),
                        WRITTEN => (false, true),
                        _ => (true, true),
                    };
                    for register in operation.reads(function) {
                        self.touch(inside.get(register), read, written);
                    }
                }
                _ => self.touch_all(function, operation, &inside),
            }
        }
    }

    /// Everything that the operation reads may be used for anything.
    fn touch_all(
        &mut self,
        function: &Function,
        operation: &Operation,
        inside: &Addresses<GlobalId>,
    ) {
        for register in operation.reads(function) {
            self.touch(inside.get(register), true, true);
        }
    }

    fn touch(&mut self, global: Option<GlobalId>, read: bool, written: bool) {
        let mut todo: Vec<(GlobalId, bool, bool)> =
            global.iter().map(|global| (*global, read, written)).collect();
        while let Some((global, read, written)) = todo.pop() {
            self.found.read[global.index()] |= read;
            self.found.written[global.index()] |= written;
            if !read || std::mem::replace(&mut self.entered[global.index()], true) {
                continue;
            }
            // What it points to from the start can be reached through it.
            for word in self.module.global(global).bytes.chunks_exact(8) {
                let word = word.try_into().map_or(0, u64::from_le_bytes);
                if let Some(called) = self.module.function_at(Address(word)) {
                    self.call(called);
                } else if let Some(next) = global_at(self.module, Address(word)) {
                    todo.push((next, true, true));
                }
            }
        }
    }
}
