/* Structures of all kinds as arguments, named or not, and as results; atomic operations. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

typedef int ints __attribute__((vector_size(16)));
struct pair { long a, b; };
struct mixed { double d; int i; };
struct floats { float x, y, z; };
struct two { float a, b; };
struct large { long words[5]; };
struct small { char c[3]; };

static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static struct two flip(struct two t) { return (struct two){t.b, t.a}; }
static struct small rotate(struct small s) { return (struct small){{s.c[2], s.c[0], s.c[1]}}; }
static struct mixed mix(struct mixed m, struct floats f) {
    m.d += f.x * f.z;
    m.i -= (int)f.y;
    return m;
}
static struct large grow(struct large l, int i) {
    l.words[i] += 7;
    return l;
}

static void take(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    int i = va_arg(list, int);
    double d = va_arg(list, double);
    struct pair p = va_arg(list, struct pair);
    struct large l = va_arg(list, struct large);
    struct mixed m = va_arg(list, struct mixed);
    struct floats f = va_arg(list, struct floats);
    struct small s = va_arg(list, struct small);
    struct two t = va_arg(list, struct two);
    printf("%d %g %ld %ld %ld %g %d %g %g", i, d, p.a, p.b, l.words[3], m.d, m.i, f.y, f.z);
    printf(" %d %g %g %s", s.c[1], t.a, t.b, va_arg(list, char *));
    ints v = va_arg(list, ints);
    va_copy(copy, list);
    printf(" %d %d %d %d\n", v[0], v[3], va_arg(list, int), va_arg(copy, int));
    va_end(copy);
    va_end(list);
}

int main(void) {
    struct pair p = swap((struct pair){11, 22});
    struct mixed m = mix((struct mixed){2.5, 9}, (struct floats){1.5f, 2, 3});
    struct large l = grow((struct large){{1, 2, 3, 4, 5}}, 3);
    struct small s = rotate((struct small){{1, 2, 3}});
    struct two t = flip((struct two){1.25f, 2.5f});
    take(1, 5, 2.75, p, l, m, (struct floats){4, 5, 6}, s, t, "text", (ints){1, 2, 3, 4}, -7);

    _Atomic int a = 5;
    int expected = 14;
    atomic_fetch_add(&a, 3);
    atomic_fetch_xor(&a, 6);
    printf("%d ", atomic_compare_exchange_strong(&a, &expected, 99));
    printf("%d %d ", a, expected);
    printf("%d ", atomic_compare_exchange_strong(&a, &expected, 98));
    printf("%d %d ", a, expected);
    printf("%d ", __atomic_fetch_nand((int *)&a, 6, __ATOMIC_SEQ_CST));
    printf("%u ", __sync_fetch_and_umax((unsigned *)&a, 5u));
    _Atomic double d = 1.5;
    d += 2;
    printf("%g %d\n", d, a);
    return (int)m.i;
}
