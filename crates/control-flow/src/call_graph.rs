//! Whom the functions of a module may call.

use std::collections::BTreeMap;

use obligato_bytecode::{Address, BEHIND, Callee, CodeId, Module, Operation};
use obligato_c_library::calls_back;

/// The calls of all functions, direct ones and those through pointers.
///
/// A call through a pointer may enter every function whose address is taken. Where a declared function has code behind it
/// ([`Module::code_behind`]), a call may enter that as well.
#[derive(Clone, Debug)]
pub struct CallGraph {
    address_taken: Vec<CodeId>,
    sites: Vec<Vec<CallSite>>,
    /// Per function, the code behind it.
    behind: Vec<Option<CodeId>>,
}

/// A call in the code of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Which operation it is.
    pub operation: u32,
    /// Whom it may call.
    pub target: CallTarget,
}

/// Whom a call may enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallTarget {
    /// One function.
    Direct(CodeId),
    /// One function, which may in turn call every function whose address is taken.
    CallingBack(CodeId),
    /// Every function whose address is taken.
    AddressTaken,
}

impl CallGraph {
    /// The call graph of a module.
    pub fn new(module: &Module) -> Self {
        let sites = module.functions.iter().map(|function| {
            let numbered = (0..).zip(&function.code);
            let calls = numbered.filter_map(|(operation, code)| match code {
                Operation::Call { callee, .. } => {
                    Some(CallSite { operation, target: target_of(module, *callee) })
                }
                _ => None,
            });
            calls.collect()
        });
        let sites = sites.collect();
        Self { address_taken: address_taken(module), sites, behind: code_behind(module) }
    }

    /// The functions whose address is taken, in ascending order: what a pointer may call.
    pub fn address_taken(&self) -> &[CodeId] {
        &self.address_taken
    }

    /// The calls of a function, in the order of its code.
    pub fn sites(&self, function: CodeId) -> &[CallSite] {
        &self.sites[function.index()]
    }

    /// The functions that a call may enter, in ascending order, with the code behind them.
    pub fn callees(&self, target: CallTarget) -> Vec<CodeId> {
        let (direct, taken) = match target {
            CallTarget::Direct(code) => (Some(code), [].as_slice()),
            CallTarget::CallingBack(code) => (Some(code), self.address_taken.as_slice()),
            CallTarget::AddressTaken => (None, self.address_taken.as_slice()),
        };
        let mut callees: Vec<CodeId> = direct.into_iter().chain(taken.iter().copied()).collect();
        let behind: Vec<CodeId> =
            callees.iter().filter_map(|callee| self.behind[callee.index()]).collect();
        callees.extend(behind);
        callees.sort_unstable();
        callees.dedup();
        callees
    }

    /// The functions that may run when these are called, themselves included, in the order of a depth-first search.
    pub fn reachable_from(&self, entries: impl IntoIterator<Item = CodeId>) -> Vec<CodeId> {
        let mut seen = vec![false; self.sites.len()];
        let mut found = Vec::new();
        let mut worklist: Vec<CodeId> = entries.into_iter().collect();
        while let Some(function) = worklist.pop() {
            if std::mem::replace(&mut seen[function.index()], true) {
                continue;
            }
            found.push(function);
            let sites = self.sites(function).iter();
            worklist.extend(sites.flat_map(|site| self.callees(site.target)));
        }
        found
    }
}

fn target_of(module: &Module, callee: Callee) -> CallTarget {
    match callee {
        Callee::Direct(code) if calls_back(&module.function(code).name) => {
            CallTarget::CallingBack(code)
        }
        Callee::Direct(code) => CallTarget::Direct(code),
        Callee::Through(_) => CallTarget::AddressTaken,
    }
}

/// Addresses are final in the bytecode, so a function whose address is taken is a constant of some function or stands in a global,
/// aligned or not.
fn address_taken(module: &Module) -> Vec<CodeId> {
    let mut taken = vec![false; module.functions.len()];
    let mut note = |value: u64| {
        if let Some(function) = module.function_at(Address(value)) {
            taken[function.index()] = true;
        }
    };
    for function in &module.functions {
        function.constants.iter().for_each(|constant| note(*constant));
    }
    for global in &module.globals {
        for bytes in global.bytes.windows(8) {
            note(u64::from_le_bytes(bytes.try_into().unwrap_or_default()));
        }
    }
    let ids = (0..taken.len()).filter(|index| taken[*index]);
    ids.map(CodeId::new).collect()
}

/// [`Module::code_behind`] of all functions at once.
fn code_behind(module: &Module) -> Vec<Option<CodeId>> {
    let mut named = BTreeMap::new();
    for (index, function) in module.functions.iter().enumerate() {
        if let Some(name) = function.name.strip_prefix(BEHIND) {
            named.entry(name).or_insert(CodeId::new(index));
        }
    }
    let functions = module.functions.iter();
    functions
        .map(|function| {
            let behind = named.get(function.name.as_str()).copied();
            behind.filter(|_| !function.is_defined())
        })
        .collect()
}

#[cfg(test)]
mod tests;
