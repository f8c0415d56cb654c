/* One decision of ten mixed conditions. */
int f(int a, int b, int c, int d, unsigned e, unsigned g)
{
    if ((a > b && !(c == d || e < g)) || ((a + b != c) && (d >= 10 || !(e > 100 && g <= 7))) ||
        (b < 0 && (c > 1000 || a == -5)))
        return 1;
    return 0;
}
