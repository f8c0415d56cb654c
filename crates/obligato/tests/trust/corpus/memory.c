// Memory: allocation, uninitialised memory, strings, large objects.

//// allocation_fails: sound
#include <stdlib.h>
int f(void) {
    int *p = malloc(sizeof *p);
    if (D(!C(p))) return -1;
    @*p = 3;
    int r = D(*p != 3);
    free(p);
    return r;
}
//// driver
void *malloc(unsigned long n) { static long cell[8]; return trust_choose(2) ? cell : 0; }
void free(void *p) { }
void step(void) { f(); }

//// allocated_memory_is_anything: sound
#include <stdlib.h>
int f(void) {
    unsigned char *p = malloc(4);
    if (D(C(p != 0) && C(p[2] == 7))) return 1;
    return 0;
}
//// driver
void *malloc(unsigned long n) {
    static unsigned char cell[8];
    cell[2] = PICK(0, 7);
    return trust_choose(2) ? cell : 0;
}
void free(void *p) { }
void step(void) { f(); }

//// cleared_allocation: sound
#include <stdlib.h>
int f(void) {
    unsigned char *p = calloc(4, 1);
    if (D(C(p != 0) && C(p[2] == 7))) return 1;
    return 0;
}
//// driver
void *calloc(unsigned long n, unsigned long m) { static unsigned char cell[8]; return trust_choose(2) ? cell : 0; }
void free(void *p) { }
void step(void) { f(); }

//// second_allocation_fails: sound
#include <stdlib.h>
int f(void) {
    char *p = malloc(1), *q = malloc(1);
    if (D(C(p != 0) && C(q == 0))) return 1;
    return D(C(p == q) && C(p != 0));
}
//// driver
void *malloc(unsigned long n) {
    static char cell[2];
    static int next;
    next ^= 1;
    return trust_choose(2) ? cell + next : 0;
}
void free(void *p) { }
void step(void) { f(); }

//// string_in_a_structure: covered
#include <string.h>
struct person { char name[64]; };
int f(const struct person *p) { return D(strlen(p->name) > 20); }
//// driver
void step(void) {
    struct person p = { { 0 } };
    for (unsigned i = PICK(0, 1, 20, 21, 63); i; i--) p.name[i - 1] = 'x';
    f(&p);
}

//// long_string: covered
#include <string.h>
int f(const char *s) { return D(C(strlen(s) > 30) && C(s[31] == 'z')); }
//// driver
void step(void) {
    char s[64] = { 0 };
    for (unsigned i = PICK(0, 30, 33); i; i--) s[i - 1] = 'x';
    s[31] = PICK(0, 'x', 'z');
    f(s);
}

//// last_character: sound
int f(const char *s) { return D(C(s[0] == 'a') && C(s[7] == 'z')); }
//// driver
void step(void) { char s[9] = { 0 }; s[0] = PICK(0, 'a'); s[7] = PICK(0, 'z'); f(s); }

//// unterminated_buffer: sound
int f(const char *s) {
    int n = 0;
    while (D(C(n < 8) && C(s[n] != 0))) @n++;
    return D(n == 8);
}
//// driver
void step(void) { char s[8]; unsigned n = PICK(0, 1, 7, 8); for (int i = 0; i < 8; i++) s[i] = i < n ? 'x' : 0; f(s); }

//// array_behind_the_sixteenth_cell: covered
int table[24];
int f(void) { return D(C(table[20] == 5) && C(table[3] == 1)); }
//// driver
void step(void) { table[20] = PICK(0, 5); table[3] = PICK(0, 1); f(); }

//// indexed_behind_the_sixteenth_cell: covered
unsigned char table[40];
int f(unsigned char i) {
    if (D(i >= 40)) return -1;
    return D(C(table[i] == 5) && C(i > 20));
}
//// driver
void step(void) { unsigned char i = PICK(0, 21, 39, 40); if (i < 40) table[i] = PICK(0, 5); f(i); if (i < 40) table[i] = 0; }

//// array_in_a_structure: covered
struct frame { unsigned char length, data[32]; };
int f(const struct frame *p) { return D(C(p->length > 30) && C(p->data[30] == 0xff)); }
//// driver
void step(void) { struct frame p = { PICK(0, 31) }; p.data[30] = PICK(0, 0xff); f(&p); }

