// Pointers: NULL, sizes, aliasing, order, alignment, begin and end.

//// null_or_not: covered
int f(const int *p) {
    if (D(!C(p))) return -1;
    return D(C(p[0] == 3) && C(p[1] > p[0]));
}
//// driver
void step(void) { int v[8] = { PICK(0, 3), PICK(0, 4) }; f(trust_choose(2) ? v : 0); }

//// same_object: sound
int f(int *p, int *q) {
    if (D(!C(p) || !C(q))) return -1;
    @*p = 1;
    @*q = 2;
    return D(*p == 2);
}
//// driver
void step(void) { int v[2]; int *p = trust_choose(2) ? v : 0; f(p, ((int *[]){ 0, v, v + 1 })[trust_choose(3)]); }

//// overlapping_by_one: sound
int f(unsigned char *p, unsigned char *q) {
    @p[0] = 1;
    @p[1] = 2;
    @q[0] = 9;
    return D(C(p[0] == 1) && C(p[1] == 9));
}
//// driver
void step(void) { unsigned char v[4]; f(v, ((unsigned char *[]){ v, v + 1, v + 2 })[trust_choose(3)]); }

//// pointer_and_member: sound
struct pair { int a, b; };
int f(struct pair *s, int *p) {
    @s->b = 0;
    @*p = 5;
    return D(s->b == 5);
}
//// driver
void step(void) { struct pair s; int v; f(&s, ((int *[]){ &v, &s.a, &s.b })[trust_choose(3)]); }

//// pointer_to_a_global: sound
int g;
int f(int *p) {
    @g = 0;
    @*p = 5;
    return D(C(g == 5) && C(p == &g));
}
//// driver
void step(void) { int v; f(trust_choose(2) ? &g : &v); }

//// pointer_to_a_static: sound
// Nobody outside can know the address of g.
static int g;
int f(int *p) {
    @g = 0;
    @*p = 5;
    return D(C(g == 5) || C(p == &g));
}
//// driver
void step(void) { int v; f(&v); }

//// order_of_two_parameters: covered
int f(const char *p, const char *q) {
    if (D(p > q)) return 1;
    return D(p == q);
}
//// driver
void step(void) { char v[3]; f(v + 1, v + trust_choose(3)); }

//// begin_and_end: covered
int f(const int *b, const int *e) {
    int sum = 0;
    while (D(b < e)) { @sum += *b & 3; @b++; }
    return D(C(sum == 5) && C(b == e));
}
//// driver
void step(void) { int v[4]; for (int i = 0; i < 4; i++) v[i] = PICK(0, 1, 3); f(v, v + trust_choose(5)); }

//// begin_and_end_that_differ: covered
int f(const unsigned char *b, const unsigned char *e) {
    for (; D(b != e); b++)
        if (D(*b == 9)) return 1;
    return 0;
}
//// driver
void step(void) { unsigned char v[3] = { PICK(0, 9), PICK(0, 9) }; f(v, v + trust_choose(3)); }

//// begin_and_end_in_a_structure: covered
struct span { const short *first, *last; };
int f(const struct span *s) {
    int found = 0;
    for (const short *p = s->first; D(p < s->last); p++)
        if (D(*p == 7)) @found++;
    return D(found == 2);
}
//// driver
void step(void) {
    short v[3] = { PICK(0, 7), PICK(0, 7), 0 };
    struct span s = { v, v + trust_choose(4) };
    f(&s);
}

//// alignment: sound
#include <stdint.h>
int f(const char *p) {
    if (D(((uintptr_t)p & 3) != 0)) return 1;
    return D((uintptr_t)p % 7 == 0);
}
//// driver
void step(void) { static char v[64]; f(v + trust_choose(64)); }

//// alignment_of_a_number: sound
#include <stdint.h>
int f(int *p) { return D(C(p != 0) && C(((uintptr_t)p & 1) != 0)); }
//// driver
void step(void) { int v; f(trust_choose(2) ? &v : 0); }

//// elements_beyond_the_default: covered
int f(const int *p, int n) {
    int sum = 0;
    for (int i = 0; D(i < n); i++) if (D(p[i] == 7)) @sum++;
    return D(C(sum > 0) && C(n == 12));
}
//// driver
void step(void) { int v[12] = { 0 }; v[0] = PICK(0, 7); v[11] = PICK(0, 7); f(v, PICK(0, 1, 12)); }

//// tenth_element: covered
int f(const int *p) { return D(C(p[0] == 1) && C(p[9] == 2)); }
//// driver
void step(void) { int v[10] = { 0 }; v[0] = PICK(0, 1); v[9] = PICK(0, 2); f(v); }

