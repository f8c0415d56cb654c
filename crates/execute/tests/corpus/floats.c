/* Floats: arithmetic, comparisons, conversions, classification, math.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long bits(double value) {
    unsigned long word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static unsigned bits_of_float(float value) {
    union {
        float f;
        unsigned u;
    } both = {value};
    return both.u;
}

static void compare(double x, double y) {
    printf("%d%d%d%d%d%d %d\n", x < y, x <= y, x == y, x != y, x >= y, x > y, isunordered(x, y));
}

int main(void) {
    volatile double zero = 0.0;
    double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 1e300, 1e-310, 1 / zero, -1 / zero, 2.5, -3.5, 4503599627370497.5};
    unsigned count = sizeof values / sizeof values[0];
    for (unsigned i = 0; i < count; i++) {
        double x = values[i];
        printf("%lx %lx %lx %lx ", bits(x + 0.3), bits(x - 0.3), bits(x * 3), bits(x / 3));
        printf("%lx %lx %lx %lx ", bits(floor(x)), bits(ceil(x)), bits(trunc(x)), bits(round(x)));
        printf("%lx %lx %lx ", bits(rint(x)), bits(fabs(x)), bits(-x));
        printf("%x %x ", bits_of_float((float)x), bits_of_float((float)x * 1.1f));
        printf("%d %d %d %d %d\n", isnan(x), isinf(x), isfinite(x), isnormal(x), !!signbit(x));
        if (x >= 0)
            printf("%lx ", bits(sqrt(x)));
        int exponent;
        double whole, fraction = frexp(x, &exponent);
        printf("%lx %d ", bits(fraction), isfinite(x) ? exponent : 0);
        fraction = modf(x, &whole);
        printf("%lx %lx ", bits(fraction), bits(whole));
        printf("%lx %lx\n", bits(ldexp(x, 5)), bits(ldexp(x, -1070)));
        for (unsigned j = 0; j < count; j++)
            compare(x, values[j]);
        compare(x, zero / zero);
    }
    printf("%lx %lx %lx\n", bits(fmod(10.5, 3)), bits(fmin(2, NAN)), bits(fmax(-0.5, 3)));
    printf("%lx %lx %lx\n", bits(copysign(3, -0.0)), bits(fma(0.1, 10, -1)), bits(hypot(3, 4)));
    printf("%lx %lx %lx %lx\n", bits(sin(0.5)), bits(exp(1.5)), bits(log(10)), bits(pow(2.5, 3.5)));
    printf("%lx %lx\n", bits(atan2(1, -2)), bits(tanh(0.3)));
    printf("%d %ld %u %lu\n", (int)-3.99, (long)1e15, (unsigned)4e9, (unsigned long)1.5e19);
    printf("%d %d\n", (signed char)-100.7, (unsigned char)200.9f);
    printf("%lx %lx\n", bits((double)0xffffffffffffffffUL), bits((double)-7L));
    printf("%x %x\n", bits_of_float((float)16777217), bits_of_float((float)0x8000008000000001UL));
    printf("%lx\n", bits((double)((unsigned __int128)1 << 100)));
    printf("%ld %ld %ld\n", lround(-2.5), lrint(2.5), lround(0.49999999999999994));
    float sum = 0;
    for (int i = 1; i < 1000; i++)
        sum += 1.0f / (float)i;
    printf("%x %f %e %g\n", bits_of_float(sum), sum, sum, sum);
    return 0;
}
