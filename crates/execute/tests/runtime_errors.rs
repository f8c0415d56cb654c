//! C programs with runtime errors: the executor finds, names and locates each.

#[path = "support/native.rs"]
mod native;

use std::fs;

use native::{clang_is_there, load};
use obligato_execute::{
    Class, Ending, Executable, ExecutableOptions, ExecutionLimits, Machine, Variables,
};

/// The finding of a call of `f`, a function without parameters: the line, the text, and the
/// cause. The unit starts in line 1 with some headers.
fn find(text: &str) -> (u32, String, Class) {
    let headers = "#include <assert.h> #include <limits.h> #include <stdlib.h> #include <string.h>";
    let headers = headers.replace(" #", "\n#");
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("unit.c");
    fs::write(&source, format!("{headers}\n#line 1\n{text}\n")).expect("written");
    let module = load(&source, directory.path(), &[]);
    let mut found = Vec::new();
    for variables in [Variables::InRegisters, Variables::InMemory] {
        let options = ExecutableOptions { variables, ..ExecutableOptions::default() };
        let program = Executable::new(&module, &[], options).expect("well-formed");
        let limits =
            ExecutionLimits { steps: 3_000_000, depth: 1000, memory: 1 << 20, objects: 1000 };
        let mut machine = Machine::new(&program, limits, (), (), ());
        let function = module.function_named("f").expect("a function f");
        let Err(Ending::Finding(finding)) = machine.call(function, &[]) else {
            return (0, "nothing".to_owned(), Class::RuntimeError);
        };
        // The innermost place that the compiler says something about.
        let line = finding.stack.iter().find_map(|place| place.position).map_or(0, |at| at.line);
        found.push((line, finding.kind.to_string(), finding.kind.class()));
    }
    assert_eq!(found[0], found[1], "wherever variables live");
    found.swap_remove(0)
}

/// Each case is a text, the line of the fault in it, and how it is named.
const FAULTS: &[(&str, u32, &str)] = &[
    ("int f(void) {\n int *p = NULL;\n return *p; }", 3, "read through a null pointer"),
    (
        "struct s { int a[9]; };\nint f(void) { struct s *p = 0;\n p->a[7] = 1; return 0; }",
        3,
        "write through a null pointer",
    ),
    (
        "int f(void) { int a[4] = {0};\n int i = 4;\n return a[i]; }",
        3,
        "read of 4 bytes at offset 16 of an object of 16 bytes",
    ),
    (
        "char a[4];\nint f(void) { int i = -1;\n a[i] = 1; return 0; }",
        3,
        "write of 1 bytes at offset -1 of an object of 4 bytes",
    ),
    (
        "long f(void) { char *p = malloc(7);\n return *(long *)p; }",
        2,
        "read of 8 bytes at offset 0 of an object of 7 bytes",
    ),
    (
        "int f(void) { int *p = malloc(4); *p = 1;\n free(p);\n return *p; }",
        3,
        "read of freed memory",
    ),
    (
        "int *g(void) { int x = 3;\n int *p = &x; return p; }\nint f(void) { int *p = g();\n return *p; }",
        4,
        "read of a variable whose function has returned",
    ),
    ("void f(void) { char *p = malloc(4);\n free(p);\n free(p); }", 3, "freed twice"),
    ("int x;\nvoid f(void) {\n free(&x); }", 3, "freed, but not allocated"),
    (
        "int a[8], b[8];\nint f(void) { int i = -2147483647;\n int *p = b; return p[i]; }",
        3,
        "read through a wild pointer",
    ),
    ("int f(void) {\n return *(int *)77777; }", 2, "read through a wild pointer"),
    (
        "int x; int f(void) {\n return ((int (*)(void))&x)(); }",
        2,
        "call through a pointer to no function",
    ),
    (
        "struct s { char a[60000]; int b; };\nint f(void) { struct s *p = 0;\n return p->b; }",
        3,
        "read through a null pointer",
    ),
    ("void f(void) { char *p = malloc(4);\n free(p + 1); }", 2, "freed, but not allocated"),
    ("void f(void) { char *s = \"abc\";\n s[0] = 'x'; }", 2, "write to a constant"),
    (
        "static const int x = 1;\nvoid f(void) { int *p = (int *)&x;\n *p = 2; }",
        3,
        "write to a constant",
    ),
    (
        "int f(void) { int *p = (int *)0x123456789abcUL;\n return *p; }",
        2,
        "read through a wild pointer",
    ),
    ("int f(void) { int *p = (int *)f;\n return *p; }", 2, "read of the code of a function"),
    ("int f(void) { int x = 5, y = 0;\n return x / y; }", 2, "division by zero"),
    ("unsigned f(void) { unsigned x = 5, y = 0;\n return x % y; }", 2, "division by zero"),
    (
        "int f(void) { int x = INT_MIN, y = -1;\n return x / y; }",
        2,
        "signed overflow of a division",
    ),
    ("int f(void) { int x = INT_MAX;\n return x + 1; }", 2, "signed overflow of an addition"),
    ("int f(void) { int x = INT_MIN;\n return -x; }", 2, "signed overflow of a subtraction"),
    (
        "long f(void) { long x = LONG_MAX;\n return x * 2; }",
        2,
        "signed overflow of a multiplication",
    ),
    ("int f(void) { int x = 32;\n return 1 << x; }", 2, "shift of 32 bits by 32"),
    ("int f(void) { int x = -1;\n return 1 >> x; }", 2, "shift of 32 bits by -1"),
    ("int f(void) {\n __builtin_unreachable(); }", 2, "reached what is said to be unreachable"),
    ("void f(void) {\n __builtin_trap(); }", 2, "trap"),
    (
        "void f(void) { int x = 3;\n assert(x < 3 && \"small\"); }",
        2,
        "assertion failed: x < 3 && \"small\"",
    ),
    ("void f(void) {\n abort(); }", 2, "abort"),
    ("void f(void) { void (*p)(void) = 0;\n p(); }", 2, "call through a null pointer"),
    (
        "int x;\nvoid f(void) { void (*p)(void) = (void (*)(void))&x;\n p(); }",
        3,
        "call through a pointer to no function",
    ),
    (
        "int g(int a) { return a; }\nint f(void) { int (*p)(int, int) = (int (*)(int, int))g;\n return p(1, 2); }",
        3,
        "call with other arguments or results than the function has",
    ),
    (
        "void f(void) { char a[4];\n strcpy(a, \"12345\"); }",
        2,
        "write of 6 bytes at offset 0 of an object of 4 bytes",
    ),
    (
        "size_t f(void) { char a[3] = {'a', 'b', 'c'};\n return strlen(a); }",
        2,
        "read of 4 bytes at offset 0 of an object of 3 bytes",
    ),
    (
        "void f(void) { char a[9] = \"abcdefgh\";\n memcpy(a + 1, a, 5); }",
        2,
        "copy of 5 bytes between overlapping places",
    ),
    (
        "int f(void) { int *p;\n { int x[2] = {1, 2}; p = x; }\n p += 5; return *p; }",
        3,
        "read of 4 bytes at offset 20 of an object of 8 bytes",
    ),
];

