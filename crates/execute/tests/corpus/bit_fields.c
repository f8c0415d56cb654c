/* Bit-fields whose storage is as wide as the whole run of them, and integers of odd widths. */
#include <stdio.h>

struct __attribute__((packed)) run {
    unsigned first : 20;
    signed second : 31;
    unsigned long third : 60;
    unsigned fourth : 25;
    signed fifth : 7;
} run;

struct mixed {
    int low : 3;
    unsigned middle : 13;
    long long high : 40;
    _Bool flag : 1;
} mixed;

unsigned _BitInt(24) odd(unsigned _BitInt(24) x) { return x * x + 5; }
_BitInt(100) between(_BitInt(100) x) { return x * x - 3; }
unsigned _BitInt(200) giant = 12345;

__int128 wide(__int128 a, unsigned __int128 b, int distance) {
    return (a * 7 - (__int128)(b >> distance)) / 3 % 1000000007 + (a << 3 ^ (__int128)b);
}

int main(void) {
    run.first = 0xABCDE;
    run.second = -12345678;
    run.third = 0x123456789ABCDEFul;
    run.fourth = 0x1234567;
    run.fifth = -3;
    run.second += 77;
    run.third ^= run.first;
    printf("%u %d %lu %u %d\n", run.first, run.second, (unsigned long)run.third, run.fourth, run.fifth);
    for (unsigned i = 0; i < sizeof run; i++)
        printf("%02x", ((unsigned char *)&run)[i]);
    puts("");

    mixed.low = 5;
    mixed.middle = 8000;
    mixed.high = -123456789012LL;
    mixed.flag = 4;
    printf("%d %u %lld %d\n", mixed.low, mixed.middle, (long long)mixed.high, mixed.flag);

    printf("%d\n", (int)odd(70000));
    _BitInt(100) square = between((_BitInt(100))1 << 45);
    printf("%lx %lx\n", (long)(square >> 64), (long)square);
    giant <<= 100;
    giant |= 0xFF;
    giant >>= 3;
    printf("%lx %lx %lx\n", (long)giant, (long)(giant >> 64), (long)(giant >> 128));
    __int128 w = wide(((__int128)-5 << 70) + 3, ((unsigned __int128)7 << 90) + 9, 17);
    printf("%lx %lx\n", (long)(w >> 64), (long)w);

    int small;
    long large;
    printf("%d ", __builtin_add_overflow(2147483647, 1, &small));
    printf("%d\n", small);
    printf("%d ", __builtin_mul_overflow(1LL << 40, 1UL << 30, &large));
    printf("%ld\n", large);
    printf("%d ", __builtin_sub_overflow(-5L, 3UL, &large));
    printf("%ld\n", large);
    return 0;
}
