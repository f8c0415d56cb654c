//! What refutations claim: which bounds each uses, and that one without bounds holds for every caller and every number of calls.

mod support;

use std::collections::BTreeSet;

use obligato_c_unit::Settings;
use obligato_c_unit::settings::State;
use obligato_model::Bound;
use support::{MCDC, Refuted, load, refuted_of, request, run, tally};

/// A loop with more iterations than the unwinding bound.
const LOOP: &str = "for (unsigned i = 0; i < n; i++) s = s * 31 + (i ^ s);";

#[test]
fn goals_before_a_cut_are_proved_uncoverable() {
    let text = format!(
        "unsigned f(int a, unsigned n) {{ unsigned s = 1; if (a < 2 && a > 5) return 0; {LOOP} return s; }}"
    );
    assert!(refuted_of(&text, 1).proved > 1, "neither condition is ever shown to be true");
}

#[test]
fn goals_behind_the_unwinding_bound_are_refuted_within_it() {
    let behind = format!(
        "unsigned f(int a, unsigned n) {{ unsigned s = 1; {LOOP} if (a < 2 && a > 5) return 0; return s; }}"
    );
    let in_callee = format!(
        "static unsigned g(unsigned n) {{ unsigned s = 1; {LOOP} return s; }}
         unsigned f(int a, unsigned n) {{ unsigned s = g(n); if (a < 2 && a > 5) return 0; return s; }}"
    );
    for text in [behind, in_callee] {
        let found = refuted_of(&text, 1);
        assert_eq!(found.proved, 0, "{text}");
        assert_eq!(found.bounds, BTreeSet::from([Bound::Unwinding(40).to_string()]), "{text}");
    }
}

#[test]
fn goals_in_the_block_of_a_call_lie_behind_the_cuts_in_its_callee() {
    let text = format!(
        "static unsigned g(unsigned n) {{ unsigned s = 1; {LOOP} return s; }}
         unsigned f(unsigned n) {{ unsigned s = g(n); if (s == 77) return 0; return s; }}"
    );
    assert_eq!(refuted_of(&text, 1).proved, 0);
}

#[test]
fn callbacks_lie_behind_the_cut_at_the_call() {
    let text = "#include <stdlib.h>
    static int order(const void *a, const void *b) {
        const int *x = a, *y = b;
        return *x > 3 && *y > 3 ? -1 : 1;
    }
    int f(int *v) { if (!v) return 1; qsort(v, 3, sizeof *v, order); return v[0]; }";
    assert_eq!(refuted_of(text, 1), Refuted::default());
}

/// Functions with one condition that no test within a bound shows, and the bound.
const BOUNDED: &[(&str, &str)] = &[
    (
        "int f(int *p) { if (p && p[9] == 4) return 1; return 0; }",
        "elements behind a pointer at most 8",
    ),
    (
        "struct s { int a; }; int f(struct s *p) { if (p && p[1].a == 4) return 1; return 0; }",
        "structures behind a pointer at most 1",
    ),
    (
        "struct s { struct s *next; };
         int f(struct s *p) { return p && p->next && p->next->next && p->next->next->next; }",
        "pointer depth at most 3",
    ),
    (
        "int f(int (*g)(void), int (*h)(void)) { if (g && g == h) return 1; return 0; }",
        "function pointers to the unit's own functions",
    ),
    (
        "int f(int *p, int *q) { if (!p || !q) return 0; *p = 1; *q = 2; return *p == 2; }",
        "no aliasing",
    ),
    (
        "int f(int *p) { if (p && ((unsigned long)p & 3) == 1) return 1; return 0; }",
        "the executor's layout of addresses",
    ),
    (
        "int f(void) { volatile int guard = 1; if (guard != 1) return 1; return 0; }",
        "plain memory for volatile '*'",
    ),
    (
        "int g(int *out); int f(void) { int v[12] = {0}; g(v); if (v[11] > 5) return 1; return 0; }",
        "no effects of 'g'",
    ),
    (
        "void out(void); int f(int *p) { if (!p) return 0; *p = 1; out(); if (*p == 2) return 1; return 0; }",
        "no effects of 'out'",
    ),
    (
        "void each(void (*)(void)); static int n; static void visit(void) { n++; }
         int f(void) { n = 0; each(visit); if (n == 5) return 1; return 0; }",
        "no effects of 'each'",
    ),
    (
        "int g(void); int f(void) { int a = 0, b = 0; for (int i = 0; i < 6; i++) { b = a; a = g(); } return a != b; }",
        "results of a stub per step at most 4",
    ),
    (
        "int f(int c) { int x; if (c) x = 1; if (x == 7) return 1; return 0; }",
        "zero for memory that nothing has written",
    ),
    (
        "struct s { int a[400]; }; int f(struct s *p) { if (p && p->a[300]) return 1; return 0; }",
        "array cells at most 256",
    ),
    (
        "int putchar(int); int f(int c) { if (putchar(c) == -1) return 1; return 0; }",
        "no output that fails",
    ),
    (
        "int isalpha(int); int f(unsigned char c) { if (isalpha(c) && c > 127) return 1; return 0; }",
        "the locale \"C\"",
    ),
    (
        "#include <ctype.h>\nint f(unsigned char c) { if (isspace(c) && c > 127) return 1; return 0; }",
        "the locale \"C\"",
    ),
    (
        "#include <ctype.h>\nint f(unsigned char c) { if (toupper(c) == 0xC4 && c == 0xE4) return 1; return 0; }",
        "the locale \"C\"",
    ),
    (
        "static int n; int f(int a) { if (n == 3) return 1; if (a == 5) n++; return 0; }",
        "steps at most 1",
    ),
    (
        "static int on; void start(void) { on = 1; } int f(int a) { return on && a > 3; }",
        "no other function changes 'on'",
    ),
];