//// declared_size: covered
int f(int a[10]) { return D(C(a[9] == 4) && C(a[0] == 1)); }
//// driver
void step(void) { int v[10] = { 0 }; v[0] = PICK(0, 1); v[9] = PICK(0, 4); f(v); }

//// declared_static_size: exact
int f(int a[static 12]) { return D(C(a == 0) || C(a[11] == 4)); }
//// driver
void step(void) { int v[12] = { 0 }; v[11] = PICK(0, 4); f(v); }

//// declared_matrix: covered
int f(int m[3][4]) { return D(C(m[2][3] == 5) && C(m[0][0] == 0)); }
//// driver
void step(void) { int m[3][4] = { 0 }; m[2][3] = PICK(0, 5); m[0][0] = PICK(0, 1); f(m); }

//// declared_size_is_no_promise: sound
int f(int a[3], int n) { return D(C(a != 0) && C(n > 0) && C(a[n] == 4)); }
//// driver
void step(void) { int v[10] = { 0 }; v[5] = PICK(0, 4); f(PICK(0, 1) ? v : 0, PICK(0, 1, 5)); }

//// declared_structures: covered
struct point { short x, y; };
int f(const struct point path[static 3]) { return D(C(path[2].x > 4) && C(path[1].y < path[2].y)); }
//// driver
void step(void) { struct point p[3] = { { 0 } }; p[2].x = PICK(0, 5); p[2].y = PICK(0, 7); f(p); }

//// negative_index: sound
int f(const int *p) { return D(p[-1] == 4); }
//// driver
void step(void) { int v[2] = { PICK(0, 4), 0 }; f(v + 1); }

//// list_of_six: covered
struct node { struct node *next; int key; };
int f(const struct node *n) {
    int length = 0;
    for (; D(C(n) && C(length < 9)); n = n->next) @length++;
    return D(C(length == 6) || C(length == 9));
}
//// driver
void step(void) {
    struct node v[7] = { 0 };
    unsigned length = trust_choose(8);
    for (unsigned i = 0; i + 1 < length; i++) v[i].next = &v[i + 1];
    if (length == 7 && trust_choose(2)) v[6].next = v;
    f(length ? v : 0);
}

//// cyclic_structure: sound
struct node { struct node *next, *previous; };
int f(struct node *n) {
    if (D(!C(n) || !C(n->next))) return 0;
    return D(C(n->next->previous == n) && C(n->next == n));
}
//// driver
void step(void) {
    struct node v[2];
    for (int i = 0; i < 2; i++) {
        v[i].next = ((struct node *[]){ 0, v, v + 1 })[trust_choose(3)];
        v[i].previous = ((struct node *[]){ 0, v, v + 1 })[trust_choose(3)];
    }
    f(trust_choose(2) ? v : 0);
}


//// pointers_in_a_row: covered
int f(int ****p) { return D(C(p != 0) && C(*p != 0) && C(**p != 0) && C(***p != 0) && C(****p == 6)); }
//// driver
void step(void) {
    int a = PICK(0, 6), *b = trust_choose(2) ? &a : 0, **c = trust_choose(2) ? &b : 0, ***d = trust_choose(2) ? &c : 0;
    f(trust_choose(2) ? &d : 0);
}

//// void_pointer: sound
#include <string.h>
int f(const void *data, unsigned char size) {
    int v = 0;
    if (D(!C(data) || C(size < 4))) return -1;
    memcpy(&v, data, sizeof v);
    return D(v == 0x01020304);
}
//// driver
void step(void) { int v = PICK(0, 0x01020304); f(trust_choose(2) ? &v : 0, PICK(0, 4)); }

//// arguments_of_main: covered
#include <string.h>
int f(int argc, char **argv) {
    if (D(argc < 2)) return 2;
    return D(C(argv[1][0] == '-') && C(argv[1][1] == 'v'));
}
//// driver
void step(void) {
    char one[] = { PICK('x', '-'), PICK('x', 'v'), 0 };
    char *argv[] = { "f", one, 0 };
    f(PICK(1, 2), argv);
}

//// opaque_handle: sound
struct handle;
int state_of(const struct handle *h);
int f(const struct handle *h) { return D(C(h != 0) && C(state_of(h) == 2)); }
//// driver
int state_of(const struct handle *h) { return PICK(0, 2); }
void step(void) { f(trust_choose(2) ? (struct handle *)&trust_programs : 0); }

//// structures_in_a_row: covered
struct item { int key; };
int f(const struct item *v) { return D(C(v[0].key == 1) && C(v[2].key == 3)); }
//// driver
void step(void) { struct item v[3] = { { PICK(0, 1) }, { 0 }, { PICK(0, 3) } }; f(v); }

