//! What tag propagation has to know of a function's code before it runs.

use std::collections::BTreeMap;
use std::ops::Range;

use obligato_bytecode::{Binary, Cast, Comparison, Function, Operation, Register};
use obligato_control_flow::{Cfg, PostDominators};
use obligato_model::{ConditionId, DecisionId, Program};
use rustc_hash::FxHashMap;

use crate::watch::{Meaning, Point};

/// Facts of a function.
#[derive(Clone, Debug)]
pub struct Facts {
    cfg: Cfg,
    post_dominators: PostDominators,
    /// The conditions that operations compute.
    computed: FxHashMap<u32, Vec<ConditionId>>,
    /// The conditions that registers hold without an operation that computes them: results of calls, merges.
    given: FxHashMap<Register, Vec<ConditionId>>,
    /// Per register, the decision that its truth belongs to.
    decisions: Vec<Option<DecisionId>>,
    /// Is a register the outcome of a decision, or of a part of it that is more than a condition?
    outcomes: Vec<bool>,
    /// By the jump at the end of a predecessor of a join, what it copies for the phis there.
    copies: FxHashMap<u32, Vec<(Register, Register)>>,
    /// By register of a phi, what comes from each predecessor, if that is a constant.
    sources: FxHashMap<Register, Vec<Option<u64>>>,
    /// By where the blocks start that they lead to, what branches test.
    branches: FxHashMap<u32, Register>,
    /// By where their block starts, the variables that are assigned.
    assignments: FxHashMap<u32, Vec<Assignment>>,
}

/// An assignment to a variable that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The operation that does it.
    pub operation: u32,
    /// The variable.
    pub variable: MemoryVariable,
    /// From where in it, in bytes.
    pub offset: i64,
    /// How many bytes.
    pub size: u64,
    /// What is assigned, if that is a constant.
    pub constant: Option<u64>,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryVariable {
    /// The one that this `Reserve` makes.
    Local(u32),
    /// The one at this address.
    Global(u64),
}

impl Facts {
    /// Those of a function with these points.
    pub fn new(function: &Function, points: &[&Point], program: &Program) -> Self {
        let cfg = Cfg::new(function);
        let mut facts = Self {
            post_dominators: PostDominators::new(cfg.graph()),
            cfg,
            computed: FxHashMap::default(),
            given: FxHashMap::default(),
            decisions: vec![None; function.registers as usize],
            outcomes: vec![false; function.registers as usize],
            copies: copies(function),
            sources: FxHashMap::default(),
            branches: branches(function),
            assignments: assignments(function),
        };
        for (to, from) in facts.copies.values().flatten() {
            let constant = function.constants.get(from.0 as usize).copied();
            facts.sources.entry(*to).or_default().push(constant);
        }
        for point in points {
            let (Meaning::Evaluate(condition), [register, ..]) =
                (&point.meaning, point.registers.as_slice())
            else {
                continue;
            };
            // Of several conditions with one value, the outer one comes first.
            let decision = program.condition(*condition).decision;
            facts.decisions[register.0 as usize].get_or_insert(decision);
            let operation = &function.code[point.operation as usize];
            if is_computed(operation) && operation.writes(function).contains(register) {
                facts.computed.entry(point.operation).or_default().insert(0, *condition);
            } else {
                facts.given.entry(*register).or_default().insert(0, *condition);
            }
        }
        facts.follow(function);
        facts
    }

    /// The conditions that an operation computes, the innermost first.
    pub fn computed(&self, operation: u32) -> &[ConditionId] {
        self.computed.get(&operation).map_or(&[], Vec::as_slice)
    }

    /// The conditions that a register was given, the innermost first.
    pub fn given(&self, register: Register) -> &[ConditionId] {
        self.given.get(&register).map_or(&[], Vec::as_slice)
    }

    /// The registers that a jump to a join has copied, and from where.
    pub fn copied_by(&self, jump: u32) -> &[(Register, Register)] {
        self.copies.get(&jump).map_or(&[], Vec::as_slice)
    }

