//! Files and options that belong to the other language: each is refused, with what is the matter and what to do.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::Bench;

const UNIT: &str = "int f(int a, int b) { return a && b; }\n";
const MODEL: &str = "node f(a, b: bool) returns (c: bool); let c = a and b; tel\n";
const COMMANDS: &str = r#"[{"directory": ".", "file": "f.c", "arguments": ["cc", "-c", "f.c"]}]"#;

fn bench() -> Bench {
    Bench::new(&[
        ("f.c", UNIT),
        ("f.lus", MODEL),
        ("suite.csv", "a,b\n1,1\n"),
        ("compile_commands.json", COMMANDS),
        ("notes.txt", "nothing\n"),
    ])
}

#[test]
fn a_command_that_does_not_read_a_file_says_which_does() {
    let bench = bench();
    let tests = "--tests suite.csv";
    let (unit, list) = ("f.c is a C file; ", "compile_commands.json is a list of C files; ");
    for (command, what, way_out) in [
        (format!("reduce compile_commands.json {tests}"), list, "name one C file of it"),
        ("prove f.c".to_owned(), unit, "'generate' proves of C functions"),
        ("fmt f.c".to_owned(), unit, "clang-format"),
        (format!("mutate f.c {tests}"), unit, "'generate' makes tests of C functions"),
        (format!("mutate f.c {tests} --function f"), unit, "'generate' makes tests of C functions"),
        ("prove f.c --main f -- -DX".to_owned(), unit, "'generate' proves of C functions"),
        (format!("experiment f.c {tests} -o d"), unit, "--paper caut"),
        (format!("run compile_commands.json {tests}"), list, "name one C file of it"),
        (format!("measure compile_commands.json {tests}"), list, "name one C file of it"),
        (format!("export compile_commands.json {tests} --as unity"), list, "name one C file of it"),
        ("instrument compile_commands.json --for cbmc".to_owned(), list, "name one C file of it"),
        ("explain compile_commands.json:1".to_owned(), list, "name one C file of it"),
        ("generate notes.txt".to_owned(), "notes.txt is neither", "ends in .lus"),
        ("check notes.txt".to_owned(), "notes.txt is neither", "ends in .lus"),
        ("instrument nofile.xyz --for kind2".to_owned(), "there is no such file", "is there"),
        ("generate f.c --criterion mutation".to_owned(), "no mutant runs", "models only"),
    ] {
        let said = bench.complaint(&command);
        assert!(said.contains(what) && said.contains(way_out), "{command}: {said}");
        assert!(!said.contains("is not called a Lustre model"), "{command}: {said}");
    }
}

#[test]
fn an_option_that_a_file_does_not_have_is_refused() {
    let bench = bench();
    let project = "generate compile_commands.json --store st";
    for (command, expected) in [
        ("generate f.c --engine random", "--engine is for Lustre models; "),
        ("generate f.c --mutants 5", "--mutants is for Lustre models; "),
        ("generate f.c --inline", "--inline is for Lustre models; "),
        ("generate f.lus --function f", "--function is for one C file; "),
        ("generate f.lus --elements 3", "--elements is for C functions; "),
        ("generate f.lus --steps 3", "--steps is for C functions; "),
        ("generate f.lus --faults bad.csv", "--faults is for one C file; "),
        ("generate f.lus --fail-on-fault", "--fail-on-fault is for C functions; "),
        ("generate f.lus --no-native", "--no-native is for C functions; "),
        ("generate f.lus -- -DX", "a flag for clang is for one C file; "),
        ("measure f.lus --tests suite.csv --state free", "--state is for C functions; "),
        ("run f.lus --tests suite.csv --no-native", "--no-native is for C functions; "),
        ("prove f.lus --function f", "--function is for one C file; "),
        ("mutate f.lus --tests suite.csv -- -DX", "a flag for clang is for one C file; "),
        ("reduce f.lus --tests suite.csv --array 3", "--array is for C functions; "),
        ("check f.lus --range a=0..1", "--range is for C functions; "),
        (&format!("{project} --tests suite.csv"), "--tests is not for a project; "),
        (&format!("{project} -o new.csv"), "--output is not for a project; "),
        (&format!("{project} --faults bad.csv"), "--faults is for one C file; "),
        (&format!("{project} --function f"), "--function is for one C file; "),
        (&format!("{project} --list"), "--list is not for a project; "),
        (&format!("{project} --engine random"), "--engine is for Lustre models; "),
        ("generate compile_commands.json --no-store", "--no-store is not for a project; "),
    ] {
        let said = bench.complaint(command);
        assert!(said.contains(expected), "{command}: {said}");
    }
}

#[test]
fn superfluous_tests_of_functions_and_models_stay_or_go_as_asked() {
    let bench = bench();
    for file in ["f.c", "f.lus"] {
        let made = |option: &str| {
            let ask = format!("generate {file} --budget 100000 --criterion mcdc,mcc --no-store");
            let text = bench.succeed(&format!("{ask} {option}"));
            let line = text.lines().find(|line| line.contains(" new test")).unwrap().to_owned();
            (line.split(' ').next().unwrap().parse::<usize>().unwrap(), line)
        };
        let (kept, line) = made("--no-reduce");
        assert!(!line.contains("left out"), "{line}");
        let (reduced, _) = made("--reduce");
        assert!(reduced <= kept, "{file}");
    }
}
