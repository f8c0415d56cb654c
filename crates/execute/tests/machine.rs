//! Programs written by hand: control, calls, memory, findings, watch points, limits.

mod support;

use obligato_bytecode::{
    Address, Binary, CodeId, Comparison, Function, GlobalId, Module, Operation, Register,
};
use obligato_execute::{
    AccessKind, Ending, Executable, ExecutableOptions, ExecutionLimit, ExecutionLimits,
    FindingKind, Machine, Moment, Observer, Variables, WatchId, WatchPoint,
};
use support::{Assembler, declared, global, module};

fn run(module: &Module, arguments: &[u64]) -> Result<Vec<u64>, Ending> {
    run_with(module, arguments, ExecutionLimits::default())
}

fn run_with(
    module: &Module,
    arguments: &[u64],
    limits: ExecutionLimits,
) -> Result<Vec<u64>, Ending> {
    let program = Executable::new(module, &[], ExecutableOptions::default()).expect("well-formed");
    let quick = Machine::new(&program, limits, (), (), ()).call(CodeId::new(0), arguments);
    let options =
        ExecutableOptions { variables: Variables::InMemory, ..ExecutableOptions::default() };
    let program = Executable::new(module, &[], options).expect("well-formed");
    let plain = Machine::new(&program, limits, (), (), ()).call(CodeId::new(0), arguments);
    assert_eq!(quick, plain, "where variables live makes no difference");
    quick
}

fn kind(result: Result<Vec<u64>, Ending>) -> FindingKind {
    match result {
        Err(Ending::Finding(finding)) => finding.kind,
        other => panic!("expected a finding, not {other:?}"),
    }
}

/// `sum = 0; for (i = 0; i < n; i++) sum += i; return sum;` with both variables in memory.
fn sum_to_n() -> (Function, u32) {
    let mut a = Assembler::new("sum", &[1, 0], 1, 1);
    let (one, zero, n) = (a.constant(0), a.constant(1), a.parameter(0));
    let (head, body, end) = (a.label(), a.label(), a.label());
    let (sum, i) = (a.reserve(4), a.reserve(4));
    a.store(sum, zero, 4);
    a.store(i, zero, 4);
    a.jump(head);
    a.place(head);
    let value = a.load(i, 4);
    let test = a.compare(Comparison::LessSigned, value, n);
    let branch = a.branch(test, body, end);
    a.place(body);
    let (old, value) = (a.load(sum, 4), a.load(i, 4));
    let total = a.binary(Binary::Add, 32, old, value);
    a.store(sum, total, 4);
    let value = a.load(i, 4);
    let next = a.binary(Binary::Add, 32, value, one);
    a.store(i, next, 4);
    a.jump(head);
    a.place(end);
    let result = a.load(sum, 4);
    a.leave(&[result]);
    (a.finish(), branch)
}

#[test]
fn a_loop_sums_up_until_the_sum_overflows() {
    let sum = module(vec![sum_to_n().0], Vec::new());
    assert_eq!(run(&sum, &[5]), Ok(vec![10]));
    assert_eq!(kind(run(&sum, &[100_000])), FindingKind::SignedOverflow { op: Binary::Add });
}

#[test]
fn steps_are_limited() {
    let sum = module(vec![sum_to_n().0], Vec::new());
    let limits = ExecutionLimits { steps: 1000, ..ExecutionLimits::default() };
    assert_eq!(kind(run_with(&sum, &[2000], limits)), FindingKind::Limit(ExecutionLimit::Steps));
}

/// `return n == 0 ? 1 : n * f(n - 1)`
fn factorial() -> Function {
    let mut a = Assembler::new("factorial", &[1, 0], 1, 1);
    let (one, zero, n) = (a.constant(0), a.constant(1), a.parameter(0));
    let (base, step) = (a.label(), a.label());
    let test = a.compare(Comparison::Equal, n, zero);
    a.branch(test, base, step);
    a.place(base);
    a.leave(&[one]);
    a.place(step);
    let less = a.binary(Binary::Subtract, 32, n, one);
    let rest = a.call(0, &[less], 1);
    let product = a.binary(Binary::Multiply, 32, n, rest);
    a.leave(&[product]);
    a.finish()
}