/// Functions that read what somebody else defines or passes, and of which nothing may be proved.
const UNKNOWN: &[&str] = &[
    "enum flags { A = 1, B = 2 }; int f(enum flags x) { if (x & A && x & B) return 1; return 0; }",
    "enum e { A, B }; int f(enum e x) { switch (x) { case A: return 1; case B: return 2; default: return 3; } }",
    "extern const int limit; int f(signed char a) { if (a > 10 && a < limit) return 1; return 0; }",
    "extern const struct { int a, b; } cfg; int f(int x) { if (cfg.b == 7 && x > cfg.a) return 1; return 0; }",
    "extern unsigned char window[]; int f(unsigned short i) { if (window[i] == 200) return 1; if (i == 290 && window[290] == 3) return 2; return 0; }",
    "struct big { int a[16][16][16]; int b; }; int f(struct big *p, int n) { if (!p) return 0; if (n > 3) return 1; if (p->b == 2) return 2; return 0; }",
    "int scan(const char *how, ...); int f(void) { int v = 0; scan(\"%d\", &v); if (v == 3) return 1; return 0; }",
    "void fill(int *to); int f(void) { int v = 0; fill((int *)((unsigned long)&v & ~3UL)); if (v == 3) return 1; return 0; }",
    "union u { short s; long l; } g; int f(void) { if (g.l > 100000) return 1; return 0; }",
];

#[test]
fn what_others_define_or_pass_is_not_taken_for_its_default() {
    for text in UNKNOWN {
        let found = refuted_of(text, 1);
        assert_eq!(found.proved, 0, "{text}\n{:?}", found.bounds);
    }
}

#[test]
fn pointers_into_one_object_cover_what_compares_them() {
    for text in [
        "int f(int *p, int *q) { if (p && p == q) return 1; return 0; }",
        "int f(char *p, char *q) { if (p && q && p > q) return 1; if (p && q && p < q) return 2; return 0; }",
    ] {
        assert_eq!(refuted_of(text, 1), Refuted::default(), "{text}");
    }
}

#[test]
fn a_refutation_names_the_bound_that_it_uses_and_no_other() {
    for (text, bound) in BOUNDED {
        let found = refuted_of(text, 1);
        assert_eq!(found.bounds, BTreeSet::from([Bound::read(bound).to_string()]), "{text}");
        assert_eq!(found.proved, 0, "{text}");
    }
}

/// Functions that use where objects lie as numbers: the linker and callers decide that.
const PLACED: &[&str] = &[
    "static char c; int f(void) { if ((unsigned long)&c & 16) return 1; return 0; }",
    "int a[10]; int f(int x) { if ((unsigned)(unsigned long)a < 5u && x) return 1; return 0; }",
    "int a[10]; static const unsigned long at = (unsigned long)a; int f(void) { if (at & 16) return 1; return 0; }",
    "int a[10]; static const unsigned long at = (unsigned long)a; int f(void) { if (at == 4096) return 1; return 0; }",
    "int a[10]; static const unsigned long at = (unsigned long)a; int f(void) { if ((unsigned)at == 4096) return 1; return 0; }",
    "int a[10]; static const union { void *p; unsigned char b[8]; } u = { a }; int f(void) { if (u.b[1] == 3) return 1; return 0; }",
    "int f(char *p) { unsigned char b[8]; __builtin_memcpy(b, &p, 8); if (p && b[1] == 3) return 1; return 0; }",
    "int f(char *p) { if (p == (char *)-1) return 1; return 0; }",
    "int a[10]; int f(char *p) { if (((unsigned long)p ^ (unsigned long)a) == 3) return 1; return 0; }",
    "static char c; int a[10]; int f(void) { if (&c < (char *)a) return 1; return 0; }",
];

