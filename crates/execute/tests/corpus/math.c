/* Functions of math.h on many arguments: a checksum of the bits of all results, for each function and precision. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long state = 1;

static unsigned long next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Numbers of all sizes up to some hundreds, of both signs. */
static double number(void) {
    double value = (double)(next() >> 11) / (1UL << 53);
    value = ldexp(value, (int)(next() % 16) - 7);
    return next() & 1 ? value : -value;
}

static unsigned long mix(unsigned long sum, double value) {
    unsigned long word;
    if (isnan(value))
        return sum * 31 + 7;
    memcpy(&word, &value, sizeof word);
    return (sum ^ word) * 1099511628211UL;
}

#define ONE(name)                                                           \
    static void try_##name(void) {                                          \
        unsigned long sum = 0, sum_of_floats = 0;                           \
        for (int i = 0; i < 500; i++) {                                     \
            double x = number();                                            \
            sum = mix(sum, name(x));                                        \
            sum_of_floats = mix(sum_of_floats, name##f((float)x));          \
        }                                                                   \
        printf(#name " %lx %lx\n", sum, sum_of_floats);                     \
    }

#define TWO(name)                                                           \
    static void try_##name(void) {                                          \
        unsigned long sum = 0, sum_of_floats = 0;                           \
        for (int i = 0; i < 500; i++) {                                     \
            double x = number(), y = number();                              \
            sum = mix(sum, name(x, y));                                     \
            sum_of_floats = mix(sum_of_floats, name##f((float)x, (float)y));\
        }                                                                   \
        printf(#name " %lx %lx\n", sum, sum_of_floats);                     \
    }

ONE(sqrt)
ONE(floor)
ONE(ceil)
ONE(trunc)
ONE(round)
ONE(rint)
ONE(nearbyint)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(exp)
ONE(exp2)
ONE(expm1)
ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
TWO(fmod)
TWO(fmin)
TWO(fmax)
TWO(fdim)
TWO(copysign)
TWO(pow)
TWO(hypot)
TWO(atan2)

/* Errors: no result, an infinite one, and none. */
static void try_errno(void) {
    volatile double zero = 0, one = 1, large = 1e300, infinite = HUGE_VAL, none = NAN;
    double given[] = { zero, one, -one, large, -large, infinite, -infinite, none };
    for (int i = 0; i < 8; i++) {
        double x = given[i];
        errno = 0, log(x), printf("%d ", errno);
        errno = 0, sqrt(x), printf("%d ", errno);
        errno = 0, exp(x > 0 ? x : one), printf("%d ", errno);
        errno = 0, asin(x), printf("%d ", errno);
        errno = 0, cos(x), printf("%d ", errno);
        errno = 0, fmod(one, x), printf("%d ", errno);
        errno = 0, pow(x, 3), printf("%d ", errno);
        errno = 0, sqrtf((float)x), printf("%d\n", errno);
    }
}

int main(void) {
    try_sqrt();
    try_floor();
    try_ceil();
    try_trunc();
    try_round();
    try_rint();
    try_nearbyint();
    try_sin();
    try_cos();
    try_tan();
    try_asin();
    try_acos();
    try_atan();
    try_sinh();
    try_cosh();
    try_tanh();
    try_exp();
    try_exp2();
    try_expm1();
    try_log();
    try_log2();
    try_log10();
    try_log1p();
    try_fmod();
    try_fmin();
    try_fmax();
    try_fdim();
    try_copysign();
    try_pow();
    try_hypot();
    try_atan2();
    try_errno();
    return 0;
}
