//! C files, suites and flags that cannot be used: what is said, and that nothing else happens.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fs;
use std::process::Command;

use support::Bench;

const TWO: &str = "int f(int a) { return a > 0; }\nint g(int *p) { return *p; }\n";

fn bench() -> Bench {
    Bench::new(&[
        ("two.c", TWO),
        ("a.csv", "a\n1\n"),
        ("broken.c", "int f(int a) {\n    return a + ;\n}\n"),
        ("header.c", "#include \"nowhere.h\"\nint f(void) { return 0; }\n"),
        ("empty.c", ""),
    ])
}

#[test]
fn what_does_not_compile_is_refused_in_the_words_of_clang() {
    let bench = bench();
    for command in ["check broken.c", "run broken.c --tests a.csv", "explain broken.c:1"] {
        let said = bench.complaint(command);
        assert!(said.starts_with("obligato: error: broken.c:2:16: "), "{command}: {said}");
        assert!(said.contains("expected expression"), "{said}");
        assert!(said.contains("    return a + ;"), "{said}");
    }
    let said = bench.complaint("check header.c");
    assert!(said.starts_with("obligato: error: header.c:1:10: "), "{said}");
    assert!(said.contains("'nowhere.h' file not found"), "{said}");
}

#[test]
fn a_call_sequence_names_functions_without_parameters() {
    let bench = bench();
    let said = bench.complaint("generate two.c --function f --init g");
    assert!(said.contains("it takes arguments; write a function without parameters"), "{said}");
    let said = bench.complaint("generate two.c --function f --event nowhere");
    assert!(
        said.contains("the file neither defines nor declares it; --init and --event"),
        "{said}"
    );
}

#[test]
fn a_header_that_needs_others_before_it_is_measured_through_a_file_that_includes_it() {
    let header = "static int hook(packet *p) { return p && p->length > 3; }\n";
    let bench = Bench::new(&[
        ("hooks.h", header),
        ("unit.c", "typedef struct { int length; } packet;\n#include \"hooks.h\"\n"),
        ("suite.csv", "p,p->length\nNULL,\nnew,4\nnew,1\n"),
    ]);
    let said = bench.complaint("check hooks.h --function hook");
    assert!(said.starts_with("obligato: error: hooks.h:1:17: "), "{said}");
    assert!(
        said.contains("name a C file that includes it, and the function by --function"),
        "{said}"
    );
    let measure = "measure unit.c --function hook --tests suite.csv --criterion mcdc --no-store";
    let covered = "mcdc (masking)        6            0          0           0      6";
    assert!(bench.succeed(measure).contains(covered));
}

#[test]
fn preconditions_exclude_tests_and_are_refused_where_they_make_no_sense() {
    let bench = bench();
    let run = "run two.c --function f --tests a.csv --quiet";
    bench.succeed(&format!("{run} --assume a>0&&a<10"));
    let said = bench.complaint(&format!("{run} --assume a>1"));
    assert!(said.contains("test 't1', step 1: the precondition `a>1` does not hold"), "{said}");
    let said = bench.complaint(&format!("{run} --assume a>b"));
    assert!(said.contains("a precondition of f cannot be read"), "{said}");
    assert!(said.contains("the function has no input 'b'"), "{said}");
    assert!(said.contains("  a>b\n    ^"), "{said}");
    fs::write(
        bench.0.path().join("obligato.toml"),
        "[inputs.preconditions]\nf = [\"a != 1\"]\ng = [\"q > 1\"]\n",
    )
    .unwrap();
    let said = bench.complaint(run);
    assert!(said.contains("the precondition `a != 1` does not hold"), "{said}");
}

#[test]
fn files_and_functions_that_are_not_there_are_named() {
    let bench = bench();
    let said = bench.complaint("check none.c");
    assert!(said.contains("none.c"), "{said}");
    let said = bench.complaint("measure two.c --tests a.csv --function h");
    assert!(said.contains("two.c defines no function 'h'; it defines 'f', 'g'"), "{said}");
    let said = bench.complaint("run two.c --tests a.csv");
    assert!(said.contains("two.c defines 2 functions; choose one by --function: f, g"), "{said}");
    let said = bench.complaint("run two.c --tests none.csv --function f");
    assert!(said.contains("none.csv"), "{said}");
    let said = bench.complaint("run empty.c --tests a.csv");
    assert!(said.contains("empty.c defines no function"), "{said}");
    assert!(bench.succeed("check empty.c").contains("functions          0"));
    let said = bench.complaint("explain two.c:2 --function f");
    assert!(said.contains("two.c"), "{said}");
}