#[test]
fn functions_call_themselves() {
    let module = module(vec![factorial()], Vec::new());
    assert_eq!(run(&module, &[10]), Ok(vec![3_628_800]));
}

#[test]
fn endless_recursion_ends_at_the_limit_with_the_whole_stack() {
    let module = module(vec![factorial()], Vec::new());
    let limits = ExecutionLimits { depth: 50, ..ExecutionLimits::default() };
    let program = Executable::new(&module, &[], ExecutableOptions::default()).unwrap();
    let ending = Machine::new(&program, limits, (), (), ()).call(CodeId::new(0), &[1000]);
    let Err(Ending::Finding(finding)) = ending else { panic!("not {ending:?}") };
    assert_eq!(finding.kind, FindingKind::Limit(ExecutionLimit::Depth));
    assert_eq!(finding.stack.len(), 50);
    assert!(finding.stack.iter().all(|place| place.operation == 4), "all are at their call");
}

#[derive(Default)]
struct Script {
    seen: Vec<(u32, u32, u64)>,
    force: Option<(u32, u64)>,
}

impl Observer for Script {
    fn saw(&mut self, watch: WatchId, depth: u32, value: &mut u64) {
        self.seen.push((watch.0, depth, *value));
        if let Some((wanted, forced)) = self.force
            && wanted == watch.0
        {
            *value = forced;
        }
    }
}

#[test]
fn watch_points_report_and_force_values() {
    let (function, branch) = sum_to_n();
    let Operation::Branch { test, .. } = function.code[branch as usize] else { panic!("a branch") };
    let module = module(vec![function], Vec::new());
    let function = CodeId::new(0);
    let watches = [
        WatchPoint { function, operation: branch - 1, moment: Moment::After, register: Some(test) },
        WatchPoint { function, operation: 0, moment: Moment::Before, register: None },
    ];
    let program = Executable::new(&module, &watches, ExecutableOptions::default()).unwrap();
    let mut machine = Machine::new(&program, ExecutionLimits::default(), (), Script::default(), ());
    assert_eq!(machine.call(function, &[2]), Ok(vec![1]));
    assert_eq!(machine.observer.seen, [(1, 1, 0), (0, 1, 1), (0, 1, 1), (0, 1, 0)]);
    machine.observer = Script { force: Some((0, 0)), ..Script::default() };
    assert_eq!(machine.call(function, &[2]), Ok(vec![0]), "the loop is never entered");
}

#[test]
fn a_watch_point_outside_of_the_program_is_refused() {
    let module = module(vec![sum_to_n().0], Vec::new());
    let function = CodeId::new(0);
    let register = Some(Register(1000));
    let watch = WatchPoint { function, operation: 0, moment: Moment::After, register };
    let flaw = Executable::new(&module, &[watch], ExecutableOptions::default()).unwrap_err();
    assert_eq!(flaw.to_string(), "watch point 0: 'sum' has no register 1000");
}

/// Loads four bytes from the address that it is given.
fn load_four() -> Function {
    let mut a = Assembler::new("load", &[1], 1, 1);
    let pointer = a.parameter(0);
    let value = a.load(pointer, 4);
    a.leave(&[value]);
    a.finish()
}

