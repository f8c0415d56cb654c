//! Functions so small that every test can be run: a campaign covers exactly what some test covers, and refutes the rest.

mod support;

use obligato_model::{Criterion, Observability};
use support::{MCDC, check, ranges};

const CRITERIA: [Criterion; 6] = [
    Criterion::Statement,
    Criterion::Branch,
    Criterion::Decision,
    Criterion::Condition,
    MCDC,
    Criterion::Bvc,
];

#[test]
fn short_circuits_and_choices() {
    let text = "int f(int a, int b, int c) {
        if (a > 2 && (b < 3 || c == a)) return 1;
        if (!(a == b) || c) return 2;
        return a > 5 ? 3 : 4;
    }";
    let settings = ranges(&[("a", 0, 7), ("b", 0, 7), ("c", 0, 3)]);
    let (covered, refuted) = check(text, settings, &CRITERIA);
    assert!(covered > 30 && refuted > 0, "{covered} {refuted}");
}

#[test]
fn coupled_conditions_are_refuted() {
    let text = "int f(int a, int b) {
        if ((a > 3 && b) || (a > 3 && !b)) return 1;
        if (a < 2 && a > 5) return 2;
        return 0;
    }";
    let (_, refuted) = check(text, ranges(&[("a", 0, 7), ("b", 0, 1)]), &CRITERIA);
    assert!(refuted > 3, "{refuted}");
}

#[test]
fn loops_switches_and_arrays() {
    let text = "static const int table[4] = { 3, 1, 4, 1 };
    int f(unsigned n, int k) {
        int sum = 0;
        for (unsigned i = 0; i < n; i++) { if (i == 3 && k) continue; sum += table[i & 3]; }
        switch (k) { case 0: sum++; case 1: sum += 2; break; case 5: return -1; default: sum = 0; }
        while (sum > 4) { sum -= 3; if (sum == 5 || k > 1) return sum; }
        return table[sum & 3] > 3 || sum == (k ^ 1);
    }";
    check(text, ranges(&[("n", 0, 6), ("k", 0, 6)]), &CRITERIA);
}

#[test]
fn boolean_operators_without_short_circuit() {
    let text = "#include <stdbool.h>
    bool f(bool a, bool b, bool c, int n) {
        bool x = (a ^ b) | (n > 2);
        return x & (c == (n != 3)) & !(a & c);
    }";
    check(text, ranges(&[("n", 0, 4)]), &CRITERIA);
}

#[test]
fn divisions_and_indices_with_runtime_errors() {
    let text = "int f(int a, int i) {
        int v[3] = { 1, 2, 0 };
        int x = 12 / v[i];
        if (x > 6 && a < i) return a;
        return x % (a - 2) == 1;
    }";
    check(text, ranges(&[("a", 0, 4), ("i", 0, 3)]), &[MCDC, Criterion::Branch]);
}

#[test]
fn exact_effects() {
    let text = "int f(int a, int b) {
        int r = 0;
        if (a > 2 && b < 3) r = 1;
        if (a == b) r = r * 0;
        return (a > 5 || b > 5) ? r : (a < 3) & 0;
    }";
    let exact = Criterion::Omcdc(Observability::Exact);
    let (covered, refuted) = check(text, ranges(&[("a", 0, 7), ("b", 0, 7)]), &[exact]);
    assert!(covered > 0 && refuted > 0, "{covered} {refuted}");
}
