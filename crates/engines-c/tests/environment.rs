//! The environment is an input: reads of volatile objects, memory at fixed addresses, allocations that fail. What a campaign covers, machine
//! code does as well.

mod support;

use std::collections::BTreeMap;

use obligato_c_unit::settings::{Allocation, StubContract, VolatileObjects};
use obligato_c_unit::{NativeOptions, RunOptions, Settings, Unit};
use obligato_campaign::Standing;
use obligato_engines_c::Outcome;
use obligato_model::{Suite, TestCase};
use support::{MCDC, load, ranges, request, run, tally};

/// The names of the inputs and outputs of `f`.
fn columns(unit: &Unit) -> (Vec<String>, Vec<String>) {
    let interface = unit.interface("f").expect("an interface");
    let names = |cells: &[obligato_c_unit::interface::Cell]| {
        cells.iter().map(|cell| cell.name.clone()).collect()
    };
    (names(&interface.inputs), names(&interface.outputs))
}

/// Replays the tests of a campaign as machine code.
fn replay(unit: &Unit, outcome: &Outcome<'_>) {
    let interface = unit.interface("f").expect("an interface");
    let inputs = unit.variables(&interface).inputs;
    let tests: Vec<TestCase> = outcome.tests.iter().map(|made| made.test.clone()).collect();
    let suite = Suite { inputs, tests };
    // Longer than tests are that engines make; a task that never returns need not run on.
    let mut options = RunOptions::default();
    options.limits.steps = 2_000_000;
    let replay = unit
        .replay_natively(&interface, &suite, options, NativeOptions::default())
        .expect("it runs natively");
    for (test, found) in suite.tests.iter().zip(&replay.disagreements) {
        assert!(found.is_empty(), "{test:?}: {found:?}");
    }
}

/// A campaign covers everything, by tests that machine code repeats.
#[track_caller]
fn covers_all_with(text: &str, settings: Settings) {
    let unit = load(text, "f", settings);
    let interface = unit.interface("f").expect("an interface");
    let outcome = run(&request(&unit, &interface, &[MCDC]));
    let (covered, refuted, open) = tally(&outcome);
    assert!(covered > 0, "{text}");
    assert_eq!((refuted, open), (0, 0), "{:?}\n{text}\n{:?}", outcome.limit, columns(&unit));
    replay(&unit, &outcome);
}

#[track_caller]
fn covers_all(text: &str) {
    covers_all_with(text, Settings::default());
}

/// How many obligations are proved, and the bounds of those that are refuted within some.
fn refuted(text: &str, settings: Settings) -> (usize, Vec<String>) {
    let unit = load(text, "f", settings);
    let interface = unit.interface("f").expect("an interface");
    let outcome = run(&request(&unit, &interface, &[MCDC]));
    replay(&unit, &outcome);
    let (mut proved, mut bounds) = (0, Vec::new());
    for index in 0..outcome.ledger.len() {
        match outcome.ledger.standing(index) {
            Standing::Refuted(_) => proved += 1,
            Standing::NotWithinBounds(used) => bounds.extend(used.iter().map(ToString::to_string)),
            _ => {}
        }
    }
    bounds.sort();
    bounds.dedup();
    (proved, bounds)
}

const TICK: &str = "static volatile int tick;
    int f(void) { int t0 = tick; if (tick != t0) return 1; return 0; }";

#[test]
fn each_read_of_a_volatile_object_has_a_value_of_its_own() {
    let unit = load(TICK, "f", Settings::default());
    let (inputs, outputs) = columns(&unit);
    assert_eq!(inputs, ["tick[0]", "tick[1]", "tick[2]", "tick[3]"]);
    assert_eq!(outputs, ["return"]);
    covers_all(TICK);
}

