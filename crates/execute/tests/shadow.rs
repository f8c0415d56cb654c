//! Shadows: a taint analysis as small as can be, to show that the hooks suffice for one.

mod support;

use std::collections::BTreeSet;

use obligato_bytecode::{
    Address, Binary, CodeId, Comparison, Function, GlobalId, Module, Operation,
};
use obligato_execute::{
    Around, Environment, Executable, ExecutableOptions, ExecutionLimits, FindingKind, Machine,
    Marked, Memory, OutsideCall, Shadow, Site, Variables,
};
use support::{Assembler, declared, global, module};

type Tags = BTreeSet<&'static str>;

/// Unites the tags of everything that goes into a value, those of the tests it depends on included.
#[derive(Default)]
struct Taint {
    /// The tests under which the code runs, with where each ends: here simply the next jump behind the branch.
    controlling: Vec<(u32, Tags)>,
    /// What left the program with a tag.
    leaked: Vec<(CodeId, Tags)>,
    entered: Vec<CodeId>,
    /// What decided that an arm was left out.
    not_taken: Vec<Tags>,
}

impl Taint {
    fn with_control(&self, mut tags: Tags) -> Tags {
        for (_, more) in &self.controlling {
            tags.extend(more);
        }
        tags
    }
}

fn united(operands: &[Marked<'_, Tags>]) -> Tags {
    operands.iter().flat_map(|operand| operand.mark.iter().copied()).collect()
}

impl Shadow for Taint {
    type Mark = Tags;

    fn compute(&mut self, _: Site<'_>, operands: &[Marked<'_, Tags>], _: u64) -> Tags {
        self.with_control(united(operands))
    }

    fn load(
        &mut self,
        _: Site<'_>,
        pointer: Marked<'_, Tags>,
        bytes: &[Tags],
        _: &Memory<Tags>,
        _: u64,
    ) -> Tags {
        let loaded = bytes.iter().flatten().copied();
        self.with_control(loaded.chain(pointer.mark.iter().copied()).collect())
    }

    fn store(
        &mut self,
        site: Site<'_>,
        pointer: Marked<'_, Tags>,
        value: Marked<'_, Tags>,
        memory: &mut Memory<Tags>,
    ) {
        let Operation::Store { size, .. } = site.operation else { return };
        let bytes =
            memory.marks_mut(Address(pointer.value), (*size).into()).expect("just stored to");
        bytes.fill(self.with_control(united(&[pointer, value])));
    }

    fn moved(&mut self, marks: &mut [Tags]) {
        for mark in marks {
            *mark = self.with_control(std::mem::take(mark));
        }
    }

    fn branch(&mut self, site: Site<'_>, target: u32, around: Around<'_, Tags>) {
        self.controlling.retain(|(join, _)| *join != target);
        if let Operation::Branch { test, otherwise, .. } = site.operation {
            // An `if` without an `else`: the arms meet where it goes otherwise.
            let tags = around.marks[test.0 as usize].clone();
            if target == otherwise.0 {
                self.not_taken.push(tags);
            } else {
                self.controlling.push((otherwise.0, tags));
            }
        }
    }

    fn enter(&mut self, callee: CodeId, _: &[Marked<'_, Tags>]) {
        self.entered.push(callee);
    }

    fn leave(&mut self, _: CodeId, results: &mut [Tags], _: &mut Memory<Tags>) {
        for result in results {
            *result = self.with_control(std::mem::take(result));
        }
    }

    fn outside(&mut self, callee: CodeId, arguments: &[Marked<'_, Tags>], _: &[u64]) -> Tags {
        self.leaked.push((callee, united(arguments)));
        Tags::from(["outside"])
    }

    fn unite(&mut self, into: &mut Tags, from: &Tags) {
        into.extend(from);
    }
}

/// Answers every call with 7.
struct Seven;

impl<M> Environment<M> for Seven {
    fn call(&mut self, call: OutsideCall<'_>, _: &mut Memory<M>) -> Result<Vec<u64>, FindingKind> {
        Ok(vec![7; call.results as usize])
    }
}

/// Two globals of 4 bytes, `a` and `b`, tagged with their names.
fn run(function: Function, more: Vec<Function>) -> (u64, Tags, Taint) {
    let mut functions = vec![function];
    functions.extend(more);
    let globals = vec![global("a", &[1, 0, 0, 0], false), global("b", &[2, 0, 0, 0], false)];
    let module = module(functions, globals);
    let mut seen = Vec::new();
    for variables in [Variables::InRegisters, Variables::InMemory] {
        let options = ExecutableOptions { variables, ..ExecutableOptions::default() };
        let program = Executable::new(&module, &[], options).expect("well-formed");
        let mut machine =
            Machine::new(&program, ExecutionLimits::default(), Taint::default(), (), Seven);
        for (index, name) in ["a", "b"].into_iter().enumerate() {
            let address = Module::address_of_global(GlobalId::new(index));
            let marks = machine.memory_mut().marks_mut(address, 4).expect("a global");
            marks.fill(Tags::from([name]));
        }
        let results = machine.call(CodeId::new(0), &[]).expect("no finding");
        seen.push((results[0], machine.result_marks()[0].clone(), machine.shadow));
    }
    let second = seen.pop().expect("two runs");
    let first = seen.pop().expect("two runs");
    assert_eq!((first.0, &first.1), (second.0, &second.1), "wherever variables live");
    first
}

/// An assembler whose first constants are 1 and the addresses of the globals.
fn assembler() -> Assembler {
    let address = |index| Module::address_of_global(GlobalId::new(index)).0;
    Assembler::new("f", &[1, address(0), address(1)], 0, 1)
}

#[test]
fn tags_travel_through_variables_and_arithmetic() {
    let mut a = assembler();
    let variable = a.reserve(4);
    let value = a.load(a.constant(1), 4);
    a.store(variable, value, 4);
    let back = a.load(variable, 4);
    let sum = a.binary(Binary::Add, 32, back, a.constant(0));
    a.leave(&[sum]);
    let (value, tags, _) = run(a.finish(), Vec::new());
    assert_eq!((value, tags), (2, Tags::from(["a"])));
}

/// `inside = 1; if (a == constant) inside = 1; return inside`
fn assignment_under_a_test(wanted: u32) -> Function {
    let mut a = assembler();
    let (then, join) = (a.label(), a.label());
    let (inside, one) = (a.reserve(4), a.constant(0));
    a.store(inside, one, 4);
    let value = a.load(a.constant(1), 4);
    let test = a.compare(Comparison::Equal, value, a.constant(wanted));
    a.branch(test, then, join);
    a.place(then);
    a.store(inside, one, 4);
    a.jump(join);
    a.place(join);
    let value = a.load(inside, 4);
    a.leave(&[value]);
    a.finish()
}

#[test]
fn what_is_assigned_under_a_test_depends_on_it_up_to_the_join() {
    let (value, tags, taint) = run(assignment_under_a_test(0), Vec::new());
    assert_eq!((value, tags), (1, Tags::from(["a"])));
    assert!(taint.controlling.is_empty(), "the arms have met");
    let (value, tags, taint) = run(assignment_under_a_test(1), Vec::new());
    assert_eq!((value, tags), (1, Tags::new()));
    assert_eq!(taint.not_taken, [Tags::from(["a"])], "what was left out is told as well");
}

#[test]
fn tags_travel_through_calls_and_copies_of_memory() {
    let mut a = assembler();
    let variable = a.reserve(8);
    let size = a.constant(0);
    let copied = a.call(2, &[variable, a.constant(2), size], 1);
    let value = a.load(copied, 1);
    let result = a.call(1, &[value], 1);
    a.leave(&[result]);
    let mut b = Assembler::new("identity", &[1], 1, 1);
    let same = b.parameter(0);
    b.leave(&[same]);
    let (value, tags, taint) = run(a.finish(), vec![b.finish(), declared("memcpy")]);
    assert_eq!((value, tags), (2, Tags::from(["b"])));
    assert_eq!(taint.entered, [CodeId::new(0), CodeId::new(1)]);
}

#[test]
fn the_library_unites_what_it_looks_at() {
    let mut a = assembler();
    let length = a.call(1, &[a.constant(1)], 1);
    a.leave(&[length]);
    let (value, tags, _) = run(a.finish(), vec![declared("strlen")]);
    assert_eq!((value, tags), (1, Tags::from(["a"])));
}

#[test]
fn what_leaves_the_program_is_seen_and_what_comes_back_is_marked() {
    let mut a = assembler();
    let value = a.load(a.constant(2), 4);
    let answer = a.call(1, &[value], 1);
    a.leave(&[answer]);
    let (value, tags, taint) = run(a.finish(), vec![declared("launch")]);
    assert_eq!((value, tags), (7, Tags::from(["outside"])));
    assert_eq!(taint.leaked, [(CodeId::new(1), Tags::from(["b"]))]);
}
