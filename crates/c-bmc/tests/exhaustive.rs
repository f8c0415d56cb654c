//! Small functions, all of whose tests can be run: an event is found if and only if some test shows it.

mod support;

use support::{check, ranges};

#[test]
fn branches_and_short_circuits() {
    let text = "int f(int a, int b, int c) {
        if (a > 2 && (b < 3 || c == a)) return 1;
        if (!(a == b) || c) return 2;
        return a > 5 ? 3 : 4;
    }";
    let (events, never) = check(text, ranges(&[("a", 0, 7), ("b", 0, 7), ("c", 0, 3)]), 1);
    assert!(events > 30 && never > 0, "{events} {never}");
}

#[test]
fn printing_changes_nothing_else() {
    let text = "#include <stdio.h>
    int f(int a, int b) {
        if (a > 3) printf(\"%d of %s\\n\", a, b ? \"some\" : \"none\");
        if (putchar(a) == 2 && a != 2) return 2;
        puts(b ? \"yes\" : \"no\");
        return putchar('x') == 'x' && a < b;
    }";
    let (_, never) = check(text, ranges(&[("a", 0, 7), ("b", 0, 1)]), 1);
    assert!(never > 0);
}

#[test]
fn coupled_conditions_are_proved() {
    let text = "int f(int a, int b) {
        if ((a > 3 && b) || (a > 3 && !b)) return 1;
        if (a < 2 && a > 5) return 2;
        return 0;
    }";
    let (_, never) = check(text, ranges(&[("a", 0, 7), ("b", 0, 1)]), 1);
    assert!(never > 0);
}

#[test]
fn loops_end_by_themselves() {
    let text = "int f(unsigned n, int k) {
        int sum = 0;
        for (unsigned i = 0; i < n; i++) { if (i == 3 && k) continue; sum += i; if (sum > 9) break; }
        while (sum > 4) { sum -= 3; if (sum == 5 || k > 1) return sum; }
        do { sum++; } while (sum < 3 && k != 2);
        return sum;
    }";
    check(text, ranges(&[("n", 0, 7), ("k", 0, 3)]), 1);
}

#[test]
fn nested_loops_with_exits() {
    let text = "int f(int n, int m) {
        int count = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                if (i == j && i > 1) goto out;
                if (i * j == 2) break;
                count += i ^ j;
            }
    out:
        return count > 3 || n == m;
    }";
    check(text, ranges(&[("n", 0, 4), ("m", 0, 4)]), 1);
}

#[test]
fn arrays_and_pointers() {
    let text = "static int table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
    int g(int *p, int n) { int best = p[0]; for (int i = 1; i < n; i++) if (p[i] > best) best = p[i]; return best; }
    int f(int i, int j, int v) {
        int local[4] = { 0 };
        local[i & 3] = v; local[j & 3] += 2;
        int *p = i > 3 ? &table[j] : local;
        if (p[1] > 4 && *p != 1) return 1;
        if (g(local, 4) == v) return 2;
        return table[i] == v ? 3 : 4;
    }";
    check(text, ranges(&[("i", 0, 8), ("j", 0, 7), ("v", 0, 6)]), 1);
}

#[test]
fn runtime_errors_end_paths() {
    let text = "int f(int a, int b) {
        int q = 10 / a;
        if (b > 3) { int t[2] = { 1, 2 }; q += t[b - 4]; }
        if (q == 5 || b == 6) return 1;
        return q << (b - 1);
    }";
    check(text, ranges(&[("a", 0, 7), ("b", 0, 7)]), 1);
}

#[test]
fn switches_enumerations_and_booleans() {
    let text = "enum mode { OFF, ON = 3, AUTO };
    int f(enum mode m, _Bool b, signed char c) {
        switch (m) { case OFF: if (b) return 1; break; case ON: case AUTO: b = !b; break; default: return 9; }
        switch (c) { case 1 ... 3: return 2; case -1: return 3; case 5: if (b && m == ON) return 4; }
        return b ? 5 : 6;
    }";
    check(text, ranges(&[("c", -3, 6), ("m", 0, 5)]), 1);
}

