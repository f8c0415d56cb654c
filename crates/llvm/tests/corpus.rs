//! Every file of the corpus as bytecode, against the golden text beside it. `BLESS=1` rewrites them.

mod support;

use obligato_bytecode::check;
use obligato_llvm::load;
use obligato_test_support::{assert_golden, crate_directory};
use support::{clang_is_there, compile};

fn assert_lowered(name: &str) {
    if !clang_is_there() {
        return;
    }
    let corpus = crate_directory().join("tests/corpus");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let bitcode = directory.path().join("unit.bc");
    compile(&corpus.join(name).with_extension("c"), &bitcode, &[]);
    let module = load(&bitcode).expect("it loads").module;
    assert_eq!(check(&module), Ok(()));
    let (text, golden) = (module.to_string(), corpus.join(name).with_extension("bytecode"));
    assert_golden(&golden, &text);
}

macro_rules! corpus {
    ($($test:ident: $name:literal,)*) => {
        $(#[test]
        fn $test() {
            assert_lowered($name);
        })*
    };
}

corpus! {
    conditions_keep_their_places: "conditions",
    memory_is_accessed_part_by_part: "memory",
    integers_have_all_widths: "integers",
    floats_are_single_or_double: "floats",
    calls_follow_the_machines_conventions: "calls",
    objects_start_with_the_right_bytes: "initializers",
    control_goes_where_the_source_says: "control",
    vectors_are_spread_over_registers: "vectors",
    intrinsics_and_atomics_become_operations: "intrinsics",
    what_is_unsupported_is_named_and_the_rest_goes_on: "unsupported",
}
