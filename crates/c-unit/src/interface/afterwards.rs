//! Which globals the unit may read after a call of a function outside: only those are worth writing there.
//!
//! It decides which columns are offered, not what a proof assumes: a formula lets a function outside write everything that it reaches.

use obligato_bytecode::{Callee, CodeId, Function, GlobalId, Module, Operation};
use obligato_control_flow::{Cfg, reachable_from};
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::{Addresses, global_at};
use super::globals::{GlobalUse, uses_of_globals};

/// The globals that may be read after calls of functions outside.
#[derive(Debug)]
pub(super) enum ReadAfterwards {
    /// By the name of the function outside.
    Known(FxHashSet<(String, GlobalId)>),
    /// There is too much code to tell.
    Anything,
}

/// A unit with more functions is not analysed.
const MOST_FUNCTIONS: usize = 400;

/// What an operation does, as far as it matters.
#[derive(Default)]
struct Step {
    reads: FxHashSet<GlobalId>,
    /// Stubs that it may call, itself or further down.
    stubs: Vec<usize>,
}

impl ReadAfterwards {
    /// Those of the functions that may be called, for the stubs with these names.
    pub(super) fn new(module: &Module, used: &GlobalUse, stubs: &[&str]) -> Self {
        let called = || (0..module.functions.len()).map(CodeId::new);
        let called: Vec<CodeId> = called().filter(|code| used.called[code.index()]).collect();
        let stubs: Vec<(String, CodeId)> = stubs
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), module.function_named(name)?)))
            .filter(|(_, code)| used.called[code.index()])
            .collect();
        if called.len() > MOST_FUNCTIONS {
            return Self::Anything;
        }
        let mut found = FxHashSet::default();
        if stubs.is_empty() {
            return Self::Known(found);
        }
        let by_function: FxHashMap<CodeId, GlobalUse> =
            called.iter().map(|code| (*code, uses_of_globals(module, *code))).collect();
        for code in &called {
            let function = module.function(*code);
            if !function.code.is_empty() {
                scan(module, function, used, &by_function, &stubs, &mut found);
            }
        }
        Self::Known(found)
    }

    /// May the unit read this global after a call of this function outside?
    pub(super) fn may_read(&self, stub: &str, global: GlobalId) -> bool {
        match self {
            Self::Known(found) => found.contains(&(stub.to_owned(), global)),
            Self::Anything => true,
        }
    }
}

/// Looks for reads behind calls in one function.
fn scan(
    module: &Module,
    function: &Function,
    used: &GlobalUse,
    by_function: &FxHashMap<CodeId, GlobalUse>,
    stubs: &[(String, CodeId)],
    found: &mut FxHashSet<(String, GlobalId)>,
) {
    let steps = steps_of(module, function, used, by_function, stubs);
    if steps.iter().all(|step| step.stubs.is_empty()) {
        return;
    }
    let cfg = Cfg::new(function);
    let reads_of = |range: std::ops::Range<u32>| {
        steps[range.start as usize..range.end as usize].iter().flat_map(|step| &step.reads)
    };
    for (at, step) in steps.iter().enumerate().filter(|(_, step)| !step.stubs.is_empty()) {
        let block = cfg.block_of(at as u32);
        let rest = at as u32 + 1..cfg.code_of(block).end;
        let mut reads: FxHashSet<GlobalId> = reads_of(rest).copied().collect();
        let behind = cfg.graph().successors(block).iter().copied();
        let reached = reachable_from(cfg.graph(), behind);
        for block in cfg.graph().nodes().filter(|block| reached.contains(*block as usize)) {
            reads.extend(reads_of(cfg.code_of(block)).copied());
        }
        for stub in &step.stubs {
            found.extend(reads.iter().map(|global| (stubs[*stub].0.clone(), *global)));
        }
    }
}

/// What each operation of a function does.
fn steps_of(
    module: &Module,
    function: &Function,
    used: &GlobalUse,
    by_function: &FxHashMap<CodeId, GlobalUse>,
    stubs: &[(String, CodeId)],
) -> Vec<Step> {
    let mut inside = Addresses::in_constants(function, |address| global_at(module, address));
    let mut steps = Vec::with_capacity(function.code.len());
    for operation in &function.code {
        let mut step = Step::default();
        if inside.follow(operation) {
            steps.push(step);
            continue;
        }
        if let Operation::Store { from, .. } = operation {
            step.reads.extend(inside.get(*from));
        } else {
            let registers = operation.reads(function);
            step.reads.extend(registers.into_iter().filter_map(|one| inside.get(one)));
        }
        if let Operation::Call { callee, .. } = operation {
            let called = match callee {
                Callee::Direct(code) => by_function.get(code),
                Callee::Through(_) => Some(used),
            };
            if let Some(called) = called {
                let globals = (0..called.read.len()).filter(|at| called.read[*at]);
                step.reads.extend(globals.map(GlobalId::new));
                let is_called =
                    |(_, stub): &(usize, &(String, CodeId))| called.called[stub.1.index()];
                step.stubs = stubs.iter().enumerate().filter(is_called).map(|(at, _)| at).collect();
            }
        }
        steps.push(step);
    }
    steps
}
