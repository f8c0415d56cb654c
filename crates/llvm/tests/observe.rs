//! The copy that reports values, run as machine code.

mod support;

use std::fs;
use std::process::Command;

use obligato_bytecode::{CodeId, Module, Operation, Register};
use obligato_llvm::{Error, Loaded, Observation, load, observe};
use support::{clang_is_there, compile};

const UNIT: &str = "
int f(int a, double b, int *p) { return (a > 3 && b < 2.5) || *p; }
unsigned long long mixed(float x, __int128 w, char *s) { return (x + 1.0f > 0) + (w * w != 0) + (s + 1 != 0); }
";

const REPORT: &str = r#"
#include <stdio.h>
void obligato_saw(unsigned id, unsigned long value) { printf("%u %lx\n", id, value); }
int f(int a, double b, int *p);
unsigned long long mixed(float x, __int128 w, char *s);
int main(void) {
    int zero = 0, nine = 9;
    f(4, 1.0, &zero);
    f(4, 3.0, &zero);
    f(1, 1.0, &nine);
    mixed(1.5f, ((__int128)3 << 40), (char *)0x10);
    return 0;
}
"#;

/// What the machine reports of some registers: one line each time.
fn report(choose: impl Fn(&Module) -> Vec<Observation>) -> Result<String, Error> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| directory.path().join(name);
    fs::write(at("unit.c"), UNIT).expect("writable");
    fs::write(at("report.c"), REPORT).expect("writable");
    compile(&at("unit.c"), &at("unit.bc"), &[]);
    let Loaded { module, origins, .. } = load(&at("unit.bc"))?;
    observe(&at("unit.bc"), &origins, &choose(&module), &at("observed.bc"))?;
    let built = Command::new("clang-19")
        .args([at("observed.bc"), at("report.c")])
        .arg("-o")
        .arg(at("program"))
        .output()
        .expect("clang-19 starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(at("program")).output().expect("the program starts");
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}

/// The registers that a function's operations of some kind write, numbered from an id on.
fn written(
    module: &Module,
    name: &str,
    first: u32,
    kind: impl Fn(&Operation) -> Option<Register>,
) -> Vec<Observation> {
    let function = module.function_named(name).expect("it is there");
    let mut registers: Vec<_> = module.function(function).code.iter().filter_map(kind).collect();
    registers.sort_unstable();
    registers.dedup();
    let numbered = registers.into_iter().zip(first..);
    numbered.map(|(register, id)| Observation { function, register, id }).collect()
}

#[test]
fn conditions_and_phis_are_reported_in_the_order_of_the_run() {
    if !clang_is_there() {
        return;
    }
    let seen = report(|module| {
        let mut chosen = written(module, "f", 1, |operation| match operation {
            Operation::Compare { to, .. } | Operation::FloatCompare { to, .. } => Some(*to),
            _ => None,
        });
        chosen.extend(written(module, "f", 9, |operation| match operation {
            Operation::Move { to, .. } => Some(*to),
            _ => None,
        }));
        chosen
    });
    let expected = "1 1\n2 1\n9 1\n1 1\n2 0\n3 0\n9 0\n1 0\n3 1\n9 1\n";
    assert_eq!(seen.expect("it can be observed"), expected);
}

#[test]
fn values_of_all_kinds_are_reported_as_words() {
    if !clang_is_there() {
        return;
    }
    let seen = report(|module| {
        let mut chosen = written(module, "mixed", 1, |operation| match operation {
            Operation::FloatBinary { to, .. } | Operation::Offset { to, offset: 1, .. } => {
                Some(*to)
            }
            _ => None,
        });
        chosen.extend(written(module, "mixed", 11, |operation| match operation {
            Operation::WideBinary { to, .. } => Some(*to),
            _ => None,
        }));
        chosen.extend(written(module, "mixed", 12, |operation| match operation {
            Operation::WideBinary { to, .. } => Some(Register(to.0 + 1)),
            _ => None,
        }));
        chosen
    });
    let expected = "1 40200000\n11 0\n12 90000\n2 11\n";
    assert_eq!(seen.expect("it can be observed"), expected);
}

#[test]
fn what_no_instruction_computes_cannot_be_observed() {
    if !clang_is_there() {
        return;
    }
    let function = CodeId::new(0);
    for register in [Register(0), Register(9999)] {
        let seen = report(|_| vec![Observation { function, register, id: 1 }]);
        let error = seen.expect_err("there is nothing to observe").to_string();
        assert_eq!(error, format!("register {} of f cannot be observed", register.0));
    }
}
