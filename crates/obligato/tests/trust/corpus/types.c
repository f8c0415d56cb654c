// Types: enumerations, unions, bit-fields, floats, wide and narrow numbers.

//// enumeration_without_a_name: exact
enum colour { RED, GREEN = 4, BLUE };
int f(enum colour c) {
    switch (W(c)) {
    case 0: return 1;
    case 4: return 2;
    case 5: return 3;
    default: return -1;
    }
}
//// driver
void step(void) { f(PICK(0, 1, 4, 5, 77)); }

//// flags_joined: covered
enum flags { F_A = 1, F_B = 2 };
int f(enum flags x) { return D(C(x & F_A) && C(x & F_B)); }
//// driver
void step(void) { f(PICK(0, 1, 2, 3)); }

//// enumeration_below_zero: covered
enum level { LOW = -1, HIGH = 1 };
int f(enum level l) { return D(C(l < 0) && C(l != LOW)); }
//// driver
void step(void) { f(PICK(-2, -1, 0, 1)); }

//// unsigned_enumeration: exact
enum level { LOW, HIGH };
int f(enum level l) { return D(l < 0); }
//// driver
void step(void) { f(PICK(0, 1, 0x80000000)); }

//// enumeration_in_a_structure: covered
enum kind { A, B };
struct s { enum kind k; int v; };
int f(const struct s *s) { return D(C(s->k != A) && C(s->k != B)); }
//// driver
void step(void) { struct s s = { PICK(0, 1, 2), 0 }; f(&s); }

//// enumeration_in_a_bit_field: exact
enum mode { OFF, ON };
struct s { enum mode m : 2; unsigned rest : 6; };
int f(struct s s) { return D(C(s.m > ON) && C(s.m != 2) && C(s.m < 4)); }
//// driver
void step(void) { struct s s = { PICK(0, 1, 2, 3), 0 }; f(s); }

//// enumeration_that_indexes_a_table: covered
enum axis { X, Y, Z };
static const int gains[3] = { 5, 6, 7 };
int f(enum axis a) {
    if (D(C(a < X) || C(a > Z)))
        return -1;
    return gains[a];
}
//// driver
void step(void) { f(PICK(0, 1, 2, 3, 0xffffffff)); }

//// enumeration_as_state: covered
enum phase { IDLE = 3, RUN = 9 };
enum phase phase;
int f(void) {
    switch (W(phase)) {
    case 3: return 0;
    case 9: return 1;
    default: return -1;
    }
}
//// driver
void step(void) { phase = PICK(0, 3, 9); f(); }

//// result_of_a_stub_without_a_name: covered
enum colour { RED, GREEN };
enum colour ask(void);
int f(void) {
    enum colour c = ask();
    return D(C(c != RED) && C(c != GREEN));
}
//// driver
enum colour ask(void) { return PICK(0, 1, 2); }
void step(void) { f(); }

//// second_member_of_a_union: covered
union { short s; long l; } g;
int f(void) { return D(C(g.l > 100000) && C(g.s == 0)); }
//// driver
void step(void) { g.l = PICK(0, 1, 65536 * 2, 65536 * 2 + 1); f(); }

//// tagged_union: covered
struct value { unsigned char tag; union { int i; double d; char text[8]; } u; };
int f(const struct value *v) {
    switch (W(v->tag)) {
    case 0: return D(v->u.i > 5);
    case 1: return D(v->u.d > 0.5);
    case 2: return D(C(v->u.text[0] == 'x') && C(v->u.text[7] == 'y'));
    default: return -1;
    }
}
//// driver
void step(void) {
    struct value v = { PICK(0, 1, 2, 3) };
    switch (v.tag) {
    case 0: v.u.i = PICK(0, 6); break;
    case 1: v.u.d = PICK(0, 1); break;
    default: v.u.text[0] = PICK(0, 'x'); v.u.text[7] = PICK(0, 'y');
    }
    f(&v);
}

//// pointer_in_a_union: covered
struct value { unsigned char tag; union { long n; const unsigned char *text; } u; };
int f(const struct value *v) {
    if (D(v->tag == 0))
        return D(v->u.n == -3);
    return D(C(v->u.text != 0) && C(v->u.text[1] == 'x'));
}
//// driver
void step(void) {
    unsigned char text[8] = { 0, PICK(0, 'x') };
    struct value v = { PICK(0, 1) };
    if (v.tag == 0) v.u.n = PICK(0, -3);
    else v.u.text = PICK(0, 1) ? text : 0;
    f(&v);
}