#[test]
fn volatile_members_arrays_and_pointers_are_read_anew() {
    for text in [
        "struct dev { volatile unsigned status; int mode; }; static struct dev dev;
         int f(void) { unsigned s = dev.status; if (dev.status == s + 1) return 1; return 0; }",
        "volatile unsigned char rx[4];
         int f(unsigned i) { if (i > 3) return 0; if (rx[i] == 7 && rx[i] == 9) return 1; return 2; }",
        "int f(volatile int *p) { if (!p) return 0; int a = *p; if (*p > a) return 1; return 2; }",
        "struct r { volatile unsigned ready : 1; volatile unsigned count : 7; };
         int f(struct r *r) { if (!r) return 0; if (!r->ready) return 1; if (r->count == 100 && r->ready == 0) return 2; return 3; }",
        "extern const volatile unsigned clock_now;
         int f(void) { unsigned a = clock_now; return clock_now - a > 1000; }",
        "struct node { int value; }; static struct node *volatile head;
         int f(void) { if (!head) return 0; if (!head) return 1; return 2; }",
        "int f(void) { static volatile int tick; int t = tick; if (tick != t) return 1; return 0; }",
        "typedef struct { unsigned a, b; } pair; volatile pair shared;
         int f(void) { pair p = shared; if (p.a == p.b + 5 && shared.a == 1) return 1; return 0; }",
    ] {
        covers_all(text);
    }
}

#[test]
fn each_write_to_a_volatile_object_is_an_output() {
    let text = "volatile unsigned control;
        int f(int on) { control = 1; if (on > 3) control = control | 4; return 0; }";
    let unit = load(text, "f", Settings::default());
    let (inputs, outputs) = columns(&unit);
    assert_eq!(inputs, ["on", "control[0]", "control[1]", "control[2]", "control[3]"]);
    let writes = ["return", "control=[0]", "control=[1]", "control=[2]", "control=[3]"];
    assert_eq!(outputs, writes);
    covers_all(text);
}

#[test]
fn more_reads_than_have_values_are_a_bound() {
    let text = "static volatile int tick;
        int f(void) { int a = 0, b = 0; for (int i = 0; i < 6; i++) { b = a; a = tick; } return a != b; }";
    let settings = Settings { calls: 2, ..Settings::default() };
    let expected = vec!["at most 2 values of a volatile object per step".to_owned()];
    assert_eq!(refuted(text, settings), (0, expected));
    let settings = Settings { calls: 6, ..Settings::default() };
    covers_all_with(text, settings);
}

#[test]
fn what_no_value_of_a_volatile_object_shows_is_proved() {
    let text = "static volatile int tick; int f(void) { int t = tick; return t < 2 && t > 5; }";
    let (proved, bounds) = refuted(text, Settings::default());
    assert!(proved > 1, "{proved}");
    assert_eq!(bounds, Vec::<String>::new());
}

#[test]
fn volatile_objects_are_memory_where_a_person_says_so() {
    for volatile in [VolatileObjects::Memory, VolatileObjects::MemoryOf(["tick".to_owned()].into())]
    {
        let settings = Settings { volatile, ..Settings::default() };
        let (proved, bounds) = refuted(TICK, settings.clone());
        assert!(proved > 0 && bounds.is_empty(), "{proved} {bounds:?}");
        assert!(columns(&load(TICK, "f", settings)).0.is_empty());
    }
}

const UART: &str = "typedef struct { volatile unsigned SR, DR, BRR, CR1, CR2, CR3; } uart_t;
    #define UART ((uart_t *)0x40001000)
    int f(void) {
        while (!(UART->SR & 1)) {}
        unsigned d = UART->DR & 0xff;
        if (d == 'x') { UART->DR = 'y'; return 1; }
        return 0;
    }";

#[test]
fn a_register_is_waited_for_and_read() {
    let unit = load(UART, "f", Settings::default());
    let (inputs, outputs) = columns(&unit);
    assert_eq!(inputs.len(), 8, "{inputs:?}");
    assert_eq!(inputs[..2], ["0x40001000.SR[0]", "0x40001000.SR[1]"]);
    assert_eq!(inputs[4], "0x40001000.DR[0]");
    assert!(outputs.contains(&"0x40001000.DR=[0]".to_owned()), "{outputs:?}");
    covers_all(UART);
}

