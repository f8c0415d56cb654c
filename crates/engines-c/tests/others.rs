//! What others do between calls and behind a function's back: who may call its callees, who gets its addresses, what else programs are linked with.

mod support;

use obligato_c_unit::Settings;
use obligato_campaign::{Budget, Standing};
use obligato_criteria::plan;
use support::{MCDC, load, request, run};

/// How many obligations of `f` itself are refuted for every caller. Those of a function that it calls, or hands out, are about
/// runs that come through `f`.
fn proved_of(text: &str) -> usize {
    let unit = load(text, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    let mut request = request(&unit, &interface, &[MCDC]);
    request.budget = Budget::Work(3_000);
    let outcome = run(&request);
    let obligations = plan(unit.program(), &[MCDC]).obligations;
    let is_own = |index: &usize| obligations[*index].key.to_string().contains("#f/");
    let is_refuted =
        |index: &usize| matches!(outcome.ledger.standing(*index), Standing::Refuted(_));
    (0..outcome.ledger.len()).filter(is_own).filter(is_refuted).count()
}

/// Functions whose `return 1` others bring about, each in a way of its own. Every one was seen to return 1 as machine code.
const BROUGHT_ABOUT: &[&str] = &[
    // State that a function writes which others can call as well.
    "static int level; void set(int v) { level = v; }
     int f(int reset) { if (level == 5) return 1; if (reset) set(0); return 0; }",
    "static unsigned n; unsigned next(void) { return n++; }
     int f(void) { unsigned a = next(); next(); if (a & 1) return 1; return 0; }",
    "static void (*hook)(void); void set_hook(void (*h)(void)) { hook = h; }
     int f(int reset) { if (hook) return 1; if (reset) set_hook(0); return 0; }",
    // A callback whose address leaves the unit: in an object of the caller, in a global, as a result, in a table.
    "struct d { void (*cb)(int); }; static int got; static void on(int v) { got = v; }
     int f(struct d *d) { if (got == 5) return 1; d->cb = on; return 0; }",
    "extern void (*hook)(int); static int got; static void on(int v) { got = v; }
     int f(void) { if (got == 5) return 1; hook = on; return 0; }",
    "static int got; static void on(int v) { got = v; } static int (*which)(void);
     void (*g(int *r))(int) { *r = got == 5; if (got == 5) which = 0; return on; }
     int f(void) { int r; g(&r); if (r) return 1; return 0; }",
    "struct ops { void (*set)(int); }; static int got; static void set(int v) { got = v; }
     static const struct ops ops = { set }; const struct ops *last;
     int f(void) { if (got == 5) return 1; last = &ops; return 0; }",
    "struct ops { void (*set)(int); }; static int got; static void set(int v) { got = v; }
     static const struct ops ops = { set }; void *memcpy(void *, const void *, unsigned long);
     int f(struct ops *o) { if (got == 5) return 1; memcpy(o, &ops, sizeof ops); return 0; }",
    "struct ops { void (*set)(int); }; static int got; static void set(int v) { got = v; }
     static const struct ops ops = { set }; int f(struct ops *o) { if (got == 5) return 1; *o = ops; return 0; }",
    "static int got; static void set(int v) { got = v; } void *memcpy(void *, const void *, unsigned long);
     int f(void *o) { void (*h)(int) = set; if (got == 5) return 1; memcpy(o, &h, sizeof h); return 0; }",
    // An address that a function outside finds in memory, whatever type that has.
    "struct job { int *r; int n; }; void run(void *); int f(void) { int v = 0; struct job j = { &v, 1 }; run(&j); if (v == 3) return 1; return 0; }",
    "struct job { int *r; int n; }; void run(unsigned char *);
     int f(void) { int v = 0; struct job j = { &v, 1 }; run((unsigned char *)&j); if (v == 3) return 1; return 0; }",
    "struct dma { unsigned long a; }; void run(struct dma *);
     int f(void) { int v = 0; struct dma j = { (unsigned long)&v }; run(&j); if (v == 3) return 1; return 0; }",
    "union u { int *p; unsigned char b[8]; }; void run(union u *);
     int f(void) { int v = 0; union u j; j.p = &v; run(&j); if (v == 3) return 1; return 0; }",
    "void run(void *); int f(void) { int v = 0; int *p = &v; int **q = &p; run(&q); if (v == 3) return 1; return 0; }",
    "struct cbs { void (*f)(int); }; static int got; static void on(int v) { got = v; } void subscribe(void *);
     int f(void) { struct cbs s = { on }; subscribe(&s); if (got == 5) return 1; return 0; }",
    "struct cbs { void (*f)(int); }; static int got; static void on(int v) { got = v; } void subscribe(const void *);
     int f(void) { static const struct cbs s = { on }; subscribe(&s); if (got == 5) return 1; return 0; }",
    // A function that is declared without a list of parameters.
    "int rd(); int f(void) { int b[2] = {0}; if (rd(b, 2) < 0) return -1; if (b[1] > 4) return 1; return 0; }",
    "int rd(); int f(int n) { int b[2] = {0}; if (n) rd(n); rd(n, b); if (b[1] > 4) return 1; return 0; }",
    // Another definition wins when the program is linked.
    "__attribute__((weak)) const int limit = 5; int f(void) { if (limit > 10) return 1; return 0; }",
    "const int limit = 5;\n#pragma weak limit\nint f(void) { if (limit == 9) return 1; return 0; }",
    "__attribute__((weak)) const struct { int n; } cfg = { 1 }; int f(void) { if (cfg.n == 9) return 1; return 0; }",
    // A caller may give a function where a pointer to anything is wanted.
    "int f(void *p) { int (*h)(int) = (int (*)(int))p; if (h && h(1) == 5) return 1; return 0; }",
    "int f(void **s) { int (*h)(int); if (!s) return 0; h = (int (*)(int))s[0]; if (h && h(1) == 5) return 1; return 0; }",
    // Names that the assembler knows.
    "static int st __asm__(\"st_symbol\"); int f(int k) { if (st == 5) return 1; if (k == 5) st = 5; return 0; }",
    "extern int table[4] __asm__(\"table_symbol\"); int f(int k) { if (table[k & 3] == 7) return 1; return 0; }",
];

#[test]
fn what_others_bring_about_is_never_uncoverable() {
    for text in BROUGHT_ABOUT {
        assert_eq!(proved_of(text), 0, "{text}");
    }
}

/// Functions with something that others cannot change: a refutation of it holds for every caller.
const OUT_OF_REACH: &[&str] = &[
    "static unsigned char s; static void one(void) { s = 1; } static void (*const t[])(void) = { one };
     int f(int go) { if (go && s == 0) t[0](); if (s > 1) return 1; return 0; }",
    "static unsigned char s; static void one(void) { s = 1; } static void zero(void) { s = 0; } static void (*next)(void) = one;
     int f(int go) { if (go) { next(); next = next == one ? zero : one; } if (s > 1) return 1; return 0; }",
    "static unsigned char s; static void one(void) { s = 1; }
     int f(int go) { void (*h)(void) = go ? one : 0; if (h) h(); if (s > 1) return 1; return 0; }",
    "static int n; static void add(int v) { if (n < 9) n += v; } int f(int up) { if (up) add(1); if (n > 9) return 1; return 0; }",
];

#[test]
fn what_only_the_function_itself_reaches_is_proved() {
    for text in OUT_OF_REACH {
        assert!(proved_of(text) > 0, "{text}");
    }
}
