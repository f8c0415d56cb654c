/* test built_in
   a=0 b=0 x=0.0
   a=1 b=0 x=inf
   a=1 b=1 x=-inf
   a=0 b=1 x=nan
   a=7 b=2 x=1.5 c=new c->name[0]=5 */
#include <math.h>
struct named { int kind; char name[4]; };

int built_in(int a, int b, double x, struct named *c) {
    int n = 0, sum;
    if (isinf(x) && a)
        n |= 1;
    if (isnan(x) || signbit(x))
        n |= 2;
    if (__builtin_constant_p(a) && b)
        n |= 4;
    if (__builtin_add_overflow(a, b, &sum) || sum > 5)
        n |= 8;
    if (__builtin_expect_with_probability(a && b, 1, 0.9))
        n |= 16;
    n += __builtin_choose_expr(1, a && b, a || b);
    n += _Generic(a && b, int: b || a, default: 0);
    if (__builtin_types_compatible_p(int, long) || b)
        n |= 32;
    if (c && ((c->name) && (c->name)[0]))
        n |= 64;
    return n;
}