#[test]
fn fixed_addresses_are_memory() {
    for text in [
        "int f(void) { if (*(volatile unsigned *)0x40021000u == 3) return 1; return 0; }",
        "int f(void) { if (*(unsigned *)0x40021000u == 3) { *(unsigned *)0x40021000u = 4; return 1; } return 0; }",
        "#define DDRB (*(volatile unsigned char *)((0x04) + 0x20))
         #define PORTB (*(volatile unsigned char *)((0x05) + 0x20))
         int f(void) { DDRB |= 4; if (PORTB & 8) return 1; return 0; }",
        "typedef struct { volatile unsigned a; unsigned b[4]; } timer_t_;
         static timer_t_ *const timers[] = { (timer_t_ *)0x40000000, (timer_t_ *)0x40000400 };
         int f(unsigned i) { if (i > 1) return 0; timer_t_ *t = timers[i]; return t->a == 5 && t->b[2] == 6; }",
        "int f(void) { volatile unsigned *base = (volatile unsigned *)0x50000000; return base[2] == 1 && base[3] == 2; }",
    ] {
        covers_all(text);
    }
}

#[test]
fn a_range_holds_of_every_read_of_a_register() {
    let text = "int f(void) { if (*(volatile unsigned *)0x40021000u > 7) return 1; return 0; }";
    let (proved, bounds) = refuted(text, ranges(&[("0x40021000", 0, 7)]));
    assert!(proved > 0 && bounds.is_empty(), "{proved} {bounds:?}");
}

#[test]
fn allocations_may_fail() {
    for text in [
        "#include <stdlib.h>
         int f(void) { int *p = malloc(4); if (!p) return 1; *p = 1; int r = *p; free(p); return r; }",
        "#include <stdlib.h>
         int f(int n) { int *p = calloc(2, 4); if (!p) return 1; int *q = malloc(8);
            if (!q) { free(p); return 2; } int r = p[0] + n == 4; free(q); free(p); return r; }",
        "#include <stdlib.h>
         int f(int n) { char *p = malloc(4); if (!p) return 1; char *q = realloc(p, 8); if (!q) { free(p); return 2; } free(q); return 3; }",
        "#include <stdlib.h>
         static struct { void *(*allocate)(size_t); } hooks = { malloc };
         int f(void) { char *p = hooks.allocate(4); if (!p) return 1; free(p); return 2; }",
    ] {
        covers_all(text);
    }
}

#[test]
fn allocations_succeed_where_a_person_says_so() {
    let text = "#include <stdlib.h>
        int f(void) { int *p = malloc(4); if (!p) return 1; free(p); return 0; }";
    let settings = Settings { allocation: Allocation::Succeeds, ..Settings::default() };
    let (proved, bounds) = refuted(text, settings);
    assert!(proved > 0 && bounds.is_empty(), "{proved} {bounds:?}");
}

#[test]
fn more_allocations_than_inputs_say_of_are_a_bound() {
    let text = "#include <stdlib.h>
        int f(void) { int *p = malloc(4); if (p) free(p); int *q = malloc(4); if (!p != !q) return 1; if (q) free(q); return 0; }";
    let settings = Settings { calls: 1, ..Settings::default() };
    let (proved, bounds) = refuted(text, settings);
    assert_eq!((proved, bounds), (0, vec!["no allocation that fails".to_owned()]));
}

#[test]
fn what_functions_outside_write_is_an_input_of_each_call() {
    let text = "int read_sensor(int *out); int limit;
        int f(void) { int v = 0; if (read_sensor(&v) == 0 && v > limit) return 1; return v < 0; }";
    let unit = load(text, "f", Settings { elements: 2, calls: 1, ..Settings::default() });
    let (inputs, _) = columns(&unit);
    assert_eq!(
        inputs,
        [
            "limit",
            "read_sensor()[0]",
            "read_sensor()[0]: *out",
            "read_sensor()[0]: out[1]",
            "read_sensor()[0]: limit"
        ]
    );
    covers_all(text);
}

