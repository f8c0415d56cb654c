//! A suite as plain C: a function behind the unit's text that does what a test says. Names of inputs are C already, so
//! a test is nothing but assignments and calls, and nothing of the tool's own harness takes part.

use std::fmt::Write as _;

use obligato_c_unit::Interface;
use obligato_clang::{Callable, Syntax};

use crate::suite::Rows;

/// Runs one test per process, so that each begins with fresh state, and writes the profile also after a fault.
pub const MAIN: &str = r"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
void witness_test(int test);
int __llvm_profile_write_file(void);
static void stop(int signal) { (void)signal; __llvm_profile_write_file(); _exit(0); }
int main(int count, char **words) {
    int faults[] = { SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS };
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], stop);
    alarm(20);
    witness_test(count > 1 ? atoi(words[1]) : 0);
    return 0;
}
";

/// The text behind the unit: what is only declared there, and the tests.
pub fn write_tests(syntax: &Syntax, interface: &Interface, rows: &Rows) -> String {
    let mut text = String::from("\n");
    for variable in syntax.variables.iter().filter(|one| one.used && !one.defined) {
        let storage = if variable.thread_local { "_Thread_local " } else { "" };
        let _ = writeln!(text, "{storage}__typeof__({0}) {0};", variable.name);
    }
    // Those that allocate memory are the machine's own here.
    let is_own = |name: &str| ["malloc", "calloc", "realloc"].contains(&name);
    let outside = interface.outside.iter().filter(|outside| !is_own(&outside.name));
    // The tests set no pointer to a stub that only a driver has.
    let declared = |name: &String| syntax.callables.iter().find(|one| one.name == *name);
    let outside: Vec<&Callable> = outside.filter_map(|outside| declared(&outside.name)).collect();
    for function in &outside {
        write_stub(&mut text, function);
    }
    text.push_str("void witness_test(int test) {\n    switch (test) {\n");
    let subject = callable(syntax, &interface.function);
    for (number, steps) in rows.iter().enumerate() {
        let _ = writeln!(text, "    case {number}: {{");
        for parameter in &subject.parameters {
            let _ = writeln!(
                text,
                "        static __typeof__({}) {};",
                parameter.spelling, parameter.name
            );
        }
        for step in steps {
            for function in &outside {
                let _ = writeln!(text, "        witness_calls_{} = 0;", function.name);
            }
            for (name, value) in step {
                let _ = writeln!(text, "        {} = {};", place(name), content(name, value));
            }
            let names: Vec<&str> =
                subject.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let _ = writeln!(text, "        {}({});", subject.name, names.join(", "));
        }
        text.push_str("        break;\n    }\n");
    }
    text.push_str("    }\n}\n");
    text
}

fn callable<'a>(syntax: &'a Syntax, name: &str) -> &'a Callable {
    syntax.callables.iter().find(|one| one.name == name).unwrap()
}

/// A function outside gives the results of the test one by one, and then the last one again.
fn write_stub(text: &mut String, function: &Callable) {
    let Callable { name, result_spelling: result, .. } = function;
    let parameters = function.parameters.iter().enumerate();
    let parameters: Vec<String> =
        parameters.map(|(index, one)| format!("__typeof__({}) a{index}", one.spelling)).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let _ = writeln!(text, "static int witness_calls_{name};");
    if result == "void" {
        let _ = writeln!(text, "void {name}({parameters}) {{ }}");
        return;
    }
    let _ = writeln!(text, "static __typeof__({result}) witness_results_{name}[64];");
    let _ = writeln!(
        text,
        "__typeof__({result}) {name}({parameters}) {{ return witness_results_{name}[witness_calls_{name}++]; }}"
    );
}

fn place(name: &str) -> String {
    match name.split_once("()") {
        Some((function, rest)) => format!("witness_results_{function}{rest}"),
        None => name.to_owned(),
    }
}

fn content(name: &str, value: &str) -> String {
    match value {
        "true" => "1".to_owned(),
        "false" | "NULL" => "0".to_owned(),
        "nan" => "__builtin_nan(\"\")".to_owned(),
        "inf" | "-inf" => value.replace("inf", "__builtin_inf()"),
        "new" => format!("__builtin_calloc(8, sizeof *{name})"),
        other => other.to_owned(),
    }
}
