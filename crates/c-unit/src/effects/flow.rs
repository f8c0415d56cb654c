//! Dynamic tag propagation with implicit flows: the two tag semantics of observability (Whalen et al., Observable MC/DC, table II;
//! You et al., incremental OMC/DC, table I), for C.
//!
//! Values carry tags as they are computed, stored and loaded. A decision passes on the tags of the conditions that are
//! unmasked in its evaluation, and of what those were computed from. What is done between a branch and its immediate
//! post-dominator depends on the decision: there, every variable that is assigned on any path gets its tags.
//! Under the strict semantics only those whose value would differ: a variable that is only assigned on one path would
//! have kept its value on the other; of two assignments the constants are compared.

use std::rc::Rc;

use obligato_bytecode::{Address, CodeId, Function, Module, Operation};
use obligato_criteria::marking::Marker;
use obligato_execute::{Around, Marked, Memory, Shadow, Site};
use obligato_model::{BitSet, DecisionId, Observability, Program};
use rustc_hash::FxHashMap;

use super::facts::{Assignment, Facts};
use super::follower::Follower;
use super::tags::{TagSet, TagSets};
use crate::environment::READ;
use crate::record::Folded;
use crate::watch::Point;

mod decisions;
mod following;
mod scopes;

use decisions::Running;
use following::operation_site;
use scopes::{Extent, Scope};

/// Propagates tags through runs.
#[derive(Debug)]
pub struct Flow<'u> {
    module: &'u Module,
    program: &'u Program,
    folded: &'u Folded,
    /// Per function of the module, its facts, if it is one of the unit's.
    facts: Vec<Option<Facts>>,
    markers: Vec<Marker<BitSet>>,
    semantics: Observability,
    /// All sets.
    pub sets: TagSets,
    frames: Vec<Frame>,
    scopes: Vec<Scope>,
    /// The last value that was read or written, by address and size.
    values: FxHashMap<(u64, u64), u64>,
    /// By branch, the assignments that are control-dependent on it.
    assigned: FxHashMap<(CodeId, u32), Rc<[Assignment]>>,
    /// The tags that control depended on when a stub was called.
    observed_outside: TagSet,
    /// The conditions that decided.
    decided: TagSet,
    /// The tags of the pointer that is called through next.
    called: TagSet,
    /// The tags of the operands of a copy or fill that is under way.
    swept: Option<TagSet>,
    /// Records where a tag is lost, if one is followed.
    follower: Option<Box<Follower>>,
}

#[derive(Debug, Default)]
struct Frame {
    function: Option<CodeId>,
    /// Where its variables are, by the `Reserve` that made them.
    locals: FxHashMap<u32, u64>,
    running: FxHashMap<DecisionId, Running>,
    finished: FxHashMap<DecisionId, TagSet>,
    /// The operation that the running block starts with.
    block: u32,
}

impl<'u> Flow<'u> {
    /// A flow through runs of a unit.
    pub fn new(
        module: &'u Module,
        program: &'u Program,
        folded: &'u Folded,
        points: &[Point],
        semantics: Observability,
    ) -> Self {
        let mut by_function: Vec<Vec<&Point>> = vec![Vec::new(); module.functions.len()];
        for point in points {
            by_function[point.function.index()].push(point);
        }
        let functions = module.functions.iter().zip(&by_function);
        let facts = functions.map(|(function, points)| {
            (!points.is_empty()).then(|| Facts::new(function, points, program))
        });
        let markers = program.decisions().iter().enumerate().map(|(index, decision)| {
            Marker::new(&decision.tree, &program.constants_of(DecisionId::new(index)))
        });
        Self {
            module,
            program,
            folded,
            facts: facts.collect(),
            markers: markers.collect(),
            semantics,
            sets: TagSets::default(),
            frames: Vec::new(),
            scopes: Vec::new(),
            values: FxHashMap::default(),
            assigned: FxHashMap::default(),
            observed_outside: TagSet::EMPTY,
            decided: TagSet::EMPTY,
            called: TagSet::EMPTY,
            swept: None,
            follower: None,
        }
    }

    /// Begins a test.
    pub fn begin(&mut self) {
        self.frames.clear();
        self.scopes.clear();
        self.values.clear();
        self.observed_outside = TagSet::EMPTY;
        self.decided = TagSet::EMPTY;
        self.called = TagSet::EMPTY;
        self.swept = None;
    }