#[test]
fn where_objects_lie_is_named_when_it_decides() {
    for text in PLACED {
        let found = refuted_of(text, 1);
        assert_eq!(found.proved, 0, "{text}");
        let layout = BTreeSet::from([Bound::AddressLayout.to_string()]);
        assert_eq!(found.bounds, layout, "{text}");
    }
}

#[test]
fn pointers_into_one_object_have_a_difference_wherever_it_lies() {
    let text =
        "int a[10]; int f(unsigned i) { if (i > 9) return 0; int *p = a + i; return p - a > 9; }";
    let found = refuted_of(text, 1);
    assert!(found.proved > 0 && found.bounds.is_empty(), "{text}\n{:?}", found.bounds);
    let text = "int a[10]; int f(int *p) { if (p && p - a > 9) return 1; return 0; }";
    let found = refuted_of(text, 1);
    assert_eq!(found.bounds, BTreeSet::from([Bound::NoAliasing.to_string()]), "{text}");
    assert_eq!(found.proved, 0, "{text}");
}

/// Functions whose environment does what the executor's does not: other definitions, other libraries, other locales, handlers.
const OTHER_ENVIRONMENTS: &[&str] = &[
    "extern const struct { unsigned len; unsigned char data[]; } blob;
     int f(unsigned i) { if (i < blob.len && blob.data[i] == 0x55) return 1; return 0; }",
    "struct s { int n; int d[0]; }; extern struct { int a; struct s s; } tab; int f(void) { if (tab.s.d[2] == 5) return 1; return 0; }",
    "extern union { int a; struct { int n; short d[]; } s; } u; int f(void) { if (u.s.d[9] == 5) return 1; return 0; }",
    "int *__errno_location(void); int f(int *p) { *__errno_location() = 3; *p = 4; if (*__errno_location() == 4) return 1; return 0; }",
    "#include <errno.h>\nstatic int *e; void setup(void) { e = &errno; } int f(void) { if (e) { errno = 0; *e = 7; if (errno == 7) return 1; } return 0; }",
    "#include <errno.h>\n#include <stdio.h>\nint f(int x) { errno = 0; printf(\"%d\", x); if (errno) return 1; return 0; }",
    "#include <errno.h>\n#include <stdio.h>\nint f(int x) { errno = 0; putchar(x); if (errno) return 1; return 0; }",
    "#include <strings.h>\nint f(const char *a, const char *b) { int r = strncasecmp(a, b, 4); if (r > 1) return 1; if (r < -1) return 2; return 0; }",
    "#include <strings.h>\nint f(void) { if (strcasecmp(\"\\xe4\", \"\\xc4\") == 0) return 1; return 0; }",
    "#include <string.h>\nint f(void) { if (strcoll(\"a\", \"B\") < 0) return 1; return 0; }",
    "#include <ctype.h>\nint f(void) { if (toupper('i') != 'I') return 1; return 0; }",
    "#include <math.h>\nint f(double x, double y) { double m = fmin(x, y); if (x == 0 && y == 0 && signbit(y) && !signbit(x) && signbit(m)) return 1; return 0; }",
    "#include <math.h>\nint f(float x, float y) { float m = fminf(x, y); if (x == 0 && y == 0 && signbit(y) && !signbit(x) && signbit(m)) return 1; return 0; }",
    "#include <math.h>\nint f(double x, double y) { double m = fmax(x, y); if (x == 0 && y == 0 && signbit(x) && !signbit(y) && signbit(m)) return 1; return 0; }",
];

#[test]
fn other_environments_than_that_of_the_executor_are_not_excluded() {
    for text in OTHER_ENVIRONMENTS {
        let found = refuted_of(text, 1);
        assert_eq!(found.proved, 0, "{text}");
    }
}

