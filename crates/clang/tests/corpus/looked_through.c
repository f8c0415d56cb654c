/* What is looked through: parentheses, hints, casts, commas, `__extension__`, statement expressions are not. */
#include <stdbool.h>
#define likely(x) __builtin_expect(!!(x), 1)
int g(int);
int looked_through(int a, int b, long c) {
    int x = 0;
    if (((a) && ((b)))) x = 1;
    if (likely(a && b)) x = 2;
    if (__builtin_expect(a, 0) || __builtin_expect_with_probability(b > 1, 1, 0.5)) x = 3;
    if (!!a) x = 4;
    if ((bool)a && (int)(b > 2)) x = 5;
    if ((char)a) x = 6;
    if (g(a), b && c) x = 7;
    if (a && (g(a || b), c)) x = 8;
    x = (g(a), a && b);
    if (({ int t = a && b; g(t); t; })) x = 9;
    x = ({ a || b; });
    if (__extension__ (a && b)) x = 10;
    while (g(x), x > 3) x--;
    return a++ && --b && (a += b) && *&a && -a && ~b && (c = a);
}