//// difference_of_pointers: covered
int f(const char *b, const char *e) { return D(C(e - b == 3) || C(e - b < 0)); }
//// driver
void step(void) { char v[8]; f(v + 1, v + PICK(0, 1, 4)); }

//// const_is_no_promise: sound
// What p points to may change through q.
int f(const int *p, int *q) {
    int before = *p;
    @*q = before + 1;
    return D(*p != before);
}
//// driver
void step(void) { int v[2] = { 0 }; f(v, v + trust_choose(2)); }

//// restrict_is_a_promise: sound
int f(const int *restrict p, int *restrict q) {
    int before = *p & 3;
    @*q = before + 1;
    return D((*p & 3) != before);
}
//// driver
void step(void) { int v[2] = { PICK(0, 1) }; f(v, v + 1); }

//// two_reads_of_one_place: exact
static unsigned char n;
struct s { int len; };
int f(int up, const struct s *p) {
    if (D(up)) n++;
    if (D(p == 0)) return 0;
    return D(C(p->len > 3) && C(p->len < 3));
}
//// driver
struct s object;
void step(void) { object.len = PICK(2, 3, 4); f(PICK(0, 1), trust_choose(2) ? &object : 0); }

//// written_through_the_other_in_between: sound
int f(int *p, int *q) {
    if (D(C(p == 0) || C(q == 0))) return 0;
    int a = *p;
    @*q = 7;
    return D(C(a == 1) && C(*p == 7));
}
//// driver
int one, two;
void step(void) {
    one = PICK(1, 7);
    two = PICK(1, 7);
    int *q = trust_choose(2) ? &one : &two;
    f(trust_choose(2) ? &one : 0, trust_choose(2) ? q : 0);
}

//// written_with_what_it_held: sound
int f(int *p, int *q) {
    if (D(C(p == 0) || C(q == 0))) return 0;
    int a = *p;
    @*q = 0;
    int b = *p;
    @*q = 0;
    return D(C(a == 5) && C(b == 0) && C(*p == 0));
}
//// driver
int one, two;
void step(void) {
    one = PICK(0, 5);
    int *q = trust_choose(2) ? &one : &two;
    f(trust_choose(2) ? &one : 0, trust_choose(2) ? q : 0);
}

//// global_behind_a_parameter: sound
int level;
int f(int *p) {
    if (D(p == 0)) return 0;
    @level = 1;
    @*p = 2;
    return D(C(level == 2) && C(level == *p));
}
//// driver
int other;
void step(void) { f(trust_choose(2) ? &level : trust_choose(2) ? &other : 0); }

//// static_variable_behind_no_pointer: exact
static int level;
int f(int *p) {
    if (D(p == 0)) return 0;
    @level = 1;
    @*p = 2;
    return D(level == 2);
}
//// driver
int other;
void step(void) { f(trust_choose(2) ? &other : 0); }

//// static_variable_found_by_a_search: sound
char *strchr(const char *, int);
static char name[4] = "abc";
char *known(void) { return strchr(name, 'b'); }
int f(char *p) {
    if (D(p == 0)) return 0;
    @name[1] = 'b';
    @*p = 'z';
    return D(name[1] != 'b');
}
//// driver
char other;
void step(void) { f(trust_choose(2) ? known() : trust_choose(2) ? &other : 0); }

//// behind_the_end_of_a_string: exact
unsigned long strlen(const char *);
int f(const char *s, unsigned char a) {
    if (D(s == 0)) return 0;
    unsigned long n = strlen(s);
    if (D(C(a < 4) && C(a > 9))) return 1;
    if (D(C(s[0] == 'x') && C(n == 0))) return 2;
    return D(n > 1);
}
//// driver
void step(void) { f(trust_choose(2) ? "" : trust_choose(2) ? "abc" : "x", PICK(0, 4, 5, 10)); f(0, 0); }

//// counted_by_the_length_of_a_string: exact
unsigned long strlen(const char *);
static int n;
int f(const char *s) {
    if (D(s == 0)) return 0;
    if (D(C(strlen(s) == 2) && C(n < 3))) n++;
    return D(n > 3);
}
//// driver
void step(void) { if (trust_choose(2)) f(trust_choose(2) ? "ab" : "a"); else f(0); }

//// long_string: sound
unsigned long strlen(const char *);
int strcmp(const char *, const char *);
int f(const char *s) {
    if (D(s == 0)) return 0;
    if (D(strlen(s) == 20)) return 1;
    return D(strcmp(s, "a rather long string") == 0);
}
//// driver
void step(void) { f(trust_choose(2) ? "a rather long string" : "another longer string"); f("a"); f(0); }
