/* Decisions inside conditions. */
int f(int);
int nested(int a, int b, int c, int d, const int *v) {
    int x = 0;
    if (a && f(b && c)) x = 1;
    if (x == (c || d)) x = 2;
    if (v[a && b] > (c ? 1 : d < 3)) x = 3;
    if ((x = a && b) || c) x = 4;
    if (a && !(b || (c && !d))) x = 5;
    if (f(f(a < b) && f(c < d ? a : b)) && d) x = 6;
    return a < b < c;
}
