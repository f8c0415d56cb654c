/* test nested
   a=0 b=0 c=0
   a=1 b=0 c=1
   a=1 b=1 c=0
   a=1 b=1 c=1
   a=3 b=0 c=0 */
static int twice(int x) { return x > 1 ? 2 * x : x; }

int nested(int a, int b, int c) {
    int result = 0;
    if (a && twice(b && c))
        result |= 1;
    if (a && !(b || c))
        result |= 2;
    if ((result++, b && c))
        result |= 4;
    if (({ int x = a < 3; x; }) && c)
        result |= 8;
    if (__builtin_expect(!!(a > 2), 0))
        result |= 16;
    if (__builtin_expect(a && b, 1))
        result |= 32;
    if ((a ? b : c) && result)
        result |= 64;
    return result;
}
