//! `obligato export`, with everything that it writes given to whoever it is for: compilers and frameworks, xmllint, `obligato run`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;
use std::process::{Command, Output};

use support::{Bench, cabin};

const UNITY: &str = include_str!("c/unity.h");
const RICH: &str = include_str!("c/rich.c");

fn bench() -> Bench {
    Bench::new(&[
        ("rich.c", RICH),
        ("rich.csv", include_str!("c/rich.csv")),
        ("controller.c", include_str!("c/controller.c")),
        ("controller.csv", include_str!("c/controller.csv")),
        ("faults.c", include_str!("c/faults.c")),
        ("faults.csv", include_str!("c/faults.csv")),
        ("outside.c", include_str!("c/outside.c")),
        ("outside.csv", include_str!("c/outside.csv")),
        ("nondet.c", include_str!("c/nondet.c")),
        ("unity.h", UNITY),
    ])
}

fn run(directory: &Path, program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir(directory).output().unwrap()
}

#[track_caller]
fn succeed(directory: &Path, program: &str, arguments: &[&str]) -> String {
    let output = run(directory, program, arguments);
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {said}");
    said
}

/// A framework: its name, the compiler of its file, what it needs, and what has to be installed for it.
struct Framework {
    name: &'static str,
    compiler: &'static str,
    libraries: &'static [&'static str],
    installed: &'static str,
}

const FRAMEWORKS: [Framework; 5] = [
    Framework { name: "unity", compiler: "gcc", libraries: &[], installed: "/usr/include/stdio.h" },
    Framework {
        name: "cmocka",
        compiler: "gcc",
        libraries: &["-lcmocka"],
        installed: "/usr/include/cmocka.h",
    },
    Framework {
        name: "check",
        compiler: "gcc",
        libraries: &["-lcheck", "-lsubunit", "-lrt", "-lpthread"],
        installed: "/usr/include/check.h",
    },
    Framework {
        name: "cpputest",
        compiler: "g++",
        libraries: &["-lCppUTest"],
        installed: "/usr/include/CppUTest/TestHarness.h",
    },
    Framework {
        name: "googletest",
        compiler: "g++",
        libraries: &["-lgtest", "-lpthread"],
        installed: "/usr/include/gtest/gtest.h",
    },
];

impl Framework {
    #[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
    fn is_installed(&self) -> bool {
        let found = Path::new(self.installed).exists();
        if !found {
            println!("skipped: {} is not installed ({} is not there)", self.name, self.installed);
        }
        found
    }

    /// Compiles what was exported into the directory of this name; the unit with a compiler of its own.
    fn build(&self, bench: &Bench, base: &str, unit_compiler: &str) {
        let directory = bench.0.path().join(self.name);
        let (unit, object) = (format!("{base}_bench.c"), format!("{base}_bench.o"));
        succeed(&directory, unit_compiler, &["-c", "-g", &unit, "-o", &object]);
        let extension = if self.compiler == "g++" { "cpp" } else { "c" };
        let source = format!("{base}_test.{extension}");
        // The unit changes, this file does not.
        if !directory.join("tests.o").exists() {
            let arguments = ["-Wall", "-Werror", "-I..", "-c", &source, "-o", "tests.o"];
            succeed(&directory, self.compiler, &arguments);
        }
        let mut arguments = vec!["tests.o", object.as_str(), "-o", "tests"];
        arguments.extend(self.libraries);
        arguments.push("-lm");
        succeed(&directory, self.compiler, &arguments);
    }

    /// Runs the tests; says whether they passed, and what was printed.
    fn run(&self, bench: &Bench) -> (bool, String) {
        let output = run(&bench.0.path().join(self.name), "./tests", &[]);
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }
}

