/* Bitwise operators and equality of Booleans. */
_Bool ready(void);
int operators(int a, int b, _Bool p, _Bool q, unsigned flags) {
    int x = 0;
    if ((a > 1) & (b > 1)) x = 1;
    if ((a > 1) | !b) x = 2;
    if ((a > 1) ^ p) x = 3;
    if (p == q) x = 4;
    if (p != (a < b)) x = 5;
    if (ready() == ready()) x = 6;
    if (flags & 4) x = 7;
    if ((flags & 4) == 4) x = 8;
    if (p == 1) x = 9;
    if (p & flags) x = 10;
    if ((p & q) && ((a == b) == (x == 9))) x = 11;
    x = p & q;
    return !!a ^ !!b;
}