#[test]
fn accesses_outside_of_objects_are_found() {
    let module = module(vec![load_four()], vec![global("g", &[1, 2, 3, 4, 5, 6], false)]);
    let start = Module::address_of_global(GlobalId::new(0));
    assert_eq!(run(&module, &[start.0]), Ok(vec![0x0403_0201]));
    assert_eq!(run(&module, &[start.advanced(2).0]), Ok(vec![0x0605_0403]));
    let access = AccessKind::Read;
    let behind = FindingKind::OutOfBounds { access, offset: 3, size: 4, object: 6 };
    assert_eq!(kind(run(&module, &[start.advanced(3).0])), behind);
    let before = start.advanced(u64::MAX);
    let found = FindingKind::OutOfBounds { access, offset: -1, size: 4, object: 6 };
    assert_eq!(kind(run(&module, &[before.0])), found);
    let null = FindingKind::NullDereference { access, address: Address::NULL };
    assert_eq!(kind(run(&module, &[0])), null);
    let address = Address(0xdead_beef_0000_0000);
    assert_eq!(kind(run(&module, &[address.0])), FindingKind::WildPointer { access, address });
    let code = module.address_of_function(CodeId::new(0));
    assert_eq!(kind(run(&module, &[code.0])), FindingKind::CodeAccess { access, address: code });
}

#[test]
fn a_variable_is_gone_when_its_function_has_returned() {
    let mut a = Assembler::new("caller", &[1], 0, 1);
    let pointer = a.call(1, &[], 1);
    let value = a.load(pointer, 4);
    a.leave(&[value]);
    let mut b = Assembler::new("callee", &[1], 0, 1);
    let variable = b.reserve(4);
    b.leave(&[variable]);
    let module = module(vec![a.finish(), b.finish()], Vec::new());
    assert!(matches!(
        kind(run(&module, &[])),
        FindingKind::UseAfterReturn { access: AccessKind::Read, .. }
    ));
}

/// `p = malloc(8); free(p); then` with the rest as given.
fn after_free(rest: impl FnOnce(&mut Assembler, Register)) -> FindingKind {
    let mut a = Assembler::new("main", &[1, 8], 0, 0);
    let size = a.constant(1);
    let pointer = a.call(1, &[size], 1);
    a.call(2, &[pointer], 0);
    rest(&mut a, pointer);
    a.leave(&[]);
    let functions = vec![a.finish(), declared("malloc"), declared("free")];
    kind(run(&module(functions, Vec::new()), &[]))
}

#[test]
fn freed_memory_is_not_used_and_not_freed_again() {
    let used = after_free(|a, pointer| {
        a.load(pointer, 1);
    });
    assert!(matches!(used, FindingKind::UseAfterFree { access: AccessKind::Read, .. }));
    let freed = after_free(|a, pointer| {
        a.call(2, &[pointer], 0);
    });
    assert!(matches!(freed, FindingKind::DoubleFree { .. }));
    // Not even when somebody else got the same place.
    let reused = after_free(|a, pointer| {
        let size = a.constant(1);
        a.call(1, &[size], 1);
        a.load(pointer, 1);
    });
    assert!(matches!(reused, FindingKind::UseAfterFree { .. }));
}

#[test]
fn constants_are_not_written() {
    let mut a = Assembler::new("main", &[1], 1, 0);
    let (pointer, one) = (a.parameter(0), a.constant(0));
    a.store(pointer, one, 1);
    a.leave(&[]);
    let module = module(vec![a.finish()], vec![global("c", b"abc", true)]);
    let address = Module::address_of_global(GlobalId::new(0));
    assert_eq!(kind(run(&module, &[address.0])), FindingKind::ConstantWrite { address });
}

#[test]
fn globals_keep_their_values_until_the_reset() {
    let start = Module::address_of_global(GlobalId::new(0));
    let mut a = Assembler::new("count", &[1, start.0], 0, 1);
    let (one, counter) = (a.constant(0), a.constant(1));
    let old = a.load(counter, 4);
    let new = a.binary(Binary::Add, 32, old, one);
    a.store(counter, new, 4);
    a.leave(&[new]);
    let module = module(vec![a.finish()], vec![global("counter", &[7, 0, 0, 0], false)]);
    let program = Executable::new(&module, &[], ExecutableOptions::default()).unwrap();
    let mut machine = Machine::new(&program, ExecutionLimits::default(), (), (), ());
    let count = CodeId::new(0);
    assert_eq!(machine.call(count, &[]), Ok(vec![8]));
    assert_eq!(machine.call(count, &[]), Ok(vec![9]));
    machine.reset();
    assert_eq!(machine.call(count, &[]), Ok(vec![8]));
}