/// Exports a suite for every framework, has it pass, changes the unit, and has it fail.
#[track_caller]
fn passes_and_notices(subject: &str, base: &str, changes: &[(&str, &str)]) {
    let bench = bench();
    let file = subject.split_whitespace().next().unwrap().to_owned();
    for framework in FRAMEWORKS.iter().filter(|framework| framework.is_installed()) {
        let name = framework.name;
        bench.succeed(&format!("export {subject} --as {name} -o {name}"));
        let compiler = if framework.compiler == "g++" { "clang-19" } else { "gcc" };
        framework.build(&bench, base, compiler);
        let (passed, said) = framework.run(&bench);
        assert!(passed, "{name}, {compiler}: {said}");
        let original = bench.read(&file);
        // The bench is the same for all of them, so one change is enough to see that failures arrive.
        let most = if name == "unity" { changes.len() } else { 1 };
        for (before, after) in &changes[..most] {
            let wrong = original.replace(before, after);
            assert_ne!(wrong, original, "{before}");
            std::fs::write(bench.0.path().join(&file), wrong).unwrap();
            framework.build(&bench, base, "gcc");
            let (passed, said) = framework.run(&bench);
            assert!(!passed, "{name} does not notice {before} -> {after}: {said}");
        }
        std::fs::write(bench.0.path().join(&file), original).unwrap();
    }
}

#[test]
fn tests_with_pointers_structures_floats_and_hidden_state_pass_and_notice_changes() {
    passes_and_notices(
        "rich.c --function is_known --tests rich.csv",
        "is_known",
        &[
            ("n->next->value = 7", "n->next->value = 8"),
            ("n->flag = 5", "n->flag = 4"),
            ("bytes[1] = 0xff", "bytes[1] = 0xfe"),
            ("sqrt(c->gain)", "(c->gain)"),
            ("c->gain * 2)", "c->gain * 3)"),
            ("seen > 1", "seen > 2"),
            ("return 2 * x", "return 3 * x"),
        ],
    );
}

#[test]
fn a_controller_is_driven_through_its_states_with_stubs_for_what_it_calls() {
    passes_and_notices(
        "controller.c --tests controller.csv",
        "step",
        &[
            ("steps_on < 3", "steps_on < 4"),
            ("read_sensor(1)", "read_sensor(2)"),
            ("alarm(7);", "alarm(8);"),
            ("alarm(7);", "alarm(7); alarm(7);"),
            ("static int steps_on;", "static int steps_on = 1;"),
        ],
    );
}

#[test]
fn stubs_write_what_a_test_lets_them_and_stand_behind_pointers() {
    passes_and_notices(
        "outside.c --function handle --tests outside.csv",
        "handle",
        &[
            ("mode == 3", "mode == 4"),
            ("m.kind == 5", "m.kind == 6"),
            ("m.scale > 1.5f", "m.scale > 3"),
            ("item->key == 7", "item->key == 8"),
            ("value > 40", "value > 41"),
        ],
    );
}

#[test]
fn faults_are_expected_where_a_machine_has_a_signal_for_them_and_named_where_it_has_none() {
    passes_and_notices(
        "faults.c --function ask --tests faults.csv",
        "ask",
        &[("return list->next->value;", "return list && list->next ? list->next->value : 0;")],
    );
    let bench = bench();
    let said = bench.succeed("export faults.c --function ask --tests faults.csv --as unity -o out");
    assert!(said.contains("Expected to end by SIGFPE: division: faults.c:17:"), "{said}");
    assert!(said.contains("Only in a comment, not run: out of bounds: faults.c:17:"), "{said}");
    let listed = bench.read("out/ask_test.c");
    assert!(listed.contains("Not here, for a machine may do anything in it: out of bounds"));
    assert!(!bench.read("out/ask_bench.c").contains("obligato_test_4"), "it is not run");
}

#[test]
fn a_test_that_fails_says_what_is_wrong_and_where() {
    let bench = bench();
    let cmocka = &FRAMEWORKS[0];
    bench.succeed("export controller.c --tests controller.csv --as unity -o unity");
    let changed = bench.read("controller.c").replace("alarm(7)", "alarm(9)");
    std::fs::write(bench.0.path().join("controller.c"), changed).unwrap();
    cmocka.build(&bench, "step", "gcc");
    let (passed, said) = cmocka.run(&bench);
    assert!(!passed);
    assert!(said.contains("stub_alarm.given[0].a0 is 9, expected 7"), "{said}");
    assert!(said.contains("step_bench.c:"), "{said}");
}