#[test]
fn state_over_steps() {
    let text = "static int state; static unsigned char count;
    int f(int input) {
        switch (state) {
        case 0: if (input == 1) state = 1; break;
        case 1: state = input == 2 ? 2 : 0; break;
        case 2: if (input == 3 && count > 1) state = 3; else count++; break;
        default: return 7;
        }
        return state == 3 || input > 2;
    }";
    check(text, ranges(&[("input", 0, 3)]), 5);
}

#[test]
fn pointers_that_may_be_null_and_functions_outside() {
    let text = "int sensor(int channel);
    int f(const unsigned char *p, int n) {
        if (!p || n < 0) return -1;
        if (n > 1 && p[1] == 2 && sensor(n) > p[0]) return 1;
        if (sensor(0) == 3) return 2;
        return 0;
    }";
    let mut settings = ranges(&[
        ("n", -1, 2),
        ("p[0]", 0, 2),
        ("p[1]", 1, 2),
        ("sensor()[0]", 0, 3),
        ("sensor()[1]", 2, 3),
    ]);
    settings.elements = 2;
    settings.calls = 2;
    check(text, settings, 1);
}

#[test]
fn structures_function_pointers_and_bit_fields() {
    let text = "struct s { unsigned a : 2; unsigned b : 3; int c; };
    typedef int (*op)(int, int);
    static int add(int x, int y) { return x + y; }
    static int sub(int x, int y) { return x - y; }
    static int apply(struct s v, op o) { v.c = o(v.a, v.b); return v.c; }
    int f(struct s *s, int k) {
        if (!s) return 0;
        op o = k ? add : sub;
        struct s copy = *s;
        copy.a++;
        if (apply(copy, o) == 3 && s->b > 2) return 1;
        return copy.a == 0 || s->c == k;
    }";
    let settings = ranges(&[("s->a", 0, 3), ("s->b", 0, 7), ("s->c", 0, 1), ("k", 0, 1)]);
    check(text, settings, 1);
}

#[test]
fn texts_and_blocks_of_memory() {
    let text = "#include <string.h>
    int f(char *s, int n) {
        char copy[8];
        if (!s) return 0;
        strcpy(copy, s);
        if (strlen(s) == 2 && strcmp(copy, \"ab\") > 0) return 1;
        memset(copy, 'b', n);
        if (memcmp(copy, s, 2) == 0) return 2;
        return strchr(s, 'c') != 0;
    }";
    let mut settings = ranges(&[("s[0]", 97, 99), ("s[1]", 96, 99), ("s[2]", 0, 1), ("n", 0, 3)]);
    settings.elements = 4;
    check(text, settings, 1);
}

#[test]
fn folded_conditions_and_full_circuits() {
    let text = "int f(int a, int b) {
        if (1 && a > 1) b++;
        if (a == 2 || 0) b--;
        if (sizeof(int) == 4 && b) return 1;
        return (a > 1) != (b > 2);
    }";
    check(text, ranges(&[("a", 0, 3), ("b", 0, 3)]), 1);
}

#[test]
fn characters_have_classes() {
    let text = "#include <ctype.h>
    int f(int c) {
        if (isdigit(c) || (isupper(c) && c != 'Q')) return 1;
        return toupper(c) == 'Z' || isspace(c);
    }";
    check(text, ranges(&[("c", 0, 127)]), 1);
}

#[test]
fn recursion_ends_by_itself() {
    let text = "static int g(int n, int k) { return n <= 0 || k == 9 ? k : g(n - 1, k + 1) + (n == 2 && k == 1); }
    int f(int n) { return g(n, 0) == 5 ? 1 : 0; }";
    check(text, ranges(&[("n", 0, 6)]), 1);
}