//// two_pointers_in_a_union: covered
struct leaf { short a, b; };
struct value { int tag; union { const struct leaf *leaf; const unsigned char *text; } u; };
int f(struct value v) {
    if (D(C(v.tag < 0) || C(v.u.leaf == 0)))
        return -1;
    if (D(v.tag == 0))
        return D(C(v.u.leaf->a > 5) && C(v.u.leaf->b < 3));
    return D(C(v.u.text[0] == 9) && C(v.u.text[3] == 8));
}
//// driver
void step(void) {
    struct leaf leaf = { PICK(0, 6), PICK(0, 3) };
    unsigned char text[8] = { PICK(0, 9), 0, 0, PICK(0, 8) };
    struct value v = { PICK(-1, 0, 1) };
    v.u.leaf = 0;
    if (PICK(0, 1)) {
        if (v.tag == 0) v.u.leaf = &leaf;
        else v.u.text = text;
    }
    f(v);
}

//// structures_in_a_union: covered
union message {
    struct { unsigned char kind; unsigned short length; } head;
    struct { unsigned char kind; unsigned char flags; int value; } body;
};
int f(union message m) {
    switch (W(m.head.kind)) {
    case 1: return D(m.head.length > 1000);
    case 2: return D(C(m.body.flags & 4) && C(m.body.value < 0));
    default: return -1;
    }
}
//// driver
void step(void) {
    union message m = { .head = { PICK(0, 1, 2), 0 } };
    if (m.head.kind == 1) m.head.length = PICK(0, 1001);
    else { m.body.flags = PICK(0, 4); m.body.value = PICK(0, -1); }
    f(m);
}

//// union_reinterpreted: sound
union bits { float f; unsigned u; };
int f(unsigned u) {
    union bits b;
    b.u = u;
    return D(C(b.f != b.f) && C((u >> 31) == 1));
}
//// driver
void step(void) { f(PICK(0, 0x7fc00000, 0xffc00000, 0x80000000)); }

//// union_parameter: covered
union u { unsigned char c[4]; unsigned w; };
int f(union u x) { return D(C(x.c[3] == 1) && C(x.w > 0x01000000)); }
//// driver
void step(void) { union u x = { .w = PICK(0, 0x01000000, 0x01000001, 0x02000000) }; f(x); }

//// bit_fields: sound
struct b { unsigned a : 2; int s : 3; unsigned w : 1; };
int f(struct b *p) {
    if (D(C(p->a == 3) && C(p->s == -4))) return 1;
    if (D(p->s > 3)) return 2;
    @p->a = p->a + 1;
    return D(C(p->a == 0) && C(p->w));
}
//// driver
void step(void) { struct b x = { trust_choose(4), (int)trust_choose(8) - 4, trust_choose(2) }; f(&x); }

//// boolean_of_a_fraction: sound
int f(double d) {
    _Bool b = D(d);
    return D(C(b) && C(d < 0.5));
}
//// driver
void step(void) { f(PICK_DOUBLE(0.0, 0.3, 0.7)); }

//// bool_is_zero_or_one: exact
int f(_Bool b) { return D(C(b) && C(b > 1)); }
//// driver
void step(void) { f(trust_choose(2)); }

//// not_a_number: covered
int f(double a, double b) {
    if (D(a < b)) return 1;
    if (D(a >= b)) return 2;
    return D(C(a != a) && C(b == b));
}
//// driver
void step(void) { double n = __builtin_nan(""); double a = PICK_DOUBLE(0.0, 1.0, n); f(a, PICK_DOUBLE(0.0, 1.0, n)); }

//// float_sums: sound
int f(float x) { return D(C(x > 16777215.0f) && C(x + 1.0f == x)); }
//// driver
void step(void) { f(PICK_DOUBLE(0, 16777216.0, 16777218.0)); }

//// float_order_is_no_integer_order: exact
int f(signed char a, signed char b) {
    float x = a, y = b;
    return D(C(x < y) && C(a >= b));
}
//// driver
void step(void) { signed char a = PICK(-128, -1, 0, 1, 127); f(a, PICK(-128, -1, 0, 1, 127)); }

//// unsigned_wraps: covered
int f(unsigned a) { return D(C(a + 1 == 0) || C(a - 1 > a)); }
//// driver
void step(void) { f(PICK(0, 1, 0xffffffff)); }

//// signed_overflow_ends_the_run: exact
int f(int a) {
    int b = a + 1;
    return D(b < a);
}
//// driver
void step(void) { f(PICK(-0x7fffffff - 1, -1, 0, 1, 0x7fffffff)); }

//// minimum_has_no_absolute_value: exact
#include <stdlib.h>
int f(int a) { return D(abs(a) < 0); }
//// driver
// abs(INT_MIN) is undefined: nothing behind it counts.
void step(void) { f(PICK(-0x7fffffff, -1, 0, 1, 0x7fffffff)); }

