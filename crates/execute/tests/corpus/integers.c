/* Integers of all widths: arithmetic, shifts, conversions, bit-fields. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

struct bits {
    unsigned a : 3;
    signed b : 5;
    unsigned long c : 40;
    _Bool d : 1;
    int : 0;
    short e : 9;
};

static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }

static long gcd(long a, long b) { return b ? gcd(b, a % b) : a; }

static void show_wide(const char *name, unsigned __int128 value) {
    printf("%s %016lx%016lx\n", name, (unsigned long)(value >> 64), (unsigned long)value);
}

int main(void) {
    signed char sc = -100;
    unsigned char uc = 200;
    short s = -30000;
    unsigned short us = 60000;
    int i = INT_MIN;
    unsigned u = UINT_MAX;
    long l = LONG_MIN;
    unsigned long ul = ULONG_MAX;
    sc += sc;
    uc += uc;
    s -= 10000;
    us *= 3;
    printf("%d %d %d %d\n", sc, uc, s, us);
    printf("%d %d %ld %lu\n", i / 3, i % 7, l / -3, ul / 7);
    printf("%u %d %d %lu\n", u >> 5, i >> 5, (signed char)-1 >> 1, ul << 63);
    printf("%d %u\n", (int)u, (unsigned)sc);
    printf("%08x\n", rotate(0x12345678u, 12));
    printf("%ld\n", gcd(1071 * 462L, 462 * 13));

    struct bits bits = {7, -16, 0xabcdef1234UL, 1, -256};
    bits.a += 3;
    bits.b -= 1;
    bits.c *= 3;
    bits.d += 4;
    bits.e >>= 2;
    printf("%u %d %lu %d %d\n", bits.a, bits.b, (unsigned long)bits.c, bits.d, bits.e);

    unsigned __int128 wide = (unsigned __int128)ul * ul;
    show_wide("product", wide);
    show_wide("quotient", wide / 12345678901234567ULL);
    show_wide("remainder", wide % 12345678901234567ULL);
    show_wide("shifted", wide << 13 >> 70);
    __int128 negative = -(__int128)ul;
    show_wide("negative", (unsigned __int128)negative);
    show_wide("halved", (unsigned __int128)(negative / 2));
    show_wide("moved", (unsigned __int128)(negative >> 65));
    printf("%d %d\n", negative < 0, wide > (unsigned __int128)negative);

    int sum, product;
    long difference;
    printf("%d ", __builtin_add_overflow(i, -1, &sum));
    printf("%d ", __builtin_mul_overflow(123456, 78901, &product));
    printf("%d\n", __builtin_sub_overflow(l, 1, &difference));
    printf("%d %d %ld\n", sum, product, difference);
    printf("%d %d %d %d\n", __builtin_popcount(u), __builtin_clz(1000u), __builtin_ctz(96u), __builtin_ffs(0));
    printf("%x %lx\n", __builtin_bswap32(0x01020304), __builtin_bswap64(0x0102030405060708UL));
    printf("%d\n", __builtin_parity(7u));
    return (int)(gcd(600, 85) + 37);
}