#[test]
fn whoever_prepares_a_run_makes_objects() {
    let module = module(vec![load_four()], Vec::new());
    let program = Executable::new(&module, &[], ExecutableOptions::default()).unwrap();
    let mut machine = Machine::new(&program, ExecutionLimits::default(), (), (), ());
    let object = machine.memory_mut().allocate(4).unwrap();
    machine.memory_mut().write(object, &[4, 3, 2, 1]).unwrap();
    assert_eq!(machine.call(CodeId::new(0), &[object.0]), Ok(vec![0x0102_0304]));
    assert_eq!(machine.memory().read(object, 4), Ok(&[4, 3, 2, 1][..]));
    assert!(machine.memory().read(object, 5).is_err());
    machine.memory_mut().free(object).unwrap();
    let gone = machine.call(CodeId::new(0), &[object.0]);
    assert!(matches!(kind(gone), FindingKind::UseAfterFree { .. }));
}

#[test]
fn memory_and_objects_are_limited() {
    let mut a = Assembler::new("main", &[1, 100], 0, 0);
    let (head, size) = (a.label(), a.constant(1));
    a.jump(head);
    a.place(head);
    a.call(1, &[size], 1);
    a.jump(head);
    let module = module(vec![a.finish(), declared("malloc")], Vec::new());
    let limits = ExecutionLimits { memory: 100_000, ..ExecutionLimits::default() };
    assert_eq!(kind(run_with(&module, &[], limits)), FindingKind::Limit(ExecutionLimit::Memory));
    let limits = ExecutionLimits { objects: 100, ..ExecutionLimits::default() };
    assert_eq!(kind(run_with(&module, &[], limits)), FindingKind::Limit(ExecutionLimit::Objects));
}

#[test]
fn calls_of_what_is_no_function_are_found() {
    let through = |pointer: u64| {
        let mut a = Assembler::new("main", &[1, pointer], 0, 0);
        let arguments = a.values(&[]);
        let callee = obligato_bytecode::Callee::Through(a.constant(1));
        let to = a.fresh();
        a.push(Operation::Call { to, results: 0, callee, arguments });
        a.leave(&[]);
        let module = module(vec![a.finish(), factorial()], vec![global("g", &[0], false)]);
        kind(run(&module, &[]))
    };
    assert_eq!(through(0), FindingKind::NullCall);
    let address = Module::address_of_global(GlobalId::new(0));
    assert_eq!(through(address.0), FindingKind::WildCall { address });
    // One global, then the two functions: the second takes an argument.
    let second = Address::new(obligato_bytecode::ObjectId(3), 0);
    assert_eq!(through(second.0), FindingKind::MismatchingCall { function: CodeId::new(1) });
}

#[test]
fn a_call_of_something_unknown_is_not_supported() {
    let mut a = Assembler::new("main", &[1], 0, 0);
    a.call(1, &[], 0);
    a.leave(&[]);
    let module = module(vec![a.finish(), declared("launch")], Vec::new());
    let note = "call of the undefined function 'launch'".to_owned();
    assert_eq!(kind(run(&module, &[])), FindingKind::Unsupported { note });
}

#[test]
fn exit_ends_a_run_normally() {
    let mut a = Assembler::new("main", &[1, 3], 0, 0);
    let status = a.constant(1);
    a.call(1, &[status], 0);
    a.leave(&[]);
    let module = module(vec![a.finish(), declared("exit")], Vec::new());
    assert_eq!(run(&module, &[]), Err(Ending::Exit(3)));
}
