//! What it costs to measure MC/DC on top of executing, and to load and map a large file.
//!
//! Processor time, and ratios within one run; `cargo bench -p obligato-unit -- load` takes one of the two.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints figures")]

use std::fmt::Write as _;
use std::fs;

use obligato_clang::{BooleanOperators, Flags, Limits, Source, Syntax, Text};
use obligato_execute::Limits as RunLimits;
use obligato_model::{Criterion, Independence, Suite, TestCase, Value};
use obligato_unit::{Options, RunOptions, Unit};

fn main() {
    let named: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| named.is_empty() || named.iter().any(|word| name.contains(word));
    if wanted("measure") {
        measure();
    }
    if wanted("load") {
        load();
    }
}

/// Words and numbers of a text, as in the benchmark of the executor: decisions in every few operations.
const STATES: &str = r#"
enum state { OUTSIDE, WORD, NUMBER };
struct counts { enum state state; int words, numbers, others; };
static void step(struct counts *c, char letter) {
    int is_letter = (letter >= 'a' && letter <= 'z') || letter == '_';
    int is_digit = letter >= '0' && letter <= '9';
    switch (c->state) {
    case OUTSIDE:
        if (is_letter) { c->state = WORD; c->words++; }
        else if (is_digit) { c->state = NUMBER; c->numbers++; }
        else c->others++;
        break;
    case WORD:
        if (!is_letter && !is_digit) c->state = OUTSIDE;
        break;
    case NUMBER:
        if (!is_digit) c->state = is_letter ? WORD : OUTSIDE;
        break;
    }
}
int subject(int rounds) {
    static const char text[] = "if x1 > 42 and speed_7 < 1000 then (stop) else go_on 99 bottles; ";
    struct counts counts = { OUTSIDE, 0, 0, 0 };
    for (int round = 0; round < rounds; round++)
        for (const char *at = text; *at; at++)
            step(&counts, *at);
    return counts.words;
}
"#;

/// Sorting and summing: loops with one condition, and arithmetic in between.
const LOOPS: &str = r"
int subject(int rounds) {
    int values[64], sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 64; i++)
            values[i] = (i * 7919 + round * 31) % 257;
        for (int i = 1; i < 64; i++) {
            int value = values[i], at = i;
            while (at > 0 && values[at - 1] > value) {
                values[at] = values[at - 1];
                at--;
            }
            values[at] = value;
        }
        sum += values[round % 64] * 3 + values[(round + 17) % 64];
    }
    return sum;
}
";

fn unit_of(text: &str) -> (tempfile::TempDir, Source) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("unit.c"), text).unwrap();
    let source = Source {
        file: "unit.c".into(),
        directory: directory.path().to_owned(),
        flags: Flags::new(&[]).unwrap(),
        limits: Limits::default(),
    };
    (directory, source)
}

fn measure() {
    let masking = [Criterion::Mcdc(Independence::Masking)];
    let unique = [Criterion::Mcdc(Independence::UniqueCause)];
    println!("{:<8} {:>9} {:>9} {:>13}", "program", "run", "masking", "unique cause");
    for (name, text, rounds) in [("states", STATES, 20_000), ("loops", LOOPS, 5000)] {
        let (_directory, source) = unit_of(text);
        let unit = Unit::load(&source, Options::default()).unwrap();
        let interface = unit.interface("subject").unwrap();
        let inputs = unit.variables(&interface).inputs;
        let value = Some(Value::parse(&rounds.to_string(), &inputs[0].kind).unwrap());
        let test = TestCase { name: TestCase::default_name(0), steps: vec![vec![value]] };
        let suite = Suite { inputs, tests: vec![test] };
        let limits = RunLimits { steps: u64::MAX, ..RunLimits::default() };
        let options = RunOptions { limits, ..RunOptions::default() };
        let run = best(|| drop(unit.run(&interface, &suite, options).unwrap()));
        let cost = |criteria: &[Criterion]| {
            let seconds =
                best(|| drop(unit.measure(&interface, &suite, criteria, options).unwrap()));
            seconds / run
        };
        println!("{name:<8} {run:>8.2}s {:>8.2}x {:>12.2}x", cost(&masking), cost(&unique));
    }
}

/// How many lines the large file has, about.
const LINES: usize = 10_000;

fn large_file() -> String {
    let mut text =
        String::from("struct item { int kind, size; unsigned flags; struct item *next; };\n");
    for number in 0..LINES / 10 {
        let _ = writeln!(
            text,
            "static int f{number}(struct item *p, int a, int b) {{
    int n = {number};
    if (p && p->kind == {number} && (p->size > a || p->flags & 4))
        n += p->size;
    else if (!(a < b) || b == {number})
        n -= b;
    for (int i = 0; i < a && n > 0; i++)
        n -= i % 3 == 0 ? b : 1;
    return n;
}}"
        );
    }
    text.push_str("int subject(struct item *p, int a, int b) {\n    int n = 0;\n");
    for number in 0..LINES / 10 {
        let _ = writeln!(text, "    n += f{number}(p, a, b);");
    }
    text.push_str("    return n;\n}\n");
    text
}

fn load() {
    let (_directory, source) = unit_of(&large_file());
    let (start, children) = (own_time(), children_time());
    let unit = Unit::load(&source, Options::default()).unwrap();
    let (own, compilers) = (own_time() - start, children_time() - children);
    let text = Text::read(&source).unwrap();
    let start = own_time();
    let syntax = Syntax::parse(&text, BooleanOperators::default()).unwrap();
    let parse = own_time() - start;
    println!(
        "loading {} lines, {} functions, {} decisions, {} conditions:",
        large_file().lines().count(),
        syntax.functions.len(),
        unit.program().decisions().len(),
        unit.program().conditions().len()
    );
    println!("    clang's processes {compilers:.2}s");
    println!("    this process      {own:.2}s, of which parsing with libclang {parse:.2}s");
}

/// The processor time of the shortest of some runs: the others were disturbed.
fn best(mut run: impl FnMut()) -> f64 {
    let runs = (0..5).map(|_| {
        let start = own_time();
        run();
        own_time() - start
    });
    runs.fold(f64::INFINITY, f64::min)
}

/// Seconds of processor time of this process, all threads together.
fn own_time() -> f64 {
    ticks(11) + ticks(12)
}

/// The same of the processes that it has waited for.
fn children_time() -> f64 {
    ticks(13) + ticks(14)
}

/// A number of `/proc/self/stat`, in hundredths of seconds; its fields behind the name count from 0.
fn ticks(field: usize) -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap();
    let fields = text.rsplit(") ").next().unwrap();
    fields.split(' ').nth(field).unwrap().parse::<f64>().unwrap() / 100.0
}
