//! Each rule of the verifier, broken once.

use super::*;
use crate::{Arm, ArmKey, Binary, Block, CodeId, Local, Overflow, Signature, StopKind};

/// `int f(int x) { return x + 1; }` with a block for each operation.
fn sound() -> Module {
    let add = Operation::Binary {
        op: Binary::Add,
        overflow: Overflow::default(),
        width: 32,
        to: Register(2),
        left: Register(1),
        right: Register(0),
    };
    let function = Function {
        name: "f".to_owned(),
        signature: Signature { parameters: 1, results: 1, ..Signature::default() },
        constants: vec![1],
        registers: 3,
        code: vec![
            add,
            Operation::Jump { to: Target(2) },
            Operation::Return { from: List { first: 0, length: 1 } },
        ],
        places: vec![None; 3],
        blocks: vec![Block { code: 0..2 }, Block { code: 2..3 }],
        lists: vec![Register(2)],
        ..Function::default()
    };
    Module { functions: vec![function], globals: Vec::new(), has_hidden_accesses: false }
}

/// The flaw of the sound module after a change to it.
fn flaw(change: impl FnOnce(&mut Function)) -> String {
    let mut module = sound();
    change(&mut module.functions[0]);
    check(&module).expect_err("the change broke something").to_string()
}

#[test]
fn a_sound_module_passes() {
    assert_eq!(check(&sound()), Ok(()));
}

#[test]
fn registers_are_in_range_with_their_neighbours() {
    assert_eq!(flaw(|f| f.registers = 2), "f, operation 0: no register 2");
    assert_eq!(flaw(|f| f.lists[0] = Register(9)), "f, operation 2: no register 9");
    let call = Operation::Call {
        to: Register(1),
        results: 3,
        callee: Callee::Direct(CodeId::new(0)),
        arguments: List { first: 0, length: 0 },
    };
    assert_eq!(flaw(|f| f.code[0] = call), "f, operation 0: no register 3");
    let change = Operation::Move { to: Register(0), from: Register(1) };
    assert_eq!(flaw(|f| f.code[0] = change), "f, operation 0: writes to a constant");
    assert_eq!(flaw(|f| f.signature.parameters = 9), "f: more parameters than registers");
}

#[test]
fn blocks_tile_the_code_and_are_left_at_their_end_only() {
    assert!(flaw(|f| f.blocks[1].code = 1..3).starts_with("f: block 1 does not start where"));
    assert_eq!(flaw(|f| f.blocks.truncate(1)), "f: code behind the last block");
    assert_eq!(flaw(|f| f.code[2] = f.code[0].clone()), "f: block 1 is not left at its end");
    assert_eq!(flaw(|f| f.code[0] = f.code[1].clone()), "f: block 0 is left before its end");
    assert_eq!(flaw(|f| f.places.clear()), "f: not a place each");
}

#[test]
fn targets_are_starts_of_blocks() {
    let to = Target(1);
    assert_eq!(
        flaw(|f| f.code[1] = Operation::Jump { to }),
        "f, operation 1: no block starts at 1"
    );
}

#[test]
fn lists_are_in_range_and_arms_sorted() {
    assert_eq!(flaw(|f| f.lists.clear()), "f, operation 2: a list ends behind its table");
    assert_eq!(flaw(|f| f.signature.results = 2), "f, operation 2: other results");
    let arm = |key| Arm { key: ArmKey(key), to: Target(0) };
    let arms = List { first: 0, length: 2 };
    let switch = Operation::Switch { on: Register(1), width: 32, arms, otherwise: Target(0) };
    let unsorted = flaw(|f| {
        f.code[1] = switch;
        f.arms = vec![arm(2), arm(1)];
    });
    assert_eq!(unsorted, "f, operation 1: arms out of order");
}

#[test]
fn widths_fit_their_operations() {
    let compare = Operation::Compare {
        op: crate::Comparison::Equal,
        width: 65,
        to: Register(2),
        left: Register(0),
        right: Register(1),
    };
    assert_eq!(flaw(|f| f.code[0] = compare), "f, operation 0: 65 bits are not 1 to 64");
    let load = Operation::Load {
        to: Register(2),
        from: Register(1),
        size: 1,
        bits: 9,
        alignment: 1,
        volatile: false,
    };
    assert_eq!(flaw(|f| f.code[0] = load), "f, operation 0: more bits than bytes");
    let cast = Operation::Cast {
        op: Cast::ExtendSigned { from: 32, to: 32 },
        to: Register(2),
        from: Register(1),
    };
    assert_eq!(flaw(|f| f.code[0] = cast), "f, operation 0: does not get wider");
}

#[test]
fn notes_and_locals_exist() {
    let unsupported = Operation::Unsupported { note: 0, transfers: false };
    assert_eq!(flaw(|f| f.code[0] = unsupported), "f, operation 0: no such note");
    let local = Local { reserve: 0, name: "x".to_owned() };
    assert_eq!(flaw(|f| f.locals.push(local)), "f: the local x is nowhere reserved");
    let stop = flaw(|f| {
        f.code[1] = Operation::Stop(StopKind::Trap);
        f.blocks[0].code = 0..1;
        f.blocks[1].code = 1..3;
    });
    assert_eq!(stop, "f: block 0 is not left at its end");
}