#[test]
fn functions_outside_write_what_they_reach() {
    for text in [
        "long receive(char *to, unsigned long n);
         int f(void) { char b[4] = {0}; receive(b, 4); return b[0] == 'O' && b[3] == 'K'; }",
        "void fill(void *to, int n);
         int f(void) { short b[2] = {0}; fill(b, 4); return b[1] == 300; }",
        "int flag; void poll(void); int f(void) { flag = 0; poll(); if (flag == 7) return 1; return 0; }",
        "struct m { unsigned a : 3, b : 5; int n; }; void get(struct m *to);
         int f(void) { struct m m = {1, 2, 3}; get(&m); return m.a == 5 && m.b == 9 && m.n == 70; }",
        "struct m { int n; }; int get(struct m **to);
         int f(void) { struct m *m = 0; if (get(&m) || !m) return 0; return m->n == 70; }",
        "struct r { int *out; }; void get(const struct r *r);
         int f(void) { int v = 0; struct r r = { &v }; get(&r); return v == 70; }",
        "void get(int *to); int f(void) { int a = 0, b = 0; get(&a); get(&b); return a == 3 && b == 4; }",
    ] {
        covers_all(text);
    }
}

#[test]
fn what_is_written_beyond_an_object_is_not_written() {
    // Of the eight elements that a pointer may lead to, one is there.
    let text = "void get(int *to); int f(void) { int a = 1, b = 2; get(&a); get(0); return a == 3 && b == 2; }";
    let unit = load(text, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    let outcome = run(&request(&unit, &interface, &[MCDC]));
    replay(&unit, &outcome);
}

#[test]
fn pointers_to_functions_lead_to_stubs_of_their_own() {
    for text in [
        "int f(int (*g)(int)) { if (g && g(3) == 4) return 1; return 0; }",
        "struct ops { int (*get)(int *out); };
         int f(const struct ops *o) { int v = 1; if (!o || !o->get || o->get(&v)) return 0; return v == 9; }",
        "int (*table[3])(int); int f(unsigned char i) { if (i > 2 || !table[i]) return 0; return table[i](i) > 5; }",
        "typedef int (*reader)(void); reader find(int key); int f(int key) { reader r = find(key); return r && r() == 7; }",
        "int f(double (*g)(float, short), short s) { return g && g(1.5f, s) > 2.5 && s == 3; }",
        "struct p { int x, y; }; int f(struct p (*g)(struct p)) { struct p p = {1, 2}; if (!g) return 0; p = g(p); return p.x == 4 && p.y == 5; }",
        "int f(int (*a)(void), int (*b)(void)) { return a && b && a() == 1 && b() == 2; }",
    ] {
        covers_all(text);
    }
}

#[test]
fn a_stub_behind_a_pointer_is_a_function_like_any_other() {
    let text = "int f(int (*next)(int *to)) { int v = 0; return next && next(&v) && v == 3; }";
    let unit = load(text, "f", Settings { elements: 1, calls: 1, ..Settings::default() });
    let (inputs, outputs) = columns(&unit);
    assert_eq!(inputs, ["next", "next()[0]", "next()[0]: *argument1"]);
    assert_eq!(outputs, ["return", "next(1)[0]"]);
}

#[test]
fn what_callbacks_cannot_change_is_proved() {
    let text = "int f(int (*g)(void), int a) { int y = g ? g() : 0; if (a < 2 && a > 5) return 1; return y; }";
    let (proved, bounds) = refuted(text, Settings::default());
    assert!(proved > 1 && bounds.is_empty(), "{proved} {bounds:?}");
}

#[test]
fn functions_outside_call_what_they_are_given() {
    for text in [
        "void each(void (*)(int, void *), void *);
         static void add(int x, void *to) { if (x > 3) *(int *)to += x; }
         int f(void) { int n = 0; each(add, &n); if (n == 9) return 1; return 0; }",
        "struct h { void (*on)(int); }; void attach(struct h *); static int got; static void on(int x) { got = x; }
         int f(void) { struct h h = { on }; got = 0; attach(&h); if (got == 3) return 1; return 0; }",
        "void each(void (*)(void)); static int n; static void count(void) { n++; }
         int f(void) { n = 0; each(count); if (n == 3) return 1; return 0; }",
    ] {
        covers_all(text);
    }
}

#[test]
fn a_weak_function_may_be_absent_or_another() {
    for text in [
        "__attribute__((weak)) int hook(void); int f(void) { if (hook) return hook() > 3; return 0; }",
        "extern int cfg __attribute__((weak)); int f(void) { if (&cfg) return cfg > 3; return 0; }",
        "extern struct { int a, b; } cfg __attribute__((weak)); int f(void) { if (!&cfg) return 0; return cfg.b > 3; }",
        "__attribute__((weak)) int level(int c) { return c & 1; } int f(int a) { return level(a) == 7 && a > 3; }",
        "int hook(void);\n#pragma weak hook\nint f(void) { if (hook) return hook() > 3; return 0; }",
        "int hook(void);\n#pragma weak hook\nint f(void) { if (!hook) return 2; return hook() > 3; }",
        // A second name is weak, as handlers of interrupts are.
        "int n; static void nothing(void) { } void on_rx(void) __attribute__((weak, alias(\"nothing\"))); int f(void) { n = 0; on_rx(); return n == 3; }",
        // Initialisers have their addresses: of constants, of variables.
        "__attribute__((weak)) int w(int x) { return x; } int (*const table[])(int) = { w }; int f(unsigned char x) { if (table[0](x) == x + 1) return 1; return 0; }",
        "int w(int) __attribute__((weak)); static int (*table[2])(int) = { w }; int f(unsigned char x) { if (!table[0]) return 2; if (table[0](x) == x + 1) return 1; return 0; }",
        "struct handler { int id; int (*on)(int); }; __attribute__((weak)) int w(int x) { return x; } static const struct handler all[] = { { 1, 0 }, { 2, w } }; int f(unsigned char x) { for (int i = 0; i < 2; i++) if (all[i].on && all[i].on(x) == x + 1) return 1; return 0; }",
        "extern int o __attribute__((weak)); static int *p = &o; int f(void) { if (p) return 1; return 0; }",
        "extern int o __attribute__((weak)); static int *const table[1] = { &o }; int f(int x) { if (table[0] && *table[0] == x) return 1; return 0; }",
    ] {
        covers_all(text);
    }
}

#[test]
fn a_weak_function_stays_as_it_is_linked() {
    let text = "__attribute__((weak)) void hook(void); static int seen;
        int f(void) { if (hook) { seen = 1; return 0; } if (seen) return 1; return 2; }";
    let (proved, bounds) = refuted(text, Settings::default());
    assert!(proved > 0 && bounds.is_empty(), "{proved} {bounds:?}");
}

#[test]
fn a_contract_rules_other_writes_out_and_is_an_assumption() {
    let text = "int flag, mode; void poll(int *to);
        int f(void) { int v = 0; flag = 0; mode = 0; poll(&v); if (v) return 1; if (flag) return 2; return mode; }";
    let writes = |names: &[&str]| StubContract {
        writes: names.iter().map(|one| (*one).to_owned()).collect(),
    };
    for (names, expected) in
        [(&[] as &[&str], 4), (&["to"], 2), (&["flag"], 2), (&["to", "flag"], 0)]
    {
        let stubs = BTreeMap::from([("poll".to_owned(), writes(names))]);
        let settings = Settings { stubs, ..Settings::default() };
        let (proved, bounds) = refuted(text, settings);
        // Of each condition that cannot be true: the condition, and the return behind it.
        assert_eq!(proved, expected, "{names:?} {bounds:?}");
        assert!(bounds.is_empty(), "{bounds:?}");
    }
}

#[test]
fn facts_of_posix_hold_where_the_system_declares_the_function() {
    let body = "int flag; int f(int fd) {
        char b[4] = {0}; flag = 0; long n = read(fd, b, 4); write(fd, b, 4); if (flag) return 1; return n > 0 && b[0] == 3; }";
    let (proved, bounds) = refuted(&format!("#include <unistd.h>\n{body}"), Settings::default());
    assert!(proved > 0 && bounds.is_empty(), "{proved} {bounds:?}");
    let own =
        "long read(int, void *, unsigned long); long write(int, const void *, unsigned long);";
    let (proved, _) = refuted(&format!("{own}\n{body}"), Settings::default());
    assert_eq!(proved, 0, "another function of that name may do anything");
}

