/* Vectors: lanes, comparisons, shuffles, the same bits under another type. */
#include <stdio.h>

typedef int ints __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));
typedef short shorts __attribute__((vector_size(16)));
typedef char chars __attribute__((vector_size(8)));

chars recast = (chars)0x0102030405060708LL;

static void show_ints(const char *name, ints v) {
    printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]);
}

int main(void) {
    ints x = {1, -2, 3, 4}, y = {5, 6, -7, 8};
    show_ints("sum", x * y + x);
    show_ints("less", x < y);
    ints changed = x;
    changed[2] = 9;
    for (int i = 0; i < 4; i += 3)
        changed[i] += 70 + x[3 - i];
    show_ints("changed", changed);
    show_ints("shuffled", __builtin_shufflevector(x, y, 0, 5, 7, 2));

    floats f = __builtin_convertvector(x, floats) * 1.5f;
    show_ints("as bits", (ints)f);
    show_ints("ordered", f >= 3.0f);

    shorts s = (shorts)y;
    s >>= 1;
    for (int i = 0; i < 8; i++)
        printf("%d ", s[i]);
    puts("");
    chars c = {1, 2, 3, -4, 5, 6, 7, -8};
    printf("%llx %llx\n", (long long)c, (long long)(c + recast));
    return recast[6];
}
