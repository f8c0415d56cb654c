/* IEEE floats, their classes and conversions. */
float single(float a, double b) { return a * (float)b - a / 3.0f; }
double rounded(double x) {
    return __builtin_floor(x) + __builtin_ceil(x) + __builtin_trunc(x) + __builtin_fabs(x) +
           __builtin_copysign(x, -1.0) + __builtin_fmin(x, 2.0) + __builtin_fmax(x, 3.0);
}
double added(double a, double b, double c) { return a * b + c; }
double negated(double a) { return -a; }
int compared(double a, double b) {
    return (a < b) + (a <= b) + (a == b) + (a != b) + !(a > b) + __builtin_isunordered(a, b);
}
int classes(double x, float y) { return __builtin_isnan(x) + __builtin_isinf(y) + __builtin_isnormal(x); }
unsigned char small(double x, signed char c, unsigned long u) {
    float f = c + (float)u;
    return (unsigned char)(x + f);
}
double special(void) { return __builtin_nan("7") + __builtin_inf() + 0x1p-1074 + (double)1.1f; }