//// more_than_4096_inputs: covered
struct big { int a[16][16][16]; int b; };
int f(struct big *p, int n) {
    if (D(n > 3)) return 1;
    return D(C(p->b == 2) && C(p->a[15][15][15] == 1));
}
//// driver
struct big big;
void step(void) { big.b = PICK(0, 2); big.a[15][15][15] = PICK(0, 1); f(&big, PICK(0, 4)); }

//// uninitialised_local: sound
// Reading it is undefined only where its address is never taken.
int f(_Bool a) {
    int v;
    int *p = &v;
    if (D(a)) @*p = 1;
    return D(!(C(v == 1)) && C(a));
}
//// driver
void step(void) { trust_partial(); f(1); }

//// uninitialised_buffer: sound
void touch(char *p);
int f(void) {
    char b[8];
    @touch(b);
    return D(b[3] == 'q');
}
//// driver
void touch(char *p) { p[3] = PICK(0, 'q'); }
void step(void) { f(); }

//// copied_bytes: sound
#include <string.h>
int f(unsigned x) {
    unsigned char b[4];
    memcpy(b, &x, 4);
    return D(C(b[0] == 1) && C(b[3] == 2) && C(x == 0x02000001));
}
//// driver
void step(void) { f(PICK(0, 1, 0x02000001, 0x02000101)); }

//// bounds_end_the_run: exact
int f(unsigned char i) {
    int v[4] = { 1, 2, 3, 4 };
    int x = v[i];
    return D(C(i > 3) || C(x == 4));
}
//// driver
void step(void) { f(trust_choose(256)); }

//// use_after_free_ends_the_run: sound
#include <stdlib.h>
int f(_Bool a) {
    int *p = malloc(sizeof *p);
    if (D(!C(p))) return 0;
    @*p = 1;
    free(p);
    if (D(a)) return *p;
    return 1;
}
//// driver
void *malloc(unsigned long n) { static long cell; return trust_choose(2) ? &cell : 0; }
void free(void *p) { }
void step(void) { f(trust_choose(2)); }

//// flexible_array: covered
struct packet { unsigned char n; unsigned char data[]; };
int f(const struct packet *p) { return D(C(p->n > 2) && C(p->data[2] == 9)); }
//// driver
void step(void) { unsigned char b[8] = { PICK(0, 3), 0, 0, PICK(0, 9) }; f((struct packet *)b); }

//// string_comparison: sound
#include <string.h>
int f(const char *s) {
    if (D(strcmp(s, "start") == 0)) return 1;
    return D(strncmp(s, "configuration", 13) == 0);
}
//// driver
void step(void) { f(((char *[]){ "", "start", "configuration file" })[trust_choose(3)]); }

//// copy_of_a_length_beyond_the_default: sound
#include <string.h>
int f(const char *p, unsigned char n) {
    char b[64] = { 0 };
    memcpy(b, p, n & 63);
    return D(C(b[3] == 7) || C(b[40] == 7));
}
//// driver
void step(void) { char v[64] = { 0 }; v[3] = PICK(0, 7); v[40] = PICK(0, 7); f(v, PICK(0, 5, 63)); }

//// filled_beyond_the_default: sound
#include <string.h>
int f(char *p, unsigned char n) {
    memset(p, 1, n & 63);
    return D(C(p[0] == 1) && C(p[40] == 1));
}
//// driver
void step(void) { char v[64] = { 0 }; f(v, PICK(0, 5, 63)); }

//// character_far_away: covered
#include <string.h>
int f(const char *s) {
    const char *at = strchr(s, ':');
    if (D(!C(at))) return 0;
    return D(at - s > 20);
}
//// driver
void step(void) { f(((char *[]){ "", ":", "0123456789012345678901234:" })[trust_choose(3)]); }

//// strings_that_differ_late: covered
#include <string.h>
int f(const char *s, const char *t) {
    for (int i = 0; D(i < 20); i++) if (D(s[i] != t[i])) return -1;
    return D(strcmp(s, t) > 0);
}
//// driver
void step(void) {
    char s[32] = "0123456789012345678901234", t[32] = "0123456789012345678901234";
    s[PICK(0, 22)] = PICK('0', 'x');
    f(s, t);
}

//// copied_string: covered
#include <string.h>
int f(const char *s) {
    char b[64] = { 0 };
    strcpy(b, s);
    return D(b[20] == 'x');
}
//// driver
void step(void) { f(((char *[]){ "", "0123456789", "xxxxxxxxxxxxxxxxxxxxxxxxx" })[trust_choose(3)]); }