#[test]
fn tasks_that_never_return_are_covered_by_tests_that_are_stopped() {
    covers_all(
        "int poll(void); int mode; void f(void) { for (;;) { int b = poll(); if (b && mode < 3) mode++; else if (mode > 0) mode--; } }",
    );
    covers_all("int poll(void); void f(int n) { if (n > 3) while (1) if (poll() == 7) n = 0; }");
}

#[test]
fn nothing_is_proved_behind_what_only_the_machine_knows() {
    let texts = [
        // Code at a fixed address: of a boot loader, or in read-only memory.
        "typedef int (*rom)(int); int f(int k) { if (((rom)0x10000000)(k) == 3) return 1; return 2; }",
        "typedef int (*rom)(int); int f(int k) { if (((rom)0x8000)(k) == 3) return 1; return 2; }",
        "typedef int (*rom)(int); static const rom table[2] = { (rom)0x1fff1ff1, 0 }; int f(int k) { if (k != 1) return 0; if (table[0](k)) return 1; return 2; }",
        "typedef void (*rom)(void); static unsigned long entry = 0x8000; int f(void) { ((rom)entry)(); return 2; }",
        // A parameter that no test can give.
        "int f(int __attribute__((address_space(1))) *p) { if (p) return 1; return 0; }",
        // A call whose arguments are not followed: nothing is known of the callee then.
        "static int g(int __attribute__((address_space(1))) *p, int n) { if (n > 3) return 1; return 0; } int f(int n) { return g((void *)0, n); }",
        // Functions that fit a call, but not the type of the pointer: only their callers know them.
        "typedef void (*generic)(void); int f(generic p) { if (p) { int r = ((int (*)(int))p)(3); if (r == 4) return 1; return 2; } return 0; }",
        "typedef int (*narrow)(int); int f(narrow p) { if (!p) return 0; if (((long (*)(long))p)(3) > 1L << 40) return 1; return 2; }",
        "typedef void *(*start)(void *); int f(start p) { if (!p) return 0; if (((int (*)(int *))p)(0) == 7) return 1; return 2; }",
        "typedef int (*open)(); int f(open p) { if (!p) return 0; if (((long (*)(int))p)(3) > 1L << 40) return 1; return 2; }",
        "typedef void (*generic)(void); generic find(int); int f(void) { if (((int (*)(int))find(1))(3) == 4) return 1; return 2; }",
        "typedef void (*generic)(void); struct entry { int kind; generic on; }; int f(struct entry *all) { if (all[0].kind == 1) { if (((int (*)(int))all[0].on)(3) == 4) return 1; } return 2; }",
        // Jumps that are not followed.
        "int f(unsigned _BitInt(100) n) { switch (n) { case 1: return 1; case 2: return 2; default: return 0; } }",
        "int f(int a) { asm goto(\"jmp %l0\" : : : : out); if (a) return 1; return 2; out: return 3; }",
        // What the processor can do, and how it rounds.
        "int f(int a) { if (__builtin_cpu_supports(\"avx512fp16\")) return 1; return 0; }",
        "int fesetround(int); int f(double a, double b) { fesetround(0x800); double c = a + b; fesetround(0x400); if (c > a + b) return 1; return 0; }",
        // What only the linker knows.
        "typedef int calls(int); static calls other __attribute__((weakref(\"elsewhere\"))); int f(int x) { if (other && other(x) == 4) return 1; return 0; }",
        "static const int usual = 5; extern const int limit __attribute__((weak, alias(\"usual\"))); int f(int x) { if (x > limit && x == 5) return 1; return 0; }",
        // A trap that a debugger goes on behind, and a value that may be anything.
        "int f(int a) { if (a == 7) __builtin_debugtrap(); if (a == 7) return 1; return 0; }",
        "int f(int a) { int x = __builtin_nondeterministic_value(a); if (x == 5) return 1; return 0; }",
    ];
    for text in texts {
        println!("{text}");
        let unit = load(text, "f", Settings::default());
        let interface = unit.interface("f").expect("an interface");
        let outcome = run(&request(&unit, &interface, &[MCDC]));
        let ledger = &outcome.ledger;
        for index in 0..ledger.len() {
            let is_refuted = matches!(ledger.standing(index), Standing::Refuted(_));
            assert!(!is_refuted, "{text}: {:?} of {:?}", ledger.demand(index), ledger.events());
        }
    }
}
