// Control flow: loops, recursion, switches, nested decisions, variadic functions, undefined behaviour on the way.

//// loop_of_sixty: sound
int f(unsigned char k) {
    int n = 0;
    for (int i = 0; D(i < 60); i++) if (D(C(i == 50) && C(k == 3))) @n = 1;
    return D(n == 1);
}
//// driver
void step(void) { f(PICK(0, 3)); }

//// loop_to_a_parameter: sound
int f(unsigned char n) {
    int sum = 0;
    for (int i = 0; D(i < n); i++) @sum += 2;
    if (D(sum == 200)) return 1;
    return D((sum & 1) == 1);
}
//// driver
void step(void) { f(trust_choose(256)); }

//// loop_over_many: sound
int f(unsigned n) {
    unsigned i = 0;
    while (D(i < n)) @i++;
    return D(C(i == 1000) || C(i > n));
}
//// driver
void step(void) { f(PICK(0, 1, 1000)); }

//// recursion: sound
static int depth(int n) { return D(n <= 0) ? 0 : 1 + depth(n - 1); }
int f(unsigned char n) { return D(C(depth(n) == 70) || C(depth(n) < 0)); }
//// driver
void step(void) { f(PICK(0, 1, 70, 255)); }

//// mutual_recursion: sound
static int odd(unsigned n);
static int even(unsigned n) { if (D(n == 0)) return 1; return odd(n - 1); }
static int odd(unsigned n) { if (D(n == 0)) return 0; return even(n - 1); }
int f(unsigned char n) { return D(C(even(n)) && C(odd(n))); }
//// driver
void step(void) { f(trust_choose(256)); }

//// recursion_inside_a_condition: exact
static int g(int n) { return D(C(n > 0) && C(g(n - 1) == 0)); }
int f(unsigned char n) { return g(n & 3); }
//// driver
void step(void) { f(trust_choose(4)); }

//// contradiction: exact
int f(signed char a) {
    if (D(C(a > 5) && C(a < 3))) return 1;
    if (D(C(a > 5) || C(a < 6))) return 2;
    return 3;
}
//// driver
void step(void) { f((int)trust_choose(256) - 128); }

//// coupled_conditions: exact
int f(_Bool a, _Bool b, _Bool c) { return D((C(a) && C(b)) || (!C(a) && C(c)) || (C(b) && C(c))); }
//// driver
void step(void) { _Bool a = trust_choose(2), b = trust_choose(2); f(a, b, trust_choose(2)); }

//// nested_decision: exact
int f(_Bool a, _Bool b, _Bool c) { return D(C(a) && C((D(C(b) || C(c)) ? 1 : 2) == 2)); }
//// driver
void step(void) { _Bool a = trust_choose(2), b = trust_choose(2); f(a, b, trust_choose(2)); }

//// switch_with_fall_through: exact
int f(unsigned char x) {
    int n = 0;
    switch (W(x & 7)) {
    case 0: @n = 1;
    case 1: @n += 2; break;
    case 5: @n = 9;
    case 9: @n = 10; break;
    default: @n = 4;
    }
    return D(C(n == 3) || C(n == 1) || C(n == 10));
}
//// driver
void step(void) { f(trust_choose(8)); }

//// goto_out_of_loops: exact
int f(unsigned char a) {
    int i, j;
    for (i = 0; D(i < 3); i++)
        for (j = 0; D(j < 3); j++)
            if (D(i * 3 + j == (a & 15))) goto found;
    return -1;
found:
    return D(C(i == 2) && C(j == 3));
}
//// driver
void step(void) { f(trust_choose(16)); }

//// do_while: exact
int f(unsigned char a) {
    int n = 0;
    do { @n++; } while (D(C(n < 3) && C(a & 1)));
    return D(n == 2);
}
//// driver
void step(void) { f(trust_choose(2)); }

//// behind_undefined_behaviour: exact
int f(const int *p) {
    int v = *p;
    if (D(p == 0)) return 1;
    return D(C(v == 3) && C(v != 3));
}
//// driver
void step(void) { int v = PICK(0, 3); f(trust_choose(2) ? &v : 0); }

//// behind_a_failed_assertion: exact
#include <assert.h>
int f(signed char a) {
    assert(D(a > 0));
    return D(a < 0);
}
//// driver
void step(void) { f((int)trust_choose(256) - 128); }

//// behind_an_exit: exact
#include <stdlib.h>
int f(signed char a) {
    if (D(a > 0)) abort();
    return D(a == 5);
}
//// driver
void step(void) { f((int)trust_choose(256) - 128); }

//// behind_an_endless_loop: sound
int f(_Bool a) {
    while (D(a)) { }
    return D(C(a) || C(a));
}
//// driver
void step(void) { f(PICK(0, 1)); }

//// variadic: sound
#include <stdarg.h>
int f(int n, ...) {
    va_list list;
    int s = 0;
    va_start(list, n);
    for (int i = 0; D(i < (n & 3)); i++) @s += va_arg(list, int);
    va_end(list);
    return D(s > 10);
}
//// driver
void step(void) { f(PICK(0, 1, 2), PICK(0, 11), 0); }

//// long_jump: sound
#include <setjmp.h>
static jmp_buf out;
static void fail(int k) { if (D(k == 2)) longjmp(out, 5); }
int f(unsigned char k) {
    if (D(setjmp(out) == 5)) return 1;
    fail(k);
    return D(k == 2);
}
//// driver
void step(void) { f(PICK(0, 2)); }

//// helper_with_a_narrower_domain: exact
// The helper is only called with 0, 1 and 2.
static int pick(int k) {
    if (D(k == 3)) return 9;
    return D(C(k >= 0) && C(k < 3));
}
int f(unsigned char a) { return pick(a % 3); }
//// driver
void step(void) { f(trust_choose(256)); }

//// constant_conditions: exact
int f(_Bool a) { return (D(C(sizeof(int) == 4) && C(a))) + (D(C(0) || C(a))); }
//// driver
void step(void) { f(trust_choose(2)); }

//// modulus: exact
int f(int a) { return D(C(a % 3 == 2) && C(a % 3 == -2)); }
//// driver
void step(void) { f(PICK(-2, -1, 0, 1, 2)); }

//// large_switch_on_a_character: covered
int f(char c) {
    switch (W(c)) {
    case 97: return 1;
    case 98: return 2;
    case -1: return 3;
    case 128: return 4;
    default: return 0;
    }
}
//// driver
void step(void) { f((int)trust_choose(256) - 128); }

//// computed_twice: exact
int f(unsigned char a) {
    unsigned char h = a * 17 + 3;
    if (D(C(h == 20) && C(a != 1))) return 1;
    return D((h ^ a) == 256);
}
//// driver
void step(void) { f(trust_choose(256)); }

//// lengths_of_arrays: exact
int f(int b) {
    typedef int pair[D(C(b > 0) && C(b < 4)) ? 2 : 3];
    return sizeof(pair) + sizeof(char[D(b > 2) ? 1 : 5]);
}
//// driver
void step(void) { f(PICK(-1, 0, 1, 2, 3, 4, 5)); }
