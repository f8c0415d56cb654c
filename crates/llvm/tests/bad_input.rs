//! Files that are no bitcode, or not for us, are refused with a message.

mod support;

use std::fs;
use std::path::Path;

use obligato_bytecode::check;
use obligato_llvm::{Error, load, load_bytes};
use support::{clang_is_there, compile};

#[test]
fn a_missing_file_is_named() {
    let error = load(Path::new("nowhere/unit.bc")).expect_err("there is none");
    assert!(error.to_string().starts_with("nowhere/unit.bc: "), "{error}");
}

#[test]
fn what_is_no_bitcode_is_refused() {
    for bytes in [&b""[..], b"int main(void) { return 0; }", &[0; 64], b"BC\xC0\xDE"] {
        let error = load_bytes(bytes).expect_err("it is no bitcode");
        assert!(matches!(error, Error::Bitcode(_)), "{error}");
    }
}

/// The bitcode of a text.
fn compiled(text: &str, flags: &[&str]) -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| directory.path().join(name);
    fs::write(at("unit.c"), text).expect("writable");
    compile(&at("unit.c"), &at("unit.bc"), flags);
    fs::read(at("unit.bc")).expect("it was written")
}

#[test]
fn a_file_that_ends_early_is_refused() {
    if !clang_is_there() {
        return;
    }
    let whole = compiled("int f(int a, int b) { return a && b; }", &[]);
    assert!(load_bytes(&whole).is_ok());
    for length in (0..whole.len() / 2).step_by(97) {
        assert!(load_bytes(&whole[..length]).is_err(), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn code_for_a_machine_with_other_pointers_is_refused() {
    if !clang_is_there() {
        return;
    }
    for target in ["--target=i386-linux-gnu", "--target=aarch64_be-linux-gnu"] {
        let error = load_bytes(&compiled("int *p;", &[target])).expect_err("other pointers");
        assert!(matches!(error, Error::Machine), "{error}");
    }
}

#[test]
fn objects_that_do_not_fit_are_named() {
    if !clang_is_there() {
        return;
    }
    let text = "char small[10]; char big[1u << 30];";
    let error = load_bytes(&compiled(text, &[])).expect_err("together they do not fit");
    let expected = "the global big is too large: all objects together may take 1073741824 bytes";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn vectors_that_scale_with_the_machine_are_named_and_the_rest_goes_on() {
    if !clang_is_there() {
        return;
    }
    let text =
        "__SVInt32_t f(__SVInt32_t a) { __SVInt32_t b = a; return b; }\nint g(int a) { return a; }";
    let bytes = compiled(text, &["--target=aarch64-linux-gnu", "-march=armv8-a+sve"]);
    let module = load_bytes(&bytes).expect("it loads").module;
    assert_eq!(check(&module), Ok(()));
    assert_eq!(module.functions[0].notes, ["a value of the type <vscale x 4 x i32>"]);
    assert!(module.functions[1].is_defined() && module.functions[1].notes.is_empty());
}
