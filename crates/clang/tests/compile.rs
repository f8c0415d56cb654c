//! The text as bitcode and as programs, with text behind it.

mod support;

use std::fs;
use std::process::Command;

use obligato_clang::{BooleanOperators, ClangError, Compiler, Syntax, Text};
use support::debug::places;
use support::source;

const UNIT: &str = "#include <assert.h>\n\
    #pragma pack(push, 1)\n\
    struct mixed { char c; int x; };\n\
    #pragma pack(pop)\n\
    #define BOTH(a, b) ((a) && (b))\n\
    static int hidden(struct mixed m) { return BOTH(m.c, m.x > 3); }\n";

const DRIVER: &str = "void obligato_call_0(void **arguments, void *result) {\n\
    *(__typeof__(int) *)result = hidden(*(__typeof__(struct mixed) *)arguments[0]); }\n";

#[test]
fn added_text_reaches_static_functions_and_moves_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("unit.c"), UNIT).expect("a file");
    let text = Text::read(&source(directory.path(), "unit.c", &[])).expect("it compiles");
    let bitcode = text.compile(DRIVER, directory.path()).expect("bitcode");
    assert!(fs::read(bitcode).expect("a file").starts_with(b"BC\xC0\xDE"));
    let syntax = Syntax::parse(&text, BooleanOperators::All).expect("it parses");
    let condition = &syntax.functions[0].decisions[0].conditions[1];
    text.write(DRIVER, &directory.path().join("unit.i")).expect("a file");
    let flags = ["-S", "-emit-llvm", "-O0", "-g", "-x", "cpp-output"];
    text.build(Compiler::Clang, &flags, &["unit.i"], "unit.ll", directory.path())
        .expect("it builds");
    let assembly = fs::read_to_string(directory.path().join("unit.ll")).expect("a file");
    let place =
        format!("line: {}, column: {},", condition.position.line, condition.position.column);
    assert!(assembly.contains(&place), "no {place}");
    assert!(places(&text, directory.path()).is_empty(), "nobody calls the function but the driver");
}

#[test]
fn programs_are_built_by_both_compilers_and_with_sanitizers() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("unit.c"), UNIT).expect("a file");
    let harness = "void obligato_call_0(void **, void *);\n\
        int main(void) { char m[5] = {1, 7, 0, 0, 0}; void *p = m; int r; obligato_call_0(&p, &r); return r + 40; }\n";
    fs::write(directory.path().join("main.c"), harness).expect("a file");
    let text = Text::read(&source(directory.path(), "unit.c", &[])).expect("it compiles");
    text.write(DRIVER, &directory.path().join("unit.i")).expect("a file");
    for (compiler, flags) in [
        (Compiler::Clang, vec!["-O0"]),
        (Compiler::Gcc, vec!["-O2"]),
        (Compiler::Gcc, vec!["-fsanitize=address,undefined"]),
    ] {
        let program = text
            .build(compiler, &flags, &["unit.i", "main.c"], "program", directory.path())
            .expect("it builds");
        let status = Command::new(program).status().expect("it runs");
        assert_eq!(status.code(), Some(41), "{compiler:?} {flags:?}");
    }
}

#[test]
fn added_text_that_is_wrong_is_our_fault() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("unit.c"), UNIT).expect("a file");
    let text = Text::read(&source(directory.path(), "unit.c", &[])).expect("it compiles");
    match text.compile("int f(", directory.path()) {
        Err(ClangError::Internal(message)) => assert!(message.contains("is refused"), "{message}"),
        other => panic!("{other:?}"),
    }
}