#[test]
fn what_clang_says_of_bytes_that_are_no_text_is_short() {
    let bench = bench();
    // Bytes that are in no text, with an identifier of a thousand letters here and there, on three lines.
    let mut state = 7_u32;
    let mut bytes = Vec::new();
    for line in 0..3 {
        for at in 0..3000_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let byte = (state >> 24) as u8;
            bytes.push(if b"\0\n\r".contains(&byte) { 0xff } else { byte });
            if at % 1000 == line {
                bytes.push(b' ');
                bytes.extend([b'x'; 1000]);
            }
        }
        bytes.push(b'\n');
    }
    fs::write(bench.0.path().join("bytes.c"), bytes).unwrap();
    let said = bench.complaint("check bytes.c");
    let errors = said.matches(": error: ").count();
    assert!((2..=11).contains(&errors), "{errors} in {said}");
    let told = said.matches("bytes.c:1:").count();
    assert!(said.matches("not valid UTF-8").count() <= 3 && told > 0, "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 401), "{said}");
    assert!(said.len() < 20_000 && said.ends_with(" more errors\n"), "{said}");
}

#[test]
fn a_suite_that_is_for_another_function_is_refused_with_its_place() {
    let bench = bench();
    fs::write(bench.0.path().join("other.csv"), "a,b\n1,2\n").unwrap();
    fs::write(bench.0.path().join("value.csv"), "a\n12x\n").unwrap();
    fs::write(bench.0.path().join("large.csv"), "a\n5000000000\n").unwrap();
    fs::write(bench.0.path().join("pointer.csv"), "p\nelsewhere\n").unwrap();
    for (suite, function, expected) in [
        ("other.csv", "f", "other.csv:1:3: the program has no input 'b'"),
        ("value.csv", "f", "value.csv:2:1: "),
        ("large.csv", "f", "large.csv:2:1: "),
        ("pointer.csv", "g", "pointer.csv:2:1: "),
    ] {
        for command in ["run", "measure"] {
            let said =
                bench.complaint(&format!("{command} two.c --function {function} --tests {suite}"));
            assert!(said.contains(expected), "{said}");
            assert!(said.ends_with("^\n"), "{said}");
        }
    }
}

#[test]
fn flags_of_the_other_language_are_refused() {
    let bench = bench();
    let said = bench.complaint("check two.c --main f");
    assert!(said.contains("--main is for Lustre models"), "{said}");
    let said = bench.complaint("run two.c --function f --tests a.csv --show a");
    assert!(said.contains("--show is for the variables of Lustre models"), "{said}");
    let said = bench.complaint("check two.c --elements 99999");
    assert!(said.contains("--elements: at most 4096"), "{said}");
    let said = bench.complaint("check two.c --range a=9..1");
    assert!(said.contains("this range is empty"), "{said}");
}

#[test]
fn bytes_that_are_no_program_and_flags_without_end_do_no_harm() {
    let bench = bench();
    let bytes: Vec<u8> =
        (0..4096_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(bench.0.path().join("binary.c"), bytes).unwrap();
    let said = bench.complaint("check binary.c");
    assert!(said.starts_with("obligato: error: "), "{said}");
    let output = Command::new(env!("CARGO_BIN_EXE_obligato"))
        .args(["check", "two.c", "--"])
        .arg(format!("-DX={}", "1+".repeat(50_000)))
        .current_dir(bench.0.path())
        .output()
        .unwrap();
    assert!(matches!(output.status.code(), Some(0 | 2)), "{:?}", output.status);
}

#[test]
fn a_wild_pointer_is_a_finding_and_no_crash() {
    let bench = Bench::new(&[
        ("wild.c", "int f(long a) { int *p = (int *)a; *p = 3; return *p; }\n"),
        ("wild.csv", "a\n12345678\n\n-1\n\n0\n"),
    ]);
    let run = bench.succeed("run wild.c --tests wild.csv");
    assert!(run.contains("3 runtime errors"), "{run}");
    assert!(run.contains("wild.c:1:"), "{run}");
}
