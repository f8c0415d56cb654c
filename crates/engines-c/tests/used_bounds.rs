//! Bounds that are named are those that matter: what no path touches is none, and what is named is what lifts it.

mod support;

use support::refuted_of;

#[test]
fn what_no_path_touches_is_no_bound() {
    let text = "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int f(int n) { if (n > 12 || n < 0) return -1; if (fib(n) == 54) return 2; return 0; }";
    let found = refuted_of(text, 1);
    let of_surroundings = ["allocation", "output", "locale", "volatile"];
    let named = |bound: &String| of_surroundings.iter().any(|word| bound.contains(word));
    assert!(!found.bounds.iter().any(named), "{:?}", found.bounds);
}

#[test]
fn assigning_a_static_structure_lets_nobody_else_change_it() {
    let text = "struct s { int a; short b[3]; struct { char c; } d; }; static struct s x, y;
        int f(int k) { if (k == 1) x.a = 4; if (k == 2) y = x; if (k == 3) x.b[1] = y.a;
            if (y.d.c) return 2; return 0; }";
    let found = refuted_of(text, 3);
    assert!(found.proved > 0 && found.bounds.is_empty(), "{:?}", found.bounds);
}

#[test]
fn a_string_that_ends_too_early_is_a_matter_of_elements() {
    let text = "int atoi(const char *);
        int f(const char *s) { if (s && atoi(s) >= 1000000000) return 1; return 0; }";
    let found = refuted_of(text, 1);
    let elements = "at most 8 elements behind a pointer";
    assert!(found.bounds.iter().any(|one| one == elements), "{:?}", found.bounds);
}

#[test]
fn elements_of_volatile_arrays_beyond_the_inputs_are_a_matter_of_cells() {
    let text = "volatile unsigned char st[300];
        int f(int i) { if (i < 280 || i >= 300) return 0; if (st[i] == 7) return 2; return 3; }";
    let found = refuted_of(text, 1);
    let cells = "cells of an array as inputs";
    assert!(found.bounds.iter().any(|one| one.ends_with(cells)), "{:?}", found.bounds);
    assert!(!found.bounds.iter().any(|one| one.contains("only the unit")), "{:?}", found.bounds);
}

#[test]
fn small_numbers_in_an_initialiser_do_not_give_its_address_away() {
    let text = "struct q { int h, t; int b[3]; }; static struct q Q = { 0, 0, { 1, 2, 3 } };
        int f(int op) { if (op) Q.h = (Q.h + 1) % 3; if (Q.t) return 3; return 0; }";
    let found = refuted_of(text, 3);
    let by_others = |bound: &String| bound.contains("no other function changes");
    assert!(!found.bounds.iter().any(by_others), "{:?}", found.bounds);
}
