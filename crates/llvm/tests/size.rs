//! Large units: nothing recurses, and nothing is looked at for everything else.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use obligato_bytecode::{Module, check};
use obligato_llvm::load;
use support::{clang_is_there, compile};

/// A text as a module, and the seconds that loading it takes.
fn loaded(text: &str) -> (Module, f64) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| directory.path().join(name);
    fs::write(at("unit.c"), text).expect("writable");
    compile(&at("unit.c"), &at("unit.bc"), &["-fbracket-depth=100000"]);
    let start = Instant::now();
    let before = on_processor(start);
    let module = load(&at("unit.bc")).expect("it loads").module;
    let seconds = on_processor(start) - before;
    assert_eq!(check(&module), Ok(()));
    (module, seconds)
}

/// The seconds that this thread was on a processor, so that other work does not count; the time
/// of day where that is not known.
fn on_processor(start: Instant) -> f64 {
    let status = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = status.split_whitespace().next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.map_or(start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// One function: a switch with so many arms, all of which meet in one block, and as many labels.
fn switch(arms: usize) -> String {
    let mut text = "int f(int x, int y) {\n  int r = y ? 1 : 2;\n  switch (x) {\n".to_owned();
    for arm in 0..arms {
        let _ = writeln!(text, "  case {}: r = x > {arm} && y; break;", arm * 3);
    }
    text += "  }\n  static void *labels[] = {";
    for arm in 0..arms {
        let _ = write!(text, "&&l{arm}, ");
    }
    text += "};\n  goto *labels[r];\n";
    for arm in 0..arms {
        let _ = writeln!(text, "l{arm}: r += {arm};");
    }
    text + "  return r;\n}\n"
}

/// One decision of so many conditions.
fn decision(conditions: usize) -> String {
    let tests: Vec<_> = (0..conditions).map(|index| format!("p[{index}] > {index}")).collect();
    format!("int f(int *p) {{ return {}; }}\n", tests.join(" && "))
}

#[test]
fn a_function_ten_times_as_large_takes_about_ten_times_as_long() {
    if !clang_is_there() {
        return;
    }
    let (_, small) = loaded(&switch(400));
    let (_, large) = loaded(&switch(4_000));
    assert!(large < 40.0 * small, "{small} s, then {large} s");
}

#[test]
fn a_decision_of_two_thousand_conditions_keeps_them_all() {
    if !clang_is_there() {
        return;
    }
    let (module, _) = loaded(&decision(2_000));
    let text = module.to_string();
    assert_eq!(text.matches("GreaterSigned.i32").count(), 2_000);
}
