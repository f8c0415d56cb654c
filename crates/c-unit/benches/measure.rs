//! What it costs to measure MC/DC on top of executing, and to load and map a large file.
//!
//! Processor time, and ratios within one run; `cargo bench -p obligato-c-unit -- load` takes one of the two.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints figures")]

use std::fmt::Write as _;
use std::fs;

use obligato_c_unit::random::{Draw, draw_suite};
use obligato_c_unit::{LoadOptions, RunOptions, Unit};
use obligato_clang::{BooleanOperators, Flags, Limits, Source, Syntax, Text};
use obligato_execute::ExecutionLimits as RunLimits;
use obligato_model::{Criterion, Independence, Suite, TestCase, Value};

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

/// A monitor as controllers have them: structures behind pointers, decisions of several conditions in one another's
/// company (all short-circuit, mixed, over Boolean operands), calls of small functions, numbers with fractions.
const MONITOR: &str = r"
struct channel { int raw, low, high, age; _Bool enabled, faulty; };
struct monitor { struct channel channels[8]; int alarms, trips; unsigned ticks; double mean; };
static int plausible(const struct channel *c) {
    return c->enabled && !c->faulty && c->raw >= c->low && c->raw <= c->high;
}
static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}
static void update(struct monitor *m, int sample) {
    int good = 0, sum = 0;
    for (int i = 0; i < 8; i++) {
        struct channel *c = &m->channels[i];
        c->raw = clamp(sample + 13 * i - 40, -100, 400);
        c->age = c->raw == sample ? c->age + 1 : 0;
        if ((c->age > 5 && c->enabled) || (c->raw > 390 && !c->faulty) || c->raw < -95)
            c->faulty = !c->faulty;
        if (plausible(c)) {
            good++;
            sum += c->raw;
        }
    }
    m->mean = good ? sum / (double)good : 0.0;
    _Bool hot = m->mean > 200.0, few = good < 4;
    if (hot & !few | (m->ticks % 64 == 0))
        m->alarms++;
    if ((hot || few) && (m->alarms > 10 || m->ticks > 100) && m->ticks % 3)
        m->trips++;
    m->ticks++;
}
int subject(int rounds) {
    static struct monitor m;
    unsigned seed = 1;
    for (int i = 0; i < 8; i++)
        m.channels[i] = (struct channel){ 0, -50 + i, 350 - 20 * i, 0, i != 3, 0 };
    for (int round = 0; round < rounds; round++) {
        seed = seed * 1103515245u + 12345u;
        update(&m, (int)(seed >> 16) % 500);
    }
    return m.trips;
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
    let programs =
        [("states", STATES, 50_000), ("loops", LOOPS, 10_000), ("monitor", MONITOR, 50_000)];
    for (name, text, rounds) in programs {
        let (_directory, source) = unit_of(text);
        let unit = Unit::load(&source, LoadOptions::default()).unwrap();
        let interface = unit.interface("subject").unwrap();
        let inputs = unit.variables(&interface).inputs;
        let value = Some(Value::parse(&rounds.to_string(), &inputs[0].kind).unwrap());
        let test = TestCase { name: TestCase::default_name(0), steps: vec![vec![value]] };
        let suite = Suite { inputs, tests: vec![test] };
        let limits = RunLimits { steps: u64::MAX, ..RunLimits::default() };
        let options = RunOptions { limits, ..RunOptions::default() };
        let run = best(|| {
            let runs = unit.run(&interface, &suite, options).unwrap();
            assert_eq!(runs[0].ending, None, "{name} runs to its end");
        });
        let cost = |criteria: &[Criterion]| {
            let seconds =
                best(|| drop(unit.measure(&interface, &suite, criteria, options).unwrap()));
            seconds / run
        };
        println!("{name:<8} {run:>8.2}s {:>8.2}x {:>12.2}x", cost(&masking), cost(&unique));
    }
    measure_short_tests();
}

/// The monitor again, in very many tests of one round each: what a test costs before and after it runs.
fn measure_short_tests() {
    let (_directory, source) = unit_of(MONITOR);
    let unit = Unit::load(&source, LoadOptions::default()).unwrap();
    let interface = unit.interface("update").unwrap();
    let draw = Draw { tests: 5000, steps: 10, seed: 1 };
    let suite = draw_suite(&unit.variables(&interface), draw);
    let options = RunOptions::default();
    let run = best(|| drop(unit.run(&interface, &suite, options).unwrap()));
    let criteria = [Criterion::Mcdc(Independence::Masking)];
    let measured = best(|| drop(unit.measure(&interface, &suite, &criteria, options).unwrap()));
    println!("{:<8} {run:>8.2}s {:>8.2}x", "tests", measured / run);
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
    let unit = Unit::load(&source, LoadOptions::default()).unwrap();
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

/// Seconds of processor time of this process, which has one thread.
fn own_time() -> f64 {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
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