#[test]
fn suites_that_do_not_pass_and_formats_of_the_other_language_are_refused() {
    let bench = bench();
    std::fs::write(
        bench.0.path().join("wrong.csv"),
        "wanted,target,read_sensor()[0],return\nHEAT,20,15,OFF\n",
    )
    .unwrap();
    for (arguments, expected) in [
        ("controller.c --tests wrong.csv --as unity -o u", "return is HEAT, the suite expects OFF"),
        ("controller.c --tests controller.csv --as rif", "rif is not for C functions"),
        (
            "controller.c --tests controller.csv --as unity",
            "unity is several files; name a directory",
        ),
        ("controller.c --tests controller.csv --as unity -o controller.c", "is not a directory"),
    ] {
        let said = bench.complaint(&format!("export {arguments}"));
        assert!(said.contains(expected), "{arguments}: {said}");
    }
    let model = cabin();
    let said = model.complaint("export cabin.lus --tests cabin.csv --as cmocka -o x");
    assert!(said.contains("--as takes csv, json, kind2, rif, c or rust here"), "{said}");
}

const METADATA: &str =
    "<!ELEMENT test-metadata (sourcecodelang, producer, specification, programfile, \
programhash, entryfunction, architecture, creationtime)>
<!ELEMENT sourcecodelang (#PCDATA)><!ELEMENT producer (#PCDATA)><!ELEMENT specification (#PCDATA)>
<!ELEMENT programfile (#PCDATA)><!ELEMENT programhash (#PCDATA)><!ELEMENT entryfunction (#PCDATA)>
<!ELEMENT architecture (#PCDATA)><!ELEMENT creationtime (#PCDATA)>
";
const TEST_CASE: &str = "<!ELEMENT testcase (input*)>
<!ELEMENT input (#PCDATA)>
<!ATTLIST input variable CDATA #IMPLIED type CDATA #IMPLIED>
";

#[test]
fn test_comp_files_are_valid_and_have_inputs_in_the_order_in_which_they_are_asked_for() {
    let bench = bench();
    let suite = "__VERIFIER_nondet_int()[0],__VERIFIER_nondet_int()[1],__VERIFIER_nondet_uchar()[0]\n\
                 # a -- \"b\" <c> & \u{fc}\n5,-9,200\n\n1,2,3\n";
    std::fs::write(bench.0.path().join("nondet.csv"), suite).unwrap();
    bench.succeed("export nondet.c --tests nondet.csv --as testcomp -o suite");
    let first = bench.read("suite/testcase-1.xml");
    let values: Vec<&str> = first
        .lines()
        .filter_map(|line| line.strip_suffix("</input>"))
        .map(|line| line.rsplit_once('>').unwrap().1)
        .collect();
    assert_eq!(values, ["5", "200", "-9"], "{first}");
    // The second test never asks for its third value.
    assert_eq!(bench.read("suite/testcase-2.xml").matches("<input ").count(), 2);
    bench.succeed("export rich.c --function is_known --tests rich.csv --as testcomp -o rich");
    if Command::new("xmllint").arg("--version").output().is_err() {
        return println!("skipped: xmllint is not installed");
    }
    let directory = bench.0.path();
    std::fs::write(directory.join("metadata.dtd"), METADATA).unwrap();
    std::fs::write(directory.join("testcase.dtd"), TEST_CASE).unwrap();
    for (dtd, file) in [
        ("metadata.dtd", "suite/metadata.xml"),
        ("testcase.dtd", "suite/testcase-1.xml"),
        ("testcase.dtd", "suite/testcase-2.xml"),
        ("testcase.dtd", "rich/testcase-1.xml"),
    ] {
        succeed(directory, "xmllint", &["--noout", "--nonet", "--dtdvalid", dtd, file]);
    }
}

/// Reads a `.ktest` as its format says.
struct Ktest<'a>(&'a [u8]);

impl Ktest<'_> {
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken.to_vec()
    }

    fn number(&mut self) -> u32 {
        u32::from_be_bytes(self.bytes(4).try_into().unwrap())
    }

    fn text(&mut self) -> String {
        let length = self.number() as usize;
        String::from_utf8(self.bytes(length)).unwrap()
    }
}

#[test]
fn ktest_files_hold_the_bytes_of_objects_byte_by_byte() {
    let bench = bench();
    bench.succeed("export rich.c --function is_known --tests rich.csv --as ktest -o out");
    let file = std::fs::read(bench.0.path().join("out/is_known_000001.ktest")).unwrap();
    let mut read = Ktest(&file);
    assert_eq!(read.bytes(5), b"KTEST");
    assert_eq!(read.number(), 3);
    assert_eq!(read.number(), 1);
    assert_eq!(read.text(), "rich.c");
    assert_eq!((read.number(), read.number()), (0, 0));
    let count = read.number();
    let mut objects = Vec::new();
    for _ in 0..count {
        let name = read.text();
        let size = read.number() as usize;
        objects.push((name, read.bytes(size)));
    }
    assert!(read.0.is_empty(), "nothing comes after the objects");
    let (name, configuration) = &objects[0];
    assert_eq!((name.as_str(), configuration.len()), ("c", 40));
    assert_eq!(configuration[..8], 2.25_f64.to_le_bytes());
    assert_eq!(configuration[8..12], f32::INFINITY.to_le_bytes());
    let board = objects.iter().find(|(name, _)| name == "board_id").unwrap();
    assert_eq!(board.1, 42_i32.to_le_bytes());
    let clock = objects.iter().find(|(name, _)| name == "clock_now()[0]").unwrap();
    assert_eq!(clock.1, 5_000_000_000_u64.to_le_bytes());
    // The second step sets its objects anew.
    assert_eq!(objects.iter().filter(|(name, _)| name == "c").count(), 2);
}

#[test]
fn exported_suites_read_back_and_still_hold() {
    let bench = bench();
    for format in ["csv", "json"] {
        bench.succeed(&format!(
            "export controller.c --tests controller.csv --as {format} -o again.{format}"
        ));
        bench.succeed(&format!("run controller.c --tests again.{format} --fail-on-fault --quiet"));
        assert!(bench.read(&format!("again.{format}")).contains("steps_on"));
    }
    let model = cabin();
    for format in ["csv", "json", "rif"] {
        model.succeed(&format!(
            "export cabin.lus --tests cabin.csv --as {format} -o again.{format}"
        ));
        let run = model.succeed(&format!("run cabin.lus --tests again.{format}"));
        assert!(run.contains("0 checks failed, 0 differences"), "{run}");
    }
    model.succeed("export cabin.lus --tests cabin.csv --as kind2 -o kind2.json");
    let before = model.succeed("run cabin.lus --tests cabin.csv --format csv");
    let after = model.succeed("run cabin.lus --tests kind2.json --from kind2 --format csv");
    let rows = |text: &str| {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows(&before), rows(&after));
}

const MODEL: &str = "type mode = enum { Off, Auto };
node ctl(go: bool; speed: real; type_: int) returns (m: mode; out: real; count: int);
let
  count = (0 -> pre count) + (if go then type_ else 0);
  m = if count > 1 then Auto else Off;
  out = speed / 3.0;
tel
";
const MODEL_SUITE: &str = "go,speed,type_\n# a \"b\" <c> */ \u{fc}\ntrue,1.0,1\nfalse,0.1,1\ntrue,-2.5,9000000000\n\ntrue,0.0,2\n";

#[test]
fn a_table_in_c_drives_an_implementation_and_notices_a_wrong_one() {
    let bench = Bench::new(&[("ctl.lus", MODEL), ("ctl.csv", MODEL_SUITE)]);
    bench.succeed("export ctl.lus --tests ctl.csv --as c -o out");
    let directory = bench.0.path().join("out");
    let binding = "#include \"ctl_table.h\"\nstatic int64_t n;\nvoid ctl_reset(void) { n = 0; }\n\
        void ctl_step(const struct ctl_inputs *i, struct ctl_outputs *o)\n{\n\
        n += i->go ? i->type : 0; o->count = n; o->m = n > 1 ? ctl_Auto : ctl_Off; o->out = i->speed / 3.0;\n}\n";
    let binding = if bench.read("out/ctl_table.h").contains("int64_t type_value;") {
        binding.replace("i->type", "i->type_value")
    } else {
        binding.to_owned()
    };
    std::fs::write(directory.join("binding.c"), &binding).unwrap();
    let arguments = ["-Wall", "-Werror", "ctl_table.c", "binding.c", "-o", "tests", "-lm"];
    succeed(&directory, "gcc", &arguments);
    let said = succeed(&directory, "./tests", &[]);
    assert_eq!(said, "2 tests, 4 steps, 0 differences\n");
    std::fs::write(directory.join("binding.c"), binding.replace("n > 1", "n > 2")).unwrap();
    succeed(&directory, "gcc", &arguments);
    let output = run(&directory, "./tests", &[]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success() && said.contains("m is not as expected"), "{said}");
}

#[test]
fn a_table_in_rust_drives_an_implementation_and_notices_a_wrong_one() {
    let bench = Bench::new(&[("ctl.lus", MODEL), ("ctl.csv", MODEL_SUITE)]);
    bench.succeed("export ctl.lus --tests ctl.csv --as rust -o out");
    let directory = bench.0.path().join("out");
    let field = if bench.read("out/ctl_table.rs").contains("pub type_value: i64") {
        "type_value"
    } else {
        "type"
    };
    let program = "mod ctl_table;
use ctl_table::*;
struct Mine(i64);
impl Unit for Mine {
    fn reset(&mut self) { self.0 = 0; }
    fn step(&mut self, i: &Inputs) -> Outputs {
        self.0 += if i.go { i.FIELD } else { 0 };
        let m = if self.0 > 1 { ctl_enum_1::ctl_Auto } else { ctl_enum_1::ctl_Off };
        Outputs { m, out: i.speed / 3.0, count: self.0 }
    }
}
fn main() {
    let found = run(&mut Mine(0));
    println!(\"{found:?}\");
    assert!(found.is_empty());
}
"
    .replace("FIELD", field);
    std::fs::write(directory.join("main.rs"), &program).unwrap();
    succeed(&directory, "rustc", &["--edition", "2021", "-Dwarnings", "main.rs"]);
    succeed(&directory, "./main", &[]);
    std::fs::write(directory.join("main.rs"), program.replace("> 1", "> 2")).unwrap();
    succeed(&directory, "rustc", &["--edition", "2021", "main.rs"]);
    let output = run(&directory, "./main", &[]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("m is not as expected"));
}

#[test]
fn numbers_that_no_machine_holds_are_refused_in_tables() {
    let suite = "go,speed,type_\ntrue,1.0,99999999999999999999\n";
    let bench = Bench::new(&[("ctl.lus", MODEL), ("big.csv", suite)]);
    let said = bench.complaint("export ctl.lus --tests big.csv --as c -o out");
    assert!(said.contains("which no number of 64 bits holds; csv, json and rif hold"), "{said}");
}

const ENVIRONMENT: &str = "#include <stdlib.h>
volatile int tick;
int once(void) { if (tick > 5) return 1; return 0; }
int twice(void) { int t = tick; if (tick != t) return 1; return 0; }
int memory(void) { int *p = malloc(4); if (!p) return 1; free(p); return 0; }
int device(void) { if (*(volatile unsigned *)0x40021000 == 7) return 1; return 0; }
";

#[test]
fn tests_that_need_more_of_their_environment_than_a_program_has_are_named() {
    let bench = Bench::new(&[
        ("e.c", ENVIRONMENT),
        ("once.csv", "tick[0]\n# a\n6\n\n# b\n5\n"),
        ("twice.csv", "tick[0],tick[1]\n# same\n6,6\n\n# changed\n6,7\n"),
        ("memory.csv", "malloc()[0] fails\n# given\nfalse\n\n# refused\ntrue\n"),
        ("device.csv", "0x40021000[0]\n# seven\n7\n"),
        ("unity.h", UNITY),
    ]);
    for (function, named, built) in [
        ("once", &[][..], true),
        ("twice", &["changed: the volatile 'tick' changes while the function runs"][..], true),
        ("memory", &["refused: malloc fails in it"][..], true),
        ("device", &["seven: it may access memory at the address 0x40021000"][..], false),
    ] {
        let said = bench.succeed(&format!(
            "export e.c --function {function} --tests {function}.csv --as unity -o {function}"
        ));
        assert_eq!(said.matches("Only in a comment, not run").count(), named.len(), "{said}");
        for one in named {
            assert!(said.contains(one), "{said}");
        }
        if built {
            let directory = bench.0.path().join(function);
            let files = [format!("{function}_bench.c"), format!("{function}_test.c")];
            let arguments = ["-w", "-I..", &files[0], &files[1], "-o", "tests"];
            succeed(&directory, "gcc", &arguments);
            succeed(&directory, "./tests", &[]);
        }
    }
}
