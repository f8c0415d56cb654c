/* Arguments and results as the ABI has them, pointers to functions, variable arguments. */
#include <stdarg.h>
struct pair { long a, b; };
struct mixed { double d; int i; };
struct floats { float x, y, z; };
struct large { long words[5]; };
__attribute__((aligned(16))) struct aligned { long words[4]; };
struct pair swap(struct pair p) { struct pair r = {p.b, p.a}; return r; }
struct mixed mix(struct mixed m, struct floats f) { m.d += f.x * f.z; return m; }
struct large grow(struct large l, int i) { l.words[i]++; return l; }
int apply(int (*f)(int, ...), int x) { return f(x, 2.5, 'c'); }
static int recurse(int n) { return n ? recurse(n - 1) + 1 : 0; }
int sum(int n, ...) {
    va_list list, copy;
    int total = 0;
    va_start(list, n);
    va_copy(copy, list);
    while (n--)
        total += va_arg(list, int);
    total += va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return total;
}
int unknown();
extern void never(int) __attribute__((noreturn));
long all(struct large *l, struct aligned *a, __int128 w) {
    struct pair p = {1, 2};
    p = swap(p);
    struct large g = grow(*l, 3);
    sum(2, 1, p, 2.0, *l, w, *a, 1.0f);
    if (unknown(1, 2.0f))
        never(recurse(3));
    return g.words[0] + p.a;
}
