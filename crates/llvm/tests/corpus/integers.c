/* Widths from 1 to 128, overflow, rotations. */
typedef unsigned _BitInt(24) u24;
typedef _BitInt(100) s100;
int wrap(int a, unsigned b) { return a * 2 + (int)(b << 3) - (a >> 1) / (int)(b % 7); }
u24 odd(u24 x, u24 *p) { return *p = x * 3 + *p; }
__int128 wide(__int128 a, unsigned __int128 b, int c) {
    if (a < c && b > 5)
        return a / 3 + (__int128)(b >> c);
    return ((__int128)1 << 100) - 7;
}
s100 between(s100 a) { return a * a; }
_Bool overflow(int a, int b, long long c, unsigned long d, int *r, long *s) {
    return __builtin_add_overflow(a, b, r) || __builtin_mul_overflow(c, d, s);
}
unsigned rotate(unsigned x, unsigned n) { return __builtin_rotateleft32(x, n); }
long counted(unsigned x, unsigned long long y) {
    return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctzll(y) +
           (long)__builtin_bswap64(y) + __builtin_bitreverse8((unsigned char)x) + __builtin_abs((int)x);
}