/// Functions in which a write through a pointer that tests cannot set changes what a condition reads.
const CHANGED_THROUGH_POINTERS: &[&str] = &[
    "static int *cur; static int x; void set(void) { cur = &x; }
     int f(void) { if (!cur) return 0; x = 0; *cur = 5; if (x == 5) return 1; return 2; }",
    "int x; struct s { struct s *next; int *v; };
     int f(struct s *p) {
         if (!p || !p->next || !p->next->next || !p->next->next->next) return 0;
         x = 0; *p->next->next->next->v = 5; if (x == 5) return 1; return 2;
     }",
    "static long where; int x; void set(long to) { where = to; }
     int f(void) { x = 0; *(int *)where = 5; if (x == 5) return 1; return 2; }",
    "int f(int *p, int *q, int i) {
         if (!p || !q || i < 0) return 0; *q = 0; p[i] = 5; if (*q == 5) return 1; return 2;
     }",
];

#[test]
fn writes_beyond_a_bound_may_change_what_callers_know() {
    for text in CHANGED_THROUGH_POINTERS {
        let found = refuted_of(text, 1);
        assert_eq!(found.proved, 0, "{text}\n{:?}", found.bounds);
    }
}

/// Functions in which a library function reads or writes more than tests offer.
const BEHIND_THE_END: &[&str] = &[
    "unsigned long strlen(const char *); int f(const char *s) { return s && strlen(s) > 30 && s[31] == 'z'; }",
    "int strcmp(const char *, const char *);
     int f(const char *s) { return s && strcmp(s, \"a very long text, longer than eight\") == 0; }",
    "int memcmp(const void *, const void *, unsigned long);
     int f(const char *s) { return s && memcmp(s, \"a very long text, longer than eight\", 20) == 0; }",
    "char *strchr(const char *, int); int f(const char *s) { char *p = s ? strchr(s, 'x') : 0; return p && p - s > 20; }",
    "void *memcpy(void *, const void *, unsigned long);
     int f(const char *s, unsigned n) { char b[64] = {0}; if (!s || n > 63) return 0; memcpy(b, s, n); return b[40] == 3; }",
    "void *memset(void *, int, unsigned long);
     int f(char *s, unsigned n) { if (!s) return 0; memset(s, 7, n); return n > 20; }",
];

#[test]
fn library_functions_go_beyond_the_objects_of_tests() {
    for text in BEHIND_THE_END {
        let found = refuted_of(text, 1);
        assert_eq!(found.proved, 0, "{text}\n{:?}", found.bounds);
        assert!(!found.bounds.is_empty(), "{text}");
    }
}

#[test]
fn what_no_bound_has_to_do_with_is_proved() {
    // The same surroundings, and a contradiction that none of them can change.
    for text in [
        "int f(int *p, int a) { if (p && p[9] == 4) return 1; return a < 2 && a > 5; }",
        "int f(int *p, int *q, int a) { if (p && q) { *p = 1; *q = 2; } return a < 2 && a > 5; }",
        "int g(int *out); int f(int a) { int v = 0; g(&v); return a < 2 && a > 5; }",
        "static int n; int f(int a) { n++; if (n < 2 && n > 5) return 1; return a; }",
        "static volatile int tick; int f(int a) { int t = tick; return t < 2 && t > 5; }",
        "int f(int c) { int x; if (c) x = 1; return x < 2 && x > 5; }",
        "#include <ctype.h>\nint f(unsigned char c) { if (c < 128 && isalpha(c) && isdigit(c)) return 1; return isxdigit(c) && c == 'g'; }",
    ] {
        assert!(refuted_of(text, 1).proved > 1, "{text}");
    }
}

const SWITCHED: &str =
    "static int ready; static const int limit = 3; static int table[2] = { 4, 5 };
    void start(void) { ready = 1; }
    int f(int a) { return (ready && a > limit) ? table[0] : table[1]; }";

#[test]
fn static_variables_that_change_are_state_and_others_are_not() {
    let unit = load(SWITCHED, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    let names: Vec<&str> = interface.state.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["ready"], "neither what is constant nor what nobody writes");
}

#[test]
fn free_state_leaves_nothing_to_assume() {
    let settings = Settings { state: State::Free, ..Settings::default() };
    let unit = load(SWITCHED, "f", settings);
    let interface = unit.interface("f").expect("an interface");
    assert!(interface.state.is_empty(), "{:?}", interface.state);
    let (_, refuted, open) = tally(&run(&request(&unit, &interface, &[MCDC])));
    assert_eq!((refuted, open), (0, 0));
}