//// left_shift_of_a_negative_value: exact
int f(signed char a) {
    int b = a << 1;
    return D(b < -200);
}
//// driver
// Undefined in C: nothing behind it counts.
void step(void) { f((int)trust_choose(256) - 128); }

//// shift_by_the_width: exact
int f(unsigned char n) {
    unsigned x = 1u << n;
    return D(C(n == 32) || C(x == 0));
}
//// driver
void step(void) { f(PICK(0, 1, 31, 32, 33)); }

//// division_by_zero_ends_the_run: exact
int f(signed char a, signed char b) {
    int q = a / b;
    return D(C(b == 0) || C(q > 100));
}
//// driver
void step(void) { signed char a = (int)trust_choose(256) - 128; f(a, (int)trust_choose(256) - 128); }

//// minimum_divided_by_minus_one: exact
int f(int a, int b) {
    if (D(C(b == -1) && C(a < -2147483647))) return a / b;
    return D(C(b != 0) && C(a % 2 == 2));
}
//// driver
void step(void) { int a = PICK(-0x7fffffff - 1, -3, 0, 1, 2); f(a, PICK(-1, 0, 1)); }

//// remainder_of_constants_by_zero: exact
int f(_Bool a) {
    int x = 1;
    if (D(a)) x = 3 % 0;
    return D(C(x == 1) && C(a));
}
//// driver
void step(void) { f(trust_choose(2)); }

//// promoted_complement: exact
int f(unsigned char a) { return D(C(~a == 0) || C((unsigned char)~a == 0)); }
//// driver
void step(void) { f(trust_choose(256)); }

//// char_is_signed_here: covered
int f(char c) { return D(C(c < 0) && C(c != -1)); }
//// driver
void step(void) { f((int)trust_choose(256) - 128); }

//// wide_multiplication: sound
int f(unsigned short a, unsigned short b) { return D((unsigned)a * b == 65521u * 2); }
//// driver
void step(void) { f(PICK(0, 65521), PICK(0, 2)); }

//// mixed_signs: covered
int f(int a, unsigned b) { return D(C(a < b) && C(a < 0)); }
//// driver
void step(void) { f(PICK(-5, -1, 0, 5), PICK(0, 3, 0xffffffff)); }

//// exclusive_or_of_booleans: exact
int f(_Bool a, _Bool b) { return D(C(a) ^ C(b)); }
//// driver
void step(void) { _Bool a = trust_choose(2); f(a, trust_choose(2)); }

//// equal_booleans_that_agree: exact
int f(signed char x) {
    _Bool a = D(x > 3), b = D(x >= 4);
    return D(C(a) == C(b));
}
//// driver
void step(void) { f((int)trust_choose(256) - 128); }

//// truth_value_and_number_in_a_union: covered
struct message { unsigned char tag; union { _Bool flag; unsigned char level; } u; };
int f(const struct message *m) {
    if (D(m->tag == 1)) { if (D(m->u.flag)) return 2; return 3; }
    return D(C(m->tag == 2) && C(m->u.level > 100));
}
//// driver
void step(void) {
    struct message m = { PICK(0, 1, 2) };
    if (m.tag == 1) m.u.flag = PICK(0, 1); else m.u.level = PICK(0, 101);
    f(&m);
}

//// truth_values_and_bytes_in_a_union: covered
union { struct { _Bool on, bad; } f; unsigned char raw[2]; unsigned short word; } g;
int f(void) { return D(C(g.word == 0x0203) || C(g.raw[1] == 0x80)); }
//// driver
void step(void) { g.word = PICK(0, 0x0203, 0x8000); f(); }

//// truth_values_and_a_word_in_a_union: covered
union bits { _Bool b[4]; unsigned word; };
int f(const union bits *u) { return D(C(u->word > 0x01010101u) && C(u->word < 0x01010104u)); }
//// driver
void step(void) { union bits u = { .word = PICK(0, 0x01010102, 0x02020202) }; f(&u); }

//// padding_of_the_largest_member_of_a_union: covered
union mixed { struct { unsigned char kind; unsigned length, more; } s; unsigned long long word; };
int f(const union mixed *u) { return D(C((u->word & 0xff00) == 0x1200) && C(u->s.more == 3)); }
//// driver
void step(void) { union mixed u = { .s = { PICK(0, 1), PICK(0, 1), PICK(0, 3) } }; ((unsigned char *)&u)[1] = PICK(0, 0x12); f(&u); }

//// truth_value_before_words_in_a_union: covered
struct record { union { struct { _Bool set; unsigned a, b; }; unsigned long long word; void *p; }; };
int f(const struct record *r) { return D(C(r->word == 5) && C(r->b == 3)); }
//// driver
void step(void) { struct record r = { .set = 0, .a = PICK(0, 1), .b = PICK(0, 3) }; r.word = PICK(0, 5); f(&r); }