    /// Does a register of a phi get the same constant from all predecessors?
    pub fn is_same_on_all_paths(&self, register: Register) -> bool {
        let sources = self.sources.get(&register);
        sources.is_some_and(|sources| {
            sources[0].is_some() && sources.iter().all(|source| *source == sources[0])
        })
    }

    /// The decision that a register is the outcome of.
    pub fn outcome(&self, register: Register) -> Option<DecisionId> {
        let decision = self.decisions[register.0 as usize];
        decision.filter(|_| self.outcomes[register.0 as usize])
    }

    /// The decision that the truth of a register belongs to.
    pub fn decision(&self, register: Register) -> Option<DecisionId> {
        self.decisions[register.0 as usize]
    }

    /// The start of the immediate post-dominator of a branch; none if its paths leave the function apart.
    pub fn join_of(&self, branch: u32) -> Option<u32> {
        let join = self.post_dominators.immediate(self.cfg.block_of(branch));
        join.map(|block| self.cfg.code_of(block).start)
    }

    /// The code of the basic blocks between a branch and its immediate post-dominator: what is control-dependent on the branch.
    pub fn controlled_by(&self, branch: u32) -> impl Iterator<Item = Range<u32>> {
        let branch = self.cfg.block_of(branch);
        let blocks = self.post_dominators.controlled_by(self.cfg.graph(), branch);
        blocks.into_iter().map(|block| self.cfg.code_of(block))
    }

    /// The assignments that are control-dependent on a branch.
    pub fn assigned_under(&self, branch: u32) -> Vec<Assignment> {
        let starts = self.controlled_by(branch).map(|code| code.start);
        starts
            .flat_map(|start| self.assignments.get(&start).into_iter().flatten().copied())
            .collect()
    }

    /// Follows truth from conditions to what is made of it, until nothing is new: code is nearly in the order
    /// of its values.
    fn follow(&mut self, function: &Function) {
        let merges = merges(function);
        let mut changed = true;
        while changed {
            changed = false;
            let computed = function.code.iter().flat_map(|operation| self.passed_on(operation));
            let outcomes = merges.iter().filter_map(|(to, sources)| {
                let decision = self.merged_from(function, sources)?;
                Some((*to, decision, true))
            });
            let passed: Vec<_> = computed.chain(outcomes).collect();
            for (to, decision, outcome) in passed {
                let to = to.0 as usize;
                if self.decisions[to].is_none() {
                    self.decisions[to] = Some(decision);
                    changed = true;
                }
                if self.decisions[to] == Some(decision) && outcome && !self.outcomes[to] {
                    self.outcomes[to] = true;
                    changed = true;
                }
            }
        }
    }

    /// The decision that all of what is merged belongs to. `a && 1` is merged from constants alone; the branches before say of what. If
    /// `c ? a && b : d` is merged, `c` has its part in it.
    fn merged_from(&self, function: &Function, sources: &[(u32, Register)]) -> Option<DecisionId> {
        let of = |(at, from): &(u32, Register)| {
            let constant = (from.0 as usize) < function.constants.len();
            let register = if constant { *self.branches.get(at)? } else { *from };
            self.decisions[register.0 as usize]
        };
        let decision = of(sources.first()?)?;
        sources.iter().all(|source| of(source) == Some(decision)).then_some(decision)
    }

