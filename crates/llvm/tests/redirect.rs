//! Redirected bitcode: hooks beside volatile accesses, globals in the place of addresses, functions in the place of others.

mod support;

use std::fs;

use obligato_bytecode::{Callee, CodeId, Module, Operation};
use obligato_llvm::{Redirection, Region, load, redirect};
use support::{clang_is_there, compile};

const UNIT: &str = "
#include <stdlib.h>
volatile int tick; int plain;
typedef struct { volatile unsigned status, data; } uart;
unsigned char region[8];
void *own_malloc(unsigned long size) { return malloc(size); }
int reads(volatile int *p) { volatile int mine = 3; int a = tick; *p = a + mine; return plain; }
unsigned device(void) { return ((uart *)0x40001000)->data; }
uart *const devices[] = { (uart *)0x40001000, (uart *)0x50000000 };
void *memory(void) { return malloc(8); }
";

/// The unit after it was redirected, and whether it was.
fn redirected(redirection: &Redirection) -> (Module, bool) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| directory.path().join(name);
    fs::write(at("unit.c"), UNIT).expect("writable");
    compile(&at("unit.c"), &at("unit.bc"), &[]);
    let changed = redirect(&at("unit.bc"), redirection, &at("unit.bc")).expect("redirected");
    (load(&at("unit.bc")).expect("it loads").module, changed)
}

/// The names of the functions that a function calls, in order, with `load` and `store` for what is volatile.
fn deeds(module: &Module, name: &str) -> Vec<String> {
    let code: CodeId = module.function_named(name).expect("it is there");
    let deed = |operation: &Operation| match operation {
        Operation::Call { callee: Callee::Direct(called), .. } => {
            Some(module.function(*called).name.clone())
        }
        Operation::Load { volatile: true, .. } => Some("load".to_owned()),
        Operation::Store { volatile: true, .. } => Some("store".to_owned()),
        _ => None,
    };
    module.function(code).code.iter().filter_map(deed).collect()
}

#[test]
fn hooks_stand_beside_volatile_accesses_that_others_can_reach() {
    if !clang_is_there() {
        return;
    }
    let (read, written) = (Some("read".to_owned()), Some("written".to_owned()));
    let (module, changed) = redirected(&Redirection { read, written, ..Redirection::default() });
    assert!(changed);
    let expected = ["store", "read", "load", "load", "store", "written"];
    assert_eq!(deeds(&module, "reads"), expected);
}

#[test]
fn fixed_addresses_become_those_of_globals() {
    if !clang_is_there() {
        return;
    }
    let region = Region { start: 0x4000_1000, size: 8, global: "region".to_owned() };
    let (module, changed) =
        redirected(&Redirection { regions: vec![region], ..Redirection::default() });
    assert!(changed);
    let global = module.global_named("region").expect("it is there");
    let start = Module::address_of_global(global);
    let code = module.function(module.function_named("device").expect("it is there"));
    assert!(code.constants.contains(&start.advanced(4).0), "{code:?}");
    let devices = module.global(module.global_named("devices").expect("it is there"));
    let words: Vec<u64> = devices
        .bytes
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
        .collect();
    assert_eq!(words, [start.0, 0x5000_0000], "an address in no region stays");
}

#[test]
fn functions_are_called_in_the_place_of_others_but_not_by_themselves() {
    if !clang_is_there() {
        return;
    }
    let functions = vec![("malloc".to_owned(), "own_malloc".to_owned())];
    let own = vec!["own_".to_owned()];
    let (module, changed) = redirected(&Redirection { functions, own, ..Redirection::default() });
    assert!(changed);
    assert_eq!(deeds(&module, "memory"), ["own_malloc"]);
    assert_eq!(deeds(&module, "own_malloc"), ["malloc"]);
}

#[test]
fn what_has_nothing_to_redirect_stays() {
    if !clang_is_there() {
        return;
    }
    assert!(Redirection::default().is_empty());
    let (module, changed) = redirected(&Redirection::default());
    assert!(!changed);
    assert_eq!(deeds(&module, "memory"), ["malloc"]);
}
