/* Short circuits, values of conditions, choices. */
int both(int a, int b) { return a && b; }
int stored(int a, int b, int c) {
    int x = a && !(b || c);
    return x;
}
int branches(int a, _Bool b, double d) {
    if (a > 3 && b)
        return 1;
    while (a < 10 || d != 0.0)
        a++;
    return b ? a : 2;
}
int nested(int a, int b) { return (a ? b && a : b || a) == 1; }