    /// The registers to which an operation passes truth on: of which decision, and as its outcome?
    fn passed_on(&self, operation: &Operation) -> Vec<(Register, DecisionId, bool)> {
        let of = |register: &Register| self.decisions[register.0 as usize];
        match operation {
            Operation::Binary { op: Binary::Xor, width: 1, to, left, .. }
            | Operation::Compare { op: Comparison::NotEqual, to, left, .. }
                if of(left).is_some() && !both(of, operation) =>
            {
                of(left).map(|it| (*to, it, self.outcomes[left.0 as usize])).into_iter().collect()
            }
            Operation::Cast { op, to, from }
                if matches!(op, Cast::ExtendUnsigned { .. } | Cast::ExtendSigned { .. })
                    || matches!(op, Cast::Truncate { to: 1, .. }) =>
            {
                of(from).map(|it| (*to, it, self.outcomes[from.0 as usize])).into_iter().collect()
            }
            Operation::Binary { op: Binary::And | Binary::Or | Binary::Xor, to, left, .. }
            | Operation::Compare {
                op: Comparison::Equal | Comparison::NotEqual, to, left, ..
            } if both(of, operation) => of(left).map(|it| (*to, it, true)).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// Do both operands belong to the same decision?
fn both(of: impl Fn(&Register) -> Option<DecisionId>, operation: &Operation) -> bool {
    match operation {
        Operation::Binary { left, right, .. } | Operation::Compare { left, right, .. } => {
            of(left).is_some() && of(left) == of(right)
        }
        _ => false,
    }
}

fn is_computed(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Compare { .. }
            | Operation::WideCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Cast { .. }
            | Operation::Binary { .. }
            | Operation::Intrinsic { .. }
    )
}

/// By the jumps at their ends, what the predecessors of phis copy.
fn copies(function: &Function) -> FxHashMap<u32, Vec<(Register, Register)>> {
    let mut copies: FxHashMap<u32, Vec<(Register, Register)>> = FxHashMap::default();
    for block in &function.blocks {
        for at in block.code.clone() {
            let pairs = moved(function, &function.code[at as usize]);
            if !pairs.is_empty() {
                copies.entry(block.code.end - 1).or_default().extend(pairs);
            }
        }
    }
    copies
}

/// By the registers that blocks are merged into, where that is done and from what.
fn merges(function: &Function) -> BTreeMap<Register, Vec<(u32, Register)>> {
    let mut merges: BTreeMap<Register, Vec<(u32, Register)>> = BTreeMap::new();
    for (at, operation) in function.code.iter().enumerate() {
        for (to, from) in moved(function, operation) {
            merges.entry(to).or_default().push((at as u32, from));
        }
    }
    merges
}

/// What an operation copies, if it does nothing else.
fn moved(function: &Function, operation: &Operation) -> Vec<(Register, Register)> {
    match operation {
        Operation::Move { to, from } => vec![(*to, *from)],
        Operation::Moves { to, from } => {
            let to = function.lists[to.range()].iter().copied();
            to.zip(function.lists[from.range()].iter().copied()).collect()
        }
        _ => Vec::new(),
    }
}

/// By where they lead to, what branches test.
fn branches(function: &Function) -> FxHashMap<u32, Register> {
    let mut branches = FxHashMap::default();
    for operation in &function.code {
        if let Operation::Branch { test, then, otherwise } = operation {
            branches.extend([(then.0, *test), (otherwise.0, *test)]);
        }
    }
    branches
}

/// By block, the assignments to variables with names.
fn assignments(function: &Function) -> FxHashMap<u32, Vec<Assignment>> {
    let mut places: FxHashMap<Register, (MemoryVariable, i64)> = FxHashMap::default();
    for (register, constant) in function.constants.iter().enumerate() {
        places.insert(Register(register as u32), (MemoryVariable::Global(*constant), 0));
    }
    let mut found: FxHashMap<u32, Vec<Assignment>> = FxHashMap::default();
    for block in &function.blocks {
        for at in block.code.clone() {
            match &function.code[at as usize] {
                Operation::Reserve { to, .. } => {
                    places.insert(*to, (MemoryVariable::Local(at), 0));
                }
                Operation::Offset { to, base, offset, .. } => {
                    if let Some((variable, start)) = places.get(base).copied() {
                        places.insert(*to, (variable, start.wrapping_add(*offset)));
                    }
                }
                Operation::Store { to, from, size, .. } => {
                    if let Some((variable, offset)) = places.get(to).copied() {
                        let constant = function.constants.get(from.0 as usize).copied();
                        let size = u64::from(*size);
                        let assignment =
                            Assignment { operation: at, variable, offset, size, constant };
                        found.entry(block.code.start).or_default().push(assignment);
                    }
                }
                _ => {}
            }
        }
    }
    found
}
