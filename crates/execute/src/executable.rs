//! An executable: a module decoded for the machine.

use obligato_bytecode::{Callee, CodeId, Flaw, Function, List, Module, check};

use crate::decode::decode_function;
use crate::instruction::Instruction;
use crate::watch::WatchPoint;

/// A decoded module, with its watch points.
#[derive(Clone, Debug)]
pub struct Executable<'m> {
    pub(crate) module: &'m Module,
    pub(crate) functions: Vec<Decoded>,
    pub(crate) options: ExecutableOptions,
}

/// The options of decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecutableOptions {
    /// Is signed overflow a runtime error, where the compiler may assume that there is none?
    pub signed_overflow: SignedOverflow,
    /// Where local variables live.
    pub variables: Variables,
}

/// The semantics of signed overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignedOverflow {
    /// It is a finding.
    Found,
    /// It wraps, as the machine does.
    Wraps,
}

/// Where local variables live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variables {
    /// Those whose address is only loaded from and stored to live in registers, which is fast.
    InRegisters,
    /// All in memory, for shadows that want to see every variable there.
    InMemory,
}

impl Default for ExecutableOptions {
    fn default() -> Self {
        Self { signed_overflow: SignedOverflow::Found, variables: Variables::InRegisters }
    }
}

/// A function as the machine runs it.
#[derive(Clone, Debug)]
pub(crate) struct Decoded {
    /// The function, with the same operations at the same places, but perhaps in other registers.
    pub(crate) function: Function,
    pub(crate) code: Vec<Instruction>,
    /// Which operation each instruction belongs to.
    pub(crate) origin: Vec<u32>,
    pub(crate) calls: Vec<CallSite>,
    pub(crate) switches: Vec<Switch>,
    /// Per operation, the registers that it writes to and reads: shadows want what they held before.
    pub(crate) in_place: Vec<Vec<u32>>,
}

impl Decoded {
    /// The operation of the instruction before this one.
    pub(crate) fn operation_before(&self, next: u32) -> u32 {
        self.origin[(next as usize).saturating_sub(1)]
    }
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallSite {
    pub(crate) to: u32,
    pub(crate) results: u32,
    pub(crate) callee: Callee,
    pub(crate) arguments: List,
}

/// The targets of a `switch`.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    /// Sorted.
    pub(crate) keys: Vec<u64>,
    pub(crate) targets: Vec<u32>,
    pub(crate) otherwise: u32,
}

impl Switch {
    #[inline]
    pub(crate) fn target(&self, value: u64) -> u32 {
        match self.keys.binary_search(&value) {
            Ok(arm) => self.targets[arm],
            Err(_) => self.otherwise,
        }
    }
}

impl<'m> Executable<'m> {
    /// Checks and decodes a module.
    pub fn new(
        module: &'m Module,
        watches: &[WatchPoint],
        options: ExecutableOptions,
    ) -> Result<Self, Flaw> {
        check(module)?;
        check_sizes(module)?;
        let mut by_function = vec![Vec::new(); module.functions.len()];
        for (number, watch) in watches.iter().enumerate() {
            check_watch(module, watch).map_err(|problem| {
                let symbol = format!("watch point {number}");
                Flaw { symbol, operation: None, problem }
            })?;
            by_function[watch.function.index()].push((number as u32, *watch));
        }
        let functions = module.functions.iter().zip(by_function);
        let functions = functions
            .map(|(function, watches)| decode_function(function, watches, options))
            .collect();
        Ok(Self { module, functions, options })
    }

    /// The module.
    pub fn module(&self) -> &'m Module {
        self.module
    }

    pub(crate) fn function(&self, code: CodeId) -> &Decoded {
        &self.functions[code.index()]
    }
}

/// The most globals and functions: numbers of objects have room for generations behind them.
const MOST_FIXED_OBJECTS: usize = 1 << 21;
/// The most bytes of globals: places in memory are 32 bits wide.
const MOST_FIXED_BYTES: u64 = 1 << 31;
/// The most registers of a function.
const MOST_REGISTERS: u32 = 1 << 24;

/// The executor's own limits on modules.
fn check_sizes(module: &Module) -> Result<(), Flaw> {
    let flaw = |symbol: &str, problem: &str| {
        Err(Flaw { symbol: symbol.to_owned(), operation: None, problem: problem.to_owned() })
    };
    if module.globals.len() + module.functions.len() > MOST_FIXED_OBJECTS {
        return flaw("unit", "too many globals and functions");
    }
    let bytes: u64 = module.globals.iter().map(|global| global.bytes.len() as u64).sum();
    if bytes > MOST_FIXED_BYTES {
        return flaw("unit", "too many bytes of globals");
    }
    match module.functions.iter().find(|function| function.registers > MOST_REGISTERS) {
        Some(function) => flaw(&function.name, "too many registers"),
        None => Ok(()),
    }
}

fn check_watch(module: &Module, watch: &WatchPoint) -> Result<(), String> {
    let function =
        module.functions.get(watch.function.index()).ok_or("there is no such function")?;
    if watch.operation as usize >= function.code.len() {
        return Err(format!("'{}' has no operation {}", function.name, watch.operation));
    }
    match watch.register {
        Some(register) if register.0 >= function.registers => {
            Err(format!("'{}' has no register {}", function.name, register.0))
        }
        _ => Ok(()),
    }
}