#[test]
fn code_at_an_address_without_an_object_is_unsupported_by_name() {
    if !clang_is_there() {
        return;
    }
    // A boot loader may be there, or functions in read-only memory; at NULL there is nothing.
    let called =
        |address: u64| find(&format!("int f(void) {{\n return ((int (*)(void)){address})(); }}"));
    let note = "unsupported: a call of what lies at the address 0x12fd1".to_owned();
    assert_eq!(called(77777), (2, note, Class::Unsupported));
    assert_eq!(called(0), (2, "call through a null pointer".to_owned(), Class::RuntimeError));
}

#[test]
fn every_fault_is_found_where_it_is() {
    if !clang_is_there() {
        return;
    }
    for (text, line, name) in FAULTS {
        let expected = (*line, (*name).to_owned(), Class::RuntimeError);
        assert_eq!(find(text), expected, "in\n{text}");
    }
}

#[test]
fn limits_and_unsupported_constructs_are_no_runtime_errors() {
    if !clang_is_there() {
        return;
    }
    let limits = [
        ("void f(void) {\n for (;;) { } }", "limit of steps reached"),
        ("int f(void) {\n return 1 + f(); }", "limit of open calls reached"),
        ("void f(void) { for (;;)\n malloc(5000); }", "limit of memory reached"),
        ("void f(void) { for (;;)\n malloc(1); }", "limit of objects reached"),
        (
            "void f(void) { static char a[99999]; for (;;)\n memset(a, 1, sizeof a); }",
            "limit of steps reached",
        ),
    ];
    for (text, name) in limits {
        let (line, found, class) = find(text);
        assert_eq!((found.as_str(), class), (name, Class::Limit), "in\n{text}");
        assert!(line > 0, "somewhere in\n{text}");
    }
    let (line, found, class) = find("int outside(int);\nint f(void) {\n return outside(1); }");
    let name = "unsupported: call of the undefined function 'outside'";
    assert_eq!((line, found.as_str(), class), (3, name, Class::Unsupported));
}

#[test]
fn what_is_defined_is_no_fault() {
    if !clang_is_there() {
        return;
    }
    for text in [
        "unsigned f(void) { unsigned x = UINT_MAX; return x + 1; }",
        "int f(void) { signed char c = 127; c++; return c; }",
        "int f(void) { int a[4], *end = a + 4; return end - a; }",
        "void f(void) { free(NULL); free(malloc(0)); }",
        "void f(void) { char *p = malloc(1); for (int i = 2; i < 3000; i++) p = realloc(p, i); free(p); }",
        "void f(void) { for (int i = 0; i < 5000; i++) free(malloc(500)); }",
        "int f(void) { unsigned char a[8] = {0}; return *(short *)(a + 3); }",
        "void f(void) { struct { int a[50]; } x = {{0}}; x = x; }",
    ] {
        assert_eq!(find(text).1, "nothing", "in\n{text}");
    }
}