    /// Begins a step. Its inputs are written to memory, so known values are dropped.
    pub fn begin_step(&mut self) {
        self.values.clear();
        if let Some(follower) = &mut self.follower {
            follower.begin_step();
        }
    }

    /// The tags that control depended on when stubs were called, since the test began.
    pub fn observed_outside(&self) -> TagSet {
        self.observed_outside
    }

    /// The tags of a set whose conditions decided, since the test began. What a condition assigns on its way carries its tag too, whether
    /// it decides or not.
    pub fn decided(&mut self, set: TagSet) -> TagSet {
        self.sets.common(set, self.decided)
    }

    /// The tags that control depends on.
    fn deciding(&mut self) -> TagSet {
        let scopes = self.scopes.iter();
        scopes.fold(TagSet::EMPTY, |all, scope| self.sets.unite(all, scope.tags))
    }

    fn facts(&self, function: CodeId) -> Option<&Facts> {
        self.facts[function.index()].as_ref()
    }

    fn code(&self, function: CodeId) -> &'u Function {
        self.module.function(function)
    }
}

impl Shadow for Flow<'_> {
    type Mark = TagSet;

    fn compute(&mut self, site: Site<'_>, operands: &[Marked<'_, TagSet>], result: u64) -> TagSet {
        if let (Operation::Reserve { .. }, Some(frame)) = (site.operation, self.frames.last_mut()) {
            frame.locals.insert(site.index, result);
            if let Some(follower) = &mut self.follower {
                follower.reserved(result, operation_site(site));
            }
        }
        let registers = site.operation.reads(self.code(site.function));
        let mut tags: Vec<TagSet> = Vec::with_capacity(operands.len());
        for (register, marked) in registers.iter().zip(operands) {
            tags.push(self.tags_of(site.function, *register, *marked));
        }
        if matches!(site.operation, Operation::Select { .. }) {
            let chosen = self.select(site, operands, &tags);
            self.follow_select(site, operands, &tags, &chosen);
            tags = chosen;
        }
        let all = tags.into_iter().fold(TagSet::EMPTY, |all, tags| self.sets.unite(all, tags));
        let facts = self.facts(site.function);
        let computed = facts.map_or(Vec::new(), |facts| facts.computed(site.index).to_vec());
        computed.into_iter().fold(all, |tags, condition| {
            let boundaries = self.boundaries_met(condition, operands);
            self.evaluate(condition, result & 1 != 0, boundaries, tags)
        })
    }

    fn load(
        &mut self,
        site: Site<'_>,
        pointer: Marked<'_, TagSet>,
        bytes: &[TagSet],
        _: &Memory<TagSet>,
        result: u64,
    ) -> TagSet {
        if let Operation::Load { size, .. } = site.operation {
            let place = (pointer.value, u64::from(*size));
            self.values.insert(place, result);
            self.follow_load(place, bytes);
        }
        bytes.iter().fold(*pointer.mark, |all, mark| self.sets.unite(all, *mark))
    }

    fn store(
        &mut self,
        site: Site<'_>,
        pointer: Marked<'_, TagSet>,
        value: Marked<'_, TagSet>,
        memory: &mut Memory<TagSet>,
    ) {
        let Operation::Store { from, size, .. } = site.operation else { return };
        let tags = self.tags_of(site.function, *from, value);
        let tags = self.sets.unite(tags, *pointer.mark);
        let place = (pointer.value, u64::from(*size));
        self.follow_store(site, place, tags, memory);
        if let Ok(bytes) = memory.marks_mut(Address(pointer.value), (*size).into()) {
            bytes.fill(tags);
        }
        let before = self.values.insert(place, value.value);
        let frame = self.frames.len();
        if let Some(scope) = self.scopes.last_mut() {
            scope.written.entry(place).or_insert(before);
            if scope.frame == frame {
                scope.executed.push(site.index);
            }
        }
    }

    fn moved(&mut self, marks: &mut [TagSet]) {
        let swept = self.swept.take();
        // A register is a single mark and is looked at where paths join. Copies of whole objects do not pass
        // through `store`.
        let in_memory = swept.is_some() || marks.len() > 1;
        let deciding = if in_memory { self.deciding() } else { TagSet::EMPTY };
        let all = self.sets.unite(swept.unwrap_or_default(), deciding);
        if all != TagSet::EMPTY {
            for mark in &mut *marks {
                *mark = self.sets.unite(*mark, all);
            }
        }
        if let Some(follower) = &mut self.follower {
            follower.swept(&self.sets, marks);
        }
    }

    fn swept(&mut self, site: Site<'_>, operands: &[Marked<'_, TagSet>]) {
        let [to, _, bytes, ..] = operands else { return };
        if bytes.value == 0 {
            return;
        }
        let marks = operands[..3].iter().map(|operand| *operand.mark);
        self.swept = Some(marks.fold(TagSet::EMPTY, |all, mark| self.sets.unite(all, mark)));
        if let Some(follower) = &mut self.follower {
            follower.sweep(operation_site(site), (to.value, bytes.value));
        }
    }

    fn branch(&mut self, site: Site<'_>, target: u32, around: Around<'_, TagSet>) {
        let Around { registers, marks, memory } = around;
        let tested = match site.operation {
            Operation::Branch { test, .. } => Some(*test),
            Operation::Switch { on, .. } | Operation::JumpThrough { on, .. } => Some(*on),
            _ => None,
        };
        if let Some(register) = tested {
            let at = register.0 as usize;
            let marked = Marked { value: registers[at], mark: &marks[at] };
            let tags = self.tags_of(site.function, register, marked);
            let decision = self.facts(site.function).and_then(|facts| facts.decision(register));
            let tags = match decision {
                Some(decision) => self.passed_on(decision),
                None => tags,
            };
            self.open(site, decision, tags, memory);
        }
        let frame = self.frames.len();
        if let Some(follower) = &mut self.follower {
            follower.enter_block(frame, site.function, target);
        }
        let mut met = TagSet::EMPTY;
        while self.scopes.iter().any(|scope| scope.frame == frame && scope.join == Some(target)) {
            let tags = self.scopes.last().map_or(TagSet::EMPTY, |scope| scope.tags);
            met = self.sets.unite(met, tags);
            self.close(memory, Extent::Assigned);
        }
        self.merge(site, met, marks);
        if let Some(frame) = self.frames.last_mut() {
            frame.block = target;
        }
    }

    fn called_through(&mut self, pointer: Marked<'_, TagSet>) {
        self.called = *pointer.mark;
    }

    fn computed(&mut self, _: CodeId) {
        self.called = TagSet::EMPTY;
    }

    fn enter(&mut self, callee: CodeId, _: &[Marked<'_, TagSet>]) {
        self.frames.push(Frame { function: Some(callee), ..Frame::default() });
        self.open_call();
    }

    fn leave(&mut self, function: CodeId, results: &mut [TagSet], memory: &mut Memory<TagSet>) {
        // What is returned from between a branch and the end depends on the branch.
        let frame = self.frames.len();
        let mut deciding = TagSet::EMPTY;
        for scope in self.scopes.iter().filter(|scope| scope.frame == frame) {
            deciding = self.sets.unite(deciding, scope.tags);
        }
        let returned = self.returned_outcomes(function);
        for (index, result) in results.iter_mut().enumerate() {
            if let Some(Some(decision)) = returned.get(index) {
                *result = self.passed_on(*decision);
            }
            *result = self.sets.unite(*result, deciding);
        }
        while self.scopes.last().is_some_and(|scope| scope.frame == frame) {
            self.close(memory, Extent::Assigned);
        }
        let left = self.frames.pop();
        if let (Some(follower), Some(frame)) = (&mut self.follower, left) {
            follower.released(frame.locals.into_values());
        }
    }

    fn outside(&mut self, callee: CodeId, _: &[Marked<'_, TagSet>], _: &[u64]) -> TagSet {
        // No test sees how often a volatile object is read.
        if self.module.function(callee).name == READ {
            return TagSet::EMPTY;
        }
        let deciding = self.deciding();
        self.observed_outside = self.sets.unite(self.observed_outside, deciding);
        TagSet::EMPTY
    }

    fn unite(&mut self, into: &mut TagSet, from: &TagSet) {
        *into = self.sets.unite(*into, *from);
    }
}
